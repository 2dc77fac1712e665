// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_DEPTHPLANES_PLANES_CAPS_H_
#define RDP_GST_ELEMENTS_DEPTHPLANES_PLANES_CAPS_H_

#include <gst/gst.h>

#include "gst/elements/base/points_caps.h"

// Caps of both pads with output=labels: labels have the depth's size, rate and memory. But labels
// of NVMM depth are in system memory, and labels of CUDA depth may be. Cloud points get a label
// field, unless they have one.
namespace rdp::gst {

// The format of a cloud's points with labels.
PointsFormat labelled_points(PointsFormat points);

// (transfer full)
GstCaps* label_caps_of(const GstCaps* depth);
GstCaps* depth_caps_for_labels(const GstCaps* labels);

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_DEPTHPLANES_PLANES_CAPS_H_
