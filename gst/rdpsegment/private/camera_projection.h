/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef RDP_GST_RDPSEGMENT_PRIVATE_CAMERA_PROJECTION_H_
#define RDP_GST_RDPSEGMENT_PRIVATE_CAMERA_PROJECTION_H_

#include <gst/rdpsegment/rdpcamera.h>

#include <string>

namespace rdp::meta {

/* Decomposes a projection matrix, world to image, into focal lengths, principal point and pose, and
 * stores the matrix itself. Returns the fault of the matrix, or an empty text. Throws
 * std::bad_alloc. */
std::string decompose_projection(const double (&matrix)[12], GstRdpCameraInfo* info);

}  // namespace rdp::meta

#endif /* RDP_GST_RDPSEGMENT_PRIVATE_CAMERA_PROJECTION_H_ */
