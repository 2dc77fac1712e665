// SPDX-License-Identifier: LGPL-2.1-or-later
// Obstacles in lines of JSON: one key, whose value has the ground, the scan, the objects and the
// grid. Lengths are in metres, angles in rad.
#include <gst/rdpsegment/rdpobstacleskind.h>

#include <cmath>
#include <cstddef>
#include <span>
#include <string_view>

#include "gst/elements/rdpmetaconvert/json_writer.h"

namespace rdp {

using namespace json;

namespace {

using Info = GstRdpObstaclesInfo;
using Object = GstRdpObstacle;

char* print_bool(char* out, bool value) { return print(out, value ? "true" : "false"); }

template <guint32 kFlag>
char* print_flag(char* out, const Object& object) {
  return print_bool(out, (object.flags & kFlag) != 0);
}

char* print_velocity(char* out, const Object& object) {
  const bool known = (object.flags & GST_RDP_OBSTACLE_SPEED) != 0;
  return known ? print_members<&Object::vx, &Object::vy>(out, object) : print(out, "null");
}

char* print_ground(char* out, const Info& info) {
  const gchar* name = gst_rdp_ground_source_get_name(info.ground);
  return name != nullptr ? print(print(print(out, "\""), name), "\"") : print(out, "null");
}

char* print_height(char* out, const Info& info) {
  return info.ground != GST_RDP_GROUND_NONE ? print(out, info.camera_height) : print(out, "null");
}

constexpr Row<Info> kGround[] = {
    {"ground", print_ground},
    {"refined", [](char* out, const Info& info) { return print_bool(out, info.refined != FALSE); }},
    {"camera-height", print_height},
    {"pitch", print_member<&Info::pitch>},
    {"roll", print_member<&Info::roll>},
};
constexpr Row<Info> kScan[] = {
    {"angle-min", print_member<&Info::angle_min>},
    {"angle-increment", print_member<&Info::angle_increment>},
    {"range-max", print_member<&Info::range_max>},
};
constexpr Row<Info> kGrid[] = {
    {"cell", print_member<&Info::cell_size>}, {"x", print_member<&Info::grid_x>},
    {"y", print_member<&Info::grid_y>},       {"columns", print_member<&Info::grid_columns>},
    {"rows", print_member<&Info::grid_rows>},
};
constexpr Row<Object> kObject[] = {
    {"id", print_member<&Object::id>},
    {"age", print_member<&Object::age>},
    {"x", print_member<&Object::x>},
    {"y", print_member<&Object::y>},
    {"length", print_member<&Object::length>},
    {"width", print_member<&Object::width>},
    {"height", print_member<&Object::height>},
    {"yaw", print_member<&Object::yaw>},
    {"distance", print_member<&Object::distance>},
    {"samples", print_member<&Object::samples>},
    {"box", print_members<&Object::column, &Object::row, &Object::columns, &Object::rows>},
    {"cut", print_flag<GST_RDP_OBSTACLE_CUT>},
    {"velocity", print_velocity},
    {"over-ground", print_flag<GST_RDP_OBSTACLE_OVER_GROUND>},
};

void add_scan(JsonWriter& line, const Info& info, std::span<const gfloat> ranges,
              std::span<const gfloat> free) {
  line.add_key("scan");
  line.add('{');
  line.add_keys(info, kScan);
  line.add_key("states");
  line.add('"');
  for (const gfloat range : ranges) {
    line.add(std::isfinite(range) ? 'o' : std::isinf(range) ? 'f' : 'u');
  }
  line.add('"');
  const auto print_metres = [](char* out, gfloat range) { return print(out, range); };
  line.add_list("ranges", ranges, print_metres);
  line.add_list("free", free, print_metres);
  line.add('}');
}

// Runs of cells with one state, and the tops of those that are occupied.
void add_grid(JsonWriter& line, const Info& info, std::span<const guint8> states,
              const guint16* tops) {
  line.add_key("grid");
  line.add('{');
  line.add_keys(info, kGrid);
  line.add_key("runs");
  line.add('[');
  for (std::size_t i = 0, end = 0; i < states.size(); i = end) {
    while (end < states.size() && states[end] == states[i]) ++end;
    if (i > 0) line.add(',');
    line.add_printed([&](char* out) {
      return print(print(print(print(print(out, "["), states[i]), ","), end - i), "]");
    });
  }
  line.add(']');
  line.add_key("tops");
  line.add('[');
  std::string_view before;
  for (std::size_t i = 0; i < states.size(); ++i) {
    if (states[i] != GST_RDP_CELL_OCCUPIED) continue;
    line.add_printed([&](char* out) {
      return print(print(out, before), static_cast<gfloat>(tops[i] / 1000.0));
    });
    before = ",";
  }
  line.add("]}");
}

void write(JsonWriter& line, const ConvertedFrame& frame, GstMiniObject* object) {
  auto* of = reinterpret_cast<GstRdpObstacles*>(object);
  const Info& info = *gst_rdp_obstacles_get_info(of);
  gsize n_objects = 0;
  gsize n_lost = 0;
  gsize n_hidden = 0;
  gsize n_bins = 0;
  gsize n_cells = 0;
  const Object* objects = gst_rdp_obstacles_peek_objects(of, &n_objects);
  const guint32* lost = gst_rdp_obstacles_peek_lost(of, &n_lost);
  const guint32* hidden = gst_rdp_obstacles_peek_hidden(of, &n_hidden);
  const gfloat* ranges = gst_rdp_obstacles_peek_ranges(of, &n_bins);
  const gfloat* free = gst_rdp_obstacles_peek_free(of, &n_bins);
  line.add_size("obstacles", info.width, info.height);
  if (frame.objects[kPlanes] == nullptr) line.add_key("unit", "\"m\"");
  line.add_key("obstacles");
  line.add('{');
  line.add_keys(info, kGround);
  add_scan(line, info, {ranges, n_bins}, {free, n_bins});
  const auto print_id = [](char* out, guint32 id) { return print(out, id); };
  line.add_list("objects", std::span(objects, n_objects),
                [](char* out, const Object& one) { return print_object(out, one, kObject); });
  line.add_list("lost", std::span(lost, n_lost), print_id);
  line.add_list("hidden", std::span(hidden, n_hidden), print_id);
  if (line.grid()) {
    const guint8* states = gst_rdp_obstacles_peek_states(of, &n_cells);
    add_grid(line, info, {states, n_cells}, gst_rdp_obstacles_peek_tops(of, &n_cells));
  }
  line.add('}');
}

}  // namespace

const ConvertKind kObstaclesKind = convert_kind<meta::ObstaclesKind>({
    .things = "obstacles",
    .maker = "depthobstacles",
    .write = write,
});

}  // namespace rdp
