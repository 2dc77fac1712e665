// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_HEIGHTMAP_HEIGHTS_EXPECTED_H_
#define RDP_TESTS_HEIGHTMAP_HEIGHTS_EXPECTED_H_

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "common/heightmap/ground.h"
#include "common/heightmap/head_tracks.h"
#include "common/heightmap/reference.h"
#include "tests/heightmap/block_views.h"

// The definition's result for a set of views, and comparisons of heightmap's buffers with it.
namespace rdp::test {

struct ExpectedHeights {
  heightmap::Rig rig;
  heightmap::Parameters parameters;
  heightmap::reference::HeightMap map;
  std::vector<std::uint16_t> heights;  // samples of src
  std::vector<std::uint16_t> depths;   // with output=depth-mm
};

inline ExpectedHeights expected_heights(const heightmap::Rig& rig,
                                        const heightmap::Parameters& parameters,
                                        const heightmap::Area& area,
                                        std::span<const DepthView> pictures) {
  ExpectedHeights expected{rig, parameters, {}, {}, {}};
  expected.map = heightmap::reference::height_map(rig, parameters, area, pictures);
  const int width = rig.seen().width;
  const auto view = [&](std::vector<std::uint16_t>* samples) {
    samples->resize(expected.map.labels.size());
    return MutableDepthView{reinterpret_cast<std::byte*>(samples->data()), 2 * width, width,
                            rig.seen().height, SampleType::kU16};
  };
  heightmap::write_heights(parameters, expected.map.labels, view(&expected.heights));
  heightmap::write_depths(rig, parameters, expected.map.labels, view(&expected.depths));
  return expected;
}

// The first difference of the metadata; empty: none.
inline std::string difference_of_metadata(const ExpectedHeights& expected, GstBuffer* buffer) {
  GstRdpHeights* heights = gst_rdp_buffer_get_heights(buffer);
  if (heights == nullptr) return "it has no heights";
  const GstRdpHeightsInfo& info = *gst_rdp_heights_get_info(heights);
  const heightmap::reference::HeightMap& map = expected.map;
  if (info.width != static_cast<guint>(expected.rig.seen().width) ||
      info.height != static_cast<guint>(expected.rig.seen().height)) {
    return "its heights are of another size";
  }
  if (info.views != expected.rig.views.size() ||
      info.reference != static_cast<guint>(expected.rig.reference)) {
    return "its heights are of other views";
  }
  if (info.energy != map.energy) return "its energy is " + std::to_string(info.energy);
  if (info.known_pixels != static_cast<guint64>(map.known)) {
    return std::to_string(info.known_pixels) + " pixels are known";
  }
  if (info.iterations != static_cast<guint>(map.iterations)) {
    return "there were " + std::to_string(info.iterations) + " iterations";
  }
  gsize n = 0;
  const GstRdpHead* heads = gst_rdp_heights_peek_heads(heights, &n);
  if (n != map.heads.size()) return "there are " + std::to_string(n) + " heads";
  for (gsize i = 0; i < n; ++i) {
    const heightmap::Head& head = map.heads[i];
    if (heads[i].column != head.column || heads[i].row != head.row ||
        heads[i].x != head.x / 1000.0 || heads[i].y != head.y / 1000.0 ||
        heads[i].height != head.height / 1000.0 ||
        heads[i].votes != static_cast<guint>(head.votes)) {
      return "head " + std::to_string(i) + " differs";
    }
  }
  return {};
}

// The first difference of the head tracks; empty: none.
inline std::string difference_of_tracks(const heightmap::HeadTracks& expected, GstBuffer* buffer) {
  GstRdpHeights* heights = gst_rdp_buffer_get_heights(buffer);
  gsize n = 0;
  gsize n_lost = 0;
  const GstRdpHeadTrack* tracks = gst_rdp_heights_peek_head_tracks(heights, &n);
  const guint32* lost = gst_rdp_heights_peek_lost_heads(heights, &n_lost);
  if (!std::ranges::equal(expected.lost(), std::span(lost, n_lost))) return "others are lost";
  if (n != expected.heads().size()) return "there are " + std::to_string(n) + " tracks";
  for (gsize i = 0; i < n; ++i) {
    const obstacles::TrackOfBox& track = expected.heads()[i];
    const float v[] = {speed_of(track, &obstacles::TrackOfBox::vx),
                       speed_of(track, &obstacles::TrackOfBox::vy)};
    const bool same = std::isnan(v[0]) ? std::isnan(tracks[i].vx) && std::isnan(tracks[i].vy)
                                       : tracks[i].vx == v[0] && tracks[i].vy == v[1];
    if (tracks[i].id != track.id || tracks[i].age != static_cast<guint>(track.age) || !same) {
      return "the track of head " + std::to_string(i) + " differs";
    }
  }
  return {};
}

}  // namespace rdp::test

#endif  // RDP_TESTS_HEIGHTMAP_HEIGHTS_EXPECTED_H_
