#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# Looks into the plugin and the metadata library, as they were built and as they are installed: what
# an attacker could build upon is not there.
# Usage: hardening.sh READELF BUILD SOURCE stack-protector|none FILE...
# Of -fcf-protection nothing is seen: the note needs a C library that was built with it, which
# Debian's was not.
set -euo pipefail
readelf=$1 build=$2 source=$3 protector=$4
shift 4
. "$source/examples/common.sh"

failed=0
complain() {
  say "FAILED: $*"
  failed=1
}

# has FILE READELF_OPTION PATTERN
has() { "$readelf" --wide "$2" "$1" 2>/dev/null | grep -E -- "$3" >/dev/null; }

check() {
  local file=$1
  has "$file" --file-header 'Type: +DYN' || complain "$file is no shared object"
  has "$file" --segments '^ *GNU_RELRO ' || complain "$file: relocations stay writable (no GNU_RELRO)"
  has "$file" --dynamic '\((FLAGS|FLAGS_1)\).*(BIND_NOW|NOW)' ||
    complain "$file: symbols are looked up when they are first used (no BIND_NOW)"
  has "$file" --segments '^ *GNU_STACK ' || complain "$file does not say that its stack is data"
  ! has "$file" --segments '^ *GNU_STACK .* R?WE ' || complain "$file wants an executable stack"
  ! has "$file" --segments '^ *LOAD .* RWE ' || complain "$file has code that can be written to"
  ! has "$file" --dynamic '\(TEXTREL\)' || complain "$file relocates code (TEXTREL)"
  if [ "$protector" = stack-protector ]; then
    has "$file" --dyn-syms ' UND __stack_chk_fail' || complain "$file has no stack protector"
  fi
}

for file in "$@"; do check "$file"; done

# The build's libraries find each other by a path of this machine, installed ones must not.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
DESTDIR=$folder "$(meson_command)" install -C "$build" --no-rebuild --quiet </dev/null
count=0
while IFS= read -r -d '' file; do
  count=$((count + 1))
  check "$file"
  ! has "$file" --dynamic '\((RPATH|RUNPATH)\)' ||
    complain "${file#"$folder"} is looked for by a path of the build (RPATH)"
done < <(find "$folder" -type f -name '*.so*' -print0)
[ "$count" -ge 2 ] || complain "only $count libraries are installed"

[ "$failed" = 1 ] || say "done: $# libraries as built, $count as installed"
exit "$failed"
