// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_FILTER_REFERENCE_H_
#define RDP_COMMON_FILTER_REFERENCE_H_

#include <cstdint>
#include <vector>

#include "common/filter/parameters.h"
#include "common/image/depth_view.h"
#include "common/image/reference.h"

// The definition of depthfilter's steps: plain scalar code in integers that is meant to be read.
// Everything faster gives these bits. Nothing here is used while streaming.
//
// Samples of 0 and pixels outside the frame are unknown. A step reads the result of the previous
// one, never its own output. tau(v) is tolerance_of() of common/filter/rules.h.
namespace rdp::filter::reference {

using rdp::reference::Frame;

// A sample outside `known` becomes unknown.
Frame range(const DepthView& in, const KnownRange& known);

// Flying pixels become unknown: samples v between two flat sides, with fewer than 3 like ones among
// their 8 neighbours.
// - Like: differs from v by at most tau(v).
// - Sides: a, b, both known, r = 1 or 2 pixels away in opposite directions.
// - Between: v differs from both by more than tau(v).
// - Flat: the next pixel outwards, if known, differs from the side by at most |a - b| / 4r.
Frame flying(const Frame& in, const Tolerance& tolerance);

// Components of fewer than `size` pixels become unknown. Two neighbours, side by side or one below
// the other, belong to one if they differ by at most tau of the smaller one.
Frame speckles(const Frame& in, int size, const Tolerance& tolerance);

// Blocks of side x side pixels become one: their lower median of known samples, or unknown if fewer
// than a quarter is known. Columns and rows that fill no block are dropped.
Frame decimate(const Frame& in, int side);

// Means along rows, then along columns of that result; halves round up. A mean is of v and of pairs
// of samples a, b at distances 1 to `radius` before and behind it. A pair counts if both are known
// and |a + b - 2v| <= tau(v). Neither may differ from v by more than 4 tau(v).
Frame smooth(const Frame& in, int radius, const Tolerance& tolerance);

// The state of the temporal step, by pixel. The upper 24 bits are 256 * the mean. The lower 8 are
// the history: bit 0 says whether the pixel was known in the previous frame. Empty: no frame yet.
struct State {
  std::vector<std::uint32_t> pixels;
};

// Means over frames. A sample c agrees with its mean if they differ by at most tau(c), else it has
// moved, and starts a new mean. So does one whose neighbourhood of 7x7 drifts in one direction.
// Unknown pixels become their mean if `persistence` allows it and nothing moved in their 3x3.
Frame temporal(const Frame& in, const Parameters& parameters, State* state);

// Unknown pixels are filled with filled() of common/filter/rules.h, from the first known samples
// to the left, right, above and below, at most `hole_size` away.
Frame fill(const Frame& in, const Parameters& parameters);

// All steps. The caller clears the state where the stream or the parameters change.
Frame filter(const DepthView& in, const Parameters& parameters, State* state, Counts* counts);

}  // namespace rdp::filter::reference

#endif  // RDP_COMMON_FILTER_REFERENCE_H_
