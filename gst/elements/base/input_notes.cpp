// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/base/input_notes.h"

namespace rdp::gst {

InputNotes* InputNotes::of(GstAggregatorPad* pad) {
  static const GQuark quark = g_quark_from_static_string("rdp-input-notes");
  auto* notes = static_cast<InputNotes*>(g_object_get_qdata(G_OBJECT(pad), quark));
  if (notes != nullptr) return notes;
  notes = new InputNotes;
  g_object_set_qdata_full(G_OBJECT(pad), quark, notes,
                          [](gpointer data) { delete static_cast<InputNotes*>(data); });
  return notes;
}

void InputNotes::reset() {
  came = 0;
  used = 0;
  dropped = 0;
  last_time = G_MININT64;
  frame = 0;
  pace.forget();
}

}  // namespace rdp::gst
