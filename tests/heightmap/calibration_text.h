// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_HEIGHTMAP_CALIBRATION_TEXT_H_
#define RDP_TESTS_HEIGHTMAP_CALIBRATION_TEXT_H_

#include <glib.h>

#include <string>
#include <vector>

#include "common/heightmap/rig.h"

namespace rdp::test {

// A calibration file of the views: JSON with their sizes and matrices.
inline std::string calibration_text(const std::vector<heightmap::View>& views) {
  std::string sizes;
  std::string matrices;
  for (const heightmap::View& view : views) {
    const char* comma = sizes.empty() ? "" : ", ";
    sizes += std::string(comma) + "[" + std::to_string(view.width) + ", " +
             std::to_string(view.height) + "]";
    matrices += comma + std::string("[");
    for (int row = 0; row < 3; ++row) {
      matrices += row == 0 ? "[" : ", [";
      for (int column = 0; column < 4; ++column) {
        gchar number[G_ASCII_DTOSTR_BUF_SIZE];
        g_ascii_dtostr(number, sizeof number, view.projection[row][column]);
        matrices += (column == 0 ? "" : ", ") + std::string(number);
      }
      matrices += "]";
    }
    matrices += "]";
  }
  return "{\"size\": [" + sizes + "], \"projection\": [" + matrices + "]}";
}

}  // namespace rdp::test

#endif  // RDP_TESTS_HEIGHTMAP_CALIBRATION_TEXT_H_
