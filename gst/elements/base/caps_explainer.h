// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_BASE_CAPS_EXPLAINER_H_
#define RDP_GST_ELEMENTS_BASE_CAPS_EXPLAINER_H_

#include <gst/gst.h>

// Messages of elements about caps: those that they take, and the reasons to refuse others. Knows no
// pads.
namespace rdp::gst {

// The words for refused caps.
struct CapsWords {
  const char* takes;   // after the memories: "format GRAY16_LE or GRAY8, up to 16384x16384"
  const char* remedy;  // what to put before the element, for each common mistake
  // Media other than video in one of the memories: "application/x-points in system memory".
  const char* media = nullptr;
  const char* example =  // for frames that come without caps
      "video/x-raw,format=GRAY16_LE,width=640,height=480 (rawvideoparse or a capsfilter adds them "
      "to raw data)";
};

// Video caps with these fields in system memory, and before them in other memory that can be used
// here: who has both takes the first.
GstCaps* video_caps_of_all_memories(const char* fields, bool nvmm);

// Takes structures in CUDA memory away, where an element leaves those to others.
GstCaps* without_cuda_memory(GstCaps* caps);

// Posts an element error where `caps` cannot come: they are not in `templ` (what the pad ever
// takes), not in `own` (with backend=cpu: without CUDA memory), or not in `allowed` (what follows
// takes, too). Whether it did. May throw std::bad_alloc.
bool explain_refused_caps(GstElement* element, const CapsWords& words, GstCaps* caps,
                          GstCaps* templ, GstCaps* own, GstCaps* allowed);

// Caps that are refused come again with whatever follows them: probes that say why remember on the
// pad which CAPS event they have explained.
bool caps_event_is_explained(GstPad* pad, GstEvent* event);
void note_explained_caps_event(GstPad* pad, GstEvent* event);
// For all sink pads, when the element stops: the next time it has to say so again.
void forget_explained_caps_events(GstElement* element);

// The same of a CAPS event on its way to `pad`, for the pad's probe: core refuses caps without a
// word, and before the element sees them. Once for each event. Throws nothing: without memory to
// say it core's refusal stands.
void explain_caps_event(GstElement* element, GstPad* pad, GstEvent* event, const CapsWords& words,
                        GstCaps* own, GstCaps* allowed) noexcept;

// For elements on base classes of GStreamer: a probe on their sink pad that does this, with the
// caps that the pad is asked for. `words` stay.
void explain_caps_of_pad(GstPad* sink, const CapsWords* words);

// The same for frames that are interlaced. Whether it posted an error. `caps` are fixed and of
// video.
bool explain_interlaced_frames(GstElement* element, const GstCaps* caps);

// The same for frames that are not one progressive picture each: interlaced ones, and several views
// in one frame. Whether it posted an error. `caps` are fixed and of video.
bool explain_mixed_frames(GstElement* element, const GstCaps* caps);

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_BASE_CAPS_EXPLAINER_H_
