#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
set -euo pipefail
. "$(dirname "$0")/../examples/common.sh"

usage() {
  cat <<END
Usage: tests/nightly.sh [STEP...]

The long tables that tests/run.sh leaves out, in a build directory of its own that has the benchmarks,
too. Runs all steps or those named, and prints a table of what passed. It takes some hours.
  suite       the suite "nightly": kernels without what newer GPUs have, all endurance runs, a short
              run of each benchmark and the accuracy that is recorded
  faults      the fault tests at ten times their length, with all cases
  kills       1,000 processes that record MCAP are killed
  exactness   all frames and parameters against the oracle
  fuzz        every harness for FUZZ_SECONDS

Environment:
  BUILD         the build directory (build-nightly)
  SETUP_ARGS    more arguments for "meson setup"
  FUZZ_SECONDS  for each harness (225, an hour for all)
END
}

steps=()
for argument in "$@"; do
  case $argument in
    -h | --help)
      usage
      exit 0
      ;;
    suite | faults | kills | exactness | fuzz) steps+=("$argument") ;;
    *) usage_error "unknown argument $argument" ;;
  esac
done
[ "${#steps[@]}" -gt 0 ] || steps=(suite faults kills exactness fuzz)
seconds=${FUZZ_SECONDS:-225}
whole_number FUZZ_SECONDS "$seconds" 1

build=${BUILD:-$RDP_ROOT/build-nightly}
[[ $build = /* ]] || build=$PWD/$build
groups=(build run test)
if command -v nvcc >/dev/null || [ -x /usr/local/cuda/bin/nvcc ]; then groups+=(cuda); fi
install_packages "${groups[@]}"
meson=$(meson_command)
read -ra setup_args <<<"${SETUP_ARGS:-}"
options=(-Dtests=enabled -Dintrospection=enabled -Dexamples=enabled -Dbenchmarks=enabled)
if [ -f "$build/build.ninja" ]; then options=(--reconfigure "${options[@]}"); fi
"$meson" setup "${options[@]}" "${setup_args[@]}" "$build" "$RDP_ROOT" </dev/null
"$meson" compile -C "$build" </dev/null

# suite_of NAME VARIABLE=VALUE... -- ARGUMENT...: runs tests, and leaves the line that counts them.
suite_of() {
  local name=$1 environment=() status=0
  shift
  while [ "$1" != -- ]; do
    environment+=("$1")
    shift
  done
  shift
  env "${environment[@]}" "$meson" test -C "$build" --no-rebuild --print-errorlogs \
    --timeout-multiplier 20 --logbase "$name" "$@" </dev/null || status=$?
  line=$("$(python_with json xml)" "$RDP_ROOT/tests/summarize.py" "$build" "$name") || status=1
  return "$status"
}

table=()
result=0
for step in "${steps[@]}"; do
  start=$SECONDS
  line=
  status=passed
  case $step in
    suite) suite_of suite -- --suite nightly || status=failed ;;
    faults)
      suite_of faults RDPSEGMENT_FAULTS=10 -- --suite check --suite standin || status=failed
      ;;
    kills)
      suite_of kills KILLS=1000 GST_CHECKS=test_kill CK_TIMEOUT_MULTIPLIER=10 -- check_mcap ||
        status=failed
      ;;
    exactness)
      suite_of exactness EXACTNESS=all -- exactness-random exactness-degenerate \
        exactness-recorded || status=failed
      ;;
    fuzz) "$RDP_ROOT/tests/fuzz.sh" "$seconds" </dev/null || status=failed ;;
  esac
  [ "$status" = passed ] || result=1
  table+=("| $step | $status | ${line:--} | $((SECONDS - start)) |")
done
say "| step | result | cases | seconds |"
say "|---|---|---|---|"
printf '%s\n' "${table[@]}"
exit "$result"
