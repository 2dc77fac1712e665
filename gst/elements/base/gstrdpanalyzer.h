// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_BASE_GSTRDPANALYZER_H_
#define RDP_GST_ELEMENTS_BASE_GSTRDPANALYZER_H_

#include <gst/gst.h>

#include "gst/elements/base/caps_explainer.h"
#include "gst/elements/base/element_core.h"
#include "gst/elements/base/method.h"

// The base of elements that analyse frames and attach results. Frames pass through one sink and one
// src; a request pad `overlay` sends pictures. Abstract.
//
// The base handles pads, streams, caps and their refusals, all kinds of memory, contexts and
// allocation. It also handles the choice of engine, pictures, seeks, statistics and errors. An
// element provides
// - its settings, a struct that derives from AnalyzerSettings, and its table of properties
//   (element_properties.h);
// - its Method, made in new_method(), which copies the settings in plan();
// - its pad templates "sink" and "src", and "overlay" with a type of its own where it has pictures
//   (a subclass of GstRdpPicturePad);
// - the few words for messages.
// tests/base/count_known.cpp is a complete one to start from.
// It derives from GstElement, not GstBaseTransform, which copies NVMM buffers that are not
// writable, and assumes one source pad. Elements with several sinks use GstRdpJoiner. Both have an
// ElementCore; FrameWork and FrameOutput do their work.

G_BEGIN_DECLS

#define GST_TYPE_RDP_ANALYZER (gst_rdp_analyzer_get_type())
GType gst_rdp_analyzer_get_type(void);
#define GST_RDP_ANALYZER(obj) \
  (G_TYPE_CHECK_INSTANCE_CAST((obj), GST_TYPE_RDP_ANALYZER, GstRdpAnalyzer))
#define GST_RDP_ANALYZER_CLASS(klass) \
  (G_TYPE_CHECK_CLASS_CAST((klass), GST_TYPE_RDP_ANALYZER, GstRdpAnalyzerClass))
#define GST_RDP_ANALYZER_GET_CLASS(obj) \
  (G_TYPE_INSTANCE_GET_CLASS((obj), GST_TYPE_RDP_ANALYZER, GstRdpAnalyzerClass))
#define GST_IS_RDP_ANALYZER(obj) (G_TYPE_CHECK_INSTANCE_TYPE((obj), GST_TYPE_RDP_ANALYZER))

typedef struct _GstRdpAnalyzerPrivate GstRdpAnalyzerPrivate;

typedef struct _GstRdpAnalyzer {
  GstElement parent;

  GstPad* sinkpad;
  GstPad* srcpad;
  GstRdpAnalyzerPrivate* priv;
} GstRdpAnalyzer;

typedef struct _GstRdpAnalyzerClass {
  GstElementClass parent_class;

  // Words.
  // The base's log category; made before class_init, where the element is registered.
  GstDebugCategory* category;
  const rdp::gst::CapsWords* caps_words;
  const char* verb;        // "segment": what is done to a frame
  const char* participle;  // "segmented"
  const char* items;       // "segments": what Method::count() counts; null: nothing

  // Makes the settings of an instance, with their defaults. Mandatory; element_properties.h sets
  // it.
  rdp::gst::AnalyzerSettings* (*new_settings)(void);

  // Sessions. Makes the method for the stream to come, before any data flows, or null after an
  // element error. The settings live longer. Mandatory. May throw.
  rdp::gst::Method* (*new_method)(GstRdpAnalyzer* self);

  // Caps. Checks new caps of the sink that are in the template; false after an element error. Null:
  // nothing to check. May throw.
  bool (*check_caps)(GstRdpAnalyzer* self, GstCaps* caps);
  // Converts caps of the sink (GST_PAD_SINK) to those of src, or the reverse. Null: they are the
  // same, and buffers pass. Otherwise src sends its own frames with the results: video or point
  // clouds (application/x-points) in system or CUDA memory, from a negotiated pool.
  GstCaps* (*transform_caps)(GstRdpAnalyzer* self, GstPadDirection direction, GstCaps* caps);
  // True if src sends its own frames with the present properties, which change only in READY. Null:
  // always, if there is transform_caps(). Any thread.
  bool (*makes_frames)(GstRdpAnalyzer* self);

  // Adds the element's own fields to the property `stats`, which has the base's already: frames and
  // `items`, last-time and mean-time, backend, simd, pictures-dropped. Null: there are none.
  void (*add_stats)(GstRdpAnalyzer* self, const rdp::gst::AnalyzerStats* stats,
                    GstStructure* fields);

  gpointer padding[4];
} GstRdpAnalyzerClass;

G_DEFINE_AUTOPTR_CLEANUP_FUNC(GstRdpAnalyzer, gst_object_unref)

// Adds the pad templates of an element whose frames pass through. Sink and src accept video with
// the fields `frames` in all memories usable here. The request pad `overlay`, of type
// `overlay_type`, sends video with the fields `pictures`. Null and 0: there is no overlay.
void gst_rdp_analyzer_class_add_video_pads(GstRdpAnalyzerClass* klass, const char* frames,
                                           const char* pictures, GType overlay_type);
// Does the same for an element whose sink and src also accept the caps `blobs`, such as point
// clouds. These are not video and have no picture: see Method::takes_blob().
void gst_rdp_analyzer_class_add_pads(GstRdpAnalyzerClass* klass, const char* frames,
                                     const char* blobs, const char* pictures, GType overlay_type);

// Returns format and size of the frames; valid once there were caps of video, and already in
// check_caps(). Streaming thread.
const GstVideoInfo* gst_rdp_analyzer_get_info(GstRdpAnalyzer* self);

G_END_DECLS

// The core of a GstRdpAnalyzer. Any thread.
rdp::gst::ElementCore& gst_rdp_analyzer_core(gpointer element);

namespace rdp::gst {

// See ElementCore. Any thread.
template <typename Settings>
Settings copy_settings(GstRdpAnalyzer* self) {
  return gst_rdp_analyzer_core(self).copy_settings<Settings>();
}

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_BASE_GSTRDPANALYZER_H_
