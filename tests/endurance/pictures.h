// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_ENDURANCE_PICTURES_H_
#define RDP_TESTS_ENDURANCE_PICTURES_H_

#include <cstdint>

#include "tests/endurance/case_table.h"

// Inputs of rdpoverlay: camera pictures in any 8-bit format, and frames with segments.
namespace rdp::endurance {

// A picture of varied bytes, in CUDA memory if there is a `context`. In system memory, the shape's
// offset is the number of columns and rows of padding. Throws std::runtime_error.
BufferRef make_picture(const Shape& shape, GstObject* context);

// Checksum of its pixels; 0 if they cannot be read.
std::uint64_t digest(GstBuffer* picture, const Shape& shape);

// Adds a camera meta to a buffer. Its pose is `x` metres to the right of the origin.
void add_camera(GstBuffer* buffer, const Shape& shape, double x);
// Adds the scalar reference's segments of a frame as metadata.
void add_segments(const Frame& frame, const Parameters& parameters);

// The sink pads.
inline constexpr std::size_t kVideo = 0;
inline constexpr std::size_t kSegments = 1;

// Property values of rdpoverlay that select what it draws.
struct Look {
  const char* style;
  double opacity;
  double palette_max;
  const char* inset_position;
};
inline constexpr Look kLooks[] = {{"segments", 0.6, 0, "top-right"},
                                  {"classes", 1, 0, "top-right"},
                                  {"birdseye", 0.5, 0, "bottom-left"},
                                  {"segments", 0.25, 200, "top-right"},
                                  {"birdseye", 1, 0, "top-left"}};
void apply(GstElement* element, const Look& look);

// Digest of the picture that a fresh rdpoverlay draws on the CPU in system memory. `feature`: of
// the frame's memory. Throws std::runtime_error.
std::uint64_t draw_alone(const Shape& shape, GstBuffer* picture, const Frame& frame,
                         const char* feature, const Look& look);

}  // namespace rdp::endurance

#endif  // RDP_TESTS_ENDURANCE_PICTURES_H_
