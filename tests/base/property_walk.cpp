// SPDX-License-Identifier: LGPL-2.1-or-later
// Every property of every element and of its pads, one at a time, in a pipeline that works: both
// ends of its range, 0, 1 and 2, each value of an enumeration, odd texts. Nothing crashes or hangs;
// frames come out, or one error of the element's own says what to do.
#include <sys/stat.h>
#include <unistd.h>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "tests/clouds/cloud_file_bytes.h"
#include "tests/support/last_words.h"

// After the standard library: check.h defines a macro named fail.
#include <glib/gstdio.h>
#include <gst/check/gstcheck.h>

#include "tests/support/pipeline_rig.h"
#include "tests/support/property_values.h"
#include "tests/support/temporary_files.h"

using namespace rdp::test;

namespace {

constexpr std::size_t kEnough = 5;  // buffers: sources are told to make two, but may be told more
constexpr auto kPatience = std::chrono::seconds(60);

#define RDP_SIZE "width=48,height=36,framerate=200/1"
#define RDP_FRAMES "depthtestsrc num-buffers=2 ! video/x-raw," RDP_SIZE " ! "
#define RDP_ROOM \
  "depthtestsrc pattern=room domain=depth num-buffers=2 ! video/x-raw," RDP_SIZE " ! "

// A pipeline in which an element works: the element is "it", and what comes to "out" counts. An
// element has as many of them as it takes for each pad to be there and each property to matter.
struct Row {
  const char* factory;
  const char* line;
};
const Row kRows[] = {
    {"depthtestsrc",
     "depthtestsrc name=it num-buffers=2 ! video/x-raw," RDP_SIZE " ! fakesink name=out"},
    {"depthtestsrc",
     "depthtestsrc name=it num-buffers=2 pattern=room view=side-by-side noise=0.5 "
     "! video/x-raw," RDP_SIZE " ! fakesink name=out"},
    {"depthtestsrc",
     "depthtestsrc name=it num-buffers=2 pattern=traffic view=flow ! video/x-raw," RDP_SIZE
     " ! fakesink name=out"},
    {"depthtestsrc",
     "depthtestsrc name=it num-buffers=2 pattern=room view=labels ! video/x-raw," RDP_SIZE
     " ! fakesink name=out"},
    {"rdpsegment", RDP_FRAMES
     "rdpsegment sample-scale=0.00390625 name=it ! fakesink name=out it.overlay ! fakesink"},
    {"rdpsegment", RDP_FRAMES
     "rdpsegment name=it sample-scale=0.00390625 epsilon=1 median=3x3 merge=true fit=absolute "
     "classify=true overlay::style=birdseye ! fakesink name=out it.overlay ! fakesink"},
    {"rdpsegment",
     "depthtestsrc num-buffers=2 domain=depth ! video/x-raw," RDP_SIZE
     " ! depthplanes ! rdpsegment name=it domain=inverse refine=true classify=true ground=planes "
     "column-width=3 "
     "overlay::style=classes ! fakesink name=out it.overlay ! fakesink"},
    {"depthplanes", RDP_ROOM "depthplanes name=it ! fakesink name=out it.overlay ! fakesink"},
    {"depthplanes", RDP_FRAMES
     "depthplanes name=it output=labels overlay::style=residual ! fakesink name=out it.overlay ! "
     "fakesink"},
    {"depthplanes", RDP_ROOM "depthpoints ! depthplanes name=it ! fakesink name=out"},
    {"depthpoints", RDP_FRAMES "depthpoints name=it ! fakesink name=out"},
    {"depthpoints", "depthtestsrc pattern=noise num-buffers=2 ! video/x-raw," RDP_SIZE
                    " ! depthpoints name=it focal-length=40 baseline=0.1 ! fakesink name=out"},
    {"depthstereo",
     "depthstereo name=it disparities=16 ! fakesink name=out it.overlay ! fakesink it.confidence ! "
     "fakesink depthtestsrc view=left num-buffers=2 ! video/x-raw," RDP_SIZE
     " ! it.left depthtestsrc view=right num-buffers=2 ! video/x-raw," RDP_SIZE " ! it.right"},
    {"depthstereo",
     "depthtestsrc view=side-by-side num-buffers=2 ! video/x-raw," RDP_SIZE
     " ! depthstereo name=it disparities=16 speckle-size=4 calibration=pair.json rectify=on ! "
     "fakesink name=out it.rectified ! fakesink"},
    {"klttrack", "depthtestsrc view=left num-buffers=2 ! video/x-raw," RDP_SIZE
                 " ! klttrack name=it ! fakesink name=out it.overlay ! fakesink"},
    {"klttrack", "depthtestsrc view=left num-buffers=2 ! video/x-raw," RDP_SIZE
                 " ! klttrack name=it window=31 light=gain-bias predict=false ! fakesink name=out"},
    {"pointcloudsrc", "pointcloudsrc name=it location=cloud.pcd ! fakesink name=out"},
    {"pointcloudsrc", "pointcloudsrc name=it location=clouds%d.pcd ! fakesink name=out"},
    {"pointcloudsink", RDP_FRAMES "depthpoints ! pointcloudsink name=it location=written.ply"},
    {"pointcloudsink", RDP_ROOM "depthpoints ! depthplanes ! pointcloudsink name=it labels=true "
                                "location=written%d.pcd"},
    {"rdpmetaconvert",
     RDP_FRAMES "rdpsegment sample-scale=0.00390625 ! rdpmetaconvert name=it ! fakesink name=out"},
    {"rdpmetaconvert",
     RDP_ROOM "depthplanes ! rdpmetaconvert name=it points=true ! fakesink name=out"},
    {"rdpmetaconvert", RDP_FRAMES
     "rdpsegment sample-scale=0.00390625 ! rdpmetaconvert name=it format=ply ! fakesink name=out"},
    {"rdpmotion",
     "depthtestsrc num-buffers=2 ! video/x-raw," RDP_SIZE
     " ! rdpsegment sample-scale=0.00390625 ! it.depth depthtestsrc view=left num-buffers=2 ! "
     "video/x-raw," RDP_SIZE " ! klttrack ! it.video rdpmotion name=it ! "
     "fakesink name=out it.overlay ! fakesink"},
    {"rdpoverlay",
     "rdpoverlay name=it ! fakesink name=out videotestsrc num-buffers=2 ! "
     "video/x-raw,format=RGBA,width=64,height=48,framerate=200/1 ! it.video " RDP_FRAMES
     "rdpsegment sample-scale=0.00390625 ! it.segments"},
    {"rdpoverlay",
     "rdpoverlay name=it style=birdseye ! fakesink name=out videotestsrc num-buffers=2 ! "
     "video/x-raw,format=I420,width=64,height=48,framerate=200/1 ! it.video " RDP_FRAMES
     "rdpsegment sample-scale=0.00390625 classify=true ! it.segments"},
    {"rdpoverlay",
     "rdpoverlay name=it style=trails ! fakesink name=out videotestsrc num-buffers=2 ! "
     "video/x-raw,format=I420,width=64,height=48,framerate=200/1 ! it.video depthtestsrc "
     "view=left num-buffers=2 ! video/x-raw," RDP_SIZE " ! klttrack ! it.segments"},
    {"depthupload", RDP_FRAMES "depthupload name=it ! fakesink name=out"},
    {"depthdownload", RDP_FRAMES "depthupload ! depthdownload name=it ! fakesink name=out"},
};

// The plugin's elements; some are there only where a GPU is.
std::set<std::string> element_names() {
  std::set<std::string> names;
  GList* features = gst_registry_get_feature_list_by_plugin(gst_registry_get(), "rdpsegment");
  for (const GList* item = features; item != nullptr; item = item->next) {
    if (GST_IS_ELEMENT_FACTORY(item->data)) names.insert(GST_OBJECT_NAME(item->data));
  }
  gst_plugin_feature_list_free(features);
  return names;
}

// A folder to work in, with files of all sorts in it. What tests write there goes with it.
class Workplace {
 public:
  Workplace() {
    g_autofree gchar* before = g_get_current_dir();
    before_ = before;
    fail_unless(chdir(folder_.path().c_str()) == 0);
    const std::string cloud = pcd_binary(some_points(20));
    for (const char* name : {"cloud.pcd", "clouds0.pcd", "clouds1.pcd", "clouds2.pcd"}) {
      folder_.write(name, cloud);
    }
    folder_.write("empty", "");
    folder_.write("bytes", std::string("\x89PNG\r\n\x1a\n\0\xff\xfe{", 12));
    folder_.write("text", "{\"size\": [48, 36], \"focal-length\": nothing");
    const std::string lens = "{\"size\": [24, 36], \"focal-length\": 30, \"pose\": [[1, 0, 0, ";
    const std::string turned = "], [0, 1, 0, 0], [0, 0, 1, 0]]}";
    folder_.write("camera.json", "{\"size\": [48, 36], \"focal-length\": 30}");
    folder_.write("pair.json", "[" + lens + "0.0" + turned + ", " + lens + "0.1" + turned + "]");
    fail_unless(g_mkdir("folder", 0700) == 0 && mkfifo("pipe", 0600) == 0);
  }
  ~Workplace() {
    g_rmdir("folder");
    GDir* dir = g_dir_open(".", 0, nullptr);
    while (const gchar* name = g_dir_read_name(dir)) g_unlink(name);
    g_dir_close(dir);
    fail_unless(chdir(before_.c_str()) == 0);
  }
  Workplace(const Workplace&) = delete;
  Workplace& operator=(const Workplace&) = delete;

 private:
  Folder folder_;
  std::string before_;
};

// What a text can be: a name of a file, above all. A pipe that is written to waits for its reader,
// as it does everywhere.
std::vector<std::string> texts_for(const std::string& factory) {
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
  if (factory != "pointcloudsink") texts.insert(texts.end(), {"pipe", "/dev/zero"});
  return texts;
}

// A pipeline that is run once, with one property set.
class Trial : public PipelineRig {
 public:
  explicit Trial(const char* line) : PipelineRig(line) {
    GstElement* out = gst_bin_get_by_name(GST_BIN(pipeline()), "out");
    if (out == nullptr) out = gst_bin_get_by_name(GST_BIN(pipeline()), "it");
    received_ = std::make_unique<Received>(out);
    received_->keeps = false;
    gst_pad_add_probe(received_->pad(), GST_PAD_PROBE_TYPE_BUFFER, end_when_enough, this, nullptr);
    gst_object_unref(out);
  }
  ~Trial() override { gst_element_set_state(pipeline(), GST_STATE_NULL); }

  // The element, or one of its pads.
  GObject* object(const std::string& pad) const {
    if (pad.empty()) return G_OBJECT(get("it"));
    GstPad* found = gst_element_get_static_pad(get("it"), pad.c_str());
    fail_unless(found != nullptr, "there is no pad %s", pad.c_str());
    gst_object_unref(found);  // the element keeps it
    return G_OBJECT(found);
  }

  // Until the end; what is wrong with how it ended, "" if nothing is.
  std::string run() {
    gst_element_set_state(pipeline(), GST_STATE_PLAYING);
    GstBus* bus = gst_element_get_bus(pipeline());
    constexpr auto kEnds =
        static_cast<GstMessageType>(GST_MESSAGE_EOS | GST_MESSAGE_ERROR | GST_MESSAGE_APPLICATION);
    constexpr auto kNoted = static_cast<GstMessageType>(kEnds | GST_MESSAGE_WARNING);
    bool ended = false;
    while (!ended) {
      GstMessage* message = gst_bus_timed_pop_filtered(bus, GST_CLOCK_TIME_NONE, kNoted);
      ended = (GST_MESSAGE_TYPE(message) & kEnds) != 0;
      note(message);
    }
    // Threads end, and what they had to say is on the bus, which is cleared on the way to NULL.
    // What never came to READY would try once more.
    GstState state = GST_STATE_NULL;
    gst_element_get_state(pipeline(), &state, nullptr, 0);
    if (state > GST_STATE_READY) gst_element_set_state(pipeline(), GST_STATE_READY);
    while (GstMessage* message = gst_bus_pop_filtered(bus, kNoted)) note(message);
    gst_object_unref(bus);
    gst_element_set_state(pipeline(), GST_STATE_NULL);
    return verdict();
  }
  std::size_t buffers() const { return received_->count; }
  const std::vector<std::string>& errors() const { return errors_; }

 private:
  // Takes the message.
  void note(GstMessage* message) {
    const GstMessageType type = GST_MESSAGE_TYPE(message);
    g_autoptr(GError) error = nullptr;
    g_autofree gchar* debug = nullptr;
    if (type == GST_MESSAGE_WARNING) {
      gst_message_parse_warning(message, &error, &debug);
      warnings.emplace_back(error->message);
    } else if (type == GST_MESSAGE_ERROR) {
      gst_message_parse_error(message, &error, &debug);
      // What a base class of GStreamer's says after the element has.
      const bool echo = g_error_matches(error, GST_CORE_ERROR, GST_CORE_ERROR_STATE_CHANGE) ||
                        g_str_has_prefix(error->message, "Internal data ");
      const std::string text = std::string(error->message) + " " + (debug == nullptr ? "" : debug);
      GstObject* it = GST_OBJECT(get("it"));
      const bool own = GST_MESSAGE_SRC(message) == it ||
                       gst_object_has_as_ancestor(GST_MESSAGE_SRC(message), it);
      if (own && (!echo || errors_.empty())) errors_.push_back(text);
      if (!own && others_.empty()) others_ = text;
      if (!own && errors_.empty()) other_first_ = true;
    }
    gst_message_unref(message);
  }

  std::string verdict() const {
    if (other_first_) return "another element has an error before the element says why: " + others_;
    if (errors_.size() > 1) {
      return std::to_string(errors_.size()) + " errors: " + errors_[0] + " | " + errors_[1];
    }
    const std::set<std::string> different(warnings.begin(), warnings.end());
    for (const std::vector<std::string>* texts : {&warnings, &errors_}) {
      for (const std::string& text : *texts) {
        if (!g_utf8_validate(text.c_str(), -1, nullptr)) return "a message that is no UTF-8";
      }
    }
    if (different.size() < warnings.size()) return "a warning more than once: " + warnings[0];
    constexpr const char* kRemedy =
        "expected|set |use |put |take |check |has to be|work without|"
        "directory|No such file|too long|No space left";
    if (errors_.size() == 1 && !g_regex_match_simple(kRemedy, errors_[0].c_str(),
                                                     GRegexCompileFlags(0), GRegexMatchFlags(0))) {
      return "an error without a remedy: " + errors_[0];
    }
    if (errors_.empty() && warnings.empty() && buffers() == 0)
      return "nothing came, without a word";
    return "";
  }

  static GstPadProbeReturn end_when_enough(GstPad*, GstPadProbeInfo*, gpointer data) {
    auto* self = static_cast<Trial*>(data);
    if (self->received_->count == kEnough) {
      gst_element_post_message(self->pipeline(),
                               gst_message_new_application(GST_OBJECT(self->pipeline()),
                                                           gst_structure_new_empty("enough")));
    }
    return GST_PAD_PROBE_OK;
  }

  std::unique_ptr<Received> received_;
  std::vector<std::string> errors_;  // the element's own
  std::string others_;
  bool other_first_ = false;
};

// What is set once the object is there, but for where it stands.
std::vector<GParamSpec*> settable(GObject* object) {
  guint count = 0;
  GParamSpec** all = g_object_class_list_properties(G_OBJECT_GET_CLASS(object), &count);
  std::vector<GParamSpec*> result;
  for (guint i = 0; i < count; ++i) {
    // Where it stands, and what GStreamer does with every pad.
    const bool structural =
        all[i]->owner_type == GST_TYPE_OBJECT || all[i]->owner_type == GST_TYPE_PAD;
    const bool set_later =
        (all[i]->flags & G_PARAM_WRITABLE) != 0 && (all[i]->flags & G_PARAM_CONSTRUCT_ONLY) == 0;
    if (set_later && !structural) result.push_back(all[i]);
  }
  g_free(all);
  return result;
}

// Everything that can be read can be, whatever was set.
void read_all(GObject* object) {
  guint count = 0;
  GParamSpec** all = g_object_class_list_properties(G_OBJECT_GET_CLASS(object), &count);
  for (guint i = 0; i < count; ++i) {
    if ((all[i]->flags & G_PARAM_READABLE) == 0) continue;
    GValue value = G_VALUE_INIT;
    g_value_init(&value, all[i]->value_type);
    g_object_get_property(object, all[i]->name, &value);
    g_value_unset(&value);
  }
  g_free(all);
}

std::vector<std::string> pads_of(GstElement* element) {
  std::vector<std::string> names;
  for (const GList* item = element->pads; item != nullptr; item = item->next) {
    names.emplace_back(GST_OBJECT_NAME(item->data));
  }
  return names;
}

struct Count {
  int trials = 0;
  int wrong = 0;
};

// Says all that is wrong, not the first alone.
void walk(const Row& row, const std::string& pad, LastWords* last_words, Count* count) {
  const Trial plain(row.line);
  for (GParamSpec* spec : settable(plain.object(pad))) {
    for (const PropertyValue& value : values_to_try(spec, texts_for(row.factory))) {
      // GStreamer's sinks themselves do not take the end of the range.
      if (std::string(spec->name) == "render-delay" &&
          g_value_get_uint64(value.get()) == G_MAXUINT64) {
        continue;
      }
      const std::string where = std::string(row.factory) + (pad.empty() ? "" : "." + pad) + " " +
                                spec->name + "=" + value.text() + " in: " + row.line;
      last_words->at(where);
      Trial trial(row.line);
      g_object_set_property(trial.object(pad), spec->name, value.get());
      read_all(trial.object(pad));
      const std::string wrong = trial.run();
      read_all(trial.object(pad));
      const bool told_so = std::string(spec->name) == "num-buffers" && trial.errors().empty();
      ++count->trials;
      if (wrong.empty() || told_so) continue;
      ++count->wrong;
      g_printerr("%s\n  %s\n", where.c_str(), wrong.c_str());
    }
  }
}

}  // namespace

GST_START_TEST(test_row) {
  const Row& row = kRows[__i__];
  if (element_names().count(row.factory) == 0) return;
  const Workplace workplace;
  LastWords last_words(kPatience);
  {
    last_words.at(row.line);
    Trial works(row.line);
    const std::string wrong = works.run();
    fail_unless(wrong.empty() && works.errors().empty() && works.warnings.empty(), "%s: %s %s",
                row.line, wrong.c_str(), works.warnings.empty() ? "" : works.warnings[0].c_str());
    fail_if(works.buffers() == 0);
  }
  Count count;
  walk(row, "", &last_words, &count);
  for (const std::string& pad : pads_of(Trial(row.line).get("it"))) {
    walk(row, pad, &last_words, &count);
  }
  fail_unless(count.wrong == 0, "%d of %d trials of %s are wrong, see above", count.wrong,
              count.trials, row.factory);
  GST_INFO("%d trials of %s", count.trials, row.factory);
}
GST_END_TEST

// A new element, and a new pad of an old one, needs a row.
GST_START_TEST(test_all_are_here) {
  const Workplace workplace;
  std::map<std::string, std::set<std::string>> pads;  // by element: the templates that rows use
  const std::set<std::string> names = element_names();
  fail_unless(!names.empty());
  for (const Row& row : kRows) {
    if (names.count(row.factory) == 0) continue;
    std::set<std::string>& used = pads[row.factory];
    const Trial trial(row.line);
    for (const GList* item = trial.get("it")->pads; item != nullptr; item = item->next) {
      GstPadTemplate* templ = GST_PAD_PAD_TEMPLATE(item->data);
      if (templ != nullptr) used.insert(GST_PAD_TEMPLATE_NAME_TEMPLATE(templ));
    }
  }
  for (const std::string& name : names) {
    fail_unless(pads.count(name) == 1, "there is no row of %s", name.c_str());
    GstElementFactory* factory = gst_element_factory_find(name.c_str());
    for (const GList* item = gst_element_factory_get_static_pad_templates(factory); item != nullptr;
         item = item->next) {
      const auto* templ = static_cast<const GstStaticPadTemplate*>(item->data);
      fail_unless(pads[name].count(templ->name_template) == 1, "no row of %s has the pad %s",
                  name.c_str(), templ->name_template);
    }
    gst_object_unref(factory);
  }
}
GST_END_TEST

static Suite* property_walk_suite() {
  Suite* suite = suite_create("property_walk");
  TCase* cases = tcase_create("values");
  suite_add_tcase(suite, cases);
  tcase_add_test(cases, test_all_are_here);
  tcase_add_loop_test(cases, test_row, 0, static_cast<int>(G_N_ELEMENTS(kRows)));
  return suite;
}

GST_CHECK_MAIN(property_walk)
