// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_BASE_CAPS_EXPLAINER_H_
#define RDP_GST_ELEMENTS_BASE_CAPS_EXPLAINER_H_

#include <gst/gst.h>

// Messages about caps: what an element accepts, and why it refuses others. Knows no pads.
namespace rdp::gst {

// The words for refused caps.
struct CapsWords {
  const char* takes;   // after the memories: "format GRAY16_LE or GRAY8, up to 16384x16384"
  const char* remedy;  // remedies for common mistakes: elements to insert upstream
  // Media other than video in one of the memories: "application/x-points in system memory".
  const char* media = nullptr;
  const char* example =  // for frames that come without caps
      "video/x-raw,format=GRAY16_LE,width=640,height=480 (rawvideoparse or a capsfilter adds them "
      "to raw data)";
};

// Returns video caps with these fields in every memory usable here. System memory is last: peers
// that support several prefer the first.
GstCaps* video_caps_of_all_memories(const char* fields, bool nvmm);

// Removes structures in CUDA memory (transfer full), for elements that cannot use it.
GstCaps* without_cuda_memory(GstCaps* caps);

// Posts an element error if `caps` are not in all of these: `templ` (the pad's template), `own`
// (with backend=cpu: without CUDA memory), `allowed` (also accepted downstream). True if it posted.
// May throw std::bad_alloc.
bool explain_refused_caps(GstElement* element, const CapsWords& words, GstCaps* caps,
                          GstCaps* templ, GstCaps* own, GstCaps* allowed);

// Core sends refused caps again before the next event or buffer. Probes therefore note on the pad
// which CAPS event they have explained.
bool caps_event_is_explained(GstPad* pad, GstEvent* event);
void note_explained_caps_event(GstPad* pad, GstEvent* event);
// Forgets them on all sink pads when the element stops, so that a restart explains again.
void forget_explained_caps_events(GstElement* element);

// Explains a CAPS event on its way to `pad`, once for each event. For the pad's probe: core refuses
// caps silently, before the element sees them. If memory for the message is lacking, core's refusal
// stands.
void explain_caps_event(GstElement* element, GstPad* pad, GstEvent* event, const CapsWords& words,
                        GstCaps* own, GstCaps* allowed) noexcept;

// Adds a probe that does this to the sink pad of an element on one of GStreamer's base classes. It
// asks the pad for the allowed caps. `words` outlives the pad.
void explain_caps_of_pad(GstPad* sink, const CapsWords* words);

// Posts an error if frames are interlaced; true if it did. `caps` are fixed and of video.
bool explain_interlaced_frames(GstElement* element, const GstCaps* caps);

// Posts an error unless each frame is one progressive picture: not interlaced, not several views in
// one frame. True if it did. `caps` are fixed and of video.
bool explain_mixed_frames(GstElement* element, const GstCaps* caps);

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_BASE_CAPS_EXPLAINER_H_
