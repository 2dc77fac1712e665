// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/rdpoverlay/device_blend.h"

#ifdef RDP_HAVE_CUDA
#include <memory>
#include <optional>

#include "gst/cuda/gpu_session.h"
#include "gst/elements/rdpoverlay/host_blend.h"
#include "gst/memory/nvmm_video.h"
#include "kernels/filters/blend.h"
#include "kernels/rdp/placed_painter.h"
#endif

namespace rdp::gst {

#ifdef RDP_HAVE_CUDA
namespace {

// What a session keeps: the kernels that were needed so far, and what was brought there last.
struct BlendState final : GpuSessionState {
  std::optional<cuda::PlacedPainter> painter;
  std::optional<cuda::Blender> blender;
  guint64 drawing_number = 0;
  cuda::DeviceRgbaView drawing;

  // Brings a drawing to the device.
  void bring(const DeviceDrawing& of, const DeviceVideo& video, GpuSession& session) {
    if (of.segments == nullptr) {
      if (!blender) blender.emplace();
      drawing = session.bring_picture(of.painted);
    } else {
      if (!painter) painter.emplace();
      painter->take(*of.segments, video.width, video.height, session.stream());
    }
  }
  void draw(bool segments, const cuda::DeviceRgbaView& picture, CUstream stream) {
    if (segments) {
      painter->run(picture, stream);
    } else {
      blender->run(drawing, picture, stream);
    }
  }
  void draw(bool segments, const YuvMatrix& matrix, const cuda::DeviceNv12View& picture,
            CUstream stream) {
    if (segments) {
      painter->run(matrix, picture, stream);
    } else {
      blender->run(drawing, matrix, picture, stream);
    }
  }
};

}  // namespace

// Finds where the picture is, before its context is entered.
bool DeviceBlend::open(GstBuffer* picture, const GstVideoInfo& info, MemoryKind memory,
                       int device_id, FrameContext* context, std::string* reason) {
  if (memory == MemoryKind::kNvmm) {
    if (!nvmm_.map(picture, info, Access::kReadWrite, reason)) return false;
    if (nvmm_.view().size() != 1) {
      *reason = format_text(
          "it is a batch of %zu surfaces, where this element takes one picture a buffer: put "
          "nvstreamdemux before it",
          nvmm_.view().size());
      return false;
    }
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

bool DeviceBlend::blend_in_context(GpuSession& session, const DeviceDrawing& drawing,
                                   GstBuffer* picture, const GstVideoInfo& info, MemoryKind memory,
                                   std::string* reason) {
  if (session.state() == nullptr) session.state() = std::make_unique<BlendState>();
  auto& state = static_cast<BlendState&>(*session.state());
  DeviceVideo video;
  if (memory == MemoryKind::kNvmm) {
    if (!find_nvmm_video(nvmm_.view()[0], session.handle(), session.context()->keeper(), &video,
                         reason)) {
      return false;
    }
  } else {
#ifdef RDP_HAVE_GST_CUDA
    if (!cuda_.map(picture, info, reason)) return false;
    video = cuda_.view();
#endif
  }
  if (state.drawing_number != drawing_number_) {
    state.bring(drawing, video, session);
    state.drawing_number = drawing_number_;
  }
  const bool segments = drawing.segments != nullptr;
  if (GST_VIDEO_INFO_FORMAT(&info) == GST_VIDEO_FORMAT_NV12) {
    state.draw(segments, matrix_of(info),
               {video.planes[0], video.pitches[0], video.planes[1], video.pitches[1], video.width,
                video.height},
               session.stream());
  } else {
    state.draw(segments, {video.planes[0], video.pitches[0], video.width, video.height},
               session.stream());
  }
  // Whoever gets the picture may read it on any stream.
  session.synchronize();
  return true;
}

bool DeviceBlend::blend(const DeviceDrawing& drawing, GstBuffer* picture, const GstVideoInfo& info,
                        MemoryKind memory, int device_id, std::string* reason) {
  // In any case, also where something throws.
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
      [&] { done = blend_in_context(*session, drawing, picture, info, memory, reason); });
  return done;
}
#else
bool DeviceBlend::blend(const DeviceDrawing&, GstBuffer*, const GstVideoInfo&, MemoryKind, int,
                        std::string*) {
  throw GpuError("this rdpsegment was built without CUDA");
}
#endif

}  // namespace rdp::gst
