#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# Runs the example's program on pipelines without DeepStream's elements: every buffer in front of
# "osd" is a batch of one frame, by the stand-in.
# Usage: example.sh PROGRAM
set -u
# In a cross build Meson says what emulates the machine that the program is for.
read -ra program <<<"${MESON_EXE_WRAPPER:-}"
program+=("$1")
log=$(mktemp)
trap 'rm -f "$log"' EXIT
failed=0

# check STATUS WORDS SIZE ARGUMENT...: the program ends with this status, and prints these words (an
# extended regular expression). SIZE is that of the frames behind nvstreammux, or - without it.
check() {
  local status=$1 wanted=$2 size=$3 got=0
  shift 3
  if [ "$size" = - ]; then unset NVDS_STANDIN_SIZE; else export NVDS_STANDIN_SIZE=$size; fi
  G_DEBUG=fatal-criticals timeout 60 "${program[@]}" "$@" >"$log" 2>&1 || got=$?
  if [ "$got" -ne "$status" ] || ! grep -qE "$wanted" "$log"; then
    echo "FAILED: status $got (not $status), or without '$wanted': $*"
    cat "$log"
    failed=1
  else
    echo "done: $(tail -n 1 "$log")"
  fi
}

depth='depthtestsrc num-buffers=12 ! video/x-raw,width=64,height=48,framerate=30/1'
colour='videotestsrc num-buffers=12 ! video/x-raw,width=64,height=48,framerate=30/1'
# The depth branch is the slower one, so that frames in colour have to wait.
both="$depth ! identity sleep-time=4000 ! rdpsegment name=segment ! queue ! fakesink
  $colour ! identity name=osd ! queue ! fakesink"
all='12 depth frames, 12 colour frames, 12 with segments'

# Word splitting would do no harm either: the program joins its arguments.
check 0 "^$all, [1-9][0-9]+ lines\$" 640x480 --patience=5000 "$both"
check 0 "^$all, [1-9][0-9]+ lines\$" 640x480 --patience=5000 --columns=1 --line-width=2 "$both"
# The last frame's segments, read behind osd.
check 0 '^source 0, 0:00:00.366666666: depth frame 11, 64x48, [1-9][0-9]* segments$' 640x480 \
  --patience=5000 --print "$both"
# Half the rate in depth: with no tolerance, every other frame finds its own.
check 0 '12 colour frames, 6 with segments' 640x480 --tolerance=0 --patience=5000 \
  "$depth ! videorate ! video/x-raw,framerate=15/1 ! rdpsegment name=segment ! fakesink
  $colour ! identity name=osd ! fakesink"
check 0 '12 colour frames, (11|12) with segments' 640x480 --tolerance=40 --patience=5000 \
  "$depth ! videorate ! video/x-raw,framerate=15/1 ! rdpsegment name=segment ! fakesink
  $colour ! identity name=osd ! fakesink"

check 1 'nvstreammux must be in front of osd' - "$both"
check 1 '0 colour frames, 0 with segments' 640x480 --source=1 "$both"
check 1 'No colour frame has the time of a depth frame' 640x480 --patience=10 \
  "$depth ! rdpsegment name=segment ! fakesink
  videotestsrc num-buffers=3 timestamp-offset=5000000000 ! identity name=osd ! fakesink"
check 1 'Failed after iterations' 640x480 "$both $depth ! identity error-after=3 ! fakesink"
check 1 'No element of the pipeline has the name segment' 640x480 "$depth ! rdpsegment ! fakesink"
check 1 'No element of the pipeline has the name osd' 640x480 "$depth ! rdpsegment name=segment ! fakesink"
check 1 'has no pad src' 640x480 --print "$depth ! rdpsegment name=segment ! fakesink name=osd"
check 1 'The pipeline cannot be made' 640x480 'depthtestsrc ! nosuchelement'
check 1 'it is a single element' 640x480 'fakesink'
check 2 'There is no PIPELINE' 640x480
check 2 'columns is at least 1' 640x480 --columns=0 "$both"
exit $failed
