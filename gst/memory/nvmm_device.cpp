// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/memory/nvmm_device.h"

#include "gst/memory/nvmm_egl.h"
#include "kernels/runtime/driver.h"

namespace rdp::gst {
namespace {

using nvmm::MemType;

// Finds the memory at the address in the structure. A kernel must not touch memory that is unknown
// to CUDA or unreachable from kernels: that would destroy the context.
bool find_linear(const NvmmSurface& surface, CUcontext context, NvmmDeviceRows* rows,
                 std::string* reason) {
  const cuda::Driver& driver = cuda::driver();
  const auto address = reinterpret_cast<CUdeviceptr>(surface.data);
  CUmemorytype type{};
  if (driver.cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address) !=
      CUDA_SUCCESS) {
    *reason =
        format_text("the buffer's surface is in %s, but CUDA knows no memory at its address %p",
                    nvmm_type_name(surface.type), static_cast<void*>(surface.data));
    return false;
  }
  rows->data = address;
  rows->pitch = static_cast<std::int64_t>(surface.pitch);
  if (surface.type == MemType::kCudaPinned) {
    if (driver.cuPointerGetAttribute(&rows->data, CU_POINTER_ATTRIBUTE_DEVICE_POINTER, address) ==
        CUDA_SUCCESS) {
      return true;
    }
    *reason = "the buffer's page-locked memory is not mapped for the device";
    return false;
  }
  CUcontext owner = nullptr;
  if (surface.type == MemType::kCudaDevice &&
      driver.cuPointerGetAttribute(&owner, CU_POINTER_ATTRIBUTE_CONTEXT, address) == CUDA_SUCCESS &&
      owner != nullptr && owner != context) {
    *reason = format_text(
        "the buffer's surface says gpuId %u, but its memory is not of that device's primary CUDA "
        "context",
        surface.gpu);
    return false;
  }
  return true;
}

bool find_surface_array(const NvmmSurface& surface, CUcontext context,
                        const std::shared_ptr<void>& keep_alive, NvmmDeviceRows* rows,
                        std::string* reason) {
  cuda::EglFrame frame;
  if (!find_egl_frame(surface, context, keep_alive, &frame, reason)) return false;
  // The whole surface, of which the frame may be a part.
  const unsigned width = surface.params->width;
  const unsigned height = surface.params->height;
  const auto row_bytes = width * static_cast<unsigned>(surface.sample_bytes);
  if (frame.frame_type != cuda::EglFrame::kPitch) {
    *reason =
        "the buffer's surface array is block linear, where rdpsegment reads NVBUF_LAYOUT_PITCH: "
        "set bl-output=false where the element before has it";
    return false;
  }
  if (frame.frame.pitch[0] == nullptr || frame.pitch < row_bytes || frame.width < width ||
      frame.height < height) {
    *reason = format_text(
        "the EGL image of the buffer's surface is %ux%u with a pitch of %u bytes, where its "
        "structure says %ux%u and rows of %u bytes",
        frame.width, frame.height, frame.pitch, width, height, row_bytes);
    return false;
  }
  *rows = {reinterpret_cast<CUdeviceptr>(frame.frame.pitch[0]) + surface.origin_bytes(frame.pitch),
           static_cast<std::int64_t>(frame.pitch)};
  return true;
}

}  // namespace

bool find_nvmm_on_device(const NvmmSurface& surface, CUcontext context,
                         const std::shared_ptr<void>& keep_alive, NvmmDeviceRows* rows,
                         std::string* reason) {
  const bool found = surface.type == MemType::kSurfaceArray
                         ? find_surface_array(surface, context, keep_alive, rows, reason)
                         : find_linear(surface, context, rows, reason);
  if (!found) return false;
  // A misaligned access is a fault that destroys the context.
  const auto alignment = static_cast<unsigned>(surface.sample_bytes);
  if (rows->data % alignment != 0 || rows->pitch % alignment != 0) {
    *reason = format_text(
        "the buffer's surface starts at 0x%llx and has a pitch of %lld bytes, but samples of %u "
        "bytes need multiples of %u on the GPU",
        rows->data, static_cast<long long>(rows->pitch), alignment, alignment);
    return false;
  }
  return true;
}

bool find_nvmm_video(const NvmmSurface& surface, CUcontext context,
                     const std::shared_ptr<void>& keep_alive, DeviceVideo* video,
                     std::string* reason) {
  NvmmDeviceRows rows;
  if (!find_nvmm_on_device(surface, context, keep_alive, &rows, reason)) return false;
  *video = {};
  video->width = surface.width;
  video->height = surface.height;
  video->planes[0] = rows.data;
  video->pitches[0] = rows.pitch;
  const nvmm::PlaneParams& planes = surface.params->planes;
  if (planes.num_planes < 2) return true;
  // The crop's first chroma sample.
  const auto chroma_at = [&](CUdeviceptr plane, std::int64_t pitch) {
    gsize origin = 0;
    find_plane_origin(gst_video_format_get_info(GST_VIDEO_FORMAT_NV12), 1, surface.origin,
                      static_cast<gsize>(pitch), &origin);
    video->planes[1] = plane + origin;
    video->pitches[1] = pitch;
  };
  if (surface.type != nvmm::MemType::kSurfaceArray) {
    const CUdeviceptr luma = rows.data - surface.origin_bytes(planes.pitch[0]);
    chroma_at(luma - planes.offset[0] + planes.offset[1], planes.pitch[1]);
    return true;
  }
  cuda::EglFrame frame;
  if (!find_egl_frame(surface, context, keep_alive, &frame, reason)) return false;
  if (frame.frame.pitch[1] == nullptr) {
    *reason = "the EGL image of the buffer's surface has one plane, where NV12 has two";
    return false;
  }
  chroma_at(reinterpret_cast<CUdeviceptr>(frame.frame.pitch[1]),
            static_cast<std::int64_t>(frame.pitch));
  return true;
}

}  // namespace rdp::gst
