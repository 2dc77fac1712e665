// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_BASE_BACKEND_CHOICE_H_
#define RDP_GST_ELEMENTS_BASE_BACKEND_CHOICE_H_

#include "gst/elements/base/backend_enum.h"
#include "gst/elements/base/backend_trial.h"
#include "gst/memory/memory_kind.h"

namespace rdp::gst {

// Which engine works on a frame: the one owner of this question, from the property, the memory of
// the frames, what the machine has, what has failed, and how fast the engines were. Knows no pads.
class BackendChoice {
 public:
  using Engine = BackendTrial::Engine;

  // What has to be true of the GPU before frames of some caps can come.
  enum class Gpu {
    // Not used: backend=cpu, or it has failed before.
    kNone,
    // It has to be started now, or the caps are refused: CUDA memory, or backend=cuda.
    kStarted,
    // It is started now if that works: backend=auto.
    kWanted,
    // NVMM memory, with which only the first frame says on which device it lies. With backend=cuda
    // there has to be a device, or the caps are refused.
    kFound,
    // The same with backend=auto: without a device the CPU works.
    kPresent,
  };

  explicit BackendChoice(GstRdpBackend wanted) : wanted_(wanted) {}

  GstRdpBackend wanted() const { return wanted_; }

  // What frames in this memory need. `interchangeable`: whether the engines may take turns. Where
  // they may not there is no trial, and the GPU is not started for one.
  Gpu needs(MemoryKind memory, bool interchangeable) const;
  // Takes the answer: whether the GPU is there.
  void begin(MemoryKind memory, bool gpu_there, bool interchangeable);

  // Who works on the next frame. `device_reaches`: a device can work on it in place.
  Engine next(bool device_reaches) const;
  // Whether the engines take turns, and the next frame's time counts.
  bool on_trial() const { return route_ == Route::kTrial && !trial_.decided(); }

  // Whether the GPU works, if it can reach the frames, and that is settled.
  bool gpu_works() const {
    return route_ == Route::kGpu || (route_ == Route::kTrial && !on_trial());
  }

  // What a frame on trial took. True: that was the last one, and it is known who works from now on.
  bool record(BackendTrial::Duration time);
  // The GPU failed while it was tried, or when it was to be started: it is not tried again until
  // the element is started anew.
  void give_up_gpu();
  const BackendTrial& trial() const { return trial_; }

 private:
  enum class Route { kCpu, kGpu, kTrial };

  GstRdpBackend wanted_;
  MemoryKind memory_ = MemoryKind::kSystem;
  Route route_ = Route::kCpu;
  BackendTrial trial_;
  bool gpu_failed_ = false;
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_BASE_BACKEND_CHOICE_H_
