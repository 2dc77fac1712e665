// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_MCAP_FRAME_MESSAGES_H_
#define RDP_GST_ELEMENTS_MCAP_FRAME_MESSAGES_H_

#include <gst/rdpsegment/rdpsegment.h>

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/mcap/marker_messages.h"
#include "gst/elements/mcap/frame_items.h"
#include "gst/elements/mcap/mcap_enums.h"
#include "gst/elements/mcap/pad_topics.h"
#include "gst/elements/rdpmetaconvert/frame_list.h"
#include "gst/elements/rdpmetaconvert/json_writer.h"

namespace rdp::gst {

struct StreamOptions {
  McapDisparity disparity = McapDisparity::kBoth;
  bool metadata = true;
  bool markers = false;
};

// The messages of what a frame or a cloud has beside its samples. Those of a frame are to be
// written before the next one.
class FrameMessages {
 public:
  FrameMessages(PadTopics* topics, const StreamOptions& options, std::string frame_id);

  // Before the samples: what they need. `samples`: those that no other topic has as they came.
  void add_before(GstBuffer* buffer, std::span<const std::byte> samples = {});
  // Behind them: JSON, scans and markers. Throws LostError.
  void add_behind(GstBuffer* buffer);

 private:
  void add_camera(const GstRdpCameraInfo& camera);
  void add_pose(const GstRdpCameraInfo& camera);
  void add_json(GstBuffer* buffer);
  void add_scan(GstBuffer* buffer);
  void add_markers(GstBuffer* buffer);
  void add_segment_markers(const ConvertedFrame& frame);
  void add_plane_markers(GstRdpPlanes* planes);
  void add_obstacle_markers(GstRdpObstacles* obstacles);
  ros::Marker* add_marker(const char* group, int id, int type, int colour);
  void add_transform(std::uint16_t channel, std::string_view parent, std::string_view child,
                     const ros::Transform& transform);

  PadTopics* topics_;
  const StreamOptions options_;
  const std::string frame_id_;
  const std::string ground_id_;
  // Channels; 0: not yet there.
  std::uint16_t camera_ = 0, items_channel_ = 0, json_ = 0, scan_ = 0, markers_channel_ = 0;
  std::uint16_t static_ = 0, moving_ = 0, ground_ = 0;

  FrameItems items_;
  FrameList list_;
  FrameList metric_list_;
  JsonWriter json_writer_;
  GrowBuffer<float> floats_;
  std::array<double, 8> distortion_{};
  std::optional<std::array<double, 12>> pose_;  // that is in /tf_static
  ros::MarkerArray markers_;
  std::vector<std::vector<ros::Point>> points_;  // of each marker
};

// The arrays of a frame's metadata are lost.
class LostError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_MCAP_FRAME_MESSAGES_H_
