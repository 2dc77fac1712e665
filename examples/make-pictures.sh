#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# Makes the pictures of the documentation that need no recorded frames, from depthtestsrc.
set -euo pipefail
. "$(dirname "$0")/common.sh"

usage() {
  cat <<EOF
Usage: $0 [FOLDER]

Writes street-depth.png, street-segments.png and street-classes.png: the first frame of depthtestsrc's
street as a stereo matcher would see it, its segments, and their classes; and the figures merge.svg and
ground.svg, where there is a python3 with matplotlib. FOLDER is docs/images by default.
EOF
}

case ${1:-} in
  -h | --help) usage; exit 0 ;;
  -*) usage_error "unknown option $1" ;;
esac
folder=${1:-$RDP_ROOT/docs/images}
mkdir -p "$folder"
need_elements pngenc videoconvert

street=(depthtestsrc num-buffers=1 noise=0.25 unknown-ratio=0.06
  ! "video/x-raw,format=GRAY16_LE,width=1242,height=376")
segment=(rdpsegment name=s epsilon=2 sample-scale=0.00390625)

# picture NAME STYLE [PROPERTY...]: STYLE is one of the overlay's.
picture() {
  local name=$1 style=$2
  shift 2
  run_pipeline -q "${street[@]}" ! "${segment[@]}" overlay::style="$style" "$@" \
    s.overlay ! videoconvert ! video/x-raw,format=RGB ! pngenc compression-level=9 ! \
    filesink location="$folder/$name.png" \
    s.src ! fakesink
  say "$folder/$name.png"
}

picture street-depth depth
picture street-segments segments
picture street-classes classes merge=true

if ! python=$(python_with matplotlib numpy); then
  warn "no python3 here has matplotlib and numpy (Debian: python3-matplotlib): figures are left out"
  exit 0
fi
data=$(mktemp -d)
trap 'rm -r "$data"' EXIT
run_pipeline -q "${street[@]}" ! filesink location="$data/street.raw"
run_pipeline -q "${street[@]}" ! "${segment[@]}" ! rdpmetaconvert ! filesink location="$data/split.jsonl"
run_pipeline -q "${street[@]}" ! "${segment[@]}" merge=true classify=true ! rdpmetaconvert ! \
  filesink location="$data/merged.jsonl"

# figure NAME FILE...: what draw_figures.py NAME makes of these files.
figure() {
  local name=$1
  shift
  "$python" "$RDP_ROOT/docs/images/draw_figures.py" "$name" "${@/#/$data/}" "$folder/$name.svg"
  say "$folder/$name.svg"
}

figure merge street.raw split.jsonl merged.jsonl
figure ground merged.jsonl
