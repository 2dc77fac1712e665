// SPDX-License-Identifier: LGPL-2.1-or-later
// rdpsegment's engine on the GPU.
#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "gst/cuda/gpu_session.h"
#include "gst/elements/rdpsegment/segment_method.h"
#include "gst/metadata/gpu_segments.h"
#include "kernels/primitives/frame_list.h"
#include "kernels/rdp/engine.h"

namespace rdp::gst {
namespace {

// Inputs of a task that have one size and one type, so that each step takes them in one launch.
// They share one list of segments.
struct FrameGroup {
  std::size_t first = 0;  // in the order of the worker's frames
  std::size_t count = 0;
  // Index of its engine, the same in each batch: an engine chooses its kernels by its previous
  // frames.
  std::size_t engine = 0;
  RemoteRef<GpuSegments> list;
  // It is segmented and, as far as asked for, painted and written to. None of that is repeated if
  // another group had too little room.
  bool complete = false;
};

class SegmentGpuWorker final : public Worker {
 public:
  SegmentGpuWorker(SegmentMethod& method, GpuSession& session)
      : method_(method), session_(session) {
    engines_.push_back(std::make_unique<cuda::SegmentEngine>());
  }

  // The group with the painted frame comes last: it is written to after painting, and the engine
  // keeps filtered samples of its last frames only. The other groups are written to at once;
  // kernels skip them if their segments did not fit.
  void analyze(const Task& task) override {
    if (!std::exchange(once_more_, false)) {
      method_.find_grounds(task);
      form_groups(task);
      copies_ahead_ = readers_->expects();
    }
    for (FrameGroup& group : groups_) {
      if (group.complete) continue;
      engine_of(group).segment(frames_of(group), method_.parameters(), &group.list->list(),
                               session_.stream());
      if (method_.writes() && &group != &groups_.back()) write_to(group);
    }
  }

  void paint(const Task& task) override {
    const FrameGroup& group = groups_.back();
    if (group.complete) return;
    const auto first = order_.begin() + static_cast<std::ptrdiff_t>(group.first);
    const auto slice = std::find(first, order_.end(), task.painted) - first;
    engine_of(group).paint(task.inputs[task.painted].device, group.list->list(),
                           static_cast<int>(slice), method_.parameters(), method_.picture_of(task),
                           task.device_picture, session_.stream());
  }

  void write_back(const Task&) override {
    if (!groups_.back().complete) write_to(groups_.back());
  }

  bool finish(const Task& task) override {
    if (copies_ahead_) {
      for (FrameGroup& group : groups_) {
        if (group.complete) continue;
        group.list->copy_ahead(copier_, most_segments_, session_.stream());
      }
    }
    session_.synchronize();
    bool complete = true;
    for (FrameGroup& group : groups_) {
      if (!group.complete) group.complete = !group.list->list().grow_if_truncated();
      if (!group.complete) complete = false;
    }
    once_more_ = !complete;
    if (!complete) return false;
    std::vector<SegmentationDraft>& drafts = method_.start_drafts(task);
    most_segments_ = 0;
    for (FrameGroup& group : groups_) {
      for (std::size_t i = 0; i < group.count; ++i) {
        const SegmentSlice slice = group.list->slice(static_cast<int>(i));
        most_segments_ = std::max(most_segments_, slice.segments);
        drafts[order_[group.first + i]]->use_remote(group.list, slice);
      }
      group.list.reset();
    }
    method_.finish_drafts(task);
    return true;
  }

 private:
  // Groups of neighbours in order_, which has the inputs by size and type.
  void form_groups(const Task& task) {
    const auto kind = [&](std::size_t input) {
      const cuda::DeviceDepthView& frame = task.inputs[input].device;
      return std::tuple(frame.width, frame.height, frame.type);
    };
    order_.resize(task.inputs.size());
    for (std::size_t i = 0; i < order_.size(); ++i) order_[i] = i;
    std::sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) {
      return std::tuple(kind(a), a) < std::tuple(kind(b), b);
    });
    frames_.clear();
    std::size_t groups = 0;
    std::size_t of_painted = 0;
    for (const std::size_t input : order_) {
      const std::size_t place = frames_.size();
      const bool fits = groups > 0 && groups_[groups - 1].count < cuda::kMaxFrames &&
                        kind(input) == kind(order_[place - 1]);
      if (!fits) {
        if (groups_.size() <= groups) groups_.emplace_back();
        if (engines_.size() <= groups) engines_.push_back(std::make_unique<cuda::SegmentEngine>());
        FrameGroup& group = groups_[groups];
        group.engine = groups++;
        group.first = place;
        group.count = 0;
        group.complete = false;
        // A list that an error has left here may hold a copy of that task's results.
        group.list.reset();
        group.list = GpuSegments::from(pool_, session_.context(), readers_);
      }
      ++groups_[groups - 1].count;
      if (input == task.painted) of_painted = groups - 1;
      frames_.push_back(task.inputs[input].device);
    }
    groups_.resize(groups);
    std::swap(groups_[of_painted], groups_.back());
  }

  cuda::DeviceFrames frames_of(const FrameGroup& group) const {
    return std::span(frames_).subspan(group.first, group.count);
  }
  cuda::SegmentEngine& engine_of(const FrameGroup& group) const { return *engines_[group.engine]; }
  void write_to(const FrameGroup& group) {
    engine_of(group).reconstruct(frames_of(group), method_.parameters(), group.list->list(),
                                 session_.stream());
  }

  SegmentMethod& method_;
  GpuSession& session_;
  std::vector<std::unique_ptr<cuda::SegmentEngine>> engines_;  // by group
  cuda::SegmentCopier copier_;
  std::shared_ptr<ReaderWatch> readers_ = std::make_shared<ReaderWatch>();
  RecyclingPool<GpuSegments> pool_;
  std::size_t most_segments_ = 0;  // in a frame of the last task
  // The current task.
  std::vector<std::size_t> order_;
  std::vector<cuda::DeviceDepthView> frames_;  // in that order
  std::vector<FrameGroup> groups_;
  bool once_more_ = false;  // the next steps are those of the same task once more
  // A reader on the host is expected. Constant over all turns of a task: a copy of an earlier turn
  // would be taken for one of the last.
  bool copies_ahead_ = false;
};

}  // namespace

std::unique_ptr<Worker> SegmentMethod::new_gpu_worker(GpuSession& session) {
  return std::make_unique<SegmentGpuWorker>(*this, session);
}

}  // namespace rdp::gst
