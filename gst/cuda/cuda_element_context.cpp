// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/cuda/cuda_element_context.h"

#include <memory>
#include <utility>

namespace rdp::gst {
namespace {

bool is_cuda(GstContext* context) {
  return context != nullptr && gst_context_has_context_type(context, GST_CUDA_CONTEXT_TYPE);
}

}  // namespace

GstCudaContext* CudaElementContext::ensure(gint device_id, std::string* reason) noexcept {
  {
    const std::lock_guard lock(mutex_);
    ensuring_ = g_thread_self();
    field_ = std::exchange(offered_, nullptr);
    if (current_ != nullptr) {
      gst_clear_object(&field_);
      field_ = GST_CUDA_CONTEXT(gst_object_ref(current_));
    }
  }
  if (field_ == nullptr) {
    // A context from the application stays with the element from one start to the next.
    GstContext* given = gst_element_get_context(element_, GST_CUDA_CONTEXT_TYPE);
    if (given != nullptr) {
      gst_cuda_handle_set_context(element_, given, device_id, &field_);
      gst_context_unref(given);
    }
  }
  const bool found = cuda_ensure_context(element_, device_id, &field_, reason);
  if (!found) gst_clear_object(&field_);

  const std::lock_guard lock(mutex_);
  ensuring_ = nullptr;
  // Another element may have made and announced a context at the same time: use that one.
  if (offered_ != nullptr) std::swap(field_, offered_);
  gst_clear_object(&offered_);
  gst_clear_object(&current_);
  current_ = std::exchange(field_, nullptr);
  return current_;
}

void CudaElementContext::adopt(GstCudaContext* context) {
  gst_object_ref(context);
  const std::lock_guard lock(mutex_);
  std::swap(current_, context);
  gst_clear_object(&context);
}

void CudaElementContext::adopt_handle(CUcontext context, int device,
                                      std::shared_ptr<void> keep_alive) {
  auto keeper = std::make_unique<std::shared_ptr<void>>(std::move(keep_alive));
  GstCudaContext* wrapped = gst_cuda_context_new_wrapped(context, device);
  if (wrapped == nullptr) return;
  // Memory of this context may outlive the element.
  g_object_set_data_full(G_OBJECT(wrapped), "rdp-keep-alive", keeper.release(),
                         [](gpointer data) { delete static_cast<std::shared_ptr<void>*>(data); });
  adopt(wrapped);
  gst_object_unref(wrapped);
}

void CudaElementContext::offer(GstContext* context, gint device_id) {
  if (!is_cuda(context)) return;
  {
    const std::lock_guard lock(mutex_);
    if (current_ != nullptr && ensuring_ == nullptr) return;  // in use
  }
  GstCudaContext* found = nullptr;
  gst_cuda_handle_set_context(element_, context, device_id, &found);
  if (found == nullptr) return;  // of another device
  const std::lock_guard lock(mutex_);
  GstCudaContext** place = ensuring_ == g_thread_self() ? &field_ : &offered_;
  if (*place == nullptr) std::swap(*place, found);
  gst_clear_object(&found);
}

bool CudaElementContext::answer(GstQuery* query) {
  GstCudaContext* context = nullptr;
  {
    const std::lock_guard lock(mutex_);
    if (current_ != nullptr) context = GST_CUDA_CONTEXT(gst_object_ref(current_));
  }
  if (context == nullptr) return false;
  const bool answered = gst_cuda_handle_context_query(element_, query, context);
  gst_object_unref(context);
  return answered;
}

void CudaElementContext::release() {
  const std::lock_guard lock(mutex_);
  gst_clear_object(&current_);
  gst_clear_object(&offered_);
}

}  // namespace rdp::gst
