// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_ENDURANCE_ELEMENT_RUN_H_
#define RDP_TESTS_ENDURANCE_ELEMENT_RUN_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/scene/hash_random.h"
#include "tests/endurance/element_rig.h"
#include "tests/endurance/run.h"

namespace rdp::endurance {

// One element, frame by frame: the run pushes a frame and checks the output of every pad before the
// next one. It requests and releases source pads, and sets the element to READY or NULL and back.
class ElementRun : public Run {
 public:
  bool batch(std::uint64_t amount, Latency* latency) final;
  std::uint64_t done() const final { return frames_; }
  std::string report() const final;
  std::string summary() const final { return grouped(frames_) + " " + plan_.noun + "s"; }

 protected:
  struct Plan {
    const char* element;
    const char* feature;         // memory feature that src's tap accepts: see Tap
    const char* noun = "frame";  // unit of the counts
    std::vector<const char*> inputs = {"sink"};
    std::vector<const char*> sides = {};  // source pads on request
    // Frames between two changes of the set of side pads, and of the element's state. Neither is a
    // multiple of another period. state_frames of 0: the state stays.
    std::uint64_t side_frames = 23;
    std::uint64_t state_frames = 131;
  };
  ElementRun(const Setup& setup, const Plan& plan);

  // Pushes the inputs of frame(), and takes the output of src and of the side pads.
  virtual void step() = 0;
  // Called while the element is in READY or NULL.
  virtual void stopped() {}
  // Error text if anybody wrote to a prepared frame; empty: untouched.
  virtual std::string check_untouched() const;
  // More lines of the report.
  virtual std::string details() const { return {}; }

  const Setup& setup() const { return setup_; }
  // Makes a frame that is pushed repeatedly; it lives as long as the run.
  const Frame& prepare(Content content) {
    return going_round_.emplace_back(std::move(content), setup_.memory);
  }
  ElementRig& rig() { return rig_; }
  GstElement* element() const { return rig_.element(); }
  std::uint64_t frame() const { return frames_; }
  GstClockTime pts() const { return pts_of(frames_); }
  // Pseudo-random indices below `amount`: visited() changes every 9 frames, chosen() with each
  // frame and `salt`.
  std::size_t visited(std::size_t amount) const { return mix_bits(frames_ / 9 + 1) % amount; }
  std::size_t chosen(std::size_t amount, std::uint64_t salt) const {
    return mix_bits(frames_ + salt) % amount;
  }

  void announce(std::size_t input, const Shape& shape, const char* feature) {
    if (rig_.announce(input, shape, feature)) ++caps_;
  }
  // Number of caps changes.
  std::uint64_t announced() const { return caps_; }
  void push(std::size_t input, GstBuffer* buffer);
  // The output of src, and of a side pad. Null if the pad does not exist, or if no buffer came; the
  // latter is reported and ends the run.
  BufferRef take();
  BufferRef take_of(std::size_t side);
  Overlay* side(std::size_t which) { return sides_[which].pad ? &*sides_[which].pad : nullptr; }
  // True if this frame is to be compared; counts those frames.
  bool compares();
  void complain(const std::string& what);

 private:
  struct Side {
    std::optional<Overlay> pad;
    std::uint64_t received = 0;  // since it was requested
  };

  BufferRef take_from(Tap* tap, std::uint64_t count, const char* pad);
  void change_sides();
  void drop_side(Side* side);
  void restart();

  const Setup& setup_;
  const Plan plan_;
  ElementRig rig_;
  std::vector<Side> sides_;
  std::deque<Frame> going_round_;
  bool broken_ = false;
  Latency* latency_ = nullptr;
  // Time at which the first buffer of this frame was pushed.
  std::optional<std::chrono::steady_clock::time_point> pushed_;

  std::uint64_t frames_ = 0;
  std::uint64_t caps_ = 0;
  std::uint64_t restarts_ = 0;
  std::uint64_t requests_ = 0;
  std::uint64_t of_sides_ = 0;
  std::uint64_t compared_ = 0;
};

}  // namespace rdp::endurance

#endif  // RDP_TESTS_ENDURANCE_ELEMENT_RUN_H_
