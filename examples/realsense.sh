#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
set -euo pipefail
. "$(dirname "$0")/depth-source.sh"

unit="1/km"
epsilon=10
plugin=wkdsmrt
serial=
own_options="plugin serial"
most_arguments=0

usage() {
  cat <<END
Usage: examples/realsense.sh [OPTION]...

Segments the depth of an Intel RealSense camera. Needs the camera and one of the two public plugins,
whose source is called realsensesrc in both:
  wkdsmrt   https://github.com/WKDSMRT/realsense-gstreamer
  aivero    https://gitlab.com/aivero/legacy/public/aivero-rgbd-toolkit

  --plugin NAME    wkdsmrt (the default) or aivero
  --serial N       the camera's serial number (aivero needs it); see rs-enumerate-devices
$(common_options)

Depth is GRAY16_LE in millimetres (D400; an L515 writes 1/4 mm), 0 where it is unknown. A plane is
straight in inverse depth: what is segmented, and what epsilon and the values in the output mean, is
1e6 / z.
END
}

parse_options "$@"
[ -z "$serial" ] || [[ $serial =~ ^[0-9]+$ ]] || usage_error "--serial is a number, not '$serial'"
source=(realsensesrc)
case $plugin in
  wkdsmrt)
    # stream-type=2 is colour and depth in one buffer, which rsdemux takes apart.
    [ -z "$serial" ] || source+=("cam-serial-number=$serial")
    source+=(stream-type=2 align=0)
    demux=rsdemux depth=camera.depth colour=camera.color
    ;;
  aivero)
    [ -n "$serial" ] || usage_error "the aivero plugin needs --serial"
    source+=("serial=$serial" enable-depth=true enable-color=true)
    demux=rgbddemux depth=camera.src_depth colour=camera.src_color
    ;;
  *) usage_error "--plugin is wkdsmrt or aivero, not '$plugin'" ;;
esac
[ -z "$frames" ] || source+=("num-buffers=$frames")

need_elements realsensesrc "$demux"
segment_millimetres
run_segmentation "${source[@]}" ! "$demux" name=camera \
  "$colour" ! queue ! fakesink \
  "$depth" ! queue ! "video/x-raw,format=GRAY16_LE"
