// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/memory/nvmm_egl.h"

#include <mutex>
#include <utility>
#include <vector>

#include "gst/memory/nvmm_library.h"
#include "kernels/runtime/cuda_error.h"
#include "kernels/runtime/driver.h"

namespace rdp::gst {
namespace {

// A registered image; the destructor unregisters it.
class Registration {
 public:
  Registration(const NvmmSurface& surface, CUcontext context, std::shared_ptr<void> keep_alive)
      : context_(context),
        keep_alive_(std::move(keep_alive)),
        batch_(surface.batch),
        params_(surface.params),
        index_(static_cast<int>(surface.index)),
        buffer_desc_(surface.params->buffer_desc) {}
  ~Registration();
  Registration(const Registration&) = delete;
  Registration& operator=(const Registration&) = delete;

  bool start(std::string* reason);
  bool is_of(const NvmmSurface& surface, CUcontext context) const {
    return context_ == context && batch_ == surface.batch && params_ == surface.params &&
           index_ == static_cast<int>(surface.index);
  }
  // True if the image still belongs to the surface. Another element may have unmapped it, or a pool
  // may have reused the structure for another buffer.
  bool is_current() const {
    return params_->egl_image == image_ && params_->buffer_desc == buffer_desc_;
  }
  const cuda::EglFrame& frame() const { return frame_; }

 private:
  CUcontext context_;
  std::shared_ptr<void> keep_alive_;
  nvmm::Surface* batch_;
  nvmm::SurfaceParams* params_;
  int index_;
  std::uint64_t buffer_desc_;
  void* image_ = nullptr;
  bool mapped_ = false;  // by us
  CUgraphicsResource resource_ = nullptr;
  cuda::EglFrame frame_{};
};

bool Registration::start(std::string* reason) {
  const nvmm::Library* library = nvmm::library(reason);
  if (library == nullptr) return false;
  const cuda::Driver& driver = cuda::driver();
  if (driver.cuGraphicsEGLRegisterImage == nullptr ||
      driver.cuGraphicsResourceGetMappedEglFrame == nullptr ||
      driver.cuGraphicsUnregisterResource == nullptr) {
    *reason = "the NVIDIA driver (libcuda.so.1) has no functions for EGL images";
    return false;
  }
  if (params_->egl_image == nullptr) {
    if (library->NvBufSurfaceMapEglImage(batch_, index_) != 0) {
      *reason = format_text(
          "NvBufSurfaceMapEglImage() fails for surface %d of the buffer: is there an EGL display? "
          "Without a screen, unset DISPLAY",
          index_);
      return false;
    }
    mapped_ = true;
  }
  image_ = params_->egl_image;
  if (image_ == nullptr) {
    *reason = "NvBufSurfaceMapEglImage() makes no EGL image";
    return false;
  }
  cuda::check(driver.cuGraphicsEGLRegisterImage(&resource_, image_, 0),
              "registering the EGL image of an NVMM surface");
  cuda::check(driver.cuGraphicsResourceGetMappedEglFrame(&frame_, resource_, 0, 0),
              "finding the memory of an NVMM surface's EGL image");
  return true;
}

Registration::~Registration() {
  if (resource_ != nullptr) {
    const cuda::Driver& driver = cuda::driver();
    // If the context cannot be made current, it is lost with its resources.
    if (driver.cuCtxPushCurrent_v2(context_) == CUDA_SUCCESS) {
      driver.cuGraphicsUnregisterResource(resource_);
      CUcontext ours;
      driver.cuCtxPopCurrent_v2(&ours);
    }
  }
  if (mapped_ && image_ != nullptr && params_->egl_image == image_) {
    nvmm::library()->NvBufSurfaceUnMapEglImage(batch_, index_);
  }
}

// The registrations of one GstMemory: one for each used surface and context.
using Registrations = std::vector<std::unique_ptr<Registration>>;

// Guards the lists of all memories. In steady state it is held for a few instructions, without
// contention.
std::mutex& lists_mutex() {
  static std::mutex mutex;
  return mutex;
}

Registrations& list_of(GstMemory* memory) {
  static const GQuark quark = g_quark_from_static_string("rdp-nvmm-egl-registrations");
  auto* list =
      static_cast<Registrations*>(gst_mini_object_get_qdata(GST_MINI_OBJECT_CAST(memory), quark));
  if (list == nullptr) {
    list = new Registrations;
    // Freed before the memory, so while the surfaces still exist.
    gst_mini_object_set_qdata(GST_MINI_OBJECT_CAST(memory), quark, list,
                              [](gpointer data) { delete static_cast<Registrations*>(data); });
  }
  return *list;
}

}  // namespace

bool find_egl_frame(const NvmmSurface& surface, CUcontext context,
                    const std::shared_ptr<void>& keep_alive, cuda::EglFrame* frame,
                    std::string* reason) {
  const std::lock_guard lock(lists_mutex());
  Registrations& list = list_of(surface.memory);
  for (auto it = list.begin(); it != list.end(); ++it) {
    if (!(*it)->is_of(surface, context)) continue;
    if ((*it)->is_current()) {
      *frame = (*it)->frame();
      return true;
    }
    list.erase(it);
    break;
  }
  auto fresh = std::make_unique<Registration>(surface, context, keep_alive);
  if (!fresh->start(reason)) return false;
  *frame = fresh->frame();
  list.push_back(std::move(fresh));
  return true;
}

}  // namespace rdp::gst
