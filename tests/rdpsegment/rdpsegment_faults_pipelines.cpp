// SPDX-License-Identifier: LGPL-2.1-or-later
// Pipelines whose other elements fail, drop, end or wait, upstream, downstream or on the overlay's
// branch; and seeks. Every input frame comes out once, in order, with the reference's segments, and
// rdpsegment posts no message about others' faults. See fault_rig.h for RDPSEGMENT_FAULTS.
#include <mutex>

#include "tests/support/check_test.h"
#include "tests/support/fault_rig.h"

using faults::Said;

namespace {

constexpr int kFrames = 30;
const frames::Shape kShape{GST_VIDEO_FORMAT_GRAY16_LE, 32, 24};

// A pipeline around an rdpsegment named s, with watches on its pads.
class Watched {
 public:
  explicit Watched(const std::string& launch) {
    GError* error = nullptr;
    pipeline = gst_parse_launch(launch.c_str(), &error);
    fail_unless(error == nullptr, "%s: %s", launch.c_str(), error == nullptr ? "" : error->message);
    gst_object_ref_sink(pipeline);
    bus = gst_element_get_bus(pipeline);
    watch("sink", note_in);
    watch("src", note_out);
  }
  ~Watched() {
    gst_element_set_state(pipeline, GST_STATE_NULL);
    gst_object_unref(bus);
    gst_object_unref(pipeline);
  }
  Watched(const Watched&) = delete;
  Watched& operator=(const Watched&) = delete;

  GstElement* element(const char* name) const {
    GstElement* found = gst_bin_get_by_name(GST_BIN(pipeline), name);
    fail_unless(found != nullptr, "there is no %s", name);
    gst_object_unref(found);  // the pipeline keeps it
    return found;
  }

  // Plays until EOS or an error, then stops. Returns the messages; *ended: EOS was reached.
  Said play(bool* ended) {
    forget();
    fail_unless(gst_element_set_state(pipeline, GST_STATE_PLAYING) != GST_STATE_CHANGE_FAILURE);
    constexpr auto kEnds = static_cast<GstMessageType>(GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
    GstMessage* message = gst_bus_timed_pop_filtered(bus, 30 * GST_SECOND, kEnds);
    fail_unless(message != nullptr, "the pipeline hangs");
    *ended = GST_MESSAGE_TYPE(message) == GST_MESSAGE_EOS;
    gst_bus_post(bus, message);
    gst_element_set_state(pipeline, GST_STATE_PAUSED);
    Said said = faults::listen(bus);
    gst_element_set_state(pipeline, GST_STATE_NULL);
    return said;
  }

  void check(const std::string& what) const {
    const std::lock_guard lock(mutex_);
    fail_unless(complaint_.empty(), "%s: %s", what.c_str(), complaint_.c_str());
    // The last frame may have been in the element when everything stopped.
    fail_unless(in_.size() - out_.size() <= 1 && std::equal(out_.begin(), out_.end(), in_.begin()),
                "%s: %d frames in, %d out", what.c_str(), static_cast<int>(in_.size()),
                static_cast<int>(out_.size()));
  }
  std::string complaint() const {
    const std::lock_guard lock(mutex_);
    return complaint_;
  }
  std::size_t out() const {
    const std::lock_guard lock(mutex_);
    return out_.size();
  }
  std::size_t segments() const {
    const std::lock_guard lock(mutex_);
    return segments_;
  }
  void forget() {
    const std::lock_guard lock(mutex_);
    in_.clear();
    out_.clear();
    segments_ = 0;
    complaint_.clear();
  }
  // Within a segment, frames must be contiguous.
  bool without_gaps = false;

  GstElement* pipeline = nullptr;
  GstBus* bus = nullptr;

 private:
  void watch(const char* name, GstPadProbeCallback note) {
    g_autoptr(GstPad) pad = gst_element_get_static_pad(element("s"), name);
    gst_pad_add_probe(pad,
                      static_cast<GstPadProbeType>(GST_PAD_PROBE_TYPE_BUFFER |
                                                   GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM),
                      note, this, nullptr);
  }

  static GstPadProbeReturn note_in(GstPad*, GstPadProbeInfo* info, gpointer user_data) {
    auto* self = static_cast<Watched*>(user_data);
    if ((GST_PAD_PROBE_INFO_TYPE(info) & GST_PAD_PROBE_TYPE_BUFFER) == 0) return GST_PAD_PROBE_OK;
    const std::lock_guard lock(self->mutex_);
    self->in_.push_back(GST_BUFFER_OFFSET(GST_PAD_PROBE_INFO_BUFFER(info)));
    return GST_PAD_PROBE_OK;
  }

  static GstPadProbeReturn note_out(GstPad*, GstPadProbeInfo* info, gpointer user_data) {
    auto* self = static_cast<Watched*>(user_data);
    const std::lock_guard lock(self->mutex_);
    if ((GST_PAD_PROBE_INFO_TYPE(info) & GST_PAD_PROBE_TYPE_BUFFER) == 0) {
      GstEvent* event = GST_PAD_PROBE_INFO_EVENT(info);
      if (GST_EVENT_TYPE(event) != GST_EVENT_SEGMENT) return GST_PAD_PROBE_OK;
      const GstSegment* segment;
      gst_event_parse_segment(event, &segment);
      self->segments_++;
      self->step_ = segment->rate < 0 ? -1 : 1;
      self->next_ = -1;
      return GST_PAD_PROBE_OK;
    }
    GstBuffer* buffer = GST_PAD_PROBE_INFO_BUFFER(info);
    self->out_.push_back(GST_BUFFER_OFFSET(buffer));
    if (self->complaint_.empty()) self->complaint_ = self->look(buffer);
    return GST_PAD_PROBE_OK;
  }

  std::string look(GstBuffer* buffer) {
    const auto number = static_cast<gint64>(GST_BUFFER_OFFSET(buffer));
    const std::string frame = "frame " + std::to_string(number);
    if (without_gaps && next_ >= 0 && number != next_) {
      return frame + " comes where " + std::to_string(next_) + " was to";
    }
    next_ = number + step_;
    GstRdpSegmentation* segmentation = gst_rdp_buffer_get_segmentation(buffer);
    if (segmentation == nullptr) return frame + " has no segments";
    rdp::SegmentList expected;
    rdp::reference::segment_filtered(frames::view(kShape, frames::bytes(buffer)), {}, &expected);
    const std::string wrong = frames::difference(expected, segmentation);
    return wrong.empty() ? wrong : frame + ": " + wrong;
  }

  mutable std::mutex mutex_;
  std::vector<guint64> in_;
  std::vector<guint64> out_;
  std::size_t segments_ = 0;
  gint64 next_ = -1;
  int step_ = 1;
  std::string complaint_;
};

// A launch line with `element` upstream of rdpsegment, downstream of it, or on the overlay's
// branch.
std::string launch_line(int position, const std::string& element) {
  const auto at = [&](int here) { return here == position ? element + " ! " : std::string(); };
  return "depthtestsrc name=source num-buffers=" + std::to_string(kFrames) +
         " ! video/x-raw,width=32,height=24 ! " + at(0) + "rdpsegment name=s backend=cpu s.src ! " +
         at(1) + "queue ! fakesink async=false s.overlay ! " + at(2) +
         "queue ! fakesink async=false";
}

const char* const kPositions[] = {"before", "behind src", "behind the overlay"};

}  // namespace

// identity, which can fail, drop, end and sleep.
CHECK_TEST(test_neighbours) {
  struct Fault {
    const char* property;
    const char* value;
    const char* harmless;
    bool error;     // identity posts one
    bool complete;  // behind rdpsegment, it keeps no frame from leaving that
  };
  for (const Fault& fault : {
           Fault{"error-after", "1", "-1", true, false},
           Fault{"error-after", "2", "-1", true, false},
           Fault{"error-after", "7", "-1", true, false},
           Fault{"drop-probability", "0.5", "0", false, true},
           Fault{"drop-probability", "1", "0", false, true},
           Fault{"eos-after", "1", "-1", false, true},
           Fault{"eos-after", "5", "-1", false, true},
           Fault{"sleep-time", "1500", "0", false, true},
       }) {
    for (int position = 0; position < 3; ++position) {
      const std::string what =
          std::string(fault.property) + "=" + fault.value + " " + kPositions[position];
      Watched watched(launch_line(position, "identity name=fault"));
      GstElement* identity = watched.element("fault");
      gst_util_set_object_arg(G_OBJECT(identity), fault.property, fault.value);
      bool ended = false;
      const Said said = watched.play(&ended);
      fail_unless(ended != fault.error, "%s: %s", what.c_str(), said.text().c_str());
      watched.check(what);
      for (const std::string& error : said.errors) {
        fail_unless(error.rfind("fault:", 0) == 0 || error.rfind("source:", 0) == 0, "%s: %s",
                    what.c_str(), error.c_str());
      }
      if (position > 0 && fault.complete) fail_unless_equals_int(watched.out(), kFrames);
      // Without the fault everything comes.
      gst_util_set_object_arg(G_OBJECT(identity), fault.property, fault.harmless);
      watched.without_gaps = true;
      const Said again = watched.play(&ended);
      fail_unless(ended, "after %s: %s", what.c_str(), again.text().c_str());
      watched.check("after " + what);
      fail_unless_equals_int(watched.out(), kFrames);
      watched.without_gaps = false;
    }
  }
}

// A valve that is opened and closed while frames flow.
CHECK_TEST(test_valve) {
  for (int position = 0; position < 3; ++position) {
    Watched watched(launch_line(position, "valve name=fault"));
    g_object_set(watched.element("source"), "num-buffers", -1, nullptr);
    GstElement* valve = watched.element("fault");
    gst_element_set_state(watched.pipeline, GST_STATE_PLAYING);
    const unsigned times = 60 * faults::factor();
    for (unsigned i = 0; i < times || (watched.out() <= 5 && i < 20000); ++i) {
      g_object_set(valve, "drop", i % 2 == 0 ? TRUE : FALSE, nullptr);
      g_usleep(1000);
    }
    gst_element_set_state(watched.pipeline, GST_STATE_PAUSED);
    fail_unless(faults::listen(watched.bus).errors.empty());
    gst_element_set_state(watched.pipeline, GST_STATE_NULL);
    watched.check(std::string("a valve ") + kPositions[position]);
    fail_unless(watched.out() > 5, "only %d frames", static_cast<int>(watched.out()));
  }
}

// of plugins-bad
static bool has_errorignore() {
  g_autoptr(GstElementFactory) factory = gst_element_factory_find("errorignore");
  return factory != nullptr;
}

// errorignore converts a flow error from downstream into another flow return: the stream continues.
CHECK_TEST(test_errorignore, has_errorignore()) {
  for (const char* convert_to : {"ok", "eos", "not-linked"}) {
    for (int position = 1; position < 3; ++position) {
      Watched watched(launch_line(position, std::string("errorignore convert-to=") + convert_to +
                                                " ! identity name=fault error-after=4"));
      bool ended = false;
      watched.play(&ended);
      // identity has posted its error, but no flow error has reached rdpsegment.
      watched.check(std::string("errorignore ") + kPositions[position]);
    }
  }
}

// Flushing seeks, forwards and backwards, from any position.
CHECK_TEST(test_seeks) {
  Watched watched(
      "depthtestsrc name=source ! video/x-raw,width=32,height=24,framerate=30/1 ! rdpsegment "
      "name=s "
      "backend=cpu s.src ! queue ! fakesink async=false s.overlay ! queue ! fakesink async=false");
  watched.without_gaps = true;
  fail_unless(gst_element_set_state(watched.pipeline, GST_STATE_PLAYING) !=
              GST_STATE_CHANGE_FAILURE);
  const auto wait = [&](std::size_t frames) {
    for (int i = 0; i < 20000 && watched.out() < frames; ++i) g_usleep(500);
    return watched.out() >= frames;
  };
  fail_unless(wait(1), "nothing comes");
  std::mt19937 random(3);
  const unsigned seeks = 60 * faults::factor();
  for (unsigned i = 0; i < seeks; ++i) {
    const bool backwards = random() % 3 == 0;
    const auto position = static_cast<gint64>((20 + random() % 1000) * (GST_SECOND / 30));
    // A frame in flight arrives before the flush, or not at all.
    fail_unless(gst_element_seek(watched.pipeline, backwards ? -1.0 : 1.0, GST_FORMAT_TIME,
                                 GST_SEEK_FLAG_FLUSH, GST_SEEK_TYPE_SET, backwards ? 0 : position,
                                 GST_SEEK_TYPE_SET, backwards ? position : GST_CLOCK_TIME_NONE));
    if (random() % 4 != 0) fail_unless(wait(watched.out() + 1 + random() % 10), "seek %u", i);
  }
  fail_unless(wait(watched.out() + 3), "nothing comes after the last seek");
  gst_element_set_state(watched.pipeline, GST_STATE_PAUSED);
  const Said said = faults::listen(watched.bus);
  fail_unless(said.errors.empty(), "%s", said.text().c_str());
  gst_element_set_state(watched.pipeline, GST_STATE_NULL);
  fail_unless(watched.segments() > seeks / 2, "only %d segments of %u seeks",
              static_cast<int>(watched.segments()), seeks);
  std::printf("%u seeks, %d frames\n", seeks, static_cast<int>(watched.out()));
  fail_unless(watched.complaint().empty(), "%s", watched.complaint().c_str());
}

CHECK_CASE(rdpsegment_faults_pipelines)
