// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_SUPPORT_CROPS_H_
#define RDP_TESTS_SUPPORT_CROPS_H_

#include <cstdint>
#include <vector>

#include "tests/support/frames.h"

// Frames cropped in place, and their cropped copies for comparison.
namespace crops {

using frames::Shape;

struct Rectangle {
  int x = 0;
  int y = 0;
  int width = 0;
  int height = 0;
};

// Test crops of a picture: odd offsets and sizes, each corner, one column, one row, one sample,
// everything.
inline std::vector<Rectangle> of(const Shape& shape) {
  const int w = shape.width;
  const int h = shape.height;
  return {{0, 0, w, h},     {1, 1, w - 2, h - 2},     {3, 5, w - 10, h - 6}, {0, 0, w - 7, h},
          {7, 0, w - 7, h}, {0, h / 2, w, h - h / 2}, {5, 3, 1, h - 4},      {w - 1, 0, 1, h},
          {2, 7, w - 3, 1}, {0, h - 1, w, 1},         {w - 1, h - 1, 1, 1},  {9, 11, 1, 1}};
}

inline Shape shape_of(const Rectangle& crop, const Shape& picture) {
  return {picture.format, crop.width, crop.height};
}

// Adds the crop as videocrop does when it crops in place. The caps change as well.
inline void add(GstBuffer* buffer, const Rectangle& crop) {
  GstVideoCropMeta* meta = gst_buffer_add_video_crop_meta(buffer);
  meta->x = static_cast<guint>(crop.x);
  meta->y = static_cast<guint>(crop.y);
  meta->width = static_cast<guint>(crop.width);
  meta->height = static_cast<guint>(crop.height);
}

// True if a byte of a picture with rows of `stride` bytes belongs to the crop.
inline bool contains(const Rectangle& crop, const Shape& picture, gsize stride, gsize byte) {
  const gsize sample = frames::row_bytes(picture) / static_cast<gsize>(picture.width);
  const auto row = static_cast<int>(byte / stride);
  const auto column = static_cast<int>(byte % stride / sample);
  return row >= crop.y && row < crop.y + crop.height && column >= crop.x &&
         column < crop.x + crop.width;
}

// The bytes of the crop, row after row without gaps.
inline std::vector<std::uint8_t> cut(const Rectangle& crop, const Shape& picture, gsize stride,
                                     const std::uint8_t* bytes) {
  const auto sample = static_cast<gsize>(rdp::bytes_per_sample(frames::sample_type(picture)));
  std::vector<std::uint8_t> result;
  for (int row = crop.y; row < crop.y + crop.height; ++row) {
    const std::uint8_t* start =
        bytes + static_cast<gsize>(row) * stride + static_cast<gsize>(crop.x) * sample;
    result.insert(result.end(), start, start + static_cast<gsize>(crop.width) * sample);
  }
  return result;
}

// A crop copied out of the picture of frames::make().
struct Cut {
  Cut(const Rectangle& crop, const Shape& picture, unsigned seed) : shape(shape_of(crop, picture)) {
    const int sample = rdp::bytes_per_sample(frames::sample_type(picture));
    shape.stride = crop.width * sample;
    GstBuffer* buffer = frames::make({picture.format, picture.width, picture.height}, seed);
    const std::vector<std::uint8_t> all = frames::bytes(buffer);
    gst_buffer_unref(buffer);
    samples =
        cut(crop, picture, static_cast<gsize>(GST_ROUND_UP_4(picture.width * sample)), all.data());
  }

  // The samples that output=reconstruct produces.
  std::vector<std::uint8_t> reconstructed(const rdp::Parameters& parameters) const {
    const rdp::DepthView view = frames::view(shape, samples);
    rdp::SegmentList segments;
    rdp::reference::segment_filtered(view, parameters, &segments);
    std::vector<std::uint8_t> result = samples;
    rdp::reference::reconstruct(rdp::reference::filter(view, parameters), segments, parameters,
                                {reinterpret_cast<std::byte*>(result.data()), view.stride,
                                 view.width, view.height, view.type});
    return result;
  }

  Shape shape;  // rows without gaps
  std::vector<std::uint8_t> samples;
};

}  // namespace crops

#endif  // RDP_TESTS_SUPPORT_CROPS_H_
