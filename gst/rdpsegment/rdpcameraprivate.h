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

/* The same camera of another picture: scaled, cropped, shifted. */
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

  /* The cameras made of it last. Frames of a stream ask for the same again and again, and get the
   * same object: nothing is allocated for them. Each of the few users of a frame has a place. */
  std::mutex mutex;
  std::array<rdp::meta::DerivedCamera, 4> derived;
  unsigned next_derived = 0;
};

namespace rdp::meta {

/* The fault of an info, for the person who has to put it right; empty: none. Throws std::bad_alloc.
 */
std::string camera_info_error(const GstRdpCameraInfo& info);

/* The camera of the picture of this size in which its own picture lies at `placement`, whose scales
 * are above 0. Without units, nothing is known of the samples' units any more. Equal calls get the
 * same object. Null where there is no memory. (transfer full) */
GstRdpCamera* camera_of_placement(GstRdpCamera* camera, const Placement& placement, guint width,
                                  guint height, bool has_units = true) noexcept;

}  // namespace rdp::meta

#endif /* __GST_RDP_CAMERA_PRIVATE_H__ */
