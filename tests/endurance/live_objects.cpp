// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/endurance/live_objects.h"

#include <gst/gst.h>
#include <gst/gsttracer.h>

namespace rdp::endurance {
namespace {

// A reference, or null.
GstTracer* find_tracer() {
  GstTracer* found = nullptr;
  GList* tracers = gst_tracing_get_active_tracers();
  for (GList* item = tracers; item != nullptr; item = item->next) {
    if (found == nullptr && g_str_equal(G_OBJECT_TYPE_NAME(item->data), "GstLeaksTracer")) {
      found = GST_TRACER(gst_object_ref(item->data));
    }
  }
  g_list_free_full(tracers, gst_object_unref);
  return found;
}

}  // namespace

void enable_leaks_tracer() { g_setenv("GST_TRACERS", "leaks", FALSE); }

bool leaks_tracer_runs() {
  GstTracer* tracer = find_tracer();
  const bool runs = tracer != nullptr;
  gst_clear_object(&tracer);
  return runs;
}

LiveObjects live_objects() {
  LiveObjects result;
  GstTracer* tracer = find_tracer();
  if (tracer == nullptr) return result;
  GstStructure* answer = nullptr;
  g_signal_emit_by_name(tracer, "get-live-objects", &answer);
  const GValue* list =
      answer == nullptr ? nullptr : gst_structure_get_value(answer, "live-objects-list");
  for (guint i = 0; list != nullptr && i < gst_value_list_get_size(list); ++i) {
    const GstStructure* one = gst_value_get_structure(gst_value_list_get_value(list, i));
    ++result[G_VALUE_TYPE_NAME(gst_structure_get_value(one, "object"))];
  }
  // The structure is leaked on purpose: it holds the objects without references.
  gst_object_unref(tracer);
  return result;
}

std::string more_objects(const LiveObjects& before, const LiveObjects& after) {
  std::string text;
  for (const auto& [type, count] : after) {
    const auto found = before.find(type);
    const int more = count - (found == before.end() ? 0 : found->second);
    if (more > 0) text += (text.empty() ? "" : ", ") + type + ": " + std::to_string(more) + " more";
  }
  return text;
}

}  // namespace rdp::endurance
