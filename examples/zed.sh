#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
set -euo pipefail
. "$(dirname "$0")/depth-source.sh"

unit="1/km"
epsilon=10
fps=15
svo=
own_options="fps svo"
most_arguments=0

usage() {
  cat <<END
Usage: examples/zed.sh [OPTION]...

Segments the depth of a Stereolabs ZED camera or of an SVO recording. Needs the ZED SDK (and so an
NVIDIA GPU) and Stereolabs' plugin: https://github.com/stereolabs/zed-gstreamer

  --svo FILE       a recording instead of the camera
  --fps N          frames a second (15)
$(common_options)

stream-type=3 is depth alone, GRAY16_LE in millimetres, 0 where it is unknown. A plane is straight in
inverse depth: what is segmented, and what epsilon and the values in the output mean, is 1e6 / z.
END
}

parse_options "$@"
whole_number --fps "$fps" 1
source=(zedsrc stream-type=3 "camera-fps=$fps")
if [ -n "$svo" ]; then
  [ "$DRY_RUN" = 1 ] || [ -r "$svo" ] || die "cannot read $svo"
  source+=("svo-file-path=$svo")
fi
[ -z "$frames" ] || source+=("num-buffers=$frames")

need_elements zedsrc
segment_millimetres
run_segmentation "${source[@]}" ! "video/x-raw,format=GRAY16_LE"
