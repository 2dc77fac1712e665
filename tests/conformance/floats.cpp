// SPDX-License-Identifier: LGPL-2.1-or-later
// Results are independent of the application's floating-point environment and locale: rounding
// modes, FTZ and DAZ, traps, a decimal comma. These are set in threads that call the element, and
// in its own streaming threads. Results must equal those of the standard environment, and foreign
// code must always run in the environment that it had set.
#include <map>
#include <utility>

#include "tests/support/last_words.h"

// After the standard library: check.h defines a macro named fail.
#include "tests/conformance/stream.h"
#include "tests/conformance/workplace.h"
#include "tests/support/await.h"
#include "tests/support/decimal_comma.h"
#include "tests/support/result_bytes.h"

namespace conformance {
namespace {

using rdp::test::float_environments;
using rdp::test::FloatEnvironment;
using rdp::test::InFloatEnvironment;

// The output of a stream, by pad.
using Results = std::map<std::string, std::string>;

// The run whose environment is set in this thread. Side pads start their threads before a bus
// handler exists.
thread_local int entered_for = 0;

// Sets the environment in the elements' own streaming threads.
GstBusSyncReply enter_or_leave(GstBus*, GstMessage* message, gpointer environment) {
  if (GST_MESSAGE_TYPE(message) != GST_MESSAGE_STREAM_STATUS) return GST_BUS_PASS;
  GstStreamStatusType type;
  gst_message_parse_stream_status(message, &type, nullptr);
  if (type == GST_STREAM_STATUS_TYPE_ENTER) {
    rdp::test::set(*static_cast<const FloatEnvironment*>(environment));
  } else if (type == GST_STREAM_STATUS_TYPE_LEAVE) {
    std::fesetenv(FE_DFL_ENV);  // the thread is reused
  }
  return GST_BUS_PASS;
}

// Reads the element's statistics, which contain quotients. Their times vary, so they are not
// compared.
void read_stats(const Stream& stream) {
  if (g_object_class_find_property(G_OBJECT_GET_CLASS(stream.element), "stats") == nullptr) return;
  const InFloatEnvironment here(*stream.floats);
  g_autoptr(GstStructure) stats = nullptr;
  g_object_get(stream.element, "stats", &stats, nullptr);
  fail_unless(rdp::test::is_set(*stream.floats));
}

Results results_in(const FloatEnvironment& environment, const Film& film) {
  const Element& element = film.element;
  const std::string where = element.name + " " + element.settings + ", floats " + environment.name;
  static int run = 0;
  ++run;
  Results results;
  Stream stream(film);
  stream.floats = &environment;
  gst_bus_set_sync_handler(stream.bus, enter_or_leave, const_cast<FloatEnvironment*>(&environment),
                           nullptr);
  // Reads results in the tested environment, and compares them in the standard one.
  const auto look_at = [&](faults::Sink* sink, const std::string& name) {
    results[name].clear();
    const bool enters = sink != &stream.main;
    sink->look = [&environment, enters, check = sink->look, bytes = &results[name]](
                     GstBuffer* buffer, guint64 nth) {
      if (enters && std::exchange(entered_for, run) != run) rdp::test::set(environment);
      if (!is_set(environment)) return std::string("the element's environment comes out");
      *bytes += rdp::test::bytes_of(buffer);
      if (!is_set(environment)) return std::string("reading has left another environment");
      std::fesetenv(FE_DFL_ENV);
      const std::string wrong = check(buffer, nth);
      rdp::test::set(environment);
      return wrong;
    };
  };
  look_at(&stream.main, "src");
  for (std::size_t i = 0; i < element.sides.size(); ++i) {
    look_at(stream.add_side(i), element.sides[i]);
  }
  bool well = stream.start() && stream.begin();
  for (guint64 number = 0; number < kFrames && !element.is_source(); ++number) {
    well = well && stream.push(number) == GST_FLOW_OK && stream.await(number + 1);
    for (std::size_t i = 0; i < element.sides.size(); ++i) stream.side(i)->count_after(number + 1);
  }
  if (element.is_source()) well = rdp::test::await([&] { return stream.main.ends() > 0; });
  fail_unless(well, "%s: %s%s", where.c_str(), stream.said.text().c_str(),
              faults::listen(stream.bus).text().c_str());
  read_stats(stream);
  stream.event(gst_event_new_eos());
  stream.stop();
  fail_unless(stream.main.complaint().empty(), "%s: %s", where.c_str(),
              stream.main.complaint().c_str());
  stream.check_sides();
  fail_unless(stream.floats_are_left, "%s: a call has left another environment", where.c_str());
  if (element.ends_here) {
    g_autofree gchar* location = nullptr;
    g_autofree gchar* text = nullptr;
    gsize size = 0;
    g_object_get(stream.element, "location", &location, nullptr);
    std::string first = location;
    if (first.find("%d") != std::string::npos) first.replace(first.find("%d"), 2, "0");
    fail_unless(g_file_get_contents(first.c_str(), &text, &size, nullptr), "%s: nothing in %s",
                where.c_str(), first.c_str());
    results["the file"].assign(text, size);
  }
  gst_bus_set_sync_handler(stream.bus, nullptr, nullptr, nullptr);
  return results;
}

// Compares with the earlier results of the same way, if there are any.
void check_same(const Film& film, const FloatEnvironment& environment, const std::string& what,
                Results* expected) {
  const std::string where = film.element.name + " " + film.element.settings;
  const Results got = results_in(environment, film);
  if (expected->empty()) *expected = got;
  for (const auto& [name, bytes] : got) {
    fail_if(bytes.empty(), "%s makes nothing for %s", where.c_str(), name.c_str());
    fail_unless(bytes == (*expected)[name], "%s: other bytes for %s, floats are %s", where.c_str(),
                name.c_str(), what.c_str());
  }
}

void floats(const Element& element) {
  const Workplace workplace;
  rdp::test::LastWords last_words(std::chrono::seconds(60));
  std::vector<Element> ways = all_ways(element);
  ways.front() = element;  // keeps the comparison with the reference
  std::vector<std::unique_ptr<Film>> films;
  std::vector<Results> expected(ways.size());
  for (std::size_t i = 0; i < ways.size(); ++i) {
    films.push_back(std::make_unique<Film>(ways[i]));
    for (const FloatEnvironment& environment : float_environments()) {
      last_words.at(ways[i].name + " " + ways[i].settings + ", floats " + environment.name);
      check_same(*films[i], environment, environment.name, &expected[i]);
    }
  }
  const rdp::test::DecimalComma locale;
  for (std::size_t i = 0; i < ways.size() && locale.is_there(); ++i) {
    last_words.at(ways[i].name + " " + ways[i].settings + ", a decimal comma");
    check_same(*films[i], float_environments().front(), "written with a comma", &expected[i]);
  }
}

}  // namespace

Rows float_rows() {
  return {"floats",
          {{"floats", floats, [](const Element&) { return true; }, Row::Over::kCpu, true}}};
}

}  // namespace conformance
