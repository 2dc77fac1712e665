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
// This is its only surface: other cameras see the same one, and parts invisible to the left camera
// do not exist.
struct TreeCrown {
  double centre;  // of the disc at the disparity of the rim, in this camera's columns
  double middle_row;
  double half;
  double rim;
  double bulge;  // radius / distance

  // The disparity of this pixel for a camera to the right of the left one; 0 if the pixel does not
  // show the crown.
  double seen_from_right(double column, double row) const;
};

}  // namespace rdp

#endif  // RDP_COMMON_SCENE_TREE_CROWN_H_
