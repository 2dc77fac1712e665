// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/depthobstacles/obstacle_method.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <utility>

#include "common/boundary.h"
#include "common/image/same_camera.h"
#include "common/obstacles/geometry.h"
#include "gst/elements/base/camera_choice.h"
#include "gst/elements/depthobstacles/obstacle_properties.h"
#include "gst/memory/frame_layout.h"
#include "gst/metadata/attach_results.h"
#include "gst/rdpsegment/rdpcamerametric.h"

namespace rdp::gst {
namespace {

// Time for which a ground is held, and after which a missing one is reported.
constexpr GstClockTime kHold = GST_SECOND;
// Assumed interval of frames without timestamps.
constexpr GstClockTime kFrameTime = GST_SECOND / 30;
constexpr guint kMaxKept = 30;  // frames

static_assert(sizeof(GstRdpObstacle) == sizeof(obstacles::ShownObject));

const char* objection_to(const MetricCamera& camera, int, int) {
  if (camera.distortion.none) return nullptr;
  return "the camera's lens distorts, but obstacles need a camera without distortion: rectify the "
         "frames upstream, and set the camera of the rectified frames, whose distortion is 0";
}

const GstRdpCameraInfo* posed_camera(const Task& task) {
  if (task.described == nullptr) return nullptr;
  const GstRdpCameraInfo* info = gst_rdp_camera_get_info(task.described);
  return info->has_pose != FALSE ? info : nullptr;
}

// The motion from places on the last ground to places on this one.
obstacles::GroundMotion motion_between(const ObstacleState& last, const Pose& pose,
                                       const obstacles::Axes& axes) {
  const Pose way = pose_between(last.pose, pose);
  const auto turned = [&](const double v[3], double scale, double shift) {
    const double* m = way.m;
    return std::array<double, 3>{
        (m[0] * v[0] + m[1] * v[1] + m[2] * v[2]) * scale + m[3] * shift,
        (m[4] * v[0] + m[5] * v[1] + m[6] * v[2]) * scale + m[7] * shift,
        (m[8] * v[0] + m[9] * v[1] + m[10] * v[2]) * scale + m[11] * shift};
  };
  obstacles::GroundMotion motion;
  const auto origin = turned(last.axes.r[2], -last.axes.height, 1000.0);
  for (int row = 0; row < 2; ++row) {
    motion.shift[row] = obstacles::product_of(axes.r[row], origin.data());
    for (int column = 0; column < 2; ++column) {
      const auto axis = turned(last.axes.r[column], 1.0, 0.0);
      motion.r[row][column] = obstacles::product_of(axes.r[row], axis.data());
    }
  }
  return motion;
}

}  // namespace

// --- on the CPU ---------------------------------------------------------------------------------

// Frames of one camera follow each other, also in a batch: each starts from the one before.
void ObstacleMethod::CpuWorker::analyze(const Task& task) {
  threads_.use(GST_ELEMENT(method_.element_), method_.threads(), &engine_);
  method_.start_frames(task);
  for (std::size_t i = 0; i < task.inputs.size(); ++i) {
    const obstacles::Ground* start = method_.start_of(i, task);
    engine_.find(task.inputs[i].host, camera_of(task), start, method_.parameters(),
                 method_.found(i));
    method_.set_found(i, task);
  }
}

void ObstacleMethod::CpuWorker::paint(const Task& task) {
  if (painter_ == nullptr) painter_ = std::make_unique<obstacles::OverlayPainter>(1);
  painter_threads_.use(GST_ELEMENT(method_.element_), method_.threads(), painter_.get());
  painter_->paint(task.inputs[task.painted].host, method_.scene(task), method_.picture(),
                  task.picture);
}

bool ObstacleMethod::CpuWorker::finish(const Task& task) {
  method_.finish_frames(task);
  return true;
}

// --- the method ---------------------------------------------------------------------------------

ObstacleMethod::ObstacleMethod(GstRdpAnalyzer* element, ObstacleStats* stats)
    : element_(element), stats_(stats) {
  GST_OBJECT_LOCK(element_);
  *stats_ = ObstacleStats();
  GST_OBJECT_UNLOCK(element_);
}

void ObstacleMethod::end_tracks() noexcept {
  for (ObstacleCamera& camera : cameras_) camera.ends = true;
}

// Tracks survive caps that describe the same frames, and dropped frames, which only take time.
void ObstacleMethod::reset(ResetReason reason) noexcept {
  if (reason == ResetReason::kDiscontinuity) return;
  if (reason == ResetReason::kNewCaps) {
    const GstVideoInfo& info = *gst_rdp_analyzer_get_info(element_);
    const Frames frames = {GST_VIDEO_INFO_FORMAT(&info), GST_VIDEO_INFO_WIDTH(&info),
                           GST_VIDEO_INFO_HEIGHT(&info)};
    if (std::exchange(frames_, frames) == frames) return;
  }
  end_tracks();
}

void ObstacleMethod::end_stream() noexcept {
  if (!had_frames_ || had_ground_ || problem_ == nullptr) return;
  GST_ELEMENT_WARNING(element_, LIBRARY, SETTINGS,
                      ("No frame had a ground, and no obstacle was found, because %s.", problem_),
                      (nullptr));
}

// Parses the area when it changes. A change of ground settings or refine ends the tracks, as it is
// another start for them.
void ObstacleMethod::fit_values() {
  if (!(current_.area == area_text_)) {
    area_text_ = current_.area;
    area_.clear();
    area_is_wrong_ = area_text_ && !read_area(area_text_.get(), &area_);
  }
  const GroundSettings ground = values_.ground;
  const bool refine = values_.parameters.refine;
  values_ = current_.values;
  values_.parameters.area = area_;
  const std::string wrong =
      area_is_wrong_ ? format_text(
                           "area=\"%s\" is no polygon: expected three or more corners as "
                           "x,y in metres, separated by spaces, such as "
                           "area=\"0,-1 5,-1 5,1 0,1\"",
                           ShownText(area_text_.get()).get())
                     : explain_values(values_);
  fitting_.update(GST_ELEMENT(element_), "Obstacles cannot be found", wrong, &values_);
  if (!(values_.ground == ground) || values_.parameters.refine != refine) end_tracks();
}

Plan ObstacleMethod::plan(const Frame& frame) {
  current_ = copy_settings<ObstacleSettings>(element_);
  current_.tracks.gate = obstacles::millimetres(current_.gate);
  fit_values();
  warn_of_analytics();
  buffer_ = frame.buffer();
  if (frame.overlay != nullptr) picture_ = ObstacleOverlayPad::get_settings(frame.overlay);
  Plan plan;
  plan.painted = picture_.surface;
  plan.known = values_.parameters.known;
  plan.least_known = 1;
  plan.finds = "obstacles";
  plan.farthest = obstacles::kMaxGroundDistance;
  plan.camera.measures = true;
  plan.camera.required = true;
  plan.camera.objection = objection_to;
  plan.camera_settings = &current_.camera;
  return plan;
}

void ObstacleMethod::look_at_camera(const Task& task) {
  if (task.camera == nullptr) return;
  if (!std::exchange(had_camera_, true) || !same_camera(camera_, *task.camera)) end_tracks();
  camera_ = *task.camera;
  warn_of_cells(camera_);
}

// Throws if the first frame lacks a pose that it needs. Later frames may lack theirs.
void ObstacleMethod::need_pose(const Task& task) {
  const bool given = current_.ego_motion == ObstacleEgoMotion::kGiven;
  const bool ground = values_.ground.source == ObstacleGround::kPose;
  if (!(given || ground) || task.camera == nullptr || posed_camera(task) != nullptr) return;
  constexpr char kGiven[] =
      "ego-motion=given needs the camera's pose, which is missing: set a calibration with a pose, "
      "or ego-motion=none";
  if (!had_frames_) {
    throw std::runtime_error(given ? kGiven
                                   : "ground=pose needs the camera's pose, which is missing: set a "
                                     "calibration with a pose, or ground=given and camera-height");
  }
  if (!given || std::exchange(said_no_pose_, true)) return;
  GST_ELEMENT_WARNING(element_, LIBRARY, SETTINGS,
                      ("%s. Until it comes, objects have no speed.", kGiven), (nullptr));
}

const MetricCamera& ObstacleMethod::camera_of(const Task& task) {
  static constexpr MetricCamera kLost;
  return task.camera != nullptr ? *task.camera : kLost;
}

void ObstacleMethod::start_frames(const Task& task) {
  const std::size_t frames = task.inputs.size();
  if (!cameras_.look(GST_ELEMENT(element_), buffer_, frames)) end_tracks();
  look_at_camera(task);
  need_pose(task);
  frame_stats_ = {};
  starts_.assign(frames, {});
  drafts_.clear();
  drafts_.reserve(frames);
  for (std::size_t i = 0; i < frames; ++i) drafts_.push_back(pool_.acquire());
}

static GstClockTimeDiff time_since(const ObstacleState& state, GstClockTime pts) {
  const bool known = GST_CLOCK_TIME_IS_VALID(pts) && GST_CLOCK_TIME_IS_VALID(state.pts);
  return known ? GST_CLOCK_DIFF(state.pts, pts) : 0;
}

const obstacles::Ground* ObstacleMethod::start_of(std::size_t input, const Task& task) {
  ObstacleCamera& camera = state_of(input);
  const auto& frame = cameras_.of_frame(input);
  ObstacleState& state = camera.next;
  if (frame.turn == 0) {
    state = camera.now;
    if (camera.ends) {
      state.tracks.end();
      state.has_ground = false;
      state.pts = GST_CLOCK_TIME_NONE;
    }
  }
  const GstClockTimeDiff dt = time_since(state, frame.pts);
  state.age += dt > 0 ? static_cast<GstClockTime>(dt) : kFrameTime;
  const bool holds = state.has_ground && dt >= 0 && state.age <= kHold;
  StartGround& start = starts_[input];
  start = task.camera == nullptr ? StartGround{{}, GST_RDP_GROUND_NONE, "the frames give no metres"}
                                 : find_start(buffer_, static_cast<guint>(input), task,
                                              values_.ground, holds ? &state.ground : nullptr);
  return start.ground ? &*start.ground : nullptr;
}

// Call before the tracks are predicted. False: they cannot be moved, and lose their speeds.
bool ObstacleMethod::move_tracks(const Task& task, const obstacles::Axes& axes,
                                 ObstacleState* state) {
  if (state->has_ground && state->axes.steep != axes.steep) state->tracks.end();
  if (current_.ego_motion != ObstacleEgoMotion::kGiven) return true;
  const GstRdpCameraInfo* const info = posed_camera(task);
  const Pose pose = info != nullptr ? meta::camera_pose(*info) : Pose();
  const bool moves = info != nullptr && state->has_pose && state->has_ground;
  if (moves) {
    state->tracks.move(motion_between(*state, pose, axes));
  } else {
    state->tracks.forget_speeds();
  }
  state->has_pose = info != nullptr;
  state->pose = pose;
  return moves;
}

void ObstacleMethod::set_found(std::size_t input, const Task& task) {
  ObstacleCamera& camera = state_of(input);
  ObstacleState& state = camera.next;
  const GstClockTime pts = cameras_.of_frame(input).pts;
  const GstClockTimeDiff dt = time_since(state, pts);
  const obstacles::Obstacles& found = *this->found(input);
  bool moved = true;
  if (found.has_ground) {
    moved = move_tracks(task, found.axes, &state);
    state.has_ground = true;
    state.ground = found.ground;
    state.axes = found.axes;
    // A given ground is not held, as every frame gets it again.
    const GstRdpGroundSource source = starts_[input].source;
    if (source != GST_RDP_GROUND_HELD) state.age = source == GST_RDP_GROUND_GIVEN ? kHold : 0;
    state.groundless = 0;
    tell_of_kept(found, &state);
  } else {
    state.groundless += dt > 0 ? static_cast<GstClockTime>(dt) : kFrameTime;
  }
  tell_of_ground(input, &camera);
  state.pts = pts;
  boxes_.clear();
  for (const obstacles::Object& object : found.objects) {
    boxes_.push_back({object.x, object.y, object.length, object.width});
  }
  state.tracks.update(boxes_, dt, current_.tracks);
  ObstaclesContent& content = *drafts_[input].operator->();
  content.set(parameters(), state.tracks, current_.ego_motion == ObstacleEgoMotion::kGiven);
  // Speeds learnt from this frame include the unknown motion of the camera.
  if (!moved) state.tracks.forget_speeds();
  if (found.has_ground) {
    speeds_.apply(buffer_, static_cast<guint>(input), task, found.axes, current_.gate,
                  content.objects());
  }
}

obstacles::OverlayScene ObstacleMethod::scene(const Task& task) {
  const std::span objects = drafts_[task.painted]->objects();
  return {task.camera,
          &parameters(),
          found(task.painted),
          {reinterpret_cast<const obstacles::ShownObject*>(objects.data()), objects.size()}};
}

void ObstacleMethod::finish_frames(const Task& task) {
  for (std::size_t i = 0; i < drafts_.size(); ++i) {
    const obstacles::Obstacles& found = *this->found(i);
    GstRdpObstaclesInfo info = obstacles_info(found, parameters(), starts_[i].source);
    info.frame = task.frame;
    info.width = static_cast<guint>(task.inputs[i].width());
    info.height = static_cast<guint>(task.inputs[i].height());
    ObstacleStats& stats = frame_stats_;
    const GstRdpObstaclesArrays arrays = drafts_[i]->arrays();
    const std::span<const gfloat> ranges(arrays.ranges, arrays.n_bins);
    const auto unknown = std::ranges::count_if(ranges, [](gfloat r) { return std::isnan(r); });
    stats = {stats.groundless + (found.has_ground ? 0U : 1U),
             starts_[i].source,
             found.refined,
             static_cast<guint64>(found.inliers),
             info.camera_height,
             arrays.n_objects,
             arrays.n_objects + arrays.n_hidden,
             static_cast<double>(unknown) / static_cast<double>(arrays.n_bins)};
    task.results[i] = GST_MINI_OBJECT_CAST(drafts_[i].finish(info));
  }
  drafts_.clear();
}

gsize ObstacleMethod::count(GstMiniObject* result) {
  gsize count = 0;
  gst_rdp_obstacles_peek_objects(GST_RDP_OBSTACLES(result), &count);
  return count;
}

void ObstacleMethod::attach(GstBuffer* buffer, std::span<GstMiniObject* const> results) {
  for (std::size_t i = 0; i < results.size(); ++i) {
    ObstacleCamera& camera = state_of(i);
    if (cameras_.of_frame(i).turn == 0) std::swap(camera.now, camera.next);
    camera.ends = false;
  }
  had_frames_ = true;
  GST_OBJECT_LOCK(element_);
  frame_stats_.groundless += stats_->groundless;
  *stats_ = frame_stats_;
  GST_OBJECT_UNLOCK(element_);
  attach_results<meta::ObstaclesKind>(buffer, results);
  // GStreamer's metadata knows no batches: it is about the one image of a buffer.
  if (current_.analytics == ObstacleAnalytics::kNone || results.size() != 1) return;
  attach_objects(buffer, GST_RDP_OBSTACLES(results[0]), &times_);
}

// --- what the user is told ----------------------------------------------------------------------

// Cells that no pixel hits look like gaps between obstacles.
void ObstacleMethod::warn_of_cells(const MetricCamera& camera) {
  const obstacles::Parameters& of = values_.parameters;
  const double pixel = of.range / camera.focal_x;
  const bool small = of.cell_size < pixel;
  if (small && !said_cells_) {
    GST_ELEMENT_WARNING(
        element_, LIBRARY, SETTINGS,
        ("cell-size=%g is smaller than a pixel at range=%g, which is %.2g m wide, so that cells "
         "far away stay empty: set cell-size=%.2g or more, or range=%.2g or less.",
         of.cell_size, of.range, pixel, 1.05 * pixel, of.cell_size * camera.focal_x),
        (nullptr));
  }
  said_cells_ = small;
}

void ObstacleMethod::warn_of_analytics() {
  const bool missing = current_.analytics != ObstacleAnalytics::kNone && !have_analytics();
  if (missing && !said_analytics_) warn_without_analytics(GST_ELEMENT(element_));
  said_analytics_ = missing;
}

// Warns at the first frame without a ground, and later if there is none for kHold.
void ObstacleMethod::tell_of_ground(std::size_t input, ObstacleCamera* camera) {
  if (starts_[input].ground) {
    had_ground_ = camera->had_ground = true;
    camera->told_again = false;
    return;
  }
  problem_ = starts_[input].problem;
  const bool first =
      !camera->told && (!camera->had_ground || values_.ground.source != ObstacleGround::kAuto);
  const bool due = first || camera->next.groundless >= kHold;
  if (!due || camera->told_again) return;
  camera->told = camera->told_again = true;
  GST_ELEMENT_WARNING(
      element_, LIBRARY, SETTINGS,
      ("There is no ground to find obstacles on, and all is unknown, because %s.", problem_),
      ("frame %" G_GSIZE_FORMAT " of the buffer at %" GST_TIME_FORMAT, input,
       GST_TIME_ARGS(GST_BUFFER_PTS(buffer_))));
}

void ObstacleMethod::tell_of_kept(const obstacles::Obstacles& found, ObstacleState* state) {
  if (found.refined || !parameters().refine) {
    state->kept = 0;
    return;
  }
  if (++state->kept != kMaxKept) return;
  const double* n = found.ground.normal;
  const double pitch = std::atan2(n[2], std::hypot(n[0], n[1])) * 180.0 / std::numbers::pi;
  GST_ELEMENT_WARNING(element_, LIBRARY, SETTINGS,
                      ("The ground could not be refined in %u frames, and stays as it came: %.2f m "
                       "below the camera, which looks down by %.1f degrees; %" G_GINT64_FORMAT
                       " inliers. Check these against the camera, or set refine=false.",
                       kMaxKept, found.ground.distance, pitch, found.inliers),
                      (nullptr));
}

}  // namespace rdp::gst
