#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
set -euo pipefail
. "$(dirname "$0")/common.sh"

usage() {
  cat <<END
Usage: examples/quickstart.sh [--frames N] [--out FOLDER] [--epsilon PIXELS] [--no-build]

From nothing to segments: installs what is missing (apt-get, as root or through sudo), builds,
segments N frames (10) of a synthetic street and writes into FOLDER (out)
  overlay-00000.png ...  the frames with their segments
  segments.jsonl         the segments, one line of JSON for each frame
  stereo-disparity.png   what depthstereo makes of the street's two pictures
--no-build takes what is built or installed already.

Environment:
  BUILD  the build directory (build); it is made if it is not there
END
}

frames=10
out=out
epsilon=4
build_it=1
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help)
      usage
      exit 0
      ;;
    --frames | --out | --epsilon)
      need_value "$1" "$@"
      declare "${1#--}=$2"
      shift 2
      ;;
    --no-build)
      build_it=0
      shift
      ;;
    *) usage_error "unknown argument $1" ;;
  esac
done
whole_number --frames "$frames" 1
number --epsilon "$epsilon"

if [ "$build_it" = 1 ]; then
  install_packages build run python
  build=${BUILD:-$RDP_ROOT/build}
  [[ $build = /* ]] || build=$PWD/$build
  meson=$(meson_command)
  if [ ! -f "$build/build.ninja" ]; then
    "$meson" setup "$build" "$RDP_ROOT" --buildtype=release -Dtests=disabled \
      -Dbenchmarks=disabled </dev/null
  fi
  "$meson" compile -C "$build" </dev/null
  export BUILD=$build
fi
use_elements

mkdir -p "$out" || die "cannot make the folder $out"
rm -f "$out"/overlay-*.png "$out"/segments.jsonl "$out"/stereo-disparity.png
# 16-bit disparity in 1/256 pixel: sample-scale makes epsilon count pixels.
pipeline=(
  depthtestsrc "num-buffers=$frames" pattern=street
  ! 'video/x-raw,format=GRAY16_LE,width=1242,height=375,framerate=10/1'
  ! rdpsegment name=seg "epsilon=$epsilon" sample-scale=0.00390625
  seg.src ! rdpmetaconvert ! filesink "location=$out/segments.jsonl"
  seg.overlay ! pngenc ! multifilesink "location=$out/overlay-%05d.png"
)
say "" "Running:"
print_pipeline "${pipeline[@]}"
run_pipeline -q "${pipeline[@]}"

size='video/x-raw,width=1242,height=375'
stereo=(
  depthtestsrc num-buffers=1 view=left ! "$size" ! stereo.left
  depthtestsrc num-buffers=1 view=right ! "$size" ! stereo.right
  depthstereo name=stereo stereo.src ! fakesink
  stereo.overlay ! pngenc ! filesink "location=$out/stereo-disparity.png"
)
say "" "And of the two pictures of a stereo camera:"
print_pipeline "${stereo[@]}"
run_pipeline -q "${stereo[@]}"

say ""
"$(python_with json)" - "$out" "$epsilon" <<'END'
import json, pathlib, sys

out, epsilon = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
frames = segments = columns = pixels = 0
with open(out / "segments.jsonl") as lines:
    for frame in map(json.loads, lines):
        frames += 1
        columns += len(frame["columns"])
        for column in frame["columns"]:
            segments += len(column)
            if column:
                pixels += column[-1][1] - column[0][0] + 1
pictures = sorted(out.glob("overlay-*.png"))
stereo = out / "stereo-disparity.png"
if not segments or not pictures or not stereo.stat().st_size:
    sys.exit(f"The pipeline ran, but there is nothing to see in {out}: that is a defect, please report it.")
print(f"""Done. {frames} frames of {frame['width']}x{frame['height']} at a tolerance of {epsilon} px: \
{segments // frames} segments a frame,
{segments / columns:.1f} segments a column, {pixels / segments:.1f} pixels a segment.

{pictures[0]} ({len(pictures)} pictures)
  Each column's segments in the colour of their disparity, yellow near and blue far, dark lines where
  they end, what slants (the road) paler. The road is one long segment at the bottom of a column; a
  car, a wall or a tree is an upright one, of one colour.
  Look at them with any viewer, e.g.  xdg-open {pictures[0]}
{out / 'segments.jsonl'}
  One line a frame; "columns" holds a list of [first row, last row, first value, last value] for
  each column. For instance the middle column of the first frame:
  python3 -c 'import json; print(json.loads(open("{out / 'segments.jsonl'}").readline())["columns"][{frame['width'] // 2}])'
{stereo}
  The disparity that depthstereo matched in the street's left and right picture, with a legend in px;
  what is transparent is unknown. docs/depthstereo.md goes on to segments and points.""")
END
