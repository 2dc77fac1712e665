// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_BASE_CAMERA_SOURCE_H_
#define RDP_GST_ELEMENTS_BASE_CAMERA_SOURCE_H_

#include <gst/rdpsegment/rdpcamerameta.h>
#include <gst/video/video.h>

#include <optional>
#include <string>
#include <vector>

#include "common/image/camera.h"
#include "gst/elements/base/camera_properties.h"
#include "gst/elements/base/camera_use.h"

namespace rdp::meta {
struct UnitRemedy;
}

namespace rdp::gst {

// The views of the files that the property names, for frames of this size (0: of all), which the
// array owns (transfer full). Null, after an element error.
GPtrArray* read_calibration(GstElement* element, const CameraSettings& settings, guint width,
                            guint height);

// Posts those of `now` that were not true before: each warning when it begins to be true, and not
// again before it has ceased to be.
void post_warnings(GstElement* element, std::vector<std::string> now,
                   std::vector<std::string>* posted);

// The source of each frame's camera for an element that measures. It combines the element's
// properties, the calibration that they name and the camera that the frame brings (a
// GstRdpCameraMeta). One for each stream of frames; knows no pad. The rules are in camera_choice.h.
//
// All is done once for each change: while settings and the frames' camera stay, a frame costs a few
// comparisons, and allocates nothing. In one thread; messages are posted there.
class CameraSource {
 public:
  // The element that messages come from lives longer.
  explicit CameraSource(GstElement* element) : element_(element) {}
  ~CameraSource() { forget(); }
  CameraSource(const CameraSource&) = delete;
  CameraSource& operator=(const CameraSource&) = delete;

  // READY to PAUSED. False, after an element error: the calibration cannot be used.
  bool start(const CameraSettings& settings);
  // New caps: GRAY8 or GRAY16_LE. Reads the calibration, which may be of several sizes. False,
  // after an element error: it is not of this one.
  bool set_frames(const GstVideoInfo& info);
  // Finds the camera of a frame of these caps. Posts warnings, each once for a stream: of a camera
  // that was lost on the way, and of settings that make no sense together. May throw
  // std::bad_alloc.
  void look(const CameraSettings& settings, const CameraUse& use, GstBuffer* buffer);

  // About the frame that look() has seen last.

  // In the rows and columns of the frame as its caps describe it; null: there is none.
  GstRdpCamera* camera() const { return camera_; }
  SampleMeaning meaning() const { return meaning_; }
  // For engines and painters; null: there are no metres, and reason() says why, and what to do.
  const MetricCamera* metric() const { return metric_ ? &*metric_ : nullptr; }
  const std::string& reason() const { return reason_; }
  // metric() is a guess of parts that are not known: see CameraUse::guesses.
  bool guessed() const { return guessed_; }
  // Metres per sample step, also if they are guessed. 0: there are no metres, or not of depth.
  double depth_unit() const;
  // The frame came with a camera that does not hold any more, and nothing stands in for it. The
  // user has been warned; such frames go on without metres.
  bool lost() const { return lost_; }
  // For elements that need metres and have none that were lost. With the first frame it is an
  // element error that names what needs them, and the reason. While the element plays it is a
  // warning, once for each reason, and frames go on without what needs them: true.
  bool go_on_without(const char* metres_for, bool plays);

  // Puts the camera on the frame that goes on, where the settings have made or changed it. One that
  // only passes is left as it is, one that was lost says so. The buffer is writable.
  void attach(GstBuffer* buffer) const;
  // Puts the frame's camera on a buffer that was made of the frame, where there is one.
  void put(GstBuffer* buffer) const;

 private:
  // The facts that decide which camera a frame has.
  struct InputState {
    bool has_meta = false;
    GstRdpCamera* camera = nullptr;  // of the meta; where it was lost, as far as it is known
    guint how_lost = 0;
    bool samples_changed = false;
    // The picture in the buffer, and the part of it that the frame is.
    guint width = 0, height = 0;
    guint x = 0, y = 0;
    bool operator==(const InputState&) const = default;
  };

  bool read_calibration(guint width, guint height);
  InputState see(GstBuffer* buffer) const;
  void change(const CameraSettings& settings, const CameraUse& use, GstBuffer* buffer);
  void go_on_as_before(const CameraSettings& settings, const CameraUse& use, GstBuffer* buffer);
  GstRdpCamera* read_camera_of(GstBuffer* buffer, std::string* lost, meta::UnitRemedy* unit) const;
  void make(const CameraSettings& settings, const CameraUse& use, GstRdpCamera* of_buffer,
            bool was_lost, const meta::UnitRemedy& unit);
  void find_metres(const CameraUse& use, std::string reason);
  void guess_metres(const CameraUse& use);
  bool objects(const CameraUse& use, const MetricCamera& metric);
  void warn_of_lost(const std::string& why);
  void look_at_lens();
  void warn_of_settings(const CameraSettings& settings, const CameraUse& use);
  void note_lost(GstBuffer* buffer) const;
  void forget_frame();
  void forget();

  GstElement* element_;
  // For the whole stream.
  GstRdpCamera* calibration_ = nullptr;
  CameraSettings calibration_settings_;  // that it was read with
  guint width_ = 0, height_ = 0;
  bool bytes_ = false;
  bool warned_of_lost_ = false;
  std::vector<std::string> warnings_;  // that were posted
  // The last settings that gave metres to an element whose results need them, and why later ones
  // did not.
  std::optional<CameraSettings> fitting_;
  std::string said_unfit_;
  std::string said_missing_;

  // The inputs of the members below.
  bool known_ = false;
  InputState seen_;  // with a reference
  CameraSettings settings_;
  CameraUse use_;

  GstRdpCamera* camera_ = nullptr;
  bool made_ = false;  // by the settings: it is not the one that came
  SampleMeaning meaning_;
  std::optional<MetricCamera> metric_;
  // The share of the frame that has no rays, of this lens and of frames of this size.
  CameraLens lens_;
  guint lens_width_ = 0, lens_height_ = 0;
  double without_ray_ = 0.0;
  std::string reason_;
  bool may_guess_ = false;
  bool guessed_ = false;
  bool lost_ = false;
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_BASE_CAMERA_SOURCE_H_
