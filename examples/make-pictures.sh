#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# Makes the pictures of the documentation that need no recorded frames, from depthtestsrc.
set -euo pipefail
. "$(dirname "$0")/common.sh"

usage() {
  cat <<EOF
Usage: $0 [FOLDER]

Writes stereo.png (the left picture of depthtestsrc's street, what depthstereo makes of both, its segments),
street-pair.png (the left picture above the disparity of its pixels), room.png (a room: the left picture, its noisy
disparity, the labels of its planes), crowd.png (what three cameras see of a crowd, and its heights), street-depth.png, street-segments.png, street-classes.png and street-birdseye.png: the first frame
of depthtestsrc's street as a stereo matcher would see it, its segments, their classes with a legend, and
the street from above; planes.png (depthtestsrc's room and the planes in it); tracks.png (the features of its traffic and where they
were in the last frames); motion.png (what moves there, with its speed); obstacles.png (the street's obstacles in boxes, and from above); heights.png (a crowd: heights, heads, and the ground
from above); and the figures of docs/concepts.md (merge.svg, ground.svg and concepts-*) and of docs/depthfilter.md
(filter-steps.png), if a python3 has matplotlib.
Where RDPSEGMENT_TEST_DATA names a folder with motion/tum in it (1.png and 1_depth.png, a frame of TUM RGB-D): desk.png,
the planes of that frame on its colours, and objects.png, the objects on the desk.
FOLDER is docs/images by default.
EOF
}

case ${1:-} in
  -h | --help) usage; exit 0 ;;
  -*) usage_error "unknown option $1" ;;
esac
folder=${1:-$RDP_ROOT/docs/images}
mkdir -p "$folder"
need_elements pngenc videoconvert compositor

street=(depthtestsrc num-buffers=1 noise=0.25 unknown-ratio=0.06
  ! "video/x-raw,format=GRAY16_LE,width=1242,height=376")
segment=(rdpsegment name=s epsilon=2 sample-scale=0.00390625)

# picture NAME STYLE FORMAT [PROPERTY...]: STYLE is one of the overlay's. What is transparent is black in RGB.
picture() {
  local name=$1 style=$2 format=$3
  shift 3
  run_pipeline -q "${street[@]}" ! "${segment[@]}" overlay::style="$style" "$@" \
    s.overlay ! videoconvert ! "video/x-raw,format=$format" ! pngenc compression-level=9 ! \
    filesink location="$folder/$name.png" \
    s.src ! fakesink
  say "$folder/$name.png"
}

picture street-depth depth RGB
picture street-segments segments RGB
picture street-classes classes RGB merge=true overlay::legend=true
picture street-birdseye birdseye RGBA merge=true overlay::legend=true

# The left picture above the disparity of its pixels.
size="width=1242,height=376"
run_pipeline -q compositor name=m background=black sink_1::ypos=376 ! videoconvert ! "video/x-raw,format=RGB" ! \
  pngenc compression-level=9 ! filesink location="$folder/street-pair.png" \
  depthtestsrc num-buffers=1 view=left ! "video/x-raw,$size" ! videoconvert ! m.sink_0 \
  depthtestsrc num-buffers=1 ! "video/x-raw,format=GRAY16_LE,$size" ! \
  rdpsegment name=pair epsilon=2 sample-scale=0.00390625 overlay::style=depth pair.overlay ! \
  videoconvert ! m.sink_1 pair.src ! fakesink
say "$folder/street-pair.png"

# A room: what the left camera sees, its depth with the noise of such a camera, the labels of its planes.
size="width=640,height=480"
columns=()
for i in 0 1 2; do columns+=("sink_$i::xpos=$((420 * i))" "sink_$i::width=420" "sink_$i::height=315"); done
room=(depthtestsrc num-buffers=1 pattern=room seed=5)
run_pipeline -q compositor name=m background=black "${columns[@]}" ! videoconvert ! "video/x-raw,format=RGB" ! \
  pngenc compression-level=9 ! filesink location="$folder/room.png" \
  "${room[@]}" view=left ! "video/x-raw,$size" ! videoconvert ! m.sink_0 \
  "${room[@]}" noise=0.03 ! "video/x-raw,format=GRAY16_LE,$size" ! \
  rdpsegment name=depth epsilon=2 sample-scale=0.00390625 overlay::style=depth depth.overlay ! \
  videoconvert ! m.sink_1 depth.src ! fakesink \
  "${room[@]}" view=labels ! "video/x-raw,$size" ! \
  rdpsegment name=labels overlay::style=depth labels.overlay ! videoconvert ! m.sink_2 labels.src ! fakesink
say "$folder/room.png"

# A crowd: what cameras 1, 0 and 2 see, and the heights of what camera 0 sees.
size="width=390,height=310"
crowd=(depthtestsrc num-buffers=1 pattern=crowd seed=2)
run_pipeline -q compositor name=m background=black sink_1::xpos=390 sink_2::ypos=310 sink_3::xpos=390 sink_3::ypos=310 ! \
  videoconvert ! "video/x-raw,format=RGB" ! pngenc compression-level=9 ! filesink location="$folder/crowd.png" \
  "${crowd[@]}" view=left view-index=1 ! "video/x-raw,$size" ! videoconvert ! m.sink_0 \
  "${crowd[@]}" view=left ! "video/x-raw,$size" ! videoconvert ! m.sink_1 \
  "${crowd[@]}" view=left view-index=2 ! "video/x-raw,$size" ! videoconvert ! m.sink_2 \
  "${crowd[@]}" view=heights ! "video/x-raw,$size" ! \
  rdpsegment name=heights overlay::style=depth heights.overlay ! videoconvert ! m.sink_3 heights.src ! fakesink
say "$folder/crowd.png"

# What depthstereo makes of both pictures: the left one, the disparity, the segments of that.
size="width=1242,height=376"
small="width=621 height=188"
rows=()
for i in 0 1 2; do rows+=("sink_$i::ypos=$((188 * i))" "sink_$i::${small% *}" "sink_$i::${small#* }"); done
run_pipeline -q compositor name=m background=black "${rows[@]}" ! videoconvert ! "video/x-raw,format=RGB" ! \
  pngenc compression-level=9 ! filesink location="$folder/stereo.png" \
  depthtestsrc num-buffers=1 view=left ! "video/x-raw,$size" ! tee name=left ! queue ! stereo.left \
  left. ! queue ! videoconvert ! m.sink_0 \
  depthtestsrc num-buffers=1 view=right ! "video/x-raw,$size" ! stereo.right \
  depthstereo name=stereo stereo.overlay ! videoconvert ! m.sink_1 \
  stereo.src ! rdpsegment name=lines epsilon=2 sample-scale=0.00390625 lines.overlay ! videoconvert ! \
  m.sink_2 lines.src ! fakesink
say "$folder/stereo.png"
run_pipeline -q depthtestsrc num-buffers=1 pattern=room domain=depth noise=0.02 ! \
  "video/x-raw,width=640,height=480" ! depthplanes name=planes planes.src ! fakesink \
  planes.overlay ! videoconvert ! "video/x-raw,format=RGB" ! pngenc compression-level=9 ! \
  filesink location="$folder/planes.png"
say "$folder/planes.png"

# The last of some frames.
run_pipeline -q depthtestsrc num-buffers=20 view=left pattern=traffic ! "video/x-raw,width=640,height=480" ! \
  klttrack name=tracks tracks.src ! fakesink \
  tracks.overlay ! videoconvert ! "video/x-raw,format=RGB" ! pngenc compression-level=9 snapshot=false ! \
  multifilesink max-files=1 location="$folder/tracks-%d.png"
mv "$folder/tracks-19.png" "$folder/tracks.png"
say "$folder/tracks.png"
caps="video/x-raw,width=828,height=252"
run_pipeline -q depthtestsrc num-buffers=46 pattern=traffic noise=0.1 ! "$caps" ! \
  rdpsegment epsilon=2 sample-scale=0.00390625 merge=true ! motion.depth \
  depthtestsrc num-buffers=46 pattern=traffic view=left ! "$caps" ! klttrack cell=8 ! motion.video \
  rdpmotion name=motion ego-motion=estimate overlay::legend=true ! fakesink \
  motion.overlay ! videoconvert ! "video/x-raw,format=RGB" ! pngenc compression-level=9 snapshot=false ! \
  multifilesink max-files=1 location="$folder/motion-%d.png"
mv "$folder/motion-45.png" "$folder/motion.png"
say "$folder/motion.png"

# The street's obstacles as its camera sees them, and from above.
things=("range=50" "cell-size=0.2" "min-height=0.3" "max-height=2.5" "gate=1" overlay::legend=true)
run_pipeline -q compositor name=m background=black sink_1::xpos=640 ! videoconvert ! "video/x-raw,format=RGB" ! \
  pngenc compression-level=9 snapshot=false ! multifilesink max-files=1 location="$folder/obstacles-%d.png" \
  depthtestsrc num-buffers=12 noise=0.1 ! "video/x-raw,format=GRAY16_LE,width=640,height=480" ! \
  rdpsegment epsilon=2 sample-scale=0.00390625 classify=true ! tee name=t \
  t. ! queue ! depthobstacles name=boxes "${things[@]}" boxes.overlay ! videoconvert ! m.sink_0 boxes.src ! fakesink \
  t. ! queue ! depthobstacles name=above overlay::style=birdseye "${things[@]}" above.overlay ! videoconvert ! m.sink_1 \
  above.src ! fakesink
mv "$folder/obstacles-11.png" "$folder/obstacles.png"
say "$folder/obstacles.png"

# A crowd by three cameras: heights, heads, and the ground from above. Each picture is of a set of its own.
columns=()
crowd=()
styles=(heights heads birdseye)
size="width=520,height=414"
for i in 0 1 2; do
  columns+=("sink_$i::xpos=$((520 * i))")
  crowd+=(heightmap "name=crowd$i" "area=-2.6,-2.2 2.6,-2.2 2.6,2.2 -2.6,2.2" "overlay::style=${styles[i]}" overlay::legend=true "crowd$i.src" ! fakesink
    "crowd$i.overlay" ! videoconvert ! "m.sink_$i")
  for view in 0 1 2; do
    crowd+=(depthtestsrc num-buffers=1 pattern=crowd view=left noise=2 "view-index=$view" ! "video/x-raw,$size" !
      "crowd$i.sink_$view")
  done
done
run_pipeline -q compositor name=m background=black "${columns[@]}" ! videoconvert ! "video/x-raw,format=RGB" ! \
  pngenc compression-level=9 ! filesink location="$folder/heights.png" "${crowd[@]}"
say "$folder/heights.png"

# A recorded frame: the planes of a Kinect's depth on its colours, and the objects on its largest plane.
desk=${RDPSEGMENT_TEST_DATA:-}/motion/tum
camera=(focal-length=520.9 principal-x=325.1 principal-y=249.7 depth-unit=0.0002)
if [ -f "$desk/1_depth.png" ]; then
  run_pipeline -q compositor name=m background=black sink_1::alpha=0.55 ! videoconvert ! \
    "video/x-raw,format=RGB" ! pngenc compression-level=9 ! filesink location="$folder/desk.png" \
    filesrc location="$desk/1.png" ! pngdec ! videoconvert ! queue ! m.sink_0 \
    filesrc location="$desk/1_depth.png" ! pngdec ! videoconvert ! "video/x-raw,format=GRAY16_LE" ! \
    depthplanes name=p "${camera[@]}" p.overlay ! m.sink_1 p.src ! fakesink
  say "$folder/desk.png"
  run_pipeline -q rdpoverlay name=o style=boxes ! videoconvert ! "video/x-raw,format=RGB" ! \
    pngenc compression-level=9 ! filesink location="$folder/objects.png" \
    filesrc location="$desk/1.png" ! pngdec ! videoconvert ! queue ! o.video \
    filesrc location="$desk/1_depth.png" ! pngdec ! videoconvert ! "video/x-raw,format=GRAY16_LE" ! \
    depthplanes "${camera[@]}" ! depthobstacles "${camera[@]}" camera-height=0.79 camera-pitch=29 \
    min-height=0.015 max-height=0.6 range=2 cell-size=0.01 link=1 object-samples=150 ground-tolerance=0 ! o.segments
  say "$folder/objects.png"
fi

if ! python=$(python_with matplotlib numpy); then
  warn "no python3 here has matplotlib and numpy (Debian: python3-matplotlib): figures are left out"
  exit 0
fi
data=$(mktemp -d)
trap 'rm -r "$data"' EXIT
# lines NAME [PROPERTY...]: the segments of the street as one line of JSON.
lines() {
  local name=$1
  shift
  run_pipeline -q "${street[@]}" ! "${segment[@]}" "$@" ! rdpmetaconvert points=true ! \
    filesink location="$data/$name.jsonl"
}

run_pipeline -q "${street[@]}" ! filesink location="$data/street.raw"
run_pipeline -q depthtestsrc num-buffers=1 view=left ! "video/x-raw,width=1242,height=376" ! videoconvert ! \
  pngenc ! filesink location="$data/left.png"
lines split
lines refined refine=true
lines merged merge=true classify=true
lines absolute merge=true fit=absolute
lines stixels merge=true classify=true column-width=6

# figure SCRIPT NAME PICTURE FILE...: what a script of docs/images makes of these files.
figure() {
  local script=$1 name=$2 picture=$3
  shift 3
  "$python" -B "$RDP_ROOT/docs/images/$script.py" "$name" "${@/#/$data/}" "$folder/$picture"
  say "$folder/$picture"
}

# filtered STEP NAME=VALUE SOURCE...: the frames of a source before a step of depthfilter alone, and after it.
filtered() {
  local step=$1 property=$2
  shift 2
  run_pipeline -q "$@" ! tee name=t ! queue ! filesink location="$data/$step-before.raw" \
    t. ! queue ! depthfilter flying=false spatial-radius=0 "$property" ! filesink location="$data/$step-after.raw"
}
# The room as a camera sees it. Half of it has samples between two surfaces.
room=(depthtestsrc num-buffers=1 pattern=room seed=5 domain=depth)
size="video/x-raw,width=640,height=480"
filtered range max-distance=2 "${room[@]}" noise=0.02 ! "$size"
filtered flying flying=true "${room[@]}" ! "$size" ! videoscale ! "video/x-raw,width=320,height=240"
filtered decimation decimation=4 "${room[@]}" noise=0.045 ! "$size"
filtered spatial spatial-radius=4 "${room[@]}" noise=0.045 ! "$size"
filtered holes hole-filling=gap "${room[@]}" noise=0.02 unknown-ratio=0.05 ! "$size"
# A camera that stands, before cars that do not.
filtered temporal temporal-frames=4 depthtestsrc num-buffers=46 pattern=traffic drive=0 noise=0.3 unknown-ratio=0.03 ! \
  "video/x-raw,width=640,height=240"
# What a matcher finds without any filter.
size="video/x-raw,width=480,height=160"
matched=(depthtestsrc num-buffers=1 view=left noise=6 ! "$size" ! m.left
  depthtestsrc num-buffers=1 view=right noise=6 ! "$size" ! m.right depthstereo name=m median=none speckle-size=0)
filtered median median=3x3 "${matched[@]}"
filtered speckles speckle-size=100 "${matched[@]}"
"$python" -B "$RDP_ROOT/docs/images/draw_filter.py" steps "$data" "$folder/filter-steps.png"
say "$folder/filter-steps.png"

figure draw_figures merge merge.svg street.raw split.jsonl merged.jsonl
figure draw_figures ground ground.svg merged.jsonl
figure draw_concepts column concepts-column.svg street.raw split.jsonl
figure draw_concepts lines concepts-lines.svg street.raw split.jsonl refined.jsonl merged.jsonl
figure draw_concepts fit concepts-fit.svg street.raw merged.jsonl absolute.jsonl
figure draw_concepts depth concepts-depth.svg street.raw merged.jsonl
figure draw_concepts classes concepts-classes.svg street.raw merged.jsonl
figure draw_concepts stixels concepts-stixels.png left.png stixels.jsonl
