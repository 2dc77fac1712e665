// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/stereo/speckles.h"

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace rdp::stereo {
namespace {

struct Row {
  int operator()(int column) const {
    std::uint16_t value;
    std::memcpy(&value, samples + 2 * static_cast<std::ptrdiff_t>(column), sizeof value);
    return value;
  }
  const std::byte* samples;
};

struct Picture {
  Row row(int number) const { return {disparity.row(number)}; }
  bool is_known(int value) const { return value != 0; }
  void erase(int number, int first, int end) const {
    std::memset(disparity.row(number) + 2 * static_cast<std::ptrdiff_t>(first), 0,
                2 * static_cast<std::size_t>(end - first));
  }
  MutableDepthView disparity;
};

}  // namespace

void remove_speckles(const MutableDepthView& disparity, int size, int range,
                     SpeckleScratch* scratch) {
  remove_small_components(Picture{disparity}, disparity.width, disparity.height, size, range,
                          scratch);
}

}  // namespace rdp::stereo
