// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_RDPMETACONVERT_JSON_WRITER_H_
#define RDP_GST_ELEMENTS_RDPMETACONVERT_JSON_WRITER_H_

#include <gst/gst.h>
#include <gst/rdpsegment/rdpsegment.h>

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <span>
#include <string_view>

#include "gst/elements/rdpmetaconvert/frame_list.h"

namespace rdp {

// Writes segments and planes as JSON, one object on one line for each frame: the format of
// docs/rdpmetaconvert.md.
// Keeps its memory between frames.
class JsonWriter {
 public:
  // The lines for the frames of a buffer, with a line feed at the end of each. Valid until the next
  // call. Throws std::bad_alloc and stays usable.
  // `points`: planes have the corners of their hulls in metres, too.
  std::string_view lines(std::span<const ConvertedFrame> frames, GstClockTime pts, bool points);

 private:
  struct Free {
    void operator()(char* p) const { std::free(p); }
  };
  struct FreeText {
    void operator()(gchar* text) const { g_free(text); }
  };
  using GCharPtr = std::unique_ptr<gchar, FreeText>;

  void add_line(const ConvertedFrame& frame, GstClockTime pts);
  void add_segments(const ConvertedFrame& frame, GstClockTime pts);
  void add_camera(const ConvertedFrame& frame);
  void add_points(const ConvertedFrame& frame);
  void add_head_of_planes(const ConvertedFrame& frame, GstClockTime pts);
  void add_planes(const ConvertedFrame& frame);
  void add_plane(const GstRdpPlanesInfo& info, const GstRdpPlane& plane,
                 std::span<const GstRdpPlaneCorner> hull);
  // Makes room for `count` more characters and returns where to put them.
  char* reserve(std::size_t count);
  void set_end(const char* end) { size_ = static_cast<std::size_t>(end - text_.get()); }

  bool points_ = false;
  std::unique_ptr<char, Free> text_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;

  // The text of the last camera: most frames of a stream have the same one.
  CameraRef camera_;
  GCharPtr camera_text_;
};

}  // namespace rdp

#endif  // RDP_GST_ELEMENTS_RDPMETACONVERT_JSON_WRITER_H_
