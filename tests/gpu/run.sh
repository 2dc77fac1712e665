#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
set -euo pipefail
. "$(dirname "$0")/../../examples/common.sh"

usage() {
  cat <<END
Usage: tests/gpu/run.sh [test] [sanitize[=TOOL]] [bench]

For machines with a CUDA device. Builds with the GPU engine, then does what it is told; without
arguments: test and sanitize.
  test      the tests that need a device
  sanitize  the programs of these tests under compute-sanitizer: memcheck, racecheck, initcheck and
            synccheck, or the one that is named; with a part of the cases
  bench     gpu_bench; leaves gpu_bench.csv and gpu_bench.svg in the build directory. Then, where
            they are built, overhead gpu, gpu_kernels and gpu_streams; PROGRAMS is to have
            libgstrdpsegment.so for that, or GST_PLUGIN_PATH to say where it is. tests/bench/gpu_tables.py
            makes the files tests/bench/results/gpu-*.csv of all that
Environment:
  BUILD                the build directory (build-gpu)
  PROGRAMS             a directory with the built programs: nothing is built then, and "test" runs
                       all test_gpu_* there. For devices on machines that cannot build.
  OUT                  where reports and results go (the build directory, or . with PROGRAMS)
  SETUP_ARGS           more arguments for "meson setup", e.g. -Dgpu_architectures=90
  BENCH_ARGS           arguments of gpu_bench, e.g. --quick
  RDP_GPU_TEST_SCALE   the part of the cases to test (1; under compute-sanitizer 0.01)
  RDPSEGMENT_TEST_DATA a directory with recorded frames, if there is one
END
}

tools=(memcheck racecheck initcheck synccheck)
steps=()
for argument in "$@"; do
  case $argument in
    -h | --help)
      usage
      exit 0
      ;;
    test | bench | sanitize) steps+=("$argument") ;;
    sanitize=*)
      tools=("${argument#*=}")
      steps+=(sanitize)
      ;;
    *) usage_error "unknown argument $argument" ;;
  esac
done
[ "${#steps[@]}" -gt 0 ] || steps=(test sanitize)

if [ -n "${PROGRAMS:-}" ]; then
  directory=$PROGRAMS
  bench=$PROGRAMS/gpu_bench
  out=${OUT:-.}
else
  install_packages build run test cuda
  meson=$(meson_command)
  build=${BUILD:-$RDP_ROOT/build-gpu}
  [[ $build = /* ]] || build=$PWD/$build
  read -ra setup_args <<<"${SETUP_ARGS:-}"
  options=(-Dcuda=enabled -Dtests=enabled -Dbenchmarks=enabled --buildtype=release)
  [ ! -f "$build/build.ninja" ] || options+=(--reconfigure)
  "$meson" setup "${options[@]}" "${setup_args[@]}" "$build" "$RDP_ROOT" </dev/null
  "$meson" compile -C "$build" </dev/null
  directory=$build/tests/gpu
  bench=$build/tests/bench/gpu_bench
  out=${OUT:-$build}
fi
mkdir -p "$out"
programs=()
for program in "$directory"/test_gpu "$directory"/test_gpu_* "$directory"/../bits/test_gpu_*; do
  if [ -f "$program" ] && [ -x "$program" ]; then programs+=("$program"); fi
done
[ "${#programs[@]}" -gt 0 ] || die "there is no test_gpu_* in $directory"

run_tests() {
  if [ -z "${PROGRAMS:-}" ]; then
    "$meson" test -C "$build" --no-rebuild --print-errorlogs --suite gpu </dev/null
    return
  fi
  local program status failed=0
  for program in "${programs[@]}"; do
    status=0
    "$program" >"$out/${program##*/}.log" 2>&1 || status=$?
    case $status in
      0) say "ok    ${program##*/}: $(grep -c '^\[       OK' "$out/${program##*/}.log") tests" ;;
      77) say "skip  ${program##*/}: $(tail -n 1 "$out/${program##*/}.log")" ;;
      *)
        say "FAIL  ${program##*/} (status $status)"
        tail -n 60 "$out/${program##*/}.log"
        failed=1
        ;;
    esac
  done
  return "$failed"
}

run_sanitizers() {
  local sanitizer program tool log status failed=0
  sanitizer=$(command -v compute-sanitizer || true)
  [ -n "$sanitizer" ] || sanitizer=/usr/local/cuda/bin/compute-sanitizer
  [ -x "$sanitizer" ] || die "compute-sanitizer is missing (it comes with the CUDA toolkit)"
  # Guard bytes would be memory that belongs to somebody: the tool looks for accesses to any.
  export RDP_GPU_TEST_GUARDS=0
  export RDP_GPU_TEST_SCALE=${RDP_GPU_TEST_SCALE:-0.01}
  # Nor is there anything to see in what the CPU does beside it.
  export GTEST_FILTER=${GTEST_FILTER:--*.Host*}
  for tool in "${tools[@]}"; do
    for program in "${programs[@]}"; do
      log=$out/${program##*/}.$tool.log
      status=0
      "$sanitizer" --tool "$tool" --error-exitcode 99 "$program" >"$log" 2>&1 || status=$?
      case $status in
        0) say "clean  $tool ${program##*/}: $(grep -E 'ERROR SUMMARY|RACECHECK SUMMARY' "$log" | tail -n 1)" ;;
        77) say "skip   $tool ${program##*/}" ;;
        *)
          say "FAIL   $tool ${program##*/} (status $status)"
          grep -E '^=========|FAILED|Failure' "$log" | head -n 60
          failed=1
          ;;
      esac
    done
  done
  return "$failed"
}

run_bench() {
  read -ra bench_args <<<"${BENCH_ARGS:-}"
  "$bench" --csv "$out/gpu_bench.csv" "${bench_args[@]}" | tee "$out/gpu_bench.txt"
  "$RDP_ROOT/tests/bench/plot_gpu.py" "$out/gpu_bench.csv" "$out/gpu_bench.svg" ||
    warn "no picture: see above"
  local program words
  for program in "overhead gpu" gpu_kernels gpu_streams; do
    read -ra words <<<"$program"
    [ -x "${bench%/*}/${words[0]}" ] || continue
    GST_PLUGIN_PATH=${GST_PLUGIN_PATH:-${PROGRAMS:-${build:-}/gst/elements}} \
      GST_REGISTRY=$out/registry.bin "${bench%/*}/${words[0]}" "${words[@]:1}" | tee "$out/${words[0]}.txt"
  done
}

status=0
for step in "${steps[@]}"; do
  case $step in
    test) run_tests || status=1 ;;
    sanitize) run_sanitizers || status=1 ;;
    bench) run_bench || status=1 ;;
  esac
done
exit "$status"
