// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/base/input_watch.h"

#include <algorithm>
#include <array>

#include "gst/elements/base/input_counters.h"

namespace rdp::gst {

// The state of one input at one look. Holds references.
struct InputWatch::Snapshot {
  GstAggregatorPad* pad = nullptr;
  InputCounters* counters = nullptr;  // the pad's
  bool linked = false;
  bool ended = false;
  bool waits = false;  // has a buffer that was not examined yet
  bool comes = false;  // got data since the last look, or waits
  bool is_told = false;
  bool others_speak = false;
  GstElement* tee = nullptr;  // upstream; with a reference
};

// The element may be freed while the clock still has the callback.
namespace {
struct Call : InstanceMemory {
  GWeakRef element;
  InputWatch* watch;
};
}  // namespace

void InputWatch::start() {
  stop();
  g_type_ensure(GST_TYPE_GHOST_PAD);  // else the first look would allocate
  auto* call = new Call;
  g_weak_ref_init(&call->element, element_);
  call->watch = this;
  GstClock* clock = gst_system_clock_obtain();
  id_ = gst_clock_new_periodic_id(clock, gst_clock_get_time(clock) + GST_SECOND, GST_SECOND);
  gst_object_unref(clock);
  gst_clock_id_wait_async(id_, on_clock, call, [](gpointer data) {
    auto* done = static_cast<Call*>(data);
    g_weak_ref_clear(&done->element);
    delete done;
  });
}

void InputWatch::stop() {
  if (id_ == nullptr) return;
  gst_clock_id_unschedule(id_);
  g_clear_pointer(&id_, gst_clock_id_unref);
}

gboolean InputWatch::on_clock(GstClock*, GstClockTime, GstClockID, gpointer data) {
  auto* call = static_cast<Call*>(data);
  auto* element = static_cast<GstElement*>(g_weak_ref_get(&call->element));
  if (element == nullptr) return TRUE;
  call->watch->look();
  gst_object_unref(element);
  return TRUE;
}

// Finds the next `tee` upstream of a sink pad (transfer full), or null. `most`: elements examined
// on each path.
static GstElement* find_tee(GstPad* sink, int most = 32) {
  g_autoptr(GstPad) peer = gst_pad_get_peer(sink);
  while (peer != nullptr && GST_IS_GHOST_PAD(peer)) {
    GstPad* target = gst_ghost_pad_get_target(GST_GHOST_PAD(peer));
    gst_object_unref(peer);
    peer = target;
  }
  GstElement* element = peer == nullptr ? nullptr : gst_pad_get_parent_element(peer);
  if (element == nullptr || most == 0) {
    gst_clear_object(&element);
    return nullptr;
  }
  GstElementFactory* factory = gst_element_get_factory(element);
  if (factory != nullptr && g_str_equal(GST_OBJECT_NAME(factory), "tee")) return element;
  std::array<GstPad*, InputWatch::kMaxInputs> pads;
  std::size_t count = 0;
  GST_OBJECT_LOCK(element);
  for (GList* pad = element->sinkpads; pad != nullptr && count < pads.size(); pad = pad->next) {
    pads[count++] = GST_PAD(gst_object_ref(pad->data));
  }
  GST_OBJECT_UNLOCK(element);
  gst_object_unref(element);
  GstElement* found = nullptr;
  for (std::size_t i = 0; i < count; ++i) {
    if (found == nullptr) found = find_tee(pads[i], most - 1);
    gst_object_unref(pads[i]);
  }
  return found;
}

// Returns the looks at which an input may be silent. Only in PLAYING is it known to be live.
guint InputWatch::patience(bool playing) const {
  if (!playing || live_timeout_s_ == kPatience) return kPatience;
  return GST_CLOCK_TIME_IS_VALID(gst_aggregator_get_latency(element_)) ? live_timeout_s_
                                                                       : kPatience;
}

// Updates the counters, and marks the inputs to warn of.
void InputWatch::judge(std::span<Snapshot> looks, bool playing, bool is_to_play, guint patience) {
  const bool begins_anew = forget_.exchange(false);
  bool somebody_speaks = false;
  bool nobody_is_told = true;
  for (Snapshot& look : looks) {
    InputCounters& counters = *look.counters;
    if (begins_anew) counters.quiet = 0;
    const guint64 came = counters.came;
    look.comes = counters.seen.exchange(came) != came || look.waits;
    nobody_is_told = nobody_is_told && !counters.told;
    somebody_speaks = somebody_speaks || (look.comes && !look.ended);
  }
  const bool keeps_from_playing = is_to_play && somebody_speaks;
  for (const Snapshot& look : looks) {
    const bool may_pause = busy_ || (look.tee == nullptr && !keeps_from_playing);
    const bool may_be_silent = look.ended || (look.linked && !playing && may_pause);
    look.counters->quiet = look.comes || may_be_silent ? 0 : look.counters->quiet + 1;
  }
  for (Snapshot& look : looks) {
    look.others_speak = somebody_speaks;
    const guint most = look.linked ? patience : kPatience;
    if (look.counters->quiet < most || look.counters->told) continue;
    look.is_told = somebody_speaks || !look.linked || (!playing && nobody_is_told);
    look.counters->told = look.is_told;
    nobody_is_told = nobody_is_told && !look.is_told;
  }
}

// True if the pipeline is to play: below PLAYING it waits for preroll.
static bool is_to_play(GstElement* element) {
  auto* top = GST_OBJECT(gst_object_ref(element));
  while (GstObject* parent = gst_object_get_parent(top)) {
    gst_object_unref(top);
    top = parent;
  }
  bool plays = false;
  if (GST_IS_ELEMENT(top)) {
    GST_OBJECT_LOCK(top);
    plays = GST_STATE_TARGET(top) == GST_STATE_PLAYING;
    GST_OBJECT_UNLOCK(top);
  }
  gst_object_unref(top);
  return plays;
}

void InputWatch::look() {
  std::array<Snapshot, kMaxInputs> looks;
  std::size_t count = 0;
  GST_OBJECT_LOCK(element_);
  const bool playing = GST_STATE(element_) == GST_STATE_PLAYING &&
                       GST_STATE_PENDING(element_) == GST_STATE_VOID_PENDING;
  for (GList* pad = GST_ELEMENT(element_)->sinkpads; pad != nullptr && count < looks.size();
       pad = pad->next) {
    looks[count++].pad = GST_AGGREGATOR_PAD(gst_object_ref(pad->data));
  }
  GST_OBJECT_UNLOCK(element_);
  const std::span<Snapshot> all(looks.data(), count);
  for (Snapshot& look : all) {
    look.linked = gst_pad_is_linked(GST_PAD(look.pad)) != FALSE;
    look.ended = gst_aggregator_pad_is_eos(look.pad) != FALSE;
    look.waits = gst_aggregator_pad_has_buffer(look.pad) != FALSE;
    look.counters = InputCounters::of(look.pad);
  }
  const bool may_stall = playing || !GST_CLOCK_TIME_IS_VALID(gst_aggregator_get_latency(element_));
  for (Snapshot& look : all) {
    if (look.linked && !look.waits && may_stall) look.tee = find_tee(GST_PAD(look.pad));
  }
  const guint patience = this->patience(playing);
  judge(all, playing, is_to_play(GST_ELEMENT(element_)), patience);
  for (Snapshot& look : all) {
    if (look.is_told) tell(look, patience);
    gst_clear_object(&look.tee);
    gst_object_unref(look.pad);
  }
}

void InputWatch::tell(const Snapshot& look, guint patience) {
  GstPad* pad = GST_PAD(look.pad);
  if (!look.linked) {
    GST_ELEMENT_WARNING(
        element_, STREAM, FAILED,
        ("Nothing is linked to the pad %s: no %s comes from there.", GST_PAD_NAME(pad), input_),
        ("Link a source to it, as in \"… ! %s.%s\", or release the pad.",
         GST_ELEMENT_NAME(element_), GST_PAD_NAME(pad)));
    return;
  }
  const gint64 last = look.counters->last_time;
  g_autofree gchar* when =
      last == G_MININT64
          ? g_strdup("none has come before")
          : g_strdup_printf("the last one was at %" GST_TIME_FORMAT,
                            GST_TIME_ARGS(static_cast<guint64>(std::max<gint64>(last, 0))));
  g_autofree gchar* remedy =
      look.tee == nullptr
          ? g_strdup("")
          : g_strdup_printf(
                " Put a queue into each branch of %s: a branch that waits holds up the others.",
                GST_ELEMENT_NAME(look.tee));
  GstPad* peer = gst_pad_get_peer(pad);
  GST_ELEMENT_WARNING(
      element_, STREAM, FAILED,
      ("No %s has come to the pad %s for %u s, %s.%s", input_, GST_PAD_NAME(pad), patience,
       look.others_speak ? "while the other pads have data" : "nor to the other pads", remedy),
      ("On this pad %s. Check whether its source (behind %" GST_PTR_FORMAT
       ") has stopped or waits. A source without data for a while must send GAP events; one that "
       "has ended, EOS.",
       when, static_cast<gpointer>(peer)));
  gst_clear_object(&peer);
}

}  // namespace rdp::gst
