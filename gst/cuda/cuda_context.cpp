// SPDX-License-Identifier: LGPL-2.1-or-later
#include <dlfcn.h>

#include "common/boundary.h"
#include "gst/cuda/cuda_context.h"
#include "kernels/runtime/context.h"
#include "kernels/runtime/cuda_error.h"
#include "kernels/runtime/device_memory.h"
#include "kernels/runtime/driver.h"

namespace rdp::gst {
namespace {

struct Usable {
  bool yes = false;
  std::string reason;
};

// Since 1.24 some functions of 1.22 have other arguments, in a library of the same name: a program
// built for one crashes with the other. Only the library's exports distinguish them reliably,
// because GStreamer's own version may differ.
bool interface_matches(std::string* reason) {
#ifdef RDP_GST_CUDA_STREAMS
  constexpr bool kBuiltForStreams = true;
#else
  constexpr bool kBuiltForStreams = false;
#endif
  void* library = dlopen("libgstcuda-1.0.so.0", RTLD_LAZY | RTLD_NOLOAD);
  if (library == nullptr) {
    *reason = "libgstcuda-1.0.so.0 is not loaded";
    return false;
  }
  const bool has_streams = dlsym(library, "gst_cuda_stream_new") != nullptr;
  dlclose(library);
  if (has_streams == kBuiltForStreams) return true;
  *reason = format_text(
      "this plugin was built for the libgstcuda of GStreamer %s, and this system has that of %s; "
      "their binary interfaces differ: build the plugin on this system",
      kBuiltForStreams ? "1.24 or newer" : "1.22", has_streams ? "1.24 or newer" : "1.22");
  return false;
}

Usable find_out() {
  Usable result;
  if (!interface_matches(&result.reason)) return result;
  // Our own loader first: it reports the fault, while libgstcuda's would end the process later.
  if (cuda::load_driver(&result.reason) == nullptr) return result;
  if (cuda::device_count() == 0) {
    result.reason = "the NVIDIA driver finds no CUDA device";
    return result;
  }
  if (!gst_cuda_load_library()) {
    result.reason =
        "libgstcuda does not find all it needs in libcuda.so.1 (GST_DEBUG=cudaloader:4 says what)";
    return result;
  }
  gst_cuda_memory_init_once();
  result.yes = true;
  return result;
}

// True if the context can start work. False: *lost is true if it never can again.
bool context_works(GstCudaContext* context, bool* lost, std::string* reason) noexcept {
  try {
    const cuda::ContextScope scope(cuda_handle(context));
    const cuda::Stream probe;
    probe.synchronize();
    return true;
  } catch (const cuda::CudaError& error) {
    *lost = error.result() != CUDA_ERROR_OUT_OF_MEMORY;
    give_reason(reason, error.what());
  } catch (const std::exception& error) {  // no memory, also to say what CUDA's error was
    *lost = false;
    give_reason(reason, error.what());
  }
  return false;
}

void explain_no_context(gint device_id, std::string* reason) noexcept {
  const int devices = cuda::device_count();
  g_autofree gchar* text =
      device_id >= devices
          ? g_strdup_printf("there is no CUDA device %d: the driver has %d, counted from 0",
                            device_id, devices)
          : g_strdup_printf(
                "no CUDA context can be made on device %d (GST_DEBUG=cudacontext:4 says why)",
                MAX(device_id, 0));
  give_reason(reason, text);
}

}  // namespace

bool cuda_memory_usable(std::string* reason) noexcept {
  return contain(
      [&] {
        static const Usable usable = find_out();
        if (!usable.yes) give_reason(reason, usable.reason.c_str());
        return usable.yes;
      },
      [&](const char* failure) {  // the next call tries again
        give_reason(reason, failure);
        return false;
      });
}

std::shared_ptr<void> cuda_context_keeper(GstCudaContext* context) {
  return {gst_object_ref(context), gst_object_unref};
}

bool cuda_ensure_context(GstElement* element, gint device_id, GstCudaContext** context,
                         std::string* reason) noexcept {
  if (!gst_cuda_ensure_element_context(element, device_id, context)) {
    explain_no_context(device_id, reason);
    return false;
  }
  bool lost = false;
  if (context_works(*context, &lost, reason)) return true;
  if (!lost) return false;

  // Bins keep the lost context and would hand it out again: the message replaces it there.
  GST_WARNING_OBJECT(element, "the CUDA context of this pipeline is lost (%s), making a new one",
                     reason->c_str());
  guint device = 0;
  g_object_get(*context, "cuda-device-id", &device, nullptr);
  gst_clear_object(context);
  GstCudaContext* fresh = gst_cuda_context_new(device);
  if (fresh == nullptr || !context_works(fresh, &lost, reason)) {
    if (fresh == nullptr) explain_no_context(static_cast<gint>(device), reason);
    gst_clear_object(&fresh);
    return false;
  }
  *context = fresh;
  GstContext* shared = gst_context_new_cuda_context(fresh);
  gst_element_set_context(element, shared);
  gst_element_post_message(element, gst_message_new_have_context(GST_OBJECT(element), shared));
  return true;
}

}  // namespace rdp::gst
