// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_RDPMETACONVERT_JSON_WRITER_H_
#define RDP_GST_ELEMENTS_RDPMETACONVERT_JSON_WRITER_H_

#include <gst/gst.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

#include "common/image/grow_buffer.h"
#include "gst/elements/rdpmetaconvert/frame_list.h"
#include "gst/elements/rdpmetaconvert/json_numbers.h"

namespace rdp {

// Writes frames as JSON, one object on one line for each: the format of docs/rdpmetaconvert.md.
// The row of each kind writes its part of a line. Keeps its memory between frames.
class JsonWriter {
 public:
  // The lines for the frames of a buffer, with a line feed at the end of each. Valid until the next
  // call. Throws std::bad_alloc and stays usable.
  // `points`: adds points in metres to things given in pixels. `files`: adds the name of the
  // frame's file; null if unknown. `grid`: adds the obstacles' grid.
  std::string_view lines(std::span<const ConvertedFrame> frames, GstClockTime pts, bool points,
                         bool files = false, const char* file = nullptr, bool grid = false);

  // For the rows of kinds. All of them throw std::bad_alloc.
  bool points() const { return points_; }
  bool grid() const { return grid_; }
  GrowBuffer<float>& floats() { return floats_; }

  // Adds text as it is.
  void add(std::string_view text);
  void add(char sign) {
    *reserve(1) = sign;
    ++size_;
  }
  // Adds what `print_text` writes, json::kRoom characters at most.
  template <typename Print>
  void add_printed(Print&& print_text) {
    set_end(print_text(reserve(json::kRoom)));
  }
  // Adds a key, behind a comma unless it is the first of its object.
  void add_key(std::string_view name);
  template <typename Value>
  void add_key(std::string_view name, const Value& value, bool known = true) {
    add_key(name);
    add_printed(
        [&](char* out) { return known ? json::print(out, value) : json::print(out, "null"); });
  }
  // Adds the keys of a table.
  template <typename Struct>
  void add_keys(const Struct& of, json::Rows<Struct> rows) {
    for (const json::Row<Struct>& row : rows) {
      add_key(row.name);
      add_printed([&](char* out) { return row.print_value(out, of); });
    }
  }
  // Adds a key with a list. `print_entry` writes each entry, json::kRoom - 2 characters at most.
  template <typename List, typename Print>
  void add_list(std::string_view name, const List& list, Print&& print_entry) {
    add_key(name);
    add_entries(0, list.size(),
                [&](char* out, std::size_t i) { return print_entry(out, list[i]); });
  }
  // Adds a key with a list for each column. `print_entry` writes an entry from a segment's index.
  template <typename Print>
  void add_columns(std::string_view name, std::span<const std::uint32_t> offsets,
                   Print&& print_entry) {
    add_key(name);
    add('[');
    for (std::size_t c = 0; c + 1 < offsets.size(); ++c) {
      if (c > 0) add(',');
      add_entries(offsets[c], offsets[c + 1], print_entry);
    }
    add(']');
  }
  // Adds the keys PREFIX-width and PREFIX-height if this is not the frame's size: the keys before
  // may describe a picture of another size.
  void add_size(std::string_view prefix, guint width, guint height);
  // Add their keys after those of the frame's first kind, unless it has written them already.
  void add_batch_index();
  void add_camera();  // it turns points back into pixels

 private:
  struct Free {
    void operator()(char* p) const { std::free(p); }
  };
  struct FreeText {
    void operator()(gchar* text) const { g_free(text); }
  };

  // Makes room for `count` more characters, and returns their place.
  char* reserve(std::size_t count) {
    if (capacity_ - size_ < count) grow(count);
    return text_.get() + size_;
  }
  void grow(std::size_t count);
  // Adds a list. `print_entry` writes the entry of each index from `first` up to `end`.
  template <typename Print>
  void add_entries(std::size_t first, std::size_t end, Print&& print_entry) {
    char before = '[';
    char* out = reserve(json::kRoom);
    const char* last = text_.get() + capacity_ - json::kRoom;  // with room behind it
    for (std::size_t i = first; i < end; ++i) {
      if (out > last) {
        set_end(out);
        out = reserve(json::kRoom);
        last = text_.get() + capacity_ - json::kRoom;
      }
      *out++ = std::exchange(before, ',');
      out = print_entry(out, i);
    }
    if (before == '[') *out++ = before;
    *out++ = ']';
    set_end(out);
  }
  void set_end(const char* end) { size_ = static_cast<std::size_t>(end - text_.get()); }

  void add_line(const ConvertedFrame& frame, GstClockTime pts);
  void add_head(GstClockTime pts);
  void add_file();

  bool points_ = false;
  bool files_ = false;
  bool grid_ = false;
  const char* file_ = nullptr;
  std::unique_ptr<char, Free> text_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
  GrowBuffer<float> floats_;

  // For the current line; null: written, or absent.
  FrameHead head_;
  const guint* batch_index_ = nullptr;
  GstRdpCamera* camera_ = nullptr;

  // The text of the last camera: most frames of a stream have the same one.
  CameraRef last_camera_;
  std::unique_ptr<gchar, FreeText> camera_text_;
};

}  // namespace rdp

#endif  // RDP_GST_ELEMENTS_RDPMETACONVERT_JSON_WRITER_H_
