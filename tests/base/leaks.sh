#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# Runs pipelines under GStreamer's leaks tracer: no object, mini object or buffer may be alive at the
# end, after a stream's regular end and after each error.
set -u
log=$(mktemp)
trap 'rm -f "$log"' EXIT
failed=0

# launch ELEMENT...: runs the pipeline, and writes what it says.
launch() {
  GST_TRACERS='leaks(check-refs=true,stack-traces-flags=none)' GST_DEBUG='GST_TRACER:7' GST_DEBUG_NO_COLOR=1 \
    G_DEBUG='' timeout 60 gst-launch-1.0 "$@" >"$log" 2>&1
}

# check WORDS ELEMENT...: the pipeline's output has WORDS in it (its regular end or the wanted error),
# and it leaves nothing behind.
check() {
  local wanted=$1
  shift
  launch "$@"
  # gst-launch-1.0 of GStreamer 1.22 hangs in some runs after an error during preroll: see
  # tests/pipelines/programs.py.
  if [ $? = 124 ] && grep -q 'ERROR: ' "$log"; then
    echo "once more, because it hung after its error: gst-launch-1.0 $*"
    launch "$@"
  fi
  if ! grep -q "$wanted" "$log"; then
    echo "FAILED (without '$wanted'): gst-launch-1.0 $*"
    grep -v GST_TRACER "$log"
    failed=1
  elif grep -q 'object-alive, type-name=(string)[^%]' "$log"; then
    echo "LEAKS: gst-launch-1.0 $*"
    grep 'object-alive, type-name=(string)[^%]' "$log" | cut -c1-300
    failed=1
  else
    echo "clean: gst-launch-1.0 $*"
  fi
}

source='depthtestsrc num-buffers=12 ! video/x-raw,width=120,height=80'
# What no camera follows. From 1.28 on videoscale says where its borders are, and a mirror what it did.
loses='videoscale ! video/x-raw,width=60,height=80,pixel-aspect-ratio=1/1'
! pkg-config --atleast-version=1.28 gstreamer-1.0 || loses='videoflip video-direction=180'
# Word splitting makes the arguments of a launch line.
# shellcheck disable=SC2086
{
  check 'Got EOS' $source ! rdpsegment ! fakesink
  check 'Got EOS' $source ! rdpsegment name=s s.overlay ! queue ! videoconvert ! fakesink s.src ! queue ! fakesink
  check 'Got EOS' $source ! rdpsegment output=reconstruct median=3x3 column-width=3 domain=inverse threads=2 ! rdpmetaconvert ! fakesink
  check 'Got EOS' $source ! tee name=t t. ! queue ! rdpsegment ! fakesink t. ! queue ! rdpsegment output=reconstruct ! fakesink
  check 'Got EOS' $source ! rdpsegment ! videoscale ! video/x-raw,width=60 ! queue max-size-buffers=40 ! fakesink
  check 'backend=cuda is not available\|Got EOS' $source ! rdpsegment backend=cuda ! fakesink
  check 'Got EOS' $source ! rdpsegment ! rdpmetaconvert points=true ! fakesink
  check 'Got EOS' $source ! rdpsegment classify=true ! rdpmetaconvert format=ply ! fakesink
  check 'camera is lost' $source ! rdpsegment ! $loses ! rdpmetaconvert points=true ! fakesink
  check 'neither segments nor planes' $source ! rdpmetaconvert ! fakesink
  check 'overlay pad does not accept' $source ! rdpsegment name=s s.overlay ! video/x-raw,width=7 ! fakesink s.src ! queue ! fakesink
  check 'needs a GstVideoMeta' $source ! capssetter caps=video/x-raw,width=121 ! rdpsegment ! fakesink
  check 'Got EOS' $source ! depthplanes name=p p.overlay ! queue ! videoconvert ! fakesink p.src ! queue ! fakesink
  check 'Got EOS' $source ! depthplanes output=labels threads=2 ! rdpmetaconvert ! fakesink
  check 'Got EOS' $source ! depthpoints ! depthplanes ! rdpmetaconvert ! fakesink
  check 'distorts\|cannot be searched' $source ! depthplanes focal-length=1 ! fakesink
  check 'Failed after iterations' $source ! rdpsegment ! identity error-after=5 ! fakesink
  colour='videotestsrc num-buffers=12 ! video/x-raw,format=I420,width=160,height=120,framerate=30/1'
  check 'Got EOS' rdpoverlay name=o ! fakesink $source ! rdpsegment ! o.segments $colour ! o.video
  check 'Got EOS' rdpoverlay name=o style=classes ! fakesink $source ! rdpsegment ! queue ! o.segments $colour ! queue ! o.video
  check 'Failed after iterations' rdpoverlay name=o ! identity error-after=5 ! fakesink $source ! rdpsegment ! o.segments $colour ! o.video
  check 'carries no segments' rdpoverlay name=o ! fakesink $source ! o.segments $colour ! o.video
}

# Where there is a driver, if only the stand-in.
# shellcheck disable=SC2086
if gst-inspect-1.0 depthupload >"$log" 2>&1; then
  cuda='video/x-raw(memory:CUDAMemory)'
  check 'Got EOS' $source ! rdpsegment backend=cuda output=reconstruct name=s s.overlay ! queue ! $cuda ! fakesink s.src ! queue ! rdpmetaconvert ! fakesink
  check 'Got EOS' $source ! depthupload ! rdpsegment name=s s.overlay ! queue ! videoconvert ! fakesink s.src ! queue ! fakesink
  check 'Got EOS' $source ! depthupload ! rdpsegment ! rdpsegment output=reconstruct ! depthdownload ! rdpmetaconvert ! fakesink
  check 'Got EOS' $source ! tee name=t t. ! queue ! rdpsegment ! fakesink t. ! queue ! depthupload ! rdpsegment ! fakesink
  check 'Failed after iterations' $source ! depthupload ! rdpsegment ! identity error-after=5 ! fakesink
  export STANDIN_FAIL=cuLaunchKernel:3:719
  check 'The GPU engine failed\|Got EOS' $source ! depthupload ! rdpsegment ! fakesink
  unset STANDIN_FAIL
fi
exit $failed
