// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_SCENE_TREE_CROWN_H_
#define RDP_COMMON_SCENE_TREE_CROWN_H_

namespace rdp {

// The crown of a tree, as the left camera sees it: a disc of the radius `half` px about (centre,
// middle_row), whose disparity is `rim` at its outline and grows towards the middle of each column.
// With t and v the column and the row from the middle, in radii, and s = sqrt(1 - t^2),
//
//   disparity (t, v) = rim * (1 + bulge * (s - |v|) / (1 - bulge * s))
//
// That is the only shape that it has: a camera elsewhere sees this same surface, and what the left
// one does not see of it is not there.
struct TreeCrown {
  double centre;  // of the disc of the rim's disparity, in the columns of the camera that looks
  double middle_row;
  double half;
  double rim;
  double bulge;  // radius / distance

  // The disparity in this pixel for a camera to the right of the left one, or 0 if it does not see
  // the crown.
  double seen_from_right(double column, double row) const;
};

}  // namespace rdp

#endif  // RDP_COMMON_SCENE_TREE_CROWN_H_
