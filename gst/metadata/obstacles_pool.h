// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_METADATA_OBSTACLES_POOL_H_
#define RDP_GST_METADATA_OBSTACLES_POOL_H_

#include <gst/rdpsegment/rdpobstacleskind.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "common/obstacles/parameters.h"
#include "common/obstacles/tracks.h"
#include "gst/metadata/result_pool.h"

namespace rdp::gst {

// The info of a frame's obstacles: frame, width and height are 0. Converts whole millimetres of
// common/obstacles to the metadata's metres. Without ground the source is none.
GstRdpObstaclesInfo obstacles_info(const obstacles::Obstacles& found,
                                   const obstacles::Parameters& parameters,
                                   GstRdpGroundSource source);

// The obstacles of a frame. An engine fills found(), then set() completes it. Does not copy states
// and tops.
class ObstaclesContent {
 public:
  using Kind = meta::ObstaclesKind;

  obstacles::Obstacles* found() { return &found_; }

  // Copies boxes and lists of `tracks` after its update() with the objects, in their order. Speeds
  // are over ground or relative to the camera. Throws std::bad_alloc.
  void set(const obstacles::Parameters& parameters, const obstacles::Tracks& tracks,
           bool over_ground);
  // The objects made by set(), so that others can add speeds.
  std::span<GstRdpObstacle> objects() { return objects_; }

  GstRdpObstaclesArrays arrays() const;
  bool fetch(std::string*) noexcept { return true; }
  void clear();
  void recycled() noexcept {}

 private:
  obstacles::Obstacles found_;
  std::size_t n_cells_ = 0;  // 0 until set()
  std::vector<GstRdpObstacle> objects_;
  std::vector<std::uint32_t> lost_;
  std::vector<std::uint32_t> hidden_;
  std::vector<float> ranges_;
  std::vector<float> free_;
};

using ObstaclesPool = ResultPool<ObstaclesContent>;
using ObstaclesDraft = ObstaclesPool::Draft;

}  // namespace rdp::gst

#endif  // RDP_GST_METADATA_OBSTACLES_POOL_H_
