// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/depthplanes/planes_method.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>

#include "common/boundary.h"
#include "common/clouds/pose.h"
#include "common/planes/frames/geometry.h"
#include "common/planes/limits.h"
#include "gst/elements/depthplanes/planes_properties.h"
#include "gst/memory/frame_layout.h"
#include "gst/metadata/attach_results.h"

namespace rdp::gst {
namespace {

const char* objection_to(const MetricCamera& camera, int width, int height) {
  if (!camera.distortion.none) {
    return "the camera's lens distorts, but planes need a camera without distortion: rectify the "
           "frames upstream, and set the camera of the rectified frames, whose distortion is 0";
  }
  if (!planes::rays_fit(width, height, camera)) {
    return "the camera's view reaches farther than 64 degrees off its axis: check focal-length, "
           "principal-x and principal-y, or crop the frames upstream, and set the camera of the "
           "cropped frames";
  }
  return nullptr;
}

// The tolerance in effect, set or default, for the metadata.
double tolerance_of(const planes::Parameters& parameters, bool cloud) {
  if (parameters.tolerance > 0.0) return parameters.tolerance;
  return cloud ? 0.020 : 0.005;
}

// A wider cloud may show a street, whose ground bends.
constexpr double kWide = 20.0;  // m

// The tolerance that a message about such a cloud proposes.
double larger_tolerance(const planes::Parameters& parameters) {
  constexpr double kOfStreets = 0.1;  // m
  return std::max(kOfStreets, 2.0 * tolerance_of(parameters, true));
}

guint64 min_inliers_of(const planes::Parameters& parameters, const GstRdpPlanesInfo& info,
                       std::int64_t known) {
  if (parameters.min_inliers > 0) return static_cast<guint64>(parameters.min_inliers);
  if (info.cloud != FALSE) return static_cast<guint64>(known) / 500;
  return std::max<guint64>(1, info.n_points / 300);
}

// Copies the points of a cloud, each with its label.
void copy_labelled(const planes::CloudView& from, const std::uint8_t* labels,
                   const PointsFormat& format, std::span<std::byte> to) {
  const auto step = static_cast<std::size_t>(format.point_step);
  const auto at = static_cast<std::size_t>(format.fields.label.offset);
  const std::size_t bytes = size_of(format.fields.label.type);
  for (std::size_t i = 0; i < from.points; ++i) {
    std::byte* const point = to.data() + i * step;
    const std::uint32_t label = labels[i];
    std::memcpy(point, from.data + i * from.step, from.step);
    std::memcpy(point + at, &label, bytes);
  }
}

void copy_rows(const DepthView& from, const MutableDepthView& to) {
  for (int row = 0; row < from.height; ++row) {
    std::memcpy(to.row(row), from.row(row), static_cast<std::size_t>(from.width));
  }
}

}  // namespace

// --- on the CPU ---------------------------------------------------------------------------------

template <typename Engine>
void PlanesMethod::CpuWorker::tell_threads(Engine* engine) {
  if (engine == nullptr) return;
  try {
    engine->set_threads(wanted_threads_);
  } catch (const std::system_error& error) {
    warn_of_threads(GST_ELEMENT(method_.element_), wanted_threads_, frames_.threads(), error);
  }
}

// If the system gives fewer threads, the element goes on with those.
void PlanesMethod::CpuWorker::use_threads() {
  if (method_.current_.threads == wanted_threads_) return;
  wanted_threads_ = method_.current_.threads;  // even on failure: later frames do not try again
  tell_threads(&frames_);
  tell_threads(clouds_.get());
  tell_threads(painter_.get());
}

// The painted frame comes last, because the engine keeps the results of its last frame.
void PlanesMethod::CpuWorker::analyze(const Task& task) {
  use_threads();
  drafts_ = method_.start_drafts(task);
  if (method_.cloud()) {
    find_in_cloud(task);
    return;
  }
  for (std::size_t i = 0; i < task.inputs.size(); ++i) {
    if (i != task.painted) find_in_frame(i, task);
  }
  find_in_frame(task.painted, task);
}

void PlanesMethod::CpuWorker::find_in_frame(std::size_t input, const Task& task) {
  const DepthView frame = task.inputs[input].host;
  std::uint8_t* const memory = drafts_[input]->labels(method_.labels_of(input, task));
  const MutableDepthView labels{reinterpret_cast<std::byte*>(memory), frame.width, frame.width,
                                frame.height, SampleType::kU8};
  const bool nodes = input == task.painted && method_.paints_nodes(task);
  const planes::PlaneSet& set =
      frames_.find(frame, *task.camera, method_.parameters(), labels, nodes ? &nodes_ : nullptr);
  method_.set_found(input, task, set);
  if (!task.outputs.empty()) copy_rows(labels, task.outputs[input].host);
  if (input != task.painted) return;
  painted_ = &set;
  painted_labels_ = labels;
}

void PlanesMethod::CpuWorker::find_in_cloud(const Task& task) {
  if (clouds_ == nullptr) {
    clouds_ = std::make_unique<planes::CloudEngine>(1);
    tell_threads(clouds_.get());
  }
  const planes::CloudView cloud = method_.cloud_view(task.inputs[0].bytes.data());
  const std::uint8_t* const labels = drafts_[0]->labels(cloud.points);
  method_.set_found(0, task,
                    clouds_->find(cloud, method_.parameters(), drafts_[0]->labels(cloud.points)));
  if (!task.outputs.empty())
    copy_labelled(cloud, labels, method_.labelled(), task.outputs[0].bytes);
}

void PlanesMethod::CpuWorker::paint(const Task& task) {
  if (painter_ == nullptr) {
    painter_ = std::make_unique<planes::OverlayPainter>(1);
    tell_threads(painter_.get());
  }
  const planes::OverlayScene scene = method_.scene(task, *painted_, nodes_);
  painter_->paint(task.inputs[task.painted].host, painted_labels_, scene, method_.picture(),
                  task.picture);
}

bool PlanesMethod::CpuWorker::finish(const Task& task) {
  method_.finish_drafts(task);
  return true;
}

// --- the method ---------------------------------------------------------------------------------

PlanesMethod::PlanesMethod(GstRdpAnalyzer* element, PlanesStream* stream)
    : element_(element), stream_(stream) {
  GST_OBJECT_LOCK(element_);
  stream_->stats = PlanesStats();
  GST_OBJECT_UNLOCK(element_);
}

Plan PlanesMethod::plan(const Frame& frame) {
  current_ = copy_settings<PlanesSettings>(element_);
  if (frame.overlay != nullptr) picture_ = PlanesOverlayPad::get_settings(frame.overlay);
  fitting_.update(GST_ELEMENT(element_), "Planes cannot be found", explain_settings(current_),
                  &current_.parameters);
  Plan plan;
  plan.painted = picture_.surface;
  const planes::Parameters& set = current_.parameters;
  plan.known = {static_cast<guint>(set.min_value), static_cast<guint>(set.max_value)};
  plan.least_known = 1;
  plan.finds = "planes";
  plan.farthest = planes::kFarthest;
  plan.camera.measures = true;
  plan.camera.required = true;
  plan.camera.guesses = true;
  plan.camera.objection = objection_to;
  plan.camera_settings = &current_.camera;
  return plan;
}

bool PlanesMethod::takes_blob(std::size_t bytes, std::string* reason) {
  gsize points = 0;
  if (!count_points(stream_->points, bytes, &points, reason)) return false;
  constexpr gsize kMaxPoints = gsize{1} << planes::kMaxCloudBits;
  if (points > kMaxPoints) {
    *reason =
        format_text("the cloud has %" G_GSIZE_FORMAT " points, expected at most %" G_GSIZE_FORMAT
                    ": downsample it, or send it in parts",
                    points, kMaxPoints);
    return false;
  }
  points_ = points;
  return true;
}

planes::CloudView PlanesMethod::cloud_view(const std::byte* data) const {
  planes::CloudView view;
  view.data = data;
  view.points = points_;
  view.step = static_cast<std::size_t>(stream_->points.point_step);
  view.offset = static_cast<std::size_t>(stream_->points.offset);
  view.unit = stream_->points.unit;
  view.forward_left_up = stream_->points.forward_left_up;
  return view;
}

// Finds the upward direction if the user has not set it: from the camera's pose, whose world has z
// up. Without a pose the parameters have the y of a camera. The world of a cloud's own pose has the
// cloud's axes.
static void use_up(const Task& task, const PointsFormat* cloud, double up[3]) {
  if (cloud != nullptr && cloud->forward_left_up) {
    const double z[] = {0.0, 0.0, 1.0};
    std::copy_n(z, 3, up);
  }
  if (cloud != nullptr && !clouds::is_identity(cloud->pose)) {
    clouds::turn_to_sensor(cloud->pose, up);
    return;
  }
  if (task.described == nullptr) return;
  const GstRdpCameraInfo& camera = *gst_rdp_camera_get_info(task.described);
  if (camera.has_pose != FALSE) std::copy_n(camera.pose + 8, 3, up);
}

// Tells the user once that the pose of the cloud decides where the ground is looked for.
void PlanesMethod::tell_of_pose() {
  if (told_of_pose_ || !cloud() || clouds::is_identity(stream_->points.pose)) return;
  told_of_pose_ = true;
  const std::string text = format_text(
      "By the pose of the cloud, %s, up is (%.3f, %.3f, %.3f) in its axes; set the property up if "
      "it "
      "is not.",
      clouds::pose_text(stream_->points.pose).c_str(), parameters_.up[0], parameters_.up[1],
      parameters_.up[2]);
  // gst-launch-1.0 shows only the debug string.
  GST_ELEMENT_INFO(element_, LIBRARY, SETTINGS, ("%s", text.c_str()), ("%s", text.c_str()));
}

std::vector<PlanesDraft>& PlanesMethod::start_drafts(const Task& task) {
  const std::size_t inputs = task.inputs.size();
  if (!task.outputs.empty() && inputs != 1) {
    throw std::runtime_error(
        "output=labels makes one frame of labels, but the buffer is a batch of " +
        std::to_string(inputs) +
        ": split batches upstream (nvstreamdemux), or set output=passthrough, where the metadata "
        "has the labels of each frame");
  }
  parameters_ = current_.parameters;
  parameters_.up_given = true;
  if (current_.up.is_set) {
    std::copy_n(current_.up.v, 3, parameters_.up);
  } else {
    use_up(task, cloud() ? &stream_->points : nullptr, parameters_.up);
    tell_of_pose();
  }
  drafts_.clear();
  drafts_.reserve(inputs);
  for (std::size_t i = 0; i < inputs; ++i) drafts_.push_back(pool_.acquire());
  infos_.resize(inputs);
  return drafts_;
}

planes::OverlayScene PlanesMethod::scene(const Task& task, const planes::PlaneSet& set,
                                         std::span<const planes::NodeSquare> nodes) const {
  planes::OverlayScene scene;
  scene.camera = task.camera;
  scene.parameters = &parameters_;
  scene.planes = &set;
  if (paints_nodes(task)) scene.nodes = nodes;
  return scene;
}

bool PlanesMethod::paints_nodes(const Task& task) const {
  const bool paints = task.picture.data != nullptr || task.device_picture.data != 0;
  return paints && picture_.style == planes::OverlayStyle::kNodes;
}

std::size_t PlanesMethod::labels_of(std::size_t input, const Task& task) const {
  if (cloud()) return points_;
  const FrameSurface& frame = task.inputs[input];
  return static_cast<std::size_t>(frame.width()) * static_cast<std::size_t>(frame.height());
}

// The extent of a cloud's points in metres, along the axis with the largest.
static double extent_of(const planes::CloudView& cloud) {
  double least[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL};
  double most[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
  for (std::size_t i = 0; i < cloud.points; ++i) {
    float point[3];
    std::memcpy(point, cloud.data + i * cloud.step + cloud.offset, sizeof point);
    const bool known = std::all_of(point, point + 3, [](float x) { return std::isfinite(x); });
    for (int axis = 0; known && axis < 3; ++axis) {
      least[axis] = std::min(least[axis], static_cast<double>(point[axis]));
      most[axis] = std::max(most[axis], static_cast<double>(point[axis]));
    }
  }
  double extent = 0.0;
  for (int axis = 0; axis < 3; ++axis) extent = std::max(extent, most[axis] - least[axis]);
  return extent * cloud.unit;
}

// The least and the greatest depth of the known samples, in metres; both 0: there is none.
static std::pair<double, double> depths_of(const DepthView& frame, const DepthOfValue& rule,
                                           const planes::Parameters& set) {
  double least = HUGE_VAL;
  double most = 0.0;
  for (int row = 0; row < frame.height; ++row) {
    for (int column = 0; column < frame.width; ++column) {
      const int sample = frame.at(row, column);
      if (sample < std::max(set.min_value, 1) || sample > set.max_value) continue;
      const double depth = depth_of_value(sample, rule);
      if (!(depth > 0.0)) continue;
      least = std::min(least, depth);
      most = std::max(most, depth);
    }
  }
  return most > 0.0 ? std::pair(least, most) : std::pair(0.0, 0.0);
}

// Warns once to check the unit, if enough points yield no plane and no plane was found before.
// Tolerances are in metres, so a room in another unit looks like noise or a single point.
void PlanesMethod::warn_of_unit(std::size_t input, const Task& task, const planes::PlaneSet& set) {
  constexpr std::int64_t kEnough = 1000;
  if (looked_at_unit_) return;
  looked_at_unit_ = !set.planes.empty() || set.counts.known >= kEnough;
  if (!looked_at_unit_ || !set.planes.empty()) return;
  if (cloud()) {
    const double extent = extent_of(cloud_view(task.inputs[0].bytes.data()));
    std::string tolerance;
    if (extent > kWide) {
      warned_of_ground_ = true;
      tolerance = format_text(
          " If the unit is right, uneven ground needs a larger tolerance than %g, such as %g.",
          tolerance_of(parameters_, true), larger_tolerance(parameters_));
    }
    GST_ELEMENT_WARNING(
        element_, LIBRARY, SETTINGS,
        ("No plane found in %" G_GINT64_FORMAT
         " points (extent %.5g m). Check the unit of the points.%s",
         set.counts.known, extent, tolerance.c_str()),
        ("unit=%g m in the caps of the cloud; to change it, set the property unit of pointcloudsrc",
         stream_->points.unit));
    return;
  }
  const bool disparity = task.meaning.measures == GST_RDP_MEASURE_DISPARITY;
  const char* unit = disparity ? "disparity-unit and baseline" : "depth-unit";
  const DepthView frame = task.inputs[input].host;
  if (frame.data == nullptr) {  // on the GPU: nothing is copied for it
    GST_ELEMENT_WARNING(
        element_, LIBRARY, SETTINGS,
        ("No plane found in %" G_GINT64_FORMAT " pixels. Check %s.", set.counts.known, unit),
        (nullptr));
    return;
  }
  const auto [least, most] = depths_of(frame, task.camera->depth, current_.parameters);
  GST_ELEMENT_WARNING(
      element_, LIBRARY, SETTINGS,
      ("No plane found in %" G_GINT64_FORMAT " pixels (depth %.3g to %.3g m). Check %s.",
       set.counts.known, least, most, unit),
      (nullptr));
}

// If a wide cloud has no ground, suggests once a larger tolerance: its ground may bend by more.
void PlanesMethod::warn_of_ground(const Task& task, const planes::PlaneSet& set) {
  if (warned_of_ground_ || !cloud() || set.ground.plane >= 0) return;
  const double extent = extent_of(cloud_view(task.inputs[0].bytes.data()));
  if (!(extent > kWide)) return;
  warned_of_ground_ = true;
  GST_ELEMENT_WARNING(
      element_, LIBRARY, SETTINGS,
      ("No ground found in %" G_GINT64_FORMAT
       " points (extent %.5g m) with tolerance=%g. Uneven ground needs a larger one, such as "
       "tolerance=%g; else check up and ground-tilt.",
       set.counts.known, extent, tolerance_of(parameters_, true), larger_tolerance(parameters_)),
      (nullptr));
}

void PlanesMethod::set_found(std::size_t input, const Task& task, const planes::PlaneSet& set) {
  drafts_[input]->set_planes(set);
  GstRdpPlanesInfo& info = infos_[input];
  gst_rdp_planes_info_init(&info);
  info.frame = task.frame;
  info.cloud = cloud() ? TRUE : FALSE;
  info.n_points = labels_of(input, task);
  if (cloud()) {
    info.width = static_cast<guint>(stream_->points.width);
    info.height = static_cast<guint>(stream_->points.height);
    info.calibrated = TRUE;
  } else {
    info.width = static_cast<guint>(task.inputs[input].width());
    info.height = static_cast<guint>(task.inputs[input].height());
    info.calibrated = task.calibrated ? TRUE : FALSE;
    info.focal_length = task.camera->focal_x;
    info.focal_length_y = task.camera->focal_y;
    info.principal_x = task.camera->principal_x;
    info.principal_y = task.camera->principal_y;
    info.noise = set.counts.noise;
  }
  info.tolerance = tolerance_of(parameters_, cloud());
  info.min_inliers = min_inliers_of(parameters_, info, set.counts.known);
  warn_of_unit(input, task, set);
  warn_of_ground(task, set);
  info.ground = set.ground.plane;
  info.camera_height = set.ground.height;
  info.pitch = set.ground.pitch;
  info.roll = set.ground.roll;
  stats_ = stats_of(set, parameters_);
}

void PlanesMethod::finish_drafts(const Task& task) {
  for (std::size_t i = 0; i < drafts_.size(); ++i) {
    task.results[i] = GST_MINI_OBJECT_CAST(drafts_[i].finish(infos_[i]));
  }
  drafts_.clear();
  GST_OBJECT_LOCK(element_);
  stream_->stats = stats_;
  GST_OBJECT_UNLOCK(element_);
}

bool PlanesMethod::fetch(GstMiniObject* result, std::string* reason) {
  g_autoptr(GError) error = nullptr;
  if (gst_rdp_planes_fetch_labels(GST_RDP_PLANES(result), &error) != FALSE) return true;
  give_reason(reason, error->message);
  return false;
}

gsize PlanesMethod::count(GstMiniObject* result) {
  return gst_rdp_planes_get_n_planes(GST_RDP_PLANES(result));
}

void PlanesMethod::attach(GstBuffer* buffer, std::span<GstMiniObject* const> results) {
  attach_results<meta::PlanesKind>(buffer, results);
}

}  // namespace rdp::gst
