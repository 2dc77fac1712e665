// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_RDPMETACONVERT_JSON_WRITER_H_
#define RDP_GST_ELEMENTS_RDPMETACONVERT_JSON_WRITER_H_

#include <gst/gst.h>

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <span>
#include <string_view>

#include "common/image/grow_buffer.h"
#include "gst/elements/rdpmetaconvert/frame_list.h"

namespace rdp {

// Writes frames as JSON, one object on one line for each: the format of docs/rdpmetaconvert.md.
// The row of each kind writes its part of a line. Keeps its memory between frames.
class JsonWriter {
 public:
  // The lines for the frames of a buffer, with a line feed at the end of each. Valid until the next
  // call. Throws std::bad_alloc and stays usable.
  // `points`: what else lies in the picture has its points in metres, too. `files`: a line says
  // which file its frame was read from; null: nobody knows.
  std::string_view lines(std::span<const ConvertedFrame> frames, GstClockTime pts, bool points,
                         bool files = false, const char* file = nullptr);

  // For the rows, which write into the line. reserve() makes room for `count` more characters and
  // returns where to put them.
  char* reserve(std::size_t count);
  void set_end(const char* end) { size_ = static_cast<std::size_t>(end - text_.get()); }
  const FrameHead& head() const { return head_; }
  bool points() const { return points_; }
  GrowBuffer<float>& floats() { return floats_; }
  // Adds the keys after those of the frame's first kind, unless that has written them before.
  void add_batch_index();
  void add_camera();  // what turns points back into pixels

 private:
  struct Free {
    void operator()(char* p) const { std::free(p); }
  };
  struct FreeText {
    void operator()(gchar* text) const { g_free(text); }
  };

  void add_line(const ConvertedFrame& frame, GstClockTime pts);
  void add_head(GstClockTime pts);
  void add_file();

  bool points_ = false;
  bool files_ = false;
  const char* file_ = nullptr;
  std::unique_ptr<char, Free> text_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
  GrowBuffer<float> floats_;

  // For the line in work; null: written, or not there.
  FrameHead head_;
  const guint* batch_index_ = nullptr;
  GstRdpCamera* camera_ = nullptr;

  // The text of the last camera: most frames of a stream have the same one.
  CameraRef last_camera_;
  std::unique_ptr<gchar, FreeText> camera_text_;
};

}  // namespace rdp

#endif  // RDP_GST_ELEMENTS_RDPMETACONVERT_JSON_WRITER_H_
