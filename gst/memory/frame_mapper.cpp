// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/memory/frame_mapper.h"

#include <algorithm>

#ifdef RDP_HAVE_CUDA
#include "gst/memory/nvmm_device.h"
#endif

namespace rdp::gst {

bool FrameMapper::open(GstBuffer* buffer, const GstVideoInfo& info, MemoryKind kind, Access access,
                       std::string* reason, bool chroma) {
  close();
  kind_ = kind;
  access_ = access;
  if (access != Access::kRead && is_luma_of_colour(info)) {
    *reason = format_text(
        "the caps say %s, whose luma is read in place and not written to: GRAY8 and GRAY16_LE can "
        "be written",
        gst_video_format_to_string(GST_VIDEO_INFO_FORMAT(&info)));
    return false;
  }
  switch (kind) {
    case MemoryKind::kNvmm:
      if (!batch_.map(buffer, info, access, reason)) return false;
      surfaces_.assign(batch_.view().size(), {});
      return true;
    case MemoryKind::kCuda:
#ifdef RDP_HAVE_GST_CUDA
      if (!cuda_.map(buffer, info, access, reason)) return false;
      surfaces_.assign(1, {});
      surfaces_[0].device = cuda_.view();
      return true;
#else
      *reason = "this rdpsegment was built without memory:CUDAMemory";
      return false;
#endif
    case MemoryKind::kSystem:
      if (!system_.map(buffer, info, access, reason, chroma)) return false;
      surfaces_.assign(1, {});
      surfaces_[0].host = system_.view();
      surfaces_[0].host_chroma = system_.chroma();
      return true;
  }
  return false;
}

bool FrameMapper::open_blob(GstBuffer* buffer, Access access, std::string* reason) {
  close();
  kind_ = MemoryKind::kSystem;
  access_ = access;
  const auto flags =
      static_cast<GstMapFlags>(access == Access::kRead ? GST_MAP_READ : GST_MAP_READWRITE);
  if (!gst_buffer_map(buffer, &blob_map_, flags)) {
    *reason = format_text("the buffer of %" G_GSIZE_FORMAT " bytes in %u memories cannot be mapped",
                          gst_buffer_get_size(buffer), gst_buffer_n_memory(buffer));
    return false;
  }
  blob_ = buffer;
  surfaces_.assign(1, {});
  surfaces_[0].bytes = {reinterpret_cast<std::byte*>(blob_map_.data), blob_map_.size};
  return true;
}

void FrameMapper::open_none() {
  close();
  kind_ = MemoryKind::kSystem;
  surfaces_.assign(1, {});
}

void FrameMapper::close() {
  surfaces_.clear();
  // Written surfaces are unmapped before the structure that describes them.
  for (const auto& surface : host_surfaces_) surface->unmap();
  batch_.unmap();
#ifdef RDP_HAVE_GST_CUDA
  cuda_.unmap();
#endif
  system_.unmap();
  if (blob_ != nullptr) gst_buffer_unmap(blob_, &blob_map_);
  blob_ = nullptr;
}

bool FrameMapper::host_reaches() const {
  switch (kind_) {
    case MemoryKind::kSystem:
      return true;
    case MemoryKind::kCuda:
      return false;
    case MemoryKind::kNvmm:
      return std::all_of(
          batch_.view().begin(), batch_.view().end(),
          [](const NvmmSurface& surface) { return nvmm_host_readable(surface.type); });
  }
  return false;
}

bool FrameMapper::device_reaches() const {
  switch (kind_) {
    case MemoryKind::kSystem:
      return false;
    case MemoryKind::kCuda:
      return true;
    case MemoryKind::kNvmm:
      return std::all_of(batch_.view().begin(), batch_.view().end(),
                         [](const NvmmSurface& surface) { return surface.device_readable(); });
  }
  return false;
}

FrameContext FrameMapper::context(int users_device) const {
  switch (kind_) {
    case MemoryKind::kSystem:
      return {};
    case MemoryKind::kCuda:
#ifdef RDP_HAVE_GST_CUDA
      return {GST_OBJECT_CAST(cuda_.context()), -1};
#else
      return {};
#endif
    case MemoryKind::kNvmm:
      return {nullptr, batch_.view()[0].of_device() || users_device < 0
                           ? static_cast<gint64>(batch_.view()[0].gpu)
                           : users_device};
  }
  return {};
}

bool FrameMapper::map_host_surface(std::size_t index, std::string* reason) {
  while (host_surfaces_.size() <= index) {
    host_surfaces_.push_back(std::make_unique<NvmmHostSurface>());
  }
  NvmmHostSurface& surface = *host_surfaces_[index];
  if (!surface.map(batch_.view()[index], access_, reason)) return false;
  surfaces_[index].host = surface.view();
  return true;
}

bool FrameMapper::map_host(std::string* reason) {
  if (kind_ == MemoryKind::kCuda) {
    *reason = "it is in CUDA memory, which the CPU does not read in place";
    return false;
  }
  if (kind_ != MemoryKind::kNvmm) return true;
  for (std::size_t i = 0; i < surfaces_.size(); ++i) {
    if (!map_host_surface(i, reason)) return false;
  }
  return true;
}

#ifdef RDP_HAVE_CUDA
bool FrameMapper::map_device(CUctx_st* context, const std::shared_ptr<void>& keep_alive,
                             std::string* reason) {
#ifdef RDP_HAVE_GST_CUDA
  if (kind_ == MemoryKind::kCuda && cuda_handle(cuda_.context()) != context) {
    *reason = "its CUDA memory belongs to another CUDA context than the element's";
    return false;
  }
#endif
  if (kind_ != MemoryKind::kNvmm) return true;
  for (std::size_t i = 0; i < surfaces_.size(); ++i) {
    const NvmmSurface& surface = batch_.view()[i];
    if (!surface.device_readable()) {
      if (!map_host_surface(i, reason)) return false;
      continue;
    }
    NvmmDeviceRows rows;
    if (!find_nvmm_on_device(surface, context, keep_alive, &rows, reason)) return false;
    surfaces_[i].device = {rows.data, rows.pitch, surface.samples_of_row(), surface.height,
                           surface.sample_type()};
  }
  return true;
}
#endif

bool find_shared_context(std::span<const FrameMapper* const> frames, int users_device,
                         FrameContext* context, std::string* reason) {
  *context = {};
  std::size_t first = 0;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const FrameContext own = frames[i]->context(users_device);
    if (own.any()) continue;
    if (context->any()) {
      *context = own;
      first = i;
    } else if (own.gst != context->gst || own.device != context->device) {
      *reason = format_text(
          "inputs %zu and %zu are in different CUDA contexts, and one kernel reads both: let the "
          "same elements make both, or put depthdownload ! depthupload before one of them",
          first, i);
      return false;
    }
  }
  return true;
}

}  // namespace rdp::gst
