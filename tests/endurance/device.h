// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_ENDURANCE_DEVICE_H_
#define RDP_TESTS_ENDURANCE_DEVICE_H_

#include <gst/gst.h>

#include <cstdint>
#include <memory>
#include <string>

#include "tests/endurance/content.h"

// All that the endurance runs do with a GPU. In builds without CUDA memory there is none.
namespace rdp::endurance {

inline constexpr char kCudaFeature[] = "memory:CUDAMemory";

// Whether frames can be in CUDA memory here; else *reason says why not.
bool device_usable(std::string* reason);

// A GstCudaContext of device 0, as a reference that is let go of with gst_object_unref().
GstObject* new_device_context();
// Gives an element or a pipeline this context, as applications do.
void share_context(GstElement* element, GstObject* context);

// A frame in CUDA memory, whose samples lie at the shape's offset in rows as long as the device
// wants them. Throws std::runtime_error.
GstBuffer* make_device_buffer(GstObject* context, const Content& content);

// A picture there without any content, and what brings there what was written into it on the host.
// Throw std::runtime_error.
GstBuffer* make_device_picture(GstObject* context, const GstVideoInfo& info);
void bring_to_device(GstBuffer* picture);

// The next who reads a frame on the host reads what is in the device's memory now, and no earlier
// copy of it. Does nothing for other memory.
void forget_host_copy(GstBuffer* buffer);

// Looks at the memory of device 0, in a context of its own. Throws std::runtime_error.
class DeviceProbe {
 public:
  DeviceProbe();
  ~DeviceProbe();
  DeviceProbe(const DeviceProbe&) = delete;
  DeviceProbe& operator=(const DeviceProbe&) = delete;

  // -1 where the driver does not say.
  std::int64_t used_bytes() const;
  // Contexts, streams, events, modules and allocations; -1 on a real driver, which does not say.
  int objects() const;
  std::string name() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace rdp::endurance

#endif  // RDP_TESTS_ENDURANCE_DEVICE_H_
