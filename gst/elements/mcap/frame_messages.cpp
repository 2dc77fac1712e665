// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/mcap/frame_messages.h"

#include <algorithm>
#include <cmath>
#include <new>
#include <string_view>
#include <utility>

#include "common/image/index_colour.h"
#include "gst/elements/mcap/camera_message.h"
#include "gst/elements/rdpmetaconvert/segment_frame.h"

namespace rdp::gst {
namespace {

// Name of the obstacles' coordinate frame, on the ground below the camera.
std::string ground_of(std::string_view frame_id) {
  constexpr std::string_view kOptical = "_optical_frame";
  if (frame_id.ends_with(kOptical)) frame_id.remove_suffix(kOptical.size());
  return std::string(frame_id) + "_ground";
}

// The pose of the ground's axes in the camera's frame.
ros::Transform ground_transform(const GstRdpObstaclesInfo& info) {
  const double(&a)[9] = info.axes;  // rows: forward, left, up
  const double h = info.camera_height;
  return {{-h * a[6], -h * a[7], -h * a[8]},
          quaternion_of({a[0], a[3], a[6], a[1], a[4], a[7], a[2], a[5], a[8]})};
}

}  // namespace

FrameMessages::FrameMessages(PadTopics* topics, const StreamOptions& options, std::string frame_id)
    : topics_(topics),
      options_(options),
      frame_id_(std::move(frame_id)),
      ground_id_(ground_of(frame_id_)) {}

void FrameMessages::begin(GstBuffer* buffer, std::uint64_t stamp) {
  buffer_ = buffer;
  topics_->begin(stamp, frame_id_);
  find_camera();
}

void FrameMessages::find_camera() {
  g_autoptr(GError) error = nullptr;
  camera_.reset(gst_rdp_buffer_get_camera(buffer_, &error));
  if (error != nullptr && !g_error_matches(error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_SETTINGS)) {
    throw std::bad_alloc();
  }
  if (error != nullptr && !std::exchange(warned_, true)) {
    options_.warn(std::string("Frames are recorded without their camera from this one on: ") +
                  error->message + ".");
  }
}

void FrameMessages::add_before(std::span<const std::byte> samples) {
  first_pose_.reset();
  if (options_.metadata) {
    std::span<const std::byte> items = items_.of(buffer_, camera());
    if (!samples.empty()) items = items_.add_samples(samples);
    if (items_channel_ == 0) items_channel_ = topics_->channel<ros::UInt8MultiArray>("/rdp");
    topics_->add(items_channel_, ros::UInt8MultiArray{{}, ros::Blob::of(items)});
  }
  if (camera() == nullptr) return;
  const GstRdpCameraInfo& info = *gst_rdp_camera_get_info(camera());
  add_camera(info);
  if (info.has_pose != FALSE) add_pose(info);
}

void FrameMessages::add_camera(const GstRdpCameraInfo& camera) {
  if (camera_channel_ == 0) camera_channel_ = topics_->channel<ros::CameraInfo>("/camera_info");
  ros::CameraInfo message = camera_message(camera, &distortion_);
  message.header = topics_->header();
  topics_->add(camera_channel_, message);
}

void FrameMessages::add_transform(std::uint16_t channel, std::string_view parent,
                                  std::string_view child, const ros::Transform& transform,
                                  bool latches) {
  ros::TFMessage message{{{topics_->header(), child, transform}}};
  message.transforms[0].header.frame_id = parent;
  topics_->add(channel, message, latches ? child : std::string_view());
}

void FrameMessages::add_pose(const GstRdpCameraInfo& camera) {
  Pose pose;
  std::copy(std::begin(camera.pose), std::end(camera.pose), pose.begin());
  const bool first = !options_.pose->has_value();
  if (first) {
    first_pose_ = pose;
    static_ = topics_->channel<ros::TFMessage>("/tf_static", {}, true);
  } else if (moving_ == 0) {
    if (pose == **options_.pose) return;
    moving_ = topics_->channel<ros::TFMessage>("/tf");
  }
  add_transform(first ? static_ : moving_, "world", frame_id_, pose_message(camera), first);
}

mcap::Recording::Result FrameMessages::finish() {
  add_json();
  add_scan();
  if (options_.markers) add_markers();
  const mcap::Recording::Result result = topics_->write();
  // A frame that was dropped leaves the pose to the next one.
  if (result == mcap::Recording::Result::kWritten && first_pose_) *options_.pose = first_pose_;
  return result;
}

void FrameMessages::add_json() {
  g_autoptr(GError) error = nullptr;
  const FrameList::Result result = list_.take(buffer_, {.skip = true}, &error);
  if (result == FrameList::Result::kLost) {
    throw LostError(std::string("The ") + list_.lost() +
                    " of a frame are lost: the GPU that had them failed (" + error->message + ").");
  }
  if (result != FrameList::Result::kOk) return;
  if (json_ == 0) json_ = topics_->channel<ros::String>("/json");
  topics_->add_lines(json_, json_writer_.lines(list_.frames(), GST_BUFFER_PTS(buffer_), false));
}

// The scan of the first frame of a batch.
void FrameMessages::add_scan() {
  const GstRdpObstaclesMeta* meta = gst_buffer_get_rdp_obstacles_meta(buffer_);
  if (meta == nullptr) return;
  const GstRdpObstaclesInfo& info = *gst_rdp_obstacles_get_info(meta->obstacles);
  gsize bins = 0;
  const gfloat* ranges = gst_rdp_obstacles_peek_ranges(meta->obstacles, &bins);
  if (bins == 0 || info.ground == GST_RDP_GROUND_NONE) return;
  if (scan_ == 0) {
    scan_ = topics_->channel<ros::LaserScan>("/scan");
    ground_ = topics_->channel<ros::TFMessage>("/tf");
  }
  add_transform(ground_, frame_id_, ground_id_, ground_transform(info));
  ros::LaserScan scan;
  scan.header = topics_->header();
  scan.header.frame_id = ground_id_;
  scan.angle_min = static_cast<float>(info.angle_min);
  scan.angle_max =
      static_cast<float>(info.angle_min + info.angle_increment * static_cast<double>(bins - 1));
  scan.angle_increment = static_cast<float>(info.angle_increment);
  scan.range_max = static_cast<float>(info.range_max);
  scan.ranges = ros::Packed<float>({ranges, bins});
  topics_->add(scan_, scan);
}

// --- markers ------------------------------------------------------------------------------------

ros::Marker* FrameMessages::add_marker(const char* group, int id, int type, int colour) {
  const Rgb rgb = index_colour(colour);
  ros::Marker& marker = markers_.markers.emplace_back();
  marker.header = topics_->header();
  marker.ns = group;
  marker.id = id;
  marker.type = type;
  marker.scale = {0.01, 0.0, 0.0};
  marker.color = {static_cast<float>(rgb.r) / 255.0F, static_cast<float>(rgb.g) / 255.0F,
                  static_cast<float>(rgb.b) / 255.0F, 1.0F};
  if (points_.size() < markers_.markers.size()) points_.resize(markers_.markers.size());
  points_[markers_.markers.size() - 1].clear();
  return &marker;
}

void FrameMessages::add_segment_markers(const ConvertedFrame& frame) {
  const SegmentFrame of(frame);
  const std::span<const float> points = of.points(&floats_);
  const guint8* classes = of.classes();
  for (int wanted = 0; wanted < (classes != nullptr ? 4 : 1); ++wanted) {
    add_marker("segments", wanted, ros::Marker::kLineList, wanted);
    std::vector<ros::Point>& line = points_[markers_.markers.size() - 1];
    for (std::size_t i = 0; 6 * i < points.size(); ++i) {
      if (classes != nullptr && classes[i] != wanted) continue;
      const float* p = points.data() + 6 * i;
      line.push_back({p[0], p[1], p[2]});
      line.push_back({p[3], p[4], p[5]});
    }
  }
}

void FrameMessages::add_plane_markers(GstRdpPlanes* planes) {
  gsize count = 0;
  const GstRdpPlane* all = gst_rdp_planes_peek_planes(planes, &count);
  gsize n_corners = 0;
  const GstRdpPlaneCorner* corners = gst_rdp_planes_peek_corners(planes, &n_corners);
  for (gsize i = 0; i < count; ++i) {
    if (all[i].n_corners == 0) continue;
    const int id = static_cast<int>(i);
    add_marker("planes", id, ros::Marker::kLineStrip, id);
    std::vector<ros::Point>& line = points_[markers_.markers.size() - 1];
    for (guint32 c = 0; c <= all[i].n_corners; ++c) {  // closed
      const GstRdpPlaneCorner& corner = corners[all[i].first_corner + c % all[i].n_corners];
      line.push_back({corner.x, corner.y, corner.z});
    }
  }
}

void FrameMessages::add_obstacle_markers(GstRdpObstacles* obstacles) {
  gsize count = 0;
  const GstRdpObstacle* objects = gst_rdp_obstacles_peek_objects(obstacles, &count);
  for (gsize i = 0; i < count; ++i) {
    const GstRdpObstacle& object = objects[i];
    ros::Marker* marker = add_marker("obstacles", static_cast<int>(object.id), ros::Marker::kCube,
                                     static_cast<int>(object.id & 0xff));
    marker->header.frame_id = ground_id_;
    marker->pose.position = {object.x, object.y, object.height / 2.0};
    marker->pose.orientation = {0.0, 0.0, std::sin(object.yaw / 2.0), std::cos(object.yaw / 2.0)};
    marker->scale = {object.length, object.width, object.height};
    marker->color.a = 0.6F;
  }
}

void FrameMessages::add_markers() {
  g_autoptr(GError) error = nullptr;
  if (metric_list_.take(buffer_, {.metres = true, .skip = true}, &error) !=
      FrameList::Result::kOk) {
    return;
  }
  markers_.markers.clear();
  add_marker("", 0, 0, 0)->action = ros::Marker::kDeleteAll;
  for (const ConvertedFrame& frame : metric_list_.frames()) {
    if (frame.objects[kSegments] != nullptr && frame.camera != nullptr) add_segment_markers(frame);
    if (frame.objects[kPlanes] != nullptr) {
      add_plane_markers(reinterpret_cast<GstRdpPlanes*>(frame.objects[kPlanes]));
    }
    if (frame.objects[kObstacles] != nullptr) {
      add_obstacle_markers(reinterpret_cast<GstRdpObstacles*>(frame.objects[kObstacles]));
    }
  }
  for (std::size_t i = 0; i < markers_.markers.size(); ++i) {
    markers_.markers[i].points = ros::Packed<ros::Point>(points_[i]);
  }
  if (markers_channel_ == 0) markers_channel_ = topics_->channel<ros::MarkerArray>("/markers");
  topics_->add(markers_channel_, markers_);
}

}  // namespace rdp::gst
