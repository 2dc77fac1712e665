// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/base/input_counters.h"

namespace rdp::gst {

InputCounters* InputCounters::of(GstAggregatorPad* pad) {
  static const GQuark quark = g_quark_from_static_string("rdp-input-counters");
  auto* counters = static_cast<InputCounters*>(g_object_get_qdata(G_OBJECT(pad), quark));
  if (counters != nullptr) return counters;
  counters = new InputCounters;
  g_object_set_qdata_full(G_OBJECT(pad), quark, counters,
                          [](gpointer data) { delete static_cast<InputCounters*>(data); });
  return counters;
}

void InputCounters::reset() {
  stays = false;
  here = 0;
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

}  // namespace rdp::gst
