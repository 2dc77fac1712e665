/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef __GST_RDP_CAMERA_BYTES_H__
#define __GST_RDP_CAMERA_BYTES_H__

#include <gst/rdpsegment/rdpcamera.h>

/* Private to the library; the plugin uses what is in this header alone. */
namespace rdp::meta {

/* The way that a frame's camera was lost. The numbers are serialised. */
enum class LostCamera : guint {
  kNot = 0,
  kSize = 1,        /* the camera's size, the picture's */
  kAspectRatio = 2, /* the picture's size before it was scaled, and after */
  kTurned = 3,      /* the same, mirrored or turned */
  kMixed = 4,       /* the same, and another picture's camera was there already */
};

/* The content of the metadata on a buffer. */
struct CameraState {
  GstRdpCamera* camera = nullptr; /* null: lost */
  LostCamera lost = LostCamera::kNot;
  guint lost_sizes[4] = {};
  bool samples_changed = false;
};

/* Serialised, all little endian: the letters RDPC; a version (1); flags; and, where the camera was
 * lost, how, and four sizes; else what samples measure, width and height, 16 doubles in the
 * order of GstRdpCameraInfo, and twelve each for pose and projection where the flags say so. */
inline constexpr gsize kMaxCameraBytes = 24 + (16 + 12 + 12) * sizeof(gdouble);

/* Returns the number of bytes written to `out`. */
gsize write_camera(const CameraState& state, guint8* out);

/* The bytes need not be trusted. `state->camera`: (transfer full) */
bool read_camera(const guint8* in, gsize size, CameraState* state, GError** error);

}  // namespace rdp::meta

#endif /* __GST_RDP_CAMERA_BYTES_H__ */
