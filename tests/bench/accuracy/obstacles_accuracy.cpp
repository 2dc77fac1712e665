// SPDX-License-Identifier: LGPL-2.1-or-later
// How well obstacles over a ground are found: the nearest thing a bearing, where the truth is known
// exactly or by a lidar, and grounds from wrong starts.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "common/image/reference.h"
#include "common/obstacles/engine.h"
#include "common/obstacles/ground.h"
#include "common/obstacles/tracks.h"
#include "common/rdp/engine.h"
#include "common/rdp/ground.h"
#include "common/scene/crowd_scene.h"
#include "common/scene/hash_random.h"
#include "common/scene/pattern_geometry.h"
#include "common/scene/room_scene.h"
#include "common/scene/test_labels.h"
#include "common/scene/traffic_scene.h"
#include "common/scene/true_scan.h"
#include "common/stereo/engine.h"
#include "tests/bench/accuracy/recorded_table.h"
#include "tests/bench/scene_camera.h"
#include "tests/bench/stereo_pairs.h"
#include "tests/support/command_line.h"

namespace rdp::bench {
namespace {

using obstacles::Ground;
using obstacles::Obstacles;
using obstacles::Parameters;
using Frame = rdp::reference::Frame;

// The lower one of two in the middle.
double part_of(std::vector<double> values, double part = 0.5) {
  if (values.empty()) return std::nan("");
  const auto place = static_cast<std::ptrdiff_t>(part * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + place, values.end());
  return values[static_cast<std::size_t>(place)];
}

double percent(std::size_t part, std::size_t all) {
  return 100.0 * static_cast<double>(part) / static_cast<double>(std::max<std::size_t>(all, 1));
}

// A frame, its camera, the ground that the search starts from, and what is looked for.
struct Scene {
  Frame frame;
  MetricCamera camera;
  Ground start;
  Parameters parameters;
};

Scene drawn(std::uint64_t number, const TestPatternOptions& options, int width, int height) {
  Scene scene;
  scene.frame = {width, height,
                 std::vector<std::uint16_t>(static_cast<std::size_t>(width * height))};
  TestPatternRenderer().draw(number, options,
                             {reinterpret_cast<std::byte*>(scene.frame.samples.data()), 2 * width,
                              width, height, SampleType::kU16});
  scene.camera = camera_of(camera_of_pattern(options.pattern, width, height),
                           options.domain == TestDomain::kDisparity);
  scene.start = ground_of(ground_of_scene(number, options));
  if (options.domain == TestDomain::kDisparity) scene.parameters = street_parameters();
  return scene;
}

Obstacles find(const Scene& scene) {
  static obstacles::Engine engine;
  Obstacles found;
  engine.find(scene.frame.view(), scene.camera, &scene.start, scene.parameters, &found);
  return found;
}

ScanRules rules_of(const Parameters& p, int points = 1) {
  return {p.scan_bins,
          static_cast<double>(p.scan_fov),
          p.min_height,
          p.max_height,
          p.ground_tolerance,
          1.2 * p.range,
          points};
}

Ground mounted(double height, double pitch, double roll) {
  return obstacles::ground_of_mount(height, pitch, roll).value_or(Ground());
}

// The pixels of a label.
struct LabelBox {
  std::size_t pixels = 0;
  bool cut = false;  // some of them are at the frame's edge

  bool whole() const { return pixels > 0 && !cut; }
};

std::vector<LabelBox> label_boxes(std::uint64_t number, const TestPatternOptions& options,
                                  int width, int height) {
  std::vector<std::uint8_t> labels(static_cast<std::size_t>(width * height));
  TestLabelRenderer().draw(
      number, options,
      {reinterpret_cast<std::byte*>(labels.data()), width, width, height, SampleType::kU8});
  std::vector<LabelBox> boxes(256);
  for (int r = 0; r < height; ++r) {
    for (int c = 0; c < width; ++c) {
      LabelBox& box = boxes[labels[static_cast<std::size_t>(r * width + c)]];
      ++box.pixels;
      box.cut = box.cut || r == 0 || r == height - 1 || c == 0 || c == width - 1;
    }
  }
  return boxes;
}

// --- the scan -----------------------------------------------------------------------------------

struct ScanScore {
  std::size_t frames = 0, bearings = 0, missed = 0, near = 0, free = 0, wrong = 0;
  std::vector<double> errors;

  // A range is right within 10 % and 0.2 m; what is farther misses the thing. Truth is known up to
  // 1.2 times the range; what is beyond nine tenths of it is not judged.
  void add(const std::vector<double>& truth, const Obstacles& found, double range) {
    ++frames;
    for (std::size_t i = 0; i < truth.size(); ++i) {
      const double t = truth[i];
      const double f = found.ranges[i] / 1000.0;
      if (std::isinf(t)) {
        ++free;
        wrong += f > 0.0 ? 1U : 0U;
      }
      if (!(t < 0.9 * range)) continue;
      ++bearings;
      const double tolerance = 0.1 * t + 0.2;
      missed += f == 0.0 || f > t + tolerance ? 1U : 0U;
      near += f > 0.0 && f < t - tolerance ? 1U : 0U;
      if (f > 0.0) errors.push_back(std::abs(f - t) / t);
    }
  }

  void print(const std::string& name, RecordedTable* table) const {
    table->line(formatted("%-36s %6zu %8zu %6.2f %6.2f %6.2f %6.2f %7zu %6zu", name.c_str(), frames,
                          bearings, percent(missed, bearings), percent(near, bearings),
                          100.0 * part_of(errors), 100.0 * part_of(errors, 0.9), free, wrong));
  }
};

void scan(const std::string& name, TestPatternOptions options, std::uint32_t first_seed,
          std::uint32_t seeds, int width, int height, RecordedTable* table) {
  ScanScore score;
  for (std::uint32_t seed = first_seed; seed < first_seed + seeds; ++seed) {
    options.seed = seed;
    for (std::uint64_t number = 0; number < 120; number += 30) {
      const Scene scene = drawn(number, options, width, height);
      score.add(true_scan(number, options, width, height, rules_of(scene.parameters)), find(scene),
                scene.parameters.range);
    }
  }
  score.print(name, table);
}

void scans(RecordedTable* table) {
  TestPatternOptions street;
  street.noise = 0.25;
  TestPatternOptions noisy;
  noisy.noise = 0.5;
  noisy.unknown_ratio = 0.2;
  TestPatternOptions room;
  room.pattern = TestPattern::kRoom;
  room.domain = TestDomain::kDepth;
  room.noise = 0.045;
  TestPatternOptions traffic = street;
  traffic.pattern = TestPattern::kTraffic;
  scan("street, seeds 0 to 2", street, 0, 3, 1242, 376, table);
  scan("street, seeds 10 to 15", street, 10, 6, 1242, 376, table);
  scan("street, 640x480, seeds 0 to 2", street, 0, 3, 640, 480, table);
  scan("noisy street, seeds 0 to 2", noisy, 0, 3, 1242, 376, table);
  scan("noisy street, seeds 10 to 15", noisy, 10, 6, 1242, 376, table);
  scan("traffic, seeds 0 to 2", traffic, 0, 3, 1242, 376, table);
  scan("rooms, seeds 0 to 5", room, 0, 6, 640, 480, table);
  scan("rooms, seeds 10 to 27", room, 10, 18, 640, 480, table);
}

// The ground that a frame's segments show, in disparities of 1/256 px.
Ground ground_of_segments(const Frame& frame, const MetricCamera& camera) {
  rdp::Parameters parameters;
  parameters.epsilon = 2.0;
  parameters.sample_scale = 1.0 / 256;
  parameters.merge = true;
  SegmentList list;
  rdp::Engine(1).segment(frame.view(), parameters, &list);
  const rdp::Ground line = find_ground(list, frame.height, class_rules(parameters));
  return obstacles::ground_of_line(0.0, line.slope, -line.slope * line.horizon,
                                   camera.depth.numerator / camera.depth.factor, camera)
      .value_or(mounted(1.65, 0.0, 0.0));
}

// What a camera of disparities or depths sees.
TrueScan scan_of(const Scene& scene, const Ground& ground, int points) {
  const MetricCamera& camera = scene.camera;
  TrueScan scan(rules_of(scene.parameters, points),
                {{ground.normal[0], ground.normal[1], ground.normal[2]}, ground.distance});
  for (int r = 0; r < scene.frame.height; ++r) {
    for (int c = 0; c < scene.frame.width; ++c) {
      const double z = depth_of_value(scene.frame.at(r, c), camera.depth);
      if (!(z > 0.0)) continue;
      scan.add({(c - camera.principal_x) / camera.focal_x * z,
                (r - camera.principal_y) / camera.focal_y * z, z});
    }
  }
  return scan;
}

// depthstereo's disparities of the pairs of KITTI 2012, over the ground of their segments. The
// truth is the lidar's, whose own ground is found from the same start.
void lidar(const std::filesystem::path& data, RecordedTable* table) {
  ScanScore score;
  for (const BenchPair& pair : recorded_pairs()) {
    if (!pair.name.starts_with("KITTI 2012 #")) continue;
    Scene scene{{pair.width, pair.height, std::vector<std::uint16_t>(pair.left.size())},
                {},
                {},
                street_parameters()};
    std::ifstream file(data / ("stereo/kitti2012/" +
                               formatted("%06d", std::stoi(pair.name.substr(12))) + "_calib.txt"));
    std::string word;
    double m[2][12] = {};
    for (auto& matrix : m) {
      file >> word;
      for (double& number : matrix) file >> number;
    }
    MetricCamera& camera = scene.camera;
    camera.focal_x = camera.focal_y = m[0][0];
    camera.principal_x = m[0][2];
    camera.principal_y = m[0][6];
    camera.depth = {true, m[0][3] - m[1][3], 1.0 / 256, 0.0};
    Scene truth = scene;
    std::transform(pair.truth.begin(), pair.truth.end(), truth.frame.samples.begin(),
                   [](double d) { return static_cast<std::uint16_t>(256.0 * d); });
    stereo::Parameters parameters;
    parameters.disparities = pair.disparities;
    stereo::Engine().match(pair.pair(), parameters,
                           {{reinterpret_cast<std::byte*>(scene.frame.samples.data()),
                             2 * pair.width, pair.width, pair.height, SampleType::kU16},
                            {}});
    scene.start = truth.start = ground_of_segments(scene.frame, camera);
    const Obstacles found = find(scene);
    score.add(scan_of(truth, find(truth).ground, 4).ranges(), found, scene.parameters.range);
  }
  if (score.frames > 0) score.print("KITTI 2012 #74, #138, #151, lidar", table);
}

// --- empty floors -------------------------------------------------------------------------------

// A floor as a structured light camera sees it, with a noise of 0.045 px; one pixel of 1000 shows
// anything up to 10 m away, where `wild`.
Scene empty_floor(const Ground& ground, bool wild, std::uint64_t key) {
  constexpr int kWidth = 640;
  constexpr int kHeight = 480;
  const TestCamera camera = RoomScene::camera(kWidth, kHeight);
  Scene scene{{kWidth, kHeight, {}}, camera_of(camera, false), ground, {}};
  HashSequence random(key);
  for (int r = 0; r < kHeight; ++r) {
    for (int c = 0; c < kWidth; ++c) {
      const double ray[3] = {(c - camera.centre_column) / camera.focal,
                             (r - camera.centre_row) / camera.focal, 1.0};
      const double noise =
          0.045 * static_cast<double>(sum_of_bytes(random.bits())) / kSumOfBytesDeviation;
      const double u = obstacles::product_of(ground.normal, ray) / ground.distance +
                       noise / camera.disparity(1.0);
      double z = u > 1.0 / 65.0 ? 1.0 / u : 0.0;
      if (wild && random.happens(0.001)) z = random.uniform(0.3, 10.0);
      scene.frame.samples.push_back(static_cast<std::uint16_t>(std::floor(1000.0 * z + 0.5)));
    }
  }
  return scene;
}

void floors(RecordedTable* table) {
  constexpr double kMounts[][3] = {{0.3, 15, 0}, {0.6, 20, 5},  {1.0, 25, -8},
                                   {1.3, 35, 0}, {1.6, 30, 10}, {2.2, 40, 0}};
  std::size_t bearings = 0, wrong = 0, unrefined = 0, wild_bearings = 0, wild = 0;
  std::uint64_t key = 0;
  const auto count = [](const Obstacles& found) {
    return static_cast<std::size_t>(std::count_if(found.ranges.begin(), found.ranges.end(),
                                                  [](std::uint32_t range) { return range > 0; }));
  };
  for (const auto& [height, pitch, roll] : kMounts) {
    const Ground truth = mounted(height, pitch, roll);
    Scene scene = empty_floor(truth, false, mix_bits(++key));
    const std::vector<double> seen = scan_of(scene, truth, 1).ranges();
    const auto view = static_cast<std::size_t>(
        std::count_if(seen.begin(), seen.end(), [](double range) { return !std::isnan(range); }));
    for (int start = 0; start < 9; ++start) {
      if (start == 4) continue;
      scene.start = mounted(height, pitch + 4.0 * (start / 3 - 1), roll + 4.0 * (start % 3 - 1));
      scene.parameters.refine = true;
      bearings += view;
      wrong += count(find(scene));
      scene.parameters.refine = false;
      unrefined += count(find(scene));
    }
    wild_bearings += view;
    wild += count(find(empty_floor(truth, true, mix_bits(++key))));
  }
  table->line("empty floors, 6                      bearings  false");
  table->line(formatted("pitch, roll or both wrong by 4 degrees %6zu %6zu", bearings, wrong));
  table->line(formatted("the same, unrefined                    %6zu %6zu", bearings, unrefined));
  table->line(formatted("wild pixels, 0.1 %%                     %6zu %6zu", wild_bearings, wild));
}

// --- parcels ------------------------------------------------------------------------------------

// The first 120 parcels of belts that are wholly in the picture, each once. Found: an object with
// its middle within 30 mm, its sides within 60 mm and its height within 20 mm.
void parcels(double split_height, RecordedTable* table) {
  constexpr std::size_t kParcels = 120;
  std::size_t judged = 0, found_ones = 0;
  std::vector<double> all[3];
  for (std::uint32_t seed = 0; judged < kParcels; ++seed) {
    std::vector<bool> known(RoomScene::kMostParcels + 1);
    for (std::uint64_t number = 0; number < RoomScene::kBeltFrames && judged < kParcels;
         number += 25) {
      TestPatternOptions options{.pattern = TestPattern::kParcels,
                                 .domain = TestDomain::kDepth,
                                 .seed = seed,
                                 .noise = 0.045};
      Scene scene = drawn(number, options, 640, 480);
      Parameters& p = scene.parameters;
      p.min_height = 0.015;
      p.max_height = 0.5;
      p.ground_tolerance = 0.0;
      p.range = 3.0;
      p.cell_size = 0.01;
      p.split_height = split_height;
      p.object_samples = 50;
      const Obstacles found = find(scene);
      const std::vector<LabelBox> boxes = label_boxes(number, options, 640, 480);
      const RoomScene belt = RoomScene::parcels(seed, number);
      const RoomPose pose = belt.pose(number);
      const obstacles::Axes axes = obstacles::axes_of(scene.start);
      for (int i = 1; i < belt.box_count() && judged < kParcels; ++i) {
        const RoomBox& box = belt.box(i);
        if (known[box.thing] || !boxes[box.thing].whole()) continue;
        known[box.thing] = true;
        ++judged;
        const RoomVector at = pose.seen(box.centre);
        const double point[3] = {at.x, at.y, at.z};
        const double x = obstacles::product_of(axes.r[0], point);
        const double y = obstacles::product_of(axes.r[1], point);
        const double sides[2] = {2000.0 * std::max(box.half.x, box.half.z),
                                 2000.0 * std::min(box.half.x, box.half.z)};
        for (const obstacles::Object& o : found.objects) {
          const double errors[3] = {o.length - sides[0], o.width - sides[1],
                                    o.height - 2000.0 * box.half.y};
          if (std::hypot(o.x - 1000.0 * x, o.y - 1000.0 * y) > 30.0 || std::abs(errors[0]) > 60.0 ||
              std::abs(errors[1]) > 60.0 || std::abs(errors[2]) > 20.0) {
            continue;
          }
          ++found_ones;
          for (int k = 0; k < 3; ++k) all[k].push_back(errors[k]);
          break;
        }
      }
    }
  }
  std::string text = formatted("split-height=%-4g %33zu %6zu", split_height, judged, found_ones);
  for (const std::vector<double>& errors : all) {
    std::vector<double> sizes;
    for (const double e : errors) sizes.push_back(std::abs(e));
    text += formatted(" %+6.1f %5.1f", part_of(errors), part_of(sizes, 0.9));
  }
  table->line(text);
}

// --- tracks -------------------------------------------------------------------------------------

// A thing in a frame, in the axes of the ground, m and m/s.
struct Thing {
  double x, y, half_x, half_y, vx, vy;
  bool seen;
  bool whole;
};

// The thing's object is the one with the most samples of those whose middles are on the thing, or
// as near to it as the margin. A switch: another id than the last one, at most 10 frames ago.
class TrackScore {
 public:
  explicit TrackScore(std::size_t things) : last_(things) {}

  void add(const std::vector<Thing>& things, const Obstacles& found, double margin,
           std::int32_t gate) {
    std::vector<obstacles::Box> boxes;
    for (const obstacles::Object& o : found.objects) boxes.push_back({o.x, o.y, o.length, o.width});
    tracks_.update(boxes, 33333333, {.gate = gate});
    objects_ += boxes.size();
    ++frames_;
    for (std::size_t i = 0; i < things.size(); ++i) {
      const Thing& t = things[i];
      Last& last = last_[i];
      ++last.age;
      if (!t.seen) continue;
      ++seen_;
      std::size_t best = boxes.size();
      for (std::size_t k = 0; k < boxes.size(); ++k) {
        if (std::abs(boxes[k].x / 1000.0 - t.x) > t.half_x + margin ||
            std::abs(boxes[k].y / 1000.0 - t.y) > t.half_y + margin) {
          continue;
        }
        const bool more =
            best == boxes.size() || found.objects[k].samples > found.objects[best].samples;
        if (more) best = k;
      }
      if (best == boxes.size()) {
        ++missed_;
        continue;
      }
      const obstacles::TrackOfBox& track = tracks_.boxes()[best];
      switches_ += last.id != 0 && last.id != track.id && last.age <= 10 ? 1U : 0U;
      last = {track.id, 0};
      if (!t.whole || track.fits < obstacles::kFitsOfSpeed) continue;
      Band& band = bands_[std::hypot(t.x, t.y) < 20.0 ? 0 : 1];
      band.places.push_back(std::hypot(boxes[best].x - 1000.0 * t.x, boxes[best].y - 1000.0 * t.y));
      band.speeds.push_back(std::hypot(static_cast<double>(track.vx) / 256000.0 - t.vx,
                                       static_cast<double>(track.vy) / 256000.0 - t.vy));
    }
  }

  void print(const std::string& name, RecordedTable* table) const {
    std::string text = formatted("%-36s %6zu %7.1f %6zu %6zu %8zu", name.c_str(), frames_,
                                 static_cast<double>(objects_) / static_cast<double>(frames_),
                                 seen_, missed_, switches_);
    for (const Band& band : bands_) {
      if (band.places.empty()) continue;
      text += formatted(" %6zu %5.0f %5.2f", band.places.size(), part_of(band.places),
                        part_of(band.speeds));
    }
    table->line(text);
  }

 private:
  struct Last {
    std::uint32_t id = 0;
    int age = 0;
  };
  std::vector<Last> last_;
  obstacles::Tracks tracks_;
  std::size_t frames_ = 0, objects_ = 0, seen_ = 0, missed_ = 0, switches_ = 0;
  struct Band {
    std::vector<double> places, speeds;
  };
  Band bands_[2];  // within 20 m, and beyond
};

void cars(std::uint32_t drive, std::uint32_t seeds, RecordedTable* table) {
  constexpr int kFrames = 270;
  std::size_t least_pixels = 100;
  TestPatternOptions options{.pattern = TestPattern::kTraffic, .noise = 0.25, .drive = drive};
  TrackScore score(kTrafficCars * seeds);
  for (options.seed = 0; options.seed < seeds; ++options.seed) {
    for (std::uint64_t number = 0; number < kFrames; ++number) {
      const std::vector<LabelBox> boxes = label_boxes(number, options, 1242, 376);
      std::vector<Thing> things(kTrafficCars * seeds);
      for (int i = 0; i < kTrafficCars; ++i) {
        const TrafficCar car = traffic_car(i + 1, options.seed, drive, number);
        const LabelBox& box = boxes[static_cast<std::size_t>(i + 1)];
        const double x = static_cast<double>(car.near + car.far) / 2000.0;
        const double y = static_cast<double>(car.left + car.right) / -2000.0;
        things[options.seed * kTrafficCars + static_cast<std::size_t>(i)] = {
            x,
            y,
            static_cast<double>(car.far - car.near) / 2000.0,
            static_cast<double>(car.right - car.left) / 2000.0,
            0.03 * (car.along - static_cast<int>(drive)),
            -0.03 * car.across,
            box.pixels >= least_pixels &&
                std::hypot(static_cast<double>(car.near) / 1000.0, y) < 45.0,
            box.whole()};
      }
      score.add(things, find(drawn(number, options, 1242, 376)), 0.5, 1000);
    }
  }
  score.print(formatted("cars, camera at %.0f m/s, within 45 m", 0.03 * drive), table);
}

// `noise`: m, of a Gaussian error of the depth.
void crowd(double noise, RecordedTable* table) {
  constexpr int kFrames = 150;
  constexpr std::int64_t kStep = 33333333;
  const CrowdOptions options;
  const CrowdCamera camera = crowd_camera(0, 17.0, 781, 621);
  Scene scene{{781, 621, std::vector<std::uint16_t>(781 * 621)},
              {},
              ground_of(ground_of_crowd(camera)),
              {}};
  scene.camera.focal_x = scene.camera.focal_y = camera.focal;
  scene.camera.principal_x = camera.centre_column;
  scene.camera.principal_y = camera.centre_row;
  scene.camera.depth.factor = 0.001;
  scene.parameters.range = 20.0;
  scene.parameters.min_height = 1.2;  // below, people hide each other
  TrackScore score(static_cast<std::size_t>(options.people));
  CrowdRenderer renderer;
  std::vector<CrowdPerson> people, next;
  HashSequence random(mix_bits(1));
  for (std::int64_t i = 0; i < kFrames; ++i) {
    find_crowd(options, i * kStep, &people);
    find_crowd(options, (i + 1) * kStep, &next);
    renderer.draw_depth(people, camera.projection(),
                        {reinterpret_cast<std::byte*>(scene.frame.samples.data()), 2 * 781, 781,
                         621, SampleType::kU16});
    if (noise > 0.0) {
      for (std::uint16_t& sample : scene.frame.samples) {
        const double error = 1000.0 * noise * sum_of_bytes(random.bits()) / kSumOfBytesDeviation;
        if (sample != 0) sample = static_cast<std::uint16_t>(std::floor(sample + error + 0.5));
      }
    }
    std::vector<Thing> things;
    for (std::size_t k = 0; k < people.size(); ++k) {
      const CrowdPerson& a = people[k];
      things.push_back({a.y - camera.eye[1], -a.x, a.half_y(), a.half_x(), (next[k].y - a.y) * 30.0,
                        (a.x - next[k].x) * 30.0, true, true});
    }
    score.add(things, find(scene), 0.0, 500);
  }
  score.print(formatted("crowd of 40, depth noise %.0f mm", 1000.0 * noise), table);
}

int run(int argc, char** argv) {
  std::string expected;
  test::CommandLine line("How well obstacles are found.",
                         "Recorded frames are in the folder of RDPSEGMENT_TEST_DATA.");
  line.file("expected", &expected, "compare with this file");
  line.read(argc, argv);
  RecordedTable table;
  table.line(
      "the nearest thing a bearing          frames bearings missed   near median   90 %    free  "
      "false");
  scans(&table);
  const char* folder = std::getenv("RDPSEGMENT_TEST_DATA");
  const std::filesystem::path data = folder != nullptr ? folder : "";
  lidar(data, &table);
  floors(&table);
  table.line(
      "parcels                                  judged  found  length   90 % width   90 % height "
      "90 % mm");
  parcels(0.02, &table);
  parcels(0.0, &table);
  table.line(
      "tracks                               frames objects   seen missed switches within 20 m mm   "
      "m/s  beyond    mm   m/s");
  cars(0, 2, &table);
  cars(400, 2, &table);
  crowd(0.0, &table);
  crowd(0.043, &table);
  return table.compare(expected);
}

}  // namespace
}  // namespace rdp::bench

int main(int argc, char** argv) { return rdp::bench::run(argc, argv); }
