// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/base/input_counters.h"

#include <memory>
#include <utility>

namespace rdp::gst {

InputCounters* InputCounters::of(GstAggregatorPad* pad) {
  static const GQuark quark = g_quark_from_static_string("rdp-input-counters");
  constexpr auto kDelete = [](gpointer data) { delete static_cast<InputCounters*>(data); };
  auto* counters = static_cast<InputCounters*>(g_object_get_qdata(G_OBJECT(pad), quark));
  if (counters != nullptr) return counters;
  // Several threads may meet a new pad at once: the first one's counters stay.
  auto made = std::make_unique<InputCounters>();
  if (g_object_replace_qdata(G_OBJECT(pad), quark, nullptr, made.get(), kDelete, nullptr)) {
    return made.release();
  }
  return static_cast<InputCounters*>(g_object_get_qdata(G_OBJECT(pad), quark));
}

void InputCounters::reset() {
  forget_head();
  came = 0;
  used = 0;
  dropped = 0;
  last_time = G_MININT64;
  seen = 0;
  quiet = 0;
  told = false;
  frame = 0;
  pace.forget();
}

GstBuffer* InputCounters::pop(GstAggregatorPad* pad) {
  const std::lock_guard lock(mutex_);
  GstBuffer* buffer = gst_aggregator_pad_pop_buffer(pad);
  if (buffer == nullptr) return nullptr;
  stays_ = false;
  --here_;
  return buffer;
}

bool InputCounters::replace(GstAggregatorPad* pad, bool latest) {
  const std::lock_guard lock(mutex_);
  ++here_;
  if (!std::exchange(stays_, latest) || here_ < 2) return true;
  const bool old_one = gst_aggregator_pad_drop_buffer(pad) != FALSE;
  if (old_one || latest) --here_;  // the old one was dropped, or the new one will be
  return old_one || !latest;
}

void InputCounters::keep(GstAggregatorPad* pad, bool latest) {
  const std::lock_guard lock(mutex_);
  if (gst_aggregator_pad_has_buffer(pad)) stays_ = true;
  if (here_ < (!latest && stays_ ? 1 : 2) || !gst_aggregator_pad_drop_buffer(pad)) return;
  if (--here_ == 0) stays_ = false;
}

void InputCounters::forget_head() {
  const std::lock_guard lock(mutex_);
  stays_ = false;
  here_ = 0;
  passed_over = G_MININT64;
}

bool InputCounters::stays() {
  const std::lock_guard lock(mutex_);
  return stays_;
}

}  // namespace rdp::gst
