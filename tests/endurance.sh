#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
set -euo pipefail
. "$(dirname "$0")/../examples/common.sh"

usage() {
  cat <<END
Usage: tests/endurance.sh [cpu] [gpu]

Runs the elements for long and prints a table of what was done, what was lost or wrong, and what it
took: a million frames of changing size, layout, content and properties through each of eight
elements, 64 elements at the same time, and pipelines that are started and stopped side by side.
Without arguments: cpu, which takes about half an hour. gpu needs a CUDA device.

Environment:
  BUILD       the build directory (build-endurance)
  PROGRAMS    a directory with the programs "endurance" and "conformance": nothing is built
              then. GST_PLUGIN_PATH has to name the folder of libgstrdpsegment.so
  OUT         where the whole reports go (the build directory, or . with PROGRAMS)
  SETUP_ARGS  more arguments for "meson setup", e.g. -Dgpu_architectures=90
  PERCENT     how much of it is to be done (100); less than 20 says nothing of what grows
END
}

kinds=()
for argument in "$@"; do
  case $argument in
    -h | --help)
      usage
      exit 0
      ;;
    cpu | gpu) kinds+=("$argument") ;;
    *) usage_error "unknown argument $argument" ;;
  esac
done
[ "${#kinds[@]}" -gt 0 ] || kinds=(cpu)
percent=${PERCENT:-100}
whole_number PERCENT "$percent" 20

if [ -n "${PROGRAMS:-}" ]; then
  program=$PROGRAMS/endurance
  conformance=$PROGRAMS/conformance
  out=${OUT:-.}
else
  install_packages build run
  meson=$(meson_command)
  build=${BUILD:-$RDP_ROOT/build-endurance}
  [[ $build = /* ]] || build=$PWD/$build
  read -ra setup_args <<<"${SETUP_ARGS:-}"
  options=(-Dtests=enabled -Dintrospection=disabled -Dbenchmarks=disabled --buildtype=release)
  case " ${kinds[*]} " in
    *' gpu '*) options+=(-Dcuda=enabled) ;;
  esac
  [ ! -f "$build/build.ninja" ] || options+=(--reconfigure)
  "$meson" setup "${options[@]}" "${setup_args[@]}" "$build" "$RDP_ROOT" </dev/null
  "$meson" compile -C "$build" gstrdpsegment endurance conformance </dev/null
  program=$build/tests/endurance/endurance
  conformance=$build/tests/conformance/conformance
  out=${OUT:-$build}
  export GST_PLUGIN_PATH=$build/gst/elements GST_REGISTRY=$build/endurance-registry.bin
fi
[ -x "$program" ] || die "there is no program $program"
mkdir -p "$out"

status=0
number=0
rows=()
# run N OPTION...: with as much of N frames, or pipelines, as was asked for.
run() {
  local frames=$(($1 * percent / 100)) result=0 log
  shift
  number=$((number + 1))
  log=$out/endurance-$number.txt
  say "endurance $* --frames=$frames"
  "$program" "$@" "--frames=$frames" >"$log" 2>&1 || result=$?
  cat "$log"
  case $result in
    0) ;;
    77) ;;
    *) status=1 ;;
  esac
  rows+=("$(tail -n 1 "$log")")
}

# endure cpu|gpu N ELEMENT...: the same of other elements, whose rows are in tests/conformance.
endure() {
  local on=$1 frames=$(($2 * percent / 100)) element log
  local environment=(CK_RUN_CASE=endurance CK_FORK=no "FRAMES=$frames"
    GLIBC_TUNABLES=glibc.malloc.tcache_count=0:glibc.malloc.arena_max=1)
  [ "$on" = cpu ] || environment+=(RDP_ON_GPU=1)
  shift 2
  for element in "$@"; do
    number=$((number + 1))
    log=$out/endurance-$number.txt
    say "conformance: $element, $frames frames, $on"
    env "${environment[@]}" "ELEMENT=$element" "$conformance" >"$log" 2>&1 || status=1
    cat "$log"
    mapfile -t -O "${#rows[@]}" rows < <(grep '^| ' "$log")
  done
}

for kind in "${kinds[@]}"; do
  case $kind in
    cpu)
      run 1000000 stream
      run 50000 stream --threads=4
      run 300000 many --elements=64 --pipelines=8
      run 10000 restart
      endure cpu 1000000 depthfilter depthobstacles depthplanes depthpoints depthrvldec depthrvlenc depthstereo heightmap klttrack rdpmotion rdpoverlay
      ;;
    gpu)
      run 1000000 stream --backend=cuda --memory=cuda --check-every=20
      run 1000000 stream --backend=cuda --check-every=20
      run 1000000 stream --backend=cuda --memory=nvmm --check-every=20
      endure gpu 1000000 depthobstacles depthplanes depthpoints depthstereo heightmap klttrack rdpoverlay
      run 300000 many --elements=64 --pipelines=8 --backend=cuda --memory=cuda --check-every=5
      run 100000 many --elements=64 --pipelines=8 --backend=cuda --share-context --check-every=5
      run 4000 restart --backend=cuda --memory=cuda --share-context
      run 4000 restart --backend=cuda --share-context
      run 200 restart --backend=cuda --memory=cuda
      run 200 restart --backend=cuda
      ;;
  esac
done

say ""
say "| what | how often | lost, wrong or left behind | resident memory, both halves | GPU memory, both halves | time of a frame (restart: of a pipeline), second and last tenth | took |"
say "|---|---|---|---|---|---|---|"
printf '%s\n' "${rows[@]}"
exit "$status"
