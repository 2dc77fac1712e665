// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_DEPTHFILTER_FILTERED_H_
#define RDP_TESTS_DEPTHFILTER_FILTERED_H_

#include "common/filter/reference.h"
#include "tests/support/frames.h"

namespace filter_rig {

// The reference's result for a frame; `state` carries the previous frames.
inline frames::Content filtered(const frames::Content& in,
                                const rdp::filter::Parameters& parameters,
                                rdp::filter::reference::State* state, rdp::filter::Counts* counts) {
  const auto frame = rdp::filter::reference::filter(in.view(), parameters, state, counts);
  frames::Content out({in.shape.format, in.shape.width / parameters.decimation,
                       in.shape.height / parameters.decimation});
  for (int row = 0; row < out.shape.height; ++row) {
    for (int column = 0; column < out.shape.width; ++column) {
      out.view().set(row, column, frame.at(row, column));
    }
  }
  return out;
}

}  // namespace filter_rig

#endif  // RDP_TESTS_DEPTHFILTER_FILTERED_H_
