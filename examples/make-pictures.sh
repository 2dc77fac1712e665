#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# Makes the pictures of the documentation, docs/images/*.png, from depthtestsrc.
set -euo pipefail
. "$(dirname "$0")/common.sh"

usage() {
  cat <<EOF
Usage: $0 [FOLDER]

Writes street-depth.png, street-segments.png and street-classes.png: the first frame of depthtestsrc's
street as a stereo matcher would see it, its segments, and their classes. FOLDER is docs/images by default.
EOF
}

case ${1:-} in
  -h | --help) usage; exit 0 ;;
  -*) usage_error "unknown option $1" ;;
esac
folder=${1:-$RDP_ROOT/docs/images}
mkdir -p "$folder"
need_elements pngenc videoconvert

# picture NAME STYLE [PROPERTY...]: STYLE is one of the overlay's.
picture() {
  local name=$1 style=$2
  shift 2
  run_pipeline -q depthtestsrc num-buffers=1 noise=0.25 unknown-ratio=0.06 ! \
    video/x-raw,format=GRAY16_LE,width=1242,height=376 ! \
    rdpsegment name=s epsilon=2 sample-scale=0.00390625 overlay::style="$style" "$@" \
    s.overlay ! queue ! videoconvert ! video/x-raw,format=RGB ! pngenc compression-level=9 ! \
    filesink location="$folder/$name.png" \
    s.src ! queue ! fakesink
  say "$folder/$name.png"
}

picture street-depth depth
picture street-segments segments
picture street-classes classes merge=true
