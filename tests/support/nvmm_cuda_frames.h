// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_SUPPORT_NVMM_CUDA_FRAMES_H_
#define RDP_TESTS_SUPPORT_NVMM_CUDA_FRAMES_H_

#include <dlfcn.h>

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "common/rdp/overlay.h"
#include "kernels/runtime/context.h"
#include "kernels/runtime/cuda_error.h"
#include "kernels/runtime/device_memory.h"
#include "kernels/runtime/driver.h"
#include "tests/standin/nvbufsurface.h"
#include "tests/standin/standin.h"
#include "tests/support/nvmm_device.h"
#include "tests/support/nvmm_frames.h"

// Frames in NVMM memory from CUDA, in the device's primary context, as NVIDIA's elements make them,
// with the stand-in driver or a real one. Also surface arrays of the stand-in for libnvbufsurface.
namespace nvmm_cuda_frames {

using nvmm_frames::Batch;
using nvmm_frames::Shape;
using nvmm_frames::Surface;

// A buffer of surfaces from the stand-in library, with the frames of frames::make() from `seed` on.
inline GstBuffer* make_of_library(const Shape& shape, int type, guint surfaces = 1,
                                  unsigned seed = 1, int layout = 0) {
  std::uint64_t parameters[16] = {};
  const auto put = [](void* at, gsize offset, auto value) {
    std::memcpy(static_cast<std::uint8_t*>(at) + offset, &value, sizeof value);
  };
  const int format = shape.format == GST_VIDEO_FORMAT_GRAY8 ? nvmm_abi::kGray8 : nvmm_abi::kGray16;
  put(parameters, nvmm_abi::create::kWidth, static_cast<std::uint32_t>(shape.width));
  put(parameters, nvmm_abi::create::kHeight, static_cast<std::uint32_t>(shape.height));
  put(parameters, nvmm_abi::create::kColorFormat, std::int32_t{format});
  put(parameters, nvmm_abi::create::kLayout, std::int32_t{layout});
  put(parameters, nvmm_abi::create::kMemType, std::int32_t{type});
  void* surface = nullptr;
  fail_unless_equals_int(standin_nvmm::need<int(void**, std::uint32_t, void*)>(
                             "NvBufSurfaceCreate")(&surface, surfaces, parameters),
                         0);
  put(surface, nvmm_abi::surface::kNumFilled, surfaces);
  std::uint8_t* list = nullptr;
  std::memcpy(&list, static_cast<std::uint8_t*>(surface) + nvmm_abi::surface::kList, sizeof list);
  std::uint32_t pitch = 0;
  std::memcpy(&pitch, list + nvmm_abi::params::kPlanePitch, sizeof pitch);
  for (guint i = 0; i < surfaces; ++i) {
    auto* data = static_cast<std::uint8_t*>(standin_nvmm::data(surface, static_cast<int>(i)));
    const frames::Content content = frames::draw(shape, frames::Scene::kSurface, seed + i);
    const gsize tight = frames::row_bytes(shape);
    for (gsize row = 0; row < static_cast<gsize>(shape.height); ++row) {
      std::memcpy(data + row * pitch, content.samples.data() + row * tight, tight);
    }
  }
  const gsize size = standin_nvmm::surface_size();
  GstBuffer* buffer = gst_buffer_new();
  gst_buffer_append_memory(
      buffer, gst_memory_new_wrapped(GST_MEMORY_FLAG_NO_SHARE, surface, size, 0, size, surface,
                                     [](gpointer gone) {
                                       standin_nvmm::need<int(void*)>("NvBufSurfaceDestroy")(gone);
                                     }));
  GST_BUFFER_PTS(buffer) = 0;
  return buffer;
}

// The NvBufSurface of a buffer.
inline std::uint8_t* surface_of(GstBuffer* buffer) {
  GstMapInfo map;
  fail_unless(gst_buffer_map(buffer, &map, GST_MAP_READ));
  std::uint8_t* surface = map.data;
  gst_buffer_unmap(buffer, &map);
  return surface;
}

template <typename T>
T field(const std::uint8_t* at, gsize offset) {
  T value;
  std::memcpy(&value, at + offset, sizeof value);
  return value;
}

// The samples or pixels of a buffer from the library, in rows of `row_bytes`.
inline std::vector<std::uint8_t> content_of(const std::shared_ptr<Device>& device,
                                            GstBuffer* buffer, gsize row_bytes, int rows) {
  std::uint8_t* surface = surface_of(buffer);
  const auto* list = field<std::uint8_t*>(surface, nvmm_abi::surface::kList);
  const auto pitch = field<std::uint32_t>(list, nvmm_abi::params::kPlanePitch);
  const auto* data = static_cast<const std::uint8_t*>(standin_nvmm::data(surface, 0));
  std::vector<std::uint8_t> result(row_bytes * static_cast<gsize>(rows));
  for (gsize row = 0; row < static_cast<gsize>(rows); ++row) {
    device->copy(result.data() + row * row_bytes, data + row * pitch, row_bytes);
  }
  return result;
}

// The reason that there is no device here; empty: there is one.
inline std::string missing() {
  return rdp::cuda::device_count() == 0 ? "there is no CUDA device" : "";
}

}  // namespace nvmm_cuda_frames

#endif  // RDP_TESTS_SUPPORT_NVMM_CUDA_FRAMES_H_
