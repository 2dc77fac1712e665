// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/memory/nvmm_memory.h"

#include <cstdint>
#include <cstring>

#include "gst/memory/nvmm_library.h"

namespace rdp::gst {
namespace {

using nvmm::ColorFormat;
using nvmm::MemType;
using nvmm::PlaneLayout;

// Larger than any batch of cameras or files: larger numbers are garbage.
constexpr guint kMaxBatch = 4096;

bool format_matches(ColorFormat color, GstVideoFormat format) {
  switch (format) {
    case GST_VIDEO_FORMAT_GRAY8:
      return color == ColorFormat::kGray8 || color == ColorFormat::kGray8FullRange;
    case GST_VIDEO_FORMAT_GRAY16_LE:
      return color == ColorFormat::kGray16Le;
    case GST_VIDEO_FORMAT_NV12:
      return color == ColorFormat::kNv12 || color == ColorFormat::kNv12FullRange;
    default:
      return format == GST_VIDEO_FORMAT_RGBA && color == ColorFormat::kRgba;
  }
}

// Does the same for frames whose luma is read. Range and matrix do not matter there.
bool luma_matches(ColorFormat color, GstVideoFormat format) {
  switch (color) {
    case ColorFormat::kNv12:
    case ColorFormat::kNv12FullRange:
    case ColorFormat::kNv12Bt709:
    case ColorFormat::kNv12Bt709FullRange:
    case ColorFormat::kNv12Bt2020:
      return format == GST_VIDEO_FORMAT_NV12;
    case ColorFormat::kYuv420:
    case ColorFormat::kYuv420FullRange:
    case ColorFormat::kYuv420Bt709:
    case ColorFormat::kYuv420Bt709FullRange:
    case ColorFormat::kYuv420Bt2020:
      return format == GST_VIDEO_FORMAT_I420;
    default:
      return false;
  }
}

const char* color_name(ColorFormat color) {
  switch (color) {
    case ColorFormat::kGray8:
      return "GRAY8";
    case ColorFormat::kNv12:
      return "NV12";
    case ColorFormat::kNv12FullRange:
      return "NV12_ER";
    case ColorFormat::kYuv420:
      return "YUV420";
    case ColorFormat::kYuv420FullRange:
      return "YUV420_ER";
    case ColorFormat::kYuv420Bt709:
      return "YUV420_709";
    case ColorFormat::kYuv420Bt709FullRange:
      return "YUV420_709_ER";
    case ColorFormat::kYuv420Bt2020:
      return "YUV420_2020";
    case ColorFormat::kNv12Bt709:
      return "NV12_709";
    case ColorFormat::kNv12Bt709FullRange:
      return "NV12_709_ER";
    case ColorFormat::kNv12Bt2020:
      return "NV12_2020";
    case ColorFormat::kRgba:
      return "RGBA";
    case ColorFormat::kGray8FullRange:
      return "GRAY8_ER";
    case ColorFormat::kGray16Le:
      return "GRAY16_LE";
    default:
      return "another format";
  }
}

bool is_linear(MemType type) {
  switch (type) {
    case MemType::kCudaPinned:
    case MemType::kCudaDevice:
    case MemType::kCudaUnified:
    case MemType::kSystem:
      return true;
    default:
      return false;
  }
}

bool is_known(MemType type) {
  return is_linear(type) || type == MemType::kDefault || type == MemType::kSurfaceArray;
}

// Returns the memory type behind NVBUF_MEM_DEFAULT: surface arrays have no address.
MemType resolve(MemType type, const void* data) {
  if (type != MemType::kDefault) return type;
  return data != nullptr ? MemType::kCudaDevice : MemType::kSurfaceArray;
}

// Finds the distance between a batch's surfaces. The memory's size is that of the producer's
// NvBufSurface; if it is neither known size, the loaded library's layout applies.
bool find_params_size(const GstMapInfo& map, guint surfaces, std::size_t* size,
                      std::string* reason) {
  for (const nvmm::BatchLayout& layout : {nvmm::kClassicLayout, nvmm::kExtendedLayout}) {
    if (map.size != layout.surface_size) continue;
    *size = layout.params_size;
    return true;
  }
  const nvmm::Library* library = nvmm::library();
  *size = library != nullptr ? library->layout.params_size : 0;
  if (library != nullptr || surfaces == 1) return true;
  *reason = format_text(
      "the buffer's memory has %" G_GSIZE_FORMAT
      " bytes, where an NvBufSurface has %zu (DeepStream up to 7, JetPack up to 6) or %zu "
      "(DeepStream 8 and 9): how far apart its %u surfaces are cannot be told",
      map.size, nvmm::kClassicLayout.surface_size, nvmm::kExtendedLayout.surface_size, surfaces);
  return false;
}

// Checks a surface. `start` names it in messages: "surface 2 of the batch". *origin: the frame's
// position on it. Ignores GstVideoMeta: only the structure describes the surfaces.
bool check_params(GstBuffer* buffer, const nvmm::SurfaceParams& params, MemType type,
                  const GstVideoInfo& info, Access access, const char* start, FrameOrigin* origin,
                  std::string* reason) {
  const bool luma_alone = access == Access::kRead && is_luma_of_colour(info);
  const auto sample_bytes = static_cast<guint64>(GST_VIDEO_INFO_COMP_PSTRIDE(&info, 0));
  const char* format = gst_video_format_to_string(GST_VIDEO_INFO_FORMAT(&info));
  const auto matches = luma_alone ? luma_matches : format_matches;
  if (!matches(params.color_format, GST_VIDEO_INFO_FORMAT(&info))) {
    *reason = format_text("the caps say %s, but %s has colorFormat %d (%s)", format, start,
                          static_cast<int>(params.color_format), color_name(params.color_format));
    return false;
  }
  if (!find_frame_origin(buffer, info, params.width, params.height, start, origin, reason)) {
    return false;
  }
  const guint num_planes = GST_VIDEO_INFO_N_PLANES(&info);
  if (params.planes.num_planes != num_planes) {
    *reason =
        format_text("%s has %u planes, but %s has %s", start, params.planes.num_planes, format,
                    num_planes == 1   ? "one"
                    : num_planes == 2 ? "two"
                                      : "three");
    return false;
  }
  if (is_linear(type) && params.layout != PlaneLayout::kPitch) {
    *reason = format_text(
        "%s has layout %d in %s, where rdpsegment reads NVBUF_LAYOUT_PITCH (0): set "
        "bl-output=false where the element before has it",
        start, static_cast<int>(params.layout), nvmm_type_name(type));
    return false;
  }
  const guint width = params.width;
  const guint height = params.height;
  // The second plane is the chroma of NV12: half the size, rounded up, of two bytes.
  for (guint p = 0; p < (luma_alone ? 1 : num_planes); ++p) {
    const guint columns = p == 0 ? width : (width + 1) / 2;
    const guint rows = p == 0 ? height : (height + 1) / 2;
    const guint64 row_bytes = columns * (p == 0 ? sample_bytes : 2);
    const guint64 pitch = params.planes.pitch[p];
    if (pitch < row_bytes) {
      *reason = format_text("%s has a pitch of %u bytes, but a row of %u samples takes %u", start,
                            params.planes.pitch[p], columns, static_cast<guint>(row_bytes));
      return false;
    }
    const guint64 end = params.planes.offset[p] + pitch * (rows - 1) + row_bytes;
    if (end > params.data_size) {
      *reason = format_text("%s ends at byte %" G_GUINT64_FORMAT
                            " (offset %u, %u rows of pitch %u), but its dataSize is %u",
                            start, end, params.planes.offset[p], rows, params.planes.pitch[p],
                            params.data_size);
      return false;
    }
  }
  if (is_linear(type) && params.data == nullptr) {
    *reason = format_text("%s is in %s, but its dataPtr is null", start, nvmm_type_name(type));
    return false;
  }
  return true;
}

// Some producers of single surfaces leave numFilled at 0.
guint filled_surfaces(const nvmm::Surface& batch) {
  return batch.num_filled == 0 && batch.batch_size == 1 ? 1 : batch.num_filled;
}

// True if a write into the buffer would be visible to another owner.
bool is_shared(GstBuffer* buffer) {
  return !gst_buffer_is_writable(buffer) ||
         !gst_memory_is_writable(gst_buffer_peek_memory(buffer, 0));
}

}  // namespace

const char* nvmm_type_name(MemType type) {
  switch (type) {
    case MemType::kDefault:
      return "NVBUF_MEM_DEFAULT";
    case MemType::kCudaPinned:
      return "NVBUF_MEM_CUDA_PINNED";
    case MemType::kCudaDevice:
      return "NVBUF_MEM_CUDA_DEVICE";
    case MemType::kCudaUnified:
      return "NVBUF_MEM_CUDA_UNIFIED";
    case MemType::kSurfaceArray:
      return "NVBUF_MEM_SURFACE_ARRAY";
    case MemType::kHandle:
      return "NVBUF_MEM_HANDLE";
    case MemType::kSystem:
      return "NVBUF_MEM_SYSTEM";
    case MemType::kCudaArray:
      return "NVBUF_MEM_CUDA_ARRAY";
  }
  return "an unknown memory";
}

NvmmBatchSize nvmm_batch_size(GstBuffer* buffer) {
  NvmmBatchSize size;
  GstMapInfo map;
  if (gst_buffer_n_memory(buffer) != 1 || !gst_buffer_map(buffer, &map, GST_MAP_READ)) return size;
  const bool is_one = map.data != nullptr && map.size >= nvmm::kClassicLayout.surface_size &&
                      reinterpret_cast<std::uintptr_t>(map.data) % alignof(nvmm::Surface) == 0;
  if (is_one) {
    const auto& batch = *reinterpret_cast<const nvmm::Surface*>(map.data);
    const guint filled = filled_surfaces(batch);
    if (filled <= batch.batch_size && batch.batch_size <= kMaxBatch) {
      size = {filled, batch.batch_size};
    }
  }
  gst_buffer_unmap(buffer, &map);
  return size;
}

bool NvmmFrame::map(GstBuffer* buffer, const GstVideoInfo& info, Access access,
                    std::string* reason) {
  unmap();
  const guint memories = gst_buffer_n_memory(buffer);
  if (memories != 1) {
    *reason = format_text(
        "the caps say memory:NVMM, which is one memory a buffer, but the buffer has %u", memories);
    return false;
  }
  if (access == Access::kReadWrite && is_shared(buffer)) {
    *reason =
        "it is to be written to, but another element holds it too (behind a tee, for instance), "
        "and frames in NVMM memory are not copied: put nvvideoconvert with "
        "disable-passthrough=true, which copies, before this element";
    return false;
  }
  // Always map for reading: writes go to the surfaces, and mapping for writing may replace the
  // buffer's memory by a copy of the structure.
  if (!gst_buffer_map(buffer, &map_, GST_MAP_READ)) {
    *reason = "the buffer's NVMM memory cannot be mapped";
    return false;
  }
  buffer_ = buffer;
  if (find_surfaces(info, access, reason)) return true;
  unmap();
  return false;
}

bool NvmmFrame::find_surfaces(const GstVideoInfo& info, Access access, std::string* reason) {
  if (map_.data == nullptr || map_.size < nvmm::kClassicLayout.surface_size) {
    *reason = format_text("the caps say memory:NVMM, but the buffer's memory has %" G_GSIZE_FORMAT
                          " bytes, and an NvBufSurface has at least %zu",
                          map_.data == nullptr ? 0 : map_.size, nvmm::kClassicLayout.surface_size);
    return false;
  }
  if (reinterpret_cast<std::uintptr_t>(map_.data) % alignof(nvmm::Surface) != 0) {
    *reason = "the buffer's memory is no NvBufSurface: it starts at an odd address";
    return false;
  }
  const auto* batch = reinterpret_cast<nvmm::Surface*>(map_.data);
  const guint filled = filled_surfaces(*batch);
  if (filled == 0 || filled > batch->batch_size || filled > kMaxBatch) {
    *reason = format_text("the buffer's NvBufSurface has numFilled %u and batchSize %u",
                          batch->num_filled, batch->batch_size);
    return false;
  }
  if (batch->surfaces == nullptr) {
    *reason = "the buffer's NvBufSurface has a null surfaceList";
    return false;
  }
  if (reinterpret_cast<std::uintptr_t>(batch->surfaces) % alignof(nvmm::SurfaceParams) != 0) {
    *reason = "the surfaceList of the buffer's NvBufSurface starts at an odd address";
    return false;
  }
  if (!is_known(batch->mem_type)) {
    *reason = format_text(
        "the buffer's NvBufSurface has memType %d (%s), which rdpsegment cannot reach: it reads "
        "device, unified, pinned and system memory, and surface arrays",
        static_cast<int>(batch->mem_type), nvmm_type_name(batch->mem_type));
    return false;
  }
  std::size_t params_size = 0;
  if (!find_params_size(map_, filled, &params_size, reason)) return false;
  for (guint index = 0; index < filled; ++index) {
    auto* params = reinterpret_cast<nvmm::SurfaceParams*>(
        reinterpret_cast<std::byte*>(batch->surfaces) + index * params_size);
    const MemType type = resolve(batch->mem_type, params->data);
    char start[64] = "the buffer's surface";
    if (filled > 1) g_snprintf(start, sizeof start, "surface %u of the buffer's batch", index);
    FrameOrigin origin;
    if (!check_params(buffer_, *params, type, info, access, start, &origin, reason)) return false;
    NvmmSurface surface;
    surface.type = type;
    surface.pitch = params->planes.pitch[0];
    surface.width = GST_VIDEO_INFO_WIDTH(&info);
    surface.height = GST_VIDEO_INFO_HEIGHT(&info);
    surface.sample_bytes = GST_VIDEO_INFO_COMP_PSTRIDE(&info, 0);
    surface.origin = origin;
    if (is_linear(type)) {
      surface.data = static_cast<std::byte*>(params->data) + params->planes.offset[0] +
                     surface.origin_bytes(surface.pitch);
    }
    surface.gpu = batch->gpu_id;
    surface.index = index;
    surface.memory = map_.memory;
    surface.batch = reinterpret_cast<nvmm::Surface*>(map_.data);
    surface.params = params;
    surfaces_.push_back(surface);
  }
  return true;
}

void NvmmFrame::unmap() {
  surfaces_.clear();
  if (buffer_ == nullptr) return;
  gst_buffer_unmap(buffer_, &map_);
  buffer_ = nullptr;
}

}  // namespace rdp::gst
