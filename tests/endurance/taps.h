// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_ENDURANCE_TAPS_H_
#define RDP_TESTS_ENDURANCE_TAPS_H_

#include <gst/gst.h>

#include <atomic>
#include <cstdint>
#include <string>

namespace rdp::endurance {

// What is linked to a source pad of an element, without an element of its own: takes what `feature`
// names (null: system memory; "ANY": everything), counts buffers and keeps the last one.
class Tap {
 public:
  explicit Tap(const char* feature);
  ~Tap();
  Tap(const Tap&) = delete;
  Tap& operator=(const Tap&) = delete;

  GstPad* pad() const { return pad_; }
  std::uint64_t count() const { return count_.load(std::memory_order_acquire); }
  // Waits until so many have come, on a thread of their own. False: not within ten seconds.
  bool await(std::uint64_t buffers) const;
  // Whether a buffer came that was not later than the one before.
  bool out_of_order() const { return out_of_order_.load(std::memory_order_relaxed); }
  // The last buffer, which is the caller's now, or null.
  GstBuffer* take() { return last_.exchange(nullptr, std::memory_order_acq_rel); }

 private:
  static GstFlowReturn chain(GstPad* pad, GstObject* parent, GstBuffer* buffer);

  GstPad* pad_;
  std::atomic<GstBuffer*> last_{nullptr};
  std::atomic<std::uint64_t> count_{0};
  std::atomic<bool> out_of_order_{false};
  GstClockTime last_pts_ = GST_CLOCK_TIME_NONE;  // streaming thread
};

// An overlay of an element that may be streaming, or another source pad that is requested, for the
// length of a scope. It ends in one of the ways that applications have, `way` chooses.
class Overlay {
 public:
  Overlay(GstElement* element, const char* feature, unsigned way, const char* name = "overlay");
  ~Overlay();
  Overlay(const Overlay&) = delete;
  Overlay& operator=(const Overlay&) = delete;

  void set_style(int style) { g_object_set(source_, "style", style, nullptr); }
  Tap& tap() { return tap_; }
  // What is wrong; empty: nothing.
  const std::string& complaint() const { return complaint_; }

 private:
  GstElement* element_;
  unsigned way_;
  Tap tap_;
  GstPad* source_;
  std::string complaint_;
};

// The first error on a bus in words, and whatever else is there thrown away; empty: none.
std::string take_error(GstBus* bus);
std::string error_text(GstMessage* message);

}  // namespace rdp::endurance

#endif  // RDP_TESTS_ENDURANCE_TAPS_H_
