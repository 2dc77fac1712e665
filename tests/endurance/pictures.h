// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_ENDURANCE_PICTURES_H_
#define RDP_TESTS_ENDURANCE_PICTURES_H_

#include <cstdint>

#include "tests/endurance/case_table.h"

// What rdpoverlay gets: pictures of a camera, of any format of 8 bits, and frames with segments.
namespace rdp::endurance {

// One that is full of different bytes, in CUDA memory where there is a context. In system memory it
// has as many columns and rows of padding as the shape's offset says. Throws std::runtime_error.
BufferRef make_picture(const Shape& shape, GstObject* context);

// Its pixels as a checksum; 0 where they cannot be read.
std::uint64_t digest(GstBuffer* picture, const Shape& shape);

// Puts a camera with a pose on a buffer, so much to the right of the origin, in metres.
void add_camera(GstBuffer* buffer, const Shape& shape, double x);
// What the scalar reference makes of a frame, as metadata.
void add_segments(const Frame& frame, const Parameters& parameters);

// The sink pads.
inline constexpr std::size_t kVideo = 0;
inline constexpr std::size_t kSegments = 1;

// What is drawn, as properties.
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

// The digest of what an element that sees nothing else draws on a picture in system memory, on the
// CPU. `feature`: of the frame's memory. Throws std::runtime_error.
std::uint64_t draw_alone(const Shape& shape, GstBuffer* picture, const Frame& frame,
                         const char* feature, const Look& look);

}  // namespace rdp::endurance

#endif  // RDP_TESTS_ENDURANCE_PICTURES_H_
