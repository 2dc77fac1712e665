// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/rdpmetaconvert/json_writer.h"

#include <algorithm>
#include <new>
#include <utility>

namespace rdp {

using namespace json;

void JsonWriter::grow(std::size_t count) {
  const std::size_t grown = std::max(size_ + count, capacity_ + capacity_ / 2);
  auto* text = static_cast<char*>(std::realloc(text_.get(), grown));
  if (text == nullptr) throw std::bad_alloc();
  (void)text_.release();  // realloc has freed it
  text_.reset(text);
  capacity_ = grown;
}

void JsonWriter::add(std::string_view text) { set_end(print(reserve(text.size()), text)); }

void JsonWriter::add_key(std::string_view name) {
  char* out = reserve(name.size() + std::string_view(",\"\":").size());
  if (out[-1] != '{') *out++ = ',';
  set_end(print(print(print(out, "\""), name), "\":"));
}

void JsonWriter::add_size(std::string_view prefix, guint width, guint height) {
  if (width == head_.width && height == head_.height) return;
  for (const bool wide : {true, false}) {
    add(",\"");
    add(prefix);
    add(wide ? "-width\":" : "-height\":");
    add_printed([&](char* out) { return print(out, wide ? width : height); });
  }
}

std::string_view JsonWriter::lines(std::span<const ConvertedFrame> frames, GstClockTime pts,
                                   bool points, bool files, const char* file, bool grid) {
  points_ = points;
  files_ = files;
  file_ = file;
  grid_ = grid;
  size_ = 0;
  for (const ConvertedFrame& frame : frames) add_line(frame, pts);
  return {text_.get(), size_};
}

// File names are bytes, but JSON must be UTF-8.
void JsonWriter::add_file() {
  if (file_ == nullptr) return add_key("file", "null");
  const bool valid = g_utf8_validate(file_, -1, nullptr) != FALSE;
  g_autofree gchar* made_valid = valid ? nullptr : g_utf8_make_valid(file_, -1);
  add_key("file");
  add('"');
  for (const char c : std::string_view(valid ? file_ : made_valid)) {
    const auto code = static_cast<unsigned char>(c);
    if (code < 0x20) {
      add(code < 0x10 ? "\\u000" : "\\u001");
      add("0123456789abcdef"[code & 15]);
    } else {
      if (c == '"' || c == '\\') add('\\');
      add(c);
    }
  }
  add('"');
}

void JsonWriter::add_head(GstClockTime pts) {
  add('{');
  add_key("frame", head_.frame);
  add_key("pts", pts, GST_CLOCK_TIME_IS_VALID(pts));
  if (files_) add_file();
  if (head_.width > 0) {
    add_key("width", head_.width);
    add_key("height", head_.height);
  }
}

void JsonWriter::add_batch_index() {
  if (batch_index_ != nullptr) add_key("batch-index", *std::exchange(batch_index_, nullptr));
}

void JsonWriter::add_camera() {
  if (camera_ == nullptr) return;
  if (last_camera_.get() != camera_) {
    last_camera_.reset();
    camera_text_.reset(gst_rdp_camera_to_json(camera_));
    if (camera_text_ == nullptr) throw std::bad_alloc();
    last_camera_.reset(gst_rdp_camera_ref(camera_));
  }
  camera_ = nullptr;
  add_key("camera");
  add(camera_text_.get());
}

void JsonWriter::add_line(const ConvertedFrame& frame, GstClockTime pts) {
  batch_index_ = frame.of_batch ? &frame.batch_index : nullptr;
  camera_ = frame.camera.get();
  const std::span kinds = convert_kinds();
  bool first = true;
  for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
    GstMiniObject* object = frame.objects[kind];
    if (object == nullptr) continue;
    if (first) {
      head_ = kinds[kind]->head(object);
      add_head(pts);
    }
    kinds[kind]->write(*this, frame, object);
    if (std::exchange(first, false)) {
      add_batch_index();
      add_camera();
    }
  }
  add("}\n");
}

}  // namespace rdp
