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

// Reads the views in the files of the property, for frames of this size (0: any size). The array
// (transfer full) owns them. Null, after an element error.
GPtrArray* read_calibration(GstElement* element, const CameraSettings& settings, guint width,
                            guint height);

// Posts each warning of `now` when it becomes true, and again only after it has ceased to be.
void post_warnings(GstElement* element, std::vector<std::string> now,
                   std::vector<std::string>* posted);

// Determines each frame's camera for an element that measures. It combines the properties, the
// calibration that they name and the camera on the frame (a GstRdpCameraMeta). One for each stream
// of frames; knows no pad. The rules are in camera_choice.h.
//
// Work is done only on changes: with the same settings and camera, a frame costs a few comparisons
// and no allocation. For one thread, which also posts the messages.
class CameraSource {
 public:
  // `element` posts the messages and lives longer.
  explicit CameraSource(GstElement* element) : element_(element) {}
  ~CameraSource() { forget(); }
  CameraSource(const CameraSource&) = delete;
  CameraSource& operator=(const CameraSource&) = delete;

  // READY to PAUSED. False, after an element error: the calibration cannot be used.
  bool start(const CameraSettings& settings);
  // Takes new caps: GRAY8 or GRAY16_LE. Reads the calibration for their size, because files may
  // have several sizes. False, after an element error: it has another size.
  bool set_frames(const GstVideoInfo& info);
  // Finds the camera of a frame of these caps. Warns of a lost camera, once for a stream, and of
  // contradictory settings: see post_warnings(). May throw std::bad_alloc.
  void look(const CameraSettings& settings, const CameraUse& use, GstBuffer* buffer);

  // Results of the last look().

  // The camera in the frame's rows and columns as the caps describe them; null: none.
  GstRdpCamera* camera() const { return camera_; }
  SampleMeaning meaning() const { return meaning_; }
  // For engines and painters. Null: there are no metres; reason() has the cause and the remedy.
  const MetricCamera* metric() const { return metric_ ? &*metric_ : nullptr; }
  const std::string& reason() const { return reason_; }
  // True if metric() contains guessed parts: see CameraUse::guesses.
  bool guessed() const { return guessed_; }
  // Metres per sample step, also if guessed. 0: there are no metres, or the samples are not depth.
  double depth_unit() const;
  // True if the frame's camera became invalid upstream and nothing replaces it. The user has been
  // warned; such frames go on without metres.
  bool lost() const { return lost_; }
  // For elements that need metres and have none, though no camera was lost. Before the first frame
  // (`plays` false) it posts an element error that names `metres_for` and the reason. While the
  // element plays it posts a warning, once for each reason, and returns true: frames go on without
  // `metres_for`.
  bool go_on_without(const char* metres_for, bool plays);

  // Puts the camera on the outgoing frame if the settings made or changed it. A camera that only
  // passes stays as it is; a lost one is marked as lost. The buffer is writable.
  void attach(GstBuffer* buffer) const;
  // Puts the frame's camera, if any, on a buffer made from the frame.
  void put(GstBuffer* buffer) const;

 private:
  // The facts that decide which camera a frame has.
  struct InputState {
    bool has_meta = false;
    GstRdpCamera* camera = nullptr;  // the meta's; if that was lost, as far as known
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
  CameraSettings calibration_settings_;  // used to read it
  guint width_ = 0, height_ = 0;
  bool bytes_ = false;
  bool warned_of_lost_ = false;
  std::vector<std::string> warnings_;  // already posted
  // The last settings that gave metres to an element whose results need them. The reasons that the
  // user has been told since.
  std::optional<CameraSettings> fitting_;
  std::string said_unfit_;
  std::string said_missing_;

  // Inputs of the members below.
  bool known_ = false;
  InputState seen_;  // with a reference
  CameraSettings settings_;
  CameraUse use_;

  GstRdpCamera* camera_ = nullptr;
  bool made_ = false;  // by the settings, not taken from the frame
  SampleMeaning meaning_;
  std::optional<MetricCamera> metric_;
  // Share of pixels without a ray, for this lens and frame size.
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
