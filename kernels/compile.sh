#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Runs the compiler and keeps what it says, which is the kernels' use of registers and memory:
#   compile.sh REPORT NVCC ARGUMENT...
set -eu
report=$1
shift
"$@" >"$report" 2>&1 || {
  cat "$report" >&2
  rm -f "$report"
  exit 1
}
