// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/depthpoints/points_method.h"

#include <cstddef>
#include <stdexcept>
#include <string>

namespace rdp::gst {

// --- on the CPU ---------------------------------------------------------------------------------

void PointsMethod::CpuWorker::analyze(const Task& task) {
  check(task);
  threads_.use(GST_ELEMENT(method_.element_), method_.current_.threads, &engine_);
  // Buffers are aligned to 4 bytes at least, as floats are.
  engine_.make_points(task.inputs[0].host, task.camera, method_.parameters(),
                      reinterpret_cast<float*>(task.outputs[0].bytes.data()));
}

// --- the method ---------------------------------------------------------------------------------

Plan PointsMethod::plan(const Arrival&) {
  current_ = copy_settings<PointsSettings>(element_);
  // A range without a sample that is known is a mistake, which looks like a broken camera.
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

void PointsMethod::check(const Task& task) {
  if (task.inputs.size() != 1) {
    throw std::runtime_error(
        "a buffer has a batch of " + std::to_string(task.inputs.size()) +
        " frames, expected one: a cloud comes from one camera (nvstreamdemux splits batches)");
  }
  const std::size_t expected = points::kPointBytes *
                               static_cast<std::size_t>(task.inputs[0].width()) *
                               static_cast<std::size_t>(task.inputs[0].height());
  if (task.outputs[0].bytes.size() == expected) return;
  throw std::runtime_error("the buffer for the cloud has " +
                           std::to_string(task.outputs[0].bytes.size()) + " bytes, expected " +
                           std::to_string(expected));
}

}  // namespace rdp::gst
