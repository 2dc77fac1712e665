// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_RDP_GROUND_H_
#define RDP_COMMON_RDP_GROUND_H_

#include <cstdint>
#include <span>

#include "common/rdp/ground_plane.h"
#include "common/rdp/parameters.h"
#include "common/rdp/segment_class.h"
#include "common/rdp/segment_list.h"

namespace rdp {

// The ground that a frame of `height` rows shows, from its segments.
//
// Each column has a vote: its lowest segment that is at least a sixteenth of the frame high, if
// that rises by twice the tolerance. Votes weigh as much as their segments have rows. The slope is
// rules.ground_slope if above 0, else the weighted median of the votes' slopes, to 1/2048. In
// the latter case there is no ground if fewer than a sixteenth of the columns vote. A line with
// that slope through the lower end of a segment reaches 0 in some row (from -16384 to 49151). The
// horizon is the weighted median of these rows, to half a row, over the votes whose slopes
// is_level() accepts. So a minority of columns may show anything else.
Ground find_ground(const SegmentArrays& segments, int height, const ClassRules& rules);

// The rules for the user's properties.
ClassRules class_rules(const Parameters& parameters);

// The line of a plane in the middle column of a frame of `width` columns.
Ground middle_line(const GroundPlane& plane, int width);

// Writes the class of each segment to `classes`, in the order of segments.segments().
void classify_segments(const SegmentArrays& segments, const Ground& ground, const ClassRules& rules,
                       std::uint8_t* classes);
// The same for a ground known as a plane; columns are `column_width` pixels of a frame of `width`.
void classify_segments(const SegmentArrays& segments, const GroundPlane& plane,
                       const ClassRules& rules, int column_width, int width, std::uint8_t* classes);

}  // namespace rdp

#endif  // RDP_COMMON_RDP_GROUND_H_
