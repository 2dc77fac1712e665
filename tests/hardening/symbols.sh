#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# What the metadata library exports: functions of C whose names start with gst_, and nothing else. A
# name of C++ among them would tie programs to one compiler and its standard library.
# Usage: symbols.sh NM LIBRARY
set -euo pipefail
nm=$1 library=$2

names=$("$nm" -D --defined-only --no-demangle "$library" | awk '{ print $NF }')
count=$(grep -c '^gst_' <<<"$names" || true)
others=$(grep -v '^gst_[a-z0-9_]*$' <<<"$names" || true)
if [ -n "$others" ]; then
  echo "FAILED: $library exports what is no function of C that starts with gst_:"
  echo "$others"
  exit 1
fi
# The public functions alone are more than this.
if [ "$count" -lt 25 ]; then
  echo "FAILED: $library exports only $count functions"
  exit 1
fi
echo "done: $count functions"
