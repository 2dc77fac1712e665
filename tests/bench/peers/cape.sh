#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Builds CAPE for planes_bench: cape.sh CHECKOUT OUTPUT.so, of https://github.com/pedropro/CAPE. It
# needs libeigen3-dev and libopencv-dev.
set -eu
if [ $# -ne 2 ] || [ ! -f "$1/CAPE/CAPE.cpp" ]; then
  echo "usage: $0 CHECKOUT-OF-CAPE OUTPUT.so" >&2
  exit 2
fi
root=$(cd "$(dirname "$0")/../../.." && pwd)
# CAPE's headers use names of std:: without saying so; -w, as its warnings are not ours.
# shellcheck disable=SC2046
"${CXX:-g++}" -std=c++17 -O3 -march=native -w -shared -fPIC \
  -I"$root" -I"$1/CAPE" $(pkg-config --cflags opencv4 eigen3) \
  "$root/tests/bench/peers/cape.cpp" "$1/CAPE/CAPE.cpp" "$1/CAPE/PlaneSeg.cpp" \
  "$1/CAPE/CylinderSeg.cpp" "$1/CAPE/Histogram.cpp" -o "$2" \
  $(pkg-config --libs opencv4)
