#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# Which files the elements open and which connections they make, from loading the plugin to the end
# of the stream, as the kernel is asked for them: shared libraries, and what a property names. What
# GStreamer opens without them is left out.
# Usage: opened.sh SOURCE
set -euo pipefail
. "$1/examples/common.sh"

command -v strace >/dev/null || {
  say "there is no strace (Debian: strace)"
  exit 77
}
strace -o /dev/null true 2>/dev/null || {
  say "strace may not look at programs here"
  exit 77
}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

# look LOG COMMAND...: writes what was asked of the kernel, by all threads and children.
look() {
  local log=$1
  shift
  strace -f -qq -s 4096 -e signal=none -o "$log" \
    -e trace=open,openat,openat2,creat,unlink,unlinkat,rename,renameat,renameat2,mkdir,mkdirat,truncate,link,linkat,symlink,symlinkat,socket,connect,bind,execve \
    "$@" >"$log.out" 2>&1 || {
    cat "$log.out"
    die "this fails under strace: $*"
  }
}

# What was found or made: a name that led nowhere is one that the loader has tried.
files_of() {
  { grep -E '(open|openat|openat2|creat|unlink|unlinkat|rename|renameat|renameat2|mkdir|mkdirat|truncate|link|linkat|symlink|symlinkat)\(' "$1" |
    grep -vE '= -1 (ENOENT|ENOTDIR)' | grep -oE '"[^"]*"' | tr -d '"' | sort -u; } || true
}
connections_of() { grep -E '(socket|connect|bind)\(' "$1" || true; }
# The first is the command itself.
programs_of() { grep -E 'execve\(' "$1" | grep -v ENOENT | tail -n +2 || true; }

# unexpected LOG ALLOWED: what neither GStreamer alone opens nor anybody has been told of.
unexpected() {
  local log=$1 allowed=$2
  files_of "$log" | comm -23 - base.files |
    # The loader's: libraries, and what it and they read to find each other. libselinux, which GIO
    # is linked to, looks at /proc/filesystems when it is loaded.
    { grep -vE '\.so(\.[0-9]+)*$|^/etc/ld\.so|^/proc/filesystems$' || true; } |
    { grep -vxF -e "$allowed" || true; }
  connections_of "$log" | sed 's/^[0-9]* *//' | sort -u | comm -23 - base.connections
  programs_of "$log"
}

# A registry of its own, which nobody else brings up to date, is made first, so that no run opens all
# plugins there are.
export GST_REGISTRY=$folder/registry.bin
gst-inspect-1.0 rdpsegment >/dev/null
look base gst-launch-1.0 videotestsrc num-buffers=20 ! video/x-raw,format=GRAY8 ! tee name=t \
  t. ! queue ! filesink location=base.raw t. ! queue ! fakesink
files_of base >base.files
connections_of base | sed 's/^[0-9]* *//' | sort -u >base.connections

# That it sees what it looks for.
look canary1 gst-launch-1.0 depthtestsrc num-buffers=1 ! rdpsegment ! filesink location=undeclared
[ "$(unexpected canary1 none)" = undeclared ] || die "a file that nobody was told of was not noticed"
look canary2 bash -c 'exec 3<>/dev/udp/127.0.0.1/9'
unexpected canary2 none | grep -q 'socket(' || die "a connection was not noticed"

failed=0
count=0
# expect FILE PIPELINE: opens nothing but the file that a property names.
expect() {
  local file=$1 found
  shift
  look run gst-launch-1.0 "$@"
  found=$(unexpected run "$file")
  count=$((count + 1))
  [ -z "$found" ] && return 0
  say "FAILED: gst-launch-1.0 $*" "opens or connects to:" "$found"
  failed=1
}
# Each as much as fits into one pipeline; is-live spreads the frames over time.
expect segments.jsonl depthtestsrc num-buffers=20 ! rdpsegment name=s threads=3 median=3x3 \
  output=reconstruct s.src ! rdpmetaconvert ! filesink location=segments.jsonl \
  s.overlay ! queue ! fakesink
expect none depthtestsrc is-live=true num-buffers=10 domain=depth noise=0.2 unknown-ratio=0.1 ! \
  video/x-raw,format=GRAY8,width=200,height=100 ! rdpsegment domain=inverse merge=true \
  column-width=3 max-gap=9 backend=cpu ! fakesink
expect none depthtestsrc num-buffers=5 ! rdpsegment ! rdpsegment epsilon=9 ! fakesink
[ "$failed" = 1 ] || say "done: $count pipelines open libraries, and what their properties name"
exit "$failed"
