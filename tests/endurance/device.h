// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_ENDURANCE_DEVICE_H_
#define RDP_TESTS_ENDURANCE_DEVICE_H_

#include <gst/gst.h>

#include <cstdint>
#include <memory>
#include <string>

#include "tests/endurance/content.h"

// The GPU functions of the endurance runs. Builds without CUDA memory have no usable device.
namespace rdp::endurance {

inline constexpr char kCudaFeature[] = "memory:CUDAMemory";

// True if frames can be in CUDA memory here; else *reason says why not.
bool device_usable(std::string* reason);

// A GstCudaContext of device 0 (transfer full).
GstObject* new_device_context();
// Gives an element or a pipeline this context, as applications do.
void share_context(GstElement* element, GstObject* context);

// A frame in CUDA memory. Its samples begin at the shape's offset; the device chooses the stride.
// Throws std::runtime_error.
GstBuffer* make_device_buffer(GstObject* context, const Content& content);

// An uninitialised picture in CUDA memory, and the copy of its host contents to the device. Both
// throw std::runtime_error.
GstBuffer* make_device_picture(GstObject* context, const GstVideoInfo& info);
void bring_to_device(GstBuffer* picture);

// Invalidates the host copy: the next read on the host fetches the device's memory again. Does
// nothing for other memory.
void forget_host_copy(GstBuffer* buffer);

// Measures the memory of device 0 in its own context. Throws std::runtime_error.
class DeviceProbe {
 public:
  DeviceProbe();
  ~DeviceProbe();
  DeviceProbe(const DeviceProbe&) = delete;
  DeviceProbe& operator=(const DeviceProbe&) = delete;

  // -1 if the driver does not report it.
  std::int64_t used_bytes() const;
  // Contexts, streams, events, modules and allocations; -1 on a real driver, which has no such
  // count.
  int objects() const;
  std::string name() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace rdp::endurance

#endif  // RDP_TESTS_ENDURANCE_DEVICE_H_
