#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
set -euo pipefail
. "$(dirname "$0")/../examples/common.sh"

usage() {
  cat <<END
Usage: tests/run.sh [TEST...]

Installs the Debian packages that building and testing need and that are missing (with apt-get, as
root or through sudo; those of CUDA memory only where nvcc is found), builds, and runs all tests or
those named. Ends with the line
  N passed, N failed, N skipped
and fails if a test failed or none ran.

Environment:
  BUILD       the build directory (build)
  SETUP_ARGS  more arguments for "meson setup"
  GPU_ARCHITECTURES
              "all": compiles the kernels for all GPUs, as a release does, in the place of the oldest
              and the H100's in a new build directory
  TEST_ARGS   more arguments for "meson test", e.g. --timeout-multiplier=4
  JOBS        tests at a time (twice the processors: many of them wait)

What takes long is in tests/nightly.sh.
END
}
case ${1:-} in
  -h | --help)
    usage
    exit 0
    ;;
  -*) usage_error "unknown option $1" ;;
esac

# CUDA memory is built and tested wherever there is a toolkit, over the stand-in driver at least.
groups=(build run test)
if command -v nvcc >/dev/null || [ -x /usr/local/cuda/bin/nvcc ]; then groups+=(cuda); fi
install_packages "${groups[@]}"
meson=$(meson_command)
build=${BUILD:-$RDP_ROOT/build}
[[ $build = /* ]] || build=$PWD/$build
read -ra setup_args <<<"${SETUP_ARGS:-}"
read -ra test_args <<<"${TEST_ARGS:-}"
jobs=${JOBS:-$((2 * $(nproc)))}
whole_number JOBS "$jobs" 1

# enabled, so that a part that cannot be built is an error here and not a test that nobody misses.
options=(-Dtests=enabled -Dintrospection=enabled -Dexamples=enabled)
if [ -f "$build/build.ninja" ]; then
  options=(--reconfigure "${options[@]}")
else
  # Nobody debugs what is built to be tested once: debugging information takes a quarter of the
  # compiler's time, and machine code for each GPU as long as for any other.
  options+=(-Ddebug=false)
  if [ "${GPU_ARCHITECTURES:-}" != all ]; then
    options+=('-Dgpu_architectures=75,90')
  fi
fi
"$meson" setup "${options[@]}" "${setup_args[@]}" "$build" "$RDP_ROOT" </dev/null
"$meson" compile -C "$build" </dev/null

# What an earlier run left must not be counted in place of this one.
rm -f "$build"/meson-logs/testlog*.json "$build"/meson-logs/testlog*.junit.xml
log=testlog
if [ $# -gt 0 ]; then
  test_args+=(--setup=all)
  log=testlog-all # as Meson calls it then
fi
status=0
"$meson" test -C "$build" --no-rebuild --print-errorlogs --num-processes "$jobs" \
  "${test_args[@]}" "$@" </dev/null || status=$?
"$(python_with json xml)" "$RDP_ROOT/tests/summarize.py" "$build" "$log" || status=1
exit "$status"
