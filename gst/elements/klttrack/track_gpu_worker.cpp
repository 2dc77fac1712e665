// SPDX-License-Identifier: LGPL-2.1-or-later
// klttrack's engine on the GPU.
#include <algorithm>
#include <cstddef>
#include <deque>
#include <memory>
#include <span>
#include <vector>

#include "gst/cuda/gpu_session.h"
#include "gst/cuda/host_painting.h"
#include "gst/elements/klttrack/track_method.h"
#include "kernels/klt/engine.h"
#include "kernels/klt/track_copy.h"
#include "kernels/primitives/frame_list.h"
#include "kernels/runtime/cuda_error.h"
#include "kernels/runtime/driver.h"

namespace rdp::gst {
namespace {

// Inputs of a task that share launches: cuda::kMaxFrames at most, one of each camera.
struct FrameGroup {
  std::vector<std::size_t> inputs;  // of the task
  cuda::DeviceTrackList list;
  // Host copy of the lists, as far as there is room. Readers on the host, and the count of lost
  // tracks, then need no further wait.
  cuda::TrackCopy copy;
};

class TrackGpuWorker final : public Worker {
 public:
  TrackGpuWorker(TrackMethod& method, GpuSession& session)
      : method_(method), number_(method.new_worker()), session_(session), painting_(session) {}

  void analyze(const Task& task) override {
    method_.start_frames(task);
    method_.drop_gone(&states_);
    collected_ = false;
    expect(task);
    n_groups_ = 0;
    std::size_t left = task.inputs.size();
    for (std::size_t turn = 0; left > 0; ++turn) left -= track_turn(task, turn);
  }

  // Paints on the host, where the lists are, as lines are few: copies the frame there and the
  // picture back.
  void paint(const Task& task) override {
    collect();
    if (painter_ == nullptr) painter_ = std::make_unique<klt::OverlayPainter>(1);
    const cuda::DeviceDepthView& luma = task.inputs[task.painted].device;
    luma_.resize(static_cast<std::size_t>(luma.width) * static_cast<std::size_t>(luma.height));
    const DepthView frame = painting_.bring(luma, luma_.data());
    painter_->paint(frame, method_.scene(task), method_.picture(),
                    painting_.begin(frame.width, frame.height));
    painting_.send(task.device_picture);
  }

  bool finish(const Task& task) override {
    collect();
    for (std::size_t i = 0; i < task.inputs.size(); ++i) {
      method_.camera(i).commit(&method_.state_of(i, &states_));
    }
    method_.finish_frames(task);
    return true;
  }

 private:
  // Tracks the inputs with this turn number of their camera, and returns how many there are.
  // Earlier turns are their templates and must be finished.
  std::size_t track_turn(const Task& task, std::size_t turn) {
    if (turn > 0) session_.synchronize();
    std::size_t count = 0;
    for (std::size_t i = 0; i < task.inputs.size(); ++i) {
      if (method_.turn_of(i) != turn) continue;
      if (count % cuda::kMaxFrames == 0) begin_group();
      groups_[n_groups_ - 1].inputs.push_back(i);
      ++count;
    }
    for (std::size_t g = n_groups_ - (count + cuda::kMaxFrames - 1) / cuda::kMaxFrames;
         g < n_groups_; ++g) {
      track_group(task, &groups_[g], &engines_[g]);
    }
    return count;
  }

  void begin_group() {
    if (groups_.size() == n_groups_) {
      groups_.emplace_back();
      engines_.emplace_back();
    }
    groups_[n_groups_++].inputs.clear();
  }

  void track_group(const Task& task, FrameGroup* group, cuda::KltEngine* engine) {
    inputs_.clear();
    for (const std::size_t i : group->inputs) {
      TrackedCamera& camera = method_.camera(i);
      cuda::KltState& state = method_.state_of(i, &states_);
      if (method_.turn_of(i) > 0) {
        camera.go_on(&state);
      } else {
        camera.prepare(number_, &state);
      }
      inputs_.push_back({task.inputs[i].device, &state, method_.points(i)});
    }
    engine->track(inputs_, mask(), method_.parameters(), &group->list, session_.stream());
    group->copy.prepare(static_cast<int>(inputs_.size()), most_tracks_, most_lost_,
                        group->list.has_warps());
    copier_.run(group->list, group->copy, session_.stream());
  }

  // Reserves room for a track and a lost track in each cell, kUsual at most. Longer lists, which
  // need a copy of their own, are then rare.
  void expect(const Task& task) {
    constexpr std::size_t kUsual = 65536;
    const int cell = method_.parameters().cell;
    for (const FrameSurface& input : task.inputs) {
      const std::size_t cells = static_cast<std::size_t>(klt::parts_of(input.width(), cell)) *
                                static_cast<std::size_t>(klt::parts_of(input.height(), cell));
      most_tracks_ = std::max(most_tracks_, std::min(cells, kUsual));
      most_lost_ = std::max(most_lost_, std::min(cells, kUsual));
    }
  }

  // The mask on the device, which stays the same.
  cuda::DeviceDepthView mask() {
    const Mask& mask = method_.mask();
    if (mask.width == 0) return {};
    if (mask_.size() == 0) {
      const CUdeviceptr to = mask_.ensure(mask.pixels.size());
      cuda::check(cuda::driver().cuMemcpyHtoDAsync_v2(to, mask.pixels.data(), mask.pixels.size(),
                                                      session_.stream()),
                  "copying the mask");
      session_.synchronize();
    }
    return {mask_.get(), mask.width, mask.width, mask.height, SampleType::kU8};
  }

  // Waits for the device, and gives each draft the tracks of its input.
  void collect() {
    if (collected_) return;
    session_.synchronize();
    for (std::size_t g = 0; g < n_groups_; ++g) {
      FrameGroup& group = groups_[g];
      for (std::size_t i = 0; i < group.inputs.size(); ++i) {
        const int frame = static_cast<int>(i);
        const std::size_t input = group.inputs[i];
        const std::size_t tracks = group.list.track_count(frame);
        const std::size_t lost = group.list.lost_count(frame);
        if (tracks <= group.copy.track_room() && lost <= group.copy.lost_room()) {
          std::span<const klt::TrackWarp> warps;
          if (group.list.has_warps()) warps = group.copy.warps(frame, tracks);
          method_.set_found(input, {group.copy.tracks(frame, tracks), group.copy.lost(frame, lost),
                                    warps, group.list.templates(frame)});
          continue;
        }
        most_tracks_ = std::max(most_tracks_, tracks);
        most_lost_ = std::max(most_lost_, lost);
        tracks_.resize(tracks);
        lost_.resize(lost);
        warps_.resize(group.list.has_warps() ? tracks : 0);
        group.list.copy_to(tracks_.data(), lost_.data(), session_.stream(), frame, warps_.data());
        method_.set_found(input, {tracks_, lost_, warps_, group.list.templates(frame)});
      }
    }
    collected_ = true;
  }

  TrackMethod& method_;
  const guint64 number_;
  GpuSession& session_;
  HostPainting painting_;
  std::vector<std::unique_ptr<cuda::KltState>> states_;  // by camera
  // The first n_groups_ are in use.
  std::deque<FrameGroup> groups_;
  std::deque<cuda::KltEngine> engines_;
  std::size_t n_groups_ = 0;
  cuda::TrackCopier copier_;
  cuda::DeviceBuffer mask_;
  std::unique_ptr<klt::OverlayPainter> painter_;
  std::size_t most_tracks_ = 1;  // in a frame so far
  std::size_t most_lost_ = 1;
  // For the task at hand.
  std::vector<cuda::KltInput> inputs_;  // of a group
  bool collected_ = false;
  std::vector<klt::Track> tracks_;
  std::vector<klt::Lost> lost_;
  std::vector<klt::TrackWarp> warps_;
  std::vector<std::byte> luma_;
};

}  // namespace

std::unique_ptr<Worker> TrackMethod::new_gpu_worker(GpuSession& session) {
  return std::make_unique<TrackGpuWorker>(*this, session);
}

}  // namespace rdp::gst
