// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_DEPTHSTEREO_STEREO_STREAM_H_
#define RDP_GST_ELEMENTS_DEPTHSTEREO_STEREO_STREAM_H_

#include "gst/elements/base/joined_work.h"
#include "gst/elements/depthstereo/stereo_calibration.h"
#include "gst/elements/depthstereo/stereo_caps.h"
#include "gst/elements/depthstereo/stereo_method.h"
#include "gst/elements/depthstereo/stereo_settings.h"

namespace rdp::gst {

// What the pairs since the element went to PAUSED have given. Under the element's object lock.
struct StereoStats {
  double known = 0.0;  // of the last pair's pixels
  double known_sum = 0.0;
  double saturated = 0.0;  // of the known ones
};

// What the base has to know of pairs of views: how they are laid out, their cameras, the settings
// that they are matched with.
class StereoStream final : public JoinedWork {
 public:
  // Both live longer. Throws std::bad_alloc.
  StereoStream(GstRdpJoiner* joiner, StereoStats* stats)
      : StereoStream(joiner, stats, new StereoMethod(GST_ELEMENT(joiner))) {}
  ~StereoStream() override;

  bool start() override;
  void look_at(const PairingMisses& misses) override { method_->watch().look_at(misses); }
  void end() override { method_->watch().end(); }

 private:
  StereoStream(GstRdpJoiner* joiner, StereoStats* stats, StereoMethod* method);

  GstCaps* possible_caps(bool cuda, bool cuda_first) override;
  GstCaps* data_caps(const JoinerPad&) override { return stereo_gray_caps(view_); }
  bool prepare(std::span<GstBuffer* const> buffers) override;
  void outputs_are(std::span<GstBuffer* const> outputs) override;
  void done(std::span<GstBuffer* const> outputs) override;

  GstCaps* refuse(const std::string& reason);
  void use_settings(const StereoSettings& settings);
  bool calibrate(const StereoSettings& settings, std::span<GstBuffer* const> pair);
  GstRdpCamera* camera_of(GstBuffer* buffer, const char* view, bool* said, bool* lost);
  bool fits(GstRdpCamera* camera) const;
  void make_gray_camera();

  StereoStats* const stats_;
  StereoMethod* const method_;  // of the base's work
  StereoCalibration calibration_;

  GstCaps* view_ = nullptr;  // of one view
  guint view_width_ = 0;
  guint view_height_ = 0;
  StereoJob job_;
  MatchSettings seen_;  // the settings that were looked at last
  bool seen_any_ = false;
  GstRdpCamera* camera_ = nullptr;       // calibration_'s, that the next one is made of
  GstRdpCamera* gray_camera_ = nullptr;  // of data pads: without what the samples measure
  bool said_left_lost_ = false;
  bool said_right_lost_ = false;
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_DEPTHSTEREO_STEREO_STREAM_H_
