// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_BASE_WORKER_THREADS_H_
#define RDP_GST_ELEMENTS_BASE_WORKER_THREADS_H_

#include <gst/gst.h>

#include <system_error>

namespace rdp::gst {

// Warns that the system provided fewer threads than the user wants. The element goes on with those.
inline void warn_of_threads(GstElement* element, guint wanted, unsigned given,
                            const std::system_error& error) {
  GST_ELEMENT_WARNING(element, RESOURCE, FAILED,
                      ("There are fewer threads than wanted; the work takes longer."),
                      ("threads=%u, of which the system gave %u: %s", wanted, given, error.what()));
}

// The number of threads that an element's engines were last set to, at first one.
class WorkerThreads {
 public:
  // Applies the user's number if it has changed: calls set(wanted). If that throws
  // std::system_error, warns that there are given() threads.
  template <typename Set, typename Given>
  void use(GstElement* element, guint wanted, const Set& set, const Given& given) {
    if (wanted == told_) return;
    told_ = wanted;  // also on failure: do not try again for every frame
    try {
      set(wanted);
    } catch (const std::system_error& error) {
      warn_of_threads(element, wanted, given(), error);
    }
  }
  // Does the same for one engine.
  template <typename Engine>
  void use(GstElement* element, guint wanted, Engine* engine) {
    use(
        element, wanted, [engine](guint number) { engine->set_threads(number); },
        [engine] { return engine->threads(); });
  }
  guint told() const { return told_; }

 private:
  guint told_ = 1;
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_BASE_WORKER_THREADS_H_
