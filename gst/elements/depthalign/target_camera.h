// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_DEPTHALIGN_TARGET_CAMERA_H_
#define RDP_GST_ELEMENTS_DEPTHALIGN_TARGET_CAMERA_H_

#include <gst/rdpsegment/rdpcamerameta.h>
#include <gst/video/video.h>

#include <mutex>
#include <string>

#include "gst/elements/depthalign/align_settings.h"
#include "gst/memory/instance_memory.h"

namespace rdp::gst {

// A nullable owning reference to a camera.
class OwnedCamera {
 public:
  OwnedCamera() = default;
  OwnedCamera(const OwnedCamera& other) { share(other.get()); }
  OwnedCamera& operator=(const OwnedCamera& other) {
    share(other.get());
    return *this;
  }
  ~OwnedCamera() { set(nullptr); }

  GstRdpCamera* get() const { return camera_; }
  // `camera` (transfer full).
  void set(GstRdpCamera* camera) {
    if (camera_ != nullptr) gst_rdp_camera_unref(camera_);
    camera_ = camera;
  }
  void share(GstRdpCamera* camera) {
    set(camera == nullptr ? nullptr : gst_rdp_camera_ref(camera));
  }

 private:
  GstRdpCamera* camera_ = nullptr;
};

// The camera of the last frame on `video`.
class VideoCamera : public InstanceMemory {
 public:
  struct Seen {
    bool any = false;  // a frame has come
    OwnedCamera camera;
    guint width = 0;  // of the frame, as its caps say
    guint height = 0;
    std::string lost;  // why there is no camera any more; empty: the frame never had one
  };

  VideoCamera() = default;
  ~VideoCamera() { forget(); }
  VideoCamera(const VideoCamera&) = delete;
  VideoCamera& operator=(const VideoCamera&) = delete;

  // Records a frame with these caps. Does nothing if camera, crop and caps equal the previous
  // frame's. Any thread. May throw std::bad_alloc.
  void see(GstBuffer* frame, GstCaps* caps);
  void forget();
  // Number of changes so far; get() returns the same value until it grows.
  unsigned changes() const;
  Seen get() const;

 private:
  mutable std::mutex mutex_;
  Seen seen_;
  unsigned changes_ = 0;
  // The state at the last change; owned references.
  GstCaps* caps_ = nullptr;
  OwnedCamera of_meta_;
  GstVideoRectangle crop_{};
  bool had_meta_ = false;
};

// The camera that depth is aligned to: the camera of frames on `video`, else the one in the file
// target-calibration. Streaming thread, except start(); posts messages from the calling thread.
class TargetCamera {
 public:
  // `element` and `video` outlive the object.
  TargetCamera(GstElement* element, const VideoCamera* video) : element_(element), video_(video) {}
  ~TargetCamera() = default;
  TargetCamera(const TargetCamera&) = delete;
  TargetCamera& operator=(const TargetCamera&) = delete;

  // From READY to PAUSED: reads the file. False, after an element error.
  bool start(const AlignSettings& settings);

  enum class State {
    kWaiting,  // for the first frame on video
    kKnown,
    kRefused,  // after an element error
  };
  // Updates the camera before a depth frame. `comes`: video may still deliver a frame.
  State update(bool comes);

  // The camera and its image size, once update() has returned kKnown.
  GstRdpCamera* camera() const { return camera_.get(); }
  guint width() const { return width_; }
  guint height() const { return height_; }
  // Grows with each change of the camera.
  unsigned number() const { return number_; }

 private:
  bool read_file(guint width, guint height);
  bool take(const VideoCamera::Seen& seen);
  bool refuse(const std::string& text);
  void forget();

  GstElement* const element_;
  const VideoCamera* const video_;
  SharedText file_;
  guint view_ = 0;
  double unit_ = 1.0;
  OwnedCamera of_file_;

  bool known_ = false;
  unsigned changes_ = 0;  // video_->changes() when camera_ was set
  OwnedCamera camera_;
  guint width_ = 0;
  guint height_ = 0;
  unsigned number_ = 0;
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_DEPTHALIGN_TARGET_CAMERA_H_
