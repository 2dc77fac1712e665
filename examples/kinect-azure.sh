#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
set -euo pipefail
. "$(dirname "$0")/depth-source.sh"

unit="1/km"
epsilon=10
serial=
recording=
mode=nfov_unbinned
own_options="serial recording mode"
most_arguments=0

usage() {
  cat <<END
Usage: examples/kinect-azure.sh [OPTION]...

Segments the depth of an Azure Kinect or of one of its recordings. Needs the camera (or a recording),
Microsoft's sensor SDK and k4asrc: https://gitlab.com/aivero/legacy/public/aivero-rgbd-toolkit

  --serial N       the camera's serial number; needed where there are several
  --recording FILE an .mkv of k4arecorder instead of the camera
  --mode MODE      nfov_2x2_binned, nfov_unbinned (the default), wfov_2x2_binned or wfov_unbinned
$(common_options)

Depth is GRAY16_LE in millimetres, 0 where it is unknown. A plane is straight in inverse depth: what
is segmented, and what epsilon and the values in the output mean, is 1e6 / z.
END
}

parse_options "$@"
case $mode in
  nfov_2x2_binned | nfov_unbinned | wfov_2x2_binned | wfov_unbinned) ;;
  *) usage_error "--mode is nfov_2x2_binned, nfov_unbinned, wfov_2x2_binned or wfov_unbinned, not '$mode'" ;;
esac
source=(k4asrc enable-depth=true enable-color=false "depth-mode=$mode")
[ -z "$serial" ] || source+=("serial=$serial")
if [ -n "$recording" ]; then
  [ "$DRY_RUN" = 1 ] || [ -r "$recording" ] || die "cannot read $recording"
  source+=("recording-location=$recording")
fi
[ -z "$frames" ] || source+=("num-buffers=$frames")

need_elements k4asrc rgbddemux
segment_millimetres
run_segmentation "${source[@]}" ! rgbddemux name=camera \
  camera.src_depth ! queue ! "video/x-raw,format=GRAY16_LE"
