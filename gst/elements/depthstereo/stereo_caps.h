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

// Finds how the views are laid out: in both inputs, or packed in one. False, with *reason, a
// sentence that names what is wrong and the remedy. Throws std::bad_alloc.
bool find_stereo_layout(std::span<const JoinedInput> inputs, PackingChoice choice,
                        ViewLayout* layout, std::string* reason);

// The caps of a sink pad: `own` (transfer full), as far as downstream takes their size and rate.
// `taken`: the caps that downstream takes of src; null: not asked. The caps of `like` come first if
// right is to be like left; null: it is not.
GstCaps* stereo_sink_caps(GstCaps* own, const GstCaps* taken, bool packed, const GstCaps* like);

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_DEPTHSTEREO_STEREO_CAPS_H_
