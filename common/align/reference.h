// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_ALIGN_REFERENCE_H_
#define RDP_COMMON_ALIGN_REFERENCE_H_

#include <cstdint>
#include <vector>

#include "common/align/parameters.h"
#include "common/align/picture.h"
#include "common/image/depth_view.h"
#include "common/image/rgba_view.h"

// The definition of depthalign: plain scalar code that is meant to be read. Everything faster gives
// these bits. Nothing here is used while streaming.
namespace rdp::align::reference {

// Depth in the target's view, 0 unknown.
//
// A pixel of the source is a small square at its depth Z, facing the source. Its sample in the
// target is the depth of its centre along the target's axis. It covers the target's pixels whose
// centres are in the rectangle around its projected corners, grown by 1/16 px. These are the upper
// left and the lower right one, or all four if the target sees the source rolled. The nearest
// sample counts. A pixel is left out if
// - the sample has no depth, or none in the target's view;
// - the lens's model has no ray for its centre or one of these corners, or the target's has no
//   pixel for it;
// - a corner is projected farther than 65536 px away, or it covers more than 64 columns or rows.
//
// Then cracks are filled (`fill_cracks`): without_crack() of common/align/rules.h, from the
// samples before it.
Counts align(const DepthView& depth, const Parameters& parameters, const MutableDepthView& aligned);

// The target's pixel that shows the centre of each pixel of the depth: row * width + column.
// kNowhere where the pixel has no sample in the target or its centre is not in the target's frame.
// kHidden where `aligned`, made by align(), is nearer there by more than the tolerance.
constexpr std::int32_t kNowhere = -1;
constexpr std::int32_t kHidden = -2;
std::vector<std::int32_t> find_pixels(const DepthView& depth, const Parameters& parameters,
                                      const DepthView& aligned);

// The colours of these pixels, opaque; where there is none, all four bytes are 0.
void colour(const DepthView& depth, const Parameters& parameters, const DepthView& aligned,
            const Picture& picture, const RgbaView& out);

}  // namespace rdp::align::reference

#endif  // RDP_COMMON_ALIGN_REFERENCE_H_
