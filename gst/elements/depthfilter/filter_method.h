// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_DEPTHFILTER_FILTER_METHOD_H_
#define RDP_GST_ELEMENTS_DEPTHFILTER_FILTER_METHOD_H_

#include <cstddef>
#include <memory>

#include "common/filter/engine.h"
#include "common/filter/overlay.h"
#include "common/image/grow_buffer.h"
#include "gst/elements/base/fitting_values.h"
#include "gst/elements/base/gstrdpanalyzer.h"
#include "gst/elements/base/method.h"
#include "gst/elements/base/worker_threads.h"
#include "gst/elements/depthfilter/filter_settings.h"

namespace rdp::gst {

// Pixels that the steps have changed, under the element's object lock.
struct FilterStats {
  filter::Counts last;  // of the last frame; of a batch, of all its frames
  filter::Counts sum;   // since the element went to PAUSED
};

// Adds the fields of both to the structure of the property `stats`.
void add_filter_stats(GstStructure* fields, const FilterStats& stats);
// Adds the counts of one more frame.
void add_counts(const filter::Counts& more, filter::Counts* sum);

// Filters depth frames. Samples are its only results, written in place or, with decimation, to new
// frames.
//
// The temporal step's state belongs to the worker that filters; the method says when to reset it.
class FilterMethod final : public Method {
 public:
  // `element` and `stats` outlive the method.
  FilterMethod(GstRdpAnalyzer* element, FilterStats* stats);
  ~FilterMethod() override;

  void reset(ResetReason) noexcept override { forget(); }
  void jump() noexcept override { forget(); }
  void miss_frame() noexcept override;
  bool engines_interchangeable() const override;
  Plan plan(const Frame& frame) override;
  Worker& cpu() override { return cpu_; }
#ifdef RDP_HAVE_CUDA
  std::unique_ptr<Worker> new_gpu_worker(GpuSession& session) override;
#endif
  void attach(GstBuffer* buffer, std::span<GstMiniObject* const> results) override;
  void describe_output(std::size_t which, GstBuffer* buffer) override;

  // For its workers.

  // First call for each task: finds the parameters, and whether the stream resets the state. Throws
  // std::runtime_error if the frames cannot be filtered.
  void start(const Task& task);
  const filter::Parameters& parameters() const { return parameters_; }
  // True if a worker that last saw `*epoch` (initially 0) must reset its state.
  bool forgets(const Worker* worker, guint64* epoch);
  // Number of frames missed (gap events) before this one, at most 8: more make no difference. The
  // temporal step gets them as frames of zeros.
  int missed() const { return missed_; }
  // True if the frame is a gap (GST_BUFFER_FLAG_GAP): it is filtered as zeros.
  bool is_gap() const { return is_gap_; }
  // False if the settings change no sample, so that there is nothing to do.
  bool works() const { return works_; }
  bool decimates() const { return current_.filter.steps.decimation > 1; }
  guint threads() const { return current_.threads; }
  const filter::OverlayOptions& picture() const { return picture_; }
  // Ends the task and counts its changed pixels.
  void finish(const filter::Counts& counts);

 private:
  class CpuWorker final : public Worker {
   public:
    explicit CpuWorker(FilterMethod& method) : method_(method) {}
    void analyze(const Task& task) override;
    void paint(const Task& task) override;
    void write_back(const Task& task) override;
    bool finish(const Task& task) override;

   private:
    void use_threads();
    void miss_frames(const Task& task);
    DepthView read_view(const Task& task, std::size_t input);
    MutableDepthView scratch_view(const MutableDepthView& like);

    FilterMethod& method_;
    filter::Engine engine_;
    filter::OverlayPainter painter_{1};
    WorkerThreads threads_;
    WorkerThreads painter_threads_;
    guint64 epoch_ = 0;
    filter::Counts counts_;
    // Filtered samples of the painted frame, until its picture is painted.
    GrowBuffer<std::byte> scratch_;
    MutableDepthView painted_;
    GrowBuffer<std::byte> zeros_;
  };

  void forget() noexcept;
  void look_at(GstBuffer* buffer);
  void look_at_camera(GstRdpCamera* camera);

  GstRdpAnalyzer* element_;
  FilterStats* stats_;
  FilterSettings current_;
  FilterOverlaySettings picture_;
  filter::Parameters parameters_;
  FittingValues<filter::Parameters> fitting_;
  CpuWorker cpu_{*this};

  // The stream so far.
  guint64 epoch_ = 1;
  const Worker* last_worker_ = nullptr;
  GstClockTime last_pts_ = GST_CLOCK_TIME_NONE;
  guint crop_x_ = 0;
  guint crop_y_ = 0;
  GstRdpCamera* camera_ = nullptr;  // with a reference
  int missed_ = 0;

  // The frame at hand.
  bool works_ = false;
  bool is_gap_ = false;
  GstBuffer* buffer_ = nullptr;
  guint width_ = 0;
  guint height_ = 0;
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_DEPTHFILTER_FILTER_METHOD_H_
