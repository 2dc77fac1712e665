// SPDX-License-Identifier: LGPL-2.1-or-later
// EGL images as CUDA sees them. They come from the stand-in for libnvbufsurface.
#include "kernels/runtime/egl_frame.h"
#include "tests/standin/state.h"

using standin::Resource;

namespace {

Resource* find_resource(const standin::Call& call, CUgraphicsResource handle) {
  auto* resource = reinterpret_cast<Resource*>(handle);
  if (!call.context()->resources.contains(resource)) {
    standin::misuse("%s: the resource is none of the current context", call.name());
  }
  return resource;
}

}  // namespace

STANDIN_EXPORT CUresult cuGraphicsEGLRegisterImage(CUgraphicsResource* handle, void* image,
                                                   unsigned) {
  STANDIN_ENTER(kContext);
  auto* egl_image = static_cast<EglImage*>(image);
  if (egl_image == nullptr || egl_image->magic != EglImage::kMagic) {
    standin::misuse("%s: %p is no EGL image, or was destroyed", call.name(), image);
  }
  auto owned = std::make_unique<Resource>();
  owned->context = call.context();
  owned->image = egl_image;
  ++egl_image->registrations;
  Resource* resource = owned.get();
  call.context()->resources[resource] = std::move(owned);
  *handle = reinterpret_cast<CUgraphicsResource>(resource);
  return CUDA_SUCCESS;
}

STANDIN_EXPORT CUresult cuGraphicsResourceGetMappedEglFrame(rdp::cuda::EglFrame* frame,
                                                            CUgraphicsResource handle,
                                                            unsigned index, unsigned level) {
  STANDIN_ENTER(kContext);
  const EglImage& image = *find_resource(call, handle)->image;
  if (index != 0 || level != 0) return CUDA_ERROR_INVALID_VALUE;
  *frame = {};
  frame->width = image.width;
  frame->height = image.height;
  frame->plane_count = 1;
  frame->pitch = image.pitch;
  frame->num_channels = image.sample_bytes == 4 ? 4 : 1;
  frame->format =
      image.sample_bytes == 2 ? CU_AD_FORMAT_UNSIGNED_INT16 : CU_AD_FORMAT_UNSIGNED_INT8;
  frame->frame_type =
      image.block_linear ? rdp::cuda::EglFrame::kArray : rdp::cuda::EglFrame::kPitch;
  if (!image.block_linear) frame->frame.pitch[0] = image.data;
  return CUDA_SUCCESS;
}

STANDIN_EXPORT CUresult cuGraphicsUnregisterResource(CUgraphicsResource handle) {
  STANDIN_ENTER(kContext);
  Resource* resource = find_resource(call, handle);
  // Waits for all work that may still use the memory.
  standin::flush_context(call.context());
  --resource->image->registrations;
  call.context()->resources.erase(resource);
  return CUDA_SUCCESS;
}
