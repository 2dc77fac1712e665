// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_ENDURANCE_TAPS_H_
#define RDP_TESTS_ENDURANCE_TAPS_H_

#include <gst/gst.h>

#include <atomic>
#include <cstdint>
#include <string>

namespace rdp::endurance {

// A sink pad without an element, linked to a source pad under test. It accepts memory of `feature`
// (null: system memory; "ANY": all), counts buffers and keeps the last one.
class Tap {
 public:
  explicit Tap(const char* feature);
  ~Tap();
  Tap(const Tap&) = delete;
  Tap& operator=(const Tap&) = delete;

  GstPad* pad() const { return pad_; }
  std::uint64_t count() const { return count_.load(std::memory_order_acquire); }
  // Waits for this many buffers from another thread. False: timed out after ten seconds.
  bool await(std::uint64_t buffers) const;
  // True if a buffer's PTS was not later than the previous one's.
  bool out_of_order() const { return out_of_order_.load(std::memory_order_relaxed); }
  // The last buffer (transfer full) (nullable).
  GstBuffer* take() { return last_.exchange(nullptr, std::memory_order_acq_rel); }

 private:
  static GstFlowReturn chain(GstPad* pad, GstObject* parent, GstBuffer* buffer);

  GstPad* pad_;
  std::atomic<GstBuffer*> last_{nullptr};
  std::atomic<std::uint64_t> count_{0};
  std::atomic<bool> out_of_order_{false};
  GstClockTime last_pts_ = GST_CLOCK_TIME_NONE;  // streaming thread
};

// A requested source pad, an overlay by default, for the length of a scope; the element may be
// streaming. `way` chooses one of the orders in which applications release pads.
class Overlay {
 public:
  Overlay(GstElement* element, const char* feature, unsigned way, const char* name = "overlay");
  ~Overlay();
  Overlay(const Overlay&) = delete;
  Overlay& operator=(const Overlay&) = delete;

  void set_style(int style) { g_object_set(source_, "style", style, nullptr); }
  Tap& tap() { return tap_; }
  // Error text; empty: no error.
  const std::string& complaint() const { return complaint_; }

 private:
  GstElement* element_;
  unsigned way_;
  Tap tap_;
  GstPad* source_;
  std::string complaint_;
};

// Text of the first error on a bus; empty: none. Discards all other messages.
std::string take_error(GstBus* bus);
std::string error_text(GstMessage* message);

}  // namespace rdp::endurance

#endif  // RDP_TESTS_ENDURANCE_TAPS_H_
