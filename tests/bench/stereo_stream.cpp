// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/bench/stereo_stream.h"

#include <cstring>
#include <stdexcept>

#include "common/stereo/engine.h"
#include "gst/memory/system_memory.h"
#include "tests/stereo/stereo_patterns.h"
#include "tests/support/bus_texts.h"

namespace rdp::bench {

StereoViews::StereoViews(int width, int height, const stereo::Parameters& parameters)
    : left({GST_VIDEO_FORMAT_GRAY8, width, height}),
      right({GST_VIDEO_FORMAT_GRAY8, width, height}) {
  test::draw_pair(test::PairKind::kTextured, {left.view(), right.view(), {}, {}}, parameters, 1);
}

std::vector<std::uint16_t> match_views(const StereoViews& views,
                                       const stereo::Parameters& parameters) {
  const DepthView left = views.left.view();
  std::vector<std::uint16_t> samples(views.left.samples.size());
  stereo::Engine matcher(1);
  matcher.match({left, views.right.view(), {}, {}}, parameters,
                {{reinterpret_cast<std::byte*>(samples.data()), std::ptrdiff_t{2} * left.width,
                  left.width, left.height, SampleType::kU16},
                 {}});
  return samples;
}

StereoStream::StereoStream(const StereoViews& views, const stereo::Parameters& parameters,
                           const StereoSetup& setup, const NewBuffer& new_buffer)
    : shape_(views.left.shape), element_(gst_element_factory_make("depthstereo", nullptr)) {
  if (element_ == nullptr) {
    throw std::runtime_error(
        "there is no element depthstereo: GST_PLUGIN_PATH must name the folder of "
        "libgstrdpsegment.so, and that must load (gst-inspect-1.0 depthstereo says why not)");
  }
  gst_object_ref_sink(element_);
  bus_ = gst_bus_new();
  gst_element_set_bus(element_, bus_);
  gst_util_set_object_arg(G_OBJECT(element_), "backend", setup.backend);
  g_object_set(element_, "threads", setup.threads, "disparities",
               static_cast<guint>(parameters.disparities), nullptr);
  gst_util_set_object_arg(G_OBJECT(element_), "paths", std::to_string(parameters.paths).c_str());
  views_[0] = new_buffer(views.left);
  views_[1] = new_buffer(views.right);
  GstPad* src = gst_element_get_static_pad(element_, "src");
  link_output(src, setup.output_feature, take);
  gst_object_unref(src);
  if (setup.data_pads) {
    for (const char* name : {"rectified", "confidence"}) {
      GstPad* pad = gst_element_request_pad_simple(element_, name);
      requested_.push_back(pad);
      link_output(pad, setup.output_feature, [](GstPad*, GstObject*, GstBuffer* buffer) {
        gst_buffer_unref(buffer);
        return GST_FLOW_OK;
      });
    }
  }
  for (const char* name : {"left", "right"}) {
    requested_.push_back(gst_element_request_pad_simple(element_, name));
  }
  // A signal for each pair costs nothing that would be seen.
  g_object_set(requested_.back(), "emit-signals", TRUE, nullptr);
  g_signal_connect(requested_.back(), "buffer-consumed", G_CALLBACK(consumed), this);
  if (gst_element_set_state(element_, GST_STATE_PLAYING) == GST_STATE_CHANGE_FAILURE) {
    fail("depthstereo does not start");
  }
  for (int which : {0, 1}) link_input(which, setup);
}

StereoStream::~StereoStream() {
  for (GstPad* source : sources_) {
    if (source != nullptr) gst_pad_set_active(source, FALSE);
  }
  gst_element_set_state(element_, GST_STATE_NULL);
  for (GstPad* pad : requested_) {
    gst_element_release_request_pad(element_, pad);
    gst_object_unref(pad);
  }
  gst_element_set_bus(element_, nullptr);
  gst_object_unref(element_);
  gst_object_unref(bus_);
  for (GstPad* pad : sinks_) {
    gst_pad_set_active(pad, FALSE);
    gst_object_unref(pad);
  }
  for (GstPad* source : sources_) gst_clear_object(&source);
  for (GstBuffer* view : views_) gst_clear_buffer(&view);
  gst_clear_buffer(&last_);
}

void StereoStream::link_input(int which, const StereoSetup& setup) {
  GstPad* pad = requested_[requested_.size() - 2 + static_cast<std::size_t>(which)];
  GstPad*& source = sources_[which];
  source = gst_pad_new(nullptr, GST_PAD_SRC);
  gst_object_ref_sink(source);
  gst_pad_set_active(source, TRUE);
  if (gst_pad_link(source, pad) != GST_PAD_LINK_OK) fail("an input cannot be linked");
  gst_pad_push_event(source, gst_event_new_stream_start(which == 0 ? "left" : "right"));
  GstCaps* caps = frames::caps(shape_, setup.feature);
  gst_pad_push_event(source, gst_event_new_caps(caps));
  gst_caps_unref(caps);
  GstSegment segment;
  gst_segment_init(&segment, GST_FORMAT_TIME);
  gst_pad_push_event(source, gst_event_new_segment(&segment));
}

GstPad* StereoStream::link_output(GstPad* src, const char* feature, GstPadChainFunction chain) {
  GstCaps* caps = gst_caps_new_empty_simple("video/x-raw");
  if (feature != nullptr) {
    gst_caps_set_features_simple(caps, gst_caps_features_new(feature, nullptr));
  }
  GstPadTemplate* templ = gst_pad_template_new("sink", GST_PAD_SINK, GST_PAD_ALWAYS, caps);
  gst_object_ref_sink(templ);
  GstPad* pad = gst_pad_new_from_template(templ, nullptr);
  gst_object_ref_sink(pad);
  gst_object_unref(templ);
  gst_caps_unref(caps);
  gst_pad_set_element_private(pad, this);
  gst_pad_set_chain_function(pad, chain);
  gst_pad_set_active(pad, TRUE);
  sinks_.push_back(pad);
  if (gst_pad_link(src, pad) != GST_PAD_LINK_OK) fail("an output cannot be linked");
  return pad;
}

GstFlowReturn StereoStream::take(GstPad* pad, GstObject*, GstBuffer* buffer) {
  auto* self = static_cast<StereoStream*>(gst_pad_get_element_private(pad));
  self->came_ = Clock::now();
  if (self->last_ != nullptr) gst_buffer_unref(self->last_);
  self->last_ = buffer;
  self->done_.release();
  return GST_FLOW_OK;
}

void StereoStream::consumed(GstElement*, GstBuffer*, StereoStream* self) {
  self->taken_ = Clock::now();
}

void StereoStream::fail(const std::string& what) const {
  throw std::runtime_error(rdp::test::with_error_of(bus_, what));
}

// Of the same memory, as what comes from a pool that always has the same buffers.
GstBuffer* StereoStream::copy(int which) const {
  GstBuffer* buffer = gst_buffer_copy(views_[which]);
  GST_BUFFER_PTS(buffer) = number_ * GST_SECOND / 30;
  GST_BUFFER_DURATION(buffer) = GST_SECOND / 30;
  return buffer;
}

void StereoStream::push() {
  GstBuffer* left = copy(0);
  GstBuffer* right = copy(1);
  ++number_;
  if (gst_pad_push(sources_[0], left) != GST_FLOW_OK) {
    gst_buffer_unref(right);
    fail("depthstereo takes no left view");
  }
  pushed_ = Clock::now();
  if (gst_pad_push(sources_[1], right) != GST_FLOW_OK) fail("depthstereo takes no right view");
  if (!done_.try_acquire_for(std::chrono::seconds(20))) fail("no disparity comes of a pair");
}

PairTimes StereoStream::time(int warm_ups, int count, const std::function<void()>& between) {
  std::vector<double> pushed;
  std::vector<double> taken;
  for (int i = -warm_ups; i < count; ++i) {
    if (between) between();
    push();
    using Microseconds = std::chrono::duration<double, std::micro>;
    if (i < 0) continue;
    pushed.push_back(Microseconds(came_ - pushed_).count());
    taken.push_back(Microseconds(came_ - taken_).count());
  }
  return {summarize(pushed), summarize(taken)};
}

std::vector<std::uint16_t> StereoStream::samples() const {
  frames::Shape shape = shape_;
  shape.format = GST_VIDEO_FORMAT_GRAY16_LE;
  gst::SystemFrame frame;
  std::string reason;
  if (last_ == nullptr ||
      !frame.map(last_, frames::video_info(shape), gst::Access::kRead, &reason)) {
    fail("the disparity cannot be read: " + reason);
  }
  std::vector<std::uint16_t> samples(static_cast<std::size_t>(shape.width) *
                                     static_cast<std::size_t>(shape.height));
  const auto width = static_cast<std::size_t>(shape.width);
  for (int row = 0; row < shape.height; ++row) {
    std::memcpy(samples.data() + static_cast<std::size_t>(row) * width, frame.view().row(row),
                2 * width);
  }
  return samples;
}

std::string StereoStream::backend() const {
  GstStructure* stats = nullptr;
  g_object_get(element_, "stats", &stats, nullptr);
  const char* name = gst_structure_get_string(stats, "backend");
  std::string result = name == nullptr ? "" : name;
  gst_structure_free(stats);
  return result;
}

}  // namespace rdp::bench
