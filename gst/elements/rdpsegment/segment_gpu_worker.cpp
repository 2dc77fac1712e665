// SPDX-License-Identifier: LGPL-2.1-or-later
// rdpsegment's engine on the GPU.
#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "gst/cuda/gpu_session.h"
#include "gst/elements/rdpsegment/segment_method.h"
#include "gst/metadata/gpu_segments.h"
#include "kernels/rdp/gpu_engine.h"

namespace rdp::gst {
namespace {

class SegmentGpuWorker final : public Worker {
 public:
  SegmentGpuWorker(SegmentMethod& method, GpuSession& session)
      : method_(method), session_(session) {}

  // As on the CPU: the first frame comes last. One that is written to at once has to be complete
  // before, because what is segmented once more for want of room must not have been written to. For
  // the same reason it is left alone where the first frame alone is to be segmented once more.
  void analyze(const Task& task) override {
    const bool once_more = std::exchange(truncated_, false);
    while (lists_.size() < task.inputs.size()) {
      lists_.push_back(GpuSegments::from(pool_, session_.context(), readers_));
    }
    lists_.resize(task.inputs.size());
    for (std::size_t i = task.inputs.size(); i-- > 0;) {
      const bool at_once = i > 0 && method_.writes();
      if (at_once && once_more) continue;
      do {
        engine_.segment(frame(task, i), method_.parameters(), &list(i), session_.stream());
        if (!at_once) break;
        write_to(task, i);
        session_.synchronize();
      } while (list(i).grow_if_truncated());
    }
  }

  void paint(const Task& task) override {
    engine_.paint(frame(task, 0), list(0), method_.parameters(), method_.picture(),
                  task.device_picture, session_.stream());
  }

  void write_back(const Task& task) override { write_to(task, 0); }

  bool finish(const Task& task) override {
    if (readers_->expects()) {
      for (const RemoteRef<GpuSegments>& segments : lists_) {
        segments->copy_ahead(copier_, most_segments_, session_.stream());
      }
    }
    session_.synchronize();
    bool complete = true;
    for (std::size_t i = 0; i < lists_.size(); ++i) {
      const bool done = i > 0 && method_.writes();
      if (!done && list(i).grow_if_truncated()) complete = false;
    }
    truncated_ = !complete;
    if (!complete) return false;
    std::vector<SegmentationDraft>& drafts = method_.start_drafts(task);
    most_segments_ = 0;
    for (std::size_t i = 0; i < lists_.size(); ++i) {
      const int columns = list(i).columns();
      const std::size_t segments = list(i).segment_count();
      most_segments_ = std::max(most_segments_, segments);
      drafts[i].use_remote(std::move(lists_[i]), columns, segments);
    }
    lists_.clear();
    method_.finish_drafts(task);
    return true;
  }

 private:
  static const cuda::DeviceDepthView& frame(const Task& task, std::size_t i) {
    return task.inputs[i].device;
  }
  cuda::DeviceSegmentList& list(std::size_t i) { return lists_[i]->list(); }
  void write_to(const Task& task, std::size_t i) {
    engine_.reconstruct(frame(task, i), method_.parameters(), list(i), session_.stream());
  }

  SegmentMethod& method_;
  GpuSession& session_;
  cuda::GpuEngine engine_;
  cuda::SegmentCopier copier_;
  std::shared_ptr<ReaderWatch> readers_ = std::make_shared<ReaderWatch>();
  RecyclingPool<GpuSegments> pool_;
  std::vector<RemoteRef<GpuSegments>> lists_;  // of the task at hand
  std::size_t most_segments_ = 0;              // that a frame of the last task had
  bool truncated_ = false;                     // the task's next steps are the same once more
};

}  // namespace

std::unique_ptr<Worker> SegmentMethod::new_gpu_worker(GpuSession& session) {
  return std::make_unique<SegmentGpuWorker>(*this, session);
}

}  // namespace rdp::gst
