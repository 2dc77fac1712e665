// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_DEPTHSTEREO_STEREO_FAULTS_H_
#define RDP_TESTS_DEPTHSTEREO_STEREO_FAULTS_H_

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/depthstereo/stereo_rig.h"
#include "tests/support/fault_rig.h"

// depthstereo between pads that do as a test tells them. Its work is done by a thread of its own,
// so that what a pair comes to is awaited: the disparity, or an error.
namespace stereo_faults {

using faults::InTest;
using faults::Said;

constexpr guint64 kPairs = 3;
constexpr int kWidth = 40;
constexpr int kHeight = 24;
inline const frames::Shape kShape{GST_VIDEO_FORMAT_GRAY8, kWidth, kHeight};

struct Setting {
  std::string name;
  std::string properties;  // "a=b c=d"
  bool side_pads = false;
  std::string feature;  // of all caps; empty: system memory
  rdp::stereo::Parameters parameters;
  // Before the buffers of a stream are made: they have a context of their own.
  std::function<void()> new_stream = [] {};
  std::function<GstBuffer*(const stereo_rig::Picture&)> new_buffer;
};

inline Setting plain_setting() {
  Setting setting;
  setting.name = "plain";
  setting.parameters.disparities = 16;
  setting.properties = "disparities=16 threads=1 backend=cpu";
  setting.new_buffer = [](const stereo_rig::Picture& picture) {
    return stereo_rig::buffer(picture);
  };
  return setting;
}

class Rig {
 public:
  explicit Rig(const Setting& setting)
      : setting_(setting),
        views_(stereo_rig::draw(kWidth, kHeight, setting.parameters)),
        expected_(stereo_rig::match(views_, setting.parameters)),
        element(gst_parse_bin_or_element(setting)),
        main("main") {
    bus = frames::attach_bus(element);
    link(&main, "src");
    if (setting.side_pads) {
      for (const char* name : {"rectified", "confidence", "overlay"}) {
        sides_.push_back(std::make_unique<faults::Sink>(name));
        link(sides_.back().get(), name);
      }
    }
    for (std::size_t i : {0, 1}) {
      inputs_[i] = gst_element_request_pad_simple(element, i == 0 ? "left" : "right");
      sources_[i] = gst_pad_new(nullptr, GST_PAD_SRC);
      gst_object_ref_sink(sources_[i]);
      fail_unless_equals_int(gst_pad_link(sources_[i], inputs_[i]), GST_PAD_LINK_OK);
    }
    main.look = [this](GstBuffer* buffer, guint64 nth) { return look(buffer, nth); };
  }
  ~Rig() {
    stop();
    for (std::size_t i : {0, 1}) {
      gst_element_release_request_pad(element, inputs_[i]);
      gst_object_unref(inputs_[i]);
      gst_object_unref(sources_[i]);
    }
    for (GstPad* pad : requested_) {
      gst_element_release_request_pad(element, pad);
      gst_object_unref(pad);
    }
    frames::detach_bus(element, bus);
    gst_object_unref(element);
  }
  Rig(const Rig&) = delete;
  Rig& operator=(const Rig&) = delete;

  // A whole stream, until something is refused or an error comes. How many pairs came out.
  guint64 play() { return play(true); }
  // The same without waiting for each pair: downstream refuses one.
  guint64 play_until_refused() { return play(false); }

 private:
  guint64 play(bool awaits) {
    said = {};
    main.forget();
    std::array<std::array<GstBuffer*, 2>, kPairs> pairs{};
    setting_.new_stream();
    for (guint64 number = 0; number < kPairs; ++number) {
      for (std::size_t i : {0, 1}) {
        pairs[number][i] = setting_.new_buffer(i == 0 ? views_.left : views_.right);
        GST_BUFFER_PTS(pairs[number][i]) = number * GST_SECOND / 30;
      }
    }
    before_fault();
    faults::at_work = true;
    bool well = gst_element_set_state(element, GST_STATE_PLAYING) != GST_STATE_CHANGE_FAILURE;
    if (well) begin();
    for (guint64 number = 0; number < kPairs; ++number) {
      for (std::size_t i : {0, 1}) {
        GstBuffer* buffer = std::exchange(pairs[number][i], nullptr);
        if (well) {
          well = gst_pad_push(sources_[i], buffer) == GST_FLOW_OK;
        } else {
          gst_buffer_unref(buffer);
        }
      }
      if (awaits) well = well && await(number + 1);
    }
    // What is refused is refused before long.
    if (!awaits) rdp::test::await([&] { return main.count() >= refused_after; });
    stop();
    faults::at_work = false;
    listen();
    return main.count();
  }

 public:
  guint64 refused_after = kPairs;

  // What every fault may do: nothing that is seen, or an error and no pair after it.
  void check(guint64 came, const std::string& why) {
    fail_unless(main.complaint().empty(), "%s: %s", why.c_str(), main.complaint().c_str());
    // A side pad whose memory goes with the GPU says so as well as the element.
    std::size_t own = 0;
    for (const std::string& error : said.errors) {
      own += error.find("'s pictures") == std::string::npos ? 1 : 0;
    }
    const bool right = came == kPairs ? said.errors.empty() : !said.errors.empty() && own <= 1;
    fail_unless(right, "%s: %d pairs came, and %s", why.c_str(), static_cast<int>(came),
                said.text().c_str());
    GST_INFO("%s: %s", why.c_str(), said.text().c_str());
  }

  // From NULL: everything works, whatever happened before.
  void check_fresh_start(const std::string& why) {
    const auto armed = std::exchange(before_fault, [] {});
    const auto answer = std::exchange(main.answer, nullptr);
    const guint64 came = play();
    fail_unless(came == kPairs && said.errors.empty(), "%s: started again, %d pairs came, and %s",
                why.c_str(), static_cast<int>(came), said.text().c_str());
    fail_unless(main.complaint().empty(), "%s: %s", why.c_str(), main.complaint().c_str());
    before_fault = armed;
    main.answer = answer;
  }

 private:
  const Setting& setting_;
  const stereo_rig::Views views_;
  const stereo_rig::Expected expected_;

 public:
  GstElement* element;
  GstBus* bus;
  faults::Sink main;
  Said said;          // in the last stream
  std::string fault;  // for messages
  // Called when all is made, before the element starts.
  std::function<void()> before_fault = [] {};
  // Around a test's look at samples: whether these can be looked at, and when that is done.
  std::function<bool()> pause = [] { return true; };
  std::function<void()> resume = [] {};

 private:
  static GstElement* gst_parse_bin_or_element(const Setting& setting) {
    GError* error = nullptr;
    GstElement* made = gst_parse_launch(("depthstereo " + setting.properties).c_str(), &error);
    fail_unless(error == nullptr, "%s", error == nullptr ? "" : error->message);
    gst_object_ref_sink(made);
    return made;
  }

  std::string caps_text(const char* rest) const {
    return "video/x-raw" + (setting_.feature.empty() ? "" : "(" + setting_.feature + ")") + rest;
  }

  void link(faults::Sink* sink, const char* name) {
    GstPad* pad = gst_element_get_static_pad(element, name);
    if (pad == nullptr) {
      pad = gst_element_request_pad_simple(element, name);
      requested_.push_back(GST_PAD(gst_object_ref(pad)));
    }
    sink->query = [this, to_src = sink == &main](GstQuery* query) {
      if (GST_QUERY_TYPE(query) != GST_QUERY_CAPS) return false;
      GstCaps* filter;
      gst_query_parse_caps(query, &filter);
      // Side pads fall back to system memory where the GPU fails, which downstream may take.
      const bool only = to_src || setting_.feature.empty();
      GstCaps* all = gst_caps_from_string((caps_text("") + (only ? "" : ";video/x-raw")).c_str());
      GstCaps* some = filter == nullptr ? gst_caps_ref(all) : gst_caps_intersect(filter, all);
      gst_query_set_caps_result(query, some);
      gst_caps_unref(all);
      gst_caps_unref(some);
      return true;
    };
    gst_pad_set_active(sink->pad(), TRUE);
    fail_unless_equals_int(gst_pad_link(pad, sink->pad()), GST_PAD_LINK_OK);
    gst_object_unref(pad);
  }

  void begin() {
    for (GstPad* source : sources_) {
      gst_pad_set_active(source, TRUE);
      gst_pad_push_event(source,
                         gst_event_new_stream_start(source == sources_[0] ? "left" : "right"));
      GstCaps* caps = nullptr;
      GstSegment segment;
      {
        const InTest test;
        caps = gst_caps_from_string(
            caps_text((",format=GRAY8,framerate=30/1,width=" + std::to_string(kWidth) +
                       ",height=" + std::to_string(kHeight))
                          .c_str())
                .c_str());
        gst_segment_init(&segment, GST_FORMAT_TIME);
      }
      gst_pad_push_event(source, gst_event_new_caps(caps));
      gst_caps_unref(caps);
      gst_pad_push_event(source, gst_event_new_segment(&segment));
    }
  }

  // Until so many pairs have come out: false where an error comes instead.
  bool await(guint64 pairs) {
    const InTest test;
    const bool settled = rdp::test::await([&] {
      listen();
      return main.count() >= pairs || !said.errors.empty();
    });
    if (!settled) {
      // Its threads would keep the process from ending.
      const GstFlowReturn flow = GST_PAD_LAST_FLOW_RETURN(sources_[1]);
      stop();
      fail_unless(false, "%s, pair %d: neither a disparity nor an error; the inputs say %s",
                  fault.c_str(), static_cast<int>(pairs), gst_flow_get_name(flow));
    }
    return main.count() >= pairs;
  }

  void listen() {
    const InTest test;
    const Said more = faults::listen(bus);
    said.errors.insert(said.errors.end(), more.errors.begin(), more.errors.end());
    said.warnings.insert(said.warnings.end(), more.warnings.begin(), more.warnings.end());
  }

  void stop() {
    gst_element_set_state(element, GST_STATE_NULL);
    for (GstPad* source : sources_) gst_pad_set_active(source, FALSE);
  }

  std::string look(GstBuffer* buffer, guint64 nth) {
    std::string wrong;
    if (pause() &&
        stereo_rig::samples<std::uint16_t>(buffer, kWidth, kHeight) != expected_.disparity) {
      wrong = "another disparity";
    }
    resume();
    if (wrong.empty() && GST_BUFFER_PTS(buffer) != nth * GST_SECOND / 30) wrong = "another time";
    return wrong.empty() ? wrong : "pair " + std::to_string(nth) + ": " + wrong;
  }

  std::vector<std::unique_ptr<faults::Sink>> sides_;
  std::vector<GstPad*> requested_;
  std::array<GstPad*, 2> inputs_{};
  std::array<GstPad*, 2> sources_{};
};

}  // namespace stereo_faults

#endif  // RDP_TESTS_DEPTHSTEREO_STEREO_FAULTS_H_
