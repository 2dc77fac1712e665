// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_DEPTHSTEREO_STEREO_METHOD_H_
#define RDP_GST_ELEMENTS_DEPTHSTEREO_STEREO_METHOD_H_

#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <vector>

#include "common/image/grow_buffer.h"
#include "common/image/thread_pool.h"
#include "common/rdp/segment_list.h"
#include "common/stereo/depth_table.h"
#include "common/stereo/engine.h"
#include "gst/elements/base/joined_work.h"
#include "gst/elements/base/made_caps.h"
#include "gst/elements/base/worker_threads.h"
#include "gst/elements/depthstereo/stereo_calibration.h"
#include "gst/elements/depthstereo/stereo_caps.h"
#include "gst/elements/depthstereo/stereo_settings.h"
#include "gst/elements/depthstereo/stereo_watch.h"

namespace rdp::gst {

// There is no memory to match a pair: what() says how much is needed and what needs less.
class NoMemoryToMatch : public NoMemoryForWork {
 public:
  NoMemoryToMatch(int width, int height, const stereo::Parameters& parameters,
                  std::size_t bytes) noexcept;
  const char* what() const noexcept override { return text_; }

 private:
  char text_[200];
};

// Counts of the pairs since the element went to PAUSED. Under the element's object lock.
struct StereoStats {
  double known = 0.0;  // share of the last pair's pixels
  double known_sum = 0.0;
  double saturated = 0.0;  // share of the known pixels
};

// The matching of pairs. Its inputs are the left and the right view, or one surface with both. Its
// outputs are the disparity (or depth), the rectified left view and the confidence. It has no
// results beside them.
class StereoMethod final : public JoinedMethod {
 public:
  // `element` and `stats` outlive the method.
  StereoMethod(GstRdpJoiner* element, StereoStats* stats);
  ~StereoMethod() override;

  bool start() override;
  GstCaps* possible_caps(std::span<const JoinedInput> inputs, bool cuda, bool cuda_first) override;
  GstCaps* data_caps(const JoinerPadRow&) override { return made_caps(view_, "GRAY8"); }
  void look_at(const PairingMisses& misses) override { watch_.look_at(misses); }
  void end() override { watch_.end(); }

  Plan plan(const Frame& frame) override;
  bool arrange(std::span<const FrameSurface> surfaces,
               std::vector<FrameSurface>* arranged) override;
  void reset(ResetReason) noexcept override { watch_.reset(); }
  Worker& cpu() override { return cpu_; }
#ifdef RDP_HAVE_CUDA
  std::unique_ptr<Worker> new_gpu_worker(GpuSession& session) override;
#endif
  void attach(GstBuffer* buffer, std::span<GstMiniObject* const> results) override;
  void describe_output(std::size_t which, GstBuffer* output) override;

  // For its workers: indices of the outputs.
  enum Output : std::size_t { kDisparity, kRectified, kConfidence };
  const stereo::Parameters& parameters() const { return parameters_; }
  // Null: the views are matched as they are.
  const std::shared_ptr<const StereoMaps>& maps() const { return calibration_.maps(); }
  // Scale and lookup table from disparity to depth, with output=depth-mm.
  const std::optional<stereo::DepthScale>& depth() const { return depth_; }
  const std::vector<std::uint16_t>& depth_table() const { return depth_table_; }
  OverlayOptions picture() const;
  // Keeps the last pair's counts, for stats, and passes them to the watch. diagnose() takes the
  // pair itself, on the host, if the watch wants it.
  void note(const stereo::Counts& counts, int width, int height);
  bool wants_diagnosis() const { return watch_.wants_diagnosis(); }
  void diagnose(const stereo::Pair& pair, stereo::Engine* engine);

 private:
  class CpuWorker final : public Worker {
   public:
    explicit CpuWorker(StereoMethod& method) : method_(method) {}
    void analyze(const Task& task) override;
    void paint(const Task& task) override;

   private:
    stereo::Pair prepare(const Task& task);
    MutableDepthView scratch(const DepthView& like, GrowBuffer<std::byte>* memory);
    void use_threads();
    template <typename Body>
    void spread(int items, int least, const Body& body);

    StereoMethod& method_;
    stereo::Engine engine_{1};
    ThreadPool threads_;
    WorkerThreads threads_wanted_;
    GrowBuffer<std::byte> left_;
    GrowBuffer<std::byte> right_;
    SegmentList no_segments_;
  };

  GstCaps* refuse(std::span<const JoinedInput> inputs, const std::string& reason);
  void use_settings();
  bool calibrate(const Frame& frame);
  GstRdpCamera* camera_of(GstBuffer* buffer, const char* view, bool* said, bool* lost);
  bool fits(GstRdpCamera* camera) const;
  void make_gray_camera();

  GstRdpJoiner* const element_;
  StereoStats* const stats_;
  StereoCalibration calibration_;

  // From the caps.
  ViewLayout layout_;        // of the first input, kNone: there are two
  GstCaps* view_ = nullptr;  // of one view
  guint view_width_ = 0;
  guint view_height_ = 0;

  // For the pair at hand.
  StereoSettings settings_;
  stereo::Parameters parameters_;  // of the settings, and valid
  MatchSettings seen_;             // last checked settings
  bool seen_any_ = false;
  std::optional<stereo::DepthScale> depth_;
  std::vector<std::uint16_t> depth_table_;
  OverlayOptions picture_;
  GstRdpCamera* camera_ = nullptr;       // calibration_'s; source of gray_camera_
  GstRdpCamera* gray_camera_ = nullptr;  // of data pads, whose samples measure nothing
  bool said_left_lost_ = false;
  bool said_right_lost_ = false;
  stereo::Counts counts_;

  StereoWatch watch_;
  CpuWorker cpu_{*this};
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_DEPTHSTEREO_STEREO_METHOD_H_
