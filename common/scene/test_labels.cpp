// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/scene/test_labels.h"

#include <cstddef>
#include <cstring>

#include "common/image/float_environment.h"
#include "common/scene/pattern_geometry.h"

namespace rdp {

// Each surface of a ramp or of steps is a plane of its own.
std::span<const std::int16_t> TestLabelRenderer::surfaces_of_row() {
  canvas_.next_row();
  const std::span<const std::int32_t> surfaces = canvas_.surfaces();
  std::int16_t* row = row_.ensure(surfaces.size());
  for (std::size_t c = 0; c < surfaces.size(); ++c) row[c] = static_cast<std::int16_t>(surfaces[c]);
  return {row, surfaces.size()};
}

void TestLabelRenderer::write_surfaces(const MutableDepthView& labels) {
  for (int r = 0; r < labels.height; ++r) {
    canvas_.next_row();
    std::byte* row = labels.row(r);
    for (const std::int32_t surface : canvas_.surfaces()) {
      *row++ = static_cast<std::byte>(surfaces_.at(surface).label);
    }
  }
}

void TestLabelRenderer::write_things(const RoomScene& room, const MutableDepthView& labels) {
  for (int r = 0; r < labels.height; ++r) {
    std::byte* row = labels.row(r);
    for (const std::int16_t plane : room_.next_row().planes) {
      *row++ = static_cast<std::byte>(plane < 0 ? 0 : room.plane(plane).thing);
    }
  }
}

void TestLabelRenderer::draw(std::uint64_t number, const TestPatternOptions& options,
                             const MutableDepthView& labels) {
  const TestPattern pattern = options.pattern;
  if (!has_distances(pattern)) {
    for (int r = 0; r < labels.height; ++r) {
      std::memset(labels.row(r), 0, static_cast<std::size_t>(labels.width));
    }
    return;
  }
  with_standard_floats([&] {
    const TestCamera camera = camera_of_pattern(pattern, labels.width, labels.height);
    const bool is_room = pattern == TestPattern::kRoom;
    if (pattern == TestPattern::kParcels) {
      const RoomScene& room = keeper_.get_parcels(options.seed, number);
      room_.begin(room, room.pose(number), 0.0, camera, labels.width, labels.height);
      write_things(room, labels);
      return;
    }
    if (is_room) {
      const RoomScene& room = keeper_.get(options.seed);
      room_.begin(room, room.pose(number), 0.0, camera, labels.width, labels.height);
    } else {
      canvas_.begin(labels.width, labels.height);
      surfaces_.begin();
      draw_pattern(number, options, {camera, 0.0, &surfaces_}, &canvas_);
    }
    if (pattern == TestPattern::kTraffic) {
      write_surfaces(labels);
      return;
    }
    parts_.begin(labels.width, labels.height);
    for (int r = 0; r < labels.height; ++r) {
      parts_.add_row(is_room ? room_.next_row().planes : surfaces_of_row());
    }
    parts_.write(labels);
  });
}

RoomView::SeenPlane TestLabelRenderer::seen_plane(int label) const {
  return room_.seen_plane(parts_.planes()[static_cast<std::size_t>(label - 1)]);
}

}  // namespace rdp
