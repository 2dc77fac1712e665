// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_BASE_GSTRDPJOINER_H_
#define RDP_GST_ELEMENTS_BASE_GSTRDPJOINER_H_

#include <gst/base/gstaggregator.h>

#include <memory>
#include <span>

#include "gst/elements/base/caps_explainer.h"
#include "gst/elements/base/element_core.h"
#include "gst/elements/base/joiner_stream.h"
#include "gst/elements/base/pairing.h"

// The base of elements that join several inputs into one output, as GstRdpAnalyzer is for those
// with one. Abstract, on GstAggregator, whose virtual functions are answered here, once.
//
// The base has the pads, a table (JoinerPadRow), with their streams, caps, refusals and
// downstream's limits. It pairs buffers (pairing.h), and has latency, GAP, flushes, QoS and seeks.
// It warns of silent inputs (input_watch.h). It has allocation, CUDA contexts, extra source pads
// (extra_pad.h), states, the check of backend=cuda and statistics. An element brings
// - its settings, a struct that derives from JoinerSettings, and its table of properties
//   (element_properties.h);
// - its table of pads, the rules of pairing and a few words;
// - its JoinerStream, made in new_stream(). JoinedWork (joined_work.h) is one that works on frames
//   with a Method and sends frames of its own.
// tests/base/two_inputs_element.cpp is a complete one to start from.
//
// Inputs come and go at any time. The main one gives the output its time stamps, segment, tags and
// rate. It is the first one in the order of the table and of the pads' numbers, unless the class
// says its number. All others are paired with it, in this order. If an input is released while
// buffers of others wait for it, one buffer of each goes with it. None goes if the inputs that stay
// are too few, or if there is a new one by then.
//
// Threads. Application threads request and release pads, upstream threads bring data and events
// that are not serialised. They change the list of inputs under the object lock and leave a note
// (`inputs_changed`). The aggregator's task, the streaming thread, takes the list over before it
// looks at buffers or serialised events. So a stream never sees it change in the middle of its
// work. The streaming thread waits only in an extra pad or downstream of one. Its wait ends before
// the parent joins the thread, as extra_pad.h demands.

namespace rdp::gst {

// One row of an element's table of pads.
struct JoinerPadRow {
  enum class Role {
    kFrames,    // an input: frames that are worked on and end here
    kPassing,   // the main input, whose buffers go on to src
    kMetadata,  // an input of which the base reads no sample
    kSource,    // src; one row
    kData,      // an extra pad of data (data_pad.h)
    kPicture,   // an extra pad of pictures (picture_pad.h); one row at most
  };
  // The name of its template. An input without "%u" is one pad, with "sink_%u" up to `most` of
  // them.
  const char* name;
  Role role;
  // Fields of video caps, for all memories that such a pad can have; or the caps (transfer full).
  const char* fields = nullptr;
  GstCaps* (*caps)() = nullptr;
  const CapsWords* words = nullptr;  // of inputs
  GType (*type)() = nullptr;         // of extra pads
  GstPadPresence presence = GST_PAD_REQUEST;
  std::size_t most = 16;
  bool chroma = false;  // of an input: that of NV12 in system memory is read, too

  bool is_input() const { return role <= Role::kMetadata; }
  bool is_extra() const { return role == Role::kData || role == Role::kPicture; }
};

// The settings of all elements that join: pairing_properties.h has the rows of `pairing`.
struct JoinerSettings : AnalyzerSettings {
  PairingSettings pairing;
};

// Counts since the element went to PAUSED.
struct JoinerStats {
  AnalyzerStats work;  // with all pictures that were dropped; `frames` counts what JoinedWork does
  PairingCounts pairing;
  guint64 largest_distance = 0;  // see Pairing::largest_distance()
  guint64 largest_spread = 0;    // see Pairing::largest_spread()
};

}  // namespace rdp::gst

G_BEGIN_DECLS

#define GST_TYPE_RDP_JOINER (gst_rdp_joiner_get_type())
GType gst_rdp_joiner_get_type(void);
#define GST_RDP_JOINER(obj) (G_TYPE_CHECK_INSTANCE_CAST((obj), GST_TYPE_RDP_JOINER, GstRdpJoiner))
#define GST_RDP_JOINER_CLASS(klass) \
  (G_TYPE_CHECK_CLASS_CAST((klass), GST_TYPE_RDP_JOINER, GstRdpJoinerClass))
#define GST_RDP_JOINER_GET_CLASS(obj) \
  (G_TYPE_INSTANCE_GET_CLASS((obj), GST_TYPE_RDP_JOINER, GstRdpJoinerClass))

typedef struct _GstRdpJoinerPrivate GstRdpJoinerPrivate;

typedef struct _GstRdpJoiner {
  GstAggregator parent;

  GstRdpJoinerPrivate* priv;
} GstRdpJoiner;

typedef struct _GstRdpJoinerClass {
  GstAggregatorClass parent_class;

  // Words: see ElementWords; and what an input brings, "view", for messages about pads.
  GstDebugCategory* category;
  const char* verb;
  const char* participle;
  const char* input;

  // Set by gst_rdp_joiner_class_set_pads ().
  const rdp::gst::JoinerPadRow* pads;
  std::size_t n_pads;
  rdp::gst::PairingRules rules;
  // With fewer inputs nothing is worked on; 0 is 1.
  std::size_t least_inputs;
  // True if the only input can stand for several: its next buffer is a batch. Null: never.
  // Streaming thread.
  bool (*is_whole_set)(const rdp::gst::JoinedInput& input, GstBuffer* next);
  // The row of an extra pad that needs pairs: without that pad nothing is paired, and the last
  // buffer of the other inputs counts, however old. It stays on its pad until the next one
  // takes its place, so that nobody waits. 0: all is paired.
  std::size_t pairs_for;
  // A buffer has come to another input than the main one, in its upstream's thread. Null: nothing
  // is looked at.
  void (*see_other)(GstRdpJoiner* self, GstPad* pad, GstBuffer* buffer);
  // After how many seconds the user is told of a live input to which nothing comes; 0: as of
  // others.
  guint live_timeout_s;

  // Makes the settings of an instance, which are JoinerSettings, with their defaults. Mandatory;
  // element_properties.h sets it.
  rdp::gst::AnalyzerSettings* (*new_settings)(void);
  // Makes the stream to come. Mandatory. May throw.
  rdp::gst::JoinerStream* (*new_stream)(GstRdpJoiner* self);
  // The method that backend=cuda is tried with on the way to READY; null: there is none to try. May
  // throw.
  rdp::gst::Method* (*new_method)(GstRdpJoiner* self);
  // Checks the needs of backend=cuda, in place of check_backend() of frame_work.h. False, after an
  // element error. From NULL to READY.
  bool (*check_backend)(GstRdpJoiner* self);

  // The caps of an input's template (transfer full) that are left with backend=cpu. Null:
  // without_cuda_memory().
  GstCaps* (*cpu_caps)(GstCaps* templ);
  // The answer to a caps query on an input that is kFrames or kPassing. `own` (transfer full): the
  // caps that it takes with the backend that is set. Null: those. Any thread.
  GstCaps* (*input_caps)(GstRdpJoiner* self, GstPad* pad, GstCaps* own);
  // The answer to a caps query on src (transfer full). Null: its template. Any thread.
  GstCaps* (*output_caps)(GstRdpJoiner* self);
  // The number of the main input, of a row of several pads; where there is no such pad, the first
  // one is the main one. It changes in NULL and READY alone. Null: it is the first one. Any thread.
  guint (*main_number)(GstRdpJoiner* self);

  // The statistics as the property `stats` has them. The base adds a structure `inputs`, with one
  // for each pad. These count the buffers in a set (`used`) and in none (`dropped`), and have the
  // running time of the last one (`last-time`). Mandatory.
  GstStructure* (*make_stats)(GstRdpJoiner* self, const rdp::gst::JoinerStats* stats);

  gpointer padding[3];
} GstRdpJoinerClass;

G_DEFINE_AUTOPTR_CLEANUP_FUNC(GstRdpJoiner, gst_object_unref)

// In class_init: adds the templates of the table, which has static storage.
void gst_rdp_joiner_class_set_pads(GstRdpJoinerClass* klass,
                                   std::span<const rdp::gst::JoinerPadRow> pads);

// For G_IMPLEMENT_INTERFACE (GST_TYPE_CHILD_PROXY, …) of elements with extra pads: their properties
// from a launch line, as in overlay::legend=false.
void gst_rdp_joiner_child_proxy_init(gpointer iface, gpointer data);

// The pads of inputs that there are now; and the main one, with a reference, or null. Any thread.
guint gst_rdp_joiner_count_inputs(GstRdpJoiner* self);
GstPad* gst_rdp_joiner_ref_main(GstRdpJoiner* self);

G_END_DECLS

// The core of a GstRdpJoiner. Any thread.
rdp::gst::ElementCore& gst_rdp_joiner_core(gpointer element);

namespace rdp::gst {

// See ElementCore. Any thread.
template <typename Settings>
Settings copy_settings(GstRdpJoiner* self) {
  return gst_rdp_joiner_core(self).copy_settings<Settings>();
}

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_BASE_GSTRDPJOINER_H_
