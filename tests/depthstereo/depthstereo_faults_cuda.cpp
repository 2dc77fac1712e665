// SPDX-License-Identifier: LGPL-2.1-or-later
// depthstereo over a CUDA driver each of whose calls fails once, in turn, and without memory for
// C++: one error that names the cause, or none, no pair after it, and a fresh start works; nothing
// of the driver's is left. All of it needs the stand-in driver. See fault_rig.h for
// RDPSEGMENT_FAULTS.
#include "tests/support/failing_new.h"

// After the standard library: check.h defines a macro named fail.
#include "tests/depthstereo/stereo_faults.h"
#include "tests/support/cuda_frames.h"

using stereo_faults::kPairs;
using stereo_faults::Rig;
using stereo_faults::Setting;

namespace {

constexpr CUresult kAnswers[] = {CUDA_ERROR_OUT_OF_MEMORY, CUDA_ERROR_LAUNCH_FAILED,
                                 CUDA_ERROR_ILLEGAL_ADDRESS, CUDA_ERROR_NOT_READY};

cuda_frames::ContextRef stream_context;

GstBuffer* device_view(const stereo_rig::Picture& picture) {
  frames::Content content(stereo_faults::kShape);
  std::memcpy(content.samples.data(), picture.samples.data(), picture.samples.size());
  std::string reason;
  GstBuffer* buffer = rdp::test::new_cuda_buffer(stream_context.get(), content, &reason);
  fail_unless(buffer != nullptr, "%s", reason.c_str());
  return buffer;
}

std::vector<Setting> settings() {
  Setting host = stereo_faults::plain_setting();
  host.name = "system memory";
  host.properties = "disparities=16 threads=1 backend=cuda";
  Setting device = host;
  device.name = "CUDA memory, side pads";
  device.side_pads = true;
  device.feature = GST_CAPS_FEATURE_MEMORY_CUDA_MEMORY;
  device.new_stream = [] { stream_context = cuda_frames::new_context(); };
  device.new_buffer = device_view;
  return {host, device};
}

bool loses_context(CUresult answer) {
  return answer == CUDA_ERROR_LAUNCH_FAILED || answer == CUDA_ERROR_ILLEGAL_ADDRESS;
}

}  // namespace

GST_START_TEST(test_every_call) {
  // What libgstcuda asks the driver only once, it does not survive a no to.
  cuda_frames::new_context();
  const int step = faults::factor() > 1 ? 1 : 3;
  for (const Setting& setting : settings()) {
    unsigned errors = 0;
    unsigned calls = 0;
    const int before = standin::live("all");
    int first = 1;
    for (const CUresult answer : kAnswers) {
      int nth = first++;
      for (bool reached = true; reached; nth += step) {
        const std::string fault =
            setting.name + ", call " + std::to_string(nth) + " answered " + std::to_string(answer);
        Rig rig(setting);
        rig.fault = fault;
        int left = 0;
        rig.before_fault = [&] { standin::inject_any(nth, answer); };
        rig.pause = [&] {
          left = standin::inject_any(0, 0);
          // What is on a device whose context has been lost since cannot be looked at any more.
          return left != 0 || !loses_context(answer) || setting.feature.empty();
        };
        rig.resume = [&] { standin::inject_any(std::exchange(left, 0), answer); };
        const guint64 came = rig.play();
        reached = standin::inject_any(0, 0) == 0;
        rig.pause = [] { return true; };
        rig.resume = [] {};
        rig.check(came, fault);
        fail_unless(reached || came == kPairs);
        errors += came == kPairs ? 0 : 1;
        calls += reached ? 1 : 0;
        rig.check_fresh_start(fault);
      }
    }
    stream_context.reset();
    const int left = standin::live("all") - standin::live("abandoned");
    fail_unless(left <= before, "%s: %d of the driver's objects are left", setting.name.c_str(),
                left - before);
    std::printf("%s: %u calls failed, %u errors\n", setting.name.c_str(), calls, errors);
    fail_unless(errors > 20, "only %u errors were seen", errors);
  }
}
GST_END_TEST

GST_START_TEST(test_every_new) {
  cuda_frames::new_context();
  failing_new::not_counted = [] {
    static auto* const inside = standin::inside();
    return faults::is_at_work() && (inside == nullptr || inside() == 0) ? 0 : 1;
  };
  for (const Setting& setting : settings()) {
    unsigned errors = 0;
    int nth = 0;
    for (bool reached = true; reached;) {
      Rig rig(setting);
      const std::string fault = setting.name + ", operator new no. " + std::to_string(++nth);
      rig.before_fault = [&] { failing_new::fail_at(nth); };
      const guint64 came = rig.play();
      reached = failing_new::reached();
      rig.check(came, fault);
      errors += came == kPairs ? 0 : 1;
      rig.check_fresh_start(fault);
    }
    std::printf("%s: %d calls of operator new failed, %u errors\n", setting.name.c_str(), nth - 1,
                errors);
    fail_unless(errors > 10, "only %u errors were seen", errors);
  }
}
GST_END_TEST

static Suite* depthstereo_faults_cuda_suite() {
  Suite* suite = suite_create("depthstereo_faults_cuda");
  TCase* tcase = tcase_create("general");
  suite_add_tcase(suite, tcase);
  if (!standin::available()) return suite;
  tcase_add_test(tcase, test_every_call);
  tcase_add_test(tcase, test_every_new);
  return suite;
}

RDP_CUDA_CHECK_MAIN(depthstereo_faults_cuda)
