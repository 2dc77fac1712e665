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
#include "gst/elements/base/method.h"
#include "gst/elements/depthstereo/stereo_calibration.h"
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

// What a pair is worked on with, which the element finds out before the work begins.
struct StereoJob {
  StereoSettings settings;
  stereo::Parameters parameters;  // of the settings, and valid
  ViewLayout layout;              // of the first input, kNone: there are two
  // Null: the views are matched as they are.
  std::shared_ptr<const StereoMaps> maps;
  // With output=depth-mm.
  std::optional<stereo::DepthScale> depth;
  // Which outputs follow the disparity, in this order.
  bool rectified = false;
  bool confidence = false;
};

// The matching of pairs. Its inputs are the left and the right view, or one surface with both; its
// outputs the disparity (or depth) and, where they are wanted, the rectified left view and the
// confidence. It has no results beside them: the element attaches the camera.
class StereoMethod final : public Method {
 public:
  // `element` lives longer. Throws std::bad_alloc.
  explicit StereoMethod(GstElement* element);

  // What the next pair is worked on with. Between two calls of FrameWork::run(); which outputs are
  // wanted may also change where the outputs are acquired. Throws std::bad_alloc.
  void set_job(const StereoJob& job);
  void set_outputs(bool rectified, bool confidence);
  const StereoJob& job() const { return job_; }
  // Of the last pair.
  const stereo::Counts& counts() const { return counts_; }
  StereoWatch& watch() { return watch_; }

  bool arrange(std::span<const FrameSurface> surfaces,
               std::vector<FrameSurface>* arranged) override;
  std::size_t frames(std::size_t) const override { return 1; }
  void take_settings() override {}
  void take_picture_settings(GstPad* pad) override;
  void reset(ResetReason) noexcept override { watch_.reset(); }
  Worker& cpu() override { return cpu_; }
#ifdef RDP_HAVE_CUDA
  std::unique_ptr<Worker> new_gpu_worker(GpuSession& session) override;
#endif
  gsize count(GstMiniObject*) override { return 0; }
  void attach(GstBuffer*, std::span<GstMiniObject* const>) override {}

  // For its workers: the place of an output, without data where it is not wanted.
  template <typename View>
  struct Outputs {
    View disparity;
    View rectified;
    View confidence;
  };
  template <typename View>
  Outputs<View> outputs_of(const Task& task, View FrameSurface::*side) const {
    Outputs<View> outputs;
    std::size_t next = 0;
    outputs.disparity = task.outputs[next++].*side;
    if (job_.rectified) outputs.rectified = task.outputs[next++].*side;
    if (job_.confidence) outputs.confidence = task.outputs[next++].*side;
    return outputs;
  }
  const std::vector<std::uint16_t>& depth_table() const { return depth_table_; }
  OverlayOptions picture() const;
  // What the last pair has given, and the pair on the host where the watch wants to look closer.
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
    stereo::Pair prepare(const Task& task, const Outputs<MutableDepthView>& outputs);
    MutableDepthView scratch(const DepthView& like, GrowBuffer<std::byte>* memory);
    void use_threads();
    template <typename Body>
    void spread(int items, int least, const Body& body);

    StereoMethod& method_;
    stereo::Engine engine_{1};
    ThreadPool threads_;
    guint wanted_threads_ = 1;  // as the engines were last told
    GrowBuffer<std::byte> left_;
    GrowBuffer<std::byte> right_;
    SegmentList no_segments_;
  };

  GstElement* const element_;
  StereoJob job_;
  std::vector<std::uint16_t> depth_table_;
  std::optional<stereo::DepthScale> depth_table_scale_;
  OverlayOptions picture_;
  stereo::Counts counts_;
  StereoWatch watch_;
  CpuWorker cpu_{*this};
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_DEPTHSTEREO_STEREO_METHOD_H_
