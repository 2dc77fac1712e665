// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_MEMORY_PACKED_VIEWS_H_
#define RDP_GST_MEMORY_PACKED_VIEWS_H_

#include <gst/video/video.h>

#include <span>
#include <string>

#include "gst/memory/frame_mapper.h"
#include "gst/memory/memory_kind.h"

// Both views of a stereo pair in one buffer: finds their layout by the caps, and the views in
// place. Copies no sample, and allocates only for messages. Throws at most std::bad_alloc.
namespace rdp::gst {

// The arrangement of the views in a buffer.
enum class Packing {
  kNone,        // one view alone
  kSideBySide,  // the halves of each row
  kTopBottom,   // the halves of the rows
  kBatch,       // the two surfaces of a batch in NVMM memory
};

// The user's choice of layout: by the caps, or a fixed one that overrides them.
enum class PackingChoice { kAuto, kSideBySide, kTopBottom, kBatch };

struct ViewLayout {
  Packing packing = Packing::kNone;
  bool right_first = false;  // the left and right views are exchanged

  bool operator==(const ViewLayout&) const = default;
};

// Finds how the views are packed in buffers with caps `info` in memory of `kind`. kAuto uses
// `multiview-mode`: mono, left, right and no mode mean one view. Any other choice overrides the
// mode. With two views `multiview-flags` counts, because it describes storage: right-view-first
// exchanges the views, and other flags are refused. False: *reason names the mode or the flag, and
// the remedy.
bool find_view_layout(const GstVideoInfo& info, PackingChoice choice, MemoryKind kind,
                      ViewLayout* layout, std::string* reason);

// Finds the size of one view, in samples, of a `width` × `height` frame. False, with *reason: the
// side to be divided is odd.
bool find_view_size(const ViewLayout& layout, int width, int height, int* view_width,
                    int* view_height, std::string* reason);

// Returns the caps of one view, for frames with the fixed caps `caps`: a view's size, without
// `multiview-mode`, `multiview-flags` and `views`. GStreamer treats streams without them as
// monoscopic, which fits frames computed from both views: they are not `left` either. All else
// stays, including features. Null, with *reason: see find_view_size(); or the caps have no size.
GstCaps* view_caps_new(GstCaps* caps, const ViewLayout& layout, std::string* reason);

// Finds both views among the surfaces of a mapped buffer: FrameMapper::surfaces(). Divides the host
// and device sides that are mapped; views keep the frame's stride. False, with *reason: the layout
// is kNone, there are not two surfaces (kBatch) or one (otherwise), surfaces differ in size, or a
// side is odd.
bool split_views(std::span<const FrameSurface> surfaces, const ViewLayout& layout,
                 FrameSurface* left, FrameSurface* right, std::string* reason);

}  // namespace rdp::gst

#endif  // RDP_GST_MEMORY_PACKED_VIEWS_H_
