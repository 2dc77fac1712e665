// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/depthalign/target_camera.h"

#include <utility>

#include "gst/memory/frame_layout.h"

namespace rdp::gst {
namespace {

GstVideoRectangle crop_of(GstBuffer* frame) {
  GstVideoRectangle crop{};
  if (const GstVideoCropMeta* meta = gst_buffer_get_video_crop_meta(frame)) {
    crop = {static_cast<gint>(meta->x), static_cast<gint>(meta->y), static_cast<gint>(meta->width),
            static_cast<gint>(meta->height)};
  }
  return crop;
}

bool is_same(const GstVideoRectangle& a, const GstVideoRectangle& b) {
  return a.x == b.x && a.y == b.y && a.w == b.w && a.h == b.h;
}

}  // namespace

// --- on video -----------------------------------------------------------------------------------

void VideoCamera::see(GstBuffer* frame, GstCaps* caps) {
  const GstRdpCameraMeta* meta = gst_buffer_get_rdp_camera_meta(frame);
  GstRdpCamera* of_meta = meta == nullptr ? nullptr : meta->camera;
  const GstVideoRectangle crop = crop_of(frame);
  const std::lock_guard lock(mutex_);
  if (seen_.any && caps == caps_ && of_meta == of_meta_.get() && had_meta_ == (meta != nullptr) &&
      is_same(crop, crop_)) {
    return;
  }
  GstVideoInfo info;
  if (caps == nullptr || !gst_video_info_from_caps(&info, caps)) return;
  g_autoptr(GError) error = nullptr;
  seen_.camera.set(gst_rdp_buffer_get_camera(frame, &error));
  seen_.any = true;
  seen_.width = static_cast<guint>(GST_VIDEO_INFO_WIDTH(&info));
  seen_.height = static_cast<guint>(GST_VIDEO_INFO_HEIGHT(&info));
  seen_.lost = error == nullptr ? "" : error->message;
  ++changes_;
  gst_caps_replace(&caps_, caps);
  of_meta_.share(of_meta);
  crop_ = crop;
  had_meta_ = meta != nullptr;
}

void VideoCamera::forget() {
  const std::lock_guard lock(mutex_);
  seen_ = {};
  ++changes_;
  gst_caps_replace(&caps_, nullptr);
  of_meta_.set(nullptr);
  had_meta_ = false;
}

unsigned VideoCamera::changes() const {
  const std::lock_guard lock(mutex_);
  return changes_;
}

VideoCamera::Seen VideoCamera::get() const {
  const std::lock_guard lock(mutex_);
  return seen_;
}

// --- the target ---------------------------------------------------------------------------------

bool TargetCamera::refuse(const std::string& text) {
  GST_ELEMENT_ERROR(element_, LIBRARY, SETTINGS,
                    ("The target camera is not known: %s.", text.c_str()), (nullptr));
  return false;
}

void TargetCamera::forget() {
  of_file_.set(nullptr);
  camera_.set(nullptr);
  known_ = false;
}

bool TargetCamera::start(const AlignSettings& settings) {
  forget();
  file_ = settings.target_calibration;
  view_ = settings.target_calibration_view;
  unit_ = settings.camera.calibration_unit;
  return !file_ || read_file(0, 0);
}

// `width` and `height`: the size of frames on video, as a file may have several; 0: unknown.
bool TargetCamera::read_file(guint width, guint height) {
  of_file_.set(nullptr);
  g_autoptr(GError) error = nullptr;
  g_autoptr(GPtrArray) views = gst_rdp_camera_read_files(file_.get(), unit_, width, height, &error);
  if (views == nullptr) {
    GST_ELEMENT_ERROR(element_, RESOURCE, SETTINGS,
                      ("The target's calibration cannot be used: %s.", error->message),
                      ("target-calibration=%s", ShownText(file_.get()).get()));
    return false;
  }
  if (view_ >= views->len) {
    GST_ELEMENT_ERROR(
        element_, LIBRARY, SETTINGS,
        ("target-calibration-view=%u, but %s has %u %s, numbered from 0.", view_,
         ShownText(file_.get()).get(), views->len, views->len == 1 ? "view" : "views"),
        (nullptr));
    return false;
  }
  of_file_.share(static_cast<GstRdpCamera*>(g_ptr_array_index(views, view_)));
  return true;
}

// False, after an element error.
bool TargetCamera::take(const VideoCamera::Seen& seen) {
  GstRdpCamera* camera = seen.camera.get();
  if (camera == nullptr) {
    if (file_ && !read_file(seen.width, seen.height)) return false;
    camera = of_file_.get();
  }
  if (camera == nullptr && !seen.lost.empty()) return refuse(seen.lost);
  if (camera == nullptr && seen.any) {
    return refuse(
        "the frames on video carry no camera; set target-calibration, or calibration of the "
        "element that makes them");
  }
  if (camera == nullptr) {
    return refuse(
        "nothing has come on video; link the colour camera's frames to the pad video, or set "
        "target-calibration");
  }
  const GstRdpCameraInfo& info = *gst_rdp_camera_get_info(camera);
  width_ = info.width != 0 ? info.width : seen.width;
  height_ = info.height != 0 ? info.height : seen.height;
  if (width_ == 0) {
    return refuse(
        "target-calibration states no image size; link the camera's frames to the pad video, or "
        "use a file with a size");
  }
  if (seen.any && (width_ != seen.width || height_ != seen.height)) {
    return refuse(
        format_text("%s is of images of %ux%u, but the frames on video are %ux%u; use a "
                    "calibration of this size, or scale behind this element",
                    seen.camera.get() != nullptr ? "the camera on video" : "target-calibration",
                    width_, height_, seen.width, seen.height));
  }
  camera_.share(camera);
  return true;
}

TargetCamera::State TargetCamera::update(bool comes) {
  const unsigned changes = video_->changes();
  if (known_ && changes == changes_) return State::kKnown;
  const VideoCamera::Seen seen = video_->get();
  if (!seen.any && comes) return known_ ? State::kKnown : State::kWaiting;
  if (!take(seen)) return State::kRefused;
  known_ = true;
  changes_ = changes;
  ++number_;
  return State::kKnown;
}

}  // namespace rdp::gst
