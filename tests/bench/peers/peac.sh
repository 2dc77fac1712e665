#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Builds PEAC for planes_bench: peac.sh CHECKOUT OUTPUT.so [-DRDP_PEAC_…=N]..., of
# https://github.com/ai4ce/peac (research use only). It needs libeigen3-dev and libopencv-dev.
set -eu
if [ $# -lt 2 ] || [ ! -f "$1/include/AHCPlaneFitter.hpp" ]; then
  echo "usage: $0 CHECKOUT-OF-PEAC OUTPUT.so [-DRDP_PEAC_SUPPORT=N] [-DRDP_PEAC_BLOCK=N] [-DRDP_PEAC_TOLERANCE=MM]" >&2
  exit 2
fi
root=$(cd "$(dirname "$0")/../../.." && pwd)
checkout=$1
output=$2
shift 2
# -w, as its warnings are not ours.
# shellcheck disable=SC2046
"${CXX:-g++}" -std=c++17 -O3 -march=native -DNDEBUG -w -shared -fPIC "$@" \
  -I"$root" -I"$checkout/include" $(pkg-config --cflags opencv4 eigen3) \
  "$root/tests/bench/peers/peac.cpp" -o "$output" $(pkg-config --libs opencv4)
