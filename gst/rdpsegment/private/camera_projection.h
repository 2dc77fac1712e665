/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef RDP_GST_RDPSEGMENT_PRIVATE_CAMERA_PROJECTION_H_
#define RDP_GST_RDPSEGMENT_PRIVATE_CAMERA_PROJECTION_H_

#include <gst/rdpsegment/rdpcamera.h>

#include <string>

namespace rdp::meta {

/* Takes a matrix apart that maps the world to the image: focal lengths, principal point, pose, and
 * the matrix itself, as it is. Empty, or what is wrong with it. Throws std::bad_alloc. */
std::string decompose_projection(const double (&matrix)[12], GstRdpCameraInfo* info);

}  // namespace rdp::meta

#endif /* RDP_GST_RDPSEGMENT_PRIVATE_CAMERA_PROJECTION_H_ */
