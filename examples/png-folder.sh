#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
set -euo pipefail
. "$(dirname "$0")/depth-source.sh"

scale=0.00390625
start=0
fps=10
own_options="scale start fps"
most_arguments=1

usage() {
  cat <<END
Usage: examples/png-folder.sh [OPTION]... FOLDER|PATTERN

Segments 8- or 16-bit gray PNG pictures of disparity, numbered without a gap, e.g. KITTI's.
FOLDER holds them (000000.png, ...); a PATTERN such as 'in/disparity-%04d.png' names them.

  --scale S        what a sample step is worth (0.00390625, as in KITTI: disparity * 256)
  --start N        the number of the first picture (0, or the folder's first)
  --fps N          how fast they are shown (10)
$(common_options)

PNG holds 16 bits in big-endian order, so that pngdec gives GRAY16_BE; videoconvert turns it into the
GRAY16_LE that rdpsegment takes, without changing a value.
END
}

parse_options "$@"
[ "${#arguments[@]}" -eq 1 ] || usage_error "name a folder of PNG pictures, or a pattern such as in/%06d.png"
positive_number --scale "$scale"
whole_number --start "$start"
whole_number --fps "$fps" 1

pattern=${arguments[0]}
if [ -d "$pattern" ]; then
  folder=${pattern%/}
  first=$(find "$folder" -maxdepth 1 -name '*.png' -printf '%f\n' | LC_ALL=C sort | head -n 1)
  [ -n "$first" ] || die "there is no .png file in $folder"
  # 000012.png: as many digits as the first name ends in, counted on from them.
  [[ $first =~ ^(.*[^0-9])?([0-9]+)\.png$ ]] ||
    die "$folder/$first has no number before .png: name the pictures by a PATTERN"
  digits=${BASH_REMATCH[2]}
  pattern=$folder/${BASH_REMATCH[1]//%/%%}%0${#digits}d.png
  [ "$start" -ne 0 ] || start=$((10#$digits))
elif [[ $pattern != *%* ]]; then
  die "$pattern is neither a folder nor a pattern with a %d in it"
fi
# The pattern is the user's own, with one number in it.
# shellcheck disable=SC2059
printf -v first "$pattern" "$start" || die "$pattern is not a pattern with one %d in it"
[ -f "$first" ] || die "there is no file $first to start with"

need_elements multifilesrc pngdec videoconvert
source=(multifilesrc "location=$pattern" "start-index=$start")
[ -z "$frames" ] || source+=("stop-index=$((start + frames - 1))")
# GRAY8 pictures stay GRAY8: a conversion to 16 bits would multiply the values.
read -r bits colour < <(od -An -tu1 -j24 -N2 "$first")
case $bits/$colour in
  8/0) format=GRAY8 ;;
  16/0) format=GRAY16_LE ;;
  *) die "$first is no gray PNG of 8 or 16 bits" ;;
esac
segment_properties=("sample-scale=$scale")
run_segmentation "${source[@]}" "caps=image/png,framerate=$fps/1" ! pngdec ! videoconvert \
  ! "video/x-raw,format=$format"
