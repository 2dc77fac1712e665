// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/rdpmotion/motion_stream.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <functional>
#include <utility>

#include <gst/rdpsegment/rdpsegmentationparameters.h>

#include "common/image/float_environment.h"
#include "gst/elements/base/buffer_metas.h"
#include "gst/elements/base/whole_file.h"
#include "gst/elements/rdpmotion/motion_properties.h"
#include "gst/elements/rdpmotion/pair_input.h"
#include "gst/memory/frame_layout.h"
#include "gst/metadata/attach_results.h"

namespace rdp::gst {

static_assert(sizeof(GstRdpTrack) == sizeof(klt::Track));
static_assert(sizeof(GstRdpSegmentMotion) == sizeof(motion::SegmentMotion));
static_assert(sizeof(GstRdpTrackMotion) == sizeof(motion::TrackMotion));
static_assert(int{GST_RDP_MOTION_MOVING} == int{motion::kMoving});
static_assert(int{GST_RDP_MOTION_ABSOLUTE} == int{motion::kAbsolute});
static_assert(int{GST_RDP_MOTION_KNOWN} == int{motion::kKnown});

MotionStream::MotionStream(GstRdpJoiner* joiner, std::size_t overlay_row, MotionStats* stats)
    : joiner_(joiner),
      stats_(stats),
      camera_(GST_ELEMENT(joiner)),
      pads_(gst_rdp_joiner_core(joiner).extra),
      overlay_row_(overlay_row),
      overlay_(GST_ELEMENT(joiner)) {
  GST_OBJECT_LOCK(joiner_);
  *stats_ = MotionStats();
  GST_OBJECT_UNLOCK(joiner_);
}

void MotionStream::warn(bool* said, const char* what, const std::string& why) {
  if (*said) return;
  *said = true;
  GST_ELEMENT_WARNING(joiner_, STREAM, FORMAT, ("%s", what), ("%s", why.c_str()));
}

// --- from READY to PAUSED, and caps -------------------------------------------------------------

bool MotionStream::is_linked(const char* name) const {
  g_autoptr(GstPad) pad = gst_element_get_static_pad(GST_ELEMENT(joiner_), name);
  if (gst_pad_is_linked(pad) != FALSE) return true;
  GST_ELEMENT_ERROR(joiner_, CORE, PAD,
                    ("Nothing is linked to the pad %s: link %s to it.", name,
                     std::string(name) == "depth" ? "the frames with segments of rdpsegment"
                                                  : "the frames with tracks of klttrack"),
                    ("both pads are needed, from the same rectified camera"));
  return false;
}

// False, after an element error.
bool MotionStream::read_poses(const MotionSettings& settings) {
  if (!settings.poses) return true;
  const char* file = settings.poses.get();
  WholeFile whole;
  std::string reason;
  if (whole.read(file, &reason)) {
    try {
      poses_ = motion::PoseList::read(whole.content(), file);
      return true;
    } catch (const motion::PoseError& wrong) {
      reason = wrong.what();
    }
  }
  GST_ELEMENT_ERROR(joiner_, LIBRARY, SETTINGS,
                    ("The poses cannot be used: %s", ShownText(reason).get()),
                    ("poses=%s", ShownText(file).get()));
  return false;
}

bool MotionStream::start() {
  const auto settings = copy_settings<MotionSettings>(joiner_);
  if (settings.poses && settings.parameters.ego_motion != motion::EgoMotion::kGiven) {
    GST_ELEMENT_WARNING(
        joiner_, LIBRARY, SETTINGS,
        ("poses has no effect: set ego-motion=given to take the camera's motion from the file."),
        ("poses=%s", ShownText(settings.poses.get()).get()));
  }
  return is_linked("depth") && is_linked("video") && read_poses(settings) &&
         camera_.start(settings.camera);
}

void MotionStream::renegotiate() {
  if (inputs_.empty() || depth().caps == nullptr) return;
  gst_aggregator_set_src_caps(GST_AGGREGATOR(joiner_), depth().caps);
  if (const ExtraPadRef pad = pads_.ref(overlay_row_)) ListOverlay::prepare(pad.picture());
  pads_.set_caps(overlay_row_, depth().caps);
}

bool MotionStream::accept_caps(std::size_t input) {
  if (input != 0) return true;
  renegotiate();
  return camera_.set_frames(depth().info);
}

// --- a pair of frames ---------------------------------------------------------------------------

// Refuses batches: the element takes one camera.
bool MotionStream::refuse_batch(GstBuffer* buffer, const JoinedInput& input, bool is_batch) {
  if (!is_batch) return false;
  GST_ELEMENT_ERROR(joiner_, STREAM, FORMAT,
                    ("A buffer on %s is a batch of frames, and this element takes one camera: put "
                     "nvstreamdemux before it, and an element for each camera behind that.",
                     input.name()),
                    ("%" GST_PTR_FORMAT, buffer));
  return true;
}

bool MotionStream::refuse_missing(GstBuffer* buffer, const JoinedInput& input) {
  const bool is_depth = &input == inputs_.data();
  GST_ELEMENT_ERROR(
      joiner_, STREAM, FORMAT,
      ("A frame on %s carries no %s: put %s before that pad, with nothing between them that drops "
       "its metadata.",
       input.name(), is_depth ? "segments" : "tracks", is_depth ? "rdpsegment" : "klttrack"),
      ("No %s on %" GST_PTR_FORMAT ". Elements that crop, rotate or mix pictures drop it; so do "
       "elements that drop metadata tagged with the picture's size.",
       is_depth ? "GstRdpSegmentMeta" : "GstRdpTracksMeta", buffer));
  return true;
}

// A depth frame without a camera counts as registered with the pictures, and gets their camera.
// Properties describe both. False, after an element error: the two cameras differ.
bool MotionStream::read_video_camera(GstBuffer* depth_buffer, GstBuffer* video_buffer,
                                     const CameraSettings& settings) {
  if (settings.calibration || settings.focal_length > 0.0) return true;
  g_autoptr(GError) error = nullptr;
  g_autoptr(GstRdpCamera) of_video = gst_rdp_buffer_get_camera(video_buffer, &error);
  if (of_video == nullptr) return true;
  const FrameSize of_depth = size_of(depth_buffer, depth().info);
  const FrameSize size = size_of(video_buffer, video().info);
  if (camera_.camera() == nullptr) {
    if (gst_buffer_get_rdp_camera_meta(depth_buffer) != nullptr) return true;  // it was lost
    g_autoptr(GstRdpCamera) here = gst_rdp_camera_scale(of_video, of_depth.width, of_depth.height);
    if (here != nullptr) gst_buffer_add_rdp_camera_meta(depth_buffer, here);
    return true;
  }
  const std::string difference =
      explain_difference(*gst_rdp_camera_get_info(camera_.camera()),
                         *gst_rdp_camera_get_info(of_video), of_depth, size);
  if (difference.empty()) return true;
  GST_ELEMENT_ERROR(
      joiner_, STREAM, FORMAT,
      ("Pads depth and video carry different cameras: %s. Take both from one rectified camera: the "
       "pad rectified of depthstereo, or colour registered with the depth.",
       difference.c_str()),
      ("depth: %" GST_PTR_FORMAT ", video: %" GST_PTR_FORMAT, depth_buffer, video_buffer));
  return false;
}

// False, after an element error.
bool MotionStream::look_at_camera(GstBuffer* depth_buffer, GstBuffer* video_buffer,
                                  const MotionSettings& settings) {
  CameraUse use;
  use.measures = true;
  use.straight_lens = true;
  // The unit of epsilon is said there, and agrees or does not where segments are made.
  use.sample_scale = input_.values.unit;
  use.inverse = input_.values.inverse_scale > 0.0;
  if (use.inverse) use.inverse_scale = input_.values.inverse_scale;
  camera_.look(settings.camera, use, depth_buffer);
  const bool had_none = camera_.camera() == nullptr;
  if (!read_video_camera(depth_buffer, video_buffer, settings.camera)) return false;
  if (had_none) camera_.look(settings.camera, use, depth_buffer);
  camera_.attach(depth_buffer);
  if (camera_.metric() != nullptr) {
    read_camera(*gst_rdp_camera_get_info(camera_.camera()), &input_);
  } else if (!camera_.lost() && settings.parameters.ego_motion != motion::EgoMotion::kNone) {
    warn(&said_no_metres_, "Ego-motion needs metres, and there are none.", camera_.reason());
  }
  return true;
}

// Filters only predict forwards. Without this warning, reverse playback would silently have no
// velocity, or one of the wrong sign.
bool MotionStream::plays_backwards() {
  GstAggregatorPad* pad = depth().pad;
  GST_OBJECT_LOCK(pad);
  const double rate = pad->segment.rate;
  GST_OBJECT_UNLOCK(pad);
  if (rate > 0.0) return false;
  warn(&said_backwards_,
       "Motion is computed in forward playback only; frames played backwards go on without it: "
       "seek with a rate above 0.",
       format_text("the rate of the segment on depth is %g, expected a rate above 0", rate));
  engine_.reset();
  remember(nullptr, nullptr);
  return true;
}

// Largest allowed difference between a pose's time and a frame's.
static GstClockTime half_a_frame(const GstVideoInfo& info) {
  constexpr GstClockTime kWithoutRate = 20 * GST_MSECOND;
  const auto frames = static_cast<guint64>(GST_VIDEO_INFO_FPS_N(&info));
  const auto seconds = static_cast<guint64>(GST_VIDEO_INFO_FPS_D(&info));
  return frames == 0 ? kWithoutRate : gst_util_uint64_scale(GST_SECOND, seconds, 2 * frames);
}

// Describes a frame without a pose: its time, those of the file, and what to set.
std::string MotionStream::missing_pose(GstClockTime pts, const MotionSettings& settings) const {
  if (!poses_.is_timed()) {
    return format_text(
        "frame %" G_GUINT64_FORMAT ": it has %" G_GSIZE_FORMAT
        " lines, of frames 0 to %" G_GSIZE_FORMAT
        ". Set poses to the file of this sequence, or to one whose poses have times (TUM).",
        number_, poses_.size(), poses_.size() - 1);
  }
  const auto seconds = [](double value) { return number_text(value, "%.3f") + " s"; };
  const double first = poses_.first_time() - settings.time_origin;
  const double last = poses_.last_time() - settings.time_origin;
  const double time = static_cast<double>(pts) / 1e9;
  std::string text = "a frame at " + seconds(time) + ": its poses are from " + seconds(first) +
                     " to " + seconds(last);
  if (settings.time_origin != 0.0) text += ", counted from time-origin";
  if (time >= first && time <= last) {
    return text + ", and those around it are more than 0.25 s apart.";
  }
  text += ". Set time-origin to the time in the file that is time 0 of the frames";
  if (time < first) {
    text += " (" + seconds(poses_.first_time()) + " if its first pose is that of the first frame)";
  }
  return text +
         "; for pictures from pngfoldersrc timestamps=names, use the time-origin that is set "
         "there.";
}

// Finds the camera's pose, for ego-motion=given. False, after an element error: there is none.
bool MotionStream::look_at_poses(GstBuffer* depth_buffer, const MotionSettings& settings) {
  input_.has_pose = false;
  if (settings.parameters.ego_motion != motion::EgoMotion::kGiven) return true;
  if (poses_.size() > 0) {
    const GstClockTime pts = GST_BUFFER_PTS(depth_buffer);
    input_.has_pose = poses_.of_frame(number_, pts, half_a_frame(depth().info),
                                      settings.time_origin, &input_.pose);
    if (!input_.has_pose) {
      const std::string what = "The file of poses has no pose for " + missing_pose(pts, settings);
      warn(&said_no_pose_, what.c_str(),
           format_text("frame %" G_GUINT64_FORMAT " at %" GST_TIME_FORMAT, number_,
                       GST_TIME_ARGS(pts)));
    }
    return true;
  }
  const GstRdpCameraInfo* info =
      camera_.camera() == nullptr ? nullptr : gst_rdp_camera_get_info(camera_.camera());
  input_.has_pose = info != nullptr && info->has_pose != FALSE;
  if (input_.has_pose) {
    std::copy(info->pose, info->pose + 12, input_.pose.m);
    // Calibrations such as KITTI's have poses that users may not know of.
    if (!std::exchange(said_still_, true)) {
      GST_ELEMENT_INFO(joiner_, LIBRARY, SETTINGS,
                       ("The camera is assumed to stand still at the pose of its calibration: set "
                        "poses if it moves, or ego-motion=estimate."),
                       ("ego-motion=given without poses"));
    }
  }
  if (input_.has_pose || camera_.lost()) return true;
  if (plays_) {
    warn(&said_no_pose_,
         "ego-motion=given needs the camera's pose, which is missing: frames go on without "
         "velocities. Set ego-motion=estimate, which finds it from the tracks, or none.",
         format_text("no pose on the frame at %" GST_TIME_FORMAT,
                     GST_TIME_ARGS(GST_BUFFER_PTS(depth_buffer))));
    return true;
  }
  GST_ELEMENT_ERROR(
      joiner_, LIBRARY, SETTINGS,
      ("ego-motion=given needs the camera's pose, which is missing: set poses to a file with one "
       "for each frame, or, for a camera that stands still, set a calibration with a pose; "
       "ego-motion=estimate finds the motion from the tracks."),
      ("no pose on %" GST_PTR_FORMAT, depth_buffer));
  return false;
}

// Fills `input_`.
MotionStream::Outcome MotionStream::look(GstBuffer* depth_buffer, GstBuffer* video_buffer,
                                         const MotionSettings& settings) {
  const GstRdpSegmentMeta* segments = gst_buffer_get_rdp_segment_meta_of_batch(depth_buffer, 0);
  const GstRdpTracksMeta* tracks = gst_buffer_get_rdp_tracks_meta_of_batch(video_buffer, 0);
  if ((segments == nullptr && refuse_missing(depth_buffer, depth())) ||
      (tracks == nullptr && refuse_missing(video_buffer, video())) ||
      refuse_batch(depth_buffer, depth(),
                   gst_buffer_get_rdp_segment_meta_of_batch(depth_buffer, 1) != nullptr) ||
      refuse_batch(video_buffer, video(),
                   gst_buffer_get_rdp_tracks_meta_of_batch(video_buffer, 1) != nullptr)) {
    return Outcome::kRefused;
  }
  if (plays_backwards()) return Outcome::kWithout;
  g_autoptr(GError) error = nullptr;
  if (gst_rdp_segmentation_fetch(segments->segmentation, &error) == FALSE) {
    warn(&said_lost_segments_, "The segments of a frame are lost, and it goes on without motion.",
         error->message);
    return Outcome::kWithout;
  }
  if (gst_rdp_tracks_fetch(tracks->tracks, &error) == FALSE) {
    warn(&said_lost_tracks_, "The tracks of a frame are lost, and depth goes on without motion.",
         error->message);
    return Outcome::kWithout;
  }
  if (!GST_BUFFER_PTS_IS_VALID(depth_buffer)) {
    warn(&said_no_time_, "Frames without timestamps have no motion.",
         "expected a timestamp on each frame of depth: use videorate, or a source that sets them");
    return Outcome::kWithout;
  }
  // A repeated frame (videorate) has a new time, but shows the previous frame.
  if (segments->segmentation == last_segmentation_ || tracks->tracks == last_tracks_) {
    return Outcome::kWithout;
  }
  const FrameSize of_depth = size_of(depth_buffer, depth().info);
  const FrameSize of_video = size_of(video_buffer, video().info);
  if (!is_unmoved(depth_buffer, segments)) {
    GST_ELEMENT_ERROR(joiner_, STREAM, FORMAT,
                      ("The frames on depth were scaled or cropped between rdpsegment and this "
                       "element: scale and crop before rdpsegment."),
                      ("%" GST_PTR_FORMAT, depth_buffer));
    return Outcome::kRefused;
  }
  if (!find_placement(video_buffer, tracks, of_video, of_depth, &input_.placement)) {
    GST_ELEMENT_ERROR(
        joiner_, STREAM, FORMAT,
        ("The frames on depth (%ux%u) and on video (%ux%u) have different shapes: "
         "take both from one rectified camera.",
         of_depth.width, of_depth.height, of_video.width, of_video.height),
        ("depth: %" GST_PTR_FORMAT ", video: %" GST_PTR_FORMAT, depth_buffer, video_buffer));
    return Outcome::kRefused;
  }
  input_.has_camera = false;
  read_segments(segments->segmentation, &input_);
  number_ = gst_rdp_segmentation_get_info(segments->segmentation)->frame;
  gsize n = 0;
  input_.tracks = {
      reinterpret_cast<const klt::Track*>(gst_rdp_tracks_peek_tracks(tracks->tracks, &n)), n};
  input_.pts = GST_BUFFER_PTS(depth_buffer);
  if (!look_at_camera(depth_buffer, video_buffer, settings) ||
      !look_at_poses(depth_buffer, settings)) {
    return Outcome::kRefused;
  }
  return Outcome::kMotion;
}

void MotionStream::count(const motion::Result& result, GstClockTime time) {
  GST_OBJECT_LOCK(joiner_);
  ++stats_->frames;
  stats_->last_time = time;
  stats_->total_time += time;
  stats_->segments = result.segments.size();
  stats_->counts = result.counts;
  GST_OBJECT_UNLOCK(joiner_);
}

// Finds the motion of the pair that look() has put into `input_`, and puts it on the frame. False:
// time has not grown.
bool MotionStream::find_motion(GstBuffer* depth_buffer, const MotionSettings& settings) {
  const auto start = std::chrono::steady_clock::now();
  result_ = engine_.advance(input_, settings.parameters);
  const motion::Result& result = result_;
  if (!result.accepted) return false;
  MotionDraft draft = pool_.acquire();
  draft->set(
      {reinterpret_cast<const GstRdpSegmentMotion*>(result.segments.data()),
       result.segments.size()},
      {reinterpret_cast<const GstRdpTrackMotion*>(result.tracks.data()), result.tracks.size()});
  GstRdpMotionInfo info;
  gst_rdp_motion_info_init(&info);
  info.frame = number_;
  info.width = static_cast<guint>(input_.width);
  info.height = static_cast<guint>(input_.height);
  info.dt = result.dt;
  info.ego_known = result.has_ego ? TRUE : FALSE;
  std::copy(std::begin(result.ego.m), std::end(result.ego.m), info.ego);
  GstMiniObject* object = GST_MINI_OBJECT_CAST(draft.finish(info));
  attach_results<meta::MotionKind>(depth_buffer, {&object, 1});
  gst_mini_object_unref(object);
  const auto time = std::chrono::steady_clock::now() - start;
  count(result, static_cast<GstClockTime>(std::chrono::nanoseconds(time).count()));
  return true;
}

void MotionStream::remember(GstRdpSegmentation* segmentation, GstRdpTracks* tracks) {
  if (segmentation != nullptr) gst_rdp_segmentation_ref(segmentation);
  if (tracks != nullptr) gst_rdp_tracks_ref(tracks);
  if (last_segmentation_ != nullptr) gst_rdp_segmentation_unref(last_segmentation_);
  if (last_tracks_ != nullptr) gst_rdp_tracks_unref(last_tracks_);
  last_segmentation_ = segmentation;
  last_tracks_ = tracks;
}

// --- the picture --------------------------------------------------------------------------------

void MotionStream::paint(GstBuffer* depth_buffer, const motion::OverlayOptions& options,
                         const RgbaView& picture) {
  const GstRdpSegmentMeta* meta = gst_buffer_get_rdp_segment_meta_of_batch(depth_buffer, 0);
  const Parameters parameters =
      meta::parameters_from_info(*gst_rdp_segmentation_get_info(meta->segmentation));
  motion::OverlayScene scene;
  scene.width = input_.width;
  scene.height = input_.height;
  scene.parameters = &parameters;
  scene.segments = input_.segments;
  scene.motions = result_.segments;
  scene.dt = result_.dt;
  scene.camera = camera_.metric();
  painter_.paint(scene, options, picture);
}

// May throw std::bad_alloc.
GstFlowReturn MotionStream::push_picture(GstBuffer* depth_buffer, GstClockTime running_time,
                                         bool has_motion) {
  const ExtraPadRef pad = pads_.ref(overlay_row_);
  if (!pad) return GST_FLOW_NOT_LINKED;
  ListOverlay::prepare(pad.picture());
  pads_.begin();
  if (!has_motion) return overlay_.push(pad.picture(), depth_buffer, running_time, nullptr);
  const motion::OverlayOptions options = MotionOverlayPad::get_settings(pad.picture());
  if (options.style == motion::OverlayStyle::kBirdsEye && camera_.metric() == nullptr) {
    // The user has been warned of a lost camera.
    if (camera_.lost()) return overlay_.push(pad.picture(), depth_buffer, running_time, nullptr);
    if (!camera_.go_on_without("style=birdseye of the pad overlay", plays_)) return GST_FLOW_ERROR;
    return overlay_.push(pad.picture(), depth_buffer, running_time, nullptr);
  }
  const auto painted = [&](const RgbaView& picture) { paint(depth_buffer, options, picture); };
  return overlay_.push(pad.picture(), depth_buffer, running_time, std::ref(painted));
}

// --- a set --------------------------------------------------------------------------------------

// Warns if most depth frames meet no frame of tracks, e.g. because the tracker is too slow: they
// pass without motion, which nobody would notice.
void MotionStream::watch_pairs(bool paired) {
  constexpr unsigned kLook = 60;
  unpaired_ += paired ? 0U : 1U;
  if (++looked_at_ < kLook) return;
  if (2 * unpaired_ > looked_at_) {
    warn(
        &said_unpaired_,
        "Most depth frames have no frame of tracks of the same time, and go on without motion: "
        "give both inputs the same timestamps and rate. If klttrack is too slow for a live source, "
        "use a lower rate, smaller pictures or a larger cell.",
        format_text(
            "%u of the last %u frames; sync-tolerance and latency set which frames belong together",
            unpaired_, looked_at_));
  }
  looked_at_ = unpaired_ = 0;
}

GstFlowReturn MotionStream::work(Pairing& set, GstBuffer** made, GstFlowReturn* extra) {
  if (flushed_.exchange(false)) {
    engine_.reset();
    remember(nullptr, nullptr);
  }
  GstBuffer* video_buffer = set.other(0);
  watch_pairs(video_buffer != nullptr);
  const GstClockTime running_time = set.running_time();
  GstFlowReturn flow = GST_FLOW_OK;
  GstBuffer* frame = set.take_main();
  if (video_buffer != nullptr) {
    frame = tagged_.make_writable(GST_ELEMENT(joiner_), frame, depth().memory, &flow);
    if (frame == nullptr) return flow;
  }
  try {
    rdp::with_standard_floats([&] {
      bool has_motion = false;
      if (video_buffer != nullptr) {
        const auto settings = copy_settings<MotionSettings>(joiner_);
        const Outcome outcome = look(frame, video_buffer, settings);
        has_motion = outcome == Outcome::kMotion && find_motion(frame, settings);
        if (has_motion) {
          remember(gst_buffer_get_rdp_segment_meta_of_batch(frame, 0)->segmentation,
                   gst_buffer_get_rdp_tracks_meta_of_batch(video_buffer, 0)->tracks);
        }
        if (outcome == Outcome::kRefused) flow = GST_FLOW_ERROR;
      }
      if (flow == GST_FLOW_OK) *extra = push_picture(frame, running_time, has_motion);
      plays_ = plays_ || has_motion;
    });
  } catch (const std::exception& error) {
    GST_ELEMENT_ERROR(joiner_, RESOURCE, NO_SPACE_LEFT,
                      ("There is not enough memory to find the motion of a frame."),
                      ("%s", error.what()));
    flow = GST_FLOW_ERROR;
  }
  if (flow != GST_FLOW_OK) {
    gst_buffer_unref(frame);
    return flow;
  }
  *made = frame;
  return GST_FLOW_OK;
}

}  // namespace rdp::gst
