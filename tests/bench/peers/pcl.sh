#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Builds PCL's organised segmentation for planes_bench: pcl.sh PREFIX OUTPUT.so [-DRDP_PCL_DEGREES=N].
# PREFIX is /usr where libpcl-dev is installed, or a folder that its packages were unpacked into.
set -eu
features=$(find "${1:-}/include" -maxdepth 1 -name 'pcl-*' 2>/dev/null | head -n 1)
if [ $# -lt 2 ] || [ -z "$features" ]; then
  echo "usage: $0 PREFIX-OF-PCL OUTPUT.so [-DRDP_PCL_DEGREES=N]" >&2
  exit 2
fi
root=$(cd "$(dirname "$0")/../../.." && pwd)
prefix=$(cd "$1" && pwd)
output=$2
shift 2
library=$(find "$prefix/lib" -name 'libpcl_segmentation.so' | head -n 1)
folder=$(dirname "$library")
# No -march=native: Eigen's alignment has to be that of PCL's packages.
# shellcheck disable=SC2046
"${CXX:-g++}" -std=c++17 -O3 -w -shared -fPIC "$@" -I"$root" -I"$features" -I"$prefix/include" \
  $(pkg-config --cflags eigen3) "$root/tests/bench/peers/pcl.cpp" -o "$output" \
  -L"$folder" -Wl,-rpath,"$folder" -Wl,--disable-new-dtags \
  -lpcl_segmentation -lpcl_features -lpcl_search -lpcl_kdtree -lpcl_common
