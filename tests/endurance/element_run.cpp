// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/endurance/element_run.h"

namespace rdp::endurance {

ElementRun::ElementRun(const Setup& setup, const Plan& plan)
    : setup_(setup),
      plan_(plan),
      rig_(setup.options, plan.element, plan.inputs, plan.feature),
      sides_(plan.sides.size()) {
  rig_.start();
}

bool ElementRun::batch(std::uint64_t amount, Latency* latency) {
  latency_ = latency;
  const std::uint64_t every = plan_.state_frames;
  for (std::uint64_t i = 0; i < amount && !broken_; ++i) {
    if (every != 0 && frames_ % every == every - 1) restart();
    if (frames_ % plan_.side_frames == 0) change_sides();
    step();
    if (!broken_) ++frames_;
  }
  for (Side& side : sides_) drop_side(&side);
  complain(check_untouched());
  setup_.failures.add_if(rig_.error());
  return !broken_;
}

std::string ElementRun::check_untouched() const {
  for (const Frame& frame : going_round_) {
    const std::string wrong = frame.check_untouched();
    if (!wrong.empty()) return wrong;
  }
  return {};
}

// Alternates between READY and NULL. Every third restart first drops the side pads.
void ElementRun::restart() {
  if (restarts_ % 3 == 0) {
    for (Side& side : sides_) drop_side(&side);
  }
  rig_.stop(restarts_ % 2 == 0 ? GST_STATE_READY : GST_STATE_NULL);
  ++restarts_;
  stopped();
  rig_.start();
}

void ElementRun::drop_side(Side* side) {
  if (side->pad && side->pad->tap().out_of_order()) complain("a side pad's are not in order");
  side->pad.reset();
}

// Requests or releases a side pad; of several, some.
void ElementRun::change_sides() {
  for (std::size_t i = 0; i < sides_.size(); ++i) {
    Side& side = sides_[i];
    if (sides_.size() > 1 && mix_bits(frames_ * sides_.size() + i) % 3 == 0) continue;
    if (side.pad) {
      drop_side(&side);
      continue;
    }
    // Alternates with CUDA memory, if available.
    side.pad.emplace(rig_.element(), requests_ % 2 == 0 ? setup_.memory.picture_feature() : nullptr,
                     static_cast<unsigned>(requests_ / 2), plan_.sides[i]);
    side.received = 0;
    ++requests_;
    complain(side.pad->complaint());
  }
}

void ElementRun::push(std::size_t input, GstBuffer* buffer) {
  if (!pushed_) pushed_ = std::chrono::steady_clock::now();
  const GstFlowReturn flow = rig_.push(input, buffer);
  if (flow == GST_FLOW_OK) return;
  complain(std::string("the flow is ") + gst_flow_get_name(flow) + "; " + rig_.error());
  broken_ = true;
}

BufferRef ElementRun::take() {
  BufferRef buffer = broken_ ? nullptr : take_from(&rig_.tap(), frames_ + 1, "src");
  if (buffer != nullptr) latency_->record(std::chrono::steady_clock::now() - *pushed_);
  pushed_.reset();
  return buffer;
}

BufferRef ElementRun::take_of(std::size_t which) {
  Side& side = sides_[which];
  if (broken_ || !side.pad) return nullptr;
  ++of_sides_;
  return take_from(&side.pad->tap(), ++side.received, plan_.sides[which]);
}

BufferRef ElementRun::take_from(Tap* tap, std::uint64_t count, const char* pad) {
  BufferRef buffer;
  if (tap->await(count) && tap->count() == count) buffer.reset(tap->take());
  if (buffer == nullptr) {
    complain(std::string(pad) + ": " + std::to_string(tap->count()) + " have come, expected " +
             std::to_string(count) + "; " + rig_.error());
    broken_ = true;
  } else if (GST_BUFFER_PTS(buffer.get()) != pts()) {
    complain(std::string(pad) + ": another one came in its place");
  }
  return buffer;
}

bool ElementRun::compares() {
  if (frames_ % setup_.options.check_every != 0) return false;
  ++compared_;
  return true;
}

void ElementRun::complain(const std::string& what) {
  if (what.empty()) return;
  const std::optional<Shape>& shape = rig_.shape(0);
  setup_.failures.add(std::string(plan_.noun) + " " + std::to_string(frames_) +
                      (shape ? " (" + describe(*shape) + ")" : "") + ": " + what);
}

std::string ElementRun::report() const {
  return "  " + std::string(plan_.noun) + "s: " + grouped(frames_) + " in, " +
         grouped(rig_.tap().count()) + " out; " + grouped(compared_) +
         " buffers compared\n  changes: " + grouped(caps_) + " of the caps, " + grouped(restarts_) +
         " to READY or NULL and back\n  side pads: " + grouped(requests_) +
         " times requested and released, " + grouped(of_sides_) + " buffers\n" + details();
}

}  // namespace rdp::endurance
