#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Builds deplex for planes_bench: deplex.sh CHECKOUT OUTPUT.so [-DRDP_DEPLEX_ICL], of
# https://github.com/prime-slam/deplex. It needs libeigen3-dev.
set -eu
if [ $# -lt 2 ] || [ ! -f "$1/cpp/deplex/include/deplex/plane_extractor.h" ]; then
  echo "usage: $0 CHECKOUT-OF-DEPLEX OUTPUT.so [-DRDP_DEPLEX_ICL]" >&2
  exit 2
fi
root=$(cd "$(dirname "$0")/../../.." && pwd)
checkout=$(cd "$1" && pwd)
source=$checkout/cpp/deplex
libs=$checkout/libs
output=$2
shift 2
objects=$(mktemp -d)
trap 'rm -r "$objects"' EXIT
(cd "$objects" && "${CC:-gcc}" -O3 -march=native -w -fPIC -c -I"$libs/dsyev/include" "$libs"/dsyev/src/*.c)
# shellcheck disable=SC2046
"${CXX:-g++}" -std=c++17 -O3 -march=native -DNDEBUG -w -shared -fPIC "$@" \
  -I"$root" -I"$source/include" -I"$libs/dsyev/include" -I"$libs/rtl/include" $(pkg-config --cflags eigen3) \
  "$root/tests/bench/peers/deplex.cpp" "$source"/src/deplex/cell_*.cpp "$source/src/deplex/config.cpp" \
  "$source/src/deplex/normals_histogram.cpp" "$source/src/deplex/plane_extractor.cpp" \
  "$objects"/*.o -o "$output"
