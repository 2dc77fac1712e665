// SPDX-License-Identifier: LGPL-2.1-or-later
// Request source pads with their own threads. They may come and go while frames flow, and receive
// the stream's events. Their downstream may be slow, late or shut down. The main path is
// unaffected, unless it may wait for a place. Every row compares their output.
#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "tests/conformance/heard.h"
#include "tests/support/await.h"

namespace conformance {
namespace {

using rdp::test::await;

// Blocks a sink until it is opened or flushed, as a slow sink does.
class Gate {
 public:
  explicit Gate(faults::Sink* sink) : sink_(sink) {
    sink_->answer = [this](guint64) {
      std::unique_lock lock(mutex_);
      holds_ = !open_;
      changed_.wait_for(lock, std::chrono::seconds(10), [this] { return open_ || flushed_; });
      holds_ = false;
      return flushed_ ? GST_FLOW_FLUSHING : GST_FLOW_OK;
    };
    sink_->flushed = [this] { set(&flushed_); };
  }
  ~Gate() { open(); }
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;

  void open() { set(&open_); }
  bool holds() {
    return await([this] {
      const std::lock_guard lock(mutex_);
      return holds_;
    });
  }

 private:
  void set(bool* what) {
    const std::lock_guard lock(mutex_);
    *what = true;
    changed_.notify_all();
  }

  faults::Sink* sink_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool open_ = false;
  bool flushed_ = false;
  bool holds_ = false;
};

GstPad* pad_of(Stream& stream, std::size_t side) {
  return gst_element_get_static_pad(stream.element, stream.of().sides[side].c_str());
}

void push_all(Stream& stream, guint64 begin, guint64 end) {
  for (guint64 number = begin; number < end; ++number) {
    fail_unless_equals_int(stream.push(number), GST_FLOW_OK);
  }
}

// Pushes frames, and waits until they have come out.
void push_out(Stream& stream, guint64 begin, guint64 end) {
  push_all(stream, begin, end);
  expect_frames(stream, end);
}

// True for sides that may drop pictures.
bool drops(Stream& stream, std::size_t side) {
  g_autoptr(GstPad) pad = pad_of(stream, side);
  return g_object_class_find_property(G_OBJECT_GET_CLASS(pad), "drop") != nullptr;
}

void set_drop(Stream& stream, std::size_t side, const char* value) {
  g_autoptr(GstPad) pad = pad_of(stream, side);
  gst_util_set_object_arg(G_OBJECT(pad), "drop", value);
}

// --- the stream of a side -----------------------------------------------------------------------

// A side has a stream of its own in the same group, with caps before the segment. A pad requested
// late also receives the earlier tags.
void late_sides(const Element& element) {
  const Film film(element);
  for (std::size_t side = 0; side < element.sides.size(); ++side) {
    Stream stream(film);
    const Heard main(&stream.main);
    fail_unless(stream.start() && stream.begin());
    stream.event(gst_event_new_tag(gst_tag_list_new(GST_TAG_TITLE, "late", nullptr)));
    push_out(stream, 0, 1);
    faults::Sink* sink = stream.add_side(side);
    const Heard heard(sink);
    push_all(stream, 1, 3);
    fail_unless(heard.hears("stream-start caps segment tag 1 2"), "%s: %s", element.name.c_str(),
                heard.all().c_str());
    g_autoptr(GstEvent) of_main = gst_pad_get_sticky_event(
        element.is_joined() ? stream.input(element.main) : stream.main.pad(),
        GST_EVENT_STREAM_START, 0);
    g_autoptr(GstEvent) of_side = gst_pad_get_sticky_event(sink->pad(), GST_EVENT_STREAM_START, 0);
    const gchar* main_id = nullptr;
    const gchar* id = nullptr;
    guint main_group = 0;
    guint group = 0;
    gst_event_parse_stream_start(of_main, &main_id);
    gst_event_parse_stream_start(of_side, &id);
    fail_unless(std::string(id) == std::string(main_id) + "/" + element.sides[side], "%s", id);
    fail_unless_equals_int(gst_event_parse_group_id(of_side, &group),
                           gst_event_parse_group_id(of_main, &main_group));
    fail_unless_equals_int(group, main_group);
    expect_frames(stream, 3);
    fail_unless(main.frames() == "0 1 2");
  }
}

// Each side exists once. A second request gets a warning with the remedy; after a release, requests
// succeed again.
void one_of_each(const Element& element) {
  const Film film(element);
  Stream stream(film);
  for (const std::string& side : element.sides) {
    g_autoptr(GstPad) first = gst_element_request_pad_simple(stream.element, side.c_str());
    fail_unless(first != nullptr && side == GST_OBJECT_NAME(first));
    // Requested by template, because core treats an existing name as a programming error.
    GstPadTemplate* templ = gst_element_get_pad_template(stream.element, side.c_str());
    fail_unless(gst_element_request_pad(stream.element, templ, nullptr, nullptr) == nullptr);
    const faults::Said said = faults::listen(stream.bus);
    fail_unless(said.errors.empty() && said.warnings.size() == 1 &&
                    said.warnings[0].find("tee") != std::string::npos,
                "%s: %s", side.c_str(), said.text().c_str());
    gst_element_release_request_pad(stream.element, first);
  }
  stream.check_fresh_start("pads that came and went");
}

// A request for an existing pad, by name or by another spelling of its number, is refused and
// leaves nothing behind.
void requested_twice(const Element& element) {
  const Film film(element);
  Stream stream(film, true);
  std::vector<std::string> names;
  for (const GList* pad = stream.element->pads; pad != nullptr; pad = pad->next) {
    if (GST_PAD_TEMPLATE_PRESENCE(GST_PAD_PAD_TEMPLATE(pad->data)) == GST_PAD_REQUEST) {
      names.emplace_back(GST_OBJECT_NAME(pad->data));
    }
  }
  for (const std::string& name : names) {
    g_autoptr(GstPad) pad = gst_element_get_static_pad(stream.element, name.c_str());
    GstPadTemplate* templ = GST_PAD_PAD_TEMPLATE(pad);
    const auto refused = [&](const std::string& spelling) {
      // Called directly, because core treats an existing name as a programming error.
      GstPad* again = GST_ELEMENT_GET_CLASS(stream.element)
                          ->request_new_pad(stream.element, templ, spelling.c_str(), nullptr);
      const faults::Said said = faults::listen(stream.bus);
      fail_unless(again == nullptr && said.warnings.size() == 1 &&
                      said.warnings[0].find(name) != std::string::npos &&
                      said.warnings[0].find("already: ") != std::string::npos,
                  "%s: %s", spelling.c_str(), said.text().c_str());
    };
    refused(name);
    const std::size_t digits = name.find_first_of("0123456789");
    if (digits == std::string::npos) continue;
    refused(name.substr(0, digits) + "0" + name.substr(digits));
    refused(name.substr(0, digits) + "000" + name.substr(digits));
  }
  std::size_t left = 0;
  for (const GList* pad = stream.element->pads; pad != nullptr; pad = pad->next) {
    left += GST_PAD_TEMPLATE_PRESENCE(GST_PAD_PAD_TEMPLATE(pad->data)) == GST_PAD_REQUEST ? 1U : 0U;
  }
  fail_unless(left == names.size());
  if (g_object_class_find_property(G_OBJECT_GET_CLASS(stream.element), "stats") != nullptr) {
    g_autoptr(GstStructure) stats = nullptr;
    g_object_get(stream.element, "stats", &stats, nullptr);
  }
  stream.check_fresh_start("pads that were requested twice");
}

bool has_request_pads(const Element& element) {
  g_autoptr(GstElementFactory) factory = gst_element_factory_find(element.factory.c_str());
  for (const GList* each = gst_element_factory_get_static_pad_templates(factory); each != nullptr;
       each = each->next) {
    if (static_cast<GstStaticPadTemplate*>(each->data)->presence == GST_PAD_REQUEST) return true;
  }
  return false;
}

// --- the main path never notices ----------------------------------------------------------------

// The main path loses no frame if a side is unlinked, linked again or released. The same holds for
// a link to an inactive pad, or to one that returns NOT_LINKED. A new peer gets the frames from
// then on.
void unnoticed(const Element& element) {
  const Film film(element);
  for (std::size_t side = 0; side < element.sides.size(); ++side) {
    Stream stream(film);
    fail_unless(stream.start() && stream.begin());
    GstPad* pad = gst_element_request_pad_simple(stream.element, element.sides[side].c_str());
    push_out(stream, 0, 2);
    const std::unique_ptr<faults::Sink> sink = stream.new_side(side);
    const Heard heard(sink.get());
    gst_pad_set_active(sink->pad(), FALSE);
    fail_unless_equals_int(gst_pad_link(pad, sink->pad()), GST_PAD_LINK_OK);
    push_out(stream, 2, 4);
    fail_unless(gst_pad_unlink(pad, sink->pad()));
    push_out(stream, 4, 6);
    fail_unless_equals_uint64(sink->count(), 0);
    gst_pad_set_active(sink->pad(), TRUE);
    for (guint64 number = 6; number < 12; number += 2) {
      fail_unless_equals_int(gst_pad_link(pad, sink->pad()), GST_PAD_LINK_OK);
      push_out(stream, number, number + 1);
      const guint64 wanted = (number - 6) / 2 + 1;
      fail_unless(sink->count_after(wanted) == wanted, "%s: %s", element.name.c_str(),
                  heard.all().c_str());
      fail_unless(gst_pad_unlink(pad, sink->pad()));
      push_out(stream, number + 1, number + 2);
    }
    fail_unless(heard.frames() == "6 8 10", "%s", heard.all().c_str());
    fail_unless_equals_int(gst_pad_link(pad, sink->pad()), GST_PAD_LINK_OK);
    sink->answer = [](guint64) { return GST_FLOW_NOT_LINKED; };
    push_out(stream, 12, 15);
    gst_element_release_request_pad(stream.element, pad);
    gst_object_unref(pad);
    push_out(stream, 15, 17);
    fail_unless(sink->complaint().empty(), "%s", sink->complaint().c_str());
    fail_unless(stream.said.errors.empty(), "%s", stream.said.text().c_str());
  }
}

// A side's downstream that restarts has lost the sticky events, and gets them again.
void branch_restarts(const Element& element) {
  const Film film(element);
  Stream stream(film, true);
  fail_unless(stream.start() && stream.begin());
  std::vector<std::unique_ptr<Heard>> all;
  for (std::size_t side = 0; side < element.sides.size(); ++side) {
    all.push_back(std::make_unique<Heard>(stream.side(side)));
  }
  push_out(stream, 0, 1);
  guint64 number = 1;
  for (int round = 0; round < 3; ++round) {
    for (std::size_t side = 0; side < element.sides.size(); ++side) {
      faults::Sink* sink = stream.side(side);
      const std::string last = std::to_string(number - 1);
      fail_unless(await([&] { return all[side]->frames().ends_with(last); }));
      gst_pad_set_active(sink->pad(), FALSE);
      push_out(stream, number, number + 2);
      const Heard heard(sink);
      gst_pad_set_active(sink->pad(), TRUE);
      push_all(stream, number + 2, number + 3);
      fail_unless(heard.hears("stream-start caps segment " + std::to_string(number + 2)),
                  "%s: %s: %s", element.name.c_str(), element.sides[side].c_str(),
                  heard.all().c_str());
      number += 3;
    }
  }
  expect_frames(stream, number);
}

// True if a side received all stream events before its first frame. A sink that starts at the same
// moment may receive the first of them twice: see gst_rdp_extra_pad_takes ().
bool is_told_first(const std::string& heard) {
  const std::size_t frames = heard.find_first_of("0123456789");
  return frames != std::string::npos && heard.starts_with("stream-start ") &&
         heard.substr(0, frames).ends_with("stream-start caps segment ");
}

// A side is requested, linked, shut down, unlinked and released repeatedly, in varying order, while
// frames flow. Each main frame comes out once; a new side's first frame follows caps and segment.
void come_and_go(const Element& element) {
  const Film film(element);
  Stream stream(film);
  fail_unless(stream.start() && stream.begin());
  std::atomic<bool> stop{false};
  std::atomic<guint64> pushed{0};
  std::atomic<bool> refused{false};
  stream.inputs_may_be_missing = true;
  std::thread streaming([&] {
    while (!stop && !refused) {
      if (stream.push(pushed) != GST_FLOW_OK) refused = true;
      ++pushed;
    }
  });
  std::string wrong;
  unsigned with_frames = 0;
  const unsigned rounds = 60 * faults::factor();
  for (unsigned round = 0; round < rounds && wrong.empty(); ++round) {
    const std::size_t side = round % element.sides.size();
    const std::unique_ptr<faults::Sink> sink = stream.new_side(side);
    const Heard heard(sink.get());
    GstPad* pad = gst_element_request_pad_simple(stream.element, element.sides[side].c_str());
    if (round % 2 == 0) gst_pad_set_active(sink->pad(), TRUE);
    if (round % 5 != 4) gst_pad_link(pad, sink->pad());
    if (round % 2 == 1) gst_pad_set_active(sink->pad(), TRUE);
    // Every seventh round waits for a frame.
    if (round % 7 == 6 && round % 5 != 4) await([&] { return sink->count() > 0; });
    g_usleep(round % 7 * 500);
    if (round % 3 == 0) gst_pad_set_active(sink->pad(), FALSE);
    if (round % 3 == 1) gst_pad_unlink(pad, sink->pad());
    gst_element_release_request_pad(stream.element, pad);
    gst_pad_set_active(sink->pad(), FALSE);
    gst_object_unref(pad);
    const std::string all = heard.all();
    wrong = sink->complaint();
    if (sink->count() == 0) continue;
    ++with_frames;
    if (!is_told_first(all)) wrong = "a side hears " + all;
  }
  stop = true;
  streaming.join();
  fail_unless(wrong.empty(), "%s: %s", element.name.c_str(), wrong.c_str());
  fail_if(refused);
  expect_frames(stream, pushed);
  fail_unless(with_frames >= 5 && stream.right_sides >= 5,
              "%s: only %u sides got something, %d times the right thing", element.name.c_str(),
              with_frames, static_cast<int>(stream.right_sides));
  fail_unless(faults::listen(stream.bus).errors.empty());
}

// --- slow sinks ---------------------------------------------------------------------------------

// Runs `body` for each side that may drop pictures.
void for_droppable(const Element& element,
                   const std::function<void(Stream&, std::size_t, Gate&)>& body, int live,
                   const char* drop) {
  const Film film(element);
  // Tries again if a busy machine drops the first picture before the pad has a pool.
  const auto is_too_busy = [&](std::size_t side) {
    Stream stream(film);
    stream.live = live;
    faults::Sink* sink = stream.add_side(side);
    if (!drops(stream, side)) return false;
    set_drop(stream, side, drop);
    Gate gate(sink);
    fail_unless(stream.start() && stream.begin());
    push_all(stream, 0, 1);
    if (stream.stat("pictures-dropped") > 0) return true;
    fail_unless(gate.holds());
    body(stream, side, gate);
    gate.open();
    return false;
  };
  for (std::size_t side = 0; side < element.sides.size(); ++side) {
    int tries = 0;
    while (is_too_busy(side)) fail_unless(++tries < 20);
  }
}

// A side's sink holds the first picture. In live pipelines, or with drop=late, frames do not wait:
// the newest picture comes next, then EOS.
void frames_do_not_wait(const Element& element) {
  const auto body = [&](Stream& stream, std::size_t, Gate& gate) {
    const Heard heard(stream.side());
    push_out(stream, 1, 30);
    fail_unless_equals_uint64(stream.stat("pictures-dropped"), 28);
    stream.event(gst_event_new_eos());
    gate.open();
    fail_unless(await([&] { return stream.side()->ends() == 1; }));
    fail_unless(heard.frames() == "29" && heard.events().ends_with("eos"), "%s: %s",
                element.name.c_str(), heard.all().c_str());
  };
  if (!element.is_joined()) for_droppable(element, body, 1, "auto");
  for_droppable(element, body, 0, "late");
}

// A side that is not live, or has drop=never, sends every picture, even to a late sink: frames
// wait.
void every_picture(const Element& element) {
  for (const bool live : {false, true}) {
    if (live && element.is_joined()) continue;
    for_droppable(
        element,
        [&](Stream& stream, std::size_t, Gate& gate) {
          if (live) {
            gst_pad_push_event(
                stream.side()->pad(),
                gst_event_new_qos(GST_QOS_TYPE_UNDERFLOW, 2.0, GST_SECOND, 10 * GST_SECOND));
          }
          const Heard heard(stream.side());
          std::thread streaming([&] { push_all(stream, 1, 20); });
          await([&] { return stream.main.count() >= 2; });
          g_usleep(20000);
          // One picture is in the sink, and one waits.
          const guint64 before = stream.main.count();
          gate.open();
          streaming.join();
          fail_unless_equals_uint64(before, 2);
          stream.event(gst_event_new_eos());
          fail_unless(await([&] { return stream.side()->ends() == 1; }));
          fail_unless(heard.frames() == "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19", "%s: %s",
                      element.name.c_str(), heard.all().c_str());
          expect_frames(stream, 20);
          fail_unless_equals_uint64(stream.stat("pictures-dropped"), 0);
        },
        live ? 1 : 0, live ? "never" : "auto");
  }
}

// The side queries the latency again at the next segment, so a stream may stop being live.
void live_changes(const Element& element) {
  for_droppable(
      element,
      [&](Stream& stream, std::size_t, Gate& gate) {
        const Heard heard(stream.side());
        push_all(stream, 1, 10);
        stream.live = 0;
        push_out(stream, 10, 20);
        fail_unless_equals_uint64(stream.stat("pictures-dropped"), 18);
        stream.segment();
        std::thread streaming([&] { push_all(stream, 20, 22); });
        g_usleep(20000);
        const guint64 before = stream.main.count();
        gate.open();
        streaming.join();
        fail_unless_equals_uint64(before, 20);
        stream.event(gst_event_new_eos());
        fail_unless(await([&] { return stream.side()->ends() == 1; }));
        fail_unless(heard.frames() == "19 20 21", "%s", heard.all().c_str());
      },
      1, "auto");
}

// Dropped pictures are counted since PAUSED, including those of released pads.
void dropped_are_counted(const Element& element) {
  for_droppable(
      element,
      [&](Stream& stream, std::size_t side, Gate& gate) {
        push_out(stream, 1, 10);
        fail_unless_equals_uint64(stream.stat("pictures-dropped"), 8);
        g_autoptr(GstPad) pad = pad_of(stream, side);
        gate.open();
        stream.side()->count_after(2);
        gst_element_release_request_pad(stream.element, pad);
        fail_unless_equals_uint64(stream.stat("pictures-dropped"), 8);
        gst_element_set_state(stream.element, GST_STATE_READY);
        gst_element_set_state(stream.element, GST_STATE_PLAYING);
        fail_unless_equals_uint64(stream.stat("pictures-dropped"), 0);
      },
      0, "late");
}

// A flush, a stop or a release while frames flow and the sink blocks the pad's thread.
void shut_down(const Element& element) {
  for (const int way : {0, 1, 2}) {
    for_droppable(
        element,
        [&](Stream& stream, std::size_t side, Gate&) {
          std::atomic<bool> stop{false};
          std::atomic<GstFlowReturn> flow{GST_FLOW_OK};
          fail_unless(stream.main.count_after(1) == 1);  // no data may flow while `look` is set
          stream.look = [](GstBuffer*, guint64) { return std::string(); };
          std::thread streaming([&] {
            for (guint64 number = 1; !stop; ++number) {
              const GstFlowReturn told = stream.push(number);
              if (told != GST_FLOW_OK) flow = told;
            }
          });
          const bool dropping = await([&] { return stream.stat("pictures-dropped") > 20; });
          g_autoptr(GstPad) pad = pad_of(stream, side);
          if (way == 0) stream.event(gst_event_new_flush_start());
          if (way == 1) gst_element_set_state(stream.element, GST_STATE_READY);
          if (way == 2) gst_element_release_request_pad(stream.element, pad);
          stop = true;
          streaming.join();
          fail_unless(dropping);
          // Releasing the side does not affect the main path.
          fail_unless(way != 2 || flow == GST_FLOW_OK);
          fail_unless(faults::listen(stream.bus).errors.empty());
        },
        0, "late");
  }
}

// A late display: the side replaces pictures by GAPs until it can keep up. Frames continue, and no
// QoS reaches upstream. A flush resets this.
void late_display(const Element& element) {
  const Film film(element);
  const auto late = [](GstClockTimeDiff diff, GstClockTime time) {
    return gst_event_new_qos(GST_QOS_TYPE_UNDERFLOW, 2.0, diff, time);
  };
  for (std::size_t side = 0; side < element.sides.size(); ++side) {
    Stream stream(film);
    faults::Sink* sink = stream.add_side(side);
    if (!drops(stream, side)) continue;
    const Heard heard(sink);
    const Upstream upstream(stream.source());
    fail_unless(stream.start() && stream.begin());
    push_all(stream, 0, 1);
    fail_unless(sink->count_after(1) == 1);
    // Late by one frame at time 0: pictures up to 2/30 s are too late.
    gst_pad_push_event(sink->pad(), late(GST_SECOND / 30, 0));
    std::string wanted = "stream-start caps segment 0";
    guint64 number = 1;
    // One at a time, because a waiting picture is replaced by the next one.
    for (const char* next : {"gap", "gap", "3", "4"}) {
      push_all(stream, number, number + 1);
      ++number;
      wanted += std::string(" ") + next;
      fail_unless(heard.hears(wanted), "%s: %s", element.name.c_str(), heard.all().c_str());
    }
    expect_frames(stream, 5);
    gst_pad_push_event(sink->pad(), late(GST_SECOND, GST_SECOND));
    stream.event(gst_event_new_flush_start());
    stream.event(gst_event_new_flush_stop(TRUE));
    stream.segment();
    push_all(stream, 5, 6);
    wanted += " flush-start flush-stop segment 5";
    fail_unless(heard.hears(wanted), "%s: %s", element.name.c_str(), heard.all().c_str());
    // The largest lateness: no later picture is in time.
    gst_pad_push_event(sink->pad(), late(G_MAXINT64, GST_SECOND));
    push_all(stream, 6, 7);
    wanted += " gap";
    fail_unless(heard.hears(wanted), "%s: %s", element.name.c_str(), heard.all().c_str());
    expect_frames(stream, 7);
    fail_unless_equals_int(upstream.qos, 0);
  }
}

bool has_sides(const Element& element) { return !element.sides.empty(); }
bool has_sides_and_one_input(const Element& element) {
  return has_sides(element) && !element.is_joined();
}

}  // namespace

Rows side_rows() {
  return {"sides",
          {{"late sides", late_sides, has_sides},
           {"one of each", one_of_each, has_sides, Row::Over::kCpu},
           {"requested twice", requested_twice, has_request_pads, Row::Over::kCpu},
           {"unnoticed", unnoticed, has_sides},
           {"branch restarts", branch_restarts, has_sides},
           {"come and go", come_and_go, has_sides},
           {"frames do not wait", frames_do_not_wait, has_sides},
           {"every picture", every_picture, has_sides},
           {"live changes", live_changes, has_sides_and_one_input, Row::Over::kCpu},
           {"dropped are counted", dropped_are_counted, has_sides, Row::Over::kCpu},
           {"shut down", shut_down, has_sides},
           {"late display", late_display, has_sides}}};
}

}  // namespace conformance
