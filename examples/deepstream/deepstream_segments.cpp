// SPDX-License-Identifier: LGPL-2.1-or-later
// A pipeline with a depth branch and a colour branch of DeepStream. Each depth frame's segments go
// to the colour frame of the same time: as user metadata, for any element and program after it, and
// as lines that nvdsosd draws. README.md has pipelines for Jetson and for other GPUs.
#include <glib-unix.h>
#include <gst/deepstream/rdpdeepstream.h>
#include <gst/gst.h>
#include <gst/rdpsegment/rdpsegment.h>
#include <gstnvdsmeta.h>

#include <atomic>
#include <cstdio>
#include <memory>

#include "segment_store.h"

namespace {

struct Unref {
  void operator()(GstElement* element) const { gst_object_unref(element); }
  void operator()(GstPad* pad) const { gst_object_unref(pad); }
  void operator()(GstBus* bus) const { gst_object_unref(bus); }
  void operator()(GstMessage* message) const { gst_message_unref(message); }
  void operator()(GstRdpSegmentation* self) const { gst_rdp_segmentation_unref(self); }
};
template <typename T>
using Ref = std::unique_ptr<T, Unref>;

struct Options {
  gint source = 0;
  gint columns = 8;
  gint line_width = 1;
  gdouble palette_min = 0;
  gdouble palette_max = 0;
  gint tolerance = 20;
  gint patience = 100;
  gboolean print = FALSE;
};

// What the probes share. They run in the threads of their branches.
struct Shared {
  explicit Shared(const Options& options)
      : store(static_cast<GstClockTime>(options.tolerance) * GST_MSECOND,
              std::chrono::milliseconds(options.patience)),
        source(static_cast<guint>(options.source)),
        print(options.print) {
    gst_rdp_deepstream_lines_init(&lines);
    lines.column_step = static_cast<guint>(options.columns);
    lines.line_width = static_cast<guint>(options.line_width);
    lines.palette_min = options.palette_min;
    lines.palette_max = options.palette_max;
  }

  SegmentStore store;
  GstRdpDeepStreamLines lines{};
  const guint source;
  const bool print;
  std::atomic<guint64> depth_frames{0};
  std::atomic<guint64> colour_frames{0};
  std::atomic<guint64> matched{0};
  std::atomic<guint64> drawn{0};
  std::atomic<guint64> without_batch{0};
};

// Behind rdpsegment: keeps the segments.
GstPadProbeReturn on_depth(GstPad*, GstPadProbeInfo* info, gpointer data) {
  auto* shared = static_cast<Shared*>(data);
  if ((info->type & GST_PAD_PROBE_TYPE_BUFFER) != 0) {
    GstBuffer* buffer = GST_PAD_PROBE_INFO_BUFFER(info);
    GstRdpSegmentation* segmentation = gst_rdp_buffer_get_segmentation(buffer);
    if (segmentation != nullptr) {
      ++shared->depth_frames;
      shared->store.put(GST_BUFFER_PTS(buffer), segmentation);
    }
  } else if (GST_EVENT_TYPE(GST_PAD_PROBE_INFO_EVENT(info)) == GST_EVENT_EOS) {
    shared->store.close();
  }
  return GST_PAD_PROBE_OK;
}

// In front of nvdsosd: puts them on the frames of one camera.
GstPadProbeReturn on_colour(GstPad*, GstPadProbeInfo* info, gpointer data) {
  auto* shared = static_cast<Shared*>(data);
  NvDsBatchMeta* batch = gst_buffer_get_nvds_batch_meta(GST_PAD_PROBE_INFO_BUFFER(info));
  if (batch == nullptr) {
    ++shared->without_batch;
    return GST_PAD_PROBE_OK;
  }
  for (GList* link = batch->frame_meta_list; link != nullptr; link = link->next) {
    auto* frame = static_cast<NvDsFrameMeta*>(link->data);
    if (frame->pad_index != shared->source) continue;
    ++shared->colour_frames;
    const Ref<GstRdpSegmentation> segmentation(shared->store.find(frame->buf_pts));
    if (segmentation == nullptr) continue;
    if (gst_rdp_deepstream_add_segmentation(batch, frame, segmentation.get()) == nullptr) continue;
    ++shared->matched;
    shared->drawn += gst_rdp_deepstream_add_lines(batch, frame, segmentation.get(), &shared->lines);
  }
  return GST_PAD_PROBE_OK;
}

// Behind nvdsosd: what any later element or program does to read the segments.
GstPadProbeReturn on_result(GstPad*, GstPadProbeInfo* info, gpointer) {
  NvDsBatchMeta* batch = gst_buffer_get_nvds_batch_meta(GST_PAD_PROBE_INFO_BUFFER(info));
  if (batch == nullptr) return GST_PAD_PROBE_OK;
  nvds_acquire_meta_lock(batch);
  for (GList* link = batch->frame_meta_list; link != nullptr; link = link->next) {
    const auto* frame = static_cast<const NvDsFrameMeta*>(link->data);
    GstRdpSegmentation* segmentation = gst_rdp_deepstream_get_segmentation(frame);
    if (segmentation == nullptr) continue;
    const GstRdpSegmentationInfo* about = gst_rdp_segmentation_get_info(segmentation);
    std::printf("source %u, %" GST_TIME_FORMAT ": depth frame %" G_GUINT64_FORMAT
                ", %ux%u, %" G_GSIZE_FORMAT " segments\n",
                frame->pad_index, GST_TIME_ARGS(frame->buf_pts), about->frame, about->width,
                about->height, gst_rdp_segmentation_get_n_segments(segmentation));
  }
  nvds_release_meta_lock(batch);
  return GST_PAD_PROBE_OK;
}

bool add_probe(GstElement* pipeline, const char* name, const char* pad_name, int type,
               GstPadProbeCallback callback, Shared* shared) {
  const Ref<GstElement> element(gst_bin_get_by_name(GST_BIN(pipeline), name));
  if (element == nullptr) {
    std::fprintf(stderr, "No element of the pipeline has the name %s: write name=%s\n", name, name);
    return false;
  }
  const Ref<GstPad> pad(gst_element_get_static_pad(element.get(), pad_name));
  if (pad == nullptr) {
    std::fprintf(stderr, "The element %s has no pad %s\n", name, pad_name);
    return false;
  }
  gst_pad_add_probe(pad.get(), static_cast<GstPadProbeType>(type), callback, shared, nullptr);
  return true;
}

bool add_probes(GstElement* pipeline, Shared* shared) {
  constexpr int kBuffer = GST_PAD_PROBE_TYPE_BUFFER;
  constexpr int kEvent = GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM;
  return add_probe(pipeline, "segment", "src", kBuffer | kEvent, on_depth, shared) &&
         add_probe(pipeline, "osd", "sink", kBuffer, on_colour, shared) &&
         (!shared->print || add_probe(pipeline, "osd", "src", kBuffer, on_result, shared));
}

// False after an error, which it prints.
bool run(GstElement* pipeline) {
  // The first Ctrl+C ends the streams, so that files are complete; the next one ends the program.
  g_unix_signal_add(
      SIGINT,
      [](gpointer data) -> gboolean {
        gst_element_send_event(GST_ELEMENT(data), gst_event_new_eos());
        return G_SOURCE_REMOVE;
      },
      pipeline);
  gst_element_set_state(pipeline, GST_STATE_PLAYING);
  const Ref<GstBus> bus(gst_element_get_bus(pipeline));
  struct Outcome {
    GMainLoop* loop = g_main_loop_new(nullptr, FALSE);
    bool good = true;
  } outcome;
  gst_bus_add_watch(
      bus.get(),
      [](GstBus*, GstMessage* message, gpointer data) -> gboolean {
        auto* end = static_cast<Outcome*>(data);
        if (GST_MESSAGE_TYPE(message) == GST_MESSAGE_ERROR) {
          GError* error = nullptr;
          gchar* debug = nullptr;
          gst_message_parse_error(message, &error, &debug);
          std::fprintf(stderr, "%s: %s\n%s\n", GST_MESSAGE_SRC_NAME(message), error->message,
                       debug != nullptr ? debug : "");
          g_clear_error(&error);
          g_free(debug);
          end->good = false;
        }
        if (!end->good || GST_MESSAGE_TYPE(message) == GST_MESSAGE_EOS) g_main_loop_quit(end->loop);
        return G_SOURCE_CONTINUE;
      },
      &outcome);
  g_main_loop_run(outcome.loop);
  gst_bus_remove_watch(bus.get());
  g_main_loop_unref(outcome.loop);
  gst_element_set_state(pipeline, GST_STATE_NULL);
  return outcome.good;
}

// What came of it; false where no colour frame got segments.
bool report(const Shared& shared) {
  std::printf("%" G_GUINT64_FORMAT " depth frames, %" G_GUINT64_FORMAT
              " colour frames, %" G_GUINT64_FORMAT " with segments, %" G_GUINT64_FORMAT " lines\n",
              shared.depth_frames.load(), shared.colour_frames.load(), shared.matched.load(),
              shared.drawn.load());
  if (shared.without_batch > 0) {
    std::fprintf(stderr,
                 "%" G_GUINT64_FORMAT
                 " buffers without NvDsBatchMeta: nvstreammux must be in front of osd\n",
                 shared.without_batch.load());
  } else if (shared.depth_frames > 0 && shared.colour_frames > 0 && shared.matched == 0) {
    std::fprintf(
        stderr,
        "No colour frame has the time of a depth frame: do both branches start at the same "
        "time? See --tolerance\n");
  }
  return shared.matched > 0;
}

bool parse_arguments(int* argc, char*** argv, Options* options, char** description) {
  gchar** words = nullptr;
  const GOptionEntry entries[] = {
      {"source", 's', 0, G_OPTION_ARG_INT, &options->source,
       "The sink pad of nvstreammux whose frames get segments (0)", "N"},
      {"columns", 'c', 0, G_OPTION_ARG_INT, &options->columns, "Draw every Nth column (8)", "N"},
      {"line-width", 'w', 0, G_OPTION_ARG_INT, &options->line_width, "In pixels (1)", "N"},
      {"palette-min", 0, 0, G_OPTION_ARG_DOUBLE, &options->palette_min,
       "The value that is drawn dark blue (the frame's smallest)", "VALUE"},
      {"palette-max", 0, 0, G_OPTION_ARG_DOUBLE, &options->palette_max,
       "The value that is drawn yellow (the frame's largest)", "VALUE"},
      {"tolerance", 't', 0, G_OPTION_ARG_INT, &options->tolerance,
       "How far apart the times of frames may be that belong together (20)", "MS"},
      {"patience", 'p', 0, G_OPTION_ARG_INT, &options->patience,
       "How long a colour frame waits for its depth frame (100)", "MS"},
      {"print", 0, 0, G_OPTION_ARG_NONE, &options->print,
       "A line for each frame that leaves osd with segments", nullptr},
      {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_STRING_ARRAY, &words, nullptr, "PIPELINE..."},
      {nullptr, 0, 0, G_OPTION_ARG_NONE, nullptr, nullptr, nullptr}};
  GOptionContext* context = g_option_context_new("- segments of depth on DeepStream's frames");
  g_option_context_set_description(
      context,
      "PIPELINE is as for gst-launch-1.0. It has an rdpsegment with name=segment, and an nvdsosd\n"
      "with name=osd behind an nvstreammux.");
  g_option_context_add_main_entries(context, entries, nullptr);
  g_option_context_add_group(context, gst_init_get_option_group());
  GError* error = nullptr;
  const bool parsed = g_option_context_parse(context, argc, argv, &error);
  g_option_context_free(context);
  const char* wrong = !parsed                   ? error->message
                      : words == nullptr        ? "There is no PIPELINE"
                      : options->source < 0     ? "--source is at least 0"
                      : options->columns < 1    ? "--columns is at least 1"
                      : options->line_width < 1 ? "--line-width is at least 1"
                      : options->tolerance < 0  ? "--tolerance is at least 0"
                      : options->patience < 0   ? "--patience is at least 0"
                                                : nullptr;
  if (wrong != nullptr) std::fprintf(stderr, "%s; see %s --help\n", wrong, (*argv)[0]);
  g_clear_error(&error);
  *description = words != nullptr ? g_strjoinv(" ", words) : nullptr;
  g_strfreev(words);
  return wrong == nullptr;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  char* description = nullptr;
  const bool good = parse_arguments(&argc, &argv, &options, &description);
  const std::unique_ptr<char, decltype(&g_free)> owned(description, g_free);
  if (!good) return 2;

  GError* error = nullptr;
  const Ref<GstElement> pipeline(gst_parse_launch(description, &error));
  if (error != nullptr || pipeline == nullptr || !GST_IS_PIPELINE(pipeline.get())) {
    std::fprintf(stderr, "The pipeline cannot be made: %s\n",
                 error != nullptr ? error->message : "it is a single element");
    g_clear_error(&error);
    return 1;
  }
  Shared shared(options);
  if (!add_probes(pipeline.get(), &shared)) return 1;
  const bool ended = run(pipeline.get());
  return report(shared) && ended ? 0 : 1;
}
