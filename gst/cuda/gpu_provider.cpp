// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/cuda/gpu_provider.h"

#include <utility>

#include "common/boundary.h"
#include "gst/cuda/gpu_session.h"
#include "gst/memory/pinned_memory.h"
#include "gst/memory/pool_negotiation.h"
#include "kernels/runtime/cuda_error.h"
#ifdef RDP_HAVE_GST_CUDA
#include "gst/cuda/cuda_context.h"
#include "gst/cuda/cuda_element_context.h"
#include "gst/memory/cuda_memory.h"
#endif

GST_DEBUG_CATEGORY_STATIC(rdp_gpu_debug);
#define GST_CAT_DEFAULT rdp_gpu_debug

namespace rdp::gst {

// --- memory:CUDAMemory --------------------------------------------------------------------------

#ifdef RDP_HAVE_GST_CUDA
bool cuda_memory_available(std::string* reason) noexcept { return cuda_memory_usable(reason); }

PoolKind gpu_picture_pools(GstObject* context) {
  return cuda_picture_pools(reinterpret_cast<GstCudaContext*>(context));
}

PoolKind gpu_frame_pools(GstObject* context) {
  return cuda_depth_pools(reinterpret_cast<GstCudaContext*>(context));
}
#else
bool cuda_memory_available(std::string* reason) noexcept {
  give_reason(reason, "this rdpsegment was built without libgstcuda (GStreamer 1.22 or newer)");
  return false;
}

static PoolKind no_pools() {
  PoolKind kind;
  kind.make = [](gpointer) -> GstBufferPool* { return nullptr; };
  kind.takes = [](GstBufferPool*, gpointer) { return false; };
  return kind;
}

PoolKind gpu_picture_pools(GstObject*) { return no_pools(); }
PoolKind gpu_frame_pools(GstObject*) { return no_pools(); }
#endif

// --- sessions -----------------------------------------------------------------------------------

namespace {

// A session, if there is one, and its context.
struct Entry {
  std::unique_ptr<GpuSession> session;
  int primary_of = -1;  // the device in whose primary context the session is, or -1
  // Its GstCudaContext, or null. The session has the reference.
  GstObject* gst = nullptr;
};

}  // namespace

struct GpuProvider::Impl : InstanceMemory {
  explicit Impl(GstElement* owner) : element(owner) {}

  Entry find_entry(int device_id);
  static Entry primary_entry(int device_id);
  GpuSession* use(Entry entry);
  bool is_in(const FrameContext& wanted) const;
  void announce();
  void stop();
  GpuSession* move_to_gst(GstObject* context, int device_id);
  GpuSession* move_to_primary(gint64 device, int device_id, std::string* reason);
  bool propose_depth_pool(GstQuery* query, int device_id);
  GstAllocator* new_page_locked();
  bool propose_page_locked(GstQuery* query);

  GstElement* element;
  int started_for = -1;  // the device that was asked for
  Entry entry;
#ifdef RDP_HAVE_GST_CUDA
  CudaElementContext contexts{element};
#endif
};

GpuProvider::GpuProvider(GstElement* element) : impl_(std::make_unique<Impl>(element)) {
  static gsize once = 0;
  if (g_once_init_enter(&once)) {
    GST_DEBUG_CATEGORY_INIT(rdp_gpu_debug, "rdpgpu", 0, "CUDA contexts of rdpsegment's elements");
    g_once_init_leave(&once, 1);
  }
}
GpuProvider::~GpuProvider() = default;

bool GpuProvider::device_exists(int device_id, std::string* reason) noexcept {
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

#ifdef RDP_HAVE_GST_CUDA
static Entry gst_entry(GstCudaContext* context) {
  auto shared = std::make_shared<GpuContext>(cuda_handle(context), cuda_context_keeper(context));
  return {std::make_unique<GpuSession>(std::move(shared), kCudaMemoryStream), -1,
          GST_OBJECT_CAST(context)};
}
#endif

Entry GpuProvider::Impl::find_entry(int device_id) {
#ifdef RDP_HAVE_GST_CUDA
  if (cuda_memory_usable()) {
    std::string reason;
    GstCudaContext* context = contexts.ensure(device_id, &reason);
    if (context == nullptr) throw GpuError(reason);
    return gst_entry(context);
  }
#endif
  return primary_entry(device_id);
}

// Makes a session in the primary context, where the CUDA runtime and NVIDIA's elements work.
Entry GpuProvider::Impl::primary_entry(int device_id) {
  auto primary = std::make_shared<cuda::PrimaryContext>(device_id);
  const int device = primary->device();
  const CUcontext handle = primary->get();
  return {std::make_unique<GpuSession>(std::make_shared<GpuContext>(handle, std::move(primary))),
          device, nullptr};
}

// Replaces the session. The old context is released, with all memory there.
GpuSession* GpuProvider::Impl::use(Entry next) {
  entry = std::move(next);
  announce();
  return entry.session.get();
}

bool GpuProvider::Impl::is_in(const FrameContext& wanted) const {
  if (entry.session == nullptr) return false;
  return wanted.gst != nullptr ? entry.gst == wanted.gst : entry.primary_of == wanted.device;
}

// Announces the present context to neighbours, and to pictures in memory:CUDAMemory.
void GpuProvider::Impl::announce() {
#ifdef RDP_HAVE_GST_CUDA
  if (entry.gst != nullptr) {
    if (entry.gst != GST_OBJECT_CAST(contexts.get())) contexts.adopt(GST_CUDA_CONTEXT(entry.gst));
    return;
  }
  contexts.release();
  if (cuda_memory_usable()) {
    contexts.adopt_handle(entry.session->handle(), entry.primary_of,
                          entry.session->context()->keeper());
  }
#endif
}

void GpuProvider::Impl::stop() {
  entry = {};
#ifdef RDP_HAVE_GST_CUDA
  contexts.release();
#endif
}

void GpuProvider::start(int device_id) {
  // The session may be on another device than the property names now.
  if (impl_->entry.session != nullptr) {
    if (impl_->started_for == device_id) return;
    impl_->stop();
  }
  std::string missing;
  if (!device_exists(device_id, &missing)) throw GpuError(missing);
  impl_->started_for = device_id;
  impl_->use(impl_->find_entry(device_id));
}

void GpuProvider::stop() { impl_->stop(); }

void GpuProvider::drop_states() {
  if (impl_->entry.session != nullptr) impl_->entry.session->drop_state();
}

void GpuProvider::forget() { impl_->entry = {}; }

GpuSession* GpuProvider::session_for(const FrameContext& wanted, int device_id,
                                     std::string* reason) {
  if (impl_->entry.session != nullptr && impl_->started_for != device_id) impl_->stop();
  if (wanted.any()) {
    start(device_id);
    return impl_->entry.session.get();
  }
  if (impl_->is_in(wanted)) return impl_->entry.session.get();
  return wanted.gst != nullptr ? impl_->move_to_gst(wanted.gst, device_id)
                               : impl_->move_to_primary(wanted.device, device_id, reason);
}

#ifdef RDP_HAVE_GST_CUDA
GpuSession* GpuProvider::Impl::move_to_gst(GstObject* object, int device_id) {
  GstCudaContext* context = GST_CUDA_CONTEXT(object);
  guint device = 0;
  g_object_get(context, "cuda-device-id", &device, nullptr);
  if (device_id >= 0 && device != static_cast<guint>(device_id)) {
    throw GpuError(
        format_text("the frame is in the memory of CUDA device %u, but cuda-device-id is %d: use "
                    "-1, or create the frames on that device",
                    device, device_id));
  }
  GST_INFO_OBJECT(element, "moving to the context of the buffers, %" GST_PTR_FORMAT, context);
  started_for = device_id;
  return use(gst_entry(context));
}
#else
GpuSession* GpuProvider::Impl::move_to_gst(GstObject*, int) { return nullptr; }
#endif

GpuSession* GpuProvider::Impl::move_to_primary(gint64 device, int device_id, std::string* reason) {
  std::string missing;
  if (!device_exists(-1, &missing)) throw GpuError(missing);
  if (device >= cuda::device_count()) {
    // A surface in host memory goes to the user's device.
    if (device == device_id && !device_exists(device_id, &missing)) throw GpuError(missing);
    *reason = format_text("the buffer's NvBufSurface has gpuId %" G_GINT64_FORMAT
                          ", but the driver has %d devices",
                          device, cuda::device_count());
    return nullptr;
  }
  if (device_id >= 0 && device != device_id) {
    throw GpuError(
        format_text("the frame is in NVMM memory of CUDA device %" G_GINT64_FORMAT
                    ", but cuda-device-id is %d: use -1, or create the frames on that device",
                    device, device_id));
  }
  GST_INFO_OBJECT(element,
                  "moving to the primary context of device %" G_GINT64_FORMAT " for NVMM memory",
                  device);
  started_for = device_id;
  return use(primary_entry(static_cast<int>(device)));
}

// --- contexts and allocation --------------------------------------------------------------------

#ifdef RDP_HAVE_GST_CUDA
void GpuProvider::set_context(GstContext* context, int device_id) {
  impl_->contexts.offer(context, device_id);
}

bool GpuProvider::answer_context_query(GstQuery* query) { return impl_->contexts.answer(query); }

GstObject* GpuProvider::context() const {
  return impl_->entry.session == nullptr ? nullptr : GST_OBJECT_CAST(impl_->contexts.get());
}

bool GpuProvider::Impl::propose_depth_pool(GstQuery* query, int device_id) {
  if (!cuda_memory_usable()) return false;
  struct Maker {
    CudaElementContext* contexts;
    int device_id;
  } maker{&contexts, device_id};
  PoolKind kind;
  kind.data = &maker;
  kind.takes = [](GstBufferPool* pool, gpointer) { return cuda_holds_depth(pool); };
  // Looks for a context only if a pool is needed.
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
void GpuProvider::set_context(GstContext*, int) {}
bool GpuProvider::answer_context_query(GstQuery*) { return false; }
GstObject* GpuProvider::context() const { return nullptr; }

bool GpuProvider::Impl::propose_depth_pool(GstQuery*, int) { return false; }
#endif

GstAllocator* GpuProvider::Impl::new_page_locked() {
  if (entry.session == nullptr) return nullptr;
  return pinned_allocator_new(entry.session->handle(), entry.session->context()->keeper());
}

GstAllocator* GpuProvider::new_page_locked() { return impl_->new_page_locked(); }

bool GpuProvider::Impl::propose_page_locked(GstQuery* query) {
  GstAllocator* allocator = lacks_allocator(query) ? new_page_locked() : nullptr;
  if (allocator == nullptr) return false;
  offer_allocator(query, allocator);
  gst_object_unref(allocator);
  return true;
}

bool GpuProvider::propose_allocation(GstQuery* query, int device_id, bool page_locked) {
  GstCaps* caps;
  gst_query_parse_allocation(query, &caps, nullptr);
  if (caps == nullptr) return false;
  switch (memory_kind(caps)) {
    case MemoryKind::kCuda:
      return impl_->propose_depth_pool(query, device_id);
    case MemoryKind::kNvmm:
      return false;  // NVIDIA's elements use their own pools
    case MemoryKind::kSystem:
      return page_locked && impl_->propose_page_locked(query);
  }
  return false;
}

}  // namespace rdp::gst
