#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# Makes the pictures of the documentation, docs/images/*.png, from depthtestsrc.
set -euo pipefail
. "$(dirname "$0")/common.sh"

usage() {
  cat <<EOF
Usage: $0 [FOLDER]

Writes street-depth.png and street-segments.png: the first frame of depthtestsrc's street as a stereo
matcher would see it, and its segments. FOLDER is docs/images by default.
EOF
}

case ${1:-} in
  -h | --help) usage; exit 0 ;;
  -*) usage_error "unknown option $1" ;;
esac
folder=${1:-$RDP_ROOT/docs/images}
mkdir -p "$folder"
need_elements pngenc videoconvert

# picture NAME STYLE: STYLE is one of the overlay's.
picture() {
  run_pipeline -q depthtestsrc num-buffers=1 noise=0.25 unknown-ratio=0.06 ! \
    video/x-raw,format=GRAY16_LE,width=1242,height=376 ! \
    rdpsegment name=s epsilon=2 sample-scale=0.00390625 overlay::style="$2" \
    s.overlay ! queue ! videoconvert ! video/x-raw,format=RGB ! pngenc compression-level=9 ! \
    filesink location="$folder/$1.png" \
    s.src ! queue ! fakesink
  say "$folder/$1.png"
}

picture street-depth depth
picture street-segments segments
