// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_MEMORY_PACKED_VIEWS_H_
#define RDP_GST_MEMORY_PACKED_VIEWS_H_

#include <gst/video/video.h>

#include <span>
#include <string>

#include "gst/memory/frame_mapper.h"
#include "gst/memory/memory_kind.h"

// Both views of a stereo pair in one buffer: what caps say of it, and the two views in place. The
// functions copy no sample, and allocate only for messages. None of them throws but std::bad_alloc.
namespace rdp::gst {

// The arrangement of the views in a buffer.
enum class Packing {
  kNone,        // one view alone
  kSideBySide,  // the halves of each row
  kTopBottom,   // the halves of the rows
  kBatch,       // the two surfaces of a batch in NVMM memory
};

// The user's choice of arrangement: as the caps say, or one of the others whatever they say.
enum class PackingChoice { kAuto, kSideBySide, kTopBottom, kBatch };

struct ViewLayout {
  Packing packing = Packing::kNone;
  bool right_first = false;  // the right view is where the left one is else

  bool operator==(const ViewLayout&) const = default;
};

// Finds how the views are packed in buffers whose caps are `info` and speak of `kind`. With kAuto
// `multiview-mode` decides: mono, left, right and no mode at all are one view. Any other choice
// comes before the mode. `multiview-flags` counts in any case, since it says how the views are
// stored: right-view-first exchanges them, of the others none is taken. False: *reason names the
// mode or the flag, and what to do.
bool find_view_layout(const GstVideoInfo& info, PackingChoice choice, MemoryKind kind,
                      ViewLayout* layout, std::string* reason);

// The size of one view, in samples, of a frame of `width` × `height`. False, with *reason: the side
// that is to be divided is odd.
bool find_view_size(const ViewLayout& layout, int width, int height, int* view_width,
                    int* view_height, std::string* reason);

// The caps of one view of frames whose fixed caps are `caps`: the size of a view, and neither
// `multiview-mode` nor `multiview-flags` nor `views`. GStreamer takes a stream without them for
// monoscopic, which frames that are computed from both views are: they are no view of a pair, so
// they are not `left` either. Everything else stays, also the features. Null, with *reason: see
// find_view_size(); or there is no size.
GstCaps* view_caps_new(GstCaps* caps, const ViewLayout& layout, std::string* reason);

// Finds both views among the surfaces of a mapped buffer: FrameMapper::surfaces(). Host and device
// side are divided alike, where they are mapped; views have the stride of the frame. False, with
// *reason: the layout is kNone, the number of surfaces is another than two (kBatch) or one (else),
// surfaces differ in size, or a side is odd.
bool split_views(std::span<const FrameSurface> surfaces, const ViewLayout& layout,
                 FrameSurface* left, FrameSurface* right, std::string* reason);

}  // namespace rdp::gst

#endif  // RDP_GST_MEMORY_PACKED_VIEWS_H_
