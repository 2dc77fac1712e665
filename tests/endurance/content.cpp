// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/endurance/content.h"

#include <cstring>
#include <stdexcept>

#include "common/scene/hash_random.h"
#include "common/scene/test_pattern.h"

namespace rdp::endurance {
namespace {

// Samples that depend on nothing but their place.
template <typename Sample>
void fill(const MutableDepthView& view, std::uint32_t seed, const Sample& sample) {
  for (int row = 0; row < view.height; ++row) {
    HashSequence random(sub_key(seed, static_cast<std::uint64_t>(row)));
    for (int column = 0; column < view.width; ++column) {
      view.set(row, column, static_cast<std::uint16_t>(sample(random.bits())));
    }
  }
}

void draw_pattern(const MutableDepthView& view, TestPattern pattern, std::uint32_t seed) {
  TestPatternOptions options;
  options.pattern = pattern;
  options.seed = seed;
  options.noise = pattern == TestPattern::kStreet ? 0.25 : 0.0;
  options.unknown_ratio = pattern == TestPattern::kUnknown ? 0.0 : 0.06;
  TestPatternRenderer().draw(seed, options, view);
}

}  // namespace

GstCaps* make_caps(const Shape& shape, const char* feature) {
  GstCaps* caps = gst_caps_new_simple("video/x-raw", "format", G_TYPE_STRING,
                                      gst_video_format_to_string(shape.format), "width", G_TYPE_INT,
                                      shape.width, "height", G_TYPE_INT, shape.height, "framerate",
                                      GST_TYPE_FRACTION, 30, 1, nullptr);
  if (feature != nullptr) {
    gst_caps_set_features_simple(caps, gst_caps_features_new(feature, nullptr));
  }
  return caps;
}

GstVideoInfo video_info(const Shape& shape) {
  GstVideoInfo info;
  gst_video_info_set_format(&info, shape.format, static_cast<guint>(shape.width),
                            static_cast<guint>(shape.height));
  return info;
}

std::string describe(const Shape& shape) {
  return std::to_string(shape.width) + "x" + std::to_string(shape.height) + " " +
         gst_video_format_to_string(shape.format) +
         (shape.stride == 0 ? "" : ", stride " + std::to_string(shape.stride)) +
         (shape.offset == 0 ? "" : ", offset " + std::to_string(shape.offset));
}

Content draw(const Shape& shape, Scene scene, std::uint32_t seed) {
  Content content{shape, {}};
  content.samples.resize(row_bytes(shape) * static_cast<std::size_t>(shape.height));
  const MutableDepthView view{content.samples.data(), static_cast<std::ptrdiff_t>(row_bytes(shape)),
                              shape.width, shape.height, sample_type(shape)};
  const std::uint64_t largest = max_sample(view.type);
  switch (scene) {
    case Scene::kStreet:
      draw_pattern(view, TestPattern::kStreet, seed);
      break;
    case Scene::kSteps:
      draw_pattern(view, TestPattern::kSteps, seed);
      break;
    case Scene::kLevels:
      fill(view, seed, [&](std::uint64_t bits) {
        const std::uint64_t levels[] = {0, 1, largest / 3, largest - 1, largest};
        return levels[bits % 5];
      });
      break;
    case Scene::kSparse:
      fill(view, seed,
           [&](std::uint64_t bits) { return bits % 32 == 0 ? 1 + (bits >> 8) % largest : 0; });
      break;
    case Scene::kUnknown:
      draw_pattern(view, TestPattern::kUnknown, seed);
      break;
    case Scene::kNoise:
      draw_pattern(view, TestPattern::kNoise, seed);
      break;
  }
  return content;
}

GstBuffer* make_buffer(const Content& content) {
  const Shape& shape = content.shape;
  const gsize tight = row_bytes(shape);
  const gsize stride = shape.stride == 0 ? GST_ROUND_UP_4(tight) : static_cast<gsize>(shape.stride);
  GstBuffer* buffer = gst_buffer_new_allocate(
      nullptr, shape.offset + stride * static_cast<gsize>(shape.height), nullptr);
  GstMapInfo map;
  if (buffer == nullptr || !gst_buffer_map(buffer, &map, GST_MAP_WRITE)) {
    throw std::runtime_error("no memory for a frame of " + describe(shape));
  }
  std::memset(map.data, 0xA5, map.size);
  for (gsize row = 0; row < static_cast<gsize>(shape.height); ++row) {
    std::memcpy(map.data + shape.offset + row * stride, content.samples.data() + row * tight,
                tight);
  }
  gst_buffer_unmap(buffer, &map);
  if (shape.stride != 0 || shape.offset != 0) {
    gsize offsets[GST_VIDEO_MAX_PLANES] = {shape.offset};
    gint strides[GST_VIDEO_MAX_PLANES] = {static_cast<gint>(stride)};
    gst_buffer_add_video_meta_full(buffer, GST_VIDEO_FRAME_FLAG_NONE, shape.format,
                                   static_cast<guint>(shape.width),
                                   static_cast<guint>(shape.height), 1, offsets, strides);
  }
  return buffer;
}

std::uint64_t checksum(const std::byte* data, std::ptrdiff_t stride, std::size_t row_bytes,
                       int rows) {
  std::uint64_t sum = 0;
  for (int row = 0; row < rows; ++row) {
    const std::byte* start = data + row * stride;
    // Each step is a bijection of the sum, so no difference is lost but by chance later on.
    for (std::size_t i = 0; i < row_bytes; i += sizeof(sum)) {
      std::uint64_t word = 0;
      std::memcpy(&word, start + i, std::min(sizeof(word), row_bytes - i));
      sum = (sum ^ word) * kGoldenRatio64;
      sum ^= sum >> 32;
    }
  }
  return sum;
}

}  // namespace rdp::endurance
