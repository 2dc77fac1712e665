// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/depthpoints/points_method.h"

#include <cstddef>
#include <stdexcept>
#include <string>

#include "common/points/colours.h"
#include "gst/elements/base/host_picture.h"
#include "gst/elements/depthpoints/cloud_caps.h"

namespace rdp::gst {

// --- on the CPU ---------------------------------------------------------------------------------

void PointsMethod::CpuWorker::analyze(const Task& task) {
  const std::size_t place = method_.place(task);
  threads_.use(GST_ELEMENT(method_.element_), method_.current_.threads, &engine_);
  // Buffers are aligned to 4 bytes at least, as floats are.
  engine_.make_points(task.inputs[0].host, task.camera, method_.parameters(),
                      reinterpret_cast<float*>(task.outputs[0].bytes.data() + place));
}

// --- the method ---------------------------------------------------------------------------------

bool PointsMethod::start() { return camera_.start(copy_settings<PointsSettings>(element_).camera); }

GstCaps* PointsMethod::possible_caps(std::span<const JoinedInput> inputs, bool, bool) {
  depth_ = &inputs[0];
  video_ = inputs.size() > 1 ? &inputs[1] : nullptr;
  if (!camera_.set_frames(depth_->info)) return nullptr;
  return cloud_caps_of(inputs[0].caps, axes_name(copy_settings<PointsSettings>(element_).axes),
                       video_ != nullptr);
}

SetVerdict PointsMethod::begin_set(Pairing& set) {
  picture_ = video_ != nullptr ? set.other(0) : nullptr;
  if (picture_ == nullptr) return SetVerdict::kTaken;
  const GstVideoInfo& depth = depth_->info;
  const GstVideoInfo& video = video_->info;
  if (video.width == depth.width && video.height == depth.height) return SetVerdict::kTaken;
  GST_ELEMENT_ERROR(
      element_, STREAM, FORMAT,
      ("The pictures on the pad %s are %dx%d, but the depth is %dx%d: each point takes the colour "
       "of its own pixel. Put depthalign before this element: its pad color has the pictures as "
       "the depth camera sees them.",
       video_->name(), video.width, video.height, depth.width, depth.height),
      (nullptr));
  return SetVerdict::kRefused;
}

// The colours: on the host, where clouds are.
void PointsMethod::describe_output(std::size_t, GstBuffer* cloud) {
  if (video_ == nullptr) return;
  HostPicture mapped;
  points::ColourView colours;
  if (picture_ != nullptr) {
    std::string reason;
    if (!mapped.map(picture_, video_->info, &reason, GST_MAP_READ)) {
      throw std::runtime_error("the picture on the pad " + std::string(video_->name()) +
                               " cannot be read: " + reason);
    }
    colours = {mapped.plane(0), mapped.stride(0), video_->info.width, video_->info.height,
               pixel_layout(GST_VIDEO_INFO_FORMAT(&video_->info))};
  }
  GstMapInfo map;
  if (!gst_buffer_map(cloud, &map, GST_MAP_READWRITE)) {
    throw std::runtime_error("the buffer of its cloud cannot be written");
  }
  points::add_colours(colours, {reinterpret_cast<std::byte*>(map.data), map.size});
  gst_buffer_unmap(cloud, &map);
}

Plan PointsMethod::plan(const Frame&) {
  current_ = copy_settings<PointsSettings>(element_);
  // An empty range of valid samples is a mistake that looks like a broken camera.
  std::string wrong;
  if (current_.min_value > current_.max_value) {
    wrong = "no sample is valid with min-value=" + std::to_string(current_.min_value) +
            " and max-value=" + std::to_string(current_.max_value) +
            ": set min-value no larger than max-value";
  }
  std::pair<guint, guint> range = {current_.min_value, current_.max_value};
  fitting_.update(GST_ELEMENT(element_), "Frames cannot be converted to points", wrong, &range);
  current_.min_value = range.first;
  current_.max_value = range.second;
  Plan plan;
  plan.known = {current_.min_value, current_.max_value};
  plan.camera.measures = true;
  plan.camera.metres_for = "A cloud of points";
  plan.camera.required = true;
  plan.camera.outputs_keep_it = true;
  plan.camera_settings = &current_.camera;
  return plan;
}

points::Parameters PointsMethod::parameters() const {
  return {{current_.min_value, current_.max_value},
          current_.axes == GST_RDP_POINT_AXES_FORWARD_LEFT_UP};
}

std::size_t PointsMethod::place(const Task& task) const {
  if (task.inputs.size() != 1) {
    throw std::runtime_error(
        "a buffer has a batch of " + std::to_string(task.inputs.size()) +
        " frames, expected one: a cloud comes from one camera (nvstreamdemux splits batches)");
  }
  const std::size_t points = static_cast<std::size_t>(task.inputs[0].width()) *
                             static_cast<std::size_t>(task.inputs[0].height());
  const bool coloured = video_ != nullptr;
  const std::size_t expected =
      points * (coloured ? points::kColouredPointBytes : points::kPointBytes);
  if (task.outputs[0].bytes.size() == expected) {
    return coloured ? points::place_of_points(points) : 0;
  }
  throw std::runtime_error("the buffer for the cloud has " +
                           std::to_string(task.outputs[0].bytes.size()) + " bytes, expected " +
                           std::to_string(expected));
}

}  // namespace rdp::gst
