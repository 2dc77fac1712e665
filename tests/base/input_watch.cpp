// SPDX-License-Identifier: LGPL-2.1-or-later
// Warnings about silent inputs, main or not, and the statistics of inputs. The test controls the
// clock, so nothing really waits.
#include <gst/base/gstaggregator.h>
#include <gst/check/gsttestclock.h>

#include <array>
#include <atomic>
#include <thread>

#include "gst/elements/base/input_counters.h"
#include "tests/base/two_inputs_element.h"
#include "tests/support/await.h"
#include "tests/support/bus_texts.h"
#include "tests/support/check_test.h"
#include "tests/support/check_text.h"

using rdp::test::await;

namespace {

constexpr frames::Shape kShape{GST_VIDEO_FORMAT_GRAY8, 16, 12};

std::string silent(const char* pad) {
  return std::string("warning: No stream has come to the pad ") + pad +
         " for 5 s, while the other pads have data.\n";
}
std::string unlinked(const char* pad) {
  return std::string("warning: Nothing is linked to the pad ") + pad +
         ": no stream comes from there.\n";
}

struct Rig {
  explicit Rig(unsigned linked = 2)
      : clock(GST_TEST_CLOCK(gst_test_clock_new())),
        bus(gst_bus_new()),
        element(GST_ELEMENT(g_object_new(rdp_two_inputs_get_type(), nullptr))) {
    gst_object_ref_sink(element);
    gst_system_clock_set_default(GST_CLOCK(clock));
    gst_element_set_bus(element, bus);
    for (unsigned i = 0; i < sources.size(); ++i) {
      g_autofree gchar* name = g_strdup_printf("sink_%u", i);
      g_autoptr(GstPad) input = gst_element_request_pad_simple(element, name);
      sources[i] = gst_pad_new(nullptr, GST_PAD_SRC);
      gst_object_ref_sink(sources[i]);
      gst_pad_set_active(sources[i], TRUE);
      if (i < linked) fail_unless_equals_int(gst_pad_link(sources[i], input), GST_PAD_LINK_OK);
    }
    sink = gst_check_setup_sink_pad(element, &kSinkTemplate);
    gst_pad_set_active(sink, TRUE);
    gst_pad_set_chain_function(sink, [](GstPad* pad, GstObject*, GstBuffer* buffer) {
      gst_buffer_unref(buffer);
      ++*static_cast<std::atomic<unsigned>*>(gst_pad_get_element_private(pad));
      return GST_FLOW_OK;
    });
    gst_pad_set_element_private(sink, &came);
  }
  ~Rig() {
    for (GstPad* source : sources) gst_pad_set_active(source, FALSE);
    gst_pad_set_active(sink, FALSE);
    gst_element_set_state(element, GST_STATE_NULL);
    gst_check_teardown_sink_pad(element);
    for (GstPad* source : sources) gst_object_unref(source);
    gst_element_set_bus(element, nullptr);
    gst_object_unref(element);
    gst_object_unref(bus);
    gst_system_clock_set_default(nullptr);
    gst_object_unref(clock);
  }

  void begin(GstState state = GST_STATE_PLAYING) {
    fail_if(gst_element_set_state(element, state) == GST_STATE_CHANGE_FAILURE);
    for (GstPad* source : sources) {
      if (!gst_pad_is_linked(source)) continue;
      g_autoptr(GstCaps) caps = frames::caps(kShape);
      gst_check_setup_events_with_stream_id(source, element, caps, GST_FORMAT_TIME, "test");
    }
  }
  void push(unsigned input, unsigned number) {
    fail_unless_equals_int(gst_pad_push(sources[input], frames::make(kShape, 1, number)),
                           GST_FLOW_OK);
  }
  // Pushes a buffer without a partner. The element must have taken the earlier buffers and expose
  // this one.
  void push_alone(unsigned input, unsigned number) {
    push(input, number);
    g_autoptr(GstPad) pad = gst_pad_get_peer(sources[input]);
    fail_unless(
        await([&] { return gst_aggregator_pad_has_buffer(GST_AGGREGATOR_PAD(pad)) != FALSE; }));
  }
  void push_set(unsigned number) {
    const unsigned before = came;
    for (unsigned i = 0; i < sources.size(); ++i) push(i, number);
    fail_unless(await([&] { return came > before; }));
  }
  // The messages after `looks` more checks of the inputs.
  std::string after(unsigned looks) {
    for (unsigned i = 0; i < looks; ++i) fail_unless(gst_test_clock_crank(clock));
    return rdp::test::bus_texts(bus);
  }
  std::string input_stats() const {
    GstStructure* stats;
    g_object_get(element, "stats", &stats, nullptr);
    const GstStructure* inputs;
    std::string text;
    fail_unless(gst_structure_get(stats, "inputs", GST_TYPE_STRUCTURE, &inputs, nullptr));
    for (const char* name : {"sink_0", "sink_1"}) {
      guint64 used = 0;
      guint64 dropped = 0;
      gint64 last = -1;
      const GValue* of_pad = gst_structure_get_value(inputs, name);
      fail_unless(of_pad != nullptr);
      const GstStructure* input = gst_value_get_structure(of_pad);
      gst_structure_get(input, "used", G_TYPE_UINT64, &used, "dropped", G_TYPE_UINT64, &dropped,
                        nullptr);
      gst_structure_get_int64(input, "last-time", &last);
      text += std::string(name) + ": " + std::to_string(used) + " used, " +
              std::to_string(dropped) + " dropped, " + std::to_string(last) + " ";
    }
    gst_structure_free(const_cast<GstStructure*>(inputs));
    gst_structure_free(stats);
    return text;
  }

  inline static GstStaticPadTemplate kSinkTemplate =
      GST_STATIC_PAD_TEMPLATE("sink", GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS_ANY);
  GstTestClock* clock;
  GstBus* bus;
  GstElement* element;
  std::array<GstPad*, 2> sources{};
  GstPad* sink = nullptr;
  std::atomic<unsigned> came{0};
};

}  // namespace

// One warning, after five checks, and only while the other input holds a waiting buffer.
CHECK_TEST(test_silent) {
  for (const unsigned who : {0U, 1U}) {
    Rig rig;
    rig.begin();
    rig.push_set(0);
    fail_unless_equals_text(rig.after(20), "");  // nothing comes to either
    rig.push_set(1);
    fail_unless_equals_text(rig.after(1), "");
    rig.push_alone(1 - who, 2);
    fail_unless_equals_text(rig.after(4), "");
    fail_unless_equals_text(rig.after(1), silent(who == 0 ? "sink_0" : "sink_1"));
    fail_unless_equals_text(rig.after(20), "");
    rig.push(who, 2);
    fail_unless(await([&] { return rig.came == 3; }));
  }
}

// A pad that sent a GAP, is at EOS or is paused is not silent.
CHECK_TEST(test_not_silent) {
  {
    Rig rig;
    rig.begin();
    rig.push_set(0);
    rig.push_alone(0, 30);
    for (unsigned i = 1; i < 15; ++i) {
      gst_pad_push_event(rig.sources[1], gst_event_new_gap(i * GST_SECOND / 15, GST_SECOND / 15));
      fail_unless_equals_text(rig.after(1), "");
    }
  }
  {
    Rig rig;
    rig.begin();
    rig.push_set(0);
    gst_pad_push_event(rig.sources[1], gst_event_new_eos());
    fail_unless_equals_text(rig.after(20), "");
  }
  {
    Rig rig;
    rig.begin(GST_STATE_PAUSED);
    rig.push_alone(0, 0);
    fail_unless_equals_text(rig.after(20), "");
    gst_element_set_state(rig.element, GST_STATE_PLAYING);
    fail_unless_equals_text(rig.after(4), "");
    fail_unless_equals_text(rig.after(1), silent("sink_1"));
  }
}

// A pipeline on its way to PLAYING prerolls, and thus waits for the silent input. Possibly no input
// has received anything yet.
CHECK_TEST(test_keeps_from_playing) {
  for (const unsigned who : {0U, 1U}) {
    Rig rig;
    g_autoptr(GstElement) pipeline = gst_pipeline_new(nullptr);
    // A sink that receives nothing.
    fail_unless(gst_bin_add(GST_BIN(pipeline), gst_element_factory_make("fakesink", nullptr)));
    // gst_bin_add() would unlink it.
    fail_unless(gst_object_set_parent(GST_OBJECT(rig.element), GST_OBJECT(pipeline)));
    fail_unless_equals_int(gst_element_set_state(pipeline, GST_STATE_PLAYING),
                           GST_STATE_CHANGE_ASYNC);
    rig.begin(GST_STATE_PAUSED);
    fail_unless_equals_text(rig.after(20), "");
    rig.push_alone(1 - who, 0);
    fail_unless_equals_text(rig.after(4), "");
    fail_unless_equals_text(rig.after(1), silent(who == 0 ? "sink_0" : "sink_1"));
    fail_unless_equals_text(rig.after(20), "");
    rig.push(who, 0);
    fail_unless(await([&] { return rig.came == 1; }));
    gst_object_unparent(GST_OBJECT(rig.element));
    gst_element_set_state(pipeline, GST_STATE_NULL);
  }
}

// A forgotten link keeps a pipeline from its first frame, in PAUSED as well.
CHECK_TEST(test_unlinked) {
  for (const GstState state : {GST_STATE_PAUSED, GST_STATE_PLAYING}) {
    Rig rig(1);
    rig.begin(state);
    fail_unless_equals_text(rig.after(4), "");
    fail_unless_equals_text(rig.after(1), unlinked("sink_1"));
    fail_unless_equals_text(rig.after(20), "");
  }
}

// The warning comes in PAUSED, too, if a sink on another tee branch may hold the missing buffers.
// It comes once, with or without data on the other input.
CHECK_TEST(test_behind_a_tee) {
  const std::string remedy =
      " Put a queue into each branch of fork: a branch that waits holds up the others.\n";
  for (const bool both : {false, true}) {
    Rig rig(both ? 0 : 1);
    g_autoptr(GstElement) tee = gst_element_factory_make("tee", "fork");
    gst_object_ref_sink(tee);
    g_autoptr(GstElement) between = gst_element_factory_make("queue", nullptr);
    gst_object_ref_sink(between);
    fail_unless(gst_element_link(tee, between));
    fail_unless(gst_element_link_pads(between, "src", rig.element, "sink_1"));
    if (both) fail_unless(gst_element_link_pads(tee, nullptr, rig.element, "sink_0"));
    rig.begin(GST_STATE_PAUSED);
    if (!both) rig.push_alone(0, 0);
    fail_unless_equals_text(rig.after(4), "");
    const std::string first = both ? "sink_0 for 5 s, nor to the other pads."
                                   : "sink_1 for 5 s, while the other pads have data.";
    fail_unless_equals_text(rig.after(1),
                            "warning: No stream has come to the pad " + first + remedy);
    fail_unless_equals_text(rig.after(20), "");
    gst_element_unlink(between, rig.element);
    gst_element_unlink(tee, rig.element);
  }
}

// Checks end in READY, and the next stream starts anew.
CHECK_TEST(test_stops) {
  Rig rig(1);
  rig.begin();
  fail_unless_equals_text(rig.after(5), unlinked("sink_1"));
  gst_element_set_state(rig.element, GST_STATE_READY);
  fail_unless_equals_int(gst_test_clock_peek_id_count(rig.clock), 0);
  rig.begin();
  fail_unless_equals_text(rig.after(4), "");
  fail_unless_equals_text(rig.after(1), unlinked("sink_1"));
}

// Buffers per pad: paired, unpaired, and the time of the last one.
CHECK_TEST(test_stats) {
  Rig rig;
  rig.begin();
  fail_unless_equals_text(rig.input_stats(),
                          "sink_0: 0 used, 0 dropped, -1 sink_1: 0 used, "
                          "0 dropped, -1 ");
  rig.push_set(0);
  rig.push(1, 3);   // has no partner
  rig.push(0, 30);  // is the first that shows it
  rig.push(1, 30);
  fail_unless(await([&] { return rig.came == 2; }));
  fail_unless_equals_text(rig.input_stats(),
                          "sink_0: 2 used, 0 dropped, 1000000000 sink_1: 2 used, 1 dropped, "
                          "1000000000 ");
  gst_element_set_state(rig.element, GST_STATE_READY);
  rig.begin();
  fail_unless_equals_text(rig.input_stats(),
                          "sink_0: 0 used, 0 dropped, -1 sink_1: 0 used, "
                          "0 dropped, -1 ");
}

// Several threads meet a new pad at once: they get the same counters.
CHECK_TEST(test_counters_of_a_new_pad) {
  for (int round = 0; round < 2000; ++round) {
    auto* pad = GST_AGGREGATOR_PAD(gst_object_ref_sink(
        g_object_new(GST_TYPE_AGGREGATOR_PAD, "direction", GST_PAD_SINK, nullptr)));
    std::atomic<int> ready{0};
    rdp::gst::InputCounters* seen[2] = {};
    const auto look = [&](int which) {
      ++ready;
      while (ready < 2) {
      }
      seen[which] = rdp::gst::InputCounters::of(pad);
    };
    std::thread other(look, 1);
    look(0);
    other.join();
    fail_unless(seen[0] == seen[1] && rdp::gst::InputCounters::of(pad) == seen[0], "round %d",
                round);
    gst_object_unref(pad);
  }
}

CHECK_CASE(input_watch, .seconds = 30)
