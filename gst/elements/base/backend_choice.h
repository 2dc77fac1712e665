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

  // State of the GPU that frames of given caps require.
  enum class Gpu {
    // Not used: backend=cpu, or it has failed before.
    kNone,
    // Start it now, or refuse the caps: CUDA memory, or backend=cuda.
    kRequireNow,
    // Start it now if possible: backend=auto.
    kTryNow,
    // NVMM memory with backend=cuda: only the first frame tells its device. Refuse the caps if the
    // machine has no device.
    kRequireLater,
    // NVMM memory with backend=auto: without a device the CPU works.
    kTryLater,
  };

  explicit BackendChoice(GstRdpBackend wanted) : wanted_(wanted) {}

  GstRdpBackend wanted() const { return wanted_; }

  // Returns the state that frames in this memory require. Unless the engines are `interchangeable`,
  // there is no trial, and the GPU is not started for one.
  Gpu needs(MemoryKind memory, bool interchangeable) const;
  // Chooses the route. `gpu_there`: the GPU could be started, or its device found.
  void begin(MemoryKind memory, bool gpu_there, bool interchangeable);

  // Returns the engine for the next frame. `device_reaches`: a device can process it in place.
  Engine next(bool device_reaches) const;
  // True while the engines take turns and the next frame's time counts.
  bool on_trial() const { return route_ == Route::kTrial && !trial_.decided(); }

  // True if the GPU works (on frames that it can reach), and no trial is running.
  bool gpu_works() const {
    return route_ == Route::kGpu || (route_ == Route::kTrial && !on_trial());
  }

  // Records the time of a trial frame. True: it was the last one, and the engine is chosen.
  bool record(BackendTrial::Duration time);
  // Ends a trial: the CPU works.
  void end_trial() { route_ = Route::kCpu; }
  // Stops using the GPU after it failed, until the element is restarted.
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
