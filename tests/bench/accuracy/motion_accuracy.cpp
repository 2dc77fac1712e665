// SPDX-License-Identifier: LGPL-2.1-or-later
// The accuracy of segments' motion: a static street from a moving camera, and cars with known
// speeds. All through the elements, in one pipeline.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "common/image/depth_view.h"
#include "common/scene/test_labels.h"
#include "common/scene/traffic_scene.h"
#include "tests/bench/accuracy/recorded_table.h"
#include "tests/bench/motion_pairs.h"
#include "tests/support/command_line.h"

#include <glib/gstdio.h>
#include <gst/gst.h>
#include <gst/rdpsegment/rdpsegment.h>

namespace rdp::bench {
namespace {

constexpr int kWidth = 1242;
constexpr int kHeight = 376;
constexpr int kRate = 30;

// The `part` quantile of the values, the lower one of two candidates; NaN if there are none.
double median_of(std::vector<double> values, double part = 0.5) {
  if (values.empty()) return std::nan("");
  const auto place = static_cast<std::ptrdiff_t>(part * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + place, values.end());
  return values[static_cast<std::size_t>(place)];
}

// --- frames of a pipeline -----------------------------------------------------------------------

// A segment with its motion.
struct Seen {
  int column;  // its centre in pixels
  int row;
  double value;  // there
  GstRdpSegmentMotion motion;
};

struct Frame {
  std::vector<Seen> segments;
  GstRdpMotionInfo info;
};

Frame read_frame(GstBuffer* buffer) {
  Frame frame;
  GstRdpSegmentation* segmentation = gst_rdp_buffer_get_segmentation(buffer);
  GstRdpMotion* motion = gst_rdp_buffer_get_motion(buffer);
  if (segmentation == nullptr || motion == nullptr) {
    std::fprintf(stderr, "a frame has no motion\n");
    std::exit(1);
  }
  frame.info = *gst_rdp_motion_get_info(motion);
  gsize motions = 0;
  const GstRdpSegmentMotion* of = gst_rdp_motion_peek_segments(motion, &motions);
  const guint columns = gst_rdp_segmentation_get_n_columns(segmentation);
  const int wide = static_cast<int>(gst_rdp_segmentation_get_info(segmentation)->column_width);
  for (guint column = 0; column < columns; ++column) {
    gsize count = 0;
    const GstRdpSegment* segments = gst_rdp_segmentation_get_column(segmentation, column, &count);
    for (gsize i = 0; i < count; ++i) {
      const GstRdpSegment& s = segments[i];
      frame.segments.push_back(
          {static_cast<int>(column) * wide + wide / 2,
           static_cast<int>((s.first_row + s.last_row) / 2),
           0.5 * (static_cast<double>(s.first_value) + static_cast<double>(s.last_value)), *of++});
    }
  }
  return frame;
}

// Runs a pipeline, and returns read(buffer) for the buffers of its fakesink named `end`.
template <auto read>
auto run_pipeline(const std::string& text) {
  using Frames = std::vector<decltype(read(nullptr))>;
  Frames frames;
  g_autoptr(GError) error = nullptr;
  GstElement* pipeline = gst_parse_launch(text.c_str(), &error);
  if (pipeline == nullptr) {
    std::fprintf(stderr, "%s\n%s\n", text.c_str(), error->message);
    std::exit(1);
  }
  g_autoptr(GstElement) end = gst_bin_get_by_name(GST_BIN(pipeline), "end");
  g_autoptr(GstPad) pad = gst_element_get_static_pad(end, "sink");
  gst_pad_add_probe(
      pad, GST_PAD_PROBE_TYPE_BUFFER,
      [](GstPad*, GstPadProbeInfo* info, gpointer into) -> GstPadProbeReturn {
        static_cast<Frames*>(into)->push_back(read(GST_PAD_PROBE_INFO_BUFFER(info)));
        return GST_PAD_PROBE_OK;
      },
      &frames, nullptr);
  gst_element_set_state(pipeline, GST_STATE_PLAYING);
  g_autoptr(GstBus) bus = gst_element_get_bus(pipeline);
  g_autoptr(GstMessage) message = gst_bus_timed_pop_filtered(
      bus, GST_CLOCK_TIME_NONE, static_cast<GstMessageType>(GST_MESSAGE_EOS | GST_MESSAGE_ERROR));
  if (GST_MESSAGE_TYPE(message) == GST_MESSAGE_ERROR) {
    g_autoptr(GError) posted = nullptr;
    gst_message_parse_error(message, &posted, nullptr);
    std::fprintf(stderr, "%s\n%s\n", text.c_str(), posted->message);
    std::exit(1);
  }
  gst_element_set_state(pipeline, GST_STATE_NULL);
  gst_object_unref(pipeline);
  return frames;
}

// --- a street that stands still -----------------------------------------------------------------

struct Drive {
  std::vector<double> steps;  // metres from frame to frame
};

Drive read_drive(const std::filesystem::path& poses) {
  Drive drive;
  std::ifstream file(poses);
  double before[3] = {};
  double m[12];
  for (int line = 0; file >> m[0]; ++line) {
    for (int i = 1; i < 12; ++i) file >> m[i];
    const double at[3] = {m[3], m[7], m[11]};
    if (line > 0) {
      drive.steps.push_back(std::hypot(at[0] - before[0], at[1] - before[1], at[2] - before[2]));
    }
    std::copy(at, at + 3, before);
  }
  return drive;
}

void still_street(const std::filesystem::path& data, RecordedTable* table) {
  constexpr double kNearest = 25.0;  // m
  constexpr double kFocalBase = 707.0912 * 0.53716;
  const std::string motion = (data / "motion/kitti_odo06").string();
  const std::string depth = (data / "kitti/sequence").string();
  const Drive drive = read_drive(motion + "/poses.txt");
  for (const char* ego : {"estimate", "given"}) {
    const auto files = [](const std::string& location) {
      return "multifilesrc location=" + location +
             " caps=image/png,framerate=10/1 stop-index=15 ! pngdec ! videoconvert ! video/x-raw,";
    };
    const std::string text =
        files(depth + "/%06d.png") +
        "format=GRAY16_LE ! rdpsegment epsilon=2 sample-scale=0.00390625 merge=true ! m.depth " +
        files(motion + "/L_%06d.png") + "format=GRAY8 ! klttrack cell=8 ! m.video " +
        "rdpmotion name=m calibration=" + motion + "/calib.txt measures=disparity " +
        "disparity-unit=0.00390625 ego-motion=" + ego + " poses=" + motion +
        "/poses.txt ! fakesink name=end";
    const std::vector<Frame> frames = run_pipeline<read_frame>(text);
    std::size_t near = 0;
    std::size_t known = 0;
    std::size_t moving = 0;
    std::vector<double> speeds;
    std::vector<double> ratios;
    for (std::size_t i = 0; i < frames.size(); ++i) {
      const double* m = frames[i].info.ego;
      if (i > 0 && frames[i].info.ego_known) {
        ratios.push_back(std::hypot(m[3], m[7], m[11]) / drive.steps[i - 1] - 1.0);
      }
      if (i < 5) continue;
      for (const Seen& seen : frames[i].segments) {
        if (!(seen.value > 0.0) || kFocalBase / (seen.value / 256.0) >= kNearest) continue;
        ++near;
        if ((seen.motion.flags & GST_RDP_MOTION_KNOWN) == 0) continue;
        ++known;
        moving += (seen.motion.flags & GST_RDP_MOTION_MOVING) != 0 ? 1U : 0U;
        speeds.push_back(std::hypot(seen.motion.vx, seen.motion.vy, seen.motion.vz));
      }
    }
    const auto part = [](std::size_t of, std::size_t all) {
      return 100.0 * static_cast<double>(of) / static_cast<double>(all);
    };
    table->line(formatted("%-34s %7zu %6.1f %6.2f %6.2f %6.2f %+8.2f",
                          formatted("KITTI odometry 06, %s", ego).c_str(), near, part(known, near),
                          median_of(speeds), median_of(speeds, 0.9), part(moving, known),
                          100.0 * median_of(ratios)));
  }
}

// --- cars ---------------------------------------------------------------------------------------

// The car that each pixel shows; 0: none.
std::vector<std::uint8_t> labels_of(unsigned frame, unsigned drive) {
  std::vector<std::uint8_t> labels(static_cast<std::size_t>(kWidth) * kHeight);
  TestPatternOptions options;
  options.pattern = TestPattern::kTraffic;
  options.drive = drive;
  TestLabelRenderer renderer;
  renderer.draw(
      frame, options,
      {reinterpret_cast<std::byte*>(labels.data()), kWidth, kWidth, kHeight, SampleType::kU8});
  return labels;
}

// Poses of the drive in KITTI's format, one per frame.
std::string poses_of(unsigned drive) {
  std::string lines;
  for (unsigned i = 0; i <= kTrafficMoment; ++i) {
    lines += formatted("1 0 0 0 0 1 0 0 0 0 1 %.1f\n", i * drive / 1000.0);
  }
  return lines;
}

class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& text) {
    gchar* path = nullptr;
    const gint file = g_file_open_tmp("poses-XXXXXX", &path, nullptr);
    if (file < 0 ||
        !g_file_set_contents(path, text.data(), static_cast<gssize>(text.size()), nullptr)) {
      std::fputs("no file can be written\n", stderr);
      std::exit(1);
    }
    g_close(file, nullptr);
    path_ = path;
    g_free(path);
  }
  ~TemporaryFile() { g_remove(path_.c_str()); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// Velocity errors of cars, and the flagged parts of cars and of everything else.
void cars(const std::string& name, const std::string& pipeline, unsigned drive, bool over_ground,
          RecordedTable* table) {
  const std::vector<Frame> frames = run_pipeline<read_frame>(pipeline);
  const std::vector<std::uint8_t> labels = labels_of(kTrafficMoment, drive);
  const Frame& frame = frames.at(kTrafficMoment);
  std::size_t still = 0;
  std::size_t flagged = 0;
  std::vector<double> vx[3];
  std::vector<double> vz[3];
  std::size_t of_car[3] = {};
  std::size_t moving[3] = {};
  for (const Seen& seen : frame.segments) {
    const unsigned label =
        labels[static_cast<std::size_t>(seen.row) * kWidth + static_cast<std::size_t>(seen.column)];
    if (label > 2) continue;
    const bool known = (seen.motion.flags & GST_RDP_MOTION_KNOWN) != 0;
    const bool moves = (seen.motion.flags & GST_RDP_MOTION_MOVING) != 0;
    if (label == 0) {
      still += known ? 1U : 0U;
      flagged += moves ? 1U : 0U;
      continue;
    }
    ++of_car[label];
    if (!known) continue;
    moving[label] += moves ? 1U : 0U;
    vx[label].push_back(seen.motion.vx);
    vz[label].push_back(seen.motion.vz);
  }
  std::string text = formatted("%-34s", name.c_str());
  for (int car = 1; car <= 2; ++car) {
    const TrafficCar truth = traffic_car(car, 0, drive, kTrafficMoment);
    const double own = over_ground ? 0.0 : drive * kRate / 1000.0;
    const double x = median_of(vx[car]) - truth.across * kRate / 1000.0;
    const double z = median_of(vz[car]) - (truth.along * kRate / 1000.0 - own);
    text += formatted(" %5zu %6.2f %6.1f", of_car[car], std::hypot(x, z),
                      100.0 * static_cast<double>(moving[car]) / static_cast<double>(of_car[car]));
  }
  text += formatted(" %7zu %6.2f", still,
                    100.0 * static_cast<double>(flagged) / static_cast<double>(still));
  table->line(text);
}

void traffic(RecordedTable* table) {
  const TemporaryFile poses(poses_of(400));
  const auto caps = formatted("width=%d,height=%d,framerate=%d/1", kWidth, kHeight, kRate);
  const auto source = [&](const char* view, unsigned drive, const char* more) {
    return "depthtestsrc pattern=traffic view=" + std::string(view) +
           " drive=" + std::to_string(drive) +
           " num-buffers=" + std::to_string(kTrafficMoment + 1) + " " + more + " ! video/x-raw," +
           caps + " ! ";
  };
  const std::string segments = "rdpsegment epsilon=2 sample-scale=0.00390625 merge=true ! m.depth ";
  const std::string tracks = "klttrack cell=8 ! m.video rdpmotion name=m ";
  const auto of_truth = [&](unsigned drive, const std::string& settings) {
    return source("depth", drive, "noise=0.25") + segments + source("left", drive, "") + tracks +
           settings + " ! fakesink name=end";
  };
  cars("traffic, none", of_truth(400, ""), 400, false, table);
  cars("traffic, none, camera stands", of_truth(0, ""), 0, false, table);
  cars("traffic, given", of_truth(400, "ego-motion=given poses=" + poses.path()), 400, true, table);
  cars("traffic, estimate", of_truth(400, "ego-motion=estimate"), 400, true, table);
  cars("traffic, two pictures, estimate",
       source("left", 400, "") + "d.left " + source("right", 400, "") +
           "d.right depthstereo name=d ! " + segments + "d.rectified ! " + tracks +
           "ego-motion=estimate ! fakesink name=end",
       400, true, table);
}

// --- speeds of objects --------------------------------------------------------------------------

std::vector<GstRdpObstacle> read_objects(GstBuffer* buffer) {
  GstRdpObstacles* obstacles = gst_rdp_buffer_get_obstacles(buffer);
  if (obstacles == nullptr) return {};
  gsize count = 0;
  const GstRdpObstacle* objects = gst_rdp_obstacles_peek_objects(obstacles, &count);
  return {objects, objects + count};
}

// Velocity errors of objects for cars 20 to 40 m away: from association between frames, and with
// rdpmotion's segments.
void object_speeds(unsigned drive, RecordedTable* table) {
  constexpr int kFrames = 200;
  const auto source = [&](const char* more) {
    return formatted("depthtestsrc pattern=traffic drive=%u num-buffers=%d %s ! ", drive, kFrames,
                     more) +
           formatted("video/x-raw,width=%d,height=%d,framerate=%d/1 ! ", kWidth, kHeight, kRate);
  };
  const std::string segments =
      source("view=depth noise=0.25") +
      "rdpsegment epsilon=2 sample-scale=0.00390625 merge=true classify=true ! ";
  const std::string objects =
      "depthobstacles range=50 cell-size=0.2 min-height=0.3 max-height=2.5 gate=1 ! "
      "fakesink name=end";
  const std::string pipelines[2] = {segments + objects,
                                    segments + "m.depth " + source("view=left") +
                                        "klttrack cell=8 ! m.video rdpmotion name=m ! " + objects};
  std::string text = formatted("cars, camera at %.0f m/s", 0.03 * drive);
  text.resize(34, ' ');
  for (const std::string& pipeline : pipelines) {
    const auto frames = run_pipeline<read_objects>(pipeline);
    std::vector<double> errors;
    std::size_t by_motion = 0;
    for (std::size_t number = 0; number < frames.size(); ++number) {
      for (int i = 1; i <= kTrafficCars; ++i) {
        const TrafficCar car = traffic_car(i, 0, drive, number);
        const double x = static_cast<double>(car.near + car.far) / 2000.0;
        const double y = static_cast<double>(car.left + car.right) / -2000.0;
        const double distance = std::hypot(x, y);
        if (distance < 20.0 || distance >= 40.0) continue;
        const GstRdpObstacle* found = nullptr;
        for (const GstRdpObstacle& o : frames[number]) {
          const bool on_car =
              std::abs(o.x - x) <= static_cast<double>(car.far - car.near) / 2000.0 + 0.5 &&
              std::abs(o.y - y) <= static_cast<double>(car.right - car.left) / 2000.0 + 0.5;
          if (on_car && (found == nullptr || o.samples > found->samples)) found = &o;
        }
        if (found == nullptr || (found->flags & GST_RDP_OBSTACLE_SPEED) == 0) continue;
        by_motion += (found->flags & GST_RDP_OBSTACLE_MOTION) != 0 ? 1U : 0U;
        const double ahead = 0.001 * kRate * (car.along - static_cast<int>(drive));
        errors.push_back(std::hypot(found->vx - ahead, found->vy + 0.001 * kRate * car.across));
      }
    }
    text += formatted(" %6zu %6zu %6.2f %6.2f", errors.size(), by_motion, median_of(errors),
                      median_of(errors, 0.9));
  }
  table->line(text);
}

int run(int argc, char** argv) {
  std::string expected;
  test::CommandLine line("How well the motion of segments is found.",
                         "The street that stands still is in the folder of RDPSEGMENT_TEST_DATA.");
  line.file("expected", &expected, "compare with this file");
  line.read(argc, argv);
  gst_init(&argc, &argv);
  RecordedTable table;
  table.line("of segments nearer than 25 m            all  known median   90 % flagged  speed");
  table.line("                                                 %    m/s    m/s      %      %");
  const auto folder = motion_folder();
  if (!folder) {
    std::puts("RDPSEGMENT_TEST_DATA has no folder `motion`");
    return 77;
  }
  still_street(folder->parent_path(), &table);
  table.line(
      "cars at 10 m/s, 15 m away            ahead  error flagged across error flagged  all "
      "else flagged");
  table.line(
      "                                               m/s      %          m/s      %     "
      "known      %");
  traffic(&table);
  table.line(
      "velocities of objects, 20 to 40 m     cars motion median   90 %  motion: motion median   90 "
      "%");
  for (const unsigned drive : {0U, 400U}) object_speeds(drive, &table);
  return table.compare(expected);
}

}  // namespace
}  // namespace rdp::bench

int main(int argc, char** argv) { return rdp::bench::run(argc, argv); }
