// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_RUNTIME_DEVICE_VIEW_H_
#define RDP_KERNELS_RUNTIME_DEVICE_VIEW_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "common/image/depth_view.h"

namespace rdp::cuda {

// CUdeviceptr, for code that is built without CUDA's headers, too.
using DevicePointer = unsigned long long;

// A frame of samples in device memory (or in memory that the device can reach: pinned, unified)
// that somebody else owns. Sample (row, column) is at data + row * pitch + column * bytes; pitch is
// in bytes. 16-bit samples are 2-byte aligned; kernels are fastest where data and pitch are
// multiples of 16.
struct DeviceDepthView {
  DevicePointer data = 0;
  std::int64_t pitch = 0;
  int width = 0;
  int height = 0;
  SampleType type = SampleType::kU16;

  // The first row, as kernels take it.
  unsigned char* bytes() const { return reinterpret_cast<unsigned char*>(data); }
};

// One frame, or several of one size and sample type for one launch, at most kMaxFrames of
// kernels/primitives/frame_list.h. Does not own them.
class DeviceFrames {
 public:
  DeviceFrames(const DeviceDepthView& frame) : frames_(&frame, 1) {}
  DeviceFrames(std::span<const DeviceDepthView> frames) : frames_(frames) {}

  int count() const { return static_cast<int>(frames_.size()); }
  int width() const { return frames_.front().width; }
  int height() const { return frames_.front().height; }
  SampleType type() const { return frames_.front().type; }
  const DeviceDepthView& operator[](int i) const { return frames_[static_cast<std::size_t>(i)]; }

 private:
  std::span<const DeviceDepthView> frames_;
};

// Eight-bit R, G, B, A in this order in device memory; data and pitch are multiples of 4.
struct DeviceRgbaView {
  DevicePointer data = 0;
  std::int64_t pitch = 0;
  int width = 0;
  int height = 0;

  unsigned char* bytes() const { return reinterpret_cast<unsigned char*>(data); }
};

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_RUNTIME_DEVICE_VIEW_H_
