// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_MCAP_FRAME_MESSAGES_H_
#define RDP_GST_ELEMENTS_MCAP_FRAME_MESSAGES_H_

#include <gst/rdpsegment/rdpsegment.h>

#include <array>
#include <cstddef>
#include <functional>
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

using Pose = std::array<double, 12>;

struct StreamOptions {
  McapDisparity disparity = McapDisparity::kBoth;
  bool metadata = true;
  bool markers = false;
  // The camera pose that /tf_static has for the pad, kept across its streams.
  std::optional<Pose>* pose = nullptr;
  std::function<void(const std::string&)> warn;  // warns the user of non-fatal problems
};

// Writes the messages of a frame or a cloud. Call in order: begin(), add_before(), the samples,
// finish().
class FrameMessages {
 public:
  FrameMessages(PadTopics* topics, const StreamOptions& options, std::string frame_id);

  void begin(GstBuffer* buffer, std::uint64_t stamp);
  // The frame's camera; null: it has none. A lost camera is reported to the user once.
  GstRdpCamera* camera() const { return camera_.get(); }
  // Adds the messages that precede the samples. `samples`: the original ones, if no other topic has
  // them.
  void add_before(std::span<const std::byte> samples = {});
  // Adds the messages after the samples (JSON, scans, markers) and writes the frame. Throws
  // LostError.
  mcap::Recording::Result finish();

 private:
  void find_camera();
  void add_camera(const GstRdpCameraInfo& camera);
  void add_pose(const GstRdpCameraInfo& camera);
  void add_json();
  void add_scan();
  void add_markers();
  void add_segment_markers(const ConvertedFrame& frame);
  void add_plane_markers(GstRdpPlanes* planes);
  void add_obstacle_markers(GstRdpObstacles* obstacles);
  ros::Marker* add_marker(const char* group, int id, int type, int colour);
  void add_transform(std::uint16_t channel, std::string_view parent, std::string_view child,
                     const ros::Transform& transform, bool latches = false);

  PadTopics* topics_;
  const StreamOptions options_;
  const std::string frame_id_;
  const std::string ground_id_;
  // Channels; 0: not yet there.
  std::uint16_t camera_channel_ = 0, items_channel_ = 0, json_ = 0, scan_ = 0, markers_channel_ = 0;
  std::uint16_t static_ = 0, moving_ = 0, ground_ = 0;

  GstBuffer* buffer_ = nullptr;  // of the frame
  CameraRef camera_;
  bool warned_ = false;             // of a camera that was lost
  std::optional<Pose> first_pose_;  // of the frame, if that is the first one
  FrameItems items_;
  FrameList list_;
  FrameList metric_list_;
  JsonWriter json_writer_;
  GrowBuffer<float> floats_;
  std::array<double, 8> distortion_{};
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
