// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_BASE_BACKEND_TRIAL_H_
#define RDP_GST_ELEMENTS_BASE_BACKEND_TRIAL_H_

#include <array>
#include <chrono>
#include <cstddef>

namespace rdp::gst {

// Times two engines on a stream's first frames and chooses the faster one. Results are
// bit-identical, so nobody notices the trial. The engines alternate, so that both see a changing
// scene. Each engine's first frames do not count, because memory is allocated and clocks rise
// during them. The smaller median wins; the CPU wins a tie.
class BackendTrial {
 public:
  enum class Engine { kCpu, kGpu };
  using Duration = std::chrono::nanoseconds;

  static constexpr std::size_t kWarmUp = 3;   // frames for each engine
  static constexpr std::size_t kCounted = 7;  // frames for each engine

  // The engine for the next frame.
  Engine next() const;
  // Records the time of that frame. Ignored once the trial is decided.
  void record(Duration time);
  // Ends the trial in favour of the CPU.
  void give_up_gpu();

  bool decided() const { return decided_; }
  // The median of the counted frames, once there are any: for the log.
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
