// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_CUDA_CUDA_ELEMENT_CONTEXT_H_
#define RDP_GST_CUDA_CUDA_ELEMENT_CONTEXT_H_

#include <memory>
#include <mutex>
#include <string>

#include "gst/cuda/cuda_context.h"

namespace rdp::gst {

// The GstCudaContext of an element: asked of the neighbours and the application, shared with them,
// and changed for that of a buffer. gst_cuda_ensure_element_context() and
// gst_cuda_handle_set_context() write to a field that they expect nobody else to touch; here the
// one that they write to belongs to the thread that runs ensure(), and no lock is held while
// neighbours, who may be asking us at the same time, are asked.
class CudaElementContext {
 public:
  explicit CudaElementContext(GstElement* element) : element_(element) {}
  ~CudaElementContext() { release(); }
  CudaElementContext(const CudaElementContext&) = delete;
  CudaElementContext& operator=(const CudaElementContext&) = delete;

  // The context, without a reference: the one there is, if it is not lost, or another. Null:
  // *reason says why there is none. Not from two threads at a time.
  GstCudaContext* ensure(gint device_id, std::string* reason) noexcept;
  // Takes the context of a buffer in place of the one there is.
  void adopt(GstCudaContext* context);
  // Takes a context that is none of GStreamer's, and what keeps it. Where libgstcuda cannot wrap it
  // there is no context then.
  void adopt_handle(CUcontext context, int device, std::shared_ptr<void> keep_alive);
  // Takes the context that gst_element_set_context() brings. Any thread.
  void offer(GstContext* context, gint device_id);
  // Any thread.
  bool answer(GstQuery* query);
  // Without a reference; null before ensure() and adopt().
  GstCudaContext* get() const { return current_; }
  void release();

 private:
  GstElement* element_;
  GstCudaContext* field_ = nullptr;  // of ensure(), while it runs

  std::mutex mutex_;                   // of what follows; writes to current_ only, when ...
  GThread* ensuring_ = nullptr;        // the thread that runs ensure()
  GstCudaContext* current_ = nullptr;  // what everybody is told
  GstCudaContext* offered_ = nullptr;  // what came from another thread before or meanwhile
};

}  // namespace rdp::gst

#endif  // RDP_GST_CUDA_CUDA_ELEMENT_CONTEXT_H_
