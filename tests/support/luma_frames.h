// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_SUPPORT_LUMA_FRAMES_H_
#define RDP_TESTS_SUPPORT_LUMA_FRAMES_H_

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "gst/memory/frame_mapper.h"
#include "tests/support/crops.h"

// NV12 and I420 frames for readers of luma: noise as luma, 0x5A as chroma, 0xA5 elsewhere.
namespace luma_frames {

struct Shape {
  GstVideoFormat format = GST_VIDEO_FORMAT_NV12;
  int width = 64;
  int height = 48;
  // The place of the planes. stride 0: as in the caps, without a GstVideoMeta.
  gsize offset = 0;   // before the luma
  gint stride = 0;    // the luma's; the chroma's is larger by 6
  bool last = false;  // the luma comes after the chroma
  // Positions in bytes at which the buffer is split into memories.
  std::vector<gsize> cuts = {};
  bool cut_planes = false;  // at the start of each plane, too
};

inline GstVideoInfo info_of(GstVideoFormat format, int width, int height) {
  GstVideoInfo info;
  gst_video_info_set_format(&info, format, static_cast<guint>(width), static_cast<guint>(height));
  return info;
}
inline GstVideoInfo info_of(const Shape& shape) {
  return info_of(shape.format, shape.width, shape.height);
}

inline std::vector<std::uint8_t> noise(int width, int height, unsigned seed) {
  std::minstd_rand random(seed);
  std::vector<std::uint8_t> result(static_cast<gsize>(width) * static_cast<gsize>(height));
  for (std::uint8_t& sample : result) sample = static_cast<std::uint8_t>(random() >> 8);
  return result;
}

// The pixels of a rectangle in a picture of this width, without gaps.
inline std::vector<std::uint8_t> cut(const std::vector<std::uint8_t>& picture, int width,
                                     const crops::Rectangle& of) {
  std::vector<std::uint8_t> result;
  for (int row = of.y; row < of.y + of.height; ++row) {
    const auto start = picture.begin() + row * width + of.x;
    result.insert(result.end(), start, start + of.width);
  }
  return result;
}

// The place of the planes of a shape, and their total size.
struct Planes {
  gsize offset[GST_VIDEO_MAX_PLANES] = {};
  gint stride[GST_VIDEO_MAX_PLANES] = {};
  gsize size = 0;

  explicit Planes(const Shape& shape) {
    const GstVideoInfo info = info_of(shape);
    const guint count = GST_VIDEO_INFO_N_PLANES(&info);
    if (shape.stride == 0) {
      std::copy_n(info.offset, count, offset);
      std::copy_n(info.stride, count, stride);
      size = GST_VIDEO_INFO_SIZE(&info);
      return;
    }
    const auto place = [&](guint p) {
      stride[p] = p == 0 ? shape.stride : shape.stride + 6;
      offset[p] = size;
      const int rows = p == 0 ? shape.height : (shape.height + 1) / 2;
      size += static_cast<gsize>(stride[p]) * static_cast<gsize>(rows);
    };
    size = shape.last ? 0 : shape.offset;
    if (!shape.last) place(0);
    for (guint p = 1; p < count; ++p) place(p);
    if (shape.last) {
      size += shape.offset;
      place(0);
    }
  }
};

// A read-only memory of exactly these bytes, so that tools detect reads beyond its end.
inline GstMemory* wrap(const std::uint8_t* bytes, gsize size) {
  auto* copy = static_cast<std::uint8_t*>(g_malloc(std::max<gsize>(size, 1)));
  std::memcpy(copy, bytes, size);
  return gst_memory_new_wrapped(GST_MEMORY_FLAG_READONLY, copy, size, 0, size, copy, g_free);
}

inline GstVideoMeta* describe(GstBuffer* buffer, const Shape& shape) {
  Planes planes(shape);
  const GstVideoInfo info = info_of(shape);
  return gst_buffer_add_video_meta_full(
      buffer, GST_VIDEO_FRAME_FLAG_NONE, shape.format, static_cast<guint>(shape.width),
      static_cast<guint>(shape.height), GST_VIDEO_INFO_N_PLANES(&info), planes.offset,
      planes.stride);
}

// A frame in system memory with the luma of noise(width, height, seed).
inline GstBuffer* make(const Shape& shape, unsigned seed = 1) {
  const Planes planes(shape);
  const GstVideoInfo info = info_of(shape);
  std::vector<std::uint8_t> bytes(planes.size, 0xA5);
  const std::vector<std::uint8_t> luma = noise(shape.width, shape.height, seed);
  for (guint p = 0; p < GST_VIDEO_INFO_N_PLANES(&info); ++p) {
    const auto row_bytes = static_cast<gsize>(p == 0 ? shape.width
                                                     : GST_VIDEO_INFO_COMP_WIDTH(&info, p) *
                                                           GST_VIDEO_INFO_COMP_PSTRIDE(&info, p));
    const int rows = p == 0 ? shape.height : (shape.height + 1) / 2;
    for (int row = 0; row < rows; ++row) {
      std::uint8_t* start =
          bytes.data() + planes.offset[p] + static_cast<gsize>(row * planes.stride[p]);
      if (p == 0) {
        std::memcpy(start, luma.data() + row * shape.width, row_bytes);
      } else {
        std::memset(start, 0x5A, row_bytes);
      }
    }
  }
  std::vector<gsize> cuts = shape.cuts;
  if (shape.cut_planes) {
    for (guint p = 0; p < GST_VIDEO_INFO_N_PLANES(&info); ++p) {
      if (planes.offset[p] != 0) cuts.push_back(planes.offset[p]);
    }
  }
  cuts.push_back(planes.size);
  std::sort(cuts.begin(), cuts.end());
  GstBuffer* buffer = gst_buffer_new();
  gsize start = 0;
  for (const gsize end : cuts) {
    gst_buffer_append_memory(buffer, wrap(bytes.data() + start, end - start));
    start = end;
  }
  if (shape.stride != 0) describe(buffer, shape);
  return buffer;
}

// The samples of a surface, row after row without gaps.
inline std::vector<std::uint8_t> samples(const rdp::DepthView& view) {
  std::vector<std::uint8_t> result;
  for (int row = 0; row < view.height; ++row) {
    const auto* start = reinterpret_cast<const std::uint8_t*>(view.row(row));
    result.insert(result.end(), start, start + view.width);
  }
  return result;
}

// Fails unless a frame is refused with a reason that contains `part`.
inline void check_refused(GstBuffer* buffer, const GstVideoInfo& info, rdp::gst::MemoryKind kind,
                          const char* part, rdp::gst::Access access = rdp::gst::Access::kRead) {
  rdp::gst::FrameMapper mapper;
  std::string reason;
  fail_if(mapper.open(buffer, info, kind, access, &reason), "%s", part);
  fail_unless(reason.find(part) != std::string::npos, "'%s' is not in: %s", part, reason.c_str());
}

}  // namespace luma_frames

#endif  // RDP_TESTS_SUPPORT_LUMA_FRAMES_H_
