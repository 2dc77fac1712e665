// SPDX-License-Identifier: LGPL-2.1-or-later
// rdpsegment without memory, threads or buffers: each call that requests one fails once, in turn.
// Either the failure has no effect, or there is one error and the element restarts. See fault_rig.h
// for RDPSEGMENT_FAULTS.
#include <dlfcn.h>
#include <pthread.h>

#include <atomic>
#include <cerrno>

#include "tests/support/check_test.h"
#include "tests/support/failing_new.h"
#include "tests/support/fault_rig.h"

using namespace faults;
using frames::Shape;

namespace {

// The C++ library's thread creations fail from the nth on; 0: none fails.
std::atomic<int> threads_fail_from{0};

using CreateThread = int(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);

}  // namespace

// Replaces the C library's function.
extern "C" __attribute__((visibility("default"))) int pthread_create(
    pthread_t* thread, const pthread_attr_t* attributes, void* (*body)(void*), void* argument) {
  static auto* const real = reinterpret_cast<CreateThread*>(dlsym(RTLD_NEXT, "pthread_create"));
  if (threads_fail_from.load() == 1) return EAGAIN;
  if (threads_fail_from.load() > 1) threads_fail_from--;
  return real(thread, attributes, body, argument);
}

namespace {

constexpr guint64 kFrames = 3;

// A stream that uses many features, and its settings.
struct Setting {
  const char* name;
  rdp::Parameters parameters;
  guint threads = 1;
  bool overlay = false;
  int output = 0;
};

std::vector<Setting> settings() {
  std::vector<Setting> all;
  all.push_back({"plain", {}});
  Setting one{"filters, two threads, pictures, reconstruct", {}, 2, true, 1};
  one.parameters.domain = rdp::Domain::kInverse;
  one.parameters.median = rdp::Median::k5x5;
  one.parameters.column_width = 3;
  all.push_back(one);
  one = {"merge, pictures", {}, 1, true, 0};
  one.parameters.merge = true;
  all.push_back(one);
  return all;
}

void apply(GstElement* element, const Setting& setting) {
  const rdp::Parameters& parameters = setting.parameters;
  gst_util_set_object_arg(G_OBJECT(element), "backend", "cpu");
  g_object_set(element, "threads", setting.threads, "output", setting.output, "median",
               static_cast<int>(parameters.median), "domain", static_cast<int>(parameters.domain),
               "column-width", static_cast<guint>(parameters.column_width), "merge",
               parameters.merge ? TRUE : FALSE, nullptr);
}

// Plays a whole stream: states, caps, frames, other caps, more threads, queries. False at the first
// refusal, where a source would stop. *frames: number of accepted frames.
bool play(Rig& rig, const Film& film, const Film& other, const Setting& setting, guint64* frames) {
  *frames = 0;
  if (!rig.start() || !rig.begin(film)) return false;
  const auto push = [&](const Film& from) {
    for (guint64 i = 0; i < kFrames; ++i) {
      if (rig.push(from.frame(*frames)) != GST_FLOW_OK) return false;
      ++*frames;
    }
    return true;
  };
  if (!push(film)) return false;
  g_object_set(rig.element, "threads", setting.threads + 1, nullptr);
  if (!push(film)) return false;
  if (!rig.set_caps(frames::caps(other.shape())) || !push(other)) return false;
  {
    const faults::AtWork now(true);
    GstStructure* stats = nullptr;
    g_object_get(rig.element, "stats", &stats, nullptr);
    gst_structure_free(stats);
    GstCaps* caps = gst_pad_peer_query_caps(rig.source, nullptr);
    gst_caps_unref(caps);
    caps = gst_pad_get_current_caps(rig.source);
    g_autoptr(GstQuery) query = gst_query_new_allocation(caps, TRUE);
    gst_pad_peer_query(rig.source, query);
    gst_caps_unref(caps);
  }
  return rig.event(gst_event_new_eos());
}

// Frames of two films, one after the other.
void expect(Rig& rig, const Film& film, const Film& other) {
  rig.main.look = [&](GstBuffer* buffer, guint64 nth) {
    return (nth < 2 * kFrames ? film : other).complaint(buffer, nth);
  };
}

// Invariant of every fault: the output is correct, and complete unless an error was posted.
void check_outcome(Rig& rig, bool well, guint64 taken, const std::string& fault) {
  const Said said = faults::listen(rig.bus);
  fail_unless(rig.main.complaint().empty(), "%s: %s", fault.c_str(), rig.main.complaint().c_str());
  fail_unless_equals_uint64(rig.main.count(), taken);
  if (well) {
    fail_unless(said.errors.empty(), "%s: the stream went on, but %s", fault.c_str(),
                said.text().c_str());
    fail_unless_equals_uint64(taken, 3 * kFrames);
    fail_unless_equals_uint64(rig.main.ends(), 1);
  } else {
    GST_INFO("%s: %s", fault.c_str(), said.text().c_str());
    fail_unless(said.errors.size() == 1, "%s: not one error, but %s", fault.c_str(),
                said.text().c_str());
  }
}

}  // namespace

// Operator new fails once: at the first call, at the second, …
CHECK_TEST(test_every_new) {
  unsigned errors = 0;
  failing_new::not_counted = [] { return faults::is_at_work() ? 0 : 1; };
  for (const Setting& setting : settings()) {
    const Film film({GST_VIDEO_FORMAT_GRAY16_LE, 24, 16}, setting.parameters);
    const Film other({GST_VIDEO_FORMAT_GRAY8, 65, 33}, setting.parameters);
    int nth = 0;
    for (bool reached = true; reached;) {
      Rig rig("rdpsegment", setting.overlay);
      apply(rig.element, setting);
      expect(rig, film, other);
      const std::string fault =
          std::string(setting.name) + ", operator new no. " + std::to_string(++nth);
      GST_INFO("%s", fault.c_str());
      guint64 taken = 0;
      failing_new::fail_at(nth);
      const bool well = play(rig, film, other, setting, &taken);
      rig.stop();
      reached = failing_new::reached();
      check_outcome(rig, well, taken, fault);
      fail_unless(reached || well);
      errors += well ? 0 : 1;
      g_object_set(rig.element, "threads", setting.threads, nullptr);
      rig.check_fresh_start(film, fault);
    }
    fail_unless(nth > 20, "only %d calls of operator new were seen", nth);
  }
  fail_unless(errors > 50, "only %u errors were seen", errors);
}

// The system creates no thread from the nth on, at the element's start and when `threads` is
// raised. The element works with the threads it has, and warns once each time.
CHECK_TEST(test_no_more_threads) {
  const Film film({GST_VIDEO_FORMAT_GRAY16_LE, 320, 240});
  for (int nth = 1; nth <= 8; ++nth) {
    Rig rig;
    g_object_set(rig.element, "threads", 4U, nullptr);
    rig.expect(film);
    threads_fail_from = nth;
    fail_unless(rig.start() && rig.begin(film));
    const std::size_t at_start = faults::listen(rig.bus).warnings.size();
    fail_unless_equals_int(at_start, nth <= 3 ? 1 : 0);
    guint64 number = 0;
    for (const guint threads : {4U, 8U}) {
      g_object_set(rig.element, "threads", threads, nullptr);
      for (int i = 0; i < 2; ++i) {
        fail_unless_equals_int(rig.push(film.frame(number++)), GST_FLOW_OK);
      }
      const Said said = faults::listen(rig.bus);
      fail_unless(said.errors.empty(), "%s", said.text().c_str());
      fail_unless_equals_int(said.warnings.size(), threads == 8 && nth <= 7 ? 1 : 0);
    }
    threads_fail_from = 0;
    fail_unless(rig.main.complaint().empty(), "%s", rig.main.complaint().c_str());
    fail_unless_equals_uint64(rig.main.count(), number);
    rig.check_fresh_start(film, "no more threads");
  }
}

CHECK_CASE(rdpsegment_faults_memory)
