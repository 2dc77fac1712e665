/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef __GST_RDP_CAMERA_PRIVATE_H__
#define __GST_RDP_CAMERA_PRIVATE_H__

#include <gst/rdpsegment/rdpcamera.h>

#include <array>
#include <mutex>
#include <string>

#include "common/image/camera.h"
#include "gst/rdpsegment/private/placement.h"

/* Private to the library. */

namespace rdp::meta {

/* A camera derived from another one, for a scaled, cropped or shifted picture. */
struct DerivedCamera {
  Placement placement;
  guint width = 0;
  guint height = 0;
  bool has_units = true;
  GstRdpCamera* camera = nullptr;
};

}  // namespace rdp::meta

struct _GstRdpCamera {
  GstMiniObject mini_object; /* first: this is its base class */
  GstRdpCameraInfo info;
  rdp::CameraLens lens;

  /* Cache of the latest derived cameras. Frames of a stream ask for the same ones again and again,
   * and get the same object without an allocation. There is one place for each of the few users of
   * a frame. */
  std::mutex mutex;
  std::array<rdp::meta::DerivedCamera, 4> derived;
  unsigned next_derived = 0;
};

namespace rdp::meta {

/* The fault of an info, as a message for the user; empty: none. Throws std::bad_alloc. */
std::string camera_info_error(const GstRdpCameraInfo& info);

/* The camera of a picture of this size in which the picture of `camera` lies at `placement`, whose
 * scales are above 0. Without `has_units` the result has no sample units. Equal calls return the
 * same object. Null if the result is out of range or memory runs out. (transfer full) */
GstRdpCamera* camera_of_placement(GstRdpCamera* camera, const Placement& placement, guint width,
                                  guint height, bool has_units = true) noexcept;

}  // namespace rdp::meta

#endif /* __GST_RDP_CAMERA_PRIVATE_H__ */
