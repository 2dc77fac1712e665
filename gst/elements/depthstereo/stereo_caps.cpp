// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/depthstereo/stereo_caps.h"

#include "gst/memory/frame_layout.h"
#include "gst/memory/nvmm_library.h"

#define RDP_STEREO_SIDES "width = (int) [ 1, 16384 ], height = (int) [ 1, 16384 ]"

namespace rdp::gst {
namespace {

// Fields that say something of the samples or the memory of views, and nothing of what is made of
// them.
constexpr const char* kFieldsOfViews[] = {
    "colorimetry", "chroma-site", "multiview-mode",         "multiview-flags",   "views",
    "batch-size",  "gpu-id",      "num-surfaces-per-frame", "nvbuf-memory-type", "block-linear",
    "compute-hw",
};

GstStructure* structure_of(const GstCaps* view, const char* format) {
  GstStructure* fields = gst_structure_copy(gst_caps_get_structure(view, 0));
  for (const char* field : kFieldsOfViews) gst_structure_remove_field(fields, field);
  gst_structure_set(fields, "format", G_TYPE_STRING, format, nullptr);
  return fields;
}

// Two views in two streams have to be of one size. Their formats may differ, as may their memory:
// it is the luma that is matched, and a range that one of them has expanded does not change its
// order.
bool check_pair(const StereoInput& main, const char* main_pad, const StereoInput& other,
                const char* other_pad, std::string* reason) {
  const int width = GST_VIDEO_INFO_WIDTH(&main.info);
  const int height = GST_VIDEO_INFO_HEIGHT(&main.info);
  const int other_width = GST_VIDEO_INFO_WIDTH(&other.info);
  const int other_height = GST_VIDEO_INFO_HEIGHT(&other.info);
  if (width != other_width || height != other_height) {
    *reason = format_text(
        "the views are of different sizes, %s %dx%d and %s %dx%d: put videoscale, or videocrop, "
        "and a capsfilter before one of the pads, so that both are as their calibration has them",
        main_pad, width, height, other_pad, other_width, other_height);
    return false;
  }
  return true;
}

// Takes what of `taken` concerns the size and the rate of views.
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
    "format GRAY8, NV12 or I420 (of which the luma is matched), up to 16384x16384",
    "Colour: put videoconvert ! video/x-raw,format=GRAY8 before it, or nvvideoconvert ! "
    "video/x-raw(memory:NVMM),format=NV12. GRAY16: make 8 bits of it the same way. Other memory: "
    "put the element before it that downloads it.",
    nullptr,
    "video/x-raw,format=GRAY8,width=640,height=480 (rawvideoparse or a capsfilter adds them to raw "
    "data)",
};

GstCaps* stereo_view_template() {
  return video_caps_of_all_memories("format = (string) { GRAY8, NV12, I420 }, " RDP_STEREO_SIDES,
                                    true);
}

GstCaps* stereo_disparity_template() {
  return video_caps_of_all_memories("format = (string) GRAY16_LE, " RDP_STEREO_SIDES, false);
}

GstCaps* stereo_gray_template() {
  return video_caps_of_all_memories("format = (string) GRAY8, " RDP_STEREO_SIDES, false);
}

GstCaps* stereo_picture_template() {
#ifdef RDP_HAVE_NVMM
  const bool nvmm = nvmm::library() != nullptr;
#else
  const bool nvmm = false;
#endif
  return video_caps_of_all_memories("format = (string) RGBA, " RDP_STEREO_SIDES, nvmm);
}

bool StereoInput::take(GstCaps* caps_that_came) {
  GstVideoInfo parsed;
  if (!gst_video_info_from_caps(&parsed, caps_that_came)) return false;
  gst_caps_replace(&caps, caps_that_came);
  info = parsed;
  memory = memory_kind(caps_that_came);
  return true;
}

bool find_stereo_layout(const StereoInput& main, const char* main_pad, const StereoInput* other,
                        const char* other_pad, PackingChoice choice, ViewLayout* layout,
                        std::string* reason) {
  *layout = {};
  if (other == nullptr) {
    if (!find_view_layout(main.info, choice, main.memory, layout, reason)) return false;
    if (layout->packing != Packing::kNone) return true;
    *reason = format_text(
        "the pad %s is used alone, and neither its caps (multiview-mode) nor packing say that both "
        "views are in its frames: link the other view to the pad %s, or set packing=side-by-side "
        "or packing=top-bottom",
        main_pad, g_str_equal(main_pad, "left") ? "right" : "left");
    return false;
  }
  if (choice != PackingChoice::kAuto) {
    *reason =
        "packing is for one pad alone that brings both views, but both left and right are used: "
        "release one of them, or set packing=auto";
    return false;
  }
  for (const StereoInput* input : {&main, other}) {
    const char* pad = input == &main ? main_pad : other_pad;
    ViewLayout own;
    if (!find_view_layout(input->info, choice, input->memory, &own, reason)) return false;
    if (own.packing == Packing::kNone) continue;
    *reason = format_text(
        "the frames of the pad %s have both views in them (multiview-mode in its caps), and the "
        "other pad is used, too: release the pad %s, or keep one view with videocrop and "
        "capssetter caps=video/x-raw,multiview-mode=mono",
        pad, input == &main ? other_pad : main_pad);
    return false;
  }
  return check_pair(main, main_pad, *other, other_pad, reason);
}

GstCaps* stereo_disparity_caps(const GstCaps* view, bool cuda, bool cuda_first) {
  GstCaps* caps = gst_caps_new_empty();
  const auto append = [&](const char* feature) {
    gst_caps_append_structure_full(caps, structure_of(view, "GRAY16_LE"),
                                   gst_caps_features_new(feature, nullptr));
  };
  if (cuda && cuda_first) append(kCudaFeature);
  append(GST_CAPS_FEATURE_MEMORY_SYSTEM_MEMORY);
  if (cuda && !cuda_first) append(kCudaFeature);
  return caps;
}

GstCaps* stereo_gray_caps(const GstCaps* view) {
  GstCaps* caps = gst_caps_new_empty();
  gst_caps_append_structure(caps, structure_of(view, "GRAY8"));
  return caps;
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
  // What is like the other view comes first; what is not is refused with a reason when it comes.
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
