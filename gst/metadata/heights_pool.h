// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_METADATA_HEIGHTS_POOL_H_
#define RDP_GST_METADATA_HEIGHTS_POOL_H_

#include <gst/rdpsegment/rdpheightskind.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "common/heightmap/geometry.h"
#include "common/heightmap/ground.h"
#include "common/heightmap/head_tracks.h"
#include "common/heightmap/result.h"
#include "common/heightmap/rig.h"
#include "common/image/grow_buffer.h"
#include "gst/metadata/result_pool.h"

namespace rdp::gst {

// The metadata has metres, common/heightmap whole millimetres. Converted metres are the closest
// doubles, which give the same millimetres back.

// The info of a set of pictures: frame, spread and ground are 0.
inline GstRdpHeightsInfo heights_info(const heightmap::Rig& rig, const heightmap::Result& result) {
  GstRdpHeightsInfo info;
  gst_rdp_heights_info_init(&info);
  info.width = static_cast<guint>(rig.seen().width);
  info.height = static_cast<guint>(rig.seen().height);
  info.views = static_cast<guint>(rig.views.size());
  info.reference = static_cast<guint>(rig.reference);
  info.energy = result.energy;
  info.known_pixels = static_cast<guint64>(result.known);
  info.iterations = static_cast<guint>(result.iterations);
  return info;
}

// Sets the ground; a grid without cells leaves it 0. At most kMaxCells a side.
inline void set_ground(const heightmap::GroundGrid& grid, GstRdpHeightsInfo* info) {
  const bool any = grid.columns > 0 && grid.rows > 0;
  info->ground_columns = any ? static_cast<guint>(grid.columns) : 0;
  info->ground_rows = any ? static_cast<guint>(grid.rows) : 0;
  info->ground_x = any ? heightmap::metres(grid.x) : 0;
  info->ground_y = any ? heightmap::metres(grid.y) : 0;
  info->ground_cell = any ? heightmap::metres(grid.cell) : 0;
}

// The heads of a frame.
class HeightsContent {
 public:
  using Kind = meta::HeightsKind;

  // Copies them. Throws std::bad_alloc.
  void set(std::span<const heightmap::Head> heads) {
    clear();
    std::ranges::transform(heads, heads_.ensure(heads.size() + 1), [](const auto& head) {
      return GstRdpHead{static_cast<guint16>(head.column), static_cast<guint16>(head.row),
                        static_cast<guint32>(head.votes),  heightmap::metres(head.x),
                        heightmap::metres(head.y),         heightmap::metres(head.height)};
    });
    n_heads_ = heads.size();
  }
  // Copies the tracks of the same heads, after set(). Throws std::bad_alloc.
  void set_tracks(const heightmap::HeadTracks& tracks) {
    using Track = obstacles::TrackOfBox;
    for (const Track& track : tracks.heads()) {
      tracks_.push_back({track.id, static_cast<guint32>(track.age), speed_of(track, &Track::vx),
                         speed_of(track, &Track::vy)});
    }
    lost_.assign(tracks.lost().begin(), tracks.lost().end());
  }

  GstRdpHeightsArrays arrays() const {
    return {heads_.data(), n_heads_, tracks_.data(), tracks_.size(), lost_.data(), lost_.size()};
  }

  bool fetch(std::string*) noexcept { return true; }
  void clear() {
    n_heads_ = 0;
    tracks_.clear();
    lost_.clear();
    heads_.ensure(1);  // null would mean remote arrays
  }
  void recycled() noexcept {}

 private:
  GrowBuffer<GstRdpHead> heads_;
  std::size_t n_heads_ = 0;
  std::vector<GstRdpHeadTrack> tracks_;
  std::vector<guint32> lost_;
};

using HeightsPool = ResultPool<HeightsContent>;
using HeightsDraft = HeightsPool::Draft;

}  // namespace rdp::gst

#endif  // RDP_GST_METADATA_HEIGHTS_POOL_H_
