// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_ENDURANCE_ELEMENT_RIG_H_
#define RDP_TESTS_ENDURANCE_ELEMENT_RIG_H_

#include <gst/gst.h>

#include <optional>
#include <string>
#include <vector>

#include "tests/endurance/content.h"
#include "tests/endurance/options.h"
#include "tests/endurance/taps.h"

namespace rdp::endurance {

// One element without a pipeline: the test pushes into its sink pads, and a tap receives from
// `src`.
class ElementRig {
 public:
  // `inputs`: names of sink pads; missing ones are requested. `feature`: see Tap.
  ElementRig(const Options& options, const char* element, const std::vector<const char*>& inputs,
             const char* feature);
  ~ElementRig();
  ElementRig(const ElementRig&) = delete;
  ElementRig& operator=(const ElementRig&) = delete;

  // Throws std::runtime_error if the element does not start.
  void start();
  void stop(GstState state);
  // Sends caps with this memory feature, and a segment before the first ones. Returns false if the
  // caps are unchanged.
  bool announce(std::size_t input, const Shape& shape, const char* feature);
  GstFlowReturn push(std::size_t input, GstBuffer* buffer) {
    return gst_pad_push(inputs_[input].source, buffer);
  }
  void push_gap(std::size_t input, GstClockTime pts) {
    gst_pad_push_event(inputs_[input].source, gst_event_new_gap(pts, GST_SECOND / 30));
  }

  GstElement* element() const { return element_; }
  Tap& tap() { return tap_; }
  const Tap& tap() const { return tap_; }
  // Shape of the last caps; none if none were sent since the start.
  const std::optional<Shape>& shape(std::size_t input) const { return inputs_[input].shape; }
  // The first error since the last call, in words.
  std::string error() { return take_error(bus_); }

 private:
  struct Input {
    GstPad* sink;
    GstPad* source;  // linked to `sink`
    bool requested;
    std::optional<Shape> shape;
  };

  GstElement* element_;
  GstBus* bus_;
  std::vector<Input> inputs_;
  Tap tap_;
};

}  // namespace rdp::endurance

#endif  // RDP_TESTS_ENDURANCE_ELEMENT_RIG_H_
