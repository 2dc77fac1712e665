#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Builds CAPE for planes_bench: cape.sh CHECKOUT OUTPUT.so [-DRDP_CAPE_CELL=N], of https://github.com/pedropro/CAPE. It
# needs libeigen3-dev and libopencv-dev.
set -eu
if [ $# -lt 2 ] || [ ! -f "$1/CAPE/CAPE.cpp" ]; then
  echo "usage: $0 CHECKOUT-OF-CAPE OUTPUT.so [-DRDP_CAPE_CELL=N]" >&2
  exit 2
fi
root=$(cd "$(dirname "$0")/../../.." && pwd)
checkout=$1
output=$2
shift 2
# CAPE's headers use names of std:: without saying so; -w, as its warnings are not ours.
# shellcheck disable=SC2046
"${CXX:-g++}" -std=c++17 -O3 -march=native -w -shared -fPIC "$@" \
  -I"$root" -I"$checkout/CAPE" $(pkg-config --cflags opencv4 eigen3) \
  "$root/tests/bench/peers/cape.cpp" "$checkout/CAPE/CAPE.cpp" "$checkout/CAPE/PlaneSeg.cpp" \
  "$checkout/CAPE/CylinderSeg.cpp" "$checkout/CAPE/Histogram.cpp" -o "$output" \
  $(pkg-config --libs opencv4)
