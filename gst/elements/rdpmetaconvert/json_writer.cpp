// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/rdpmetaconvert/json_writer.h"

#include <algorithm>
#include <cstdint>
#include <new>
#include <span>
#include <utility>

#include "gst/elements/rdpmetaconvert/json_numbers.h"

namespace rdp {

using namespace json;

namespace {

// The longest texts of what is written.
constexpr std::size_t kMaxSegment = 6 + 2 * 5 + 2 * 15;  // "[…,…,…,…]," with rows and floats
constexpr std::size_t kMaxPoints = 3 + 6 * 16;           // "[…,…,…,…,…,…]," of floats
constexpr std::size_t kMaxColumn = 3;                    // "[],"
constexpr std::size_t kMaxClass = 2;                     // "1,"

char* put_segment(char* out, const Segment& segment) {
  *out++ = '[';
  out = put_u16(out, segment.first_row);
  *out++ = ',';
  out = put_u16(out, segment.last_row);
  *out++ = ',';
  out = put_float(out, segment.first_value);
  *out++ = ',';
  out = put_float(out, segment.last_value);
  *out++ = ']';
  return out;
}

// Both ends of a segment in metres.
char* put_ends(char* out, std::span<const float, 6> ends) {
  *out++ = '[';
  for (const float coordinate : ends) {
    out = put_float(out, coordinate);
    *out++ = ',';
  }
  out[-1] = ']';
  return out;
}

char* put_column(char* out, std::span<const Segment> segments) {
  *out++ = '[';
  for (const Segment& segment : segments) {
    out = put_segment(out, segment);
    *out++ = ',';
  }
  if (!segments.empty()) --out;
  *out++ = ']';
  return out;
}

char* put_head(char* out, const GstRdpSegmentationInfo& info, GstClockTime pts) {
  out = put_integer(put(out, R"({"frame":)"), info.frame);
  out = put(out, R"(,"pts":)");
  out = GST_CLOCK_TIME_IS_VALID(pts) ? put_integer(out, pts) : put(out, "null");
  out = put_integer(put(out, R"(,"width":)"), info.width);
  out = put_integer(put(out, R"(,"height":)"), info.height);
  out = put_double(put(out, R"(,"epsilon":)"), info.epsilon);
  out = put_double(put(out, R"(,"sample-scale":)"), info.sample_scale);
  out = put(out, info.domain == GST_RDP_DOMAIN_INVERSE ? R"(,"domain":"inverse")"
                                                       : R"(,"domain":"linear")");
  out = put_integer(put(out, R"(,"column-width":)"), info.column_width);
  return put(out, R"(,"columns":[)");
}

char* put_classes(char* out, std::span<const guint8> classes) {
  *out++ = '[';
  for (const guint8 of_segment : classes) {
    *out++ = static_cast<char>('0' + of_segment);
    *out++ = ',';
  }
  if (!classes.empty()) --out;
  *out++ = ']';
  return out;
}

// What the classes were told by: null where there is no ground.
char* put_ground(char* out, GstRdpSegmentation* segmentation) {
  gdouble slope = 0;
  gdouble horizon = 0;
  const bool found = gst_rdp_segmentation_get_ground(segmentation, &slope, &horizon) != FALSE;
  out = put(out, R"(,"ground-slope":)");
  out = found ? put_double(out, slope) : put(out, "null");
  out = put(out, R"(,"horizon":)");
  out = found ? put_double(out, horizon) : put(out, "null");
  const GstRdpSegmentationInfo* info = gst_rdp_segmentation_get_info(segmentation);
  if (info->ground_per_row > 0) {
    // In steps, as doubles have them exactly.
    constexpr gdouble kStep = 4294967296.0;
    out = put(out, R"(,"ground-plane":[)");
    out = put_double(out, static_cast<gdouble>(info->ground_offset) / kStep);
    *out++ = ',';
    out = put_double(out, static_cast<gdouble>(info->ground_per_column) / kStep);
    *out++ = ',';
    out = put_double(out, static_cast<gdouble>(info->ground_per_row) / kStep);
    *out++ = ']';
  }
  return put(out, R"(,"classes":[)");
}

char* put_tail(char* out, const ConvertedFrame& frame) {
  const GstRdpSegmentationInfo& info = frame.info();
  out = put(out, "]");
  // Without it nobody could turn the values back into depths.
  if (info.domain == GST_RDP_DOMAIN_INVERSE) {
    out = put_double(put(out, R"(,"inverse-scale":)"), info.inverse_scale);
  }
  if (frame.of_batch) out = put_integer(put(out, R"(,"batch-index":)"), frame.batch_index);
  return out;
}

}  // namespace

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
                                   bool points) {
  points_ = points;
  size_ = 0;
  for (const ConvertedFrame& frame : frames) add_line(frame, pts);
  return {text_.get(), size_};
}

// What turns points back into pixels.
void JsonWriter::add_camera(const ConvertedFrame& frame) {
  if (camera_.get() != frame.camera.get()) {
    camera_.reset();
    camera_text_.reset(gst_rdp_camera_to_json(frame.camera.get()));
    if (camera_text_ == nullptr) throw std::bad_alloc();
    camera_.reset(gst_rdp_camera_ref(frame.camera.get()));
  }
  const std::string_view camera = camera_text_.get();
  set_end(put(put(reserve(kMaxFixedPart + camera.size()), R"(,"camera":)"), camera));
}

void JsonWriter::add_points(const ConvertedFrame& frame) {
  set_end(put(reserve(kMaxFixedPart), R"(,"points":[)"));
  const std::span offsets = frame.segments.offsets();
  for (std::size_t c = 0; c + 1 < offsets.size(); ++c) {
    const std::span points = frame.points.subspan(6 * std::size_t{offsets[c]},
                                                  6 * std::size_t{offsets[c + 1] - offsets[c]});
    char* out = reserve(points.size() / 6 * kMaxPoints + kMaxColumn);
    if (c > 0) *out++ = ',';
    *out++ = '[';
    for (std::size_t i = 0; i < points.size(); i += 6) {
      out = put_ends(out, points.subspan(i).first<6>());
      *out++ = ',';
    }
    if (!points.empty()) --out;
    *out++ = ']';
    set_end(out);
  }
  set_end(put(reserve(kMaxFixedPart), "]"));
}

void JsonWriter::add_line(const ConvertedFrame& frame, GstClockTime pts) {
  if (frame.segmentation != nullptr) {
    add_segments(frame, pts);
  } else {
    add_head_of_planes(frame, pts);
  }
  if (frame.planes != nullptr) add_planes(frame);
  set_end(put(reserve(kMaxFixedPart), "}\n"));
}

void JsonWriter::add_segments(const ConvertedFrame& frame, GstClockTime pts) {
  const std::span offsets = frame.segments.offsets();
  const GstRdpSegmentationInfo& info = frame.info();

  set_end(put_head(reserve(kMaxFixedPart), info, pts));
  for (int c = 0; c < frame.segments.columns(); ++c) {
    const std::span column = frame.segments.column(c);
    char* out = reserve(column.size() * kMaxSegment + kMaxColumn);
    if (c > 0) *out++ = ',';
    set_end(put_column(out, column));
  }
  set_end(put_tail(reserve(kMaxFixedPart), frame));
  gsize n_classes = 0;
  const guint8* classes = gst_rdp_segmentation_peek_classes(frame.segmentation, &n_classes);
  // A line without them would look like one of segments that have none.
  if (classes == nullptr && info.classify != FALSE) throw std::bad_alloc();
  if (classes != nullptr) {
    set_end(put_ground(reserve(kMaxFixedPart), frame.segmentation));
    for (std::size_t c = 0; c + 1 < offsets.size(); ++c) {
      const std::span column(classes + offsets[c], offsets[c + 1] - offsets[c]);
      char* out = reserve(column.size() * kMaxClass + kMaxColumn);
      if (c > 0) *out++ = ',';
      set_end(put_classes(out, column));
    }
    set_end(put(reserve(kMaxFixedPart), "]"));
  }
  if (frame.camera != nullptr) {
    add_camera(frame);
    add_points(frame);
  }
}

}  // namespace rdp
