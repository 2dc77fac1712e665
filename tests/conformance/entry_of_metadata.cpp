// SPDX-License-Identifier: LGPL-2.1-or-later
// The elements that read metadata: rdpmetaconvert, rdpoverlay and rdpmotion. Their output is
// compared with that of the simplest stream, which their own tests check.
#include <array>
#include <map>
#include <mutex>

#include "common/motion/overlay.h"
#include "common/rdp/reference.h"
#include "tests/conformance/entries.h"
#include "tests/support/obstacles_fixture.h"
#include "tests/support/planes_fixture.h"
#include "tests/support/tracks_fixture.h"

namespace conformance {
namespace {

const Shape kDepth{GST_VIDEO_FORMAT_GRAY16_LE, 24, 16};

// The reference's segments.
rdp::SegmentList segments_of(const Content& content) {
  rdp::SegmentList found;
  rdp::reference::segment_filtered(content.view(), {}, &found);
  return found;
}

void add_segments(const Content& content, bool classify, GstBuffer* buffer) {
  if (content.shape.format != GST_VIDEO_FORMAT_GRAY16_LE) return;
  const rdp::SegmentList found = segments_of(content);
  GstRdpSegmentationInfo info;
  gst_rdp_segmentation_info_init(&info);
  info.width = static_cast<guint>(content.shape.width);
  info.height = static_cast<guint>(content.shape.height);
  info.classify = classify;
  std::vector<guint32> offsets{0};
  std::vector<GstRdpSegment> segments;
  for (int column = 0; column < found.columns(); ++column) {
    for (const rdp::Segment& s : found.column(column)) {
      segments.push_back({s.first_row, s.last_row, s.first_value, s.last_value});
    }
    offsets.push_back(static_cast<guint32>(segments.size()));
  }
  g_autoptr(GstRdpSegmentation) segmentation = gst_rdp_segmentation_new(
      &info, offsets.data(), offsets.size(), segments.data(), segments.size());
  gst_buffer_add_rdp_segment_meta(buffer, segmentation);
}

// The picture of segments without motion.
Check picture_of(const Content& content) {
  const Shape shape{GST_VIDEO_FORMAT_RGBA, content.shape.width, content.shape.height};
  const rdp::SegmentList found = segments_of(content);
  const rdp::Parameters parameters;
  rdp::motion::OverlayScene scene;
  scene.width = shape.width;
  scene.height = shape.height;
  scene.parameters = &parameters;
  scene.segments = found;
  std::vector<std::byte> picture(static_cast<std::size_t>(4 * shape.width * shape.height));
  rdp::motion::OverlayPainter(1).paint(
      scene, {}, {picture.data(), 4 * shape.width, shape.width, shape.height});
  return
      [shape, picture](GstBuffer* output) { return same_samples(output, shape, picture.data()); };
}

// Adds a track at every fourth pixel of every fourth row. Its age does not grow, so it is a new one
// in each frame.
void add_tracks(const Content& content, GstBuffer* buffer) {
  GstRdpTracksInfo info;
  gst_rdp_tracks_info_init(&info);
  info.width = static_cast<guint>(content.shape.width);
  info.height = static_cast<guint>(content.shape.height);
  std::vector<GstRdpTrack> tracks;
  for (int row = 0; row < content.shape.height; row += 4) {
    for (int column = 0; column < content.shape.width; column += 4) {
      const auto id = static_cast<guint32>(tracks.size()) + 1;
      tracks.push_back({id, 5, static_cast<float>(column), static_cast<float>(row), 0, 0, 0, 0});
    }
  }
  g_autoptr(GstRdpTracks) of = gst_rdp_tracks_new(&info, tracks.data(), tracks.size(), nullptr, 0);
  gst_buffer_add_rdp_tracks_meta(buffer, of);
}

void describe(std::size_t, const Content& content, GstBuffer* buffer) {
  add_segments(content, false, buffer);
}

// Adds segments with classes, and a camera at another place for each input. All frames share one
// camera object, as from a source.
void describe_places(std::size_t input, const Content& content, GstBuffer* buffer) {
  static std::mutex mutex;
  // Never destroyed: what it refers to stays reachable to the end, where leaks are looked for.
  static auto& cameras = *new std::map<std::array<std::size_t, 3>, GstRdpCamera*>;
  add_segments(content, true, buffer);
  GstRdpCameraInfo info;
  gst_rdp_camera_info_init(&info);
  info.width = static_cast<guint>(content.shape.width);
  info.height = static_cast<guint>(content.shape.height);
  info.focal_length = info.focal_length_y = 21.3;
  info.principal_x = 11.3;
  info.principal_y = 7.9;
  info.rectified = TRUE;
  info.baseline = 0.11;
  info.measures = GST_RDP_MEASURE_DISPARITY;
  info.disparity_unit = 1.0 / 256;
  info.has_pose = TRUE;
  for (const int diagonal : {0, 5, 10}) info.pose[diagonal] = 1;
  info.pose[3] = 0.1 * static_cast<double>(input);
  info.pose[7] = 0.01;
  const std::lock_guard lock(mutex);
  GstRdpCamera*& camera = cameras[{input, info.width, info.height}];
  if (camera == nullptr) camera = gst_rdp_camera_new(&info, nullptr);
  gst_buffer_add_rdp_camera_meta(buffer, camera);
}

}  // namespace

std::vector<Element> entries_of_rdpmetaconvert() {
  Element element;
  element.name = element.factory = "rdpmetaconvert";
  element.describe = describe;
  element.in_place = element.crops = false;
  element.allocations = 1;  // the line's memory
  // Leaves out the time, which differs.
  element.result = [](const Shapes&, GstBuffer* output) {
    const std::vector<std::uint8_t> line = frames::bytes(output);
    const std::string text(line.begin(), line.end());
    const std::string::size_type from = text.find("\"pts\":");
    const std::string::size_type to = text.find(',', from);
    fail_unless(from != std::string::npos && to != std::string::npos, "%s", text.c_str());
    return std::vector<std::uint8_t>(line.begin() + static_cast<std::ptrdiff_t>(to), line.end());
  };
  // It reads no samples.
  element.pictures = element.on_gpu = false;
  for (const char* settings : {"points=true", "format=ply", "format=ply ply-content=lines"}) {
    Element& way = add_way(&element, settings);
    way.describe = describe_places;
    way.allocations = 2;  // for long lines
  }
  element.ways[1].tries_properties = true;
  for (const char* settings : {"points=true", "format=ply ply-content=planes", "format=ply"}) {
    add_way(&element, settings).describe = [](std::size_t, const Content&, GstBuffer* buffer) {
      g_autoptr(GstRdpPlanes) planes = new_planes(wall_and_floor());
      gst_buffer_add_rdp_planes_meta(buffer, planes);
    };
    element.ways.back().allocations = 2;
    element.ways.back().shapes = {{{GST_VIDEO_FORMAT_GRAY16_LE, 8, 6}}};
  }
  element.ways[3].tries_properties = true;
  return {element};
}

std::vector<Element> entries_of_rdpoverlay() {
  Element element;
  element.name = element.factory = "rdpoverlay";
  element.inputs = {"video", "segments"};
  element.queries = 6;
  element.writes = true;
  element.shapes = {{{GST_VIDEO_FORMAT_RGBA, 24, 16}, kDepth},
                    {{GST_VIDEO_FORMAT_RGBA, 33, 17}, kDepth}};
  element.draw = [](const Shapes& shapes, unsigned scene) {
    Contents contents{Content(shapes[0]),
                      frames::draw(shapes[1], frames::Scene::kSurface, scene + 1)};
    for (std::size_t i = 0; i < contents[0].samples.size(); ++i) {
      contents[0].samples[i] = static_cast<std::byte>(i * 37 + i / 251 + scene);
    }
    return contents;
  };
  element.describe = describe;
  element.result = [](const Shapes& shapes, GstBuffer* output) {
    return samples_of(output, shapes[0]);
  };
  element.makes_context = false;
  element.waits = 2;  // the segments are uploaded to the device
  for (const char* style : {"segments", "classes", "birdseye"}) {
    add_way(&element, std::string("threads=3 opacity=0.7 style=") + style).describe =
        describe_places;
  }
  element.ways.back().tries_properties = true;
  Element& trails = add_way(&element, "style=trails");
  trails.tries_properties = true;
  trails.describe = [](std::size_t input, const Content& content, GstBuffer* buffer) {
    if (input == 0) return;
    TracksContent tracks_of_frame = two_tracks();
    tracks_of_frame.info.width = static_cast<guint>(content.shape.width);
    tracks_of_frame.info.height = static_cast<guint>(content.shape.height);
    g_autoptr(GstRdpTracks) tracks = new_tracks(tracks_of_frame);
    gst_buffer_add_rdp_tracks_meta(buffer, tracks);
  };
  Element& boxes = add_way(&element, "style=boxes");
  boxes.tries_properties = true;
  boxes.describe = [](std::size_t input, const Content& content, GstBuffer* buffer) {
    if (input == 0) return;
    ObstaclesContent obstacles_of_frame = two_obstacles();
    obstacles_of_frame.info.width = static_cast<guint>(content.shape.width);
    obstacles_of_frame.info.height = static_cast<guint>(content.shape.height);
    g_autoptr(GstRdpObstacles) obstacles = new_obstacles(obstacles_of_frame);
    gst_buffer_add_rdp_obstacles_meta(buffer, obstacles);
  };
  Element& planes = add_way(&element, "style=planes");
  planes.tries_properties = true;
  planes.shapes = {{{GST_VIDEO_FORMAT_RGBA, 8, 6}, {GST_VIDEO_FORMAT_GRAY16_LE, 8, 6}}};
  planes.describe = [](std::size_t input, const Content&, GstBuffer* buffer) {
    if (input == 0) return;
    g_autoptr(GstRdpPlanes) planes_of_frame = new_planes(wall_and_floor());
    gst_buffer_add_rdp_planes_meta(buffer, planes_of_frame);
  };
  return {element};
}

// Motion depends on earlier frames; its own test compares it. Here depth frames pass unchanged,
// with motion for each segment.
std::vector<Element> entries_of_rdpmotion() {
  Element element;
  element.name = element.factory = "rdpmotion";
  element.inputs = {"depth", "video"};
  element.sides = {"overlay"};
  element.queries = 6;
  element.shapes = {{kDepth, {GST_VIDEO_FORMAT_GRAY8, 24, 16}},
                    {{GST_VIDEO_FORMAT_GRAY16_LE, 33, 17}, {GST_VIDEO_FORMAT_GRAY8, 66, 34}}};
  element.draw = [](const Shapes& shapes, unsigned scene) {
    return Contents{frames::draw(shapes[0], frames::Scene::kSurface, scene + 1),
                    frames::draw(shapes[1], frames::Scene::kSurface, scene + 1)};
  };
  element.describe = [](std::size_t input, const Content& content, GstBuffer* buffer) {
    if (input == 0) add_segments(content, false, buffer);
    if (input == 1) add_tracks(content, buffer);
  };
  element.expect_side = [](const std::string&, const Contents& contents) {
    return picture_of(contents[0]);
  };
  element.result = [](const Shapes& shapes, GstBuffer* output) {
    std::vector<std::uint8_t> bytes = samples_of(output, shapes[0]);
    gsize n = 0;
    GstRdpMotion* motion = gst_rdp_buffer_get_motion(output);
    if (motion != nullptr) gst_rdp_motion_peek_segments(motion, &n);
    bytes.push_back(static_cast<std::uint8_t>(n));
    return bytes;
  };
  // It reads no samples.
  element.pictures = element.crops = false;
  element.calls_driver = element.makes_context = false;
  element.waits = 0;
  return {element};
}

}  // namespace conformance
