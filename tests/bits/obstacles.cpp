// SPDX-License-Identifier: LGPL-2.1-or-later
// Obstacles over a ground: scan, grid and objects in frames of all kinds.
#include <algorithm>
#include <cmath>
#include <string>

#include "common/obstacles/engine.h"
#include "common/obstacles/ground.h"
#include "common/obstacles/reference.h"
#include "tests/bits/register.h"
#ifdef RDP_BITS_DEVICE
#include "kernels/obstacles/engine.h"
#endif

namespace rdp::bits {
namespace {

using obstacles::Ground;
using obstacles::Obstacles;

enum class Drawn { kContent, kNoise, kConstant, kCheckerboard, kSingle, kGround, kThings };

struct ObstaclesSpec : FrameSpec {
  obstacles::Parameters p;
  Drawn drawn = Drawn::kThings;
  int value = 0;  // for kConstant
  bool disparity = false;
  double focal = 30.0;
  double above = 1.0;  // the camera's height in m
  double pitch = 10.0;
  double roll = 0.0;
  double wrong_pitch = 0.0;  // the initial ground's error
  bool has_ground = true;
};

struct ObstaclesCase : Case {
  MetricCamera camera;
  Ground start;
  Obstacles expected;
};

MetricCamera camera_of(const ObstaclesSpec& spec) {
  MetricCamera camera;
  camera.focal_x = spec.focal;
  camera.focal_y = spec.focal * 1.01;
  camera.principal_x = 0.48 * spec.width;
  camera.principal_y = 0.47 * spec.height;
  const bool small = spec.type == SampleType::kU8;
  camera.depth.factor = small ? 0.02 : 0.001;
  if (spec.disparity) camera.depth = {true, 0.5 * spec.focal, small ? 0.25 : 1.0 / 256, 0.0};
  return camera;
}

Ground ground_at(double height, double pitch, double roll) {
  return obstacles::ground_of_mount(height, pitch, roll).value_or(Ground{{0, 1, 0}, height});
}

std::string differences(const Obstacles& a, const Obstacles& b) {
  const auto first = [](const auto& x, const auto& y) {
    const auto at = std::mismatch(x.begin(), x.end(), y.begin(), y.end());
    return std::to_string(at.first - x.begin());
  };
  if (a.axes.height != b.axes.height || a.refined != b.refined || a.inliers != b.inliers ||
      a.has_ground != b.has_ground || a.axes.steep != b.axes.steep || a.grid != b.grid ||
      !std::equal(a.ground.normal, a.ground.normal + 3, b.ground.normal) ||
      a.ground.distance != b.ground.distance) {
    return "the grounds differ";
  }
  if (a.classes != b.classes) return "classes differ from " + first(a.classes, b.classes) + " on";
  if (a.states != b.states) return "states differ from " + first(a.states, b.states) + " on";
  if (a.tops != b.tops) return "tops differ from " + first(a.tops, b.tops) + " on";
  if (a.ranges != b.ranges) return "ranges differ from " + first(a.ranges, b.ranges) + " on";
  if (a.free != b.free) return "free distances differ from " + first(a.free, b.free) + " on";
  if (a.objects != b.objects) return "objects differ from " + first(a.objects, b.objects) + " on";
  return {};
}

DepthView classes_of(const ObstaclesSpec& spec, const Obstacles& found) {
  return {reinterpret_cast<const std::byte*>(found.classes.data()), spec.width, spec.width,
          spec.height, SampleType::kU8};
}

struct ObstaclesOperation {
  static constexpr const char* kName = "Obstacles";
  static constexpr Counts kCounts{300, 300, 100, 0, true, Steady::kRepeated};
  using Spec = ObstaclesSpec;
  using Case = ObstaclesCase;

  static std::vector<Spec> hard(Random* random, bool all) {
    std::vector<Spec> specs;
    for (const FrameSpec& frame : hard_frames(all, random)) {
      specs.push_back(with_parameters(frame, random));
    }
    for (const int value : {0, 1, 255, 2000, 65535}) {
      specs.push_back(with_parameters({70, 50}, random));
      specs.back().drawn = Drawn::kConstant;
      specs.back().value = value;
    }
    for (int i = 0; i < 4; ++i) {
      // The refinement corrects a rotated initial ground.
      specs.push_back(with_parameters({120, 90}, random));
      specs.back().drawn = Drawn::kThings;
      specs.back().wrong_pitch = 1.0 + i;
      specs.back().p.refine = true;
    }
    return specs;
  }
  static Spec any(Random* random, bool all) {
    return with_parameters(random_frame(random, all), random);
  }
  static Spec usual() {
    Spec spec{usual_frame(), {}};
    spec.focal = 525;
    return spec;
  }
  static std::string text(const Spec& spec) {
    const obstacles::Parameters& p = spec.p;
    std::string text = text_of(spec);
    const auto add = [&](const char* name, double value) {
      text += std::string(", ") + name + " " + std::to_string(value);
    };
    add("drawn", static_cast<int>(spec.drawn));
    add("value", spec.value);
    add("disparity", spec.disparity);
    add("focal", spec.focal);
    add("above", spec.above);
    add("pitch", spec.pitch);
    add("roll", spec.roll);
    add("wrong", spec.wrong_pitch);
    add("refine", p.refine);
    add("min", p.min_height);
    add("max", p.max_height);
    add("tolerance", p.ground_tolerance);
    add("drop", p.drop_depth);
    add("range", p.range);
    add("cell", p.cell_size);
    add("cell samples", p.cell_samples);
    add("corners", static_cast<double>(p.area.size()));
    add("bins", p.scan_bins);
    add("fov", p.scan_fov);
    add("gap", p.free_gap);
    add("link", p.link);
    add("split", p.split_height);
    add("samples", p.object_samples);
    add("most", p.max_objects);
    return text;
  }

  static Case draw(const Spec& spec, Random* random) {
    Case made;
    made.images.push_back(samples(spec.width, spec.height, spec.type));
    made.images.push_back(samples(spec.width, spec.height, SampleType::kU8));
    made.camera = camera_of(spec);
    made.start = ground_at(spec.above, spec.pitch + spec.wrong_pitch, spec.roll);
    draw_frame(spec, made.camera, made.images[0].draw(), random);
    return made;
  }
  static void reference(const Spec& spec, Case* made) {
    made->expected = obstacles::reference::find(made->images[0].samples(), made->camera,
                                                spec.has_ground ? &made->start : nullptr, spec.p);
    copy(classes_of(spec, made->expected), made->images[1].expect());
  }

  struct Host {
    explicit Host(unsigned threads) { engine.set_threads(threads); }
    std::string run(const Spec& spec, const Case& made, HostImages& images) {
      engine.find(images[0].samples(), made.camera, spec.has_ground ? &made.start : nullptr, spec.p,
                  &found);
      copy(classes_of(spec, found), images[1].samples());
      return differences(made.expected, found);
    }
    obstacles::Engine engine;
    Obstacles found;
  };
#ifdef RDP_BITS_DEVICE
  struct Device {
    void prepare(const Spec& spec, const Case& made) {
      engine.prepare(spec.width, spec.height, spec.type, made.camera, spec.p);
    }
    void start(const Spec& spec, const Case& made, const DeviceJob& job, CUstream its_stream) {
      stream = its_stream;
      engine.start(job[0].samples(), made.camera, spec.has_ground ? &made.start : nullptr, spec.p,
                   job[1].samples(), stream);
    }
    std::string wrong(const Spec&, const Case& made) {
      engine.finish(stream, &found);
      // The classes are compared as an image.
      found.classes = made.expected.classes;
      return differences(made.expected, found);
    }
    cuda::ObstacleEngine engine;
    Obstacles found;
    CUstream stream = nullptr;
  };
#endif

 private:
  // Draws a ground with boxes and holes, noise and unknown samples.
  static void draw_ground(const Spec& spec, const MetricCamera& camera,
                          const MutableDepthView& frame, Random* random) {
    const Ground ground = ground_at(spec.above, spec.pitch, spec.roll);
    const int largest = static_cast<int>(max_sample(frame.type));
    const int noise = random->below(3) * random->below(largest / 100);
    const auto value_of = [&](double z) {
      if (!(z > 0.0) || z > 200.0) return 0;
      const double value = camera.depth.reciprocal
                               ? camera.depth.numerator / z / camera.depth.factor
                               : z / camera.depth.factor;
      return static_cast<int>(std::min(value, static_cast<double>(largest)));
    };
    struct Thing {
      int left, top, right, bottom, value;
    };
    std::vector<Thing> things;
    for (int i = spec.drawn == Drawn::kThings ? random->below(8) : 0; i > 0; --i) {
      const int left = random->below(frame.width);
      const int top = random->below(frame.height);
      things.push_back({left, top, left + 1 + random->below(frame.width),
                        top + 1 + random->below(frame.height),
                        value_of(0.3 + random->below(100) * 0.08)});
    }
    for (int row = 0; row < frame.height; ++row) {
      for (int column = 0; column < frame.width; ++column) {
        const double ray[3] = {(column - camera.principal_x) / camera.focal_x,
                               (row - camera.principal_y) / camera.focal_y, 1.0};
        int value = value_of(ground.distance / obstacles::product_of(ground.normal, ray));
        for (const Thing& t : things) {
          if (column >= t.left && column < t.right && row >= t.top && row < t.bottom) {
            value = t.value;
          }
        }
        if (value != 0) value += random->below(2 * noise + 1) - noise;
        if (random->one_in(16)) value = 0;
        frame.set(row, column, static_cast<std::uint16_t>(std::clamp(value, 0, largest)));
      }
    }
  }

  static void draw_frame(const Spec& spec, const MetricCamera& camera,
                         const MutableDepthView& frame, Random* random) {
    const int largest = static_cast<int>(max_sample(frame.type));
    if (spec.drawn == Drawn::kContent) return test::fill(frame, spec.content, random->engine());
    if (spec.drawn == Drawn::kGround || spec.drawn == Drawn::kThings) {
      return draw_ground(spec, camera, frame, random);
    }
    const int any[2] = {random->below(largest + 1), random->below(largest + 1)};
    const int single = random->below(frame.width * frame.height);
    for (int row = 0; row < frame.height; ++row) {
      for (int column = 0; column < frame.width; ++column) {
        const bool is_single = row * frame.width + column == single;
        const int value = spec.drawn == Drawn::kNoise          ? random->below(largest + 1)
                          : spec.drawn == Drawn::kConstant     ? std::min(spec.value, largest)
                          : spec.drawn == Drawn::kCheckerboard ? any[(row + column) % 2]
                          : is_single                          ? any[0]
                                                               : 0;
        frame.set(row, column, static_cast<std::uint16_t>(value));
      }
    }
  }

  static Spec with_parameters(const FrameSpec& frame, Random* random) {
    Spec spec{frame, {}};
    spec.count = 1;
    const auto chance = [&] { return random->below(1 << 20) / static_cast<double>(1 << 20); };
    spec.drawn = random->of({Drawn::kContent, Drawn::kNoise, Drawn::kConstant, Drawn::kCheckerboard,
                             Drawn::kSingle, Drawn::kGround, Drawn::kThings, Drawn::kThings,
                             Drawn::kThings});
    spec.value = random->below(65536);
    spec.disparity = random->one_in(3);
    spec.focal = std::max(spec.width, 4) * random->of({0.1, 0.5, 1.0, 1.0, 3.0});
    spec.above = random->of({0.3, 1.0, 1.65, 5.0, 130.0});
    spec.pitch = random->of({-5.0, 0.0, 5.0, 20.0, 45.0, 59.0, 61.0, 90.0});
    spec.roll = random->of({0.0, 0.0, 3.0, -11.0, 180.0});
    spec.wrong_pitch = random->one_in(3) ? random->below(11) - 5.0 : 0.0;
    spec.has_ground = !random->one_in(20);
    obstacles::Parameters& p = spec.p;
    p.known = random->of(
        {KnownRange{1, 65535}, KnownRange{1, 65534}, KnownRange{300, 20000}, KnownRange{5, 4}});
    p.refine = !random->one_in(3);
    p.min_height = random->of({0.1, 0.1, 0.3, 0.015, 0.001});
    p.max_height = p.min_height + random->of({0.001, 0.5, 2.0, 60.0});
    p.ground_tolerance = random->of({0.0, 0.01, 0.01, chance(), 1.0});
    p.drop_depth = random->of({0.0, 0.0, 0.1, 0.2, 0.001});
    p.range = random->of({0.1, 3.0, 10.0, 10.0, 50.0, 131.0});
    p.cell_size = std::max(0.001, std::max(p.range * (random->one_in(8) ? 0.004 : 0.02),
                                           random->of({0.001, 0.05, 0.05, 0.2, 3.0, 200.0})));
    p.cell_samples = random->of({1, 1, 2, 4, 50});
    for (int i = random->one_in(3) ? 3 + random->below(4) : 0; i > 0; --i) {
      p.area.push_back({(2 * chance() - 1) * p.range, (2 * chance() - 1) * p.range});
    }
    p.scan_bins = random->of({1, 2, 72, 360, 360, 1440});
    p.scan_fov = random->of({1, 60, 150, 180, 180});
    p.free_gap = random->of({0.0, 0.3, 5.0});
    p.link = 1 + random->below(2) * random->below(8);
    p.split_height = random->of({0.0, 0.0, 0.02, 0.5});
    p.object_samples = random->of({1, 1, 5, 30, 300});
    p.max_objects = random->of({1, 3, 64, 255});
    return spec;
  }
};
const bool kObstacles = add<ObstaclesOperation>();

}  // namespace
}  // namespace rdp::bits
