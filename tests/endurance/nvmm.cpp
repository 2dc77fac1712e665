// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/endurance/nvmm.h"

#include <stdexcept>

#include "tests/support/nvmm_surface.h"
#ifdef RDP_HAVE_GST_CUDA
#include "tests/support/nvmm_device.h"
#endif

namespace rdp::endurance {
namespace {

using SurfaceRef = std::shared_ptr<nvmm_frames::Surface>;

GQuark surface_quark() {
  static const GQuark quark = g_quark_from_static_string("rdp-endurance-surface");
  return quark;
}

GstBuffer* wrap_again(const SurfaceRef& surface) {
  GstBuffer* buffer = nvmm_frames::wrap(surface);
  gst_mini_object_set_qdata(GST_MINI_OBJECT_CAST(gst_buffer_peek_memory(buffer, 0)),
                            surface_quark(), new SurfaceRef(surface),
                            [](gpointer data) { delete static_cast<SurfaceRef*>(data); });
  return buffer;
}

// Null for other memory.
const SurfaceRef* surface_of(GstBuffer* buffer) {
  GstMemory* memory = gst_buffer_peek_memory(buffer, 0);
  return static_cast<const SurfaceRef*>(
      gst_mini_object_get_qdata(GST_MINI_OBJECT_CAST(memory), surface_quark()));
}

}  // namespace

NvmmMaker make_nvmm_maker(bool on_device) {
  using Batches = std::function<nvmm_frames::Batch(const Shape&)>;
  Batches batch_for = [](const Shape&) { return nvmm_frames::Batch(); };
  if (on_device) {
#ifdef RDP_HAVE_GST_CUDA
    batch_for = [device = std::make_shared<nvmm_cuda_frames::Device>()](const Shape& shape) {
      const bool pinned = shape.format == GST_VIDEO_FORMAT_GRAY8;
      return nvmm_cuda_frames::batch_in(device,
                                        pinned ? nvmm_frames::kPinned : nvmm_frames::kDevice);
    };
#else
    throw std::runtime_error("built without CUDA memory");
#endif
  }
  return [batch_for](const Content& content) {
    const Shape& shape = content.shape;
    nvmm_frames::Batch batch = batch_for(shape);
    batch.offset = shape.offset;
    batch.pitch = static_cast<gsize>(shape.stride);
    const auto surface =
        std::make_shared<nvmm_frames::Surface>(shape.format, shape.width, shape.height, batch);
    surface->write(0, content.samples.data(), row_bytes(shape));
    return wrap_again(surface);
  };
}

GstBuffer* share_nvmm(GstBuffer* buffer) {
  const SurfaceRef* surface = surface_of(buffer);
  return surface == nullptr ? nullptr : wrap_again(*surface);
}

void restore_nvmm(GstBuffer* buffer, const Content& content) {
  if (const SurfaceRef* surface = surface_of(buffer)) {
    (*surface)->write(0, content.samples.data(), row_bytes(content.shape));
  }
}

std::vector<std::byte> nvmm_samples(GstBuffer* buffer) {
  const SurfaceRef* surface = surface_of(buffer);
  if (surface == nullptr) return {};
  const std::vector<std::uint8_t> samples = (*surface)->samples(0);
  const auto* bytes = reinterpret_cast<const std::byte*>(samples.data());
  return {bytes, bytes + samples.size()};
}

}  // namespace rdp::endurance
