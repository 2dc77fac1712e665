// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_ENDURANCE_CONTENT_H_
#define RDP_TESTS_ENDURANCE_CONTENT_H_

#include <gst/video/video.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "common/image/depth_view.h"

// What frames hold, and where in a buffer it lies.
namespace rdp::endurance {

struct Shape {
  GstVideoFormat format = GST_VIDEO_FORMAT_GRAY16_LE;
  int width = 64;
  int height = 48;
  // Where the samples lie in the buffer. stride 0: as the caps say, without a GstVideoMeta.
  gsize offset = 0;
  gint stride = 0;

  bool operator==(const Shape&) const = default;
};

inline SampleType sample_type(const Shape& shape) {
  return shape.format == GST_VIDEO_FORMAT_GRAY8 ? SampleType::kU8 : SampleType::kU16;
}
inline gsize row_bytes(const Shape& shape) {
  return static_cast<gsize>(shape.width) * static_cast<gsize>(bytes_per_sample(sample_type(shape)));
}

// `feature`: the kind of memory, null for the system's.
GstCaps* make_caps(const Shape& shape, const char* feature);
GstVideoInfo video_info(const Shape& shape);
std::string describe(const Shape& shape);

enum class Scene {
  kStreet,   // with a stereo matcher's noise and holes
  kSteps,    // straight lines with jumps
  kLevels,   // a handful of values, the smallest and the largest known ones among them
  kSparse,   // single known samples
  kUnknown,  // none
  kNoise,    // nearly a segment for each sample
};
constexpr int kScenes = 6;

// The samples of a frame, row after row without gaps.
struct Content {
  Shape shape;
  std::vector<std::byte> samples;

  DepthView view() const {
    return {samples.data(), static_cast<std::ptrdiff_t>(row_bytes(shape)), shape.width,
            shape.height, sample_type(shape)};
  }
};

// A function of its arguments alone.
Content draw(const Shape& shape, Scene scene, std::uint32_t seed);

// A buffer in system memory with the content where its shape says; other bytes are 0xA5.
GstBuffer* make_buffer(const Content& content);

// Tells frames apart that differ in a sample. What is between the rows does not count.
std::uint64_t checksum(const std::byte* data, std::ptrdiff_t stride, std::size_t row_bytes,
                       int rows);
inline std::uint64_t checksum(const Content& content) {
  return checksum(content.samples.data(), static_cast<std::ptrdiff_t>(row_bytes(content.shape)),
                  row_bytes(content.shape), content.shape.height);
}

}  // namespace rdp::endurance

#endif  // RDP_TESTS_ENDURANCE_CONTENT_H_
