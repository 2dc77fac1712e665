#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# Fails where a macro is given the text of a std::string that may be gone when the macro reads it:
#  - gst-check's fail_unless_equals_string; fail_unless_equals_text (tests/support/check_text.h) is
#    for those;
#  - g_str_has_prefix and g_str_has_suffix, which are functions in GLib 2.74, macros in 2.84: they
#    keep the pointer in a variable of a statement of its own. starts_with and ends_with are for those.
set -euo pipefail
tests=$(cd "$(dirname "$0")/.." && pwd)
example=$(mktemp -d)
trap 'rm -rf "$example"' EXIT
status=0

# found PATTERN [FILE...]: whole calls, over several lines too.
found() {
  local pattern=$1
  shift
  grep -rPzo --include='*.cpp' --include='*.h' --exclude=check_text.h "\n[^\n]*${pattern}[^;]*;" "$@" |
    tr '\0' '\n' | grep . || true
}

# check PATTERN REMEDY EXAMPLE
check() {
  local places
  printf '\n  %b;\n' "$3" >"$example/example.cpp"
  [ -n "$(found "$1" "$example")" ] || {
    echo "the old way is not found where it is: $3"
    exit 1
  }
  places=$(found "$1" "$tests" "$tests/../gst" "$tests/../examples")
  [ -z "$places" ] || {
    printf 'use %s in place of:\n%s\n' "$2" "$places"
    status=1
  }
}

check 'fail_unless_equals_string ?\([^;]*c_str ?\(\)' fail_unless_equals_text \
  'fail_unless_equals_string (\n      text ().c_str (), "")'
# The first argument alone, with the parentheses in it.
check 'g_str_has_(?:prefix|suffix) ?\((?:[^,;()]|(\((?:[^()]|(?1))*\)))*c_str ?\(\)' \
  'starts_with or ends_with' 'return g_str_has_suffix (\n      text (1, 2).c_str (), "x")'
exit $status
