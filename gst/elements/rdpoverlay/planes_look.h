// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_RDPOVERLAY_PLANES_LOOK_H_
#define RDP_GST_ELEMENTS_RDPOVERLAY_PLANES_LOOK_H_

#include <gst/rdpsegment/rdpsegment.h>

#include <string>

#include "common/planes/pictures/marks.h"

namespace rdp::gst {

// Prepares a frame's planes, whose labels are on the host, for drawing on a picture of this size.
// Both must be of one camera, as far as that is known. Reuses the memory of `set`. False: *reason
// says what differs. Throws std::bad_alloc.
bool look_at_planes(GstBuffer* frame, const GstRdpPlanesMeta* meta, GstBuffer* picture, int width,
                    int height, planes::PlaneSet* set, planes::PlaneMarks* marks,
                    std::string* reason);

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_RDPOVERLAY_PLANES_LOOK_H_
