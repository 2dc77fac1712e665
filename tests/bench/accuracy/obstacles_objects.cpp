// SPDX-License-Identifier: LGPL-2.1-or-later
// Objects with known sizes, and their tracks.
#include <string>

#include "common/obstacles/rules.h"
#include "common/obstacles/tracks.h"
#include "common/planes/frames/engine.h"
#include "common/scene/crowd_scene.h"
#include "common/scene/hash_random.h"
#include "common/scene/room_scene.h"
#include "common/scene/test_labels.h"
#include "common/scene/traffic_scene.h"
#include "tests/bench/accuracy/obstacles_scenes.h"

namespace rdp::bench {
namespace {

// The number of a label's pixels.
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

// --- parcels ------------------------------------------------------------------------------------

// The first 120 parcels on belts that are entirely in the picture, each once. An object finds a
// parcel if its centre is within 30 mm, its sides within 60 mm and its height within 20 mm.
void parcels(double split_height, RecordedTable* table) {
  constexpr std::size_t kParcels = 120;
  std::size_t judged = 0, found_ones = 0;
  std::vector<double> all[3];
  for (std::uint32_t seed = 0; judged < kParcels; ++seed) {
    std::vector<bool> known(RoomScene::kMaxParcels + 1);
    for (std::uint64_t number = 0; number < RoomScene::kBeltFrames && judged < kParcels;
         number += 25) {
      TestPatternOptions options{.pattern = TestPattern::kParcels,
                                 .domain = TestDomain::kDepth,
                                 .seed = seed,
                                 .noise = 0.045};
      Scene scene = drawn(number, options, 640, 480);
      obstacles::Parameters& p = scene.parameters;
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

// A true object in a frame, in the ground's axes, m and m/s.
struct Thing {
  double x, y, half_x, half_y, vx, vy;
  bool seen;
  bool whole;
};

// The object of a thing is the one with the most samples, among those with their centres on the
// thing or within the margin. A switch is an id that differs from the previous one, at most 10
// frames before.
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
  constexpr std::size_t kLeastPixels = 100;
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
            box.pixels >= kLeastPixels &&
                std::hypot(static_cast<double>(car.near) / 1000.0, y) < 45.0,
            box.whole()};
      }
      score.add(things, find(drawn(number, options, 1242, 376)), 0.5, 1000);
    }
  }
  score.print(formatted("cars, camera at %.0f m/s, within 45 m", 0.03 * drive), table);
}

// `noise`: deviation in m of a Gaussian depth error. Near the ground, people partly hide each
// other.
void crowd(double min_height, double noise, RecordedTable* table) {
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
  scene.parameters.min_height = min_height;
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
  score.print(formatted("crowd of 40, min-height=%.1f, %.0f mm", min_height, 1000.0 * noise),
              table);
}

// Ten frames of a RealSense: its height, false obstacles on the floor, and whether the four nearest
// objects keep their ids. depthplanes' ground label marks the floor.
void realsense(const std::filesystem::path& data, bool planes, RecordedTable* table) {
  double least = 1e9, most = 0.0;
  std::size_t floor = 0, wrong = 0, kept = 0;
  std::vector<std::uint32_t> nearest;
  obstacles::Tracks tracks;
  rdp::planes::FrameEngine finder(1);
  const double normal[3] = {0.1875, 0.953125, 0.234375};
  const Ground given = obstacles::ground_of_plane(normal, 0.40625).value_or(Ground());
  for (int i = 0; i < 10; ++i) {
    Scene scene =
        recorded(data / formatted("rgbd/sequence/%06d.png", i), {617.25, 317.39, 245.98}, given);
    if (scene.frame.width == 0) return;
    std::vector<std::uint8_t> labels(scene.frame.samples.size());
    rdp::planes::Parameters parameters;
    parameters.max_value = 65534;
    const rdp::planes::PlaneSet& set =
        finder.find(scene.frame.view(), scene.camera, parameters,
                    {reinterpret_cast<std::byte*>(labels.data()), scene.frame.width,
                     scene.frame.width, scene.frame.height, SampleType::kU8});
    if (planes && set.ground.plane >= 0) {
      const rdp::planes::Plane& plane = set.planes[static_cast<std::size_t>(set.ground.plane)];
      scene.start = obstacles::ground_of_plane(plane.normal, plane.distance).value_or(scene.start);
    }
    const Obstacles found = find(scene);
    least = std::min(least, 1000.0 * found.ground.distance);
    most = std::max(most, 1000.0 * found.ground.distance);
    for (std::size_t p = 0; p < labels.size(); ++p) {
      if (labels[p] != set.ground.plane + 1) continue;
      ++floor;
      wrong += found.classes[p] == obstacles::kObstacle ? 1U : 0U;
    }
    std::vector<obstacles::Box> boxes;
    for (const obstacles::Object& o : found.objects) boxes.push_back({o.x, o.y, o.length, o.width});
    tracks.update(boxes, 33333333, {});
    kept = 0;
    for (std::size_t k = 0; k < boxes.size(); ++k) {
      const std::uint32_t id = tracks.boxes()[k].id;
      if (i == 0 && k < 4) nearest.push_back(id);
      kept += std::count(nearest.begin(), nearest.end(), id) > 0 ? 1U : 0U;
    }
  }
  table->line(formatted("RealSense, %-25s %6.1f %6.1f %9zu %6zu %6zu",
                        planes ? "start of depthplanes" : "given start", least, most, floor, wrong,
                        kept));
}

}  // namespace

void judge_objects(RecordedTable* table) {
  table->line(
      "parcels                                  judged  found  length   90 %  width   90 % height  "
      " "
      "90 % mm");
  parcels(0.02, table);
  parcels(0.0, table);
  table->line(
      "tracks                               frames objects   seen missed switches within 20 m mm   "
      "m/s  beyond    mm   m/s");
  cars(0, 2, table);
  cars(400, 2, table);
  crowd(1.2, 0.0, table);
  crowd(1.2, 0.043, table);
  crowd(0.1, 0.0, table);
}

void judge_recorded_objects(const std::filesystem::path& data, RecordedTable* table) {
  table->line("height, mm, and obstacles on the floor  least   most    floor  wrong   kept ids");
  for (const bool planes : {false, true}) realsense(data, planes, table);
}

}  // namespace rdp::bench
