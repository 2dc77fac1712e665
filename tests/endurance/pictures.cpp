// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/endurance/pictures.h"

#include <gst/video/video.h>

#include <span>
#include <stdexcept>

#include "common/scene/hash_random.h"
#include "gst/rdpsegment/rdpsegmentationparameters.h"
#include "tests/endurance/element_rig.h"
#include "tests/support/camera_infos.h"
#include "tests/support/expected.h"

namespace rdp::endurance {
namespace {

// Calls `visit` with each row of each plane. False: the picture cannot be mapped.
template <typename Visit>
bool visit_rows(GstBuffer* picture, const Shape& shape, GstMapFlags access, const Visit& visit) {
  const GstVideoInfo info = frames::video_info(shape);
  GstVideoFrame frame;
  if (!gst_video_frame_map(&frame, &info, picture, access)) return false;
  for (guint c = 0; c < GST_VIDEO_FRAME_N_COMPONENTS(&frame); ++c) {
    if (GST_VIDEO_FRAME_COMP_POFFSET(&frame, c) != 0) continue;  // its plane was visited
    const int bytes =
        GST_VIDEO_FRAME_COMP_WIDTH(&frame, c) * GST_VIDEO_FRAME_COMP_PSTRIDE(&frame, c);
    for (int row = 0; row < GST_VIDEO_FRAME_COMP_HEIGHT(&frame, c); ++row) {
      auto* data = static_cast<std::uint8_t*>(GST_VIDEO_FRAME_COMP_DATA(&frame, c)) +
                   row * GST_VIDEO_FRAME_COMP_STRIDE(&frame, c);
      visit(std::span(data, static_cast<std::size_t>(bytes)));
    }
  }
  gst_video_frame_unmap(&frame);
  return true;
}

GstBuffer* allocate(const Shape& shape, GstObject* context) {
  GstVideoInfo info = frames::video_info(shape);
  if (context != nullptr) return make_device_picture(context, info);
  GstVideoAlignment padding;
  gst_video_alignment_reset(&padding);
  padding.padding_right = padding.padding_bottom = static_cast<guint>(shape.offset);
  gst_video_info_align(&info, &padding);
  GstBuffer* buffer = gst_buffer_new_allocate(nullptr, GST_VIDEO_INFO_SIZE(&info), nullptr);
  gst_buffer_add_video_meta_full(buffer, GST_VIDEO_FRAME_FLAG_NONE, shape.format,
                                 static_cast<guint>(shape.width), static_cast<guint>(shape.height),
                                 GST_VIDEO_INFO_N_PLANES(&info), info.offset, info.stride);
  return buffer;
}

}  // namespace

BufferRef make_picture(const Shape& shape, GstObject* context) {
  BufferRef picture(allocate(shape, context));
  HashSequence random(sub_key(shape.format, static_cast<std::uint64_t>(shape.width)));
  const auto fill = [&](std::span<std::uint8_t> row) {
    for (std::uint8_t& byte : row) byte = static_cast<std::uint8_t>(random.bits());
  };
  if (!visit_rows(picture.get(), shape, GST_MAP_WRITE, fill)) {
    throw std::runtime_error("a picture of " + describe(shape) + " cannot be mapped");
  }
  if (context != nullptr) bring_to_device(picture.get());
  return picture;
}

std::uint64_t digest(GstBuffer* picture, const Shape& shape) {
  std::uint64_t sum = 0;
  visit_rows(picture, shape, GST_MAP_READ, [&](std::span<std::uint8_t> row) {
    sum = sum * kGoldenRatio64 + checksum(row.data(), 0, row.size(), 1);
  });
  return sum;
}

void apply(GstElement* element, const Look& look) {
  gst_util_set_object_arg(G_OBJECT(element), "style", look.style);
  gst_util_set_object_arg(G_OBJECT(element), "inset-position", look.inset_position);
  g_object_set(element, "opacity", look.opacity, "palette-max", look.palette_max, nullptr);
}

void add_camera(GstBuffer* buffer, const Shape& shape, double x) {
  GstRdpCameraInfo info = sized_camera(disparity_camera_info(), shape.width, shape.height);
  info.has_pose = TRUE;
  for (const int i : {0, 5, 10}) info.pose[i] = 1;
  info.pose[3] = x;
  g_autoptr(GstRdpCamera) camera = gst_rdp_camera_new(&info, nullptr);
  if (camera == nullptr) throw std::runtime_error("no camera for " + describe(shape));
  gst_buffer_add_rdp_camera_meta(buffer, camera);
}

void add_segments(const Frame& frame, const Parameters& parameters) {
  const test::Expected expected = test::expect(frame.content.view(), parameters);
  GstRdpSegmentationInfo info;
  meta::info_from_parameters(parameters, &info);
  info.width = static_cast<guint>(frame.content.shape.width);
  info.height = static_cast<guint>(frame.content.shape.height);
  const auto offsets = expected.segments.offsets();
  const auto segments = expected.segments.segments();
  g_autoptr(GstRdpSegmentation) made = gst_rdp_segmentation_new(
      &info, offsets.data(), offsets.size(),
      reinterpret_cast<const GstRdpSegment*>(segments.data()), segments.size());
  gst_buffer_add_rdp_segment_meta(frame.buffer.get(), made);
}

std::uint64_t draw_alone(const Shape& shape, GstBuffer* picture, const Frame& frame,
                         const char* feature, const Look& look) {
  Options options;
  ElementRig rig(options, "rdpoverlay", {"video", "segments"}, nullptr);
  apply(rig.element(), look);
  rig.start();
  rig.announce(kVideo, shape, nullptr);
  rig.announce(kSegments, frame.content.shape, feature);
  rig.push(kVideo, share(picture, 0));
  rig.push(kSegments, share(frame.buffer.get(), 0));
  BufferRef output(rig.tap().await(1) ? rig.tap().take() : nullptr);
  if (output == nullptr) throw std::runtime_error("rdpoverlay draws nothing: " + rig.error());
  return digest(output.get(), shape);
}

}  // namespace rdp::endurance
