// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_RDPOVERLAY_PLANES_LOOK_H_
#define RDP_GST_ELEMENTS_RDPOVERLAY_PLANES_LOOK_H_

#include <gst/rdpsegment/rdpsegment.h>

#include <string>

#include "common/planes/pictures/marks.h"

namespace rdp::gst {

// Looks at a frame's planes, whose labels are on the host, to draw them on a picture of this size.
// Both are of one camera, as far as that is known. `set` is memory that is used again. False:
// *reason says what is different. Throws std::bad_alloc.
bool look_at_planes(GstBuffer* frame, const GstRdpPlanesMeta* meta, GstBuffer* picture, int width,
                    int height, planes::PlaneSet* set, planes::PlaneMarks* marks,
                    std::string* reason);

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_RDPOVERLAY_PLANES_LOOK_H_
