// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_BASE_BACKEND_TRIAL_H_
#define RDP_GST_ELEMENTS_BASE_BACKEND_TRIAL_H_

#include <array>
#include <chrono>
#include <cstddef>

namespace rdp::gst {

// Which of two engines is to work on a stream whose frames both can take: the one that is faster on
// this stream's first frames. Both give the same bits, so nobody notices the trial. The engines
// take turns, so that a scene that changes meanwhile is seen by both; the first frames of each do
// not count, because memory is allocated and clocks rise with them; then the smaller median wins,
// and the CPU where they are equal.
class BackendTrial {
 public:
  enum class Engine { kCpu, kGpu };
  using Duration = std::chrono::nanoseconds;

  static constexpr std::size_t kWarmUp = 3;   // frames for each engine
  static constexpr std::size_t kCounted = 7;  // frames for each engine

  // The engine for the next frame.
  Engine next() const;
  // What that frame took. Says nothing once the trial is decided.
  void record(Duration time);
  // Ends the trial: the rest is for the CPU.
  void give_up_gpu();

  bool decided() const { return decided_; }
  // Of the counted frames, once there are any: for the log.
  Duration median(Engine engine) const;

 private:
  struct Times {
    std::array<Duration, kCounted> counted{};
    std::size_t frames = 0;
  };

  Times& times(Engine engine) { return engine == Engine::kCpu ? cpu_ : gpu_; }

  Times cpu_;
  Times gpu_;
  Engine winner_ = Engine::kCpu;
  bool decided_ = false;
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_BASE_BACKEND_TRIAL_H_
