// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_SUPPORT_RESULT_BYTES_H_
#define RDP_TESTS_SUPPORT_RESULT_BYTES_H_

#include <gst/rdpsegment/rdpsegment.h>

#include <cstring>
#include <string>

// All contents of a result as bytes for comparison. Reading them also fetches arrays and computes
// lazy values, in the calling thread's environment. Independent of the test framework.
namespace rdp::test {

// Appends the bytes, which may be null, and unrefs them.
inline void add(std::string* to, GBytes* bytes) {
  if (bytes == nullptr) {
    *to += "nothing";
    return;
  }
  gsize size = 0;
  const auto* data = static_cast<const char*>(g_bytes_get_data(bytes, &size));
  to->append(data, size);
  g_bytes_unref(bytes);
}

template <typename Number>
void add_number(std::string* to, Number number) {
  char bytes[sizeof number];
  std::memcpy(bytes, &number, sizeof number);
  to->append(bytes, sizeof number);
}

inline void add_json(std::string* to, GstRdpCamera* camera) {
  g_autofree gchar* json = gst_rdp_camera_to_json(camera);
  *to += json;
}

// Appends a segmentation, and its points if `camera` is not null.
inline void add_segmentation(std::string* to, GstRdpSegmentation* segmentation,
                             GstRdpCamera* camera) {
  add(to, gst_rdp_segmentation_to_bytes(segmentation));
  gdouble slope = 0;
  gdouble horizon = 0;
  add_number(to, gst_rdp_segmentation_get_ground(segmentation, &slope, &horizon));
  add_number(to, slope);
  add_number(to, horizon);
  add(to, gst_rdp_segmentation_get_classes(segmentation));
  if (camera != nullptr) add(to, gst_rdp_segmentation_get_points(segmentation, camera, nullptr));
}

// The content of a buffer and all its metadata.
inline std::string bytes_of(GstBuffer* buffer) {
  std::string result(gst_buffer_get_size(buffer), '\0');
  gst_buffer_extract(buffer, 0, result.data(), result.size());
  if (GstRdpCamera* camera = gst_rdp_buffer_get_camera(buffer, nullptr)) {
    add_json(&result, camera);
    gst_rdp_camera_unref(camera);
  }
  if (const GstRdpSegmentMeta* meta = gst_buffer_get_rdp_segment_meta(buffer)) {
    GstRdpCamera* camera = gst_rdp_segment_meta_get_camera(buffer, meta, nullptr);
    add_segmentation(&result, meta->segmentation, camera);
    if (camera != nullptr) gst_rdp_camera_unref(camera);
  }
  if (GstRdpPlanes* planes = gst_rdp_buffer_get_planes(buffer)) {
    add(&result, gst_rdp_planes_to_bytes(planes));
    add(&result, gst_rdp_planes_to_ply(planes));
  }
  if (GstRdpTracks* tracks = gst_rdp_buffer_get_tracks(buffer)) {
    add(&result, gst_rdp_tracks_to_bytes(tracks));
  }
  if (GstRdpMotion* motion = gst_rdp_buffer_get_motion(buffer)) {
    add(&result, gst_rdp_motion_to_bytes(motion));
  }
  if (GstRdpHeights* heights = gst_rdp_buffer_get_heights(buffer)) {
    add(&result, gst_rdp_heights_to_bytes(heights));
  }
  return result;
}

}  // namespace rdp::test

#endif  // RDP_TESTS_SUPPORT_RESULT_BYTES_H_
