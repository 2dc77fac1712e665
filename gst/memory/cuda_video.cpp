// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/memory/cuda_video.h"

namespace rdp::gst {
namespace {

// The planes of a picture, from the start of the memory, and the frame's position in it.
struct Planes {
  guint width;
  guint height;
  gsize offset[GST_VIDEO_MAX_PLANES];
  gint stride[GST_VIDEO_MAX_PLANES];
  FrameOrigin origin;
};

// Finds the planes: by the buffer's GstVideoMeta, or by the memory's own video info.
bool find_planes(GstBuffer* buffer, const GstVideoInfo& info, GstMemory* memory, Planes* planes,
                 std::string* reason) {
  const GstVideoMeta* meta = gst_buffer_get_video_meta(buffer);
  const GstVideoInfo& own = GST_CUDA_MEMORY_CAST(memory)->info;
  const GstVideoFormat format = meta != nullptr ? meta->format : GST_VIDEO_INFO_FORMAT(&own);
  planes->width = meta != nullptr ? meta->width : static_cast<guint>(own.width);
  planes->height = meta != nullptr ? meta->height : static_cast<guint>(own.height);
  const bool size_fits =
      is_cropped(buffer) || (planes->width == static_cast<guint>(GST_VIDEO_INFO_WIDTH(&info)) &&
                             planes->height == static_cast<guint>(GST_VIDEO_INFO_HEIGHT(&info)));
  if (format != GST_VIDEO_INFO_FORMAT(&info) || !size_fits) {
    const char* name = format == GST_VIDEO_FORMAT_UNKNOWN ? "(unknown format)"
                                                          : gst_video_format_to_string(format);
    *reason =
        format_text("its %s says %ux%u %s, while the caps say %dx%d %s",
                    meta != nullptr ? "GstVideoMeta" : "CUDA memory", planes->width, planes->height,
                    name, GST_VIDEO_INFO_WIDTH(&info), GST_VIDEO_INFO_HEIGHT(&info),
                    gst_video_format_to_string(GST_VIDEO_INFO_FORMAT(&info)));
    return false;
  }
  for (guint p = 0; p < GST_VIDEO_INFO_N_PLANES(&info); ++p) {
    planes->offset[p] = meta != nullptr ? meta->offset[p] : GST_VIDEO_INFO_PLANE_OFFSET(&own, p);
    planes->stride[p] = meta != nullptr ? meta->stride[p] : GST_VIDEO_INFO_PLANE_STRIDE(&own, p);
  }
  return find_frame_origin(buffer, info, planes->width, planes->height,
                           meta != nullptr ? "the picture of its GstVideoMeta" : "its CUDA memory",
                           &planes->origin, reason);
}

// Checks that planes lie within the memory, and that RGBA pixels are aligned to four bytes.
bool check_planes(const Planes& planes, const GstVideoInfo& info, gsize size, std::string* reason) {
  const bool words = GST_VIDEO_INFO_FORMAT(&info) == GST_VIDEO_FORMAT_RGBA;
  const gsize width = planes.width;
  const gsize height = planes.height;
  for (guint p = 0; p < GST_VIDEO_INFO_N_PLANES(&info); ++p) {
    const gsize row_bytes = words ? 4 * width : p == 0 ? width : (width + 1) / 2 * 2;
    const gsize rows = p == 0 ? height : (height + 1) / 2;
    const auto stride = static_cast<gsize>(MAX(planes.stride[p], 0));
    if (stride < row_bytes || planes.offset[p] > size || stride > size ||
        planes.offset[p] + stride * (rows - 1) + row_bytes > size) {
      *reason = format_text("plane %u at byte %" G_GSIZE_FORMAT
                            " with a stride of %d does not fit into its %" G_GSIZE_FORMAT " bytes",
                            p, planes.offset[p], planes.stride[p], size);
      return false;
    }
    if (words && (stride % 4 != 0 || planes.offset[p] % 4 != 0)) {
      *reason = format_text("offset %" G_GSIZE_FORMAT
                            " or stride %d is no multiple of the 4 bytes of a pixel",
                            planes.offset[p], planes.stride[p]);
      return false;
    }
  }
  return true;
}

}  // namespace

bool CudaVideo::map(GstBuffer* buffer, const GstVideoInfo& info, std::string* reason) {
  unmap();
  if (gst_buffer_n_memory(buffer) != 1 || !is_cuda_buffer(buffer)) {
    *reason = format_text(
        "the caps say memory:CUDAMemory, which is one memory of CUDA a buffer, but it has %u of "
        "another kind",
        gst_buffer_n_memory(buffer));
    return false;
  }
  GstMemory* memory = gst_buffer_peek_memory(buffer, 0);
  Planes planes{};
  if (!find_planes(buffer, info, memory, &planes, reason) ||
      !check_planes(planes, info, memory->size, reason)) {
    return false;
  }
  if (!gst_buffer_map(buffer, &map_, static_cast<GstMapFlags>(GST_MAP_READWRITE | GST_MAP_CUDA))) {
    *reason = "its CUDA memory cannot be mapped for writing (GST_DEBUG=cuda*:3 says why)";
    return false;
  }
  buffer_ = buffer;
  try {
    wait_for_producer(GST_CUDA_MEMORY_CAST(map_.memory));
  } catch (...) {
    unmap();
    throw;
  }
  view_ = {};
  view_.width = GST_VIDEO_INFO_WIDTH(&info);
  view_.height = GST_VIDEO_INFO_HEIGHT(&info);
  for (guint p = 0; p < GST_VIDEO_INFO_N_PLANES(&info); ++p) {
    gsize origin = 0;
    find_plane_origin(info.finfo, p, planes.origin, static_cast<gsize>(planes.stride[p]), &origin);
    view_.planes[p] = reinterpret_cast<cuda::DevicePointer>(map_.data) + planes.offset[p] + origin;
    view_.pitches[p] = planes.stride[p];
  }
  return true;
}

void CudaVideo::unmap() {
  if (buffer_ == nullptr) return;
  gst_buffer_unmap(buffer_, &map_);
  buffer_ = nullptr;
  view_ = {};
}

GstObject* cuda_context_of(GstBuffer* buffer) {
  if (!is_cuda_buffer(buffer)) return nullptr;
  GstMemory* memory = gst_buffer_peek_memory(buffer, 0);
  return GST_OBJECT_CAST(GST_CUDA_MEMORY_CAST(memory)->context);
}

}  // namespace rdp::gst
