// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_BASE_ANALYZER_SETTINGS_H_
#define RDP_GST_ELEMENTS_BASE_ANALYZER_SETTINGS_H_

#include <gst/gst.h>

#include "gst/elements/base/base_enums.h"
#include "gst/elements/base/camera_properties.h"
#include "gst/memory/instance_memory.h"

namespace rdp::gst {

// The properties that all analysing elements have, whatever they derive from; `camera` those that
// measure. The rows are those of base_properties() and of kCameraProperties: an element on
// GstAggregator has settings that derive from this, and
//   join (own rows, base_properties<Settings> ("Since …"))
struct AnalyzerSettings : InstanceMemory {
  virtual ~AnalyzerSettings() = default;

  GstRdpBackend backend = GST_RDP_BACKEND_AUTO;
  gint cuda_device_id = -1;
  guint threads = 0;
  CameraSettings camera;
};

// Counts since the element went to PAUSED.
struct AnalyzerStats {
  guint64 frames = 0;  // see Plan::inputs_of_frame
  guint64 items = 0;   // what Method::count() counts
  guint64 pixels = 0;
  GstClockTime last_time = 0;  // spent on the last frame, without its picture on the CPU
  GstClockTime total_time = 0;
  bool on_gpu = false;           // the last frame
  guint64 pictures_dropped = 0;  // by overlay pads that are gone

  GstClockTime mean_time() const { return frames == 0 ? 0 : total_time / frames; }
  const char* backend() const { return on_gpu ? "cuda" : "cpu"; }
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_BASE_ANALYZER_SETTINGS_H_
