#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
set -euo pipefail
. "$(dirname "$0")/../examples/common.sh"

usage() {
  cat <<END
Usage: tests/sanitize.sh address|thread [TEST...]

Builds everything, or what the named tests need, with sanitizers in a build directory of its own
(build-address, build-thread, or \$BUILD) and runs all tests or those named. Any report fails the test it
comes from.
  address  AddressSanitizer with leaks, and UndefinedBehaviorSanitizer
  thread   ThreadSanitizer
What is suppressed, and why, stands in tests/sanitize/*.supp.
END
}

kind=${1:-}
case $kind in
  address | thread) shift ;;
  -h | --help)
    usage
    exit 0
    ;;
  *) usage_error "say which: address or thread" ;;
esac

meson=$(meson_command)
build=${BUILD:-$RDP_ROOT/build-$kind}
[[ $build = /* ]] || build=$PWD/$build
suppressions=$RDP_ROOT/tests/sanitize
read -ra setup_args <<<"${SETUP_ARGS:-}"

# Without introspection: the scanner runs programs that it links without the sanitizer.
options=(-Dtests=enabled -Dexamples=enabled -Dintrospection=disabled -Dbenchmarks=disabled
  -Db_lundef=false --buildtype=debugoptimized)
case $kind in
  address) options+=("-Db_sanitize=address,undefined") runtime=libasan.so multiplier=4 ;;
  thread) options+=(-Db_sanitize=thread) runtime=libtsan.so multiplier=10 ;;
esac
[ ! -f "$build/build.ninja" ] || options+=(--reconfigure)
"$meson" setup "${options[@]}" "${setup_args[@]}" "$build" "$RDP_ROOT" </dev/null
# programs_of TEST...: what these tests depend on, as targets of ninja.
programs_of() {
  "$(python_with json)" - "$build" "$@" <<'END'
import json, os, sys
build, *names = sys.argv[1:]
targets, tests = (json.load(open(f"{build}/meson-info/intro-{kind}.json")) for kind in ("targets", "tests"))
files = {target["id"]: target["filename"] for target in targets}
missing = set(names) - {test["name"] for test in tests}
if missing:
    sys.exit(f"there is no test {' '.join(sorted(missing))}")
needed = {file for test in tests if test["name"] in names for target in test["depends"] for file in files[target]}
print(*sorted(os.path.relpath(file, build) for file in needed), sep="\n")
END
}
programs=()
if [ $# -gt 0 ]; then
  found=$(programs_of "$@")
  # And the plugin, which the registries below are made of, whatever these tests depend on.
  mapfile -t programs <<<"$found"$'\n'gst/elements/libgstrdpsegment.so
fi
ninja -C "$build" "${programs[@]}" </dev/null
# With libstdc++, where the runtime looks for the throwing of exceptions as soon as it is loaded.
preload="$(c++ -print-file-name="$runtime") $(c++ -print-file-name=libstdc++.so.6)"
annotations=
if [ "$kind" = thread ]; then
  annotations=$build/glib_sync.so
  # Linked to what it stands in front of, so that this is there wherever it is loaded.
  read -ra flags < <(pkg-config --cflags --libs gstreamer-1.0)
  cc -O1 -g -fPIC -shared "$suppressions/glib_sync.c" -o "$annotations" -Wl,--no-as-needed \
    "${flags[@]}"
  preload+=" $annotations"
fi

# For programs without a sanitizer that tests start.
export SANITIZER_RUNTIME=$preload
# Every block that GLib hands out is one of malloc's, which a sanitizer can watch.
export G_SLICE=always-malloc
# What tests wait for takes longer, too.
export CK_TIMEOUT_MULTIPLIER=$multiplier
export UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1
export LSAN_OPTIONS=suppressions=$suppressions/leak.supp:print_suppressions=0
# Leaks inside GLib can only be told apart by whole stacks, hence no fast unwinding there.
# Uses after return are not looked for: the frames that the runtime keeps for that are not aligned to 64
# bytes, as what fills a vector of AVX-512 is (mended in 2025). An allocation of any size may fail, as
# without a sanitizer.
ASAN_OPTIONS=exitcode=99:strict_string_checks=1:detect_stack_use_after_return=0
export ASAN_OPTIONS=$ASAN_OPTIONS:allocator_may_return_null=1
leaks=detect_leaks=1:fast_unwind_on_malloc=0
# Libraries that are not instrumented are not looked into, only what they are called with.
TSAN_OPTIONS=suppressions=$suppressions/thread.supp:halt_on_error=1:exitcode=99
export TSAN_OPTIONS=$TSAN_OPTIONS:second_deadlock_stack=1:ignore_noninstrumented_modules=1
# Readers of damaged files ask for more than there is, and take the null.
export TSAN_OPTIONS=$TSAN_OPTIONS:allocator_may_return_null=1

# GStreamer's plugin scanner is a program of its own that is not instrumented and cannot load an
# instrumented plugin: the registries are made here, by a program with the runtime in front. Each of
# those that tests have: who scans all of the system's plugins has their leaks.
export GST_REGISTRY_FORK=no
"$meson" introspect "$build" --tests | ASAN_OPTIONS=$ASAN_OPTIONS:detect_leaks=0 "$(python_with json)" -c '
import json, os, subprocess, sys
registries = {}
for test in json.load(sys.stdin):
    if "GST_REGISTRY" in test["env"]:
        registries.setdefault(test["env"]["GST_REGISTRY"], test["env"])
for registry, env in registries.items():
    if os.path.exists(registry):
        os.remove(registry)
    feature = "rdpsegment" if env.get("GST_PLUGIN_PATH") else "fakesink"
    subprocess.run(["gst-inspect-1.0", feature], stdout=subprocess.DEVNULL, check=True,
                   env={**os.environ, "LD_PRELOAD": sys.argv[1], **env})' "$preload"

# tests own|other [TEST...]: the programs of this build, or the scripts and what they run; without
# names, of a change.
tests() {
  "$meson" introspect "$build" --tests | "$(python_with json)" -c '
import json, sys
build, which = sys.argv[1:3]
for test in json.load(sys.stdin):
    if sys.argv[3:] == [] and any(suite.endswith(":nightly") for suite in test["suite"]):
        continue
    if test["cmd"][0].startswith(build + "/") == (which == "own"):
        print(test["name"])' "$build" "$@"
}

rm -f "$build"/meson-logs/testlog*.json "$build"/meson-logs/testlog*.junit.xml
status=0
# run LOG_NAME ARGUMENT...
run() {
  local name=$1
  shift
  "$meson" test -C "$build" --no-rebuild --print-errorlogs --timeout-multiplier "$multiplier" \
    --setup=all --logbase "$name" "$@" </dev/null || status=$?
  "$(python_with json xml)" "$RDP_ROOT/tests/summarize.py" "$build" "$name-all" || status=1
}

if [ $# -gt 0 ]; then
  chosen=("$@")
  wanted() { printf '%s\n' "${chosen[@]}" | grep -qxF "$1"; }
else
  wanted() { true; }
fi
own=() other=()
while read -r name; do ! wanted "$name" || own+=("$name"); done < <(tests own "$@")
while read -r name; do ! wanted "$name" || other+=("$name"); done < <(tests other "$@")
if [ "${#own[@]}" -gt 0 ]; then
  say "Programs of this build"
  ASAN_OPTIONS=$ASAN_OPTIONS:$leaks LD_PRELOAD=$annotations run own "${own[@]}"
fi
if [ "${#other[@]}" -gt 0 ]; then
  # gst-launch-1.0 and python3 are not instrumented: the plugin that they load needs the runtime to
  # be there first. What they themselves leave behind is no leak of ours.
  say "Scripts and pipelines"
  ASAN_OPTIONS=$ASAN_OPTIONS:detect_leaks=0 LD_PRELOAD=$preload run other "${other[@]}"
fi
exit "$status"
