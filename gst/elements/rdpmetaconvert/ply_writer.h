// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_RDPMETACONVERT_PLY_WRITER_H_
#define RDP_GST_ELEMENTS_RDPMETACONVERT_PLY_WRITER_H_

#include <gst/gst.h>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "common/image/grow_buffer.h"
#include "gst/elements/rdpmetaconvert/convert_enums.h"
#include "gst/elements/rdpmetaconvert/frame_list.h"

namespace rdp {

struct SegmentFrame;

// Writes a frame's segments or planes as a PLY of the binary little-endian format: see
// docs/rdpmetaconvert.md. Keeps its memory between frames.
class PlyWriter {
 public:
  // The PLY file of a frame's segments, which need a camera, or of its planes if it has no
  // segments. Valid until the next call. Throws std::bad_alloc and stays usable.
  std::string_view file(const ConvertedFrame& frame, GstRdpPlyContent content, GstClockTime pts);

 private:
  // The ray through a pixel: its direction where z is 1.
  struct Ray {
    double x, y;
  };
  // The start of the palette, in 1/m, and its entries for each further 1/m.
  struct Scale {
    double least = 0.0;
    double factor = 0.0;

    float position(double near) const { return static_cast<float>((near - least) * factor); }
  };

  static Scale scale_of(std::span<const float> points);
  void prepare_rays(const SegmentFrame& of);
  Ray ray(std::size_t column, std::size_t row) const {
    if (!distorted_) return {rays_.data()[column].x, rays_.data()[columns_ + row].y};
    return rays_.data()[row * columns_ + column];
  }
  std::string_view hulls(const ConvertedFrame& frame, GstClockTime pts);
  std::size_t add_cloud(const SegmentFrame& of, const Scale& scale, char* out) const;
  std::size_t add_lines(const SegmentFrame& of, std::span<const float> points, const Scale& scale,
                        char* out);
  std::string_view with_header(const SegmentFrame& of, GstClockTime pts, std::size_t vertices,
                               const std::size_t* edges, std::size_t body_size);

  GrowBuffer<float> points_;
  std::string header_;
  GrowBuffer<char> bytes_;
  GrowBuffer<char> edges_;
  // Without distortion, one ray for each segmented column and one for each row; else one for each
  // column in each row. Valid for the camera and size below.
  GrowBuffer<Ray> rays_;
  CameraRef rays_camera_;
  std::size_t columns_ = 0;
  std::size_t rows_ = 0;
  guint column_width_ = 0;
  bool distorted_ = false;
};

}  // namespace rdp

#endif  // RDP_GST_ELEMENTS_RDPMETACONVERT_PLY_WRITER_H_
