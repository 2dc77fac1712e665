// SPDX-License-Identifier: LGPL-2.1-or-later
// What the application has made of the floating-point environment changes nothing: rounding modes,
// FTZ and DAZ, traps. Each element and converter runs in threads that are set up like that, and the
// C functions in this one; results are the bytes of the standard environment, and the environment
// is as it was whenever somebody else's code runs.
#include <unistd.h>

#include <atomic>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <limits>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "tests/clouds/cloud_file_bytes.h"
#include "tests/library/camera_files_support.h"
#include "tests/support/float_environments.h"
#include "tests/support/pipeline_rig.h"
#include "tests/support/planes_fixture.h"

namespace {

using rdp::test::float_environments;
using rdp::test::FloatEnvironment;
using rdp::test::Folder;
using rdp::test::InFloatEnvironment;
using rdp::test::PipelineRig;

// --- bytes --------------------------------------------------------------------------------------

void add(std::string* to, GBytes* bytes) {
  if (bytes == nullptr) {
    *to += "nothing";
    return;
  }
  gsize size = 0;
  const auto* data = static_cast<const char*>(g_bytes_get_data(bytes, &size));
  to->append(data, size);
  g_bytes_unref(bytes);
}

template <typename Number>
void add_number(std::string* to, Number number) {
  char bytes[sizeof number];
  std::memcpy(bytes, &number, sizeof number);
  to->append(bytes, sizeof number);
}

void add_json(std::string* to, GstRdpCamera* camera) {
  g_autofree gchar* json = gst_rdp_camera_to_json(camera);
  *to += json;
}

// What there is to know of a segmentation and a camera that may be null.
void add_segmentation(std::string* to, GstRdpSegmentation* segmentation, GstRdpCamera* camera) {
  add(to, gst_rdp_segmentation_to_bytes(segmentation));
  gdouble slope = 0;
  gdouble horizon = 0;
  add_number(to, gst_rdp_segmentation_get_ground(segmentation, &slope, &horizon));
  add_number(to, slope);
  add_number(to, horizon);
  add(to, gst_rdp_segmentation_get_classes(segmentation));
  if (camera != nullptr) add(to, gst_rdp_segmentation_get_points(segmentation, camera, nullptr));
}

// A buffer with all that it carries.
std::string bytes_of(GstBuffer* buffer) {
  std::string result(gst_buffer_get_size(buffer), '\0');
  gst_buffer_extract(buffer, 0, result.data(), result.size());
  if (GstRdpCamera* camera = gst_rdp_buffer_get_camera(buffer, nullptr)) {
    add_json(&result, camera);
    gst_rdp_camera_unref(camera);
  }
  if (const GstRdpSegmentMeta* meta = gst_buffer_get_rdp_segment_meta(buffer)) {
    GstRdpCamera* camera = gst_rdp_segment_meta_get_camera(buffer, meta, nullptr);
    add_segmentation(&result, meta->segmentation, camera);
    if (camera != nullptr) gst_rdp_camera_unref(camera);
  }
  if (GstRdpPlanes* planes = gst_rdp_buffer_get_planes(buffer)) {
    add(&result, gst_rdp_planes_to_bytes(planes));
    add(&result, gst_rdp_planes_to_ply(planes));
  }
  return result;
}

// --- how a trap is told -------------------------------------------------------------------------

char under_way[512];

void set_under_way(const std::string& text) {
  std::strncpy(under_way, text.c_str(), sizeof under_way - 1);
}

extern "C" void report_and_end(int) {
  constexpr char kText[] = "a floating-point exception was trapped in: ";
  [[maybe_unused]] auto written = ::write(2, kText, sizeof kText - 1);
  written = ::write(2, under_way, std::strlen(under_way));
  written = ::write(2, "\n", 1);
  std::_Exit(1);
}

// --- pipelines ----------------------------------------------------------------------------------

// Whether this thread said that it enters its work. Those of extra pads begin before there is a
// bus.
thread_local bool has_entered = false;

// Runs a pipeline whose streaming threads are in an environment. What comes to the sinks whose
// names begin with "out" is kept.
class FloatRig : public PipelineRig {
 public:
  FloatRig(const std::string& line, const FloatEnvironment& environment)
      : PipelineRig(line), environment_(environment) {
    GstBus* bus = gst_element_get_bus(pipeline());
    gst_bus_set_sync_handler(bus, enter_or_leave, this, nullptr);
    gst_object_unref(bus);
    for_each_pad(pipeline(), [this](GstElement* element, GstPad* pad) {
      const std::string name = GST_OBJECT_NAME(element);
      if (name.starts_with("out")) {
        gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_BUFFER, keep, this, nullptr);
      } else if (GST_PAD_IS_SRC(pad)) {
        gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_BUFFER, check, this, nullptr);
      }
    });
  }
  ~FloatRig() override { stop(); }

  // Returns what the sinks got, by their names.
  std::map<std::string, std::string> run() {
    {
      const InFloatEnvironment here(environment_);
      play();
      fail_unless(is_set(environment_), "set_state () has changed it");
    }
    const std::string error = wait();
    fail_unless(error.empty(), "%s", error.c_str());
    read_stats();
    stop();
    fail_if(disturbed_, "an element has left another environment than it found");
    return received_;
  }

 private:
  template <typename Body>
  static void for_each_pad(GstElement* bin, const Body& body) {
    for (GList* e = GST_BIN_CHILDREN(bin); e != nullptr; e = e->next) {
      auto* element = static_cast<GstElement*>(e->data);
      for (GList* p = element->pads; p != nullptr; p = p->next) {
        body(element, static_cast<GstPad*>(p->data));
      }
    }
  }

  void stop() const {
    const InFloatEnvironment here(environment_);
    gst_element_set_state(pipeline(), GST_STATE_NULL);
  }

  // They have times in them, which vary.
  void read_stats() {
    for (GList* e = GST_BIN_CHILDREN(pipeline()); e != nullptr; e = e->next) {
      auto* object = static_cast<GObject*>(e->data);
      if (g_object_class_find_property(G_OBJECT_GET_CLASS(object), "stats") == nullptr) continue;
      if (GST_OBJECT_FLAG_IS_SET(object, GST_ELEMENT_FLAG_SINK)) continue;
      const InFloatEnvironment here(environment_);
      GstStructure* stats = nullptr;
      g_object_get(object, "stats", &stats, nullptr);
      fail_unless(is_set(environment_));
      gst_structure_free(stats);
    }
  }

  // Comes in the streaming threads themselves.
  static GstBusSyncReply enter_or_leave(GstBus*, GstMessage* message, gpointer data) {
    auto* self = static_cast<FloatRig*>(data);
    if (GST_MESSAGE_TYPE(message) != GST_MESSAGE_STREAM_STATUS) return GST_BUS_PASS;
    GstStreamStatusType type;
    gst_message_parse_stream_status(message, &type, nullptr);
    if (type == GST_STREAM_STATUS_TYPE_ENTER) {
      rdp::test::set(self->environment_);
      has_entered = true;
    } else if (type == GST_STREAM_STATUS_TYPE_LEAVE) {
      self->look();
      std::fesetenv(FE_DFL_ENV);  // the thread will serve others
      has_entered = false;
    }
    return GST_BUS_PASS;
  }

  void look() {
    if (has_entered && !is_set(environment_)) disturbed_ = true;
  }

  static GstPadProbeReturn check(GstPad*, GstPadProbeInfo*, gpointer data) {
    static_cast<FloatRig*>(data)->look();
    return GST_PAD_PROBE_OK;
  }

  static GstPadProbeReturn keep(GstPad* pad, GstPadProbeInfo* info, gpointer data) {
    auto* self = static_cast<FloatRig*>(data);
    std::string bytes;
    if (has_entered) {
      bytes = bytes_of(GST_PAD_PROBE_INFO_BUFFER(info));
      self->look();
    } else {
      const InFloatEnvironment here(self->environment_);
      bytes = bytes_of(GST_PAD_PROBE_INFO_BUFFER(info));
    }
    const std::lock_guard lock(self->mutex_);
    self->received_[GST_OBJECT_NAME(GST_PAD_PARENT(pad))] += bytes;
    return GST_PAD_PROBE_OK;
  }

  const FloatEnvironment environment_;
  std::atomic<bool> disturbed_{false};
  std::mutex mutex_;
  std::map<std::string, std::string> received_;
};

// What a pipeline makes, in each environment the same. With `file`: what it has written there, too.
void check_line(const std::string& line, const std::string& file = "") {
  std::map<std::string, std::string> expected;
  for (const FloatEnvironment& environment : float_environments()) {
    set_under_way(line + ", " + environment.name);
    FloatRig rig(line, environment);
    std::map<std::string, std::string> got = rig.run();
    if (!file.empty()) got["the file"] = camera_files::text_of(file);
    if (expected.empty()) {
      expected = got;
      fail_if(got.empty(), "%s makes nothing", line.c_str());
      for (const auto& [name, bytes] : got) {
        fail_if(bytes.empty(), "%s makes nothing for %s", line.c_str(), name.c_str());
      }
    }
    for (const auto& [name, bytes] : expected) {
      fail_unless(got[name] == bytes, "%s: other bytes for %s, floats are %s", line.c_str(),
                  name.c_str(), environment.name);
    }
  }
}

void check_lines(const std::vector<std::string>& lines) {
  for (const std::string& line : lines) check_line(line);
}

// Depth in millimetres and disparities of rooms, with noise and unknown samples.
std::string source(const std::string& words, const char* format = "GRAY16_LE") {
  return "depthtestsrc num-buffers=2 noise=0.03 unknown-ratio=0.1 " + words +
         " ! video/x-raw,width=160,height=120,format=" + format + " ! ";
}
const std::string kRoom = source("pattern=room seed=3 domain=depth");
const std::string kRoomDisparity = source("pattern=room seed=3 domain=disparity");
const std::string kStreet = source("pattern=street");
const std::string kOut = " ! fakesink name=out";
// A second branch with the pictures of element `e`, none of which may be left out.
const std::string kPicture =
    " ! fakesink name=out e.overlay ! fakesink name=outpicture async=false";

}  // namespace

GST_START_TEST(test_depthtestsrc) {
  for (const char* pattern : {"street", "ramp", "steps", "noise", "unknown", "room", "traffic"}) {
    const std::string words = std::string("pattern=") + pattern;
    for (const char* view : {"left", "right", "side-by-side"}) {
      check_line(source(words + " view=" + view, "GRAY8") + "fakesink name=out");
    }
    for (const char* domain : {"disparity", "depth"}) {
      for (const char* format : {"GRAY16_LE", "GRAY8"}) {
        check_line(source(words + " domain=" + domain, format) + "fakesink name=out");
      }
    }
    check_line(source(words + " view=flow") + "fakesink name=out");
  }
  for (const char* pattern : {"ramp", "steps", "room", "traffic"}) {
    check_line(source(std::string("view=labels pattern=") + pattern, "GRAY8") +
               "fakesink name=out");
  }
}
GST_END_TEST

GST_START_TEST(test_rdpsegment) {
  const std::string epsilon = "rdpsegment threads=3 epsilon=2 sample-scale=0.00390625 ";
  check_lines({
      kStreet + epsilon + kOut,
      kStreet + epsilon + "refine=true median=3x3 classify=true" + kOut,
      kStreet + epsilon + "merge=true column-width=3 max-gap=5 classify=true" + kOut,
      kStreet + epsilon + "merge=true fit=absolute output=reconstruct" + kOut,
      kRoom +
          "rdpsegment threads=3 domain=inverse median=5x5 merge=true classify=true "
          "output=reconstruct" +
          kOut,
      kRoom +
          "depthplanes threads=3 ! rdpsegment domain=inverse threads=3 classify=true "
          "ground=planes" +
          kOut,
      kRoomDisparity + "depthplanes ! " + epsilon + "merge=true classify=true ground=planes" + kOut,
  });
  for (const char* style : {"segments", "depth", "edges", "classes", "birdseye"}) {
    check_line(kStreet + epsilon + "name=e merge=true classify=true overlay::style=" + style +
               " overlay::legend=true overlay::drop=never" + kPicture);
  }
}
GST_END_TEST

GST_START_TEST(test_depthplanes) {
  check_lines({
      kRoom + "depthplanes threads=3" + kOut,
      kRoomDisparity + "depthplanes threads=3 output=labels" + kOut,
      kRoom + "depthplanes up=\"<0.1,-0.9,0.2>\" noise=0.002 directions=30 rounds=2" + kOut,
      source("pattern=room domain=depth", "GRAY8") + "depthplanes" + kOut,
      kRoom + "depthpoints ! depthplanes threads=3" + kOut,
      kRoom + "depthpoints axes=forward-left-up ! depthplanes tolerance=0.05 resolution=0.001" +
          kOut,
  });
  for (const char* style : {"planes", "normals", "nodes", "residual", "depth"}) {
    check_line(kRoom + "depthplanes name=e overlay::style=" + style +
               " overlay::legend=true overlay::drop=never" + kPicture);
  }
}
GST_END_TEST

GST_START_TEST(test_depthpoints) {
  const std::string distorted =
      "calibration=" + camera_files::kFolder + "opencv.json depth-unit=0.001";
  check_lines({
      kRoom + "depthpoints threads=3" + kOut,
      kRoomDisparity + "depthpoints axes=forward-left-up" + kOut,
      kStreet + "depthpoints" + kOut,
      source("domain=depth", "GRAY8") + "depthpoints" + kOut,
      "depthtestsrc num-buffers=1 domain=depth unknown-ratio=0.3 ! "
      "video/x-raw,width=640,height=480 ! depthpoints " +
          distorted + kOut,
  });
}
GST_END_TEST

GST_START_TEST(test_klttrack) {
  const std::string views = source("pattern=traffic view=left", "GRAY8");
  check_lines({
      views + "klttrack threads=3" + kOut,
      views + "klttrack light=none cell=8 quality=0.01 epsilon=0.2" + kOut,
      views + "klttrack light=gain-bias window=31 max-features=40 min-eigenvalue=3.5" + kOut,
  });
  for (const char* style : {"trails", "motion", "lost"}) {
    check_line(views + "klttrack name=e overlay::style=" + style +
               " overlay::legend=true overlay::drop=never" + kPicture);
  }
}
GST_END_TEST

GST_START_TEST(test_depthstereo) {
  const std::string views =
      " depthtestsrc num-buffers=2 view=left pattern=room noise=1 ! "
      "video/x-raw,width=160,height=120 ! e.left "
      "depthtestsrc num-buffers=2 view=right pattern=room noise=1 ! "
      "video/x-raw,width=160,height=120 ! e.right ";
  const std::string raw =
      " depthtestsrc num-buffers=1 view=left ! video/x-raw,width=640,height=480 ! e.left "
      "depthtestsrc num-buffers=1 view=right ! video/x-raw,width=640,height=480 ! e.right ";
  const std::string pair = "calibration=" + camera_files::kFolder + "intrinsics.yml," +
                           camera_files::kFolder + "extrinsics.yml calibration-unit=0.001 ";
  check_lines({
      "depthstereo name=e threads=3 overlay::drop=never" + kPicture + views,
      "depthstereo name=e output=depth-mm paths=8 median=5x5 ! fakesink name=out "
      "e.confidence ! fakesink name=outconfidence async=false" +
          views,
      "depthtestsrc num-buffers=2 view=side-by-side ! video/x-raw,width=320,height=120 ! "
      "depthstereo.left depthstereo name=depthstereo disparities=64" +
          kOut,
      "depthstereo name=e disparities=32 rectify=on " + pair +
          "! fakesink name=out "
          "e.rectified ! fakesink name=outrectified async=false" +
          raw,
  });
}
GST_END_TEST

// Two cameras with poses: what is projected from one to the other.
GST_START_TEST(test_rdpoverlay) {
  Folder folder;
  const auto camera = [&](const char* name, double x) {
    return folder.write(
        name,
        "{\"size\":[160,120],\"focal-length\":131.5,\"rectified\":true,\"baseline\":0.54,"
        "\"pose\":[[1,0,0," +
            std::to_string(x) + "],[0,1,0,0.01],[0,0,1,0]]}");
  };
  const std::string left = camera("left.json", 0.0);
  const std::string right = camera("right.json", 0.2);
  const auto branches = [&](const std::string& of_video, const std::string& of_segments) {
    return " depthtestsrc num-buffers=2 view=right ! video/x-raw,width=160,height=120 ! " +
           of_video + "o.video " + kStreet +
           "rdpsegment merge=true classify=true epsilon=2 sample-scale=0.00390625 " + of_segments +
           " ! o.segments";
  };
  for (const char* style : {"segments", "classes", "birdseye"}) {
    const std::string overlay =
        std::string("rdpoverlay name=o threads=3 opacity=0.7 style=") + style + kOut;
    check_line(overlay + branches("", ""));
    check_line(overlay + branches("rdpsegment measures=disparity calibration=" + right + " ! ",
                                  "disparity-unit=0.00390625 calibration=" + left));
  }
}
GST_END_TEST

GST_START_TEST(test_rdpmetaconvert) {
  const std::string segments =
      kStreet + "rdpsegment merge=true classify=true epsilon=2 sample-scale=0.00390625 ! ";
  check_lines({
      segments + "rdpmetaconvert" + kOut,
      segments + "rdpmetaconvert points=true" + kOut,
      segments + "rdpmetaconvert format=ply" + kOut,
      segments + "rdpmetaconvert format=ply ply-content=lines" + kOut,
      kRoom + "depthplanes ! rdpmetaconvert points=true" + kOut,
      kRoom + "depthplanes ! rdpmetaconvert format=ply ply-content=planes" + kOut,
      kRoom + "depthpoints ! depthplanes ! rdpmetaconvert points=true" + kOut,
      kRoom +
          "depthplanes ! rdpsegment domain=inverse classify=true ground=planes ! "
          "rdpmetaconvert points=true" +
          kOut,
  });
}
GST_END_TEST

GST_START_TEST(test_point_clouds) {
  using namespace rdp::test;
  Folder folder;
  const Points points = some_points(200);
  // Numbers whose last digits decide, and those that are no numbers.
  const std::string numbers =
      "0.1 0.2 0.30000000000000004\n1e-45 -1.17549435e-38 1.4e-40\n3.4028235e38 nan inf\n"
      "16777217 0.333333343267440796 -2.50000011920928966\n";
  const struct {
    const char* name;
    std::string file;
  } files[] = {
      {"a.pcd", pcd_binary(points)},
      {"b.pcd", pcd_mixed(points)},
      {"c.pcd", pcd_compressed(points)},
      {"d.pcd", pcd_text(points)},
      {"e.ply", ply_binary(points, true, false)},
      {"f.ply", ply_binary(points, false, true)},
      {"g.ply", ply_text(points)},
      {"h.bin", kitti(points)},
      {"i.pcd", "# unit 0.001\n" + pcd_header(kXyzFields, 4, 1, "ascii") + numbers},
  };
  for (const auto& file : files) {
    const std::string read = "pointcloudsrc location=" + folder.write(file.name, file.file) + " ! ";
    check_line(read + "fakesink name=out");
    for (const char* name : {"written.ply", "written.pcd"}) {
      const std::string written = folder.write(name, "");
      check_line(read + "pointcloudsink location=" + written, written);
    }
  }
  const std::string written = folder.write("labels.ply", "");
  check_line(kRoom + "depthpoints ! depthplanes ! pointcloudsink labels=true location=" + written,
             written);
}
GST_END_TEST

// --- functions ----------------------------------------------------------------------------------

namespace {

struct Call {
  std::string name;
  std::function<std::string()> run;
};

// The bytes are the same, and nothing is left behind: no flag either.
void check_calls(const std::vector<Call>& calls) {
  for (const Call& call : calls) {
    std::string expected;
    for (const FloatEnvironment& environment : float_environments()) {
      set_under_way(call.name + ", " + environment.name);
      std::string got;
      bool is_set;
      int flags;
      {
        const InFloatEnvironment here(environment);
        got = call.run();
        is_set = rdp::test::is_set(environment);
        flags = std::fetestexcept(FE_ALL_EXCEPT);
      }
      fail_unless(is_set, "%s has left another environment", under_way);
      fail_unless(flags == 0, "%s has left the flags %#x", under_way, static_cast<unsigned>(flags));
      if (expected.empty()) expected = got;
      fail_if(got.empty());
      fail_unless(got == expected, "%s: other bytes", under_way);
    }
  }
}

GstRdpCameraInfo disparity_camera() {
  GstRdpCameraInfo info;
  gst_rdp_camera_info_init(&info);
  info.width = 67;
  info.height = 43;
  info.focal_length = 52.3;
  info.focal_length_y = 51.9;
  info.principal_x = 33.1;
  info.principal_y = 20.7;
  info.rectified = TRUE;
  info.baseline = 0.11;
  info.measures = GST_RDP_MEASURE_DISPARITY;
  info.disparity_unit = 1.0 / 3;
  info.disparity_offset = -0.7;
  return info;
}

GstRdpCamera* new_camera(const GstRdpCameraInfo& info) {
  GstRdpCamera* camera = gst_rdp_camera_new(&info, nullptr);
  fail_unless(camera != nullptr);
  return camera;
}

// Takes the camera.
std::string json_of(GstRdpCamera* camera) {
  if (camera == nullptr) return "none";
  std::string json;
  add_json(&json, camera);
  gst_rdp_camera_unref(camera);
  return json;
}

// A frame of 67x43 with segments that reach 0, where there is no distance.
GstRdpSegmentation* new_segmentation() {
  GstRdpSegmentationInfo info;
  gst_rdp_segmentation_info_init(&info);
  info.width = 67;
  info.height = 43;
  info.epsilon = 0.3;
  info.sample_scale = 0.1;
  info.classify = TRUE;
  std::vector<guint32> offsets = {0};
  std::vector<GstRdpSegment> segments;
  for (guint16 c = 0; c < 67; ++c) {
    // Made without rounding: this function runs in all environments.
    const float near = 30.25F + 0.125F * static_cast<float>(c % 3);
    segments.push_back({0, 12, 0.0F, static_cast<float>(c % 5) * 0.75F});
    segments.push_back({13, 42, 1.3F, near});
    offsets.push_back(static_cast<guint32>(segments.size()));
  }
  GstRdpSegmentation* result = gst_rdp_segmentation_new(&info, offsets.data(), offsets.size(),
                                                        segments.data(), segments.size());
  fail_unless(result != nullptr);
  return result;
}

// A buffer that is shown in part, and was scaled before.
GstBuffer* transformed_buffer() {
  GstBuffer* from = gst_buffer_new();
  const GstRdpCameraInfo info = disparity_camera();
  GstRdpCamera* camera = new_camera(info);
  GstRdpSegmentation* segmentation = new_segmentation();
  gst_buffer_add_rdp_camera_meta(from, camera);
  gst_buffer_add_rdp_segment_meta(from, segmentation);
  gst_rdp_segmentation_unref(segmentation);
  gst_rdp_camera_unref(camera);
  GstBuffer* to = gst_buffer_new();
  GstVideoInfo before;
  GstVideoInfo after;
  gst_video_info_set_format(&before, GST_VIDEO_FORMAT_GRAY16_LE, 67, 43);
  gst_video_info_set_format(&after, GST_VIDEO_FORMAT_GRAY16_LE, 201, 129);
  GstVideoMetaTransform transform = {&before, &after};
  gpointer state = nullptr;
  while (GstMeta* meta = gst_buffer_iterate_meta(from, &state)) {
    fail_unless(meta->info->transform_func(to, meta, from,
                                           gst_video_meta_transform_scale_get_quark(), &transform));
  }
  gst_buffer_unref(from);
  GstVideoCropMeta* crop = gst_buffer_add_video_crop_meta(to);
  crop->x = 7;
  crop->y = 5;
  crop->width = 190;
  crop->height = 100;
  return to;
}

std::string placement_of(GstBuffer* buffer) {
  const GstRdpSegmentMeta* meta = gst_buffer_get_rdp_segment_meta(buffer);
  gdouble numbers[4];
  gst_rdp_segment_meta_get_placement(buffer, meta, &numbers[0], &numbers[1], &numbers[2],
                                     &numbers[3]);
  std::string result;
  for (const gdouble number : numbers) add_number(&result, number);
  return result + json_of(gst_rdp_segment_meta_get_camera(buffer, meta, nullptr)) +
         json_of(gst_rdp_buffer_get_camera(buffer, nullptr));
}

}  // namespace

GST_START_TEST(test_cameras) {
  std::vector<Call> calls;
  for (const std::string& name : camera_files::kExamples) {
    calls.push_back({name, [&name] {
                       const camera_files::Read read =
                           camera_files::read(camera_files::kFolder + name, 0.001, 640, 480);
                       std::string result = read.error;
                       for (const GstRdpCameraInfo& view : read.views) {
                         result += json_of(gst_rdp_camera_new(&view, nullptr));
                       }
                       return result;
                     }});
  }
  GstRdpCamera* plain = new_camera(disparity_camera());
  GstRdpCameraInfo info = disparity_camera();
  const double distortion[8] = {-0.31, 0.12, 0.001, -0.002, 0.03, 0.11, -0.04, 0.01};
  std::copy_n(distortion, 8, info.distortion);
  info.rectified = FALSE;
  GstRdpCamera* bent = new_camera(info);
  calls.push_back({"json", [] {
                     return json_of(gst_rdp_camera_new_from_json(
                         "{\"size\":[67,43],\"focal-length\":0.1e3,\"projection\":[[0.1,0.2,0.3,"
                         "0.4],[1e-300,4.9e-324,1e300,0.30000000000000004],[0,0,1,0]]}",
                         nullptr));
                   }});
  calls.push_back({"scale", [=] { return json_of(gst_rdp_camera_scale(plain, 31, 17)); }});
  calls.push_back({"crop", [=] { return json_of(gst_rdp_camera_crop(plain, 3, 5, 40, 20)); }});
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  for (const double sample : {0.0, 2.1, 2.2, 7.0, -1.0, 1e-300, 1e300, kNone}) {
    calls.push_back({"depth of " + std::to_string(sample), [=] {
                       std::string result;
                       const double depth = gst_rdp_camera_get_depth(plain, sample);
                       add_number(&result, std::isnan(depth) ? kNone : depth);
                       return result;
                     }});
  }
  for (GstRdpCamera* camera : {plain, bent}) {
    calls.push_back({"unproject", [=] {
                       std::string result;
                       for (const double column : {0.0, 12.3, 33.1, 66.9, 1e6, kNone}) {
                         gdouble x = 0;
                         gdouble y = 0;
                         add_number(&result, gst_rdp_camera_unproject(camera, column, 7.7, &x, &y));
                         add_number(&result, x);
                         add_number(&result, y);
                       }
                       return result;
                     }});
    calls.push_back({"project", [=] {
                       std::string result;
                       for (const double z : {1.0, 3.3, 0.0, -1.0, 1e-320, 1e308, kNone}) {
                         gdouble column = 0;
                         gdouble row = 0;
                         add_number(&result,
                                    gst_rdp_camera_project(camera, 0.1, -0.3, z, &column, &row));
                         add_number(&result, column);
                         add_number(&result, row);
                       }
                       return result;
                     }});
  }
  check_calls(calls);
  gst_rdp_camera_unref(bent);
  gst_rdp_camera_unref(plain);
}
GST_END_TEST

GST_START_TEST(test_metadata) {
  GstRdpCamera* camera = new_camera(disparity_camera());
  check_calls({
      {"segments",
       [=] {
         GstRdpSegmentation* segmentation = new_segmentation();
         std::string result;
         add_segmentation(&result, segmentation, camera);
         GBytes* bytes = gst_rdp_segmentation_to_bytes(segmentation);
         GstRdpSegmentation* again = gst_rdp_segmentation_new_from_bytes(bytes, nullptr);
         fail_unless(again != nullptr);
         gst_rdp_segmentation_unref(again);
         g_bytes_unref(bytes);
         gst_rdp_segmentation_unref(segmentation);
         return result;
       }},
      {"planes",
       [] {
         GstRdpPlanes* planes = new_planes(wall_and_floor());
         std::string result;
         add(&result, gst_rdp_planes_to_bytes(planes));
         add(&result, gst_rdp_planes_to_ply(planes));
         gst_rdp_planes_unref(planes);
         return result;
       }},
      {"transforms",
       [] {
         GstBuffer* buffer = transformed_buffer();
         const std::string result = placement_of(buffer);
         gst_buffer_unref(buffer);
         return result;
       }},
  });
  gst_rdp_camera_unref(camera);
}
GST_END_TEST

static Suite* host_floats_suite() {
  std::signal(SIGFPE, report_and_end);
  Suite* suite = suite_create("host_floats");
  TCase* tests = tcase_create("all");
  suite_add_tcase(suite, tests);
  tcase_add_test(tests, test_depthtestsrc);
  tcase_add_test(tests, test_rdpsegment);
  tcase_add_test(tests, test_depthplanes);
  tcase_add_test(tests, test_depthpoints);
  tcase_add_test(tests, test_klttrack);
  tcase_add_test(tests, test_depthstereo);
  tcase_add_test(tests, test_rdpoverlay);
  tcase_add_test(tests, test_rdpmetaconvert);
  tcase_add_test(tests, test_point_clouds);
  tcase_add_test(tests, test_cameras);
  tcase_add_test(tests, test_metadata);
  return suite;
}

GST_CHECK_MAIN(host_floats);
