// SPDX-License-Identifier: LGPL-2.1-or-later
// Events, queries and states: flush, gap, EOS, segments, changing caps, seeks, QoS, and repetitions
// of all of them.
#include <atomic>
#include <mutex>
#include <thread>

#include "tests/conformance/heard.h"
#include "tests/support/await.h"

namespace conformance {
namespace {

// Serialised events come out in order, on all source pads.
void events(const Element& element) {
  const Film film(element);
  for (const bool sides : {false, true}) {
    if (sides && element.sides.empty()) continue;
    Stream stream(film, sides);
    std::vector<std::unique_ptr<Heard>> heard;
    heard.push_back(std::make_unique<Heard>(&stream.main));
    if (sides) heard.push_back(std::make_unique<Heard>(stream.side()));
    fail_unless(stream.start() && stream.begin());
    fail_unless_equals_int(stream.push(0), GST_FLOW_OK);
    stream.event(gst_event_new_tag(gst_tag_list_new(GST_TAG_TITLE, "a", nullptr)));
    stream.event(gst_event_new_gap(GST_SECOND, GST_SECOND));
    stream.event(gst_event_new_custom(GST_EVENT_CUSTOM_DOWNSTREAM,
                                      gst_structure_new_empty("application/x-test")));
    const char* const before = "stream-start caps segment tag gap custom-downstream";
    for (const auto& each : heard) rdp::test::await([&] { return each->events() == before; });
    // A flush drops unsent data.
    stream.event(gst_event_new_flush_start());
    stream.event(gst_event_new_flush_stop(TRUE));
    stream.segment();
    stream.event(gst_event_new_eos());
    const std::string all = std::string(before) + " flush-start flush-stop segment eos";
    for (const auto& each : heard) {
      rdp::test::await([&] { return each->events() == all; });
      fail_unless(each->events() == all, "%s: %s", element.name.c_str(), each->events().c_str());
    }
    fail_unless_equals_int(stream.push(1), GST_FLOW_EOS);
  }
}

// A flush in mid-stream drops the data before it and nothing else.
void flush(const Element& element) {
  const Film film(element);
  Stream stream(film, !element.sides.empty());
  std::vector<guint64> order;
  stream.look = [&](GstBuffer* buffer, guint64 nth) { return film.complaint(buffer, order[nth]); };
  fail_unless(stream.start() && stream.begin());
  for (guint round = 0; round < 5; ++round) {
    order.push_back(0);
    fail_unless_equals_int(stream.push(0), GST_FLOW_OK);
    expect_frames(stream, 2 * round + 1);
    stream.event(gst_event_new_flush_start());
    fail_unless_equals_int(stream.push(1), GST_FLOW_FLUSHING);
    stream.event(gst_event_new_flush_stop(TRUE));
    stream.segment();
    order.push_back(2);
    fail_unless_equals_int(stream.push(2), GST_FLOW_OK);
    expect_frames(stream, 2 * round + 2);
  }
}

// A backward segment without an end, or with one before its offset, yields no running times.
// GStreamer asserts if they are requested.
void backwards(const Element& element) {
  const Film film(element);
  for (const guint64 stop : {GST_CLOCK_TIME_NONE, GstClockTime{GST_SECOND}}) {
    Stream stream(film, true);
    fail_unless(stream.start() && stream.begin());
    GstSegment segment;
    gst_segment_init(&segment, GST_FORMAT_TIME);
    segment.rate = -1.0;
    segment.stop = stop;
    segment.offset = GST_SECOND + 1;
    stream.event(gst_event_new_segment(&segment));
    fail_unless_equals_int(stream.push(0), GST_FLOW_OK);
    expect_frames(stream, 1);
  }
}

// Formats and sizes change in mid-stream, with every frame or after several. Each frame is read
// with its own caps.
void other_caps(const Element& element) {
  std::vector<std::unique_ptr<Film>> films;
  for (const Shapes& shapes : element.shapes) {
    films.push_back(std::make_unique<Film>(element, shapes));
  }
  for (const guint64 run : {1, 3}) {
    for (const bool sides : {false, true}) {
      if (sides && element.sides.empty()) continue;
      Stream stream(*films[0], sides);
      const auto film_of = [&](guint64 number) -> const Film& {
        return *films[number / run * 5 % films.size()];
      };
      stream.film_of = film_of;
      stream.look = [&](GstBuffer* buffer, guint64 nth) {
        return film_of(nth).complaint(buffer, nth);
      };
      fail_unless(stream.start() && stream.begin());
      const guint64 frames = run * 24 * faults::factor();
      for (guint64 number = 0; number < frames; ++number) {
        if (number % run == 0) fail_unless(stream.set_caps(film_of(number)));
        fail_unless_equals_int(stream.push(film_of(number), number), GST_FLOW_OK);
        expect_frames(stream, number + 1);
      }
      if (sides) fail_unless_equals_uint64(stream.side()->count_after(frames), frames);
      fail_unless(stream.said.errors.empty(), "%s", stream.said.text().c_str());
    }
  }
}

// All sinks of a pipeline send the same seek event; the upstream of each input receives it once. A
// looping application sends the same event again, which GstAggregator takes for the same seek.
void seeks(const Element& element) {
  const Film film(element);
  Stream stream(film, true);
  fail_unless(stream.start() && stream.begin());
  std::vector<std::unique_ptr<Upstream>> upstream;
  for (std::size_t i = 0; i < element.inputs.size(); ++i) {
    upstream.push_back(std::make_unique<Upstream>(stream.source(i)));
  }
  const auto expect_seen = [&](unsigned seeks) {
    for (const auto& each : upstream) fail_unless_equals_int(each->seeks, seeks);
  };
  const auto seek = [](gint64 start) {
    return gst_event_new_seek(1.0, GST_FORMAT_TIME, static_cast<GstSeekFlags>(0), GST_SEEK_TYPE_SET,
                              start, GST_SEEK_TYPE_NONE, 0);
  };
  GstEvent* event = seek(0);
  fail_unless(gst_pad_push_event(stream.side()->pad(), gst_event_ref(event)));
  fail_unless(gst_pad_push_event(stream.main.pad(), gst_event_ref(event)));
  expect_seen(1);
  fail_unless(gst_pad_push_event(stream.main.pad(), event));
  const unsigned seen = element.is_joined() ? 1 : 2;
  expect_seen(seen);
  fail_unless(gst_pad_push_event(stream.main.pad(), seek(5)));
  expect_seen(seen + 1);
}

// --- elements that join -------------------------------------------------------------------------

// The sinks of src and the sides.
std::vector<faults::Sink*> sinks_of(Stream& stream) {
  std::vector<faults::Sink*> sinks = {&stream.main};
  for (std::size_t i = 0; i < stream.of().sides.size(); ++i) sinks.push_back(stream.side(i));
  return sinks;
}

// A gap on all inputs becomes one gap on each source pad; later frames are paired again.
void joined_gap(const Element& element) {
  const Film film(element);
  Stream stream(film, true);
  stream.look = [&](GstBuffer* buffer, guint64) {
    return film.complaint(buffer, number_of(buffer));
  };
  std::vector<std::unique_ptr<Heard>> heard;
  for (faults::Sink* sink : sinks_of(stream)) heard.push_back(std::make_unique<Heard>(sink));
  fail_unless(stream.start() && stream.begin());
  fail_unless_equals_int(stream.push(0), GST_FLOW_OK);
  expect_frames(stream, 1);
  stream.event(gst_event_new_gap(GST_SECOND / 30, GST_SECOND / 30));
  fail_unless_equals_int(stream.push(2), GST_FLOW_OK);
  expect_frames(stream, 2);
  stream.event(gst_event_new_eos());
  for (const auto& each : heard) {
    // GstAggregator may send its caps several times.
    const auto heard_all = [&] { return each->all().ends_with(" segment 0 gap 2 eos"); };
    fail_unless(rdp::test::await(heard_all), "%s: %s", element.name.c_str(), each->all().c_str());
  }
}

// EOS comes once on all pads, when no more frame can come: whichever input ends first, before or
// after a frame.
void joined_end(const Element& element) {
  const Film film(element);
  for (const guint64 frames : {0, 1}) {
    for (std::size_t ended = 0; ended < element.inputs.size(); ++ended) {
      Stream stream(film, true);
      fail_unless(stream.start() && stream.begin());
      if (frames > 0) fail_unless_equals_int(stream.push(0), GST_FLOW_OK);
      if (frames > 0) expect_frames(stream, 1);
      gst_pad_push_event(stream.source(ended), gst_event_new_eos());
      for (std::size_t i = 0; i < element.inputs.size(); ++i) {
        if (i == ended) continue;
        if (element.needs_all && frames > 0) {
          stream.push(i, film.make(i, 1));
        } else {
          gst_pad_push_event(stream.source(i), gst_event_new_eos());
        }
      }
      for (faults::Sink* sink : sinks_of(stream)) {
        rdp::test::await([&] { return sink->ends() > 0; });
        fail_unless(sink->ends() == 1 && sink->count() == frames,
                    "%s: %s ended, %d ends and %d frames came", element.name.c_str(),
                    element.inputs[ended].c_str(), static_cast<int>(sink->ends()),
                    static_cast<int>(sink->count()));
      }
    }
  }
}

// --- all of them --------------------------------------------------------------------------------

// QoS events of the main sink go upstream; the element itself drops no frame.
void quality_of_service(const Element& element) {
  const Film film(element);
  Stream stream(film);
  fail_unless(stream.start() && stream.begin());
  const Upstream upstream(stream.source());
  fail_unless_equals_int(stream.push(0), GST_FLOW_OK);
  gst_pad_push_event(stream.main.pad(),
                     gst_event_new_qos(GST_QOS_TYPE_UNDERFLOW, 9.0, GST_SECOND, 0));
  fail_unless_equals_int(upstream.qos, 1);
  for (guint64 number = 1; number < 5; ++number) {
    fail_unless_equals_int(stream.push(number), GST_FLOW_OK);
  }
  expect_frames(stream, 5);
}

// Fewer rounds with a driver, where starts are slow.
int rounds_of_starts(int on_the_cpu) {
  return memory().settings == "cpu" ? on_the_cpu : on_the_cpu / 2;
}

// All states, with and without a stream, repeatedly.
void states(const Element& element) {
  const Film film(element);
  Stream stream(film, true);
  for (int round = 0; round < rounds_of_starts(5); ++round) {
    for (const GstState state :
         {GST_STATE_READY, GST_STATE_PAUSED, GST_STATE_PLAYING, GST_STATE_PAUSED, GST_STATE_READY,
          GST_STATE_PAUSED, GST_STATE_NULL}) {
      fail_unless(gst_element_set_state(stream.element, state) != GST_STATE_CHANGE_FAILURE);
    }
    stream.check_fresh_start("round " + std::to_string(round));
    // Counters restart with each stream.
    if (element.in_place && !element.is_joined() && round > 0 &&
        g_object_class_find_property(G_OBJECT_GET_CLASS(stream.element), "stats") != nullptr) {
      fail_unless_equals_uint64(stream.stat("frames"), kFrames);
    }
  }
}

// Stops the element at short intervals while frames flow.
void stops(const Element& element) {
  const Film film(element);
  Stream stream(film, true);
  stream.look = [](GstBuffer*, guint64) { return std::string(); };
  stream.inputs_may_be_missing = true;
  std::atomic<bool> done{false};
  std::atomic<bool> running{false};
  std::atomic<unsigned> unexpected{0};
  std::vector<std::mutex> in_stream(element.inputs.size());  // stand for sources' stream locks
  std::vector<std::thread> pushing;
  for (std::size_t i = 0; i < element.inputs.size(); ++i) {
    pushing.emplace_back([&, i] {
      for (guint64 number = 0; !done; ++number) {
        const std::unique_lock lock(in_stream[i]);
        if (!running) continue;
        const GstFlowReturn flow = stream.push(i, film.make(i, number % 1000));
        if (flow != GST_FLOW_OK && flow != GST_FLOW_FLUSHING) ++unexpected;
      }
    });
  }
  const unsigned rounds = static_cast<unsigned>(rounds_of_starts(30)) * faults::factor();
  for (unsigned round = 0; round < rounds; ++round) {
    fail_unless(stream.start() && stream.begin());
    running = true;
    g_usleep(round % 5 * 700);
    gst_element_set_state(stream.element, GST_STATE_NULL);
    running = false;
    for (std::mutex& each : in_stream) const std::lock_guard no_push(each);
    gst_pad_set_active(stream.main.pad(), FALSE);
    gst_pad_set_active(stream.main.pad(), TRUE);
  }
  done = true;
  for (std::thread& thread : pushing) thread.join();
  fail_unless(faults::listen(stream.bus).errors.empty());
  stream.inputs_may_be_missing = false;
  stream.check_fresh_start("having been stopped");
}

bool has_inputs(const Element& element) { return !element.is_source(); }
bool has_one_input(const Element& element) { return element.has_one_input(); }
bool sends_events_at_once(const Element& element) {
  return has_one_input(element) && !element.codec;
}
bool has_shapes(const Element& element) { return has_inputs(element) && element.shapes.size() > 1; }
bool has_sides(const Element& element) { return !element.sides.empty(); }
bool has_sides_and_inputs(const Element& element) {
  return has_sides(element) && has_inputs(element);
}
bool joins(const Element& element) { return element.is_joined(); }

}  // namespace

Rows stream_rows() {
  return {"streams",
          {{"events", events, sends_events_at_once},
           {"flush", flush, has_inputs},
           {"backwards", backwards, sends_events_at_once},
           {"other caps", other_caps, has_shapes},
           {"seeks", seeks, has_sides_and_inputs},
           {"gap of all", joined_gap, joins},
           {"end of one", joined_end, joins},
           {"quality of service", quality_of_service, has_one_input},
           {"states", states},
           {"stops", stops, has_inputs}}};
}

}  // namespace conformance
