#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# What the metadata library and the plugin show: the library's functions of C, which start with gst_,
# and the plugin's entry, nothing else. A name of C++ among them would tie programs to one compiler and
# its standard library. Built with a C++ runtime of their own they also take none of another's: a program
# may have two unwinders.
# Usage: symbols.sh NM own|shared LIBRARY PLUGIN
set -euo pipefail
nm=$1 runtime=$2 library=$3 plugin=$4

failed=0
# check FILE NAMES LEAST: all that the file exports, and how many of them there are at least.
check() {
  local file=$1 names count others
  names=$("$nm" -D --defined-only --no-demangle "$file" | awk '{ print $NF }')
  count=$(grep -cE "^$2\$" <<<"$names" || true)
  others=$(grep -vE "^$2\$" <<<"$names" || true)
  if [ -n "$others" ]; then
    echo "FAILED: $file exports what is no function of C named $2:"
    echo "$others"
    failed=1
  elif [ "$count" -lt "$3" ]; then
    echo "FAILED: $file exports only $count functions named $2"
    failed=1
  fi
  echo "$file: $count functions"
  [ "$runtime" = own ] || return 0
  # The C library itself calls destructors.
  others=$("$nm" -D --undefined-only --no-demangle "$file" | awk '{ print $NF }' |
    grep -E '^(_Unwind_|__gxx_|__cxa_|_Z(N?K?S|T[ISV]|n[wa]|d[la]))' |
    grep -vE '^__cxa_(atexit|finalize|thread_atexit_impl)@?' || true)
  if [ -n "$others" ]; then
    echo "FAILED: $file takes C++'s runtime from elsewhere, where there may be two unwinders:"
    echo "$others"
    failed=1
  fi
}

# The public functions alone are more than 25.
check "$library" 'gst_[a-z0-9_]*' 25
check "$plugin" 'gst_plugin_[a-z0-9_]*' 2
exit "$failed"
