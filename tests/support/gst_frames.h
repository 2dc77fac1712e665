// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_SUPPORT_GST_FRAMES_H_
#define RDP_TESTS_SUPPORT_GST_FRAMES_H_

#include <gst/rdpsegment/rdpsegment.h>
#include <gst/video/video.h>

#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "common/rdp/parameters.h"
#include "common/rdp/segment_list.h"
#include "tests/support/compare.h"
#include "tests/support/depth_patterns.h"

// GStreamer buffers with the patterns of depth_patterns.h, and comparisons of segmentations.
// Independent of the test framework; frames.h has the same for gst-check.
namespace frames {

using rdp::test::Scene;

struct Shape {
  GstVideoFormat format = GST_VIDEO_FORMAT_GRAY16_LE;
  int width = 64;
  int height = 48;
  // The place of the samples in the buffer. stride 0: as in the caps, without a GstVideoMeta.
  gsize offset = 0;
  gint stride = 0;

  bool operator==(const Shape&) const = default;
};

inline rdp::SampleType sample_type(const Shape& shape) {
  return shape.format == GST_VIDEO_FORMAT_GRAY8 ? rdp::SampleType::kU8 : rdp::SampleType::kU16;
}
// Bytes per row of the first plane. Colour formats are allowed.
inline gsize row_bytes(const Shape& shape) {
  const GstVideoFormatInfo* format = gst_video_format_get_info(shape.format);
  return static_cast<gsize>(shape.width) *
         static_cast<gsize>(GST_VIDEO_FORMAT_INFO_PSTRIDE(format, 0));
}
inline gint stride_of(const Shape& shape) {
  return shape.stride == 0 ? static_cast<gint>(GST_ROUND_UP_4(row_bytes(shape))) : shape.stride;
}

// `feature`: caps feature of the memory; null: system memory.
inline std::string caps_string(const Shape& shape, const char* feature = nullptr) {
  return "video/x-raw" + (feature == nullptr ? std::string() : '(' + std::string(feature) + ')') +
         ",format=" + gst_video_format_to_string(shape.format) +
         ",width=" + std::to_string(shape.width) + ",height=" + std::to_string(shape.height) +
         ",framerate=30/1";
}
inline GstCaps* caps(const Shape& shape, const char* feature = nullptr) {
  return gst_caps_from_string(caps_string(shape, feature).c_str());
}

inline GstVideoInfo video_info(const Shape& shape) {
  GstVideoInfo info;
  gst_video_info_set_format(&info, shape.format, static_cast<guint>(shape.width),
                            static_cast<guint>(shape.height));
  return info;
}

// The samples of a frame, row after row without gaps.
struct Content {
  Shape shape;
  std::vector<std::byte> samples;

  explicit Content(const Shape& of)
      : shape(of), samples(row_bytes(of) * static_cast<gsize>(of.height)) {}
  rdp::MutableDepthView view() {
    return {samples.data(), static_cast<std::ptrdiff_t>(row_bytes(shape)), shape.width,
            shape.height, sample_type(shape)};
  }
  rdp::DepthView view() const { return const_cast<Content*>(this)->view(); }
};

inline Content draw(const Shape& shape, Scene scene, std::uint32_t seed) {
  Content content(shape);
  rdp::test::draw_scene(content.view(), scene, seed);
  return content;
}

// Adds a GstVideoMeta with the place of the samples.
inline void add_video_meta(GstBuffer* buffer, const Shape& shape, gint stride) {
  gsize offsets[GST_VIDEO_MAX_PLANES] = {shape.offset};
  gint strides[GST_VIDEO_MAX_PLANES] = {stride};
  gst_buffer_add_video_meta_full(buffer, GST_VIDEO_FRAME_FLAG_NONE, shape.format,
                                 static_cast<guint>(shape.width), static_cast<guint>(shape.height),
                                 1, offsets, strides);
}

// A buffer in system memory with the content at the shape's place; other bytes are 0xA5. Null if
// memory runs out.
inline GstBuffer* new_buffer(const Content& content) {
  const Shape& shape = content.shape;
  const gsize tight = row_bytes(shape);
  const auto stride = static_cast<gsize>(stride_of(shape));
  GstBuffer* buffer = gst_buffer_new_allocate(
      nullptr, shape.offset + stride * static_cast<gsize>(shape.height), nullptr);
  GstMapInfo map;
  if (buffer == nullptr || !gst_buffer_map(buffer, &map, GST_MAP_WRITE)) {
    gst_clear_buffer(&buffer);
    return nullptr;
  }
  std::memset(map.data, 0xA5, map.size);
  for (gsize row = 0; row < static_cast<gsize>(shape.height); ++row) {
    std::memcpy(map.data + shape.offset + row * stride, content.samples.data() + row * tight,
                tight);
  }
  gst_buffer_unmap(buffer, &map);
  if (shape.stride != 0 || shape.offset != 0) {
    add_video_meta(buffer, shape, static_cast<gint>(stride));
  }
  return buffer;
}

// Describes the first difference of a segmentation from these segments; empty: none.
inline std::string difference(const rdp::SegmentList& expected, GstRdpSegmentation* segmentation) {
  const auto columns = static_cast<int>(gst_rdp_segmentation_get_n_columns(segmentation));
  return rdp::test::difference(expected, columns, [&](int column) {
    static_assert(sizeof(GstRdpSegment) == sizeof(rdp::Segment));
    gsize count = 0;
    const GstRdpSegment* segments =
        gst_rdp_segmentation_get_column(segmentation, static_cast<guint>(column), &count);
    return std::span(reinterpret_cast<const rdp::Segment*>(segments), count);
  });
}

// The pixels of an RGBA picture in any memory, without row padding; empty if they are unreadable.
inline std::vector<std::uint8_t> pixels(GstBuffer* picture, const Shape& shape) {
  const GstVideoInfo info = video_info({GST_VIDEO_FORMAT_RGBA, shape.width, shape.height});
  GstVideoFrame frame;
  if (!gst_video_frame_map(&frame, &info, picture, GST_MAP_READ)) return {};
  const std::size_t row_bytes = 4 * static_cast<std::size_t>(shape.width);
  const auto* data = static_cast<const std::uint8_t*>(GST_VIDEO_FRAME_PLANE_DATA(&frame, 0));
  std::vector<std::uint8_t> result;
  result.reserve(row_bytes * static_cast<std::size_t>(shape.height));
  for (int row = 0; row < shape.height; ++row) {
    const auto* start = data + row * GST_VIDEO_FRAME_PLANE_STRIDE(&frame, 0);
    result.insert(result.end(), start, start + row_bytes);
  }
  gst_video_frame_unmap(&frame);
  return result;
}

}  // namespace frames

#endif  // RDP_TESTS_SUPPORT_GST_FRAMES_H_
