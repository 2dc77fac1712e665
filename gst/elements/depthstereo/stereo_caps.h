// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_DEPTHSTEREO_STEREO_CAPS_H_
#define RDP_GST_ELEMENTS_DEPTHSTEREO_STEREO_CAPS_H_

#include <span>
#include <string>

#include "gst/elements/base/caps_explainer.h"
#include "gst/elements/base/joiner_stream.h"
#include "gst/memory/packed_views.h"

// The caps of depthstereo. Functions of their arguments alone, which know no element.
namespace rdp::gst {

extern const CapsWords kStereoCapsWords;

// Finds the layout of the views: one in each of two inputs, or both packed in one. False: *reason
// is a sentence with the fault and the remedy. Throws std::bad_alloc.
bool find_stereo_layout(std::span<const JoinedInput> inputs, PackingChoice choice,
                        ViewLayout* layout, std::string* reason);

// Returns the caps of a sink pad: `own` (transfer full), limited to sizes and rates that downstream
// accepts. `taken` (nullable): caps that downstream accepts on src. `like` (nullable): the other
// view's caps, which come first.
GstCaps* stereo_sink_caps(GstCaps* own, const GstCaps* taken, bool packed, const GstCaps* like);

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_DEPTHSTEREO_STEREO_CAPS_H_
