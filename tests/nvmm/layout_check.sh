#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# Usage: layout_check.sh SOURCE_ROOT COMPILER...
# Compiles layout_check.cpp against each nvbufsurface.h there is, and nvds_layout_check.cpp against
# each gstnvdsmeta.h beside one: in the folders where JetPack and DeepStream install them, and in
# those that RDPSEGMENT_NVMM_HEADERS names, separated by colons.
set -u
root=$1
shift
folders=(
  /usr/src/jetson_multimedia_api/include
  /opt/nvidia/deepstream/deepstream/sources/includes
)
IFS=: read -ra named <<<"${RDPSEGMENT_NVMM_HEADERS-}"
found=0 failed=0
for folder in "${folders[@]}" "${named[@]}"; do
  header=$folder/nvbufsurface.h
  if [ ! -f "$header" ]; then
    for one in "${named[@]}"; do
      [ "$one" != "$folder" ] || { echo "FAILED: there is no $header" && failed=1; }
    done
    continue
  fi
  found=$((found + 1))
  defines=()
  for format in GRAY8_ER GRAY16_LE; do
    ! grep -q "NVBUF_COLOR_FORMAT_$format\b" "$header" || defines+=("-DHAVE_$format")
  done
  if "$@" -std=c++20 -fsyntax-only "${defines[@]}" -isystem "$folder" -I "$root" \
    "$root/tests/nvmm/layout_check.cpp"; then
    echo "agrees: $header ${defines[*]}"
  else
    echo "FAILED: $header differs from gst/memory/nvmm_layout.h: see above"
    failed=1
  fi
  [ -f "$folder/gstnvdsmeta.h" ] || continue
  read -ra flags < <(pkg-config --cflags gstreamer-video-1.0 gmodule-2.0)
  if "$@" -std=c++20 -fsyntax-only -isystem "$folder" -I "$root" "${flags[@]}" \
    "$root/tests/nvmm/nvds_layout_check.cpp"; then
    echo "agrees: $folder/gstnvdsmeta.h"
  else
    echo "FAILED: $folder/gstnvdsmeta.h differs from gst/memory/nvds_layout.h: see above"
    failed=1
  fi
done
[ "$failed" = 0 ] || exit 1
[ "$found" -gt 0 ] || {
  echo "skipped: there is no nvbufsurface.h; RDPSEGMENT_NVMM_HEADERS names folders that have it"
  exit 77
}
