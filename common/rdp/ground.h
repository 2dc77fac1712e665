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
// the weighted median of the segments' slopes, to 1/2048, unless the rules have one; there is none
// where fewer than a sixteenth of the columns vote. The horizon is the weighted median, to half a
// row, of the rows in which a line with that slope through the lower end of a segment reaches 0
// (from -16384 to 49151), over those votes whose slopes is_level() takes. So a minority of columns
// may show anything else.
Ground find_ground(const SegmentArrays& segments, int height, const ClassRules& rules);

// The rules that the user's properties make.
ClassRules class_rules(const Parameters& parameters);

// The line that a plane is in the middle of a frame of `width` columns.
Ground middle_line(const GroundPlane& plane, int width);

// The class of each segment, in the order of segments.segments(): as many as there are.
void classify_segments(const SegmentArrays& segments, const Ground& ground, const ClassRules& rules,
                       std::uint8_t* classes);
// The same against a ground that is known as a plane; columns are `column_width` pixels of a frame
// of `width`.
void classify_segments(const SegmentArrays& segments, const GroundPlane& plane,
                       const ClassRules& rules, int column_width, int width, std::uint8_t* classes);

}  // namespace rdp

#endif  // RDP_COMMON_RDP_GROUND_H_
