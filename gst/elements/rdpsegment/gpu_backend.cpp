// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/rdpsegment/gpu_backend.h"

#include "common/boundary.h"
#include "gst/elements/rdpsegment/gpu_session.h"
#include "gst/elements/rdpsegment/gstrdpsegment.h"
#include "gst/memory/host_picture.h"
#include "gst/memory/nvmm_device.h"
#include "gst/memory/nvmm_host.h"
#include "gst/memory/pinned_memory.h"
#include "gst/memory/pool_negotiation.h"
#include "gst/memory/system_memory.h"
#include "kernels/runtime/cuda_error.h"
#ifdef RDP_HAVE_GST_CUDA
#include "gst/cuda/cuda_context.h"
#include "gst/cuda/cuda_element_context.h"
#include "gst/memory/cuda_memory.h"
#endif

#define GST_CAT_DEFAULT gst_rdp_segment_debug

namespace rdp::gst {

// --- memory:CUDAMemory --------------------------------------------------------------------------

#ifdef RDP_HAVE_GST_CUDA
bool cuda_memory_available(std::string* reason) noexcept { return cuda_memory_usable(reason); }

GstBufferPool* gpu_picture_pool_new(GstObject* context) {
  return cuda_picture_pool_new(GST_CUDA_CONTEXT(context));
}

bool is_gpu_picture_pool(GstBufferPool* pool, GstObject* context) {
  const PoolKind kind = cuda_picture_pools(GST_CUDA_CONTEXT(context));
  return kind.takes(pool, kind.data);
}
#else
bool cuda_memory_available(std::string* reason) noexcept {
  give_reason(reason, "this rdpsegment was built without libgstcuda (GStreamer 1.22 or newer)");
  return false;
}

GstBufferPool* gpu_picture_pool_new(GstObject*) { return nullptr; }
bool is_gpu_picture_pool(GstBufferPool*, GstObject*) { return false; }
#endif

// --- the engine ---------------------------------------------------------------------------------

struct GpuBackend::Impl : InstanceMemory {
  explicit Impl(GstElement* owner) : element(owner) {}

  std::shared_ptr<GpuContext> find_context(int device_id);
  std::shared_ptr<GpuContext> primary_context(int device_id);
  bool propose_depth_pool(GstQuery* query, int device_id);
  bool propose_page_locked(GstQuery* query);
  void move_to_frame(int device_id);
  bool move_to_surface(const NvmmSurface& surface, int device_id, std::string* reason);
  bool find_on_device(const NvmmSurface& surface, NvmmDeviceRows* rows, std::string* reason);
  void unmap();

  GstElement* element;
  int started_for = -1;  // the device that was asked for
  int primary_of = -1;   // the device in whose primary context the session is, or -1
  std::unique_ptr<GpuSession> session;

  // The frame and its picture, while they are mapped.
  SystemFrame system_frame;
  cuda::DeviceDepthView device_frame;  // with data, if the frame is on the device
  MutableDepthView host_frame;         // else
  NvmmHostSurface host_surface;        // the frame, if it is NVMM memory of the host alone
  NvmmFrame nvmm_picture;
  HostPicture host_picture;
  GpuWork work;
#ifdef RDP_HAVE_GST_CUDA
  CudaElementContext contexts{element};
  CudaFrame cuda_frame;
  CudaPicture cuda_picture;
#endif
};

GpuBackend::GpuBackend(GstElement* element) : impl_(std::make_unique<Impl>(element)) {}
GpuBackend::~GpuBackend() = default;

bool GpuBackend::device_exists(int device_id, std::string* reason) noexcept {
  if (cuda::load_driver(reason) == nullptr) return false;
  const int devices = cuda::device_count();
  if (devices == 0) {
    give_reason(reason, "the NVIDIA driver finds no CUDA device");
    return false;
  }
  if (device_id >= devices) {
    g_autofree gchar* text = g_strdup_printf(
        "there is no CUDA device %d: the driver has %d, counted from 0", device_id, devices);
    give_reason(reason, text);
    return false;
  }
  return true;
}

std::shared_ptr<GpuContext> GpuBackend::Impl::find_context(int device_id) {
#ifdef RDP_HAVE_GST_CUDA
  if (cuda_memory_usable()) {
    std::string reason;
    GstCudaContext* context = contexts.ensure(device_id, &reason);
    if (context == nullptr) throw GpuError(reason);
    return std::make_shared<GpuContext>(cuda_handle(context), cuda_context_keeper(context));
  }
#endif
  return primary_context(device_id);
}

// The context that the CUDA runtime and NVIDIA's elements work in.
std::shared_ptr<GpuContext> GpuBackend::Impl::primary_context(int device_id) {
  auto primary = std::make_shared<cuda::PrimaryContext>(device_id);
  primary_of = primary->device();
  const CUcontext handle = primary->get();
  return std::make_shared<GpuContext>(handle, std::move(primary));
}

void GpuBackend::start(int device_id) {
  // A context of another device than the property names now is none to go on in.
  if (impl_->session != nullptr) {
    if (impl_->started_for == device_id) return;
    stop();
  }
  std::string missing;
  if (!device_exists(device_id, &missing)) throw GpuError(missing);
  impl_->started_for = device_id;
  impl_->primary_of = -1;
  try {
    impl_->session = std::make_unique<GpuSession>(impl_->find_context(device_id));
  } catch (const cuda::CudaError& error) {
    throw GpuError(error.what());
  }
}

void GpuBackend::stop() {
  impl_->session.reset();
#ifdef RDP_HAVE_GST_CUDA
  impl_->contexts.release();
#endif
}

// --- contexts and allocation --------------------------------------------------------------------

#ifdef RDP_HAVE_GST_CUDA
void GpuBackend::set_context(GstContext* context, int device_id) {
  impl_->contexts.offer(context, device_id);
}

bool GpuBackend::answer_context_query(GstQuery* query) { return impl_->contexts.answer(query); }

GstObject* GpuBackend::context() const {
  return impl_->session == nullptr ? nullptr : GST_OBJECT_CAST(impl_->contexts.get());
}

bool GpuBackend::Impl::propose_depth_pool(GstQuery* query, int device_id) {
  if (!cuda_memory_usable()) return false;
  offer_metas(query, {GST_VIDEO_META_API_TYPE});
  struct Maker {
    CudaElementContext* contexts;
    int device_id;
  } maker{&contexts, device_id};
  PoolKind kind;
  kind.data = &maker;
  kind.takes = [](GstBufferPool* pool, gpointer) { return cuda_holds_depth(pool); };
  // A context is looked for only where a pool is needed.
  kind.make = [](gpointer data) -> GstBufferPool* {
    const auto* wanted = static_cast<Maker*>(data);
    std::string missing;
    GstCudaContext* context = wanted->contexts->get();
    if (context == nullptr) context = wanted->contexts->ensure(wanted->device_id, &missing);
    return context == nullptr ? nullptr : cuda_depth_pool_new(context);
  };
  std::string reason;
  if (!offer_pool(query, kind, nullptr, &reason)) {
    GST_INFO_OBJECT(element, "no pool for upstream: %s", reason.c_str());
  }
  return true;
}
#else
void GpuBackend::set_context(GstContext*, int) {}
bool GpuBackend::answer_context_query(GstQuery*) { return false; }
GstObject* GpuBackend::context() const { return nullptr; }

bool GpuBackend::Impl::propose_depth_pool(GstQuery*, int) { return false; }
#endif

bool GpuBackend::Impl::propose_page_locked(GstQuery* query) {
  if (session == nullptr || !lacks_allocator(query)) return false;
  GstAllocator* allocator = pinned_allocator_new(session->context(), session->keeper());
  offer_allocator(query, allocator);
  gst_object_unref(allocator);
  return true;
}

bool GpuBackend::propose_allocation(GstQuery* query, int device_id, bool page_locked) {
  GstCaps* caps;
  gst_query_parse_allocation(query, &caps, nullptr);
  if (caps == nullptr) return false;
  switch (memory_kind(caps)) {
    case MemoryKind::kCuda:
      return impl_->propose_depth_pool(query, device_id);
    case MemoryKind::kNvmm:
      return false;  // NVIDIA's elements have pools of their own
    case MemoryKind::kSystem:
      return page_locked && impl_->propose_page_locked(query);
  }
  return false;
}

// --- frames -------------------------------------------------------------------------------------

#ifdef RDP_HAVE_GST_CUDA
// The engine goes where the frame is.
void GpuBackend::Impl::move_to_frame(int device_id) {
  GstCudaContext* context = cuda_frame.context();
  if (session != nullptr && session->context() == cuda_handle(context)) return;
  guint device = 0;
  g_object_get(context, "cuda-device-id", &device, nullptr);
  if (device_id >= 0 && device != static_cast<guint>(device_id)) {
    throw GpuError(
        format_text("the frame is in the memory of CUDA device %u, but cuda-device-id "
                    "says %d: leave it at -1, or have the frames made on that device",
                    device, device_id));
  }
  GST_INFO_OBJECT(element, "moving to the context of the buffers, %" GST_PTR_FORMAT, context);
  session.reset();
  session = std::make_unique<GpuSession>(
      std::make_shared<GpuContext>(cuda_handle(context), cuda_context_keeper(context)));
  contexts.adopt(context);
  started_for = device_id;
  primary_of = -1;
}
#endif

bool GpuBackend::Impl::move_to_surface(const NvmmSurface& surface, int device_id,
                                       std::string* reason) {
  const int device = surface.working_device(device_id);
  if (session != nullptr && primary_of == device && started_for == device_id) return true;
  std::string missing;
  if (!device_exists(surface.of_device() ? -1 : device_id, &missing)) throw GpuError(missing);
  if (device < 0 || device >= cuda::device_count()) {
    *reason = format_text("the buffer's NvBufSurface has gpuId %u, but the driver has %d devices",
                          surface.gpu, cuda::device_count());
    return false;
  }
  if (device_id >= 0 && device != device_id) {
    throw GpuError(
        format_text("the frame is in NVMM memory of CUDA device %d, but cuda-device-id says %d: "
                    "leave it at -1, or have the frames made on that device",
                    device, device_id));
  }
  GST_INFO_OBJECT(element, "moving to the primary context of device %d for NVMM memory", device);
  session.reset();
  session = std::make_unique<GpuSession>(primary_context(device));
  started_for = device_id;
#ifdef RDP_HAVE_GST_CUDA
  // Pictures for memory:CUDAMemory lie in the same context.
  contexts.release();
  if (cuda_memory_usable()) contexts.adopt_handle(session->context(), device, session->keeper());
#endif
  return true;
}

bool GpuBackend::Impl::find_on_device(const NvmmSurface& surface, NvmmDeviceRows* rows,
                                      std::string* reason) {
  const cuda::ContextScope scope(session->context());
  return find_nvmm_on_device(surface, session->context(), session->keeper(), rows, reason);
}

bool GpuBackend::map(GstBuffer* buffer, const GstVideoInfo& info, MemoryKind kind, bool write,
                     int device_id, std::string* reason) {
  const Access access = write ? Access::kReadWrite : Access::kRead;
  impl_->work = {};
#ifdef RDP_HAVE_GST_CUDA
  if (kind == MemoryKind::kCuda) {
    try {
      if (!impl_->cuda_frame.map(buffer, info, access, reason)) return false;
      impl_->move_to_frame(device_id);
    } catch (const cuda::CudaError& error) {
      throw GpuError(error.what());
    }
    impl_->device_frame = impl_->cuda_frame.view();
    return true;
  }
#endif
  start(device_id);
  if (!impl_->system_frame.map(buffer, info, access, reason)) return false;
  impl_->host_frame = impl_->system_frame.view();
  return true;
}

bool GpuBackend::map_surface(const NvmmSurface& surface, int device_id, std::string* reason) {
  impl_->work = {};
  try {
    if (!impl_->move_to_surface(surface, device_id, reason)) return false;
    if (!surface.device_readable()) {
      if (!impl_->host_surface.map(surface, Access::kReadWrite, reason)) return false;
      impl_->host_frame = impl_->host_surface.view();
      return true;
    }
    NvmmDeviceRows rows;
    if (!impl_->find_on_device(surface, &rows, reason)) return false;
    impl_->device_frame = {rows.data, rows.pitch, surface.width, surface.height,
                           surface.sample_bytes == 1 ? SampleType::kU8 : SampleType::kU16};
    return true;
  } catch (const cuda::CudaError& error) {
    throw GpuError(error.what());
  }
}

bool GpuBackend::map_picture(GstBuffer* buffer, const GstVideoInfo& info, MemoryKind kind,
                             const OverlayOptions& options, std::string* reason) {
  impl_->work.overlay = options;
#ifdef RDP_HAVE_GST_CUDA
  if (kind == MemoryKind::kCuda) {
    try {
      if (!impl_->cuda_picture.map(buffer, info, Access::kReadWrite, reason)) return false;
    } catch (const cuda::CudaError& error) {
      throw GpuError(error.what());
    }
    impl_->work.device_picture = impl_->cuda_picture.view();
    return true;
  }
#endif
  if (kind == MemoryKind::kNvmm) {
    if (!impl_->nvmm_picture.map(buffer, info, Access::kReadWrite, reason)) return false;
    const NvmmSurface& surface = impl_->nvmm_picture.view()[0];
    NvmmDeviceRows rows;
    try {
      if (!impl_->find_on_device(surface, &rows, reason)) return false;
    } catch (const cuda::CudaError& error) {
      throw GpuError(error.what());
    }
    impl_->work.device_picture = {rows.data, rows.pitch, surface.width, surface.height};
    return true;
  }
  if (!impl_->host_picture.map(buffer, info, false, reason)) return false;
  impl_->work.host_picture = impl_->host_picture.view();
  return true;
}

void GpuBackend::process(const Parameters& parameters, bool reconstruct,
                         GstRdpSegmentation* segmentation) {
  GpuWork& work = impl_->work;
  work.parameters = parameters;
  work.reconstruct = reconstruct;
  work.segmentation = segmentation;
  try {
    if (impl_->device_frame.data != 0) {
      impl_->session->process(impl_->device_frame, work);
    } else {
      impl_->session->process(impl_->host_frame, work);
    }
  } catch (const cuda::CudaError& error) {
    // Whether the context is lost shows when the next engine is made.
    impl_->session.reset();
    throw GpuError(error.what());
  }
}

void GpuBackend::Impl::unmap() {
#ifdef RDP_HAVE_GST_CUDA
  cuda_picture.unmap();
  cuda_frame.unmap();
#endif
  host_picture.unmap();
  nvmm_picture.unmap();
  host_surface.unmap();
  system_frame.unmap();
  device_frame = {};
  host_frame = {};
}

void GpuBackend::unmap() { impl_->unmap(); }

}  // namespace rdp::gst
