#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
set -euo pipefail
. "$(dirname "$0")/depth-source.sh"

unit="1/km"
epsilon=10
most_arguments=1

usage() {
  cat <<END
Usage: examples/openni2.sh [OPTION]... [RECORDING.oni]

Segments the depth of a camera that OpenNI2 knows (Asus Xtion, PrimeSense, Kinect v1), or of a
recording of one. Needs the camera (or a recording), OpenNI2's driver for it, and openni2src of
GStreamer's bad plugins (Debian: gstreamer1.0-plugins-bad).

$(common_options)

Depth is GRAY16_LE in millimetres, 0 where it is unknown. A plane is straight in inverse depth: what
is segmented, and what epsilon and the values in the output mean, is 1e6 / z.
If OpenNI2 finds no driver, name their folder: LD_LIBRARY_PATH=/usr/lib/OpenNI2/Drivers
END
}

parse_options "$@"
source=(openni2src sourcetype=depth)
if [ "${#arguments[@]}" -gt 0 ]; then
  recording=${arguments[0]}
  [ "$DRY_RUN" = 1 ] || [ -r "$recording" ] || die "cannot read $recording"
  source+=("location=$recording")
fi
[ -z "$frames" ] || source+=("num-buffers=$frames")

need_elements openni2src
segment_millimetres
run_segmentation "${source[@]}" ! "video/x-raw,format=GRAY16_LE"
