// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_CUDA_CUDA_CONTEXT_H_
#define RDP_GST_CUDA_CUDA_CONTEXT_H_

#include <gst/cuda/gstcudacontext.h>
#include <gst/cuda/gstcudaloader.h>
#include <gst/cuda/gstcudautils.h>

#include <memory>
#include <string>

#include "gst/memory/cuda_memory.h"

// The CUDA contexts of GStreamer (libgstcuda). Compiled where that library and the CUDA toolkit are
// (RDP_HAVE_GST_CUDA).
namespace rdp::gst {

// True if memory:CUDAMemory is usable in this process: the loaded libgstcuda has the binary
// interface that this was built for, the driver loads, and a device exists. Found out once. False:
// *reason, if given, says what is missing. Any thread; never ends the process.
bool cuda_memory_usable(std::string* reason = nullptr) noexcept;

// A reference to a context in a form that others can hold without knowing GStreamer.
std::shared_ptr<void> cuda_context_keeper(GstCudaContext* context);

// Finds or makes the context of an element that goes to READY or adopts nothing yet: neighbours are
// asked, then the application, then a new one is made and shared, as GStreamer's CUDA elements do.
// A context that is found but lost (every call fails after a kernel has gone wrong in it) is
// replaced by a new one, so that a pipeline can be started again. `*context` is the element's
// field that its set_context writes to with gst_cuda_handle_set_context(). False: *reason says why
// there is none.
bool cuda_ensure_context(GstElement* element, gint device_id, GstCudaContext** context,
                         std::string* reason) noexcept;

}  // namespace rdp::gst

#endif  // RDP_GST_CUDA_CUDA_CONTEXT_H_
