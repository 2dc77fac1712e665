// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/heightmap/height_settings.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "common/heightmap/ground.h"
#include "gst/elements/base/enum_type.h"
#include "gst/memory/frame_layout.h"

namespace rdp::gst {
namespace {

using heightmap::Parameters;

// Largest coordinate of an area's corners, in metres from the world's origin.
constexpr double kFarthest = 1000.0;
// Bytes in the MB of messages.
constexpr std::uint64_t kMegabyte = 1000000;

}  // namespace

GType height_output_get_type() {
  return enum_type<HeightOutput>(
      "GstHeightmapOutput",
      {{HeightOutput::kHeightMm, "Height above the ground in mm", "height-mm"},
       {HeightOutput::kDepthMm, "Depth Z along the reference camera's axis in mm", "depth-mm"}});
}

GType undistort_get_type() {
  return enum_type<Undistort>("GstHeightmapUndistort",
                              {{Undistort::kAuto, "Resample views with lens distortion", "auto"},
                               {Undistort::kOff, "Refuse views with lens distortion", "off"}});
}

GType heights_overlay_style_get_type() {
  using heightmap::OverlayStyle;
  return enum_type<OverlayStyle>(
      "GstHeightmapOverlayStyle",
      {{OverlayStyle::kHeights, "Heights in colours over the reference picture", "heights"},
       {OverlayStyle::kHeads, "Reference picture with a cross and the height at each head",
        "heads"},
       {OverlayStyle::kBirdsEye, "Bird's-eye view of the ground, with a grid in metres",
        "birdseye"}});
}

int millimetres(double metres) { return static_cast<int>(std::floor(1000.0 * metres + 0.5)); }

Parameters parameters_of(const HeightSearch& search) {
  Parameters parameters = search.parameters;
  parameters.min_height = millimetres(search.min_height);
  parameters.max_height = millimetres(search.max_height);
  parameters.height_step = millimetres(search.height_step);
  parameters.low_step = millimetres(search.low_step);
  return parameters;
}

std::string explain_settings(const HeightSearch& search) {
  const Parameters parameters = parameters_of(search);
  if (parameters.max_height < parameters.min_height) {
    return format_text(
        "max-height=%g is below min-height=%g: expected the heights from the lowest to the "
        "highest, "
        "in metres",
        search.max_height, search.min_height);
  }
  if (parameters.heights() > heightmap::kMaxHeights) {
    const int range = parameters.max_height - parameters.min_height;
    return format_text(
        "min-height=%g to max-height=%g in steps of height-step=%g are %d heights, expected at "
        "most %d: set height-step=%g or more, or a smaller range",
        search.min_height, search.max_height, search.height_step, parameters.heights(),
        heightmap::kMaxHeights, (range / heightmap::kMaxHeights + 1) / 1000.0);
  }
  if (parameters.window % 2 == 0) {
    return format_text("window=%d is even, expected an odd number of pixels: set window=%d",
                       parameters.window, parameters.window - 1);
  }
  return {};
}

// --- the area -----------------------------------------------------------------------------------

bool read_area(const char* text, heightmap::Area* area, std::string* reason) {
  area->clear();
  if (text == nullptr) return true;
  const auto fail = [&](const char* found, const char* end) {
    const ShownText shown(std::string(found, static_cast<std::size_t>(end - found)));
    *reason = format_text(
        "found \"%s\" in area=\"%s\", expected corners in metres on the ground, \"x,y x,y x,y\": "
        "three or more, each number within %g m of the world's origin",
        shown.get(), ShownText(text).get(), kFarthest);
    area->clear();
    return false;
  };
  const auto is_space = [](char c) { return g_ascii_isspace(c) != FALSE; };
  const char* at = text;
  while (true) {
    while (is_space(*at)) ++at;
    if (*at == '\0') break;
    const char* const corner = at;
    const char* next = corner;
    while (*next != '\0' && !is_space(*next)) ++next;
    double numbers[2];
    for (int i = 0; i < 2; ++i) {
      gchar* end = nullptr;
      // g_ascii_strtod() would skip spaces and read hexadecimal numbers, which no user means.
      if (is_space(*at)) return fail(corner, next);
      numbers[i] = g_ascii_strtod(at, &end);
      const bool hexadecimal = std::any_of(at, static_cast<const char*>(end),
                                           [](char c) { return c == 'x' || c == 'X'; });
      if (end == at || hexadecimal || !(std::fabs(numbers[i]) <= kFarthest))
        return fail(corner, next);
      at = end;
      if (i == 0 && *at++ != ',') return fail(corner, next);
    }
    if (at != next) return fail(corner, next);
    area->push_back({millimetres(numbers[0]), millimetres(numbers[1])});
  }
  const auto [least, most] = std::minmax_element(
      area->begin(), area->end(), [](const auto& a, const auto& b) { return a.x < b.x; });
  const auto [low, high] = std::minmax_element(
      area->begin(), area->end(), [](const auto& a, const auto& b) { return a.y < b.y; });
  if (area->size() < 3 || least->x == most->x || low->y == high->y) {
    return fail(text, text + std::char_traits<char>::length(text));
  }
  return true;
}

std::string explain_grid(const heightmap::Area& area, int cell) {
  const heightmap::GroundGrid grid = heightmap::ground_grid(area, cell);
  if (grid.columns <= heightmap::kMaxCells && grid.rows <= heightmap::kMaxCells) return {};
  const auto [least_x, most_x] = std::minmax_element(
      area.begin(), area.end(), [](const auto& a, const auto& b) { return a.x < b.x; });
  const auto [least_y, most_y] = std::minmax_element(
      area.begin(), area.end(), [](const auto& a, const auto& b) { return a.y < b.y; });
  const int side = std::max(most_x->x - least_x->x, most_y->y - least_y->y);
  return format_text("area is of %" G_GINT64_FORMAT " x %" G_GINT64_FORMAT
                     " cells of cell-size=%g m, expected at most %d a side on the pad ground: set "
                     "cell-size=%g or more, or a smaller area",
                     static_cast<gint64>(grid.columns), static_cast<gint64>(grid.rows),
                     cell / 1000.0, heightmap::kMaxCells,
                     (side / (heightmap::kMaxCells - 1) + 1) / 1000.0);
}

// --- memory -------------------------------------------------------------------------------------

std::string explain_memory(const heightmap::Memory& memory, std::uint64_t most, Processor of,
                           const heightmap::Rig& rig, const Parameters& parameters) {
  const std::uint64_t needed = memory.work + memory.table;
  if (needed <= most) return {};
  const bool on_gpu = of == Processor::kGpu;
  std::string table;
  if (memory.table > 0) {
    table = format_text(", %" G_GUINT64_FORMAT " MB of them for the projection table",
                        static_cast<guint64>(memory.table / kMegabyte));
  }
  return format_text(
      "%" G_GSIZE_FORMAT " views, labelled in %dx%d with %d heights, need %" G_GUINT64_FORMAT
      " MB%s, and %s %" G_GUINT64_FORMAT
      " MB: scale the pictures down (videoscale, with a calibration of that size), take fewer "
      "heights (height-step), or set %s",
      rig.views.size(), rig.seen().width, rig.seen().height, parameters.heights(),
      static_cast<guint64>(needed / kMegabyte + 1), table.c_str(),
      on_gpu ? "the GPU has" : "there are", static_cast<guint64>(most / kMegabyte),
      on_gpu ? "backend=cpu, with frames in system memory" : "table-memory=0");
}

std::uint64_t most_memory() {
  std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page = sysconf(_SC_PAGESIZE);
  if (pages > 0 && page > 0) {
    most = static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page);
  }
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
    most = std::min<std::uint64_t>(most, limit.rlim_cur);
  }
  return most;
}

}  // namespace rdp::gst
