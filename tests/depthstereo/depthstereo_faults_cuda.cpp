// SPDX-License-Identifier: LGPL-2.1-or-later
// depthstereo over a CUDA driver each of whose calls fails once, in turn: one error, or with
// backend=auto none; and every pair that comes out has the reference's bits, on all pads. All of it
// needs the stand-in driver. See fault_rig.h for RDPSEGMENT_FAULTS.
#include "kernels/runtime/driver.h"
#include "tests/depthstereo/stereo_rig.h"
#include "tests/standin/standin.h"
#include "tests/support/cuda_frames.h"
#include "tests/support/fault_rig.h"

using rdp::stereo::Parameters;
using stereo_rig::buffer;
using stereo_rig::caps;
using stereo_rig::draw;
using stereo_rig::Expected;
using stereo_rig::match;
using stereo_rig::Picture;
using stereo_rig::samples;
using stereo_rig::Views;

namespace {

constexpr int kWidth = 40;
constexpr int kHeight = 20;

Parameters small_range() {
  Parameters parameters;
  parameters.disparities = 16;
  return parameters;
}

std::string cuda_caps() {
  return caps("GRAY8", kWidth, kHeight)
      .insert(std::string("video/x-raw").size(), "(memory:CUDAMemory)");
}

GstBuffer* cuda_buffer(GstCudaContext* context, const Picture& picture, GstClockTime pts) {
  frames::Content content({GST_VIDEO_FORMAT_GRAY8, picture.width, picture.height});
  std::memcpy(content.samples.data(), picture.samples.data(), picture.samples.size());
  std::string reason;
  GstBuffer* result = rdp::test::new_cuda_buffer(context, content, &reason);
  fail_unless(result != nullptr, "%s", reason.c_str());
  GST_BUFFER_PTS(result) = pts;
  return result;
}

struct Setting {
  const char* name;
  const char* backend;
  bool cuda_in;
  const char* src;    // what follows src takes
  const char* sides;  // what follows rectified and confidence takes
  unsigned pairs;
  bool lost;  // a failure that a context does not survive
};

// What comes of a whole run in which a call fails. `left`: the calls that it did not come to.
struct Outcome {
  std::string error;
  std::size_t warnings = 0;
  int left = 0;
};

// 0: no call fails.
Outcome run(const Setting& setting, const Views& views, const Expected& expected, int nth) {
  rdp::test::PipelineRig rig(
      std::string(
          "appsrc name=left format=time ! d.left appsrc name=right format=time ! d.right ") +
      "depthstereo name=d disparities=16 backend=" + setting.backend + " ! " + setting.src +
      ",format=GRAY16_LE ! fakesink name=out async=false sync=false d.rectified ! " +
      setting.sides + ",format=GRAY8 ! fakesink name=view async=false sync=false d.confidence ! " +
      setting.sides + ",format=GRAY8 ! fakesink name=sure async=false sync=false");
  rdp::test::Received out(rig.get("out"));
  rdp::test::Received view(rig.get("view"));
  rdp::test::Received sure(rig.get("sure"));
  {
    const cuda_frames::ContextRef context =
        setting.cuda_in ? cuda_frames::new_context() : cuda_frames::ContextRef();
    for (const bool left : {true, false}) {
      const char* pad = left ? "left" : "right";
      const Picture& picture = left ? views.left : views.right;
      rig.set_caps(pad, setting.cuda_in ? cuda_caps() : caps("GRAY8", kWidth, kHeight));
      for (unsigned i = 0; i < setting.pairs; ++i) {
        const GstClockTime pts = i * GST_SECOND / 30;
        rig.push(pad,
                 setting.cuda_in ? cuda_buffer(context.get(), picture, pts) : buffer(picture, pts));
      }
    }
  }
  rig.end({"left", "right"});
  standin::inject_any(nth, setting.lost ? CUDA_ERROR_ILLEGAL_ADDRESS : CUDA_ERROR_OUT_OF_MEMORY);
  Outcome outcome;
  gst_element_set_state(rig.pipeline(), GST_STATE_PLAYING);
  outcome.error = rig.wait();
  outcome.left = standin::inject_any(0, 0);
  outcome.warnings = rig.warnings.size();
  gst_element_set_state(rig.pipeline(), GST_STATE_NULL);
  const std::string what = std::string(setting.name) + ", call " + std::to_string(nth);
  if (outcome.error.empty()) {
    for (const auto* of : {&out, &view, &sure}) {
      fail_unless(of->buffers.size() == setting.pairs, "%s: %zu pairs", what.c_str(),
                  of->buffers.size());
    }
  }
  // What lies in a context that is lost cannot be looked at any more.
  const auto readable = [&](GstBuffer* of) {
    return nth == 0 || !setting.lost || !rdp::gst::is_cuda_buffer(of);
  };
  for (GstBuffer* got : out.buffers) {
    if (!readable(got)) continue;
    stereo_rig::check_same(samples<std::uint16_t>(got, kWidth, kHeight), expected.disparity, kWidth,
                           what);
  }
  for (GstBuffer* got : view.buffers) {
    if (!readable(got)) continue;
    stereo_rig::check_same(samples<std::uint8_t>(got, kWidth, kHeight), views.left.samples, kWidth,
                           what + " rectified");
  }
  for (GstBuffer* got : sure.buffers) {
    if (!readable(got)) continue;
    stereo_rig::check_same(samples<std::uint8_t>(got, kWidth, kHeight), expected.confidence, kWidth,
                           what + " confidence");
  }
  return outcome;
}

struct Tally {
  int calls = 0;
  int errors = 0;
  int warned = 0;
};

Tally check_calls(const Setting& setting) {
  const Views views = draw(kWidth, kHeight, small_range());
  const Expected expected = match(views, small_range());
  const Outcome good = run(setting, views, expected, 0);
  fail_unless(good.error.empty(), "%s: %s", setting.name, good.error.c_str());
  const auto live = [] { return standin::live("all") - standin::live("abandoned"); };
  const int before = live();
  // Another part of them for each kind of failure; all of them where each frame is allocated on the
  // GPU.
  const int step = faults::factor() > 1 || (setting.cuda_in && !setting.lost) ? 1 : 6;
  Tally tally;
  for (int nth = setting.lost ? 1 + step / 2 : 1;; nth += step) {
    const Outcome outcome = run(setting, views, expected, nth);
    if (outcome.left > 0) break;
    ++tally.calls;
    if (!outcome.error.empty()) ++tally.errors;
    if (outcome.warnings > 0) ++tally.warned;
  }
  // What could not be freed because its context could not be made current went with the context.
  fail_unless(live() <= before, "%s: %d of the driver's objects are left", setting.name,
              live() - before);
  return tally;
}

}  // namespace

GST_START_TEST(test_system_memory) {
  for (const bool lost : {false, true}) {
    const Tally tally =
        check_calls({"system memory", "cuda", false, "video/x-raw", "video/x-raw", 2, lost});
    fail_unless(tally.errors > 20);
  }
}
GST_END_TEST

GST_START_TEST(test_cuda_memory) {
  for (const bool lost : {false, true}) {
    const Tally tally = check_calls({"CUDA memory", "auto", true, "video/x-raw(memory:CUDAMemory)",
                                     "video/x-raw(memory:CUDAMemory)", 2, lost});
    fail_unless(tally.errors > 20);
  }
}
GST_END_TEST

// The CPU takes over: no error, also where the side pads had pictures in CUDA memory already.
GST_START_TEST(test_trial) {
  for (const bool lost : {false, true}) {
    for (const char* sides :
         {"video/x-raw", "video/x-raw(memory:CUDAMemory),format=GRAY8;video/x-raw"}) {
      const Tally tally = check_calls({sides, "auto", false, "video/x-raw", sides, 8, lost});
      fail_unless_equals_int(tally.errors, 0);
      fail_unless(tally.warned > 5);
    }
  }
}
GST_END_TEST

static Suite* depthstereo_faults_cuda_suite() {
  Suite* suite = suite_create("depthstereo_faults_cuda");
  TCase* tests = tcase_create("depthstereo_faults_cuda");
  suite_add_tcase(suite, tests);
  if (!standin::available()) return suite;
  tcase_add_test(tests, test_system_memory);
  tcase_add_test(tests, test_cuda_memory);
  tcase_add_test(tests, test_trial);
  return suite;
}

RDP_CUDA_CHECK_MAIN(depthstereo_faults_cuda)
