// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_BASE_ANALYZER_SETTINGS_H_
#define RDP_GST_ELEMENTS_BASE_ANALYZER_SETTINGS_H_

#include <gst/gst.h>

#include "gst/elements/base/base_enums.h"
#include "gst/elements/base/camera_properties.h"
#include "gst/memory/instance_memory.h"

namespace rdp::gst {

// Settings that all analysing elements share, whatever their base class; `camera` is for those that
// measure. base_properties() and kCameraProperties have the rows. An element on GstAggregator
// derives its settings from this, and its table is
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
  guint64 items = 0;   // by Method::count()
  guint64 pixels = 0;
  GstClockTime last_time = 0;  // for the last frame; on the CPU without painting
  GstClockTime total_time = 0;
  bool on_gpu = false;           // for the last frame
  guint64 pictures_dropped = 0;  // by released overlay pads; copy_stats() adds the present one's

  GstClockTime mean_time() const { return frames == 0 ? 0 : total_time / frames; }
  const char* backend() const { return on_gpu ? "cuda" : "cpu"; }
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_BASE_ANALYZER_SETTINGS_H_
