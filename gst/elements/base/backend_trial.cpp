// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/base/backend_trial.h"

#include <algorithm>

namespace rdp::gst {

BackendTrial::Engine BackendTrial::next() const {
  if (decided_) return winner_;
  return gpu_.frames < cpu_.frames ? Engine::kGpu : Engine::kCpu;
}

void BackendTrial::record(Duration time) {
  if (decided_) return;
  Times& own = times(next());
  if (own.frames >= kWarmUp) own.counted[own.frames - kWarmUp] = time;
  ++own.frames;
  if (gpu_.frames < kWarmUp + kCounted) return;
  decided_ = true;
  winner_ = median(Engine::kGpu) < median(Engine::kCpu) ? Engine::kGpu : Engine::kCpu;
}

void BackendTrial::give_up_gpu() {
  decided_ = true;
  winner_ = Engine::kCpu;
}

BackendTrial::Duration BackendTrial::median(Engine engine) const {
  const Times& times = engine == Engine::kCpu ? cpu_ : gpu_;
  if (times.frames <= kWarmUp) return {};
  std::array<Duration, kCounted> sorted = times.counted;
  const auto end = sorted.begin() + static_cast<std::ptrdiff_t>(times.frames - kWarmUp);
  const auto middle = sorted.begin() + (end - sorted.begin()) / 2;
  std::nth_element(sorted.begin(), middle, end);
  return *middle;
}

}  // namespace rdp::gst
