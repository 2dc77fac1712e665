// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_CUDA_CUDA_ELEMENT_CONTEXT_H_
#define RDP_GST_CUDA_CUDA_ELEMENT_CONTEXT_H_

#include <memory>
#include <mutex>
#include <string>

#include "gst/cuda/cuda_context.h"

namespace rdp::gst {

// The GstCudaContext of an element: obtained from neighbours or the application, shared with them,
// and replaced by that of a buffer. gst_cuda_ensure_element_context() and
// gst_cuda_handle_set_context() write to a field that no other thread may touch. Here that field
// belongs to the thread in ensure(). It asks neighbours without a lock, because they may be asking
// us at the same time.
class CudaElementContext {
 public:
  explicit CudaElementContext(GstElement* element) : element_(element) {}
  ~CudaElementContext() { release(); }
  CudaElementContext(const CudaElementContext&) = delete;
  CudaElementContext& operator=(const CudaElementContext&) = delete;

  // Returns the context (transfer none): the present one, unless lost, or another. Null: *reason
  // says why there is none. Not from two threads at a time.
  GstCudaContext* ensure(gint device_id, std::string* reason) noexcept;
  // Replaces the present context by a buffer's.
  void adopt(GstCudaContext* context);
  // Wraps a context that is not GStreamer's, kept by `keep_alive`. If libgstcuda cannot wrap it,
  // nothing changes.
  void adopt_handle(CUcontext context, int device, std::shared_ptr<void> keep_alive);
  // Handles the context that gst_element_set_context() brings. Any thread.
  void offer(GstContext* context, gint device_id);
  // Answers a query for the context. Any thread.
  bool answer(GstQuery* query);
  // (transfer none); null before ensure() and adopt().
  GstCudaContext* get() const { return current_; }
  void release();

 private:
  GstElement* element_;
  GstCudaContext* field_ = nullptr;  // used by ensure() while it runs

  std::mutex mutex_;  // guards the members below; the thread that writes current_ reads it without
  GThread* ensuring_ = nullptr;        // the thread that runs ensure()
  GstCudaContext* current_ = nullptr;  // the context that is announced
  GstCudaContext* offered_ = nullptr;  // received from another thread, before or during ensure()
};

}  // namespace rdp::gst

#endif  // RDP_GST_CUDA_CUDA_ELEMENT_CONTEXT_H_
