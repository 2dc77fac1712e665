// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/depthstereo/stereo_caps.h"

#include "gst/memory/frame_layout.h"

namespace rdp::gst {
namespace {

// Two views in two streams must have one size. Formats and memory may differ: only the luma is
// matched, and range expansion keeps its order.
bool check_pair(const JoinedInput& left, const JoinedInput& right, std::string* reason) {
  const GstVideoInfo& a = left.info;
  const GstVideoInfo& b = right.info;
  if (GST_VIDEO_INFO_WIDTH(&a) == GST_VIDEO_INFO_WIDTH(&b) &&
      GST_VIDEO_INFO_HEIGHT(&a) == GST_VIDEO_INFO_HEIGHT(&b)) {
    return true;
  }
  *reason = format_text(
      "the views are of different sizes, %s %dx%d and %s %dx%d: put videoscale, or videocrop, and "
      "a capsfilter before one of the pads, so that both have the size of their calibration",
      left.name(), GST_VIDEO_INFO_WIDTH(&a), GST_VIDEO_INFO_HEIGHT(&a), right.name(),
      GST_VIDEO_INFO_WIDTH(&b), GST_VIDEO_INFO_HEIGHT(&b));
  return false;
}

// Returns the limits in `taken` on the rate, the pixel aspect ratio and, unless packed, the size.
GstCaps* limits_of(const GstCaps* taken, bool packed) {
  GstCaps* limits = gst_caps_new_empty();
  for (guint i = 0; i < gst_caps_get_size(taken); ++i) {
    const GstStructure* from = gst_caps_get_structure(taken, i);
    GstStructure* to = gst_structure_new_empty("video/x-raw");
    for (const char* field : {"framerate", "pixel-aspect-ratio", "width", "height"}) {
      const GValue* value = gst_structure_get_value(from, field);
      if (value == nullptr ||
          (packed && (g_str_equal(field, "width") || g_str_equal(field, "height")))) {
        continue;
      }
      gst_structure_set_value(to, field, value);
    }
    gst_caps_append_structure_full(limits, to, gst_caps_features_new_any());
  }
  return limits;
}

}  // namespace

const CapsWords kStereoCapsWords = {
    "format GRAY8, NV12 or I420 (only the luma is matched), up to 16384x16384",
    "Colour: put videoconvert ! video/x-raw,format=GRAY8 before it, or nvvideoconvert ! "
    "video/x-raw(memory:NVMM),format=NV12. GRAY16: convert it to GRAY8 in the same way. Other "
    "memory: put the element that downloads it before this one.",
    nullptr,
    "video/x-raw,format=GRAY8,width=640,height=480 (rawvideoparse or a capsfilter adds them to raw "
    "data)",
};

bool find_stereo_layout(std::span<const JoinedInput> inputs, PackingChoice choice,
                        ViewLayout* layout, std::string* reason) {
  *layout = {};
  if (inputs.size() == 1) {
    const JoinedInput& alone = inputs[0];
    if (!find_view_layout(alone.info, choice, alone.memory, layout, reason)) return false;
    if (layout->packing != Packing::kNone) return true;
    *reason = format_text(
        "the pad %s is used alone, and neither its caps (multiview-mode) nor packing say that both "
        "views are in its frames: link the other view to the pad %s, or set packing=side-by-side "
        "or packing=top-bottom",
        alone.name(), g_str_equal(alone.name(), "left") ? "right" : "left");
    return false;
  }
  if (choice != PackingChoice::kAuto) {
    *reason =
        "packing is for one pad alone that brings both views, but both left and right are used: "
        "release one of them, or set packing=auto";
    return false;
  }
  for (const JoinedInput& input : inputs) {
    ViewLayout own;
    if (!find_view_layout(input.info, choice, input.memory, &own, reason)) return false;
    if (own.packing == Packing::kNone) continue;
    *reason = format_text(
        "the frames of the pad %s have both views in them (multiview-mode in its caps), and the "
        "other pad is used, too: release the pad %s, or keep one view with videocrop and "
        "capssetter caps=video/x-raw,multiview-mode=mono",
        input.name(), inputs[&input == &inputs[0] ? 1 : 0].name());
    return false;
  }
  return check_pair(inputs[0], inputs[1], reason);
}

GstCaps* stereo_sink_caps(GstCaps* own, const GstCaps* taken, bool packed, const GstCaps* like) {
  if (taken != nullptr && !gst_caps_is_empty(taken)) {
    GstCaps* limits = limits_of(taken, packed);
    GstCaps* limited = gst_caps_intersect_full(own, limits, GST_CAPS_INTERSECT_FIRST);
    gst_caps_unref(limits);
    gst_caps_unref(own);
    own = limited;
  }
  if (like == nullptr) return own;
  // The other view's caps come first; different ones are refused with a reason when they come.
  GstStructure* fields = gst_structure_new_empty("video/x-raw");
  for (const char* field : {"format", "width", "height"}) {
    const GValue* value = gst_structure_get_value(gst_caps_get_structure(like, 0), field);
    if (value != nullptr) gst_structure_set_value(fields, field, value);
  }
  GstCaps* wanted = gst_caps_new_empty();
  gst_caps_append_structure_full(wanted, fields,
                                 gst_caps_features_copy(gst_caps_get_features(like, 0)));
  GstCaps* first = gst_caps_intersect_full(wanted, own, GST_CAPS_INTERSECT_FIRST);
  gst_caps_unref(wanted);
  gst_caps_append(first, own);
  return first;
}

}  // namespace rdp::gst
