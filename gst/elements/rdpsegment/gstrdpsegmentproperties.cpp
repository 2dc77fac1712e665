// SPDX-License-Identifier: LGPL-2.1-or-later
// The properties of rdpsegment.
#include <cmath>

#include "common/image/simd.h"
#include "gst/elements/rdpsegment/gstrdpsegment-private.h"

enum {
  PROP_0,
  PROP_EPSILON,
  PROP_SAMPLE_SCALE,
  PROP_MIN_VALUE,
  PROP_MAX_VALUE,
  PROP_MEDIAN,
  PROP_DOMAIN,
  PROP_INVERSE_SCALE,
  PROP_COLUMN_WIDTH,
  PROP_MAX_GAP,
  PROP_REFINE,
  PROP_MERGE,
  PROP_MERGE_COST,
  PROP_CLASSIFY,
  PROP_GROUND_SLOPE,
  PROP_FAR_VALUE,
  PROP_OUTPUT,
  PROP_BACKEND,
  PROP_CUDA_DEVICE_ID,
  PROP_THREADS,
  PROP_STATS,
};

void gst_rdp_segment_element_set_property(GObject* object, guint id, const GValue* value,
                                          GParamSpec* pspec) {
  auto* self = GST_RDP_SEGMENT_ELEMENT(object);
  // GObject's range check lets NaN pass.
  if (G_VALUE_HOLDS_DOUBLE(value) && std::isnan(g_value_get_double(value))) {
    g_warning("%s: %s cannot be NaN; it stays as it was", GST_OBJECT_NAME(self), pspec->name);
    return;
  }
  GST_OBJECT_LOCK(self);
  GstRdpSegmentSettings& settings = *self->settings;
  rdp::Parameters& parameters = settings.parameters;
  switch (id) {
    case PROP_EPSILON:
      parameters.epsilon = g_value_get_double(value);
      break;
    case PROP_SAMPLE_SCALE:
      parameters.sample_scale = g_value_get_double(value);
      break;
    case PROP_MIN_VALUE:
      parameters.min_value = g_value_get_uint(value);
      break;
    case PROP_MAX_VALUE:
      parameters.max_value = g_value_get_uint(value);
      break;
    case PROP_MEDIAN:
      parameters.median = static_cast<rdp::Median>(g_value_get_enum(value));
      break;
    case PROP_DOMAIN:
      parameters.domain = static_cast<rdp::Domain>(g_value_get_enum(value));
      break;
    case PROP_INVERSE_SCALE:
      parameters.inverse_scale = g_value_get_double(value);
      break;
    case PROP_COLUMN_WIDTH:
      parameters.column_width = static_cast<int>(g_value_get_uint(value));
      break;
    case PROP_MAX_GAP:
      parameters.max_gap = static_cast<int>(g_value_get_uint(value));
      break;
    case PROP_REFINE:
      parameters.refine = g_value_get_boolean(value) != FALSE;
      break;
    case PROP_MERGE:
      parameters.merge = g_value_get_boolean(value) != FALSE;
      break;
    case PROP_MERGE_COST:
      parameters.merge_cost = g_value_get_double(value);
      break;
    case PROP_CLASSIFY:
      parameters.classify = g_value_get_boolean(value) != FALSE;
      break;
    case PROP_GROUND_SLOPE:
      parameters.ground_slope = g_value_get_double(value);
      break;
    case PROP_FAR_VALUE:
      parameters.far_value = g_value_get_double(value);
      break;
    case PROP_OUTPUT:
      settings.output = static_cast<GstRdpOutput>(g_value_get_enum(value));
      break;
    case PROP_BACKEND:
      settings.backend = static_cast<GstRdpBackend>(g_value_get_enum(value));
      break;
    case PROP_CUDA_DEVICE_ID:
      settings.cuda_device_id = g_value_get_int(value);
      break;
    case PROP_THREADS:
      settings.threads = g_value_get_uint(value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, pspec);
  }
  GST_OBJECT_UNLOCK(self);
}

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

void gst_rdp_segment_element_get_property(GObject* object, guint id, GValue* value,
                                          GParamSpec* pspec) {
  auto* self = GST_RDP_SEGMENT_ELEMENT(object);
  GST_OBJECT_LOCK(self);
  const GstRdpSegmentSettings& settings = *self->settings;
  const rdp::Parameters& parameters = settings.parameters;
  switch (id) {
    case PROP_EPSILON:
      g_value_set_double(value, parameters.epsilon);
      break;
    case PROP_SAMPLE_SCALE:
      g_value_set_double(value, parameters.sample_scale);
      break;
    case PROP_MIN_VALUE:
      g_value_set_uint(value, parameters.min_value);
      break;
    case PROP_MAX_VALUE:
      g_value_set_uint(value, parameters.max_value);
      break;
    case PROP_MEDIAN:
      g_value_set_enum(value, static_cast<gint>(parameters.median));
      break;
    case PROP_DOMAIN:
      g_value_set_enum(value, static_cast<gint>(parameters.domain));
      break;
    case PROP_INVERSE_SCALE:
      g_value_set_double(value, parameters.inverse_scale);
      break;
    case PROP_COLUMN_WIDTH:
      g_value_set_uint(value, static_cast<guint>(parameters.column_width));
      break;
    case PROP_MAX_GAP:
      g_value_set_uint(value, static_cast<guint>(parameters.max_gap));
      break;
    case PROP_REFINE:
      g_value_set_boolean(value, parameters.refine ? TRUE : FALSE);
      break;
    case PROP_MERGE:
      g_value_set_boolean(value, parameters.merge ? TRUE : FALSE);
      break;
    case PROP_MERGE_COST:
      g_value_set_double(value, parameters.merge_cost);
      break;
    case PROP_CLASSIFY:
      g_value_set_boolean(value, parameters.classify ? TRUE : FALSE);
      break;
    case PROP_GROUND_SLOPE:
      g_value_set_double(value, parameters.ground_slope);
      break;
    case PROP_FAR_VALUE:
      g_value_set_double(value, parameters.far_value);
      break;
    case PROP_OUTPUT:
      g_value_set_enum(value, settings.output);
      break;
    case PROP_BACKEND:
      g_value_set_enum(value, settings.backend);
      break;
    case PROP_CUDA_DEVICE_ID:
      g_value_set_int(value, settings.cuda_device_id);
      break;
    case PROP_THREADS:
      g_value_set_uint(value, settings.threads);
      break;
    case PROP_STATS:
      g_value_take_boxed(value, gst_rdp_segment_element_make_stats(*self->stats));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, pspec);
  }
  GST_OBJECT_UNLOCK(self);
}

void gst_rdp_segment_element_install_properties(GObjectClass* klass) {
  const GstRdpSegmentSettings defaults;
  const rdp::Parameters& parameters = defaults.parameters;
  const auto playing = static_cast<GParamFlags>(G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS |
                                                GST_PARAM_MUTABLE_PLAYING);
  const auto controllable = static_cast<GParamFlags>(playing | GST_PARAM_CONTROLLABLE);
  const auto ready = static_cast<GParamFlags>(G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS |
                                              GST_PARAM_MUTABLE_READY);
  const auto install = [klass](guint id, GParamSpec* pspec) {
    g_object_class_install_property(klass, id, pspec);
  };
  install(
      PROP_EPSILON,
      g_param_spec_double("epsilon", "Epsilon",
                          "Tolerance: no known sample, after median and column groups, is farther "
                          "from its segment, except with merge or refine (unit: sample step times "
                          "sample-scale)",
                          0.0, G_MAXDOUBLE, parameters.epsilon, controllable));
  install(
      PROP_SAMPLE_SCALE,
      g_param_spec_double("sample-scale", "Sample scale",
                          "What one sample step is worth (1/256 for KITTI-style disparity, 0.001 "
                          "for millimetres with epsilon in metres)",
                          G_MINDOUBLE, G_MAXDOUBLE, parameters.sample_scale, playing));
  install(PROP_MIN_VALUE, g_param_spec_uint("min-value", "Minimum value",
                                            "Smallest known sample; smaller ones are unknown", 0,
                                            65535, parameters.min_value, playing));
  install(PROP_MAX_VALUE, g_param_spec_uint("max-value", "Maximum value",
                                            "Largest known sample; larger ones are unknown", 0,
                                            65535, parameters.max_value, playing));
  install(
      PROP_MEDIAN,
      g_param_spec_enum("median", "Median", "Median filter before the segmentation",
                        gst_rdp_median_get_type(), static_cast<gint>(parameters.median), playing));
  install(
      PROP_DOMAIN,
      g_param_spec_enum("domain", "Domain",
                        "What is segmented: the samples, or the inverse of metric depth, in "
                        "which planes are straight lines",
                        gst_rdp_domain_get_type(), static_cast<gint>(parameters.domain), playing));
  install(PROP_INVERSE_SCALE,
          g_param_spec_double("inverse-scale", "Inverse scale",
                              "In domain=inverse a sample z becomes inverse-scale / z", G_MINDOUBLE,
                              G_MAXDOUBLE, parameters.inverse_scale, playing));
  install(PROP_COLUMN_WIDTH,
          g_param_spec_uint("column-width", "Column width",
                            "How many neighbouring pixel columns are joined into one, by the lower "
                            "median of their known samples",
                            1, rdp::kMaxColumnWidth, static_cast<guint>(parameters.column_width),
                            playing));
  install(PROP_MAX_GAP,
          g_param_spec_uint("max-gap", "Maximum gap",
                            "A segment ends where more rows in a row than this are unknown, "
                            "instead of bridging them (0: all are bridged)",
                            0, rdp::kMaxSide, static_cast<guint>(parameters.max_gap), playing));
  install(PROP_REFINE, g_param_spec_boolean(
                           "refine", "Refine",
                           "Segments are least-squares lines of their own samples and share no row "
                           "with their neighbours",
                           parameters.refine ? TRUE : FALSE, playing));
  install(PROP_MERGE, g_param_spec_boolean(
                          "merge", "Merge",
                          "After the split, join neighbouring segments into least-squares lines "
                          "as long as what that costs in error is less than merge-cost",
                          parameters.merge ? TRUE : FALSE, playing));
  install(PROP_MERGE_COST,
          g_param_spec_double("merge-cost", "Merge cost",
                              "What a segment costs, as a distance whose square is compared with "
                              "sums of squared distances, truncated at epsilon (unit: as epsilon; "
                              "0: 4 times epsilon)",
                              0.0, G_MAXDOUBLE, parameters.merge_cost, controllable));
  install(PROP_CLASSIFY, g_param_spec_boolean(
                             "classify", "Classify",
                             "Segments have classes: ground, upright, far or other (for disparity, "
                             "or domain=inverse)",
                             parameters.classify ? TRUE : FALSE, playing));
  install(PROP_GROUND_SLOPE,
          g_param_spec_double("ground-slope", "Ground slope",
                              "How much the ground's values rise from one row to the next, for "
                              "classes (unit: as epsilon; 0: as the frame shows it)",
                              0.0, G_MAXDOUBLE, parameters.ground_slope, controllable));
  install(PROP_FAR_VALUE,
          g_param_spec_double("far-value", "Far value",
                              "Segments that do not exceed it are far, for classes (unit: as "
                              "epsilon; -1: epsilon)",
                              -1.0, G_MAXDOUBLE, parameters.far_value, controllable));
  install(PROP_OUTPUT,
          g_param_spec_enum("output", "Output",
                            "What the pixels on src carry: the samples, or the segments' lines",
                            gst_rdp_output_get_type(), defaults.output, playing));
  install(PROP_BACKEND, g_param_spec_enum("backend", "Backend", "Where the work is done",
                                          gst_rdp_backend_get_type(), defaults.backend, ready));
  install(PROP_CUDA_DEVICE_ID,
          g_param_spec_int("cuda-device-id", "CUDA device id",
                           "The GPU to use (-1: any); as in GStreamer's CUDA elements", -1,
                           G_MAXINT, defaults.cuda_device_id, ready));
  install(PROP_THREADS,
          g_param_spec_uint("threads", "Threads",
                            "Threads of the CPU engine, the streaming thread included (0: one for "
                            "each processor)",
                            0, rdp::kMaxThreads, defaults.threads, playing));
  install(PROP_STATS,
          g_param_spec_boxed("stats", "Statistics",
                             "Since the element went to PAUSED: frames, segments, "
                             "pixels-per-segment, last-time and mean-time of the segmentation in "
                             "nanoseconds, backend and simd in use",
                             GST_TYPE_STRUCTURE,
                             static_cast<GParamFlags>(G_PARAM_READABLE | G_PARAM_STATIC_STRINGS)));
}
