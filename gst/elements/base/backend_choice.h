// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_BASE_BACKEND_CHOICE_H_
#define RDP_GST_ELEMENTS_BASE_BACKEND_CHOICE_H_

#include "gst/elements/base/backend_trial.h"
#include "gst/elements/base/base_enums.h"
#include "gst/memory/memory_kind.h"

namespace rdp::gst {

// Chooses the engine for each frame: from the property, the memory of the frames, the machine,
// earlier failures, and the engines' speed. Nothing else decides this. Knows no pads.
class BackendChoice {
 public:
  using Engine = BackendTrial::Engine;

  // The GPU's necessary state before frames of some caps can come.
  enum class Gpu {
    // Not used: backend=cpu, or it has failed before.
    kNone,
    // It has to be started now, or the caps are refused: CUDA memory, or backend=cuda.
    kRequireNow,
    // It is started now if that works: backend=auto.
    kTryNow,
    // NVMM memory, with which only the first frame says on which device it lies. With backend=cuda
    // there has to be a device, or the caps are refused.
    kRequireLater,
    // The same with backend=auto: without a device the CPU works.
    kTryLater,
  };

  explicit BackendChoice(GstRdpBackend wanted) : wanted_(wanted) {}

  GstRdpBackend wanted() const { return wanted_; }

  // The GPU's necessary state for frames in this memory. `interchangeable`: the engines may take
  // turns. Otherwise there is no trial, and the GPU is not started for one.
  Gpu needs(MemoryKind memory, bool interchangeable) const;
  // Takes the answer: whether the GPU is there.
  void begin(MemoryKind memory, bool gpu_there, bool interchangeable);

  // The engine for the next frame. `device_reaches`: a device can work on it in place.
  Engine next(bool device_reaches) const;
  // True while the engines take turns and the next frame's time counts.
  bool on_trial() const { return route_ == Route::kTrial && !trial_.decided(); }

  // True if the GPU works (on frames that it can reach), and no trial is running.
  bool gpu_works() const {
    return route_ == Route::kGpu || (route_ == Route::kTrial && !on_trial());
  }

  // Takes the time of a frame on trial. True: that was the last one, and the engine is chosen.
  bool record(BackendTrial::Duration time);
  // Ends a trial: the CPU works.
  void end_trial() { route_ = Route::kCpu; }
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
