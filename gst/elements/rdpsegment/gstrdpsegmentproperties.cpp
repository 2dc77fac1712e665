// SPDX-License-Identifier: LGPL-2.1-or-later
// The properties of rdpsegment.
#include "common/image/simd.h"
#include "gst/elements/base/base_properties.h"
#include "gst/elements/base/property_table.h"
#include "gst/elements/rdpsegment/gstrdpsegment-private.h"
#include "gst/elements/rdpsegment/rdp_properties.h"

using rdp::gst::PropertyRow;
using Settings = GstRdpSegmentSettings;

static constexpr auto kOwnProperties = std::to_array<PropertyRow<Settings>>({
    {{.name = "output",
      .nick = "Output",
      .blurb = "What the pixels on src carry: the samples, or the segments' lines",
      .flags = rdp::gst::kWhilePlaying},
     rdp::gst::PropertyOf<Settings>::as_enum<&Settings::output>(gst_rdp_output_get_type)},
});

static constexpr auto kProperties = rdp::gst::join(
    rdp::gst::properties_of_member<Settings, &Settings::parameters, rdp::gst::kRdpProperties>(),
    kOwnProperties,
    rdp::gst::base_properties<Settings>(
        "Since the element went to PAUSED: frames, segments, pixels-per-segment, last-time and "
        "mean-time of the segmentation in nanoseconds, backend and simd in use"));

static constexpr guint kStats = rdp::gst::property_id(kProperties, "stats");

static GstStructure* gst_rdp_segment_element_make_stats(const GstRdpSegmentStats& stats) {
  const double pixels_per_segment =
      stats.segments == 0 ? 0.0
                          : static_cast<double>(stats.pixels) / static_cast<double>(stats.segments);
  return gst_structure_new(
      "application/x-rdpsegment-stats", "frames", G_TYPE_UINT64, stats.frames, "segments",
      G_TYPE_UINT64, stats.segments, "pixels-per-segment", G_TYPE_DOUBLE, pixels_per_segment,
      "last-time", G_TYPE_UINT64, stats.last_time, "mean-time", G_TYPE_UINT64,
      stats.frames == 0 ? G_GUINT64_CONSTANT(0) : stats.total_time / stats.frames, "backend",
      G_TYPE_STRING, stats.on_gpu ? "cuda" : "cpu", "simd", G_TYPE_STRING,
      rdp::current_simd_target(), nullptr);
}

void gst_rdp_segment_element_set_property(GObject* object, guint id, const GValue* value,
                                          GParamSpec* pspec) {
  auto* self = GST_RDP_SEGMENT_ELEMENT(object);
  rdp::gst::set_property(object, kProperties, *self->settings, id, value, pspec);
}

void gst_rdp_segment_element_get_property(GObject* object, guint id, GValue* value,
                                          GParamSpec* pspec) {
  auto* self = GST_RDP_SEGMENT_ELEMENT(object);
  if (id == kStats) {
    GST_OBJECT_LOCK(self);
    const GstRdpSegmentStats stats = *self->stats;
    GST_OBJECT_UNLOCK(self);
    g_value_take_boxed(value, gst_rdp_segment_element_make_stats(stats));
    return;
  }
  rdp::gst::get_property(object, kProperties, *self->settings, id, value, pspec);
}

void gst_rdp_segment_element_install_properties(GObjectClass* klass) {
  rdp::gst::install_properties(klass, kProperties);
}
