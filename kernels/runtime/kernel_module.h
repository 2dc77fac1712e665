// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_RUNTIME_KERNEL_MODULE_H_
#define RDP_KERNELS_RUNTIME_KERNEL_MODULE_H_

#include <cuda.h>

#include "common/image/depth_view.h"

namespace rdp::cuda {

// The shape of a kernel's launch.
struct LaunchShape {
  unsigned blocks_x = 1;
  unsigned blocks_y = 1;
  unsigned threads = 1;       // a block, along x
  unsigned shared_bytes = 0;  // dynamic
  unsigned blocks_z = 1;      // a frame each
  // The kernel calls pdl_wait_and_trigger() (kernels/primitives/grid_order.cuh) before it touches
  // what the previous one writes. So it may start before that has ended, on devices that can do it.
  bool waits = false;
};

// Enough blocks to cover each of `frames` frames, if a block takes `columns` x `rows` pixels.
inline LaunchShape tiled(int width, int height, int columns, int rows, int threads,
                         int frames = 1) {
  return {static_cast<unsigned>((width + columns - 1) / columns),
          static_cast<unsigned>((height + rows - 1) / rows), static_cast<unsigned>(threads), 0,
          static_cast<unsigned>(frames)};
}

// Code that was compiled for all architectures of the build (a fat binary, see embed.sh), loaded
// into the context that was current when the object was made. Throws CudaError, which says so if
// the build holds no code for this device.
class KernelModule {
 public:
  explicit KernelModule(const unsigned char* fat_binary);
  ~KernelModule();
  KernelModule(const KernelModule&) = delete;
  KernelModule& operator=(const KernelModule&) = delete;

  // The kernel of this name, which may then use that much dynamic shared memory.
  CUfunction kernel(const char* name, unsigned max_shared_bytes = 0) const;

 private:
  CUmodule module_ = nullptr;
};

// True if the current device can start a kernel before the previous one has ended, also in graphs.
bool can_overlap_launches();

// Starts a kernel that takes one structure, by value, which is how all kernels here take their
// arguments: the structure is the kernel's signature, and is declared in a header of its own.
// Asynchronous. `name` is for the error.
void launch_kernel(CUfunction kernel, const char* name, const LaunchShape& shape, CUstream stream,
                   const void* arguments);

template <typename Arguments>
void launch(CUfunction kernel, const char* name, const LaunchShape& shape, CUstream stream,
            const Arguments& arguments) {
  launch_kernel(kernel, name, shape, stream, &arguments);
}

// A kernel of a module, and its name for errors.
class Kernel {
 public:
  Kernel(const KernelModule& module, const char* name, unsigned max_shared_bytes = 0)
      : function_(module.kernel(name, max_shared_bytes)), name_(name) {}

  template <typename Arguments>
  void start(const LaunchShape& shape, CUstream stream, const Arguments& arguments) const {
    launch(function_, name_, shape, stream, arguments);
  }

 private:
  CUfunction function_;
  const char* name_;
};

// Starts kernels that wait for the previous one themselves (LaunchShape::waits). If the current
// device can do that, they start before the previous one has ended.
class OverlappedStart {
 public:
  template <typename Arguments>
  void operator()(const Kernel& kernel, LaunchShape shape, CUstream stream,
                  const Arguments& arguments) const {
    shape.waits = overlaps_;
    kernel.start(shape, stream, arguments);
  }

 private:
  const bool overlaps_ = can_overlap_launches();
};

// A kernel for frames of 8-bit samples and one for those of 16-bit samples.
class SampleKernels {
 public:
  SampleKernels(const KernelModule& module, const char* u8_name, const char* u16_name,
                unsigned max_shared_bytes = 0)
      : u8_(module, u8_name, max_shared_bytes), u16_(module, u16_name, max_shared_bytes) {}

  const Kernel& of(SampleType type) const { return type == SampleType::kU8 ? u8_ : u16_; }

 private:
  Kernel u8_;
  Kernel u16_;
};

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_RUNTIME_KERNEL_MODULE_H_
