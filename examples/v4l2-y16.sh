#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
set -euo pipefail
. "$(dirname "$0")/depth-source.sh"

unit="sample steps, or 1/km with --metric"
device=/dev/video0
width=640
height=480
fps=30
own_options="device width height fps"
most_arguments=0

usage() {
  cat <<END
Usage: examples/v4l2-y16.sh [OPTION]...

Segments what a V4L2 camera delivers in its 16-bit gray format Y16. Needs the camera.

  --device PATH    the camera ($device)
  --width W        samples in a row ($width)
  --height H       rows ($height)
  --fps N          frames a second ($fps)
  --metric         samples are millimetres of depth: segment their inverse
$(common_options)

"v4l2-ctl --device $device --list-formats-ext" lists what the camera can do; it must offer 'Y16 '.
GStreamer knows no format for V4L2's Z16, which RealSense cameras use: take realsense.sh for those.
END
}

metric=0
options=()
for word in "$@"; do
  if [ "$word" = --metric ]; then metric=1; else options+=("$word"); fi
done
parse_options "${options[@]}"
whole_number --width "$width" 1
whole_number --height "$height" 1
whole_number --fps "$fps" 1
[ "$DRY_RUN" = 1 ] || [ -c "$device" ] ||
  die "there is no camera $device. Those that there are: $(find /dev -maxdepth 1 -name 'video*' | tr '\n' ' ')"

need_elements v4l2src
[ "$metric" = 0 ] || segment_millimetres
source=(v4l2src "device=$device")
[ -z "$frames" ] || source+=("num-buffers=$frames")
run_segmentation "${source[@]}" \
  ! "video/x-raw,format=GRAY16_LE,width=$width,height=$height,framerate=$fps/1"
