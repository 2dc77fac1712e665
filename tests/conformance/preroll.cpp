// SPDX-License-Identifier: LGPL-2.1-or-later
// Pipelines with a side that cannot preroll, because one branch needs more frames than the other
// lets through: after five seconds a warning names reason and remedy. Pipelines that preroll, or
// still may, cause no warning. The pipelines of all elements run in parallel.
#include <gst/app/gstappsrc.h>

#include <memory>

#include "tests/conformance/stream.h"

namespace conformance {
namespace {

// A queue that holds back its first six frames, as an encoder with look-ahead does.
constexpr char kNeedsMore[] = "queue min-threshold-buffers=6 ! ";
constexpr char kQueue[] = "queue max-size-buffers=0 max-size-bytes=0 max-size-time=0 ! ";

struct Case {
  std::string branches;  // launch lines downstream of src and the side
  std::string settings;
  bool prerolls;
  std::string says;  // part of the warning; empty: no warning
  bool frames = true;
};

// A film's element in a pipeline, with endless sources.
class Pipeline {
 public:
  Pipeline(const Film& film, const Case& of) : film_(film), case_(of) {
    const Element& element = film.element;
    std::string line = element.factory + " name=it backend=cpu " + element.settings + " " +
                       of.settings + " " + of.branches;
    for (const std::string& input : element.inputs) {
      line += " appsrc name=" + input + "_frames format=time max-bytes=1000 ! it." + input;
    }
    g_autoptr(GError) error = nullptr;
    pipeline_ = gst_parse_launch(line.c_str(), &error);
    fail_unless(error == nullptr, "%s: %s", line.c_str(), error == nullptr ? "" : error->message);
    bus_ = gst_element_get_bus(pipeline_);
    g_autoptr(GstElement) it = gst_bin_get_by_name(GST_BIN(pipeline_), "it");
    if (element.prepare) element.prepare(it);
    feeds_.reserve(element.inputs.size());
    for (std::size_t i = 0; i < element.inputs.size(); ++i) feed(i);
    gst_element_set_state(pipeline_, GST_STATE_PAUSED);
  }
  ~Pipeline() {
    gst_element_set_state(pipeline_, GST_STATE_NULL);
    gst_object_unref(bus_);
    gst_object_unref(pipeline_);
  }
  Pipeline(const Pipeline&) = delete;
  Pipeline& operator=(const Pipeline&) = delete;

  void check() const {
    const char* name = film_.element.name.c_str();
    const char* line = case_.branches.c_str();
    const faults::Said said = faults::listen(bus_);
    fail_unless(said.errors.empty(), "%s: %s: %s", name, line, said.text().c_str());
    const bool as_said =
        case_.says.empty()
            ? said.warnings.empty()
            : said.warnings.size() == 1 && said.warnings[0].find(case_.says) != std::string::npos;
    fail_unless(as_said, "%s: %s: %s", name, line, said.text().c_str());
    const bool prerolled =
        gst_element_get_state(pipeline_, nullptr, nullptr, 0) == GST_STATE_CHANGE_SUCCESS;
    fail_unless(prerolled == case_.prerolls, "%s: %s: %s", name, line,
                prerolled ? "prerolls" : "does not preroll");
  }

 private:
  struct Feed {
    const Film* film;
    std::size_t input;
    guint64 next;
  };

  void feed(std::size_t input) {
    feeds_.push_back({&film_, input, 0});
    const std::string name = film_.element.inputs[input] + "_frames";
    g_autoptr(GstElement) source = gst_bin_get_by_name(GST_BIN(pipeline_), name.c_str());
    g_autoptr(GstCaps) caps = gst_caps_from_string(film_.caps(input).c_str());
    g_object_set(source, "caps", caps, nullptr);
    if (!case_.frames) return;
    GstAppSrcCallbacks callbacks = {};
    callbacks.need_data = [](GstAppSrc* to, guint, gpointer data) {
      auto* self = static_cast<Feed*>(data);
      gst_app_src_push_buffer(to, self->film->make(self->input, self->next++));
    };
    gst_app_src_set_callbacks(GST_APP_SRC(source), &callbacks, &feeds_.back(), nullptr);
  }

  const Film& film_;
  const Case case_;
  GstElement* pipeline_;
  GstBus* bus_;
  std::vector<Feed> feeds_;
};

// The pipelines around a side.
std::vector<Case> cases_of(const std::string& side, bool drops) {
  const std::string more = kNeedsMore;
  const std::string queue = kQueue;
  const std::string slow = "identity sleep-time=6500000 ! ";
  const std::string sink = "fakesink";
  const std::string main_needs =
      "Put a queue behind " + side + (drops ? ", or set " + side + "::drop=late." : ".");
  const std::string side_needs = "downstream of the pad " + side + " need more";
  const auto line = [&](const std::string& src, const std::string& of_side) {
    return "it.src ! " + src + " it." + side + " ! " + of_side;
  };
  // A part of the pipeline that never prerolls.
  const std::string never = " appsrc ! fakesink";
  std::vector<Case> cases = {
      // Usual branches need no queue.
      {line(sink, sink), "", true, ""},
      {line("videoconvert ! " + sink, "videoconvert ! " + sink), "", true, ""},
      // One branch needs more frames; the warning's remedy works.
      {line(more + sink, sink), "", false, main_needs},
      {line(more + sink, queue + sink), "", true, ""},
      {line(sink, more + sink), "", false, side_needs},
      {line(queue + sink, more + sink), "", true, ""},
      // The same in bins.
      {line("( " + more + "fakesink )", "( fakesink )"), "", false, main_needs},
      // Another part of the pipeline does not preroll; the branches here wait for it, without a
      // warning.
      {line(sink, sink) + never, "", false, ""},
      {line(queue + sink, sink) + never, "", false, ""},
      {line(sink, queue + sink) + never, "", false, ""},
      // Sources that start late.
      {line(sink, sink), "", false, "", false},
      // A slow branch that prerolls in time.
      {line("queue min-threshold-buffers=3 ! " + sink, slow + "queue ! " + sink), "", true, ""},
      {line(slow + "queue ! " + sink, "queue min-threshold-buffers=2 ! " + sink), "", true, ""},
      // The pipeline does not wait for the main path's sink.
      {line(more + sink + " async=false", sink), "", true, ""},
  };
  if (drops) cases.push_back({line(more + sink, sink), side + "::drop=late", true, ""});
  return cases;
}

// Adds the pipelines around the sides of an element.
void add_pipelines(const Film& film, std::vector<std::unique_ptr<Pipeline>>* pipelines) {
  for (const std::string& side : film.element.sides) {
    Stream stream(film, true);
    g_autoptr(GstPad) pad = gst_element_get_static_pad(stream.element, side.c_str());
    const bool drops = g_object_class_find_property(G_OBJECT_GET_CLASS(pad), "drop") != nullptr;
    for (const Case& each : cases_of(side, drops)) {
      pipelines->push_back(std::make_unique<Pipeline>(film, each));
    }
  }
}

// Elements with sides, one entry each: other settings have the same pads.
std::vector<const Element*> elements_with_sides() {
  std::vector<const Element*> found;
  for (const Element& element : elements()) {
    const bool has_sides = !element.sides.empty() && element.name.ends_with("plain");
    if (has_sides && is_wanted("ELEMENT", element.name)) found.push_back(&element);
  }
  return found;
}

// The pipelines of all elements wait side by side.
void preroll(const Element&) {
  std::vector<std::unique_ptr<Film>> films;
  std::vector<std::unique_ptr<Pipeline>> pipelines;
  for (const Element* element : elements_with_sides()) {
    films.push_back(std::make_unique<Film>(*element));
    add_pipelines(*films.back(), &pipelines);
  }
  g_usleep(11 * G_USEC_PER_SEC);
  for (const auto& pipeline : pipelines) pipeline->check();
}

bool is_first(const Element& element) {
  const std::vector<const Element*> all = elements_with_sides();
  return !all.empty() && all.front()->name == element.name;
}

}  // namespace

Rows preroll_rows() { return {"preroll", {{"preroll", preroll, is_first, Row::Over::kCpu}}}; }

}  // namespace conformance
