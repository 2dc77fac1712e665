// SPDX-License-Identifier: LGPL-2.1-or-later
// The same as rdpsegment_faults_cuda.cpp for frames in NVMM memory, in the device's primary
// context.
#include "tests/support/check_test.h"
#include "tests/support/fault_calls.h"
#include "tests/support/nvmm_cuda_frames.h"

using fault_calls::Setting;
using faults::Film;
using frames::Shape;
using nvmm_cuda_frames::Device;

namespace {

const Shape kShape{GST_VIDEO_FORMAT_GRAY16_LE, 24, 16};
constexpr unsigned kFrames = 3;

Setting in_nvmm_memory(const char* name, int type) {
  Setting setting;
  setting.name = std::string("NVMM memory, ") + name;
  setting.caps = nvmm_frames::caps_string(kShape);
  setting.hold_memory = true;
  setting.frames = [type] {
    const auto device = std::make_shared<Device>();
    std::vector<GstBuffer*> all;
    for (unsigned number = 0; number < kFrames; ++number) {
      GstBuffer* buffer =
          nvmm_frames::make(kShape, nvmm_cuda_frames::batch_in(device, type), Film::scene(number));
      GST_BUFFER_PTS(buffer) = number * GST_SECOND / 30;
      GST_BUFFER_OFFSET(buffer) = number;
      all.push_back(buffer);
    }
    return all;
  };
  return setting;
}

}  // namespace

CHECK_TEST(test_device_memory, standin::available()) {
  Setting setting = in_nvmm_memory("of the device, merge, pictures", nvmm_frames::kDevice);
  setting.backend = "auto";
  setting.parameters.merge = true;
  setting.overlay_caps = "video/x-raw";
  fail_unless(fault_calls::check_calls(setting, 2).errors > 20);
}

CHECK_TEST(test_page_locked_memory, standin::available()) {
  Setting setting = in_nvmm_memory("page-locked, filters, reconstruct", nvmm_frames::kPinned);
  setting.parameters.domain = rdp::Domain::kInverse;
  setting.parameters.median = rdp::Median::k3x3;
  setting.reconstruct = true;
  fail_unless(fault_calls::check_calls(setting, 2).errors > 20);
}

CHECK_CASE(rdpsegment_faults_nvmm, .missing = nvmm_cuda_frames::missing)
