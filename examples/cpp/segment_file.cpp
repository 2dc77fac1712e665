// SPDX-License-Identifier: LGPL-2.1-or-later
// Reads the segments of frames from a program: a pipeline that ends in an appsink, and the metadata
// library on the buffers that come out of it. Uses nothing but what pkg-config names:
//   flags=$(pkg-config --cflags --libs gstreamer-rdpsegment-1.0 gstreamer-app-1.0)
//   c++ -std=c++17 segment_file.cpp $flags -o segment_file
#include <gst/app/gstappsink.h>
#include <gst/gst.h>
#include <gst/rdpsegment/rdpsegment.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>

namespace {

struct Unref {
  void operator()(GstElement* element) const { gst_object_unref(element); }
  void operator()(GstSample* sample) const { gst_sample_unref(sample); }
  void operator()(GstMessage* message) const { gst_message_unref(message); }
};
template <typename T>
using Ref = std::unique_ptr<T, Unref>;

struct Options {
  double epsilon = 4.0;
  int frames = 5;
  std::string picture;  // empty: frames of depthtestsrc
};

// Property values that come from outside are set in code, so that no file name is ever parsed.
Ref<GstElement> make_pipeline(const Options& options) {
  const std::string source =
      options.picture.empty()
          ? "depthtestsrc name=source"
          : "filesrc name=source ! pngdec ! videoconvert ! video/x-raw,format={GRAY16_LE,GRAY8}";
  GError* error = nullptr;
  Ref<GstElement> pipeline(gst_parse_launch(
      (source + " ! rdpsegment name=segment sample-scale=0.00390625 ! appsink name=sink").c_str(),
      &error));
  if (error != nullptr) {
    std::fprintf(stderr, "The pipeline cannot be made: %s\n", error->message);
    g_clear_error(&error);
    return nullptr;
  }
  const auto child = [&](const char* name) {
    return Ref<GstElement>(gst_bin_get_by_name(GST_BIN(pipeline.get()), name));
  };
  g_object_set(child("segment").get(), "epsilon", options.epsilon, nullptr);
  g_object_set(child("sink").get(), "sync", FALSE, "max-buffers", 4, nullptr);
  if (options.picture.empty()) {
    g_object_set(child("source").get(), "num-buffers", options.frames, nullptr);
  } else {
    g_object_set(child("source").get(), "location", options.picture.c_str(), nullptr);
  }
  return pipeline;
}

// A line about the segments of one frame; false where it has none.
bool print_statistics(GstBuffer* buffer) {
  // It belongs to the buffer; whoever keeps it longer takes a reference.
  GstRdpSegmentation* segmentation = gst_rdp_buffer_get_segmentation(buffer);
  if (segmentation == nullptr) {
    std::fprintf(stderr, "A frame without segments came out of the pipeline.\n");
    return false;
  }
  const GstRdpSegmentationInfo* info = gst_rdp_segmentation_get_info(segmentation);
  const guint columns = gst_rdp_segmentation_get_n_columns(segmentation);
  gsize total = 0;
  gsize most = 0;
  guint empty = 0;
  guint longest = 0;
  for (guint column = 0; column < columns; ++column) {
    gsize count = 0;
    const GstRdpSegment* segments = gst_rdp_segmentation_get_column(segmentation, column, &count);
    total += count;
    most = std::max(most, count);
    if (count == 0) ++empty;
    for (gsize i = 0; i < count; ++i) {
      const guint rows = segments[i].last_row - segments[i].first_row + 1U;
      longest = std::max(longest, rows);
    }
  }
  std::printf(
      "frame %" G_GUINT64_FORMAT ": %ux%u, %" G_GSIZE_FORMAT
      " segments, %.1f a column, at most %" G_GSIZE_FORMAT
      " (%u columns know nothing), longest %u rows, %.0f times less data\n",
      info->frame, info->width, info->height, total, static_cast<double>(total) / columns, most,
      empty, longest,
      2.0 * info->width * info->height / std::max<double>(1.0, sizeof(GstRdpSegment) * total));
  return true;
}

// Says what went wrong if the pipeline has given up.
bool has_failed(GstElement* pipeline) {
  const Ref<GstMessage> message(gst_bus_pop_filtered(GST_ELEMENT_BUS(pipeline), GST_MESSAGE_ERROR));
  if (message == nullptr) return false;
  GError* error = nullptr;
  gchar* debug = nullptr;
  gst_message_parse_error(message.get(), &error, &debug);
  std::fprintf(stderr, "%s: %s\n%s\n", GST_MESSAGE_SRC_NAME(message.get()), error->message,
               debug != nullptr ? debug : "");
  g_clear_error(&error);
  g_free(debug);
  return true;
}

// Prints each frame that reaches the sink, until the stream ends or fails. The exit status.
int run(GstElement* pipeline) {
  const Ref<GstElement> element(gst_bin_get_by_name(GST_BIN(pipeline), "sink"));
  GstAppSink* sink = GST_APP_SINK(element.get());
  bool good = gst_element_set_state(pipeline, GST_STATE_PLAYING) != GST_STATE_CHANGE_FAILURE;
  int frames = 0;
  while (good && !gst_app_sink_is_eos(sink)) {
    // Not for ever: where an element fails before the first frame, none ever comes.
    const Ref<GstSample> sample(gst_app_sink_try_pull_sample(sink, GST_SECOND / 5));
    good = !has_failed(pipeline);
    if (good && sample != nullptr) {
      good = print_statistics(gst_sample_get_buffer(sample.get()));
      ++frames;
    }
  }
  good = !has_failed(pipeline) && good;
  if (good && frames == 0) std::fprintf(stderr, "No frame came out: is it a gray PNG?\n");
  gst_element_set_state(pipeline, GST_STATE_NULL);
  return good && frames > 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  gchar** files = nullptr;
  const GOptionEntry entries[] = {
      {"epsilon", 'e', 0, G_OPTION_ARG_DOUBLE, &options.epsilon, "Tolerance in px (4)", "PX"},
      {"frames", 'n', 0, G_OPTION_ARG_INT, &options.frames, "Synthetic frames (5)", "N"},
      {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &files, nullptr, "[PICTURE.png]"},
      {nullptr, 0, 0, G_OPTION_ARG_NONE, nullptr, nullptr, nullptr}};
  GOptionContext* context =
      g_option_context_new("- prints what the segments of a gray PNG of disparity * 256 are like");
  g_option_context_set_description(context, "Without a picture, frames of depthtestsrc are taken.");
  g_option_context_add_main_entries(context, entries, nullptr);
  g_option_context_add_group(context, gst_init_get_option_group());
  GError* error = nullptr;
  const bool parsed = g_option_context_parse(context, &argc, &argv, &error);
  g_option_context_free(context);
  if (parsed && files != nullptr) options.picture = files[0];
  const bool one_file = files == nullptr || files[1] == nullptr;
  g_strfreev(files);
  if (!parsed || !one_file || options.frames < 1 || !(options.epsilon >= 0)) {
    std::fprintf(stderr, "%s; see %s --help\n",
                 error != nullptr     ? error->message
                 : !one_file          ? "One picture at a time"
                 : options.frames < 1 ? "--frames is at least 1"
                                      : "--epsilon is not negative",
                 argv[0]);
    g_clear_error(&error);
    return 2;
  }
  const Ref<GstElement> pipeline = make_pipeline(options);
  return pipeline == nullptr ? 1 : run(pipeline.get());
}
