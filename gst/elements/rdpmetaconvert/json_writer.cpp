// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/rdpmetaconvert/json_writer.h"

#include <algorithm>
#include <new>
#include <utility>

#include "gst/elements/rdpmetaconvert/json_numbers.h"

namespace rdp {

using namespace json;

char* JsonWriter::reserve(std::size_t count) {
  if (capacity_ - size_ < count) {
    const std::size_t grown = std::max(size_ + count, capacity_ + capacity_ / 2);
    auto* text = static_cast<char*>(std::realloc(text_.get(), grown));
    if (text == nullptr) throw std::bad_alloc();
    (void)text_.release();  // realloc has freed it
    text_.reset(text);
    capacity_ = grown;
  }
  return text_.get() + size_;
}

std::string_view JsonWriter::lines(std::span<const ConvertedFrame> frames, GstClockTime pts,
                                   bool points, bool files, const char* file) {
  points_ = points;
  files_ = files;
  file_ = file;
  size_ = 0;
  for (const ConvertedFrame& frame : frames) add_line(frame, pts);
  return {text_.get(), size_};
}

// Names are bytes, of which JSON takes UTF-8 alone.
void JsonWriter::add_file() {
  if (file_ == nullptr) {
    set_end(put(reserve(kMaxFixedPart), R"(,"file":null)"));
    return;
  }
  const bool valid = g_utf8_validate(file_, -1, nullptr) != FALSE;
  g_autofree gchar* made_valid = valid ? nullptr : g_utf8_make_valid(file_, -1);
  const std::string_view name = valid ? file_ : made_valid;
  char* out = put(reserve(kMaxFixedPart + kMaxEscape * name.size()), R"(,"file":)");
  set_end(put_text(out, name));
}

void JsonWriter::add_head(GstClockTime pts) {
  char* out = put_integer(put(reserve(kMaxFixedPart), R"({"frame":)"), head_.frame);
  out = put(out, R"(,"pts":)");
  out = GST_CLOCK_TIME_IS_VALID(pts) ? put_integer(out, pts) : put(out, "null");
  if (files_) {
    set_end(out);
    add_file();
    out = reserve(kMaxFixedPart);
  }
  if (head_.width > 0) {
    out = put_integer(put(out, R"(,"width":)"), head_.width);
    out = put_integer(put(out, R"(,"height":)"), head_.height);
  }
  set_end(out);
}

void JsonWriter::add_batch_index() {
  if (batch_index_ == nullptr) return;
  set_end(put_integer(put(reserve(kMaxFixedPart), R"(,"batch-index":)"),
                      *std::exchange(batch_index_, nullptr)));
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
  const std::string_view camera = camera_text_.get();
  set_end(put(put(reserve(kMaxFixedPart + camera.size()), R"(,"camera":)"), camera));
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
  set_end(put(reserve(kMaxFixedPart), "}\n"));
}

}  // namespace rdp
