// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/memory/packed_views.h"

namespace rdp::gst {
namespace {

constexpr const char* kTwoStreams = "send the views as two streams to the pads left and right";

// Refuses a mode that is unknown, or whose views are not rectangles of one buffer.
bool refuse_mode(GstVideoMultiviewMode mode, std::string* reason) {
  const char* name = gst_video_multiview_mode_to_caps_string(mode);
  const char* why = "has no rectangle for each view";
  if (mode == GST_VIDEO_MULTIVIEW_MODE_FRAME_BY_FRAME ||
      mode == GST_VIDEO_MULTIVIEW_MODE_MULTIVIEW_FRAME_BY_FRAME) {
    why = "has one view in each buffer";
  } else if (mode == GST_VIDEO_MULTIVIEW_MODE_SEPARATED) {
    why = "has each view in a memory of its own";
  }
  *reason = format_text(
      "the caps say multiview-mode=%s, which %s, where side-by-side or top-bottom is expected: let "
      "the source send one of them, or %s; if the caps are wrong, set packing",
      name != nullptr ? name : "(unknown)", why, kTwoStreams);
  return false;
}

bool find_packing(GstVideoMultiviewMode mode, Packing* packing, std::string* reason) {
  switch (mode) {
    case GST_VIDEO_MULTIVIEW_MODE_NONE:
    case GST_VIDEO_MULTIVIEW_MODE_MONO:
    case GST_VIDEO_MULTIVIEW_MODE_LEFT:
    case GST_VIDEO_MULTIVIEW_MODE_RIGHT:
      *packing = Packing::kNone;
      return true;
    case GST_VIDEO_MULTIVIEW_MODE_SIDE_BY_SIDE:
      *packing = Packing::kSideBySide;
      return true;
    case GST_VIDEO_MULTIVIEW_MODE_TOP_BOTTOM:
      *packing = Packing::kTopBottom;
      return true;
    default:
      return refuse_mode(mode, reason);
  }
}

struct RefusedFlag {
  guint flag;
  const char* name;
  const char* meaning;
  const char* remedy;
};

constexpr char kTurn[] =
    "let the source turn it, or send the views as two streams, with videoflip before the pad of "
    "this one";
constexpr RefusedFlag kRefused[] = {
    {GST_VIDEO_MULTIVIEW_FLAGS_LEFT_FLIPPED, "left-flipped", "the left view is upside down", kTurn},
    {GST_VIDEO_MULTIVIEW_FLAGS_LEFT_FLOPPED, "left-flopped", "the left view is mirrored", kTurn},
    {GST_VIDEO_MULTIVIEW_FLAGS_RIGHT_FLIPPED, "right-flipped", "the right view is upside down",
     kTurn},
    {GST_VIDEO_MULTIVIEW_FLAGS_RIGHT_FLOPPED, "right-flopped", "the right view is mirrored", kTurn},
    {GST_VIDEO_MULTIVIEW_FLAGS_HALF_ASPECT, "half-aspect",
     "the views are squeezed to half of their size, so that disparities are not those of the "
     "camera",
     "let the source send views of full size, or, if they are, take the flag out of the caps "
     "(capssetter)"},
    {GST_VIDEO_MULTIVIEW_FLAGS_MIXED_MONO, "mixed-mono", "some buffers have one view alone",
     "let the source send pairs only, or, if it does, take the flag out of the caps (capssetter)"},
};

bool check_flags(guint flags, std::string* reason) {
  for (const RefusedFlag& refused : kRefused) {
    if ((flags & refused.flag) == 0) continue;
    *reason = format_text(
        "the caps have %s in multiview-flags: %s, where right-view-first alone is expected: %s",
        refused.name, refused.meaning, refused.remedy);
    return false;
  }
  const guint unknown = flags & ~static_cast<guint>(GST_VIDEO_MULTIVIEW_FLAGS_RIGHT_VIEW_FIRST);
  if (unknown == 0) return true;
  *reason = format_text(
      "the caps have 0x%x in multiview-flags, which is not known, where right-view-first alone is "
      "expected: %s",
      unknown, kTwoStreams);
  return false;
}

}  // namespace

bool find_view_layout(const GstVideoInfo& info, PackingChoice choice, MemoryKind kind,
                      ViewLayout* layout, std::string* reason) {
  *layout = {};
  Packing packing = Packing::kNone;
  switch (choice) {
    case PackingChoice::kAuto:
      if (!find_packing(GST_VIDEO_INFO_MULTIVIEW_MODE(&info), &packing, reason)) return false;
      break;
    case PackingChoice::kSideBySide:
      packing = Packing::kSideBySide;
      break;
    case PackingChoice::kTopBottom:
      packing = Packing::kTopBottom;
      break;
    case PackingChoice::kBatch:
      if (kind != MemoryKind::kNvmm) {
        *reason = format_text(
            "packing=batch takes both surfaces of a batch in memory:NVMM, but the caps have %s "
            "memory: set packing=side-by-side or packing=top-bottom, or %s",
            kind == MemoryKind::kCuda ? "CUDA" : "system", kTwoStreams);
        return false;
      }
      packing = Packing::kBatch;
      break;
  }
  const auto flags = static_cast<guint>(GST_VIDEO_INFO_MULTIVIEW_FLAGS(&info));
  if (packing == Packing::kNone) return true;
  if (!check_flags(flags, reason)) return false;
  *layout = {packing, (flags & GST_VIDEO_MULTIVIEW_FLAGS_RIGHT_VIEW_FIRST) != 0};
  return true;
}

bool find_view_size(const ViewLayout& layout, int width, int height, int* view_width,
                    int* view_height, std::string* reason) {
  const bool beside = layout.packing == Packing::kSideBySide;
  const bool above = layout.packing == Packing::kTopBottom;
  if ((beside && width % 2 != 0) || (above && height % 2 != 0)) {
    *reason = format_text(
        "a %s frame of %dx%d has an odd %s, which has no two equal halves: crop it by one (for "
        "instance videocrop %s=1), or let the source send an even one",
        beside ? "side-by-side" : "top-bottom", width, height, beside ? "width" : "height",
        beside ? "right" : "bottom");
    return false;
  }
  *view_width = beside ? width / 2 : width;
  *view_height = above ? height / 2 : height;
  return true;
}

GstCaps* view_caps_new(GstCaps* caps, const ViewLayout& layout, std::string* reason) {
  const GstStructure* packed = gst_caps_get_structure(caps, 0);
  int width = 0;
  int height = 0;
  if (!gst_structure_get_int(packed, "width", &width) ||
      !gst_structure_get_int(packed, "height", &height)) {
    *reason = "the caps say no width and height";
    return nullptr;
  }
  if (!find_view_size(layout, width, height, &width, &height, reason)) return nullptr;
  GstCaps* view = gst_caps_copy(caps);
  GstStructure* fields = gst_caps_get_structure(view, 0);
  gst_structure_set(fields, "width", G_TYPE_INT, width, "height", G_TYPE_INT, height, nullptr);
  gst_structure_remove_fields(fields, "multiview-mode", "multiview-flags", "views", nullptr);
  return view;
}

namespace {

// Returns the first or the second half of a frame.
FrameSurface half_of(const FrameSurface& frame, const ViewLayout& layout, int width, int height,
                     bool second) {
  const int row = second && layout.packing == Packing::kTopBottom ? height : 0;
  const int column = second && layout.packing == Packing::kSideBySide ? width : 0;
  FrameSurface half;
  if (frame.host.data != nullptr) {
    half.host = frame.host;
    half.host.data = frame.host.row(row) +
                     static_cast<std::ptrdiff_t>(column) * bytes_per_sample(frame.host.type);
    half.host.width = width;
    half.host.height = height;
  }
  if (frame.device.data != 0) {
    half.device = frame.device;
    half.device.data += static_cast<cuda::DevicePointer>(
        row * frame.device.pitch + std::int64_t{column} * bytes_per_sample(frame.device.type));
    half.device.width = width;
    half.device.height = height;
  }
  return half;
}

}  // namespace

bool split_views(std::span<const FrameSurface> surfaces, const ViewLayout& layout,
                 FrameSurface* left, FrameSurface* right, std::string* reason) {
  if (layout.packing == Packing::kNone) {
    *reason = "the frame is one view alone";
    return false;
  }
  const bool batch = layout.packing == Packing::kBatch;
  if (surfaces.size() != (batch ? 2U : 1U)) {
    *reason = batch
                  ? format_text(
                        "packing=batch takes the left view from the first and the right view from "
                        "the second of two surfaces in a buffer, but the buffer has %zu: set "
                        "batch-size=2 where the element before has it",
                        surfaces.size())
                  : format_text(
                        "a packed frame is one surface in a buffer, but the buffer has %zu: set "
                        "packing=batch if the two surfaces of a batch are the views",
                        surfaces.size());
    return false;
  }
  FrameSurface first, second;
  if (batch) {
    first = surfaces[0];
    second = surfaces[1];
    if (first.width() != second.width() || first.height() != second.height()) {
      *reason = format_text(
          "the surfaces of the batch are %dx%d and %dx%d, where both views have one size: scale "
          "them to the same size before they are batched",
          first.width(), first.height(), second.width(), second.height());
      return false;
    }
  } else {
    const FrameSurface& frame = surfaces[0];
    int width = 0;
    int height = 0;
    if (!find_view_size(layout, frame.width(), frame.height(), &width, &height, reason)) {
      return false;
    }
    first = half_of(frame, layout, width, height, false);
    second = half_of(frame, layout, width, height, true);
  }
  *left = layout.right_first ? second : first;
  *right = layout.right_first ? first : second;
  return true;
}

}  // namespace rdp::gst
