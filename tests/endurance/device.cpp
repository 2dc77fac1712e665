// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/endurance/device.h"

#include <stdexcept>

#ifdef RDP_HAVE_GST_CUDA
#include "gst/cuda/cuda_context.h"
#include "gst/memory/cuda_memory.h"
#include "kernels/runtime/context.h"
#include "kernels/runtime/cuda_error.h"
#include "kernels/runtime/driver.h"
#include "tests/standin/standin.h"
#include "tests/support/cuda_rows.h"
#endif

namespace rdp::endurance {

#ifdef RDP_HAVE_GST_CUDA
bool device_usable(std::string* reason) { return gst::cuda_memory_usable(reason); }

GstObject* new_device_context() {
  GstCudaContext* context = gst_cuda_context_new(0);
  if (context == nullptr) throw std::runtime_error("no CUDA context can be made on device 0");
  return GST_OBJECT(context);
}

void share_context(GstElement* element, GstObject* context) {
  GstContext* shared = gst_context_new_cuda_context(GST_CUDA_CONTEXT(context));
  gst_element_set_context(element, shared);
  gst_context_unref(shared);
}

GstBuffer* make_device_buffer(GstObject* context, const Content& content) {
  std::string reason;
  GstBuffer* buffer = test::new_cuda_buffer(GST_CUDA_CONTEXT(context), content, &reason);
  if (buffer == nullptr) throw std::runtime_error(reason);
  return buffer;
}

GstBuffer* make_device_picture(GstObject* context, const GstVideoInfo& info) {
  GstBuffer* buffer = test::new_cuda_picture(GST_CUDA_CONTEXT(context), info);
  if (buffer == nullptr) throw std::runtime_error("no GPU memory for a picture");
  return buffer;
}

void bring_to_device(GstBuffer* picture) {
  if (test::bring_to_device(picture)) return;
  throw std::runtime_error("a picture cannot be copied to the device");
}

void forget_host_copy(GstBuffer* buffer) {
  GstMemory* memory = gst_buffer_peek_memory(buffer, 0);
  if (!gst_is_cuda_memory(memory)) return;
  GST_MINI_OBJECT_FLAG_SET(memory, GST_CUDA_MEMORY_TRANSFER_NEED_DOWNLOAD);
}

// A context, and the driver function that the product does not need.
struct DeviceProbe::Impl {
  using GetInfo = CUresult(std::size_t*, std::size_t*);

  GstCudaContext* context = nullptr;
  GetInfo* get_info = nullptr;
};

DeviceProbe::DeviceProbe() : impl_(std::make_unique<Impl>()) {
  impl_->context = GST_CUDA_CONTEXT(new_device_context());
  impl_->get_info = standin::find<Impl::GetInfo>("cuMemGetInfo_v2");
}

DeviceProbe::~DeviceProbe() { gst_object_unref(impl_->context); }

std::int64_t DeviceProbe::used_bytes() const {
  std::size_t free = 0;
  std::size_t total = 0;
  const cuda::ContextScope scope(gst::cuda_handle(impl_->context));
  if (impl_->get_info == nullptr || impl_->get_info(&free, &total) != CUDA_SUCCESS) return -1;
  return static_cast<std::int64_t>(total - free);
}

int DeviceProbe::objects() const { return standin::available() ? standin::live("all") : -1; }

std::string DeviceProbe::name() const {
  char name[256] = "";
  CUdevice device = 0;
  cuda::driver().cuDeviceGet(&device, 0);
  cuda::driver().cuDeviceGetName(name, sizeof(name), device);
  return name;
}
#else
bool device_usable(std::string* reason) {
  *reason = "built without memory:CUDAMemory";
  return false;
}
GstObject* new_device_context() { throw std::runtime_error("built without memory:CUDAMemory"); }
void share_context(GstElement*, GstObject*) {}
GstBuffer* make_device_buffer(GstObject*, const Content&) {
  throw std::runtime_error("built without memory:CUDAMemory");
}
GstBuffer* make_device_picture(GstObject*, const GstVideoInfo&) {
  throw std::runtime_error("built without memory:CUDAMemory");
}
void bring_to_device(GstBuffer*) {}
void forget_host_copy(GstBuffer*) {}
struct DeviceProbe::Impl {};
DeviceProbe::DeviceProbe() { throw std::runtime_error("built without memory:CUDAMemory"); }
DeviceProbe::~DeviceProbe() = default;
std::int64_t DeviceProbe::used_bytes() const { return -1; }
int DeviceProbe::objects() const { return -1; }
std::string DeviceProbe::name() const { return {}; }
#endif

}  // namespace rdp::endurance
