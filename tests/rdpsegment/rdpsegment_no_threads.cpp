// SPDX-License-Identifier: LGPL-2.1-or-later
// rdpsegment where the system creates no more threads.
#include <dlfcn.h>
#include <pthread.h>

#include <atomic>
#include <cerrno>

#include "tests/support/check_test.h"
#include "tests/support/fault_rig.h"

using namespace faults;

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

CHECK_CASE(rdpsegment_no_threads)
