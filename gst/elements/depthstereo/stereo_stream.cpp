// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/depthstereo/stereo_stream.h"

#include <gst/rdpsegment/rdpcamerameta.h>

#include <cmath>
#include <exception>
#include <string>
#include <utility>

#include "common/image/float_environment.h"
#include "gst/elements/base/buffer_metas.h"
#include "gst/elements/depthstereo/gstdepthstereo.h"

#define GST_CAT_DEFAULT gst_depth_stereo_debug

namespace rdp::gst {

WorkWords stereo_words() { return {gst_depth_stereo_debug, "match", "matched"}; }

StereoStream::StereoStream(GstAggregator* element, const StereoSettings& settings, GpuProvider* gpu,
                           SidePads* pads, StereoStats* stats)
    : element_(element),
      gpu_(gpu),
      pads_(pads),
      stats_(stats),
      first_(settings),
      method_(new StereoMethod(GST_ELEMENT(element))),
      work_(GST_ELEMENT(element), stereo_words(), gpu, std::unique_ptr<Method>(method_), settings,
            &stats->work),
      output_(GST_ELEMENT(element), GST_AGGREGATOR_SRC_PAD(element), gpu),
      calibration_(GST_ELEMENT(element)) {}

StereoStream::~StereoStream() {
  drop_buffers();
  if (gray_camera_ != nullptr) gst_rdp_camera_unref(gray_camera_);
  if (camera_ != nullptr) gst_rdp_camera_unref(camera_);
}

bool StereoStream::start() {
  const std::string wrong = explain_settings(first_.match);
  if (!wrong.empty()) {
    GST_ELEMENT_ERROR(element_, LIBRARY, SETTINGS,
                      ("Pairs cannot be matched like this: %s.", wrong.c_str()), (nullptr));
    return false;
  }
  return calibration_.start(first_.calibration());
}

// --- caps ---------------------------------------------------------------------------------------

void StereoStream::set_pads(const char* main, const char* other) {
  if (main_pad_ == main && other_pad_ == other) return;
  main_pad_ = main;
  other_pad_ = other;
  gst_clear_caps(&main_.caps);
  gst_clear_caps(&other_.caps);
  stale_ = true;
}

bool StereoStream::take_caps(bool of_main, GstCaps* caps) {
  StereoInput& input = of_main ? main_ : other_;
  stale_ = true;
  if (!input.take(caps)) {
    GST_ELEMENT_ERROR(element_, CORE, NEGOTIATION, ("The caps do not describe a frame."),
                      ("%" GST_PTR_FORMAT, caps));
    return false;
  }
  return !explain_interlaced_frames(GST_ELEMENT(element_), caps);
}

bool StereoStream::refuse(const std::string& reason) {
  GST_ELEMENT_ERROR(element_, CORE, NEGOTIATION,
                    ("These frames cannot be matched: %s.", reason.c_str()),
                    ("%s: %" GST_PTR_FORMAT ", %s: %" GST_PTR_FORMAT, main_pad_, main_.caps,
                     other_pad_ == nullptr ? "alone" : other_pad_, other_.caps));
  return false;
}

// Decides on what src sends for the inputs' caps, and on who works. May throw.
bool StereoStream::negotiate(const StereoSettings& settings) {
  if (main_.caps == nullptr || (other_pad_ != nullptr && other_.caps == nullptr)) {
    GST_ELEMENT_ERROR(
        element_, CORE, NEGOTIATION,
        ("A frame came before its caps: the element before the pad %s has to say what it sends.",
         main_.caps == nullptr ? main_pad_ : other_pad_),
        ("expected caps like %s", kStereoCapsWords.example));
    return false;
  }
  std::string reason;
  if (!find_stereo_layout(main_, main_pad_, other_pad_ == nullptr ? nullptr : &other_, other_pad_,
                          settings.packing, &job_.layout, &reason)) {
    return refuse(reason);
  }
  GstCaps* view = view_caps_new(main_.caps, job_.layout, &reason);
  if (view == nullptr) return refuse(reason);
  const bool done = negotiate_view(settings, view);
  gst_caps_unref(view);
  return done;
}

bool StereoStream::negotiate_view(const StereoSettings& settings, GstCaps* view) {
  GstVideoInfo info;
  if (!gst_video_info_from_caps(&info, view)) return refuse("their views have no size");
  view_width_ = static_cast<guint>(GST_VIDEO_INFO_WIDTH(&info));
  view_height_ = static_cast<guint>(GST_VIDEO_INFO_HEIGHT(&info));
  const bool cuda = settings.backend != GST_RDP_BACKEND_CPU && cuda_memory_available();
  const bool cuda_first =
      main_.memory != MemoryKind::kSystem || settings.backend == GST_RDP_BACKEND_CUDA;
  g_autoptr(GstCaps) possible = stereo_disparity_caps(view, cuda, cuda_first);
  if (!output_.negotiate(possible, main_.caps)) return false;
  const GstCaps* all[] = {main_.caps, other_.caps, output_.caps()};
  if (other_pad_ == nullptr) all[1] = main_.caps;
  if (!work_.choose_backend(all)) return false;
  output_.set_page_locked(work_.gpu_works());
  gst_aggregator_set_src_caps(element_, output_.caps());
  if (!output_.make_pool()) return false;
  g_autoptr(GstCaps) data = stereo_gray_caps(view);
  pads_->set_caps(output_.caps(), data);
  method_->reset(ResetReason::kNewCaps);
  return true;
}

// --- settings and the camera --------------------------------------------------------------------

// Values that do not go together are an error when the element starts. Later they may be on their
// way to others that do: what was valid before stays, and the user is told.
void StereoStream::use_settings(const StereoSettings& settings) {
  job_.settings = settings;
  if (seen_any_ && settings.match == seen_) return;
  const std::string wrong = explain_settings(settings.match);
  if (wrong.empty()) {
    job_.parameters = parameters_of(settings.match);
  } else {
    GST_ELEMENT_WARNING(
        element_, LIBRARY, SETTINGS,
        ("Pairs cannot be matched like this, and go on as before: %s.", wrong.c_str()), (nullptr));
  }
  seen_ = settings.match;
  seen_any_ = true;
}

bool StereoStream::fits(GstRdpCamera* camera) const {
  const GstRdpCameraInfo* info = gst_rdp_camera_get_info(camera);
  return info->width == 0 || (info->width == view_width_ && info->height == view_height_);
}

// That a frame brings; with a reference. Null with *lost: it does not hold any more, of which the
// user is told once.
GstRdpCamera* StereoStream::camera_of(GstBuffer* buffer, const char* view, bool* said, bool* lost) {
  const GstRdpCameraMeta* meta = gst_buffer_get_rdp_camera_meta(buffer);
  if (meta == nullptr) return nullptr;
  g_autoptr(GError) error = nullptr;
  GstRdpCamera* camera = nullptr;
  if (job_.layout.packing == Packing::kNone) {
    camera = gst_rdp_buffer_get_camera(buffer, &error);
  } else if (meta->camera != nullptr) {  // that of a view, not of the two
    camera = gst_rdp_camera_ref(meta->camera);
  }
  if (camera != nullptr && fits(camera)) return camera;
  if (camera != nullptr) gst_rdp_camera_unref(camera);
  *lost = true;
  if (!std::exchange(*said, true)) {
    GST_ELEMENT_WARNING(
        element_, STREAM, FORMAT,
        ("The camera that came with the %s view is lost: %s. Set calibration, or focal-length "
         "and baseline, for the views as they come here.",
         view, error != nullptr ? error->message : "it is of pictures of another size"),
        (nullptr));
  }
  return nullptr;
}

// By how much the left view was cropped more than the right one: as their crops in place say, or,
// where nobody crops in place, as their cameras do, which follow other crops from GStreamer 1.28
// on.
static void find_crops(const StereoBuffers& pair, CamerasOfFrames* frames) {
  const GstVideoCropMeta* left = gst_buffer_get_video_crop_meta(pair.main);
  const GstVideoCropMeta* right = gst_buffer_get_video_crop_meta(pair.other);
  if (left != nullptr || right != nullptr) {
    frames->crop_x = (left != nullptr ? left->x : 0.0) - (right != nullptr ? right->x : 0.0);
    frames->crop_y = (left != nullptr ? left->y : 0.0) - (right != nullptr ? right->y : 0.0);
    return;
  }
  const GstRdpCameraMeta* left_meta = gst_buffer_get_rdp_camera_meta(pair.main);
  const GstRdpCameraMeta* right_meta = gst_buffer_get_rdp_camera_meta(pair.other);
  if (left_meta == nullptr || left_meta->camera == nullptr || right_meta == nullptr ||
      right_meta->camera == nullptr) {
    return;
  }
  const GstRdpCameraInfo& a = *gst_rdp_camera_get_info(left_meta->camera);
  const GstRdpCameraInfo& b = *gst_rdp_camera_get_info(right_meta->camera);
  if (a.rectified == FALSE || b.rectified == FALSE) return;
  // What is left of the rounding of sums is no crop.
  const auto pixels = [&a](double x) { return std::fabs(x) <= 1e-4 * a.focal_length ? 0.0 : x; };
  frames->crop_x = pixels(b.principal_x - a.principal_x - a.disparity_offset);
  frames->crop_y = pixels(b.principal_y - a.principal_y);
}

// Of what has no disparity in its samples: the same view.
void StereoStream::make_gray_camera() {
  GstRdpCamera* camera = calibration_.camera();
  if (camera == camera_) return;
  if (gray_camera_ != nullptr) gst_rdp_camera_unref(std::exchange(gray_camera_, nullptr));
  if (camera_ != nullptr) gst_rdp_camera_unref(camera_);
  camera_ = camera == nullptr ? nullptr : gst_rdp_camera_ref(camera);
  if (camera == nullptr) return;
  GstRdpCameraInfo info = *gst_rdp_camera_get_info(camera);
  info.measures = GST_RDP_MEASURE_UNKNOWN;
  info.disparity_unit = info.depth_unit = 0.0;
  g_autoptr(GError) error = nullptr;
  gray_camera_ = gst_rdp_camera_new(&info, &error);
  if (gray_camera_ == nullptr) GST_WARNING_OBJECT(element_, "%s", error->message);
}

bool StereoStream::calibrate(const StereoSettings& settings, const StereoBuffers& pair) {
  // Where the user says what the cameras are, nobody asks the frames, which may have lost theirs,
  // or bring another object each: only what contradicts him is looked for.
  const bool told = settings.camera.calibration || settings.camera.focal_length > 0.0;
  const bool two = job_.layout.packing == Packing::kNone && pair.other != nullptr;
  CamerasOfFrames frames;
  if (told) {
    if (two) find_crops(pair, &frames);
  } else {
    bool left_lost = false;
    frames.left = camera_of(pair.main, "left", &said_left_lost_, &left_lost);
    if (two && frames.left != nullptr) {
      frames.right = camera_of(pair.other, "right", &said_right_lost_, &frames.right_lost);
    }
  }
  const bool usable =
      calibration_.change(settings.calibration(), view_width_, view_height_, frames);
  for (GstRdpCamera* camera : {frames.left, frames.right}) {
    if (camera != nullptr) gst_rdp_camera_unref(camera);
  }
  if (!usable) return false;
  make_gray_camera();
  job_.maps = calibration_.maps();
  job_.depth.reset();
  if (settings.output == StereoOutput::kDepthMm) job_.depth = calibration_.depth_scale();
  return true;
}

// --- a pair -------------------------------------------------------------------------------------

void StereoStream::acquire_side(Side* side, std::vector<WorkOutput>* outputs) {
  if (!side->pad || gst_rdp_extra_pad_takes(side->pad.get()) == FALSE) return;
  side->buffer = gst_rdp_extra_pad_acquire(side->pad.get(), &side->flow);
  if (side->buffer == nullptr) return;
  outputs->push_back({side->buffer, gst_rdp_data_pad_get_info(side->pad.data()),
                      gst_rdp_data_pad_get_memory(side->pad.data())});
}

GstFlowReturn StereoStream::acquire(bool on_gpu, std::vector<WorkOutput>* outputs) {
  GstFlowReturn flow = GST_FLOW_OK;
  disparity_ = output_.acquire(main_buffer_, &flow);
  if (disparity_ == nullptr) return flow;
  outputs->push_back(output_.describe(disparity_));
  GstObject* context = on_gpu ? gpu_->context() : nullptr;
  for (Side* side : {&rectified_, &confidence_}) {
    if (side->pad) gst_rdp_data_pad_set_context(side->pad.data(), context);
  }
  pads_->begin();
  acquire_side(&rectified_, outputs);
  acquire_side(&confidence_, outputs);
  method_->set_outputs(rectified_.buffer != nullptr, confidence_.buffer != nullptr);
  return GST_FLOW_OK;
}

void StereoStream::drop_buffers() {
  gst_clear_buffer(&disparity_);
  for (Side* side : {&rectified_, &confidence_}) {
    gst_clear_buffer(&side->buffer);
    side->pad = SidePadRef();
    side->flow = GST_FLOW_NOT_LINKED;
  }
  overlay_ = SidePadRef();
}

void StereoStream::count() {
  const stereo::Counts& counts = method_->counts();
  const double pixels = static_cast<double>(view_width_) * static_cast<double>(view_height_);
  const double known = static_cast<double>(counts.known);
  GST_OBJECT_LOCK(element_);
  stats_->known = known / pixels;
  stats_->known_sum += stats_->known;
  stats_->saturated = counts.known == 0 ? 0.0 : static_cast<double>(counts.saturated) / known;
  GST_OBJECT_UNLOCK(element_);
}

// The main path never notices a pad that is being shut down or released.
GstFlowReturn StereoStream::push_sides(const StereoBuffers& pair, const WorkPicture& picture) {
  GstFlowReturn flow = GST_FLOW_NOT_LINKED;
  bool any = false;
  const auto combine = [&](GstFlowReturn more) {
    flow = any ? gst_rdp_extra_pad_combine_flow(flow, more) : more;
    any = true;
  };
  for (Side* side : {&rectified_, &confidence_}) {
    if (!side->pad) continue;
    if (side->buffer != nullptr) {
      describe_picture(side->buffer, pair.main);
      if (gray_camera_ != nullptr) gst_buffer_add_rdp_camera_meta(side->buffer, gray_camera_);
      side->flow = gst_rdp_extra_pad_push(side->pad.get(), std::exchange(side->buffer, nullptr));
    }
    combine(side->flow);
  }
  if (overlay_) {
    if (picture.buffer != nullptr) {
      combine(gst_rdp_extra_pad_push(overlay_.get(), picture.buffer));
    } else if (picture.flow != GST_FLOW_OK) {
      combine(picture.flow);
    } else {
      combine(gst_rdp_picture_pad_skip(overlay_.picture(), pair.main, picture.gap ? TRUE : FALSE));
    }
  }
  return flow;
}

GstFlowReturn StereoStream::work(const StereoSettings& settings, const StereoBuffers& pair,
                                 GstBuffer** disparity, GstFlowReturn* side_flow) {
  drop_buffers();
  main_buffer_ = pair.main;
  WorkPicture picture;
  try {
    if (stale_ || output_.needs_negotiation()) {
      stale_ = !negotiate(settings);
      if (stale_) return GST_FLOW_NOT_NEGOTIATED;
    }
    const bool usable = with_standard_floats([&] {
      use_settings(settings);
      return calibrate(settings, pair);
    });
    if (!usable) return GST_FLOW_ERROR;
    method_->set_job(job_);
  } catch (const std::exception& error) {
    GST_ELEMENT_ERROR(element_, RESOURCE, NO_SPACE_LEFT,
                      ("Not enough memory to get ready for new frames."), ("%s", error.what()));
    return GST_FLOW_ERROR;
  }
  overlay_ = pads_->ref(SidePad::kOverlay);
  rectified_.pad = pads_->ref(SidePad::kRectified);
  confidence_.pad = pads_->ref(SidePad::kConfidence);
  if (overlay_) {
    gst_rdp_picture_pad_set_context(overlay_.picture(), gpu_->context());
    pads_->begin();
  }

  const WorkInput inputs[] = {{pair.main, &main_.info, main_.memory, main_pad_},
                              {pair.other, &other_.info, other_.memory, other_pad_}};
  WorkCall call;
  call.inputs = std::span(inputs).first(pair.other == nullptr ? 1 : 2);
  call.acquire_outputs = this;
  call.overlay = overlay_.picture();
  call.running_time = pair.running_time;
  const GstFlowReturn flow = work_.run(call, &picture);
  if (flow != GST_FLOW_OK) {
    gst_clear_buffer(&picture.buffer);
    drop_buffers();
    return flow;
  }
  with_standard_floats([this] { count(); });
  output_.set_page_locked(work_.gpu_works());
  *side_flow = push_sides(pair, picture);
  *disparity = std::exchange(disparity_, nullptr);
  if (camera_ != nullptr) gst_buffer_add_rdp_camera_meta(*disparity, camera_);
  return GST_FLOW_OK;
}

}  // namespace rdp::gst
