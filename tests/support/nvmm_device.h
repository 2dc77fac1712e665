// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_SUPPORT_NVMM_DEVICE_H_
#define RDP_TESTS_SUPPORT_NVMM_DEVICE_H_

#include <cstring>
#include <memory>

#include "kernels/runtime/context.h"
#include "kernels/runtime/cuda_error.h"
#include "kernels/runtime/device_memory.h"
#include "kernels/runtime/driver.h"
#include "tests/standin/standin.h"
#include "tests/support/nvmm_surface.h"

// NVMM memory from CUDA, in the device's primary context, as NVIDIA's elements make it.
namespace nvmm_cuda_frames {

using nvmm_frames::Batch;

// The primary context of a device, retained as long as memory in it exists.
class Device {
 public:
  // Loads the driver, because a test may make memory before any element does.
  explicit Device(int device = 0) : primary_(started(device)) {}

  template <typename Work>
  void run(Work work) const {
    const rdp::cuda::ContextScope scope(primary_.get());
    work();
  }

  // Memory of an NvBufSurface type.
  static nvmm_frames::Block allocate(const std::shared_ptr<Device>& device, int type, gsize bytes) {
    if (type == nvmm_frames::kSystem) return nvmm_frames::allocate_system(bytes);
    void* memory = nullptr;
    device->run([&] {
      const rdp::cuda::Driver& driver = rdp::cuda::driver();
      if (type == nvmm_frames::kPinned) {
        rdp::cuda::check(driver.cuMemHostAlloc(&memory, bytes, CU_MEMHOSTALLOC_PORTABLE), "test");
        return;
      }
      // The stand-in may lack managed memory: device memory replaces it.
      using Managed = CUresult(CUdeviceptr*, size_t, unsigned);
      auto* managed = standin::find<Managed>("cuMemAllocManaged");
      auto* address = reinterpret_cast<CUdeviceptr*>(&memory);
      rdp::cuda::check(type == nvmm_frames::kUnified && managed != nullptr
                           ? managed(address, bytes, CU_MEM_ATTACH_GLOBAL)
                           : driver.cuMemAlloc_v2(address, bytes),
                       "test");
    });
    return {static_cast<std::uint8_t*>(memory), [device, type](std::uint8_t* block) {
              device->run([&] {
                if (type == nvmm_frames::kPinned) {
                  rdp::cuda::driver().cuMemFreeHost(block);
                } else {
                  rdp::cuda::driver().cuMemFree_v2(reinterpret_cast<CUdeviceptr>(block));
                }
              });
            }};
  }

  // Copies between the test's memory and memory of any type; the pointers' attributes show which of
  // them is on the device.
  void copy(void* to, const void* from, gsize bytes) const {
    run([&] {
      const rdp::cuda::Stream stream;
      const auto is_device = [](const void* address) {
        CUmemorytype type{};
        return rdp::cuda::driver().cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                                                         reinterpret_cast<CUdeviceptr>(address)) ==
                   CUDA_SUCCESS &&
               type == CU_MEMORYTYPE_DEVICE;
      };
      if (is_device(to)) {
        rdp::cuda::check(rdp::cuda::driver().cuMemcpyHtoDAsync_v2(reinterpret_cast<CUdeviceptr>(to),
                                                                  from, bytes, stream.get()),
                         "test");
      } else if (is_device(from)) {
        rdp::cuda::check(rdp::cuda::driver().cuMemcpyDtoHAsync_v2(
                             to, reinterpret_cast<CUdeviceptr>(from), bytes, stream.get()),
                         "test");
      } else {
        std::memcpy(to, from, bytes);
      }
      stream.synchronize();
    });
  }

  CUcontext context() const { return primary_.get(); }

 private:
  static int started(int device) {
    rdp::cuda::load_driver();
    return device;
  }

  rdp::cuda::PrimaryContext primary_;
};

// A batch in memory of `type`.
inline Batch batch_in(const std::shared_ptr<Device>& device, int type,
                      const nvmm_frames::Abi& abi = nvmm_frames::kClassic) {
  Batch batch{abi, type};
  batch.allocate = [device, type](gsize bytes) { return Device::allocate(device, type, bytes); };
  batch.copy = [device](void* to, const void* from, gsize bytes) { device->copy(to, from, bytes); };
  return batch;
}

}  // namespace nvmm_cuda_frames

#endif  // RDP_TESTS_SUPPORT_NVMM_DEVICE_H_
