// SPDX-License-Identifier: LGPL-2.1-or-later
// depthplanes over a CUDA driver each of whose calls fails once, in turn, and without memory for
// C++: one error that names the cause, or none, no frame after it, and a fresh start works; labels
// that are lost say so; nothing of the driver's is left. All of it needs the stand-in driver. See
// fault_rig.h for RDPSEGMENT_FAULTS.
#include "tests/support/failing_new.h"

// After the standard library: check.h defines a macro named fail.
#include "tests/depthplanes/planes_faults.h"
#include "tests/support/cuda_frames.h"

using planes_faults::Film;
using planes_faults::kFrames;
using planes_faults::kShape;
using planes_faults::Rig;
using planes_faults::Setting;

namespace {

constexpr CUresult kAnswers[] = {CUDA_ERROR_OUT_OF_MEMORY, CUDA_ERROR_LAUNCH_FAILED,
                                 CUDA_ERROR_ILLEGAL_ADDRESS, CUDA_ERROR_NOT_READY};

const Setting kSettings[] = {{.name = "system memory", .backend = "cuda"},
                             {.name = "CUDA memory, pictures of nodes",
                              .backend = "cuda",
                              .overlay = true,
                              .style = "nodes",
                              .feature = GST_CAPS_FEATURE_MEMORY_CUDA_MEMORY},
                             {.name = "labels", .backend = "cuda", .output = "labels"}};

// Whether the planes say that their labels are lost, and have none.
bool is_lost(GstBuffer* buffer) {
  GstRdpPlanes* planes = gst_rdp_buffer_get_planes(buffer);
  g_autoptr(GError) error = nullptr;
  if (gst_rdp_planes_fetch_labels(planes, &error) != FALSE) return false;
  fail_unless(g_error_matches(error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_READ));
  gsize count = 0;
  gst_rdp_planes_peek_labels(planes, &count);
  return count == 0;
}

// Frames in CUDA memory are made anew for each stream, in a context that works.
void use_context(const Setting& setting, Film* film, cuda_frames::ContextRef* context) {
  if (setting.feature == nullptr) return;
  *context = cuda_frames::new_context();
  film->frame = [film, context](guint64 number) {
    std::string reason;
    GstBuffer* buffer = rdp::test::new_cuda_buffer(context->get(), film->drawn.content, &reason);
    fail_unless(buffer != nullptr, "%s", reason.c_str());
    GST_BUFFER_PTS(buffer) = number * GST_SECOND / 30;
    return buffer;
  };
}

}  // namespace

GST_START_TEST(test_every_call) {
  // What libgstcuda asks the driver only once, it does not survive a no to.
  cuda_frames::new_context();
  const int step = faults::factor() > 1 ? 1 : 23;
  for (const Setting& setting : kSettings) {
    unsigned errors = 0;
    unsigned calls = 0;
    unsigned lost = 0;
    Film film;
    cuda_frames::ContextRef context;
    const int before = standin::live("all");
    int first = 1;
    for (const CUresult answer : kAnswers) {
      int nth = first++;
      for (bool reached = true; reached; nth += step) {
        const std::string fault = std::string(setting.name) + ", call " + std::to_string(nth) +
                                  " answered " + std::to_string(answer);
        use_context(setting, &film, &context);
        // The test's own calls are not meant.
        std::vector<GstBuffer*> made;
        for (guint64 number = 0; number < kFrames; ++number) made.push_back(film.frame(number));
        const auto anew = std::exchange(
            film.frame, [&made](guint64 number) { return std::exchange(made[number], nullptr); });
        Rig rig(film, setting);
        rig.main.look = [&](GstBuffer* buffer, guint64 number) {
          const int left = standin::inject_any(0, 0);
          std::string complaint = film.complaint(buffer, number);
          if (!complaint.empty() && left == 0 && is_lost(buffer)) {
            complaint.clear();
            ++lost;
          }
          standin::inject_any(left, answer);
          return complaint;
        };
        standin::inject_any(nth, answer);
        const guint64 taken = rig.play();
        rig.stop();
        reached = standin::inject_any(0, 0) == 0;
        for (GstBuffer*& buffer : made) gst_clear_buffer(&buffer);
        rig.check(taken, fault);
        fail_unless(reached || taken == kFrames, "%s", fault.c_str());
        errors += taken == kFrames ? 0 : 1;
        calls += reached ? 1 : 0;
        film.frame = anew;
        use_context(setting, &film, &context);
        rig.check_fresh(fault);
      }
    }
    context.reset();
    const int left = standin::live("all") - standin::live("abandoned");
    fail_unless(left <= before, "%s: %d of the driver's objects are left", setting.name,
                left - before);
    std::printf("%s: %u calls failed, %u errors, %u times labels were lost\n", setting.name, calls,
                errors, lost);
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
  const int step = faults::factor() > 1 ? 1 : 7;
  for (const Setting& setting : kSettings) {
    Film film;
    cuda_frames::ContextRef context;
    use_context(setting, &film, &context);
    unsigned errors = 0;
    int nth = 1;
    for (bool reached = true; reached; nth += step) {
      Rig rig(film, setting);
      const std::string fault =
          std::string(setting.name) + ", operator new no. " + std::to_string(nth);
      failing_new::fail_at(nth);
      const guint64 taken = rig.play();
      rig.stop();
      reached = failing_new::reached();
      rig.check(taken, fault);
      errors += taken == kFrames ? 0 : 1;
      rig.check_fresh(fault);
    }
    std::printf("%s: %d calls of operator new, %u errors\n", setting.name, nth, errors);
    fail_unless(errors > 5, "only %u errors were seen", errors);
  }
}
GST_END_TEST

static Suite* depthplanes_faults_cuda_suite() {
  Suite* suite = suite_create("depthplanes_faults_cuda");
  TCase* tests = tcase_create("all");
  tcase_set_timeout(tests, 180);
  suite_add_tcase(suite, tests);
  if (!standin::available()) return suite;
  tcase_add_test(tests, test_every_call);
  tcase_add_test(tests, test_every_new);
  return suite;
}

RDP_CUDA_CHECK_MAIN(depthplanes_faults_cuda)
