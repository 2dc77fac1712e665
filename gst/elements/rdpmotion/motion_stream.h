// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_RDPMOTION_MOTION_STREAM_H_
#define RDP_GST_ELEMENTS_RDPMOTION_MOTION_STREAM_H_

#include <gst/rdpsegment/rdpsegment.h>

#include <atomic>
#include <span>
#include <string>

#include "common/motion/engine.h"
#include "common/motion/pose_file.h"
#include "gst/elements/base/camera_source.h"
#include "gst/elements/base/gstrdpjoiner.h"
#include "gst/elements/base/list_overlay.h"
#include "gst/elements/rdpmotion/motion_settings.h"
#include "gst/memory/nvmm_buffer.h"
#include "gst/metadata/motion_pool.h"

namespace rdp::gst {

// Counts of the frames, under the element's object lock.
struct MotionStats {
  guint64 frames = 0;  // with motion
  GstClockTime last_time = 0;
  GstClockTime total_time = 0;
  // About the last frame.
  guint64 segments = 0;
  motion::Counts counts;
};

// Computes the motion of segments on `depth` and tracks on `video`. It works on lists on the host,
// in the streaming thread, and reads no samples. Depth frames pass unchanged, with motion attached
// if there is any.
class MotionStream final : public JoinerStream {
 public:
  // `overlay_row`: the overlay's row in the table of pads. `stats` outlives the stream. Throws
  // std::bad_alloc.
  MotionStream(GstRdpJoiner* joiner, std::size_t overlay_row, MotionStats* stats);
  ~MotionStream() override { remember(nullptr, nullptr); }

  bool start() override;
  void set_inputs(std::span<const JoinedInput> inputs) override { inputs_ = inputs; }
  bool accept_caps(std::size_t input) override;
  void renegotiate() override;
  GstFlowReturn work(Pairing& set, GstBuffer** made, GstFlowReturn* extra) override;
  void flush() override { flushed_ = true; }

 private:
  // The outcome for a frame of depth.
  enum class Outcome {
    kMotion,
    kWithout,  // the frame passes without motion
    kRefused,  // after an element error
  };

  const JoinedInput& depth() const { return inputs_[0]; }
  const JoinedInput& video() const { return inputs_[1]; }
  bool is_linked(const char* pad) const;
  bool read_poses(const MotionSettings& settings);
  Outcome look(GstBuffer* depth, GstBuffer* video, const MotionSettings& settings);
  bool refuse_batch(GstBuffer* buffer, const JoinedInput& input, bool is_batch);
  bool refuse_missing(GstBuffer* buffer, const JoinedInput& input);
  bool read_video_camera(GstBuffer* depth, GstBuffer* video, const CameraSettings& settings);
  bool look_at_camera(GstBuffer* depth, GstBuffer* video, const MotionSettings& settings);
  std::string missing_pose(GstClockTime pts, const MotionSettings& settings) const;
  bool look_at_poses(GstBuffer* depth, const MotionSettings& settings);
  bool plays_backwards();
  bool find_motion(GstBuffer* depth, const MotionSettings& settings);
  GstFlowReturn push_picture(GstBuffer* depth, GstClockTime running_time, bool has_motion);
  void paint(GstBuffer* depth, const motion::OverlayOptions& options, const RgbaView& picture);
  void count(const motion::Result& result, GstClockTime time);
  void remember(GstRdpSegmentation* segmentation, GstRdpTracks* tracks);
  void watch_pairs(bool paired);
  void warn(bool* said, const char* what, const std::string& why);

  GstRdpJoiner* const joiner_;
  MotionStats* const stats_;
  std::span<const JoinedInput> inputs_;
  CameraSource camera_;
  motion::PoseList poses_;
  TaggedBuffers tagged_;
  motion::Engine engine_;
  MotionPool pool_;
  ExtraPads& pads_;
  const std::size_t overlay_row_;
  ListOverlay overlay_;
  motion::OverlayPainter painter_{1};
  std::atomic<bool> flushed_{false};

  bool plays_ = false;  // a frame has gone on with motion
  guint64 number_ = 0;  // of the frame, as rdpsegment counts
  motion::Input input_;
  // The last pair with motion, with a reference.
  GstRdpSegmentation* last_segmentation_ = nullptr;
  GstRdpTracks* last_tracks_ = nullptr;
  motion::Result result_;  // of the frame at hand, where there is one
  bool said_lost_segments_ = false;
  bool said_lost_tracks_ = false;
  bool said_no_time_ = false;
  bool said_no_metres_ = false;
  bool said_no_pose_ = false;
  bool said_still_ = false;
  bool said_unpaired_ = false;
  bool said_backwards_ = false;
  // Frames of depth since the last look at the pairs, and the frames among them without a pair.
  unsigned looked_at_ = 0;
  unsigned unpaired_ = 0;
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_RDPMOTION_MOTION_STREAM_H_
