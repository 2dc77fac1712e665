/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef __GST_RDP_CAMERA_BYTES_H__
#define __GST_RDP_CAMERA_BYTES_H__

#include <gst/rdpsegment/rdpcamera.h>

/* Private to the library. The plugin may use only what this header itself defines. */
namespace rdp::meta {

/* The way a frame's camera was lost. The values are serialised. */
enum class LostCamera : guint {
  kNot = 0,
  kSize = 1,        /* the camera's size, the picture's */
  kAspectRatio = 2, /* the picture's size before it was scaled, and after */
  kTurned = 3,      /* the same, mirrored or turned */
  kMixed = 4,       /* the same, and another picture's camera was there already */
};

/* The state of a buffer's camera metadata. */
struct CameraState {
  GstRdpCamera* camera = nullptr; /* null: lost */
  LostCamera lost = LostCamera::kNot;
  guint lost_sizes[4] = {};
  bool samples_changed = false;
};

/* The largest serialised size. All is little endian: the letters RDPC, a version (1) and flags. A
 * lost camera adds how it was lost, and four sizes. A known one adds what samples measure, width
 * and height, and 16 doubles in the order of GstRdpCameraInfo. Pose and projection follow if the
 * flags say so, twelve doubles each. */
inline constexpr gsize kMaxCameraBytes = 24 + (16 + 12 + 12) * sizeof(gdouble);

/* Returns the number of bytes written to `out`. */
gsize write_camera(const CameraState& state, guint8* out);

/* Reads untrusted bytes. `state->camera`: (transfer full) */
bool read_camera(const guint8* in, gsize size, CameraState* state, GError** error);

}  // namespace rdp::meta

#endif /* __GST_RDP_CAMERA_BYTES_H__ */
