// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_DEPTHSTEREO_STEREO_CAPS_H_
#define RDP_GST_ELEMENTS_DEPTHSTEREO_STEREO_CAPS_H_

#include <gst/video/video.h>

#include <string>

#include "gst/elements/base/caps_explainer.h"
#include "gst/memory/memory_kind.h"
#include "gst/memory/packed_views.h"

// The caps of depthstereo. Functions of their arguments alone, which know no element.
namespace rdp::gst {

extern const CapsWords kStereoCapsWords;

// What the pads can ever have: views, disparity, what is 8 bits a pixel, and pictures.
GstCaps* stereo_view_template();
GstCaps* stereo_disparity_template();
GstCaps* stereo_gray_template();
GstCaps* stereo_picture_template();

// What one input sends. Keeps a reference to the caps.
struct StereoInput {
  StereoInput() = default;
  ~StereoInput() { gst_clear_caps(&caps); }
  StereoInput(const StereoInput&) = delete;
  StereoInput& operator=(const StereoInput&) = delete;

  GstCaps* caps = nullptr;  // null: none have come
  GstVideoInfo info{};
  MemoryKind memory = MemoryKind::kSystem;

  // False: they do not describe a frame.
  bool take(GstCaps* caps_that_came);
};

// Finds how the views are laid out: in both inputs, or packed in one. `other` is null where there
// is one. False, with *reason, a sentence that names what is wrong and the remedy. Throws
// std::bad_alloc.
bool find_stereo_layout(const StereoInput& main, const char* main_pad, const StereoInput* other,
                        const char* other_pad, PackingChoice choice, ViewLayout* layout,
                        std::string* reason);

// Caps of src for fixed caps of one view: GRAY16_LE of its size and rate, in the memories that are
// allowed, the best first. `cuda`: memory:CUDAMemory can be used; `cuda_first`: the views are on a
// GPU, or are to be brought there.
GstCaps* stereo_disparity_caps(const GstCaps* view, bool cuda, bool cuda_first);
// Those of a data pad: GRAY8 in system memory.
GstCaps* stereo_gray_caps(const GstCaps* view);

// What a sink pad takes: `own`, as far as what follows src takes its size and rate (`taken`: what
// downstream takes of src; null: not asked), with the caps of `like` first, where right is to be
// like left (null: no matter). Takes own.
GstCaps* stereo_sink_caps(GstCaps* own, const GstCaps* taken, bool packed, const GstCaps* like);

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_DEPTHSTEREO_STEREO_CAPS_H_
