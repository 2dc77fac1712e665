// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_DEPTHPLANES_PLANES_CAPS_H_
#define RDP_GST_ELEMENTS_DEPTHPLANES_PLANES_CAPS_H_

#include <gst/gst.h>

#include "gst/elements/base/points_caps.h"

// The caps of both sides where src carries labels: of the same size, rate and memory as the depth.
// Labels of depth in NVMM memory are in system memory, as those of depth in CUDA memory may be.
// Points of clouds get a field of labels, unless they have one already.
namespace rdp::gst {

// The format of a cloud's points with labels.
PointsFormat labelled_points(PointsFormat points);

// (transfer full)
GstCaps* label_caps_of(const GstCaps* depth);
GstCaps* depth_caps_for_labels(const GstCaps* labels);

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_DEPTHPLANES_PLANES_CAPS_H_
