#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# What is registered where: elements that need a device are not there without one, all others are,
# and a registry that was written without a device does not hide them later.
# Usage: no_device.sh STANDIN_DIRECTORY
set -u
registry=$(mktemp)
trap 'rm -f "$registry"' EXIT
rm -f "$registry"
export GST_REGISTRY=$registry
failed=0

# check WANTED WHAT [VARIABLE=VALUE...]: depthupload and depthdownload exist (yes) or not (no).
check() {
  local wanted=$1 what=$2 element found
  shift 2
  for element in depthtestsrc rdpsegment rdpmetaconvert depthupload depthdownload; do
    found=no
    env "$@" gst-inspect-1.0 "$element" >/dev/null 2>&1 && found=yes
    case $element in
    depthupload | depthdownload) [ "$found" = "$wanted" ] ;;
    *) [ "$found" = yes ] ;;
    esac || {
      echo "FAILED: $what: is $element there? $found"
      failed=1
    }
  done
  echo "done: $what"
}

driver="LD_LIBRARY_PATH=$1:${LD_LIBRARY_PATH-}"
check no 'no devices' "$driver" STANDIN_DEVICES=0
rm -f "$registry"
check no 'a driver that does not start' "$driver" STANDIN_FAIL=cuInit:1:999
# From here on the registry stays.
check yes 'a device' "$driver" CUDA_VISIBLE_DEVICES=0
check no 'the device is taken away' "$driver" CUDA_VISIBLE_DEVICES= STANDIN_DEVICES=0
check yes 'the device comes back' "$driver" CUDA_VISIBLE_DEVICES=0
exit $failed
