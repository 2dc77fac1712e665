// SPDX-License-Identifier: LGPL-2.1-or-later
// rdpmetaconvert driven by the input as a program: frames with and without metadata of any kind,
// caps, events, properties and states in any order. Each frame with metadata becomes its lines; a
// frame without metadata is skipped or an error.
#include <gst/gst.h>
#include <gst/rdpsegment/rdpsegment.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <vector>

#include "tests/fuzz/fuzz_input.h"
#include "tests/fuzz/fuzz_properties.h"
#include "tests/fuzz/glib_log.h"
#include "tests/support/heights_fixture.h"
#include "tests/support/motion_fixture.h"
#include "tests/support/obstacles_fixture.h"
#include "tests/support/planes_fixture.h"
#include "tests/support/tracks_fixture.h"

namespace {

using namespace rdp::fuzz;

int lines = 0;  // lines of output
int buffers = 0;
bool ply = false;  // the last output's format
bool csv = false;
GstFlowReturn down_flow = GST_FLOW_OK;

GstFlowReturn take(GstPad* pad, GstObject*, GstBuffer* buffer) {
  std::string text(gst_buffer_get_size(buffer), '\0');
  gst_buffer_extract(buffer, 0, text.data(), text.size());
  ++buffers;
  // GStreamer's core does not resend caps that a flushing pad has refused.
  ply = text.starts_with("ply");
  if (GstCaps* caps = gst_pad_get_current_caps(pad)) {
    ply = gst_structure_has_name(gst_caps_get_structure(caps, 0), "application/x-ply") != FALSE;
    gst_caps_unref(caps);
  }
  csv = !ply && !text.starts_with('{');
  if (ply) {
    FUZZ_CHECK(text.starts_with("ply\nformat binary_little_endian 1.0\n"), "no PLY: %.40s",
               text.c_str());
  } else {
    lines += static_cast<int>(std::count(text.begin(), text.end(), '\n'));
    FUZZ_CHECK(!text.empty() && text.back() == '\n', "no line: %.40s", text.c_str());
  }
  gst_buffer_unref(buffer);
  return down_flow;
}

guint* add_segments(Input* input, GstBuffer* buffer) {
  GstRdpSegmentationInfo info;
  gst_rdp_segmentation_info_init(&info);
  info.width = 1 + input->below(4);
  info.height = 1 + input->below(16384);
  info.classify = input->flag();
  info.domain = input->flag() ? GST_RDP_DOMAIN_INVERSE : GST_RDP_DOMAIN_LINEAR;
  std::vector<guint32> offsets{0};
  std::vector<GstRdpSegment> segments;
  for (guint c = 0; c < info.width; ++c) {
    if (input->flag()) {
      const auto row = static_cast<guint16>(input->below(info.height));
      segments.push_back({0, row, static_cast<gfloat>(input->bits<gint32>()), -0.5F});
    }
    offsets.push_back(static_cast<guint32>(segments.size()));
  }
  g_autoptr(GstRdpSegmentation) segmentation = gst_rdp_segmentation_new(
      &info, offsets.data(), offsets.size(), segments.data(), segments.size());
  FUZZ_CHECK(segmentation != nullptr, "a segmentation that is in order was refused");
  return &gst_buffer_add_rdp_segment_meta(buffer, segmentation)->batch_index;
}

guint* add_planes(Input* input, GstBuffer* buffer) {
  const PlanesContent content = input->flag() ? wall_and_floor() : triangle_in_cloud();
  g_autoptr(GstRdpPlanes) planes = new_planes(content);
  FUZZ_CHECK(planes != nullptr, "planes that are in order were refused");
  return &gst_buffer_add_rdp_planes_meta(buffer, planes)->batch_index;
}

guint* add_tracks(Input* input, GstBuffer* buffer) {
  g_autoptr(GstRdpTracks) tracks = new_tracks(input->flag() ? warped_tracks() : two_tracks());
  return &gst_buffer_add_rdp_tracks_meta(buffer, tracks)->batch_index;
}

// Adds motion that matches the buffer's segments, or other ones.
guint* add_motion(Input* input, GstBuffer* buffer) {
  MotionContent content = two_of_three();
  GstRdpSegmentation* segmentation = gst_rdp_buffer_get_segmentation(buffer);
  if (segmentation != nullptr && input->flag()) {
    gsize n = 0;
    gst_rdp_segmentation_peek_segments(segmentation, &n);
    content.info.width = gst_rdp_segmentation_get_info(segmentation)->width;
    content.info.height = gst_rdp_segmentation_get_info(segmentation)->height;
    content.segments.resize(n, content.segments.front());
  }
  g_autoptr(GstRdpMotion) motion = new_motion(content);
  FUZZ_CHECK(motion != nullptr, "motion that is in order was refused");
  return &gst_buffer_add_rdp_motion_meta(buffer, motion)->batch_index;
}

guint* add_heights(Input* input, GstBuffer* buffer) {
  g_autoptr(GstRdpHeights) heights = new_heights(input->flag() ? two_tracked_heads() : two_heads());
  return &gst_buffer_add_rdp_heights_meta(buffer, heights)->batch_index;
}

guint* add_obstacles(Input*, GstBuffer* buffer) {
  g_autoptr(GstRdpObstacles) obstacles = new_obstacles(two_obstacles());
  return &gst_buffer_add_rdp_obstacles_meta(buffer, obstacles)->batch_index;
}

// A kind of metadata: the function that adds it, whether metres need a camera, and whether it alone
// makes a frame; motion needs segments.
struct MetaKind {
  guint* (*add)(Input* input, GstBuffer* buffer);  // returns its batch index
  bool needs_camera;
  bool alone;
};
constexpr MetaKind kKinds[] = {{add_segments, true, true}, {add_planes, false, true},
                               {add_tracks, false, true},  {add_motion, true, false},
                               {add_heights, false, true}, {add_obstacles, false, true}};

// Frames of a buffer, by batch index: as many as the most frequent kind has.
struct Frames {
  std::map<guint, std::array<int, std::size(kKinds)>> of;

  int count() const {
    int total = 0;
    for (const auto& [index, kinds] : of) total += *std::max_element(kinds.begin(), kinds.end());
    return total;
  }
};

// Adds a camera that may be refused, or that gives no metres.
void add_camera(Input* input, GstBuffer* buffer) {
  GstRdpCameraInfo info;
  gst_rdp_camera_info_init(&info);
  info.width = input->pick({0U, 0U, 4U});
  info.height = input->pick({0U, 0U, 4U});
  info.focal_length = info.focal_length_y = input->pick({500.0, 1e-300, 1e300});
  info.distortion[0] = input->pick({0.0, -0.3, 1e9});
  info.rectified = input->flag();
  info.baseline = input->pick({0.0, 0.5});
  info.measures = input->pick({GST_RDP_MEASURE_DISPARITY, GST_RDP_MEASURE_DEPTH});
  info.disparity_unit = input->pick({0.0, 1.0 / 256});
  info.depth_unit = input->pick({0.0, 0.001, 1e300});
  if (GstRdpCamera* camera = gst_rdp_camera_new(&info, nullptr)) {
    gst_buffer_add_rdp_camera_meta(buffer, camera);
    gst_rdp_camera_unref(camera);
  }
}

struct Stream {
  GstElement* element = gst_element_factory_make("rdpmetaconvert", nullptr);
  GstBus* bus = gst_bus_new();
  GstPad* up = GST_PAD(gst_object_ref_sink(gst_pad_new("up", GST_PAD_SRC)));
  GstPad* down = GST_PAD(gst_object_ref_sink(gst_pad_new("down", GST_PAD_SINK)));
  GstPad* sink;
  GstPad* src;
  // A frame was written without metres: later ones stay so if points=true does not fit them.
  bool wrote_without_metres = false;

  Stream() {
    FUZZ_CHECK(element != nullptr, "no element rdpmetaconvert: GST_PLUGIN_PATH names its folder");
    gst_object_ref_sink(element);
    gst_element_set_bus(element, bus);
    sink = gst_element_get_static_pad(element, "sink");
    src = gst_element_get_static_pad(element, "src");
    gst_pad_set_chain_function(down, take);
    for (GstPad* pad : {up, down}) gst_pad_set_active(pad, TRUE);
    gst_pad_link(up, sink);
    gst_pad_link(src, down);
    down_flow = GST_FLOW_OK;
  }
  ~Stream() {
    gst_element_set_state(element, GST_STATE_NULL);
    for (GstPad* pad : {up, down}) gst_pad_set_active(pad, FALSE);
    gst_pad_unlink(up, sink);
    gst_pad_unlink(src, down);
    errors();
    gst_element_set_bus(element, nullptr);
    for (GstPad* pad : {up, down, sink, src}) gst_object_unref(pad);
    gpointer watched = element;
    g_object_add_weak_pointer(G_OBJECT(element), &watched);
    gst_object_unref(element);
    FUZZ_CHECK(watched == nullptr, "somebody still holds the element");
    gst_object_unref(bus);
  }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  int errors() const {
    int count = 0;
    while (GstMessage* message = gst_bus_pop(bus)) {
      count += GST_MESSAGE_TYPE(message) == GST_MESSAGE_ERROR ? 1 : 0;
      gst_message_unref(message);
    }
    return count;
  }
};

void push(Input* input, Stream& stream) {
  const int metas = input->between(0, 3);
  GstBuffer* buffer =
      input->flag() ? gst_buffer_new() : gst_buffer_new_allocate(nullptr, 8, nullptr);
  Frames of_buffer;
  bool without_camera = false;  // some metadata gives metres without one
  for (int i = 0; i < metas; ++i) {
    const std::size_t kind = input->below(std::size(kKinds));
    guint* index = kKinds[kind].add(input, buffer);
    *index = input->flag() ? input->below(2) : input->bits<guint>();
    if (kKinds[kind].alone) ++of_buffer.of[*index][kind];
    without_camera |= !kKinds[kind].needs_camera;
  }
  const int frames = of_buffer.count();
  GST_BUFFER_PTS(buffer) =
      input->pick<GstClockTime>({0, GST_SECOND, GST_CLOCK_TIME_NONE, GST_CLOCK_TIME_NONE - 1});
  const bool camera = input->flag();
  if (camera) add_camera(input, buffer);
  gboolean skip = FALSE;
  gboolean points = FALSE;
  g_object_get(stream.element, "skip-missing", &skip, "points", &points, nullptr);
  stream.errors();
  lines = buffers = 0;
  const GstFlowReturn flow = gst_pad_push(stream.up, buffer);
  const int errors = stream.errors();
  if (ply) {
    FUZZ_CHECK(buffers <= frames, "%d PLY files of %d frames", buffers, frames);
  } else if (csv) {
    FUZZ_CHECK(buffers <= 1, "%d buffers", buffers);
  } else {
    // Frames whose camera gives no metres may be skipped.
    const bool all = points == FALSE || skip == FALSE;
    FUZZ_CHECK(buffers <= 1 && (all ? lines == buffers * frames : lines <= buffers * frames),
               "%d buffers with %d lines of %d frames", buffers, lines, frames);
  }
  stream.wrote_without_metres |= buffers > 0 && !ply && points == FALSE;
  FUZZ_CHECK(buffers == 0 || camera || without_camera || stream.wrote_without_metres,
             "metres without a camera");
  if (flow == GST_FLOW_OK) {
    FUZZ_CHECK(metas > 0 || skip != FALSE, "a frame without metadata was passed over");
    // The base class drops buffers outside the segment.
    FUZZ_CHECK(errors == 0, "%d errors and all is well", errors);
  }
  if (flow == GST_FLOW_ERROR && buffers == 0) {
    FUZZ_CHECK(errors == 1, "%d errors for a frame that could not be converted", errors);
  }
}

void step(Input* input, Stream& stream) {
  switch (input->below(10)) {
    case 0: {
      GstCaps* caps = gst_caps_from_string(
          input->pick({"video/x-raw,format=GRAY8,width=4,height=4,framerate=30/1",
                       "video/x-raw(memory:NVMM),format=NV12,width=1,height=1", "video/x-raw",
                       "video/x-raw(memory:x),format=GRAY16_LE", "audio/x-raw"}));
      gst_pad_push_event(stream.up, gst_event_new_caps(caps));
      gst_caps_unref(caps);
      break;
    }
    case 1:
      set_any_property(input, G_OBJECT(stream.element));
      break;
    case 2: {
      GstSegment segment;
      gst_segment_init(&segment, input->flag() ? GST_FORMAT_TIME : GST_FORMAT_BYTES);
      segment.stop = input->flag() ? GST_SECOND : segment.stop;
      gst_pad_push_event(stream.up, gst_event_new_segment(&segment));
      break;
    }
    case 3:
      gst_pad_push_event(stream.up, input->flag() ? gst_event_new_flush_start()
                                                  : gst_event_new_flush_stop(input->flag()));
      break;
    case 4:
      gst_pad_push_event(stream.up,
                         input->flag() ? gst_event_new_eos() : gst_event_new_stream_start("again"));
      break;
    case 5:
      gst_element_set_state(stream.element,
                            input->pick({GST_STATE_NULL, GST_STATE_PAUSED, GST_STATE_PLAYING}));
      break;
    case 6:
      down_flow = input->pick({GST_FLOW_OK, GST_FLOW_OK, GST_FLOW_EOS, GST_FLOW_ERROR});
      break;
    default:
      push(input, stream);
  }
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  gst_init(nullptr, nullptr);
  watch_glib_log();
  const Stream once;  // loads the plugin
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input input(data, size);
  Stream stream;
  if (input.below(4) != 0) {
    gst_element_set_state(stream.element, GST_STATE_PLAYING);
    gst_pad_push_event(stream.up, gst_event_new_stream_start("fuzz"));
    GstCaps* caps = gst_caps_from_string("video/x-raw,format=GRAY8,width=4,height=4");
    gst_pad_push_event(stream.up, gst_event_new_caps(caps));
    gst_caps_unref(caps);
    GstSegment segment;
    gst_segment_init(&segment, GST_FORMAT_TIME);
    gst_pad_push_event(stream.up, gst_event_new_segment(&segment));
  }
  for (int steps = 0; steps < 100 && !input.empty(); ++steps) step(&input, stream);
  return 0;
}
