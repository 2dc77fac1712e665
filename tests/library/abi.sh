#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# Compares the interface of the metadata library with what programs were built against: functions and
# the types that they take, as debugging information tells them. What is not there any more fails, in
# a patch release every other change, too.
# Usage: abi.sh LIBRARY BASELINE VERSION HEADER...
#   RECORD=1  writes BASELINE anew: after functions were added, or fields out of what was reserved.
#             debian/*.symbols gets new functions, too
set -euo pipefail
library=$1 baseline=$2 version=$3
shift 3

skip() {
  echo "$*"
  exit 77
}
command -v abidiff >/dev/null || skip "there is no abidiff (Debian: abigail-tools)"
help=$(abidiff --help 2>&1 || true)
[[ $help == *--exported-interfaces-only* ]] || skip "this abidiff cannot look at exported functions alone: 2.2 can"

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# Types that no public header has are nobody's business, and neither are the functions by which the
# plugin fills what the library holds: both come from one build.
mkdir "$folder/headers"
cp -- "$@" "$folder/headers"
cat >"$folder/private" <<'END'
[suppress_function]
symbol_name_regexp = ^gst_rdp_[a-z]+_blank_(new|fill|free)$
drop = yes
END
options=(--suppressions "$folder/private" --drop-private-types --exported-interfaces-only)

if [ "${RECORD:-0}" = 1 ]; then
  abidw "${options[@]}" --headers-dir "$folder/headers" --no-show-locs --no-corpus-path \
    --no-comp-dir-path --no-elf-needed --no-architecture --type-id-style hash \
    --out-file "$baseline" "$library"
  echo "recorded: $baseline"
  exit 0
fi

status=0
abidiff "${options[@]}" --headers-dir2 "$folder/headers" --no-architecture "$baseline" "$library" || status=$?
# Bits: 1 and 2 abidiff failed, 4 something is different, 8 programs would not run.
if [ $((status & 3)) -ne 0 ]; then
  echo "FAILED: abidiff could not compare (exit status $status)"
  exit 1
elif [ $((status & 8)) -ne 0 ]; then
  echo "FAILED: programs that were built against an earlier version do not run with this library (above)." \
    "Put back what they use, or give the library another soversion and record its interface: RECORD=1"
  exit 1
elif [ "$status" -ne 0 ] && [ "${version##*.}" != 0 ]; then
  echo "FAILED: $version is a patch release, and its interface is another one (above)"
  exit 1
fi
# Without debugging information abidiff looks at names alone, and says nothing of it.
echo "done: every function of $(basename "$baseline") is in the library"
