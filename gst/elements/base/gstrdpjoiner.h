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

// The base of elements that join several inputs into one output; GstRdpAnalyzer is for one input.
// Abstract, on GstAggregator, whose virtual functions it implements.
//
// The base handles pads by a table (JoinerPadRow), with their streams, caps, refusals and
// downstream's limits. It pairs buffers (pairing.h), handles latency, GAP, flushes, QoS and seeks,
// and warns of silent inputs (input_watch.h). It also handles allocation, CUDA contexts, extra
// source pads (extra_pad.h), states, the check of backend=cuda and statistics. An element provides
// - its settings, a struct that derives from JoinerSettings, and its table of properties
//   (element_properties.h);
// - its table of pads, the rules of pairing and a few words;
// - its JoinerStream, made in new_stream(). JoinedWork (joined_work.h) is one that works on frames
//   with a Method and sends frames of its own.
// tests/base/two_inputs_element.cpp is a complete one to start from.
// Inputs come and go at any time. The main input gives the output its time stamps, segment, tags
// and rate. It is the first one by the order of the table and of the pads' numbers, unless the
// class names another number. All others are paired with it, in this order. If an input is released
// while buffers of others wait for it, one buffer of each of those is dropped. If only one live
// input stays, all its queued buffers are. None is dropped if too few inputs stay, or if a new
// input has come by then.
//
// Threads. Application threads request and release pads; upstream threads bring data and events
// that are not serialised. They change the list of inputs under the object lock and set
// `inputs_changed`. The streaming thread, which is the aggregator's task, copies the list before it
// examines buffers or serialised events. So a stream never sees it change during its work. The
// streaming thread waits only in an extra pad or downstream of one. Its wait ends before the parent
// joins the thread, as extra_pad.h demands.

namespace rdp::gst {

// One row of an element's table of pads.
struct JoinerPadRow {
  enum class Role {
    kFrames,    // an input: frames that are processed and end here
    kPassing,   // the main input, whose buffers go on to src
    kMetadata,  // an input whose samples the base does not read
    kSource,    // src; one row
    kData,      // an extra pad of data (data_pad.h)
    kPicture,   // an extra pad of pictures (picture_pad.h); one row at most
  };
  // The name of its template. An input without "%u" is one pad; "sink_%u" allows up to `most` pads.
  const char* name;
  Role role;
  // Fields of video caps, for all memories that such a pad can have; or a function that returns
  // caps (transfer full).
  const char* fields = nullptr;
  GstCaps* (*caps)() = nullptr;
  const CapsWords* words = nullptr;  // of inputs
  GType (*type)() = nullptr;         // of extra pads
  GstPadPresence presence = GST_PAD_REQUEST;
  std::size_t most = 16;
  bool chroma = false;  // for an input: reads chroma of NV12 in system memory, too

  bool is_input() const { return role <= Role::kMetadata; }
  bool is_extra() const { return role == Role::kData || role == Role::kPicture; }
};

// The settings of all elements that join: pairing_properties.h has the rows of `pairing`.
struct JoinerSettings : AnalyzerSettings {
  PairingSettings pairing;
};

// Counts since the element went to PAUSED.
struct JoinerStats {
  AnalyzerStats work;  // includes all dropped pictures; `frames` counts those of JoinedWork
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

  // Words: see ElementWords; and the name of an input for messages about pads, "stream" if not set.
  GstDebugCategory* category;
  const char* verb;
  const char* participle;
  const char* input;
  const char* frames;  // what is worked on, in the statistics: "pairs"; null: not by FrameWork

  // Set by gst_rdp_joiner_class_set_pads ().
  const rdp::gst::JoinerPadRow* pads;
  std::size_t n_pads;
  rdp::gst::PairingRules rules;
  // Minimum number of inputs; with fewer nothing is processed. 0 counts as 1.
  std::size_t least_inputs;
  // True if the only input can replace several because its next buffer is a batch. Null: never.
  // Streaming thread.
  bool (*is_whole_set)(const rdp::gst::JoinedInput& input, GstBuffer* next);
  // The row of an extra pad that needs pairs; 0: everything is paired. Without that pad nothing is
  // paired, and each other input's last buffer counts, however old. That buffer stays on its pad
  // until the next one replaces it, so that upstream never waits.
  std::size_t pairs_for;
  // Called in the upstream thread when a buffer has arrived at an input other than the main one.
  // Null: not called.
  void (*see_other)(GstRdpJoiner* self, GstPad* pad, GstBuffer* buffer);
  // Seconds until the user is told of a live input without data; 0: as for others.
  guint live_timeout_s;

  // Makes an instance's settings, which derive from JoinerSettings, with their defaults. Mandatory;
  // element_properties.h sets it.
  rdp::gst::AnalyzerSettings* (*new_settings)(void);
  // Makes the stream to come. Mandatory. May throw.
  rdp::gst::JoinerStream* (*new_stream)(GstRdpJoiner* self);
  // Makes a method to try backend=cuda with, on the way to READY; null: none. May throw.
  rdp::gst::Method* (*new_method)(GstRdpJoiner* self);
  // Checks what backend=cuda needs, in place of ElementCore's try_backend(). False, after an
  // element error. From NULL to READY.
  bool (*check_backend)(GstRdpJoiner* self);

  // Returns the caps of an input's template (transfer full) that remain with backend=cpu. Null:
  // without_cuda_memory().
  GstCaps* (*cpu_caps)(GstCaps* templ);
  // Answers a caps query on an input that is kFrames or kPassing. `own` (transfer full): the caps
  // accepted with the present backend. Null: `own` is the answer. Any thread.
  GstCaps* (*input_caps)(GstRdpJoiner* self, GstPad* pad, GstCaps* own);
  // The answer to a caps query on src (transfer full). Null: its template. Any thread.
  GstCaps* (*output_caps)(GstRdpJoiner* self);
  // Returns the number of the main input, in a row of several pads. Without a pad of that number
  // the first pad is the main one. Changes only in NULL and READY. Null: the first pad. Any thread.
  guint (*main_number)(GstRdpJoiner* self);

  // Adds the element's own fields to the property `stats`, which has the base's already: with
  // `frames` those of a GstRdpAnalyzer, the counts of pairing, and a structure `inputs`. It has one
  // structure for each pad, with the buffers in a set (`used`) and in none (`dropped`), and the
  // last running time (`last-time`). Null: there are no own fields.
  void (*add_stats)(GstRdpJoiner* self, const rdp::gst::JoinerStats* stats, GstStructure* fields);

  gpointer padding[3];
} GstRdpJoinerClass;

G_DEFINE_AUTOPTR_CLEANUP_FUNC(GstRdpJoiner, gst_object_unref)

// In class_init: adds the templates of the table, which has static storage.
void gst_rdp_joiner_class_set_pads(GstRdpJoinerClass* klass,
                                   std::span<const rdp::gst::JoinerPadRow> pads);

// For G_IMPLEMENT_INTERFACE (GST_TYPE_CHILD_PROXY, …) of elements with extra pads, so that launch
// lines can set their properties, as in overlay::legend=false.
void gst_rdp_joiner_child_proxy_init(gpointer iface, gpointer data);

// Return the number of present input pads; the main one (transfer full), or null. Any thread.
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
