#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
set -euo pipefail
. "$(dirname "$0")/../examples/common.sh"

usage() {
  cat <<END
Usage: tests/fuzz.sh [SECONDS] [TARGET...]

Feeds the harnesses of tests/fuzz, or those named, with what libFuzzer makes of their seeds, each for
SECONDS (60), one after the other, with the address and undefined-behaviour sanitizers. Installs
clang where it is missing, and builds into a directory of its own. Prints a line for each:
  TARGET: N runs, N edges covered, N inputs kept
What is kept goes to a folder outside of the repository, and is where the next run starts. A finding
ends the harness, its input is named, and the exit status is 1.

To see a finding again, with any build: BUILD/tests/fuzz/fuzz_TARGET FILE

Environment:
  BUILD   the build directory (build-fuzzing)
  CORPUS  where the inputs are kept (~/.cache/rdpsegment-fuzz)
END
}

case ${1:-} in
  -h | --help)
    usage
    exit 0
    ;;
  -*) usage_error "unknown option $1" ;;
esac
seconds=60
if [[ ${1:-} =~ ^[0-9]+$ ]]; then
  whole_number SECONDS "$1" 1
  seconds=$1
  shift
fi
targets=("$@")
if [ "${#targets[@]}" -eq 0 ]; then
  for folder in "$RDP_ROOT"/tests/fuzz/seeds/*/; do targets+=("$(basename "$folder")"); done
fi
for target in "${targets[@]}"; do
  [ -d "$RDP_ROOT/tests/fuzz/seeds/$target" ] || usage_error "there is no target $target"
done

install_packages build fuzz
meson=$(meson_command)
build=${BUILD:-$RDP_ROOT/build-fuzzing}
[[ $build = /* ]] || build=$PWD/$build
corpus=${CORPUS:-${XDG_CACHE_HOME:-$HOME/.cache}/rdpsegment-fuzz}

# What libFuzzer counts is compiled in everywhere, the plugin included. FORTIFY_SOURCE hides calls
# from the address sanitizer.
options=(-Dfuzzing=true "-Db_sanitize=address,undefined" -Db_lundef=false -Doptimization=1 -Ddebug=true
  "-Dcpp_args=-fsanitize=fuzzer-no-link,float-cast-overflow -fno-sanitize-recover=all"
  -Dhardening=false -Dcuda=disabled -Ddeepstream=disabled -Dintrospection=disabled
  -Dexamples=disabled -Dbenchmarks=disabled -Dtests=auto)
[ ! -f "$build/build.ninja" ] || options+=(--reconfigure)
CC=${CC:-clang} CXX=${CXX:-clang++} "$meson" setup "${options[@]}" "$build" "$RDP_ROOT" </dev/null
ninja=("$meson" compile -C "$build" gstrdpsegment)
for target in "${targets[@]}"; do ninja+=("fuzz_$target"); done
"${ninja[@]}" </dev/null

# Only this build's plugin, in a registry of its own, without a scanner that is not instrumented.
export GST_PLUGIN_PATH=$build/gst/elements GST_PLUGIN_SYSTEM_PATH='' GST_REGISTRY_FORK=no
export GST_REGISTRY=$build/tests/fuzz/registry.bin
export G_SLICE=always-malloc
export ASAN_OPTIONS=detect_stack_use_after_return=1:strict_string_checks=1
export UBSAN_OPTIONS=print_stacktrace=1
export LSAN_OPTIONS=suppressions=$RDP_ROOT/tests/sanitize/leak.supp:print_suppressions=0
status=0
for target in "${targets[@]}"; do
  folder=$corpus/$target
  log=$corpus/$target.log
  mkdir -p "$folder"
  if ! "$build/tests/fuzz/fuzz_$target" -max_total_time="$seconds" -max_len=1024 -len_control=0 \
    -timeout=30 -rss_limit_mb=4096 -malloc_limit_mb=1024 -print_final_stats=1 \
    -artifact_prefix="$corpus/$target-" "$folder" "$RDP_ROOT/tests/fuzz/seeds/$target" \
    >"$log" 2>&1; then
    status=1
    warn "$target: a finding; all of it is in $log"
    grep -E 'does not hold|ERROR:|runtime error|SUMMARY|Test unit written' "$log" >&2 || true
  fi
  runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
  edges=$(sed -n 's/.* cov: \([0-9]*\).*/\1/p' "$log" | tail -n 1)
  kept=$(find "$folder" -type f | wc -l)
  say "$target: ${runs:-0} runs, ${edges:-0} edges covered, $kept inputs kept"
done
exit "$status"
