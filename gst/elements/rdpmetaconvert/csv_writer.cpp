// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/rdpmetaconvert/csv_writer.h"

#include <gst/rdpsegment/rdpobstacles.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>

#include "gst/elements/rdpmetaconvert/json_numbers.h"

namespace rdp {

using namespace json;

namespace {

using Object = GstRdpObstacle;

constexpr std::string_view kFrameHeader = "time_s,nearest_m,bearing_deg,objects,unknown\n";
constexpr std::string_view kObjectHeader =
    "time_s,id,age,x_m,y_m,length_m,width_m,height_m,yaw_deg,distance_m,vx_m_s,vy_m_s,samples,"
    "box_x,box_y,box_width,box_height,cut\n";

char* print_time(char* out, GstClockTime pts) {
  if (!GST_CLOCK_TIME_IS_VALID(pts)) return out;
  out = print(print(out, pts / GST_SECOND), ".");
  guint64 rest = pts % GST_SECOND;
  for (int i = 8; i >= 0; --i, rest /= 10) out[i] = static_cast<char>('0' + rest % 10);
  return out + 9;
}

// A comma, and the value where it is known.
char* add(char* out, float value) {
  *out++ = ',';
  return std::isfinite(value) ? print(out, value) : out;
}
char* add(char* out, std::integral auto value) { return print(print(out, ","), value); }

// 1/10000 of a degree are less than any angle's own error.
char* add_degrees(char* out, double angle) {
  return add(out, static_cast<float>(std::round(angle * 1.8e6 / std::numbers::pi) / 1e4));
}

// Prints the nearest range and the middle of its bearing: of equal ranges the first, from the
// right. The share of unknown bearings tells free space from blindness.
char* print_frame(char* out, GstRdpObstacles* of, GstClockTime pts) {
  const GstRdpObstaclesInfo& info = *gst_rdp_obstacles_get_info(of);
  gsize n_bins = 0;
  gsize n_objects = 0;
  const gfloat* ranges = gst_rdp_obstacles_peek_ranges(of, &n_bins);
  gst_rdp_obstacles_peek_objects(of, &n_objects);
  gsize nearest = 0;
  gsize unknown = 0;
  for (gsize i = 0; i < n_bins; ++i) {
    unknown += std::isnan(ranges[i]) ? 1U : 0U;
    // The negation also holds if the range before is NaN.
    if (std::isfinite(ranges[i]) && !(ranges[nearest] <= ranges[i])) nearest = i;
  }
  out = print_time(out, pts);
  if (n_bins > 0 && std::isfinite(ranges[nearest])) {
    out = add(out, ranges[nearest]);
    out = add_degrees(out, info.angle_min + static_cast<double>(nearest) * info.angle_increment);
  } else {
    out = print(out, ",,");
  }
  const double share = n_bins > 0 ? static_cast<double>(unknown) / static_cast<double>(n_bins) : 1;
  return print(add(add(out, n_objects), static_cast<float>(std::round(share * 1e4) / 1e4)), "\n");
}

char* print_object(char* out, const Object& object, GstClockTime pts) {
  out = print_time(out, pts);
  for (const guint32 number : {object.id, object.age}) out = add(out, number);
  for (const float length : {object.x, object.y, object.length, object.width, object.height}) {
    out = add(out, length);
  }
  out = add_degrees(out, object.yaw);
  for (const float number : {object.distance, object.vx, object.vy}) out = add(out, number);
  out = add(out, object.samples);
  for (const guint16 side : {object.column, object.row, object.columns, object.rows}) {
    out = add(out, side);
  }
  return print(out, (object.flags & GST_RDP_OBSTACLE_CUT) != 0 ? ",1\n" : ",0\n");
}

}  // namespace

std::string_view CsvWriter::lines(std::span<const ConvertedFrame> frames, GstRdpCsvContent content,
                                  GstClockTime pts) {
  const bool objects = content == GST_RDP_CSV_OBJECTS;
  text_.clear();
  if (!begun_) text_ += objects ? kObjectHeader : kFrameHeader;
  std::array<char, 2 * kRoom> line;
  const auto add_line = [&](const char* end) {
    text_.append(line.data(), static_cast<std::size_t>(end - line.data()));
  };
  for (const ConvertedFrame& frame : frames) {
    auto* of = reinterpret_cast<GstRdpObstacles*>(frame.objects[kObstacles]);
    gsize count = 0;
    const Object* list = gst_rdp_obstacles_peek_objects(of, &count);
    if (!objects) {
      add_line(print_frame(line.data(), of, pts));
      continue;
    }
    for (gsize i = 0; i < count; ++i) add_line(print_object(line.data(), list[i], pts));
  }
  begun_ = true;
  return text_;
}

}  // namespace rdp
