// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_CUDA_CUDA_CONTEXT_H_
#define RDP_GST_CUDA_CUDA_CONTEXT_H_

#include <gst/cuda/gstcudacontext.h>
#include <gst/cuda/gstcudaloader.h>
#include <gst/cuda/gstcudautils.h>

#include <memory>
#include <string>

#include "gst/memory/cuda_memory.h"

// GStreamer's CUDA contexts (libgstcuda). Compiled if that library and the CUDA toolkit are present
// (RDP_HAVE_GST_CUDA).
namespace rdp::gst {

// True if memory:CUDAMemory is usable in this process: libgstcuda has the ABI of this build, the
// driver loads, and a device exists. Determined once. False: *reason, if given, says what is
// missing. Any thread; never ends the process.
bool cuda_memory_usable(std::string* reason = nullptr) noexcept;

// Returns a reference to a context, for holders that do not know GStreamer.
std::shared_ptr<void> cuda_context_keeper(GstCudaContext* context);

// Finds or makes the context of an element that goes to READY or has adopted none. As GStreamer's
// CUDA elements do, it asks neighbours, then the application, then makes and shares a new one. A
// lost context (all calls fail after a kernel's fault) is replaced by a new one, so that a pipeline
// can be restarted. `*context` is the element's field to which its set_context writes with
// gst_cuda_handle_set_context(). False: *reason says why there is none.
bool cuda_ensure_context(GstElement* element, gint device_id, GstCudaContext** context,
                         std::string* reason) noexcept;

}  // namespace rdp::gst

#endif  // RDP_GST_CUDA_CUDA_CONTEXT_H_
