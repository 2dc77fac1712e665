#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
set -euo pipefail
cd "$(dirname "$0")/.."

usage() {
  cat <<END
Usage: tests/format.sh [--check]

Formats all C and C++ files as .clang-format says, with clang-format 14 (Debian 12's; other versions
differ in details). --check changes nothing and fails where something would change. Where shellcheck
is installed, the scripts are checked, too.
END
}

mode=-i
case ${1:-} in
  '') ;;
  --check) mode=--dry-run ;;
  -h | --help)
    usage
    exit 0
    ;;
  *)
    usage >&2
    exit 2
    ;;
esac

formatter=
for candidate in clang-format-14 clang-format; do
  if command -v "$candidate" >/dev/null && "$candidate" --version | grep -q 'version 14\.'; then
    formatter=$candidate
    break
  fi
done
if [ -z "$formatter" ]; then
  echo "tests/format.sh: clang-format 14 is missing (Debian 12: clang-format)" >&2
  exit 1
fi

git ls-files -z --cached --others --exclude-standard -- '*.cpp' '*.cu' '*.cuh' '*.h' '*.c' |
  xargs -0 -r "$formatter" "$mode" --Werror
if command -v shellcheck >/dev/null; then
  git ls-files -z --cached --others --exclude-standard -- '*.sh' .ci/run | xargs -0 -r shellcheck
fi
