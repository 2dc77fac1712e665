// SPDX-License-Identifier: LGPL-2.1-or-later
// Every property of an element and its pads, one at a time, in a working stream: both ends of its
// range, 0, 1 and 2, each enumerator, odd texts. Nothing crashes or hangs; either frames come out,
// or one error of the element names the remedy.
#include <memory>
#include <set>

#include "tests/support/last_words.h"

// After the standard library: check.h defines a macro named fail.
#include "tests/conformance/stream.h"
#include "tests/conformance/workplace.h"
#include "tests/support/await.h"
#include "tests/support/property_values.h"

namespace conformance {
namespace {

using rdp::test::LastWords;
using rdp::test::PropertyValue;
using rdp::test::values_to_try;

constexpr guint64 kPushed = 2;
constexpr guint64 kEnough = 5;  // buffers of a source set to make more
constexpr auto kPatience = std::chrono::seconds(60);

// Test values of text properties, mostly file names. Sinks skip the pipe: a writer waits for its
// reader.
std::vector<std::string> texts_for(const Element& element) {
  std::vector<std::string> texts = {"",
                                    " ",
                                    ",",
                                    "%",
                                    "%d%s%n",
                                    "%999999999999d",
                                    "\xff\xfe.",
                                    "camera.json",
                                    "pair.json",
                                    "cloud.pcd",
                                    "no/where",
                                    "empty",
                                    "bytes",
                                    "text",
                                    "folder",
                                    "/",
                                    "/dev/null",
                                    "/dev/full",
                                    "pair.json,pair.json",
                                    std::string(5000, 'x')};
  if (!element.ends_here) texts.insert(texts.end(), {"pipe", "/dev/zero"});
  return texts;
}

// The fault of the messages; "": none.
std::string verdict(const faults::Said& said, guint64 came) {
  std::vector<std::string> errors;
  for (const std::string& error : said.errors) {
    // A second error from GStreamer's base class.
    const bool echo = error.find("gst-core-error-quark 4:") != std::string::npos ||
                      error.find(": Internal data ") != std::string::npos;
    if (!echo || errors.empty()) errors.push_back(error);
  }
  if (errors.size() > 1) return "more than one error: " + errors[0] + " | " + errors[1];
  const std::set<std::string> different(said.warnings.begin(), said.warnings.end());
  if (different.size() < said.warnings.size()) {
    return "a warning more than once: " + said.warnings[0];
  }
  if (!g_utf8_validate(said.text().c_str(), -1, nullptr)) return "a message that is no UTF-8";
  constexpr const char* kRemedy =
      "expected|[Ss]et |[Uu]se |[Pp]ut |[Tt]ake |[Cc]heck |link |has to be|must |work "
      "without|directory|No such file|too long|No space left";
  if (!errors.empty() && !g_regex_match_simple(kRemedy, errors[0].c_str(), GRegexCompileFlags(0),
                                               GRegexMatchFlags(0))) {
    return "an error without a remedy: " + errors[0];
  }
  return came == 0 && errors.empty() && said.warnings.empty() ? "nothing came, without a word" : "";
}

// A stream that runs once, with one property set.
class Trial {
 public:
  explicit Trial(const Film& film) : stream_(film, true) {}

  // The element, or one of its pads.
  GObject* object(const std::string& pad) const {
    if (pad.empty()) return G_OBJECT(stream_.element);
    GstPad* found = gst_element_get_static_pad(stream_.element, pad.c_str());
    fail_unless(found != nullptr, "there is no pad %s", pad.c_str());
    gst_object_unref(found);  // the element holds a reference
    return G_OBJECT(found);
  }

  // Runs to the end of the stream. Returns the fault; "": none.
  std::string run() {
    stream_.main.answer = [](guint64 nth) { return nth < kEnough ? GST_FLOW_OK : GST_FLOW_EOS; };
    bool ended = !stream_.start();
    if (!ended && !stream_.of().is_source()) {
      stream_.begin();
      GstFlowReturn flow = GST_FLOW_OK;
      for (guint64 number = 0; number < kPushed && flow == GST_FLOW_OK; ++number) {
        // The same scene, so that a repeated message has equal text.
        flow = stream_.push(number * kScenes);
      }
      stream_.event(gst_event_new_eos());
      ended = flow != GST_FLOW_OK;
    }
    ended = ended || rdp::test::await([&] {
              listen();
              return stream_.main.ends() > 0 || stream_.main.refused() || !said_.errors.empty();
            });
    stream_.stop();
    listen();
    return ended ? verdict(said_, came()) : "no end: " + said_.text();
  }
  guint64 came() const { return stream_.main.count(); }
  const faults::Said& said() const { return said_; }

 private:
  void listen() {
    const faults::Said more = faults::listen(stream_.bus);
    said_.errors.insert(said_.errors.end(), more.errors.begin(), more.errors.end());
    said_.warnings.insert(said_.warnings.end(), more.warnings.begin(), more.warnings.end());
  }
  Stream stream_;
  faults::Said said_;
};

template <typename Body>
void for_each_property(GObject* object, const Body& body) {
  guint count = 0;
  GParamSpec** all = g_object_class_list_properties(G_OBJECT_GET_CLASS(object), &count);
  for (guint i = 0; i < count; ++i) body(all[i]);
  g_free(all);
}

// Properties that can be set after construction, except name, parent and those that GStreamer
// handles for every pad.
bool is_settable(const GParamSpec* spec) {
  const bool structural = spec->owner_type == GST_TYPE_OBJECT || spec->owner_type == GST_TYPE_PAD;
  return (spec->flags & G_PARAM_WRITABLE) != 0 && (spec->flags & G_PARAM_CONSTRUCT_ONLY) == 0 &&
         !structural;
}

// Reads all readable properties, which must work with any values.
void read_all(GObject* object) {
  for_each_property(object, [&](GParamSpec* spec) {
    if ((spec->flags & G_PARAM_READABLE) == 0) return;
    GValue value = G_VALUE_INIT;
    g_value_init(&value, spec->value_type);
    g_object_get_property(object, spec->name, &value);
    g_value_unset(&value);
  });
}

// Reports all faults, not only the first, and returns their number.
int walk(const Film& film, const std::string& pad, LastWords* last_words) {
  int wrong = 0;
  const Trial plain(film);
  for_each_property(plain.object(pad), [&](GParamSpec* spec) {
    if (!is_settable(spec)) return;
    for (const PropertyValue& value : values_to_try(spec, texts_for(film.element))) {
      // GStreamer's sinks cannot handle the end of this range.
      if (std::string(spec->name) == "render-delay" &&
          g_value_get_uint64(value.get()) == G_MAXUINT64) {
        continue;
      }
      const std::string where = film.element.name + (pad.empty() ? "" : "." + pad) + " " +
                                spec->name + "=" + value.text() + " " + film.element.settings;
      last_words->at(where);
      Trial trial(film);
      g_object_set_property(trial.object(pad), spec->name, value.get());
      read_all(trial.object(pad));
      const std::string complaint = trial.run();
      read_all(trial.object(pad));
      const bool told_so = std::string(spec->name) == "num-buffers" && trial.said().errors.empty();
      if (complaint.empty() || told_so) continue;
      ++wrong;
      g_printerr("%s\n  %s\n", where.c_str(), complaint.c_str());
    }
  });
  return wrong;
}

void properties(const Element& element) {
  const Workplace workplace;
  LastWords last_words(kPatience);
  int wrong = 0;
  for (const Element& way : all_ways(element)) {
    if (!way.tries_properties) continue;
    const Film film(way);
    last_words.at(way.name + " " + way.settings);
    Trial works(film);
    const std::string complaint = works.run();
    fail_unless(complaint.empty() && works.said().text() == "nothing" && works.came() > 0,
                "%s %s: %s, %s", way.name.c_str(), way.settings.c_str(), complaint.c_str(),
                works.said().text().c_str());
    wrong += walk(film, "", &last_words);
    for (const auto& pads : {way.inputs, way.sides, std::vector<std::string>{"src"}}) {
      for (const std::string& pad : pads) {
        if (pad != "src" || !way.ends_here) wrong += walk(film, pad, &last_words);
      }
    }
  }
  fail_unless(wrong == 0, "%d trials of %s are wrong, see above", wrong, element.name.c_str());
}

// --- while playing ------------------------------------------------------------------------------

// A property of an element or pad that may be set while playing, with test values.
struct Setting {
  std::string pad;
  std::string name;
  std::vector<PropertyValue> values;
  PropertyValue original;
};

std::vector<Setting> settings_while_playing(const Film& film) {
  const Trial plain(film);
  std::vector<Setting> settings;
  std::vector<std::string> pads = {""};
  for (const auto& more : {film.element.inputs, film.element.sides, {std::string("src")}}) {
    for (const std::string& pad : more) {
      if (pad != "src" || !film.element.ends_here) pads.push_back(pad);
    }
  }
  for (const std::string& pad : pads) {
    GObject* object = plain.object(pad);
    for_each_property(object, [&](GParamSpec* spec) {
      if (!is_settable(spec) || (spec->flags & GST_PARAM_MUTABLE_PLAYING) == 0) return;
      // The sink has no file name after the largest index, so its stream ends.
      if (film.element.ends_here && std::string(spec->name) == "index") return;
      PropertyValue original(spec->value_type);
      g_object_get_property(object, spec->name, original.get());
      settings.push_back({pad, spec->name, values_to_try(spec, {}), original});
      // One more than the present value: usually invalid if it must be a multiple, or odd or even.
      PropertyValue next = original;
      if (spec->value_type == G_TYPE_UINT) {
        g_value_set_uint(next.get(), g_value_get_uint(next.get()) + 1);
      } else if (spec->value_type == G_TYPE_INT) {
        g_value_set_int(next.get(), g_value_get_int(next.get()) + 1);
      } else {
        return;
      }
      if (g_param_value_validate(spec, next.get()) == FALSE) settings.back().values.push_back(next);
    });
  }
  return settings;
}

// A playing stream whose properties change.
class Changing {
 public:
  explicit Changing(const Film& film) : film_(film) { restart(); }
  ~Changing() { stream_->stop(); }

  void set(const Setting& setting, const PropertyValue& value) {
    GObject* object = G_OBJECT(stream_->element);
    GstPad* pad = nullptr;
    if (!setting.pad.empty()) {
      pad = gst_element_get_static_pad(stream_->element, setting.pad.c_str());
      object = G_OBJECT(pad);
    }
    g_object_set_property(object, setting.name.c_str(), value.get());
    if (pad != nullptr) gst_object_unref(pad);
    what_ += (what_.empty() ? "" : ", ") + setting.name + "=" + value.text();
  }
  // Pushes frames. False if the stream ends: reports it, and starts a new stream.
  bool goes_on() {
    // Two frames: a property of a pad's own thread takes effect with the second one.
    GstFlowReturn flow = GST_FLOW_OK;
    for (int i = 0; i < 2 && flow == GST_FLOW_OK; ++i) flow = stream_->push(number_++ * kScenes);
    const faults::Said said = faults::listen(stream_->bus);
    if (flow == GST_FLOW_OK && said.errors.empty()) return true;
    g_printerr("%s %s: %s: %s, %s\n", film_.element.name.c_str(), film_.element.settings.c_str(),
               what_.c_str(), gst_flow_get_name(flow), said.text().c_str());
    stream_->stop();
    restart();
    return false;
  }
  void forget() { what_.clear(); }

 private:
  void restart() {
    stream_ = std::make_unique<Stream>(film_, true);
    number_ = 0;
    what_.clear();
    fail_unless(stream_->start() && stream_->begin() && stream_->push(0) == GST_FLOW_OK);
    // Waits for the first frame, since invalid values before it are errors.
    fail_unless(film_.element.ends_here || stream_->await(1));
  }

  const Film& film_;
  std::unique_ptr<Stream> stream_;
  guint64 number_ = 0;
  std::string what_;  // the settings since forget()
};

// An invalid value, alone or with others, does not end the stream: frames continue, and earlier
// values are accepted again.
void changes(const Element& element) {
  const Workplace workplace;
  LastWords last_words(kPatience);
  int wrong = 0;
  for (const Element& way : all_ways(element)) {
    if (!way.tries_properties) continue;
    const Film film(way);
    const std::vector<Setting> settings = settings_while_playing(film);
    Changing stream(film);
    for (const Setting& setting : settings) {
      for (const PropertyValue& value : setting.values) {
        last_words.at(way.name + " " + setting.name + "=" + value.text() + " " + way.settings);
        stream.forget();
        stream.set(setting, value);
        if (!stream.goes_on()) ++wrong;
        stream.set(setting, setting.original);
        if (!stream.goes_on()) ++wrong;
      }
    }
    // Several changes at once, the same in each run.
    constexpr int kRounds = 60;
    std::uint32_t state = 1;
    const auto below = [&](std::size_t count) {
      state = state * 1664525U + 1013904223U;
      return static_cast<std::size_t>((std::uint64_t{state} * count) >> 32);
    };
    for (int round = 0; round < kRounds && !settings.empty(); ++round) {
      stream.forget();
      std::vector<const Setting*> changed;
      for (int i = 0; i < 3; ++i) {
        changed.push_back(&settings[below(settings.size())]);
        const std::vector<PropertyValue>& values = changed.back()->values;
        if (!values.empty()) stream.set(*changed.back(), values[below(values.size())]);
      }
      last_words.at(way.name + " round " + std::to_string(round) + " " + way.settings);
      if (!stream.goes_on()) ++wrong;
      for (const Setting* setting : changed) stream.set(*setting, setting->original);
      if (!stream.goes_on()) ++wrong;
    }
  }
  fail_unless(wrong == 0, "%d changes of %s end the stream, see above", wrong,
              element.name.c_str());
}

}  // namespace

Rows property_rows() {
  return {"properties",
          {{"properties", properties, [](const Element&) { return true; }, Row::Over::kCpu, true},
           {"changes", changes, [](const Element& element) { return !element.is_source(); },
            Row::Over::kCpu, true}}};
}

}  // namespace conformance
