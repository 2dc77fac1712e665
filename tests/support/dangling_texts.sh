#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# Fails where a test gives gst-check's fail_unless_equals_string the text of a std::string, which may
# be gone when it is compared: fail_unless_equals_text (tests/support/check_text.h) is for those.
set -euo pipefail
tests=$(cd "$(dirname "$0")/.." && pwd)

# found [FILE...]: whole calls, over several lines too.
found() {
  grep -rPzo --include='*.cpp' --include='*.h' --exclude=check_text.h \
    '\n[^\n]*fail_unless_equals_string ?\([^;]*c_str ?\(\)[^;]*;' "$@" | tr '\0' '\n' | grep . || true
}

example=$(mktemp -d)
trap 'rm -rf "$example"' EXIT
printf '\n  fail_unless_equals_string (\n      text ().c_str (), "");\n' >"$example/example.cpp"
[ -n "$(found "$example")" ] || {
  echo "the old way is not found where it is"
  exit 1
}
places=$(found "$tests")
[ -z "$places" ] || {
  echo "use fail_unless_equals_text in place of:"
  printf '%s\n' "$places"
  exit 1
}
