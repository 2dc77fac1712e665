// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_RDP_REFIT_H_
#define RDP_COMMON_RDP_REFIT_H_

#include <cstdint>

#include "common/rdp/parameters.h"
#include "common/rdp/segment_list.h"
#include "common/rdp/split_columns.h"

namespace rdp {

// Bit-identical to reference::refit(), in place: moves the cuts between the segments of a run and
// refits their lines. `samples` are the run's known samples, `segments` cover all of them. Linear
// in both; allocates nothing. Reads up to kPackedSlack samples past the last one.
void refit(const PackedSample* samples, std::uint32_t sample_count, const SegmentRules& rules,
           Segment* segments, std::uint32_t segment_count);

}  // namespace rdp

#endif  // RDP_COMMON_RDP_REFIT_H_
