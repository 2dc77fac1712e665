// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/depthalign/align_method.h"

#include <cstring>
#include <new>
#include <stdexcept>

#include "gst/elements/base/made_caps.h"
#include "gst/memory/frame_layout.h"
#include "gst/rdpsegment/rdpcamerametric.h"

GST_DEBUG_CATEGORY_EXTERN(gst_depth_align_debug);
#define GST_CAT_DEFAULT gst_depth_align_debug

namespace rdp::gst {
namespace {

// Maximum wait of live depth for the target camera.
constexpr GstClockTime kPatience = 5 * GST_SECOND;
// Consecutive frames with almost nothing inside the target's image that cause a warning.
constexpr int kManyFrames = 10;
constexpr double kNextToNothing = 0.01;

constexpr double kMillimetre = 0.001;

GstRdpCamera* new_camera(const GstRdpCameraInfo& info) {
  GstRdpCamera* camera = gst_rdp_camera_new(&info, nullptr);
  if (camera == nullptr) throw std::bad_alloc();
  return camera;
}

}  // namespace

AlignMethod::AlignMethod(GstRdpJoiner* element, AlignShared* shared)
    : element_(element),
      shared_(shared),
      source_(GST_ELEMENT(element)),
      target_(GST_ELEMENT(element), &shared->video) {}

AlignMethod::~AlignMethod() { gst_clear_caps(&depth_caps_); }

bool AlignMethod::start() {
  const auto settings = copy_settings<AlignSettings>(element_);
  shared_->video.forget();
  GST_OBJECT_LOCK(element_);
  shared_->stats = {};
  GST_OBJECT_UNLOCK(element_);
  return source_.start(settings.camera) && target_.start(settings);
}

// --- the target ---------------------------------------------------------------------------------

// Drops a live depth frame that met no target camera; fails after kPatience.
SetVerdict AlignMethod::go_without_target(const Pairing& set) {
  const GstClockTime now = set.running_time();
  if (!waits_since_) {
    waits_since_ = now;
    GST_ELEMENT_WARNING(
        element_, STREAM, FAILED,
        ("Depth frames are dropped until the first frame on video, whose camera they are aligned "
         "to, has come: check that its source runs, or set target-calibration."),
        ("none has come within the latency of the frame at %" GST_TIME_FORMAT, GST_TIME_ARGS(now)));
  }
  if (!GST_CLOCK_TIME_IS_VALID(now) || now < *waits_since_ + kPatience) {
    return SetVerdict::kIncomplete;
  }
  GST_ELEMENT_ERROR(
      element_, STREAM, FAILED,
      ("No frame has come on video for %d s, and the target camera is not known: check that its "
       "source runs, or set target-calibration.",
       static_cast<int>(kPatience / GST_SECOND)),
      (nullptr));
  return SetVerdict::kRefused;
}

SetVerdict AlignMethod::meet(std::span<const JoinedInput> inputs, Pairing& set, bool* renegotiate) {
  const JoinedInput* video = inputs.size() > kVideo ? &inputs[kVideo] : nullptr;
  GstBuffer* frame = video == nullptr ? nullptr : set.other(0);
  if (frame != nullptr) {
    shared_->video.see(frame, video->caps);
    video_ = video->info;
  }
  const bool comes = video != nullptr && gst_aggregator_pad_is_eos(video->pad) == FALSE;
  switch (target_.update(comes)) {
    case TargetCamera::State::kRefused:
      return SetVerdict::kRefused;
    case TargetCamera::State::kWaiting:
      return go_without_target(set);
    case TargetCamera::State::kKnown:
      break;
  }
  waits_since_.reset();
  *renegotiate = target_.width() != width_ || target_.height() != height_;
  return SetVerdict::kTaken;
}

// --- caps ---------------------------------------------------------------------------------------

GstCaps* AlignMethod::possible_caps(std::span<const JoinedInput> inputs, bool cuda,
                                    bool cuda_first) {
  const JoinedInput& depth = inputs[kDepth];
  if (!source_.set_frames(depth.info)) return nullptr;
  gst_caps_replace(&depth_caps_, depth.caps);
  width_ = target_.width();
  height_ = target_.height();
  GstCaps* caps = made_caps(depth.caps, "GRAY16_LE", cuda, cuda_first);
  gint par_n = 1;
  gint par_d = 1;
  if (inputs.size() > kVideo && inputs[kVideo].caps != nullptr) {
    gst_structure_get_fraction(gst_caps_get_structure(inputs[kVideo].caps, 0), "pixel-aspect-ratio",
                               &par_n, &par_d);
  }
  gst_caps_set_simple(caps, "width", G_TYPE_INT, static_cast<gint>(width_), "height", G_TYPE_INT,
                      static_cast<gint>(height_), "pixel-aspect-ratio", GST_TYPE_FRACTION, par_n,
                      par_d, nullptr);
  return caps;
}

GstCaps* AlignMethod::data_caps(const JoinerPadRow&) { return made_caps(depth_caps_, "RGBA"); }

// --- a frame ------------------------------------------------------------------------------------

// Finds the pose from depth to target. Returns the fault with the remedy; empty: none.
std::string AlignMethod::find_movement(Pose* movement) const {
  constexpr const char* kRemedy =
      "set extrinsics to the 12 numbers of [R | t] from depth to target, or calibration and "
      "target-calibration to files with the poses of both";
  const bool is_set = settings_.extrinsics.is_set;
  if (is_set) {
    *movement = settings_.extrinsics.rows;
  } else {
    const GstRdpCameraInfo& source = *gst_rdp_camera_get_info(source_.camera());
    const GstRdpCameraInfo& target = *gst_rdp_camera_get_info(target_.camera());
    if (source.has_pose == FALSE || target.has_pose == FALSE) {
      const bool both = source.has_pose == target.has_pose;
      return format_text("the movement between both cameras is not known, as %s no pose: %s",
                         both                       ? "they have"
                         : source.has_pose == FALSE ? "the depth camera has"
                                                    : "the target camera has",
                         kRemedy);
    }
    *movement = pose_between(meta::camera_pose(source), meta::camera_pose(target));
    if (!align::is_rotation(*movement)) {
      return format_text("the poses of both cameras differ by no rotation: %s", kRemedy);
    }
  }
  const double length = align::length_of(*movement);
  if (length <= align::kMaxMovement) return {};
  return format_text(
      "the cameras are %.4g m apart by %s, expected at most %g m: is it in another "
      "unit? %s",
      length, is_set ? "extrinsics" : "their poses", align::kMaxMovement,
      is_set ? "Set the shift in metres" : "Set calibration-unit, or extrinsics");
}

// False, after an element error.
bool AlignMethod::find_parameters() {
  Pose movement;
  try {
    fitting_.update(GST_ELEMENT(element_), "Depth cannot be aligned", find_movement(&movement),
                    &movement);
  } catch (const std::runtime_error& wrong) {
    GST_ELEMENT_ERROR(element_, LIBRARY, SETTINGS, ("Depth cannot be aligned: %s.", wrong.what()),
                      (nullptr));
    return false;
  }
  const GstRdpCameraInfo& target = *gst_rdp_camera_get_info(target_.camera());
  const double unit = source_.depth_unit();
  parameters_.source = *source_.metric();
  parameters_.movement = movement;
  parameters_.unit = unit > 0.0 ? unit : kMillimetre;
  parameters_.tolerance = settings_.tolerance;
  parameters_.fill_cracks = settings_.fill_cracks;
  if (lens_of_ != target_.number()) parameters_.target = meta::camera_lens(target);
  if (lens_of_ != target_.number() || unit_of_camera_ != parameters_.unit) {
    GstRdpCameraInfo info = target;
    info.width = width_;
    info.height = height_;
    info.baseline = info.disparity_offset = info.disparity_unit = 0.0;
    info.measures = GST_RDP_MEASURE_DEPTH;
    info.depth_unit = parameters_.unit;
    aligned_camera_.set(new_camera(info));
    unit_of_camera_ = parameters_.unit;
    lens_of_ = target_.number();
  }
  return true;
}

Plan AlignMethod::plan(const Frame& frame) {
  settings_ = copy_settings<AlignSettings>(element_);
  inputs_of_frame_ = frame.inputs.size();
  Plan plan;
  plan.inputs_of_frame = inputs_of_frame_;
  plan.known = {1, 65535};
  plan.camera.measures = true;
  plan.camera.metres_for = "Alignment";
  plan.camera.required = true;
  plan.camera_settings = &settings_.camera;
  source_.look(settings_.camera, plan.camera, frame.buffer());
  // Without metres, the base class posts the reason.
  works_ = source_.metric() != nullptr;
  plan.refused = works_ && !find_parameters();
  return plan;
}

void AlignMethod::check(const Task& task) const {
  if (task.inputs.size() == inputs_of_frame_) return;
  throw std::runtime_error(
      "a buffer has a batch of frames, expected one frame a buffer: put nvstreamdemux before this "
      "element, and an element for each camera behind it");
}

bool AlignMethod::colours(const Task& task) const {
  return works_ && task.inputs.size() > kVideo &&
         (task.outputs[kColor].host.data != nullptr || task.outputs[kColor].device.data != 0);
}

align::Picture AlignMethod::picture() const {
  align::Picture picture;
  picture.width = GST_VIDEO_INFO_WIDTH(&video_);
  picture.height = GST_VIDEO_INFO_HEIGHT(&video_);
  switch (GST_VIDEO_INFO_FORMAT(&video_)) {
    case GST_VIDEO_FORMAT_RGB:
      picture.format = align::PictureFormat::kRgb;
      break;
    case GST_VIDEO_FORMAT_BGR:
      picture.format = align::PictureFormat::kBgr;
      break;
    case GST_VIDEO_FORMAT_BGRA:
      picture.format = align::PictureFormat::kBgra;
      break;
    case GST_VIDEO_FORMAT_GRAY8:
      picture.format = align::PictureFormat::kGray8;
      break;
    case GST_VIDEO_FORMAT_NV12: {
      picture.format = align::PictureFormat::kNv12;
      gdouble red = 0.299;
      gdouble blue = 0.114;
      gst_video_color_matrix_get_Kr_Kb(video_.colorimetry.matrix, &red, &blue);
      picture.matrix =
          align::rgb_matrix(red, blue, video_.colorimetry.range == GST_VIDEO_COLOR_RANGE_0_255);
      break;
    }
    default:
      break;
  }
  return picture;
}

// Depth outside the target's image looks like an empty scene.
void AlignMethod::warn_of_frames_outside(const align::Counts& counts) {
  if (said_outside_ || counts.known == 0) return;
  const bool outside =
      static_cast<double>(counts.landed) < kNextToNothing * static_cast<double>(counts.known);
  outside_ = outside ? outside_ + 1 : 0;
  if (outside_ < kManyFrames) return;
  said_outside_ = true;
  GST_ELEMENT_WARNING(
      element_, LIBRARY, SETTINGS,
      ("Less than 1 %% of the valid depth of %d frames is inside the target's image: is the "
       "movement that of target from depth, and not inverted? Check extrinsics, or the poses "
       "(world from camera), and the unit of depth.",
       kManyFrames),
      ("stats has the share as inside"));
}

void AlignMethod::note_counts(const align::Counts& counts, std::int64_t pixels) {
  found_.valid = static_cast<double>(counts.known) / static_cast<double>(pixels);
  found_.inside = counts.known == 0
                      ? 0.0
                      : static_cast<double>(counts.landed) / static_cast<double>(counts.known);
  warn_of_frames_outside(counts);
}

void AlignMethod::attach(GstBuffer*, std::span<GstMiniObject* const>) {
  GST_OBJECT_LOCK(element_);
  shared_->stats = found_;
  GST_OBJECT_UNLOCK(element_);
}

void AlignMethod::describe_output(std::size_t which, GstBuffer* output) {
  if (!works_) return;
  if (which == kAligned) {
    gst_buffer_add_rdp_camera_meta(output, aligned_camera_.get());
    return;
  }
  // Samples of a picture measure nothing.
  if (color_of_.get() != source_.camera()) {
    GstRdpCameraInfo info = *gst_rdp_camera_get_info(source_.camera());
    info.measures = GST_RDP_MEASURE_UNKNOWN;
    info.disparity_unit = info.depth_unit = 0.0;
    color_camera_.set(new_camera(info));
    color_of_.share(source_.camera());
  }
  gst_buffer_add_rdp_camera_meta(output, color_camera_.get());
}

// --- on the CPU ---------------------------------------------------------------------------------

void AlignMethod::CpuWorker::analyze(const Task& task) {
  method_.check(task);
  threads_.use(method_.element(), method_.threads(), &engine_);
  const MutableDepthView& depth = task.inputs[kDepth].host;
  const MutableDepthView& aligned = task.outputs[kAligned].host;
  const MutableDepthView& color = task.outputs[kColor].host;
  const auto clear = [](const MutableDepthView& view) {
    const auto bytes = static_cast<std::size_t>(view.width * bytes_per_sample(view.type));
    for (int row = 0; row < view.height; ++row) std::memset(view.row(row), 0, bytes);
  };
  const align::Parameters* parameters = method_.parameters();
  if (parameters == nullptr) {
    clear(aligned);
  } else {
    method_.note_counts(engine_.align(depth, *parameters, aligned),
                        std::int64_t{depth.width} * depth.height);
  }
  if (!method_.colours(task)) {
    if (color.data != nullptr) clear(color);
    return;
  }
  const FrameSurface& video = task.inputs[kVideo];
  align::Picture picture = method_.picture();
  picture.data = reinterpret_cast<const unsigned char*>(video.host.data);
  picture.stride = video.host.stride;
  picture.chroma = reinterpret_cast<const unsigned char*>(video.host_chroma.data);
  picture.chroma_stride = video.host_chroma.stride;
  engine_.colour(depth, *parameters, aligned, picture,
                 {color.data, color.stride, color.width / 4, color.height});
}

}  // namespace rdp::gst
