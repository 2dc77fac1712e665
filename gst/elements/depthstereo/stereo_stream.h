// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_DEPTHSTEREO_STEREO_STREAM_H_
#define RDP_GST_ELEMENTS_DEPTHSTEREO_STEREO_STREAM_H_

#include <gst/base/gstaggregator.h>

#include <vector>

#include "gst/cuda/gpu_provider.h"
#include "gst/elements/base/frame_output.h"
#include "gst/elements/base/frame_work.h"
#include "gst/elements/depthstereo/stereo_calibration.h"
#include "gst/elements/depthstereo/stereo_caps.h"
#include "gst/elements/depthstereo/stereo_method.h"
#include "gst/elements/depthstereo/stereo_pads.h"
#include "gst/elements/depthstereo/stereo_settings.h"

namespace rdp::gst {

// What errors call it.
WorkWords stereo_words();

// What has been matched since the element went to PAUSED. Under the element's object lock.
struct StereoStats {
  AnalyzerStats work;
  double known = 0.0;  // of the last pair's pixels
  double known_sum = 0.0;
  double saturated = 0.0;  // of the known ones
};

// The two buffers of a pair; of a packed stream there is one.
struct StereoBuffers {
  GstBuffer* main = nullptr;
  GstBuffer* other = nullptr;
  GstClockTime running_time = GST_CLOCK_TIME_NONE;
};

// From pairs of buffers to what leaves the element: caps, calibration, the work, the side pads. One
// for each time between READY and PAUSED. Streaming thread only; start() before it runs.
class StereoStream final : public WorkOutputs, public InstanceMemory {
 public:
  // All of them live longer. Throws std::bad_alloc.
  StereoStream(GstAggregator* element, const StereoSettings& settings, GpuProvider* gpu,
               SidePads* pads, StereoStats* stats);
  ~StereoStream() override;
  StereoStream(const StereoStream&) = delete;
  StereoStream& operator=(const StereoStream&) = delete;

  // False, after an element error: these settings cannot be.
  bool start();

  // Which pads there are: `other` is null where one is alone. Both names have static storage.
  void set_pads(const char* main, const char* other);
  // New caps of one of them. False: they do not describe a frame, or, after an element error, one
  // that is not taken.
  bool take_caps(bool of_main, GstCaps* caps);
  // Something else was linked, or downstream wants other caps or another pool.
  void renegotiate() { stale_ = true; }
  void reset(ResetReason reason) { method_->reset(reason); }
  StereoWatch& watch() { return method_->watch(); }

  // Works on a pair and pushes what goes to the side pads. *disparity is for src, and the caller's.
  // *side_flow is what the side pads said. An element error is posted on failure.
  GstFlowReturn work(const StereoSettings& settings, const StereoBuffers& pair,
                     GstBuffer** disparity, GstFlowReturn* side_flow);

 private:
  struct Side {
    SidePadRef pad;
    GstBuffer* buffer = nullptr;
    GstFlowReturn flow = GST_FLOW_NOT_LINKED;
  };

  GstFlowReturn acquire(bool on_gpu, std::vector<WorkOutput>* outputs) override;
  bool negotiate(const StereoSettings& settings);
  bool negotiate_view(const StereoSettings& settings, GstCaps* view);
  bool refuse(const std::string& reason);
  void use_settings(const StereoSettings& settings);
  bool calibrate(const StereoSettings& settings, const StereoBuffers& pair);
  GstRdpCamera* camera_of(GstBuffer* buffer, const char* view, bool* said, bool* lost);
  bool fits(GstRdpCamera* camera) const;
  void make_gray_camera();
  void acquire_side(Side* side, std::vector<WorkOutput>* outputs);
  void count();
  GstFlowReturn push_sides(const StereoBuffers& pair, const WorkPicture& picture);
  void drop_buffers();

  GstAggregator* const element_;
  GpuProvider* const gpu_;
  SidePads* const pads_;
  StereoStats* const stats_;
  StereoSettings const first_;  // that it was started with
  StereoMethod* method_;        // of work_
  FrameWork work_;
  FrameOutput output_;
  StereoCalibration calibration_;

  const char* main_pad_ = "left";
  const char* other_pad_ = nullptr;
  StereoInput main_;
  StereoInput other_;
  bool stale_ = true;  // caps are to be decided on
  StereoJob job_;
  MatchSettings seen_;  // the settings that were looked at last
  bool seen_any_ = false;
  guint view_width_ = 0;
  guint view_height_ = 0;
  GstRdpCamera* camera_ = nullptr;       // calibration_'s, that the next one is made of
  GstRdpCamera* gray_camera_ = nullptr;  // of data pads: without what the samples measure
  bool said_left_lost_ = false;
  bool said_right_lost_ = false;

  // Of the pair at hand.
  GstBuffer* main_buffer_ = nullptr;
  GstBuffer* disparity_ = nullptr;
  SidePadRef overlay_;
  Side rectified_;
  Side confidence_;
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_DEPTHSTEREO_STEREO_STREAM_H_
