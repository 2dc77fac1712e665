// SPDX-License-Identifier: LGPL-2.1-or-later
// rdpsegment driven by the input as a program: caps, layouts, buffers, events, properties, pads and
// states in any order. Each valid frame comes out once with the reference's segments; each invalid
// one causes an error with its reason.
#include <gst/rdpsegment/rdpsegment.h>

#include <memory>
#include <string>
#include <utility>

#include "tests/fuzz/element_world.h"
#include "tests/fuzz/fuzz_frame.h"
#include "tests/fuzz/fuzz_input.h"
#include "tests/fuzz/fuzz_properties.h"
#include "tests/fuzz/glib_log.h"

namespace {

using namespace rdp::fuzz;

constexpr std::size_t kLargestBuffer = 1U << 20;

// --- caps
// -----------------------------------------------------------------------------------------

GstCaps* good_caps(Input* input) {
  const char* format = input->flag() ? "GRAY8" : "GRAY16_LE";
  const int width = input->pick({1, 2, 5, 16, 33, 64});
  const int height = input->pick({1, 2, 7, 16, 40, 64});
  return gst_caps_new_simple("video/x-raw", "format", G_TYPE_STRING, format, "width", G_TYPE_INT,
                             width, "height", G_TYPE_INT, height, "framerate", GST_TYPE_FRACTION,
                             30, 1, nullptr);
}

void damage_caps(Input* input, GstCaps* caps) {
  GstStructure* fields = gst_caps_get_structure(caps, 0);
  switch (input->below(12)) {
    case 0:
      gst_structure_set_name(fields, input->pick({"video/x-h264", "audio/x-raw", "video/x-raw-x"}));
      break;
    case 1:
      gst_structure_set(fields, "format", G_TYPE_STRING,
                        input->pick({"GRAY16_BE", "RGBA", "I420", "", "ENCODED", "NV12_4L4"}),
                        nullptr);
      break;
    case 2:
      gst_structure_set(fields, input->flag() ? "width" : "height", G_TYPE_INT,
                        input->pick({0, -1, 1, 16384, 16385, 32768, G_MAXINT, G_MININT}), nullptr);
      break;
    case 3:
      gst_structure_remove_field(
          fields, input->pick({"format", "width", "height", "framerate", "framerate"}));
      break;
    case 4:
      gst_structure_set(fields, input->pick({"framerate", "pixel-aspect-ratio", "max-framerate"}),
                        GST_TYPE_FRACTION, input->pick({0, 1, 1000000, G_MAXINT}),
                        input->pick({1, 1001, G_MAXINT}), nullptr);
      break;
    case 5:
      gst_structure_set(fields, "interlace-mode", G_TYPE_STRING,
                        input->pick({"interleaved", "mixed", "fields", "alternate", "what"}),
                        nullptr);
      break;
    case 6:
      gst_structure_set(fields, "colorimetry", G_TYPE_STRING,
                        input->pick({"bt709", "1:2:3:4", "", "99:99:99:99"}), "chroma-site",
                        G_TYPE_STRING, input->pick({"jpeg", "", "none"}), nullptr);
      break;
    case 7:
      gst_structure_set(fields, "multiview-mode", G_TYPE_STRING,
                        input->pick({"mono", "side-by-side", "separated", "x"}), "views",
                        G_TYPE_INT, input->pick({0, 1, 2, -1, G_MAXINT}), nullptr);
      break;
    case 8:
      gst_caps_set_features(caps, 0,
                            gst_caps_features_from_string(input->pick(
                                {"memory:CUDAMemory", "memory:NVMM", "memory:DMABuf",
                                 "format:Interlaced", "memory:SystemMemory, format:Interlaced",
                                 "memory:SystemMemory, meta:GstVideoOverlayComposition"})));
      break;
    case 9:
      gst_structure_set(fields, "width", G_TYPE_STRING, "64", nullptr);
      break;
    case 10:
      gst_structure_set(fields, "width", G_TYPE_INT, 1 + static_cast<int>(input->below(16384)),
                        "height", G_TYPE_INT, 1 + static_cast<int>(input->below(16384)), nullptr);
      break;
    default:
      gst_structure_set(fields, "rdp-something", G_TYPE_BOOLEAN, TRUE, nullptr);
  }
}

GstCaps* take_caps(Input* input) {
  GstCaps* caps = good_caps(input);
  for (int n = static_cast<int>(input->below(4)) - 1; n > 0; --n) damage_caps(input, caps);
  return caps;
}

// --- buffers
// --------------------------------------------------------------------------------------

// Layout of the frame in the buffer.
struct Layout {
  gsize offset = 0;
  gsize stride = 0;
  gsize size = 0;
  bool right = true;  // the buffer matches its caps and its meta
};

// Crops the frame from a slightly larger picture; the crop meta may be wrong.
void add_crop(Input* input, GstVideoMeta* picture, gsize sample, GstBuffer* buffer) {
  GstVideoCropMeta* crop = gst_buffer_add_video_crop_meta(buffer);
  crop->width = picture->width;
  crop->height = picture->height;
  crop->x = input->below(4);
  crop->y = input->below(4);
  picture->width += crop->x + input->below(3);
  picture->height += crop->y + input->below(3);
  picture->stride[0] = static_cast<gint>(picture->width * sample + input->below(5));
  guint* const fields[] = {&crop->x, &crop->y, &crop->width, &crop->height};
  const std::uint32_t damaged = input->below(12);
  if (damaged < 4) *fields[damaged] = input->flag() ? input->bits<guint>() : input->below(80);
}

// Adds a GstVideoMeta, valid or not.
Layout add_video_meta(Input* input, const GstVideoInfo& info, GstBuffer* buffer, gsize size) {
  const auto width = static_cast<guint>(GST_VIDEO_INFO_WIDTH(&info));
  const auto sample = static_cast<gsize>(GST_VIDEO_INFO_COMP_PSTRIDE(&info, 0));
  const gsize row = width * sample;
  const auto height = static_cast<gsize>(GST_VIDEO_INFO_HEIGHT(&info));
  GstVideoMeta* meta =
      gst_buffer_add_video_meta(buffer, GST_VIDEO_FRAME_FLAG_NONE, GST_VIDEO_INFO_FORMAT(&info),
                                static_cast<guint>(GST_VIDEO_INFO_WIDTH(&info)),
                                static_cast<guint>(GST_VIDEO_INFO_HEIGHT(&info)));
  meta->offset[0] = input->below(64);
  meta->stride[0] = static_cast<gint>(row + input->below(32));
  switch (input->below(16)) {
    case 0:
      meta->offset[0] = input->bits<gsize>();
      break;
    case 1:
      meta->stride[0] = input->bits<gint>();
      break;
    case 2:
      meta->stride[0] = static_cast<gint>(row) - 1;
      break;
    case 3:
      (input->flag() ? meta->width : meta->height) = input->bits<guint>();
      break;
    case 4:
      meta->n_planes = input->below(5);
      break;
    case 5:
      meta->format = input->pick({GST_VIDEO_FORMAT_GRAY8, GST_VIDEO_FORMAT_GRAY16_LE,
                                  GST_VIDEO_FORMAT_GRAY16_BE, GST_VIDEO_FORMAT_UNKNOWN,
                                  static_cast<GstVideoFormat>(127)});
      break;
    case 6:
    case 7:  // to the last byte of the buffer, or one beyond
      meta->offset[0] = size - std::min(size, row * height) + (input->flag() ? 1 : 0);
      meta->stride[0] = static_cast<gint>(row);
      break;
    case 8:
    case 9:
      add_crop(input, meta, sample, buffer);
      break;
    default:
      break;
  }
  Layout layout{meta->offset[0], static_cast<gsize>(meta->stride[0]), size, true};
  // Computed in 128 bits, so that no value of the meta overflows.
  using Number = unsigned __int128;
  Number right = width;
  Number bottom = height;
  bool of_caps = meta->width == width && meta->height == height;
  if (const GstVideoCropMeta* crop = gst_buffer_get_video_crop_meta(buffer)) {
    right += crop->x;
    bottom += crop->y;
    of_caps = crop->width == width && crop->height == height;
    layout.offset += crop->y * layout.stride + crop->x * sample;
  }
  const Number picture_row = static_cast<Number>(meta->width) * sample;
  const Number needed = static_cast<Number>(meta->offset[0]) +
                        static_cast<Number>(static_cast<guint>(meta->stride[0])) *
                            (static_cast<Number>(meta->height) - 1) +
                        picture_row;
  layout.right = meta->format == GST_VIDEO_INFO_FORMAT(&info) && of_caps && right <= meta->width &&
                 bottom <= meta->height && meta->n_planes == 1 && meta->stride[0] >= 0 &&
                 static_cast<Number>(meta->stride[0]) >= picture_row && needed <= size;
  return layout;
}

MemoryPlan take_plan(Input* input, gsize size) {
  MemoryPlan plan;
  for (int n = input->pick({0, 0, 0, 1, 3, 20}); n > 0 && size > 0; --n) {
    plan.cuts.push_back(input->below(static_cast<std::uint32_t>(size) + 1));
  }
  std::sort(plan.cuts.begin(), plan.cuts.end());
  plan.read_only = input->flag();
  // GStreamer's core reads buffers of several memories even if one refuses to be mapped, so only
  // single memories refuse.
  if (plan.cuts.empty() && input->below(8) == 7) {
    plan.refused = input->pick({GST_MAP_READ, GST_MAP_WRITE, GST_MAP_READWRITE});
  }
  return plan;
}

// Pushes a buffer for the sink's current caps, or for any caps if it has none.
void push_buffer(Input* input, World* world) {
  SentFrame frame;
  GstCaps* caps = gst_pad_get_current_caps(world->up);
  // Other memory features (if available) do not hold arbitrary bytes: NVMM holds pointers.
  const auto in_memory = [&](const char* feature) {
    return gst_caps_features_contains(gst_caps_get_features(caps, 0), feature) != FALSE;
  };
  if (caps != nullptr && (in_memory("memory:NVMM") || in_memory("memory:CUDAMemory"))) {
    gst_caps_unref(caps);
    return;
  }
  if (caps == nullptr || !gst_video_info_from_caps(&frame.info, caps) ||
      GST_VIDEO_INFO_SIZE(&frame.info) == 0 ||
      (GST_VIDEO_INFO_FORMAT(&frame.info) != GST_VIDEO_FORMAT_GRAY8 &&
       GST_VIDEO_INFO_FORMAT(&frame.info) != GST_VIDEO_FORMAT_GRAY16_LE)) {
    gst_video_info_set_format(&frame.info, GST_VIDEO_FORMAT_GRAY8, 4, 4);
  }
  gst_clear_caps(&caps);
  const bool with_meta = input->flag();
  gsize size = GST_VIDEO_INFO_SIZE(&frame.info) + (with_meta ? 64 * 64 : 0);
  switch (input->below(8)) {
    case 0:
      size -= std::min<gsize>(size, 1 + input->byte());
      break;
    case 1:
      size += input->byte();
      break;
    case 2:
      size = input->bits<guint16>();
      break;
    default:
      break;
  }
  size = std::min<gsize>(size, kLargestBuffer);

  std::vector<guint8> bytes(size, 0xA5);
  frame.parameters = world->parameters();
  frame.reconstruct = world->reconstructs();
  const MemoryPlan plan = take_plan(input, size);
  Backing* backing = backing_new({});
  GstBuffer* described = gst_buffer_new();  // for its meta, until the bytes are known
  const gint stride = GST_VIDEO_INFO_PLANE_STRIDE(&frame.info, 0);
  const Layout layout = with_meta ? add_video_meta(input, frame.info, described, size)
                                  : Layout{0, static_cast<gsize>(stride), size,
                                           size >= GST_VIDEO_INFO_SIZE(&frame.info)};
  frame.offset = layout.offset;
  frame.stride = layout.stride;
  if (layout.right) {
    const rdp::MutableDepthView view{
        reinterpret_cast<std::byte*>(bytes.data()) + layout.offset,
        static_cast<std::ptrdiff_t>(layout.stride), GST_VIDEO_INFO_WIDTH(&frame.info),
        GST_VIDEO_INFO_HEIGHT(&frame.info),
        GST_VIDEO_INFO_FORMAT(&frame.info) == GST_VIDEO_FORMAT_GRAY8 ? rdp::SampleType::kU8
                                                                     : rdp::SampleType::kU16};
    // Programs are short, and the next bytes are the next step, so a few bytes generate the
    // samples.
    const std::uint32_t grown[2] = {3, input->bits<guint16>() * 2654435761U};
    Input few(reinterpret_cast<const std::uint8_t*>(grown), sizeof grown);
    take_samples(&few, frame.parameters, view);
  }
  backing->bytes = bytes;
  frame.bytes = std::move(bytes);
  GstBuffer* buffer = buffer_on(backing, plan);
  if (const GstVideoMeta* from = gst_buffer_get_video_meta(described)) {
    GstVideoMeta* to = gst_buffer_add_video_meta(buffer, from->flags, GST_VIDEO_FORMAT_GRAY8, 1, 1);
    to->format = from->format;
    to->width = from->width;
    to->height = from->height;
    to->n_planes = from->n_planes;
    std::copy(std::begin(from->offset), std::end(from->offset), to->offset);
    std::copy(std::begin(from->stride), std::end(from->stride), to->stride);
  }
  if (const GstVideoCropMeta* from = gst_buffer_get_video_crop_meta(described)) {
    GstVideoCropMeta* to = gst_buffer_add_video_crop_meta(buffer);
    to->x = from->x;
    to->y = from->y;
    to->width = from->width;
    to->height = from->height;
  }
  gst_buffer_unref(described);
  GST_BUFFER_PTS(buffer) =
      input->pick<GstClockTime>({0, GST_SECOND, GST_CLOCK_TIME_NONE, GST_CLOCK_TIME_NONE - 1});
  GST_BUFFER_DURATION(buffer) = input->flag() ? GST_SECOND / 30 : GST_CLOCK_TIME_NONE;
  if (input->below(8) == 0) {  // an rdpsegment before this one
    GstRdpSegmentationInfo info;
    gst_rdp_segmentation_info_init(&info);
    info.width = info.height = 1;
    const guint32 offsets[2] = {0, 0};
    g_autoptr(GstRdpSegmentation) other = gst_rdp_segmentation_new(&info, offsets, 2, nullptr, 0);
    gst_buffer_add_rdp_segment_meta(buffer, other);
  }
  const bool held = input->flag();
  GstBuffer* holder = held ? gst_buffer_ref(buffer) : nullptr;
  const bool mappable = (plan.refused & GST_MAP_READ) == 0;
  world->push(buffer, frame, layout.right && mappable);
  FUZZ_CHECK((!held && !plan.read_only) || backing->bytes == frame.bytes,
             "memory that is not the element's was written");
  if (holder != nullptr) gst_buffer_unref(holder);
  backing_unref(backing);
}

// --- events
// ---------------------------------------------------------------------------------------

GstEvent* segment_event(Input* input) {
  GstSegment segment;
  gst_segment_init(&segment, input->pick({GST_FORMAT_TIME, GST_FORMAT_TIME, GST_FORMAT_BYTES,
                                          GST_FORMAT_DEFAULT, GST_FORMAT_PERCENT}));
  if (input->flag()) {
    segment.rate = input->pick({1.0, -1.0, 2.0, 1e300});
    segment.applied_rate = input->pick({1.0, -1.0, 0.5});
    segment.start = input->pick<guint64>({0, GST_SECOND, G_MAXUINT64 - 1});
    segment.stop = input->pick<guint64>({GST_CLOCK_TIME_NONE, 0, GST_SECOND});
    segment.time = input->pick<guint64>({0, GST_CLOCK_TIME_NONE, G_MAXUINT64 - 1});
    segment.base = input->pick<guint64>({0, GST_SECOND, G_MAXUINT64 - 1});
    segment.offset = input->pick<guint64>({0, GST_SECOND});
    segment.position = input->bits<guint64>();
  }
  return gst_event_new_segment(&segment);
}

GstEvent* downstream_event(Input* input) {
  switch (input->below(14)) {
    case 0:
    case 1:
      return gst_event_new_stream_start(input->pick({"a", "b", ""}));
    case 2:
    case 3:
      return segment_event(input);
    case 4:
      return gst_event_new_flush_start();
    case 5:
    case 6:
      return gst_event_new_flush_stop(input->flag());
    case 7:
      return gst_event_new_eos();
    case 8:
      return gst_event_new_gap(input->pick<guint64>({0, GST_SECOND}), GST_SECOND);
    case 9:
      return gst_event_new_tag(gst_tag_list_new(GST_TAG_TITLE, "fuzz", nullptr));
    case 10:
      return gst_event_new_custom(
          input->pick({GST_EVENT_CUSTOM_DOWNSTREAM, GST_EVENT_CUSTOM_DOWNSTREAM_OOB,
                       GST_EVENT_CUSTOM_DOWNSTREAM_STICKY, GST_EVENT_CUSTOM_BOTH}),
          gst_structure_new_empty("fuzz"));
    case 11:
      return gst_event_new_segment_done(GST_FORMAT_TIME, GST_SECOND);
    case 12:
      return gst_event_new_stream_group_done(1);
    default:
      return gst_event_new_buffer_size(GST_FORMAT_BYTES, 1, 2, FALSE);
  }
}

GstEvent* upstream_event(Input* input) {
  switch (input->below(6)) {
    case 0:
    case 1: {
      const auto late = input->pick<GstClockTimeDiff>({0, GST_SECOND, -5, G_MAXINT64});
      return gst_event_new_qos(
          GST_QOS_TYPE_UNDERFLOW, 1.0, late,
          late < 0 ? GST_SECOND
                   : input->pick<GstClockTime>(
                         {0, GST_SECOND, GST_CLOCK_TIME_NONE - 1, GST_CLOCK_TIME_NONE}));
    }
    case 2:
      return gst_event_new_seek(input->flag() ? 1.0 : -1.0, GST_FORMAT_TIME,
                                input->flag() ? GST_SEEK_FLAG_FLUSH : GST_SEEK_FLAG_NONE,
                                GST_SEEK_TYPE_SET, 0, GST_SEEK_TYPE_NONE, -1);
    case 3:
      return gst_event_new_reconfigure();
    case 4:
      return gst_event_new_latency(GST_SECOND);
    default:
      return gst_event_new_navigation(gst_structure_new_empty("fuzz"));
  }
}

void run_query(Input* input, World* world) {
  GstPad* pads[] = {world->sink, world->src,
                    world->overlay != nullptr ? world->overlay : world->src};
  GstPad* pad = pads[input->below(3)];
  g_autoptr(GstCaps) caps = take_caps(input);
  g_autoptr(GstQuery) query = nullptr;
  switch (input->below(8)) {
    case 0:
      query = gst_query_new_caps(input->flag() ? caps : nullptr);
      break;
    case 1:
      query = gst_query_new_accept_caps(caps);
      break;
    case 2:
      query = gst_query_new_allocation(input->flag() ? caps : nullptr, input->flag());
      break;
    case 3:
      query = gst_query_new_context(input->pick({"gst.cuda.context", "x"}));
      break;
    case 4:
      query = gst_query_new_latency();
      break;
    case 5:
      query = gst_query_new_position(GST_FORMAT_TIME);
      break;
    case 6:
      query = gst_query_new_duration(GST_FORMAT_BYTES);
      break;
    default:
      query = gst_query_new_drain();
  }
  gst_pad_query(pad, query);
}

// --- pads and states
// ------------------------------------------------------------------------------

GstFlowReturn take_flow(Input* input) {
  return input->pick({GST_FLOW_OK, GST_FLOW_OK, GST_FLOW_NOT_LINKED, GST_FLOW_EOS, GST_FLOW_ERROR,
                      GST_FLOW_FLUSHING, GST_FLOW_NOT_NEGOTIATED, GST_FLOW_CUSTOM_ERROR,
                      GST_FLOW_CUSTOM_SUCCESS});
}

void set_caps(World* world, GstCaps** caps, GstCaps* value) {
  const std::lock_guard lock(world->caps_mutex);
  gst_clear_caps(caps);
  *caps = value;
}

void toggle_active(GstPad* pad) { gst_pad_set_active(pad, !GST_PAD_IS_ACTIVE(pad)); }

void change_overlay(Input* input, World* world) {
  switch (input->below(10)) {
    case 0:
    case 1:
      world->request_overlay();
      [[fallthrough]];
    case 2:
      if (world->overlay != nullptr && !gst_pad_is_linked(world->overlay)) {
        gst_pad_link(world->overlay, world->display);
      }
      break;
    case 3:
      world->release_overlay();
      break;
    case 4:
      if (world->overlay != nullptr && gst_pad_is_linked(world->overlay)) {
        gst_pad_unlink(world->overlay, world->display);
      }
      break;
    case 5:
      world->display_flow = take_flow(input);
      break;
    case 6: {
      // GStreamer's core drops an inactive pad's caps, and resends them only to a new link.
      const bool is_linked = gst_pad_is_linked(world->display);
      if (is_linked) gst_pad_unlink(world->overlay, world->display);
      toggle_active(world->display);
      if (is_linked) gst_pad_link(world->overlay, world->display);
      break;
    }
    case 7:
      set_caps(
          world, &world->display_caps,
          input->pick<GstCaps* (*)()>(
              {[] { return static_cast<GstCaps*>(nullptr); }, [] { return gst_caps_new_empty(); },
               [] { return gst_caps_from_string("video/x-raw,format=RGBA"); },
               [] { return gst_caps_from_string("video/x-raw,format=RGBA,width=64"); },
               [] { return gst_caps_from_string("video/x-raw,format=BGRx"); }})());
      break;
    case 8:
      world->allocation = input->between(0, 3);
      break;
    default:
      if (world->overlay != nullptr) set_any_property(input, G_OBJECT(world->overlay));
  }
}

void change_downstream(Input* input, World* world) {
  switch (input->below(5)) {
    case 0:
      world->down_flow = take_flow(input);
      break;
    case 1:
      toggle_active(world->down);
      break;
    case 2:
      if (gst_pad_is_linked(world->src)) {
        gst_pad_unlink(world->src, world->down);
      } else {
        gst_pad_link(world->src, world->down);
      }
      break;
    case 3:
      set_caps(
          world, &world->down_caps,
          input->pick<GstCaps* (*)()>(
              {[] { return static_cast<GstCaps*>(nullptr); }, [] { return gst_caps_new_empty(); },
               [] { return gst_caps_from_string("video/x-raw,format=GRAY8"); },
               [] { return gst_caps_from_string("video/x-raw,format=RGBA"); }})());
      break;
    default:
      world->upstream_takes_events = input->flag();
  }
}

void step(Input* input, World* world) {
  switch (input->below(16)) {
    case 0:
    case 1:
    case 2:
    case 3:
      push_buffer(input, world);
      break;
    case 4: {
      GstCaps* caps = take_caps(input);
      if (gst_caps_is_fixed(caps)) world->send(gst_event_new_caps(caps));
      gst_caps_unref(caps);
      break;
    }
    case 5:
    case 6:
      set_any_property(input, G_OBJECT(world->element));
      break;
    case 7:
    case 8:
      world->send(downstream_event(input));
      break;
    case 9:
      gst_pad_push_event(input->flag() ? world->down : world->display, upstream_event(input));
      break;
    case 10:
    case 11:
    case 12:
      change_overlay(input, world);
      break;
    case 13:
      change_downstream(input, world);
      break;
    case 14:
      world->set_state(
          input->pick({GST_STATE_NULL, GST_STATE_READY, GST_STATE_PAUSED, GST_STATE_PLAYING}));
      break;
    default:
      run_query(input, world);
  }
}

// Sends the initial events of a stream.
void start_stream(Input* input, World* world) {
  world->set_state(GST_STATE_PLAYING);
  world->send(gst_event_new_stream_start("fuzz"));
  GstCaps* caps = good_caps(input);
  world->send(gst_event_new_caps(caps));
  gst_caps_unref(caps);
  GstSegment segment;
  gst_segment_init(&segment, GST_FORMAT_TIME);
  world->send(gst_event_new_segment(&segment));
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  gst_init(nullptr, nullptr);
  rdp::fuzz::watch_glib_log();
  const World once;  // loads the plugin and initialises one-time objects
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input input(data, size);
  {
    World world;
    if (input.below(4) != 0) start_stream(&input, &world);
    for (int steps = 0; steps < 100 && !input.empty(); ++steps) step(&input, &world);
  }
  FUZZ_CHECK(live_backings() == 0, "%d buffers were lost", live_backings());
  return 0;
}
