// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/rdpoverlay/device_blend.h"

#ifdef RDP_HAVE_CUDA
#include <algorithm>
#include <cstddef>
#include <deque>
#include <memory>
#include <optional>

#include "gst/cuda/gpu_session.h"
#include "gst/elements/rdpoverlay/host_blend.h"
#include "gst/memory/nvmm_device.h"
#include "kernels/filters/filters.h"
#include "kernels/rdp/placed_painter.h"
#endif

namespace rdp::gst {

#ifdef RDP_HAVE_CUDA
namespace {

// State that a session keeps: the kernels needed so far, and the last drawing copied to the device.
struct BlendState final : GpuSessionState {
  std::optional<cuda::PlacedPainter> painter;
  std::optional<cuda::Blender> blender;
  // For each surface of a batch.
  struct Segments {
    cuda::PlacedArrays arrays;
    guint64 number = 0;
  };
  std::deque<Segments> segments;
  // The last drawing that the host has painted.
  cuda::DeviceRgbaView painted;
  guint64 painted_number = 0;

  // Brings a drawing to the device, and draws it.
  void draw_segments(const DeviceDrawing& drawing, std::size_t surface, const DeviceVideo& video,
                     const YuvMatrix* matrix, CUstream stream) {
    if (!painter) painter.emplace();
    while (segments.size() <= surface) segments.emplace_back();
    Segments& there = segments[surface];
    if (there.number != drawing.number) {
      there.number = 0;
      there.arrays.take(*drawing.segments, video.width, video.height, stream);
      there.number = drawing.number;
    }
    if (matrix != nullptr) {
      painter->run(there.arrays, *matrix, nv12(video), stream);
    } else {
      painter->run(there.arrays, rgba(video), stream);
    }
  }
  void draw_painted(const DeviceDrawing& drawing, GpuSession& session, const DeviceVideo& video,
                    const YuvMatrix* matrix) {
    if (!blender) blender.emplace();
    if (painted_number != drawing.number) {
      painted = session.bring_picture(drawing.painted);
      painted_number = drawing.number;
    }
    if (matrix != nullptr) {
      blender->run(painted, *matrix, nv12(video), session.stream());
    } else {
      blender->run(painted, rgba(video), session.stream());
    }
  }

 private:
  static cuda::DeviceRgbaView rgba(const DeviceVideo& video) {
    return {video.planes[0], video.pitches[0], video.width, video.height};
  }
  static cuda::DeviceNv12View nv12(const DeviceVideo& video) {
    return {video.planes[0],  video.pitches[0], video.planes[1],
            video.pitches[1], video.width,      video.height};
  }
};

}  // namespace

// Finds where the picture is, before its context is entered.
bool DeviceBlend::open(GstBuffer* picture, const GstVideoInfo& info, MemoryKind memory,
                       int device_id, FrameContext* context, std::string* reason) {
  if (memory == MemoryKind::kNvmm) {
    if (!nvmm_.map(picture, info, Access::kReadWrite, reason)) return false;
    const NvmmSurface& surface = nvmm_.view()[0];
    if (!surface.device_readable()) {
      *reason = format_text("it is in %s, which no GPU reaches", nvmm_type_name(surface.type));
      return false;
    }
    context->device = surface.working_device(device_id);
    return true;
  }
#ifdef RDP_HAVE_GST_CUDA
  context->gst = cuda_context_of(picture);
  if (context->gst != nullptr) return true;
#endif
  *reason = "the caps say memory:CUDAMemory, but its memory is another one";
  return false;
}

bool DeviceBlend::find_video(std::size_t surface, GpuSession& session, MemoryKind memory,
                             DeviceVideo* video, std::string* reason) {
  if (memory == MemoryKind::kNvmm) {
    return find_nvmm_video(nvmm_.view()[surface], session.handle(), session.context()->keeper(),
                           video, reason);
  }
#ifdef RDP_HAVE_GST_CUDA
  *video = cuda_.view();
#endif
  return true;
}

bool DeviceBlend::blend_in_context(GpuSession& session, std::span<const DeviceDrawing> drawings,
                                   GstBuffer* picture, const GstVideoInfo& info, MemoryKind memory,
                                   std::string* reason) {
  if (session.state() == nullptr) session.state() = std::make_unique<BlendState>();
  auto& state = static_cast<BlendState&>(*session.state());
#ifdef RDP_HAVE_GST_CUDA
  if (memory != MemoryKind::kNvmm && !cuda_.map(picture, info, reason)) return false;
#endif
  const YuvMatrix matrix = matrix_of(info);
  const bool nv12 = GST_VIDEO_INFO_FORMAT(&info) == GST_VIDEO_FORMAT_NV12;
  const std::size_t surfaces = memory == MemoryKind::kNvmm ? nvmm_.view().size() : 1;
  bool found = true;
  for (std::size_t i = 0; i < std::min(drawings.size(), surfaces); ++i) {
    if (drawings[i].number == 0) continue;
    DeviceVideo video;
    found = find_video(i, session, memory, &video, reason);
    if (!found) break;
    const YuvMatrix* of_nv12 = nv12 ? &matrix : nullptr;
    if (drawings[i].segments != nullptr) {
      state.draw_segments(drawings[i], i, video, of_nv12, session.stream());
    } else {
      state.draw_painted(drawings[i], session, video, of_nv12);
    }
  }
  // Whoever gets the picture may read it on any stream.
  session.synchronize();
  return found;
}

bool DeviceBlend::blend(std::span<const DeviceDrawing> drawings, GstBuffer* picture,
                        const GstVideoInfo& info, MemoryKind memory, int device_id,
                        std::string* reason) {
  // Unmaps in any case, also on exceptions.
  struct Unmap {
    DeviceBlend& self;
    ~Unmap() {
      self.nvmm_.unmap();
#ifdef RDP_HAVE_GST_CUDA
      self.cuda_.unmap();
#endif
    }
  } unmap{*this};
  FrameContext context;
  if (!open(picture, info, memory, device_id, &context, reason)) return false;
  GpuSession* session = gpu_.session_for(context, device_id, reason);
  if (session == nullptr) return false;
  bool done = false;
  session->in_context(
      [&] { done = blend_in_context(*session, drawings, picture, info, memory, reason); });
  return done;
}
#else
bool DeviceBlend::blend(std::span<const DeviceDrawing>, GstBuffer*, const GstVideoInfo&, MemoryKind,
                        int, std::string*) {
  throw GpuError("this rdpsegment was built without CUDA");
}
#endif

}  // namespace rdp::gst
