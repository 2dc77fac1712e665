// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_KLT_REFERENCE_WINDOW_H_
#define RDP_COMMON_KLT_REFERENCE_WINDOW_H_

#include <vector>

#include "common/klt/reference.h"

// Samples of windows, for the files of the reference.
namespace rdp::klt::reference {

// The compared samples of the template, row by row.
struct Window {
  std::vector<int> intensity;
  std::vector<int> gx;
  std::vector<int> gy;
  Place start;  // 1/128 px
  TemplateSums sums{};
};

// The intensity at a place in 1/128 px, 32 times the grey level.
int intensity(const Level& level, int x, int y);

// The window of this side around a place, fixed.
Window template_at(const Level& level, Place centre, int side);

}  // namespace rdp::klt::reference

#endif  // RDP_COMMON_KLT_REFERENCE_WINDOW_H_
