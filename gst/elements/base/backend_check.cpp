// SPDX-License-Identifier: LGPL-2.1-or-later
// Checks of backend=cuda, before there is a stream.
#include <exception>

#include "gst/elements/base/frame_work.h"

#define GST_CAT_DEFAULT (words.category)

namespace rdp::gst {

bool check_backend(GstElement* element, const ElementWords& words, GpuProvider* gpu,
                   const AnalyzerSettings& settings, const NewMethod& new_method) {
  if (settings.backend != GST_RDP_BACKEND_CUDA) return true;
  try {
    gpu->start(settings.cuda_device_id);
    if (!new_method) return true;
    const std::unique_ptr<Method> method = new_method();
    if (method == nullptr) return false;
    prepare_gpu(*gpu, *method, settings.cuda_device_id);
    gpu->drop_states();
    return true;
  } catch (const std::exception& error) {
    gpu->stop();
    GST_ELEMENT_ERROR(
        element, RESOURCE, NOT_FOUND, ("backend=cuda is not available: %s.", error.what()),
        ("cuda-device-id=%d; backend=auto and backend=cpu work without", settings.cuda_device_id));
    return false;
  }
}

}  // namespace rdp::gst
