// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/klttrack/track_method.h"

#include <algorithm>
#include <utility>

#include "common/boundary.h"
#include "gst/elements/klttrack/track_properties.h"
#include "gst/metadata/attach_results.h"

namespace rdp::gst {

// --- on the CPU ---------------------------------------------------------------------------------

void TrackMethod::CpuWorker::analyze(const Task& task) {
  threads_.use(GST_ELEMENT(method_.element_), method_.threads(), &engine_);
  method_.start_frames(task);
  method_.drop_gone(&states_);
  for (std::size_t i = 0; i < task.inputs.size(); ++i) {
    TrackedCamera& camera = method_.camera(i);
    klt::State& state = method_.state_of(i, &states_);
    if (method_.turn_of(i) > 0) {
      camera.go_on(&state);
    } else {
      camera.prepare(number_, &state);
    }
    const klt::Input input = {task.inputs[i].host, method_.mask().view(), method_.points(i)};
    method_.set_found(i, engine_.track(input, method_.parameters(), &state));
  }
}

void TrackMethod::CpuWorker::paint(const Task& task) {
  if (painter_ == nullptr) painter_ = std::make_unique<klt::OverlayPainter>(1);
  painter_threads_.use(GST_ELEMENT(method_.element_), method_.threads(), painter_.get());
  painter_->paint(task.inputs[task.painted].host, method_.scene(task), method_.picture(),
                  task.picture);
}

bool TrackMethod::CpuWorker::finish(const Task& task) {
  for (std::size_t i = 0; i < task.inputs.size(); ++i) {
    method_.camera(i).commit(&method_.state_of(i, &states_));
  }
  method_.finish_frames(task);
  return true;
}

// --- the method ---------------------------------------------------------------------------------

TrackMethod::TrackMethod(GstRdpAnalyzer* element, TrackStats* stats, Mask mask)
    : element_(element), stats_(stats), mask_(std::move(mask)) {
  GST_OBJECT_LOCK(element_);
  *stats_ = TrackStats();
  GST_OBJECT_UNLOCK(element_);
}

void TrackMethod::end_tracks() noexcept {
  for (TrackedCamera& camera : cameras_) camera.end_tracks();
}

// Tracks survive caps that describe the same frames: live sources send them now and then.
void TrackMethod::reset(ResetReason reason) noexcept {
  if (reason == ResetReason::kDiscontinuity) {
    for (TrackedCamera& camera : cameras_) camera.ends_prediction = true;
    return;
  }
  if (reason == ResetReason::kNewCaps) {
    const GstVideoInfo& info = *gst_rdp_analyzer_get_info(element_);
    const Frames frames = {GST_VIDEO_INFO_FORMAT(&info), GST_VIDEO_INFO_WIDTH(&info),
                           GST_VIDEO_INFO_HEIGHT(&info)};
    if (std::exchange(frames_, frames) == frames) return;
    said_small_ = false;
  }
  end_tracks();
}

// Ends the tracks if the crop changes, as earlier places no longer hold.
void TrackMethod::look_at_crop(GstBuffer* buffer) {
  const GstVideoCropMeta* crop = gst_buffer_get_video_crop_meta(buffer);
  const guint x = crop != nullptr ? crop->x : 0;
  const guint y = crop != nullptr ? crop->y : 0;
  if (x == crop_x_ && y == crop_y_) return;
  crop_x_ = x;
  crop_y_ = y;
  end_tracks();
}

// True if the mask has another size than the frames, which is an element error.
bool TrackMethod::refuse_mask() {
  if (mask_.width == 0 || (mask_.width == frames_.width && mask_.height == frames_.height))
    return false;
  GST_ELEMENT_ERROR(element_, LIBRARY, SETTINGS,
                    ("The mask is %dx%d pixels, but the frames are %dx%d: make a mask of the "
                     "frames' size, or scale the frames upstream.",
                     mask_.width, mask_.height, frames_.width, frames_.height),
                    ("mask=%s", ShownText(current_.mask.get()).get()));
  return true;
}

// Warns of a mask that is all 0, which excludes every feature. It is most often a mistake: other
// levels, or the opposite meaning.
void TrackMethod::warn_of_blank_mask() {
  if (said_blank_ || mask_.width == 0 || current_.parameters.detector == klt::Detector::kNone)
    return;
  said_blank_ = true;
  const bool blank = std::all_of(mask_.pixels.begin(), mask_.pixels.end(),
                                 [](std::byte pixel) { return pixel == std::byte{0}; });
  if (!blank) return;
  GST_ELEMENT_WARNING(element_, LIBRARY, SETTINGS,
                      ("The mask is 0 everywhere, so that no feature is found: set its pixels to "
                       "255 where features may be found, or unset mask."),
                      ("mask=%s", ShownText(current_.mask.get()).get()));
}

Plan TrackMethod::plan(const Frame& frame) {
  current_ = copy_settings<TrackSettings>(element_);
  fitting_.update(GST_ELEMENT(element_), "Features cannot be tracked", explain_settings(current_),
                  &current_.parameters);
  // A frame that failed is missing between this one and the template.
  if (std::exchange(under_way_, true)) {
    for (TrackedCamera& camera : cameras_) camera.ends_prediction = true;
  }
  // Trails begin with the first frame after the pad `overlay` appears.
  paints_ = frame.overlay != nullptr;
  if (paints_) picture_ = TrackOverlayPad::get_settings(frame.overlay);
  picture_.warp = current_.parameters.warp;
  Plan plan;
  plan.painted = picture_.surface;
  plan.refused = refuse_mask();
  warn_of_blank_mask();
  buffer_ = frame.buffer();
  look_at_crop(buffer_);
  return plan;
}

void TrackMethod::warn_of_small_frames() {
  const int window = parameters().window;
  if (said_small_ || klt::has_windows(frames_.width, frames_.height, window)) return;
  said_small_ = true;
  GST_ELEMENT_WARNING(element_, STREAM, FORMAT,
                      ("Frames of %dx%d are smaller than a window of %dx%d: there are no tracks.",
                       frames_.width, frames_.height, window, window),
                      ("the least window is %d", klt::kMinWindow));
}

// Takes the tracks of age 0 from the frame's metadata as points, at their places in the shown
// frame.
void TrackMethod::read_points(std::size_t input) {
  std::vector<klt::Point>& points = points_[input];
  points.clear();
  const GstRdpTracksMeta* meta =
      gst_buffer_get_rdp_tracks_meta_of_batch(buffer_, static_cast<guint>(input));
  if (meta == nullptr) return;
  g_autoptr(GError) error = nullptr;
  if (gst_rdp_tracks_fetch(meta->tracks, &error) == FALSE) {
    if (std::exchange(said_lost_points_, true)) return;
    GST_ELEMENT_WARNING(element_, RESOURCE, READ,
                        ("The points that a frame brings are lost, and are not tracked."),
                        ("%s", error->message));
    return;
  }
  double scale_x, scale_y, offset_x, offset_y;
  gst_rdp_tracks_meta_get_placement(buffer_, meta, &scale_x, &scale_y, &offset_x, &offset_y);
  const bool as_is = scale_x == 1.0 && scale_y == 1.0 && offset_x == 0.0 && offset_y == 0.0;
  const auto placed = [](float v, double scale, double offset) {
    return static_cast<float>((static_cast<double>(v) + 0.5) * scale + offset - 0.5);
  };
  const auto scaled = [](float v, double scale) {
    return static_cast<float>(static_cast<double>(v) * scale);
  };
  gsize n = 0;
  const GstRdpTrack* tracks = gst_rdp_tracks_peek_tracks(meta->tracks, &n);
  for (const GstRdpTrack& track : std::span(tracks, n)) {
    if (track.age > 0) continue;
    points.push_back(as_is ? klt::Point{track.x, track.y, track.dx, track.dy}
                           : klt::Point{placed(track.x, scale_x, offset_x),
                                        placed(track.y, scale_y, offset_y),
                                        scaled(track.dx, scale_x), scaled(track.dy, scale_y)});
  }
}

void TrackMethod::start_frames(const Task& task) {
  const std::size_t frames = task.inputs.size();
  if (!cameras_.look(GST_ELEMENT(element_), buffer_, frames)) end_tracks();
  warn_of_small_frames();
  drafts_.clear();
  drafts_.reserve(frames);
  if (points_.size() < frames) points_.resize(frames);
  templates_.assign(frames, 0);
  for (std::size_t i = 0; i < frames; ++i) {
    read_points(i);
    drafts_.push_back(pool_.acquire());
  }
}

void TrackMethod::set_found(std::size_t input, const klt::Result& found) {
  drafts_[input]->set(found.tracks, found.lost, found.warps);
  templates_[input] = found.templates;
  klt::Trails& trails = camera(input).trails;
  if (paints_) {
    trails.update(found.tracks);
  } else {
    trails.clear();
  }
}

klt::OverlayScene TrackMethod::scene(const Task& task) {
  const TracksContent& content = *drafts_[task.painted].operator->();
  return {content.tracks(), content.lost(), camera(task.painted).trails.trails(), content.warps(),
          current_.parameters.window};
}

void TrackMethod::finish_frames(const Task& task) {
  TrackStats more;
  for (std::size_t i = 0; i < drafts_.size(); ++i) {
    TrackedCamera& of = camera(i);
    GstRdpTracksInfo info;
    gst_rdp_tracks_info_init(&info);
    info.frame = task.frame;
    info.width = static_cast<guint>(task.inputs[i].width());
    info.height = static_cast<guint>(task.inputs[i].height());
    info.template_pts = of.template_pts;
    of.template_pts = cameras_.of_frame(i).pts;
    const TracksContent& content = *drafts_[i].operator->();
    more.live += content.tracks().size();
    more.templates += templates_[i];
    for (const klt::Track& track : content.tracks()) more.born += track.age == 0 ? 1U : 0U;
    for (const klt::Lost& lost : content.lost()) ++more.lost[static_cast<guint32>(lost.reason)];
    task.results[i] = GST_MINI_OBJECT_CAST(drafts_[i].finish(info));
  }
  drafts_.clear();
  under_way_ = false;
  GST_OBJECT_LOCK(element_);
  stats_->live = more.live;
  stats_->born += more.born;
  stats_->templates += more.templates;
  for (std::size_t i = 0; i < more.lost.size(); ++i) stats_->lost[i] += more.lost[i];
  GST_OBJECT_UNLOCK(element_);
}

bool TrackMethod::fetch(GstMiniObject* result, std::string* reason) {
  g_autoptr(GError) error = nullptr;
  if (gst_rdp_tracks_fetch(GST_RDP_TRACKS(result), &error) != FALSE) return true;
  give_reason(reason, error->message);
  return false;
}

gsize TrackMethod::count(GstMiniObject* result) {
  gsize n = 0;
  gst_rdp_tracks_peek_tracks(GST_RDP_TRACKS(result), &n);
  return n;
}

void TrackMethod::attach(GstBuffer* buffer, std::span<GstMiniObject* const> results) {
  attach_results<meta::TracksKind>(buffer, results);
}

}  // namespace rdp::gst
