// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_BASE_GSTRDPJOINER_PRIVATE_H_
#define RDP_GST_ELEMENTS_BASE_GSTRDPJOINER_PRIVATE_H_

#include <atomic>
#include <mutex>

#include "gst/elements/base/flush_turn.h"
#include "gst/elements/base/gstrdpjoiner.h"
#include "gst/elements/base/input_wait.h"
#include "gst/elements/base/input_watch.h"

// Shared by the files of the base: gstrdpjoiner.cpp has the object, its states and its stream;
// gstrdpjoinerpads.cpp the pads, their caps and arriving data.

// Every function of the base has the element as `self`.
#define GST_CAT_DEFAULT (GST_RDP_JOINER_GET_CLASS(self)->category)

// As long as the element lives.
struct _GstRdpJoinerPrivate final : rdp::gst::ElementCore {
  // Extra pads have the places of their rows.
  _GstRdpJoinerPrivate(GstRdpJoiner* element, const GstRdpJoinerClass& klass)
      : ElementCore(GST_ELEMENT(element), {klass.category, klass.verb, klass.participle},
                    klass.new_settings(), klass.n_pads),
        self(element),
        pairing(GST_AGGREGATOR(element), klass.rules),
        watch(GST_AGGREGATOR(element), klass.input,
              klass.live_timeout_s == 0 ? rdp::gst::InputWatch::kPatience : klass.live_timeout_s) {}
  ~_GstRdpJoinerPrivate() override { forget_caps(); }

  GstStructure* make_stats() override;
  void settings_changed() override;
  bool check_backend(bool with_method) override;
  // For a new stream.
  void forget_caps() {
    for (Place& place : places) gst_clear_caps(&place.caps);
  }

  // An input pad, sorted by row and number. The element owns the pad.
  struct Place {
    std::size_t row;
    guint number;
    GstAggregatorPad* pad;
    GstCaps* caps = nullptr;  // the last one, serialised with the buffers
    bool waits = false;       // had a buffer that waited for an input, which was then released
  };

  GstRdpJoiner* const self;
  rdp::gst::Pairing pairing;
  rdp::gst::InputWatch watch;
  rdp::gst::FlushTurn flush_turn;
  std::mutex pairs_mutex;  // of the pad that needs pairs

  rdp::gst::InstanceVector<Place> places;  // under the object lock
  std::atomic<bool> inputs_changed{true};
  rdp::gst::InputWait input_wait;  // the streaming thread's, for enough inputs

  // Streaming thread.
  bool told_of_few = false;                                // warned of too few inputs
  rdp::gst::InstanceVector<rdp::gst::JoinedInput> inputs;  // with references; the first is main
  rdp::gst::JoinerStream* stream = nullptr;                // between start() and stop()
};

// Returns the place of the main input for main_number() of the class (-1: it has none). Under the
// object lock; at least one place must exist.
std::size_t gst_rdp_joiner_main_place(GstRdpJoiner* self, gint64 number);
gint64 gst_rdp_joiner_main_number(GstRdpJoiner* self);  // takes the lock

// Returns the row of the table that a pad or a template was made from. Any thread.
std::size_t gst_rdp_joiner_row_index(GstRdpJoiner* self, GstPadTemplate* templ);
const rdp::gst::JoinerPadRow& gst_rdp_joiner_row(GstRdpJoiner* self, GstPad* pad);

// Adds the always pads to a new element.
void gst_rdp_joiner_add_pads(GstRdpJoiner* self);
// Sets the pad functions of the class.
void gst_rdp_joiner_class_init_pads(GstRdpJoinerClass* klass);

#endif  // RDP_GST_ELEMENTS_BASE_GSTRDPJOINER_PRIVATE_H_
