#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
set -euo pipefail
. "$(dirname "$0")/depth-source.sh"

unit="sample steps times --scale"
width=
height=
format=GRAY16_LE
fps=10
stride=
scale=1
own_options="width height format fps stride scale"
most_arguments=1

usage() {
  cat <<END
Usage: examples/raw-files.sh --width W --height H [OPTION]... FILE

Segments a file of raw frames, one after the other, without headers.

  --width W        samples in a row
  --height H       rows in a frame
  --format F       GRAY16_LE (little endian, the default), GRAY16_BE or GRAY8
  --stride BYTES   from the start of one row to that of the next. The default is a row without
                   anything behind it, as numpy's tofile() and most programs write it
  --scale S        what a sample step is worth (1): 0.00390625 where the file holds disparity * 256
  --fps N          how fast frames are shown (10)
$(common_options)

The stride matters: without plane-strides, rawvideoparse expects each row to start at a multiple of 4
bytes, GStreamer's own layout. A width that is odd (or with GRAY8 no multiple of 4) then shears the
picture, and the last frame is lost.
END
}

parse_options "$@"
[ "${#arguments[@]}" -eq 1 ] || usage_error "name one file of raw frames"
file=${arguments[0]}
[ -n "$width" ] || usage_error "a raw file does not say its size: give --width and --height"
[ -n "$height" ] || usage_error "a raw file does not say its size: give --width and --height"
whole_number --width "$width" 1
whole_number --height "$height" 1
whole_number --fps "$fps" 1
positive_number --scale "$scale"
case $format in
  GRAY8) bytes=1 parse=gray8 ;;
  GRAY16_LE) bytes=2 parse=gray16-le ;;
  GRAY16_BE) bytes=2 parse=gray16-be ;;
  *) usage_error "--format is GRAY16_LE, GRAY16_BE or GRAY8, not '$format'" ;;
esac
row=$((width * bytes))
stride=${stride:-$row}
whole_number --stride "$stride" "$row"
[ -r "$file" ] || die "cannot read $file"
size=$(stat -L -c %s "$file")
frame=$((stride * height))
if [ "$size" -lt "$frame" ]; then
  die "$file has $size bytes, less than one frame of $width x $height $format with rows of $stride bytes ($frame)"
elif [ $((size % frame)) -ne 0 ]; then
  warn "the size of $file is no multiple of a frame's $frame bytes: is $width x $height $format right?"
fi

need_elements rawvideoparse
segment_properties=("sample-scale=$scale")
source=(filesrc "location=$file")
# The queue makes filesrc push blocks, which num-buffers counts; rawvideoparse would pull otherwise.
[ -z "$frames" ] || source+=("blocksize=$frame" "num-buffers=$frames" ! queue)
source+=(! rawvideoparse "width=$width" "height=$height" "format=$parse" "framerate=$fps/1"
  "plane-strides=<(gint)$stride>" "frame-size=$frame")
[ "$format" != GRAY16_BE ] || source+=(! videoconvert ! "video/x-raw,format=GRAY16_LE")
run_segmentation "${source[@]}"
