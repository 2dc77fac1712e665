// SPDX-License-Identifier: LGPL-2.1-or-later
// Alignment of depth to another camera, and the colours of its pixels.
#include <algorithm>
#include <utility>
#include <vector>

#include "common/align/engine.h"
#include "common/align/reference.h"
#include "tests/bits/register.h"
#include "tests/points/clouds.h"
#include "tests/stereo/raw_pair.h"
#ifdef RDP_BITS_DEVICE
#include "kernels/align/engine.h"
#endif

namespace rdp::bits {
namespace {

using align::PictureFormat;

enum class Depths { kAny, kSurface, kSteps, kOneSample };

struct AlignSpec : FrameSpec {
  int target_width = 1;
  int target_height = 1;
  align::Parameters p;
  Depths depths = Depths::kSteps;
  PictureFormat format = PictureFormat::kRgba;
  align::RgbMatrix matrix;
};
struct AlignCase : Case {
  align::Counts counts;
};

// The sample of a distance, limited to `largest`; 0: none.
int sample_at(double z, const DepthOfValue& rule, int largest) {
  const double linear = rule.reciprocal ? rule.numerator / z : z;
  const double value = (linear - rule.offset) / rule.factor;
  return value > 0.0 ? static_cast<int>(std::min(value, static_cast<double>(largest))) : 0;
}

Pose rotation(double x, double y, double z) {
  const auto r = stereo::test::rotation(x, y, z);
  return {{r[0], r[1], r[2], 0, r[3], r[4], r[5], 0, r[6], r[7], r[8], 0}};
}

template <bool kColours>
struct Align {
  static constexpr const char* kName = kColours ? "AlignColours" : "DepthAlign";
  static constexpr Counts kCounts{200, 300, 120};
  using Spec = AlignSpec;
  using Case = AlignCase;

  static std::vector<Spec> hard(Random* random, bool all) {
    std::vector<Spec> specs;
    for (FrameSpec frame : hard_frames(all, random)) {
      frame.count = 1;
      specs.push_back(with_parameters(frame, random));
    }
    if (kColours) return specs;
    for (const FrameSpec& target : hard_frames(all, random)) {
      Spec spec = any(random, false);
      spec.target_width = target.width;
      spec.target_height = target.height;
      specs.push_back(with_cameras(spec, random));
    }
    return specs;
  }
  static Spec any(Random* random, bool all) {
    FrameSpec frame = random_frame(random, all);
    frame.count = 1;
    return with_parameters(frame, random);
  }
  // The case of the performance goals.
  static Spec usual() {
    Spec spec{usual_frame()};
    spec.target_width = 1280;
    spec.target_height = 720;
    spec.p.source.focal_x = spec.p.source.focal_y = 525;
    spec.p.source.principal_x = 319.5;
    spec.p.source.principal_y = 239.5;
    spec.p.source.depth = {false, 0.0, 0.001, 0.0};
    static_cast<CameraLens&>(spec.p.target) = {920, 920, 639.5, 359.5, {}};
    spec.p.movement = rotation(0.002, 0.008, 0.002);
    spec.p.movement.m[3] = -0.015;
    spec.format = PictureFormat::kNv12;
    return spec;
  }
  static std::string text(const Spec& spec) {
    std::string text = text_of(spec);
    const auto add = [&](const char* name, auto value) {
      text += std::string(", ") + name + " " + std::to_string(value);
    };
    add("to", spec.target_width);
    add("x", spec.target_height);
    add("depths", static_cast<int>(spec.depths));
    add("reciprocal", spec.p.source.depth.reciprocal);
    add("source distorts", !spec.p.source.distortion.none);
    add("target distorts", !spec.p.target.distortion.none);
    add("focal", spec.p.source.focal_x);
    add("target's", spec.p.target.focal_x);
    for (const double number : spec.p.movement.m) add("", number);
    add("unit", spec.p.unit);
    add("tolerance", spec.p.tolerance);
    add("cracks", spec.p.fill_cracks);
    add("format", static_cast<int>(spec.format));
    return text;
  }

  static Case draw(const Spec& spec, Random* random) {
    Case made;
    made.images = {samples(spec.width, spec.height, spec.type),
                   samples(spec.target_width, spec.target_height, SampleType::kU16)};
    draw_depth(spec, made.images[0].draw(), random);
    if (!kColours) return made;
    made.images.push_back(pixels(spec.width, spec.height));
    const bool nv12 = spec.format == PictureFormat::kNv12;
    const int bytes = spec.format == PictureFormat::kGray8 || nv12 ? 1
                      : spec.format <= PictureFormat::kBgr         ? 3
                                                                   : 4;
    const auto plane = [&](int row_bytes, int rows) {
      made.images.push_back(samples(row_bytes, rows, SampleType::kU8));
      made.images.back().before.resize(made.images.back().size());
      fill_any(&made.images.back().before, random);
    };
    plane(bytes * spec.target_width, spec.target_height);
    plane(nv12 ? 2 * ((spec.target_width + 1) / 2) : 1, nv12 ? (spec.target_height + 1) / 2 : 1);
    return made;
  }

  static void reference(const Spec& spec, Case* made) {
    std::vector<Image>& images = made->images;
    made->counts = align::reference::align(images[0].samples(), spec.p, images[1].expect());
    if (!kColours) return;
    const auto at = [&](std::size_t i) {
      return std::pair{images[i].before.data(), std::ptrdiff_t{images[i].row_bytes()}};
    };
    const Image& aligned = images[1];
    align::reference::colour(
        images[0].samples(), spec.p,
        {aligned.after.data(), aligned.row_bytes(), aligned.width, aligned.height},
        picture(spec, at), images[2].expect_rgba());
  }

  struct Host {
    explicit Host(unsigned threads) { engine.set_threads(threads); }
    std::string run(const Spec& spec, const Case& made, HostImages& images) {
      const align::Counts counts = engine.align(images[0].samples(), spec.p, images[1].samples());
      if (counts != made.counts) return "the counts differ";
      if (!kColours) return {};
      const auto at = [&](std::size_t i) {
        return std::pair{images[i].data(), images[i].stride()};
      };
      engine.colour(images[0].samples(), spec.p, images[1].samples(), picture(spec, at),
                    images[2].rgba());
      return {};
    }
    align::Engine engine;
  };
#ifdef RDP_BITS_DEVICE
  struct Device {
    void start(const Spec& spec, const Case&, const DeviceJob& job, CUstream stream) {
      engine.take_counts();
      engine.align(job[0].samples(), spec.p, job[1].samples(), stream);
      if (!kColours) return;
      const auto at = [&](std::size_t i) { return std::pair{job[i].data(), job[i].pitch()}; };
      engine.colour(job[0].samples(), spec.p, job[1].samples(), picture(spec, at), job[2].rgba(),
                    stream);
    }
    std::string wrong(const Spec&, const Case& made) {
      return engine.take_counts() == made.counts ? "" : "the counts differ";
    }
    cuda::DepthAligner engine;
  };
#endif

 private:
  // at() returns the address of an image and its stride.
  template <typename At>
  static align::Picture picture(const Spec& spec, const At& at) {
    const auto [data, stride] = at(3);
    const auto [chroma, chroma_stride] = at(4);
    return {spec.format,
            reinterpret_cast<const unsigned char*>(data),
            static_cast<std::ptrdiff_t>(stride),
            reinterpret_cast<const unsigned char*>(chroma),
            static_cast<std::ptrdiff_t>(chroma_stride),
            spec.target_width,
            spec.target_height,
            spec.matrix};
  }

  static void draw_depth(const Spec& spec, const MutableDepthView& frame, Random* random) {
    const auto largest = static_cast<int>(max_sample(spec.type));
    const double focal = spec.p.source.focal_x;
    // Surfaces, some of them steep.
    const double z0 = 0.2 + random->below(60) / 10.0;
    const double slope_x = (random->below(101) - 50) / 50.0 / focal;
    const double slope_y = (random->below(101) - 50) / 50.0 / focal;
    const double noise = random->below(3) * 0.002;
    const int step = 3 + random->below(20);
    for (int y = 0; y < frame.height; ++y) {
      for (int x = 0; x < frame.width; ++x) {
        int value = random->of({0, largest, 1, random->below(largest + 1)});
        if (spec.depths == Depths::kSurface || spec.depths == Depths::kSteps) {
          double z = z0 * (1.0 + slope_x * x + slope_y * y + noise * random->below(10));
          if (spec.depths == Depths::kSteps && (x / step + y / (step + 4)) % 3 == 0) z *= 0.6;
          value = z > 0.0 ? sample_at(z, spec.p.source.depth, largest) : 0;
          if (random->one_in(12)) value = random->of({0, 0, largest});
        }
        frame.set(y, x, static_cast<std::uint16_t>(value));
      }
    }
    if (spec.depths != Depths::kOneSample) return;
    const std::uint16_t kept = frame.at(frame.height / 2, frame.width / 2);
    for (int y = 0; y < frame.height; ++y) {
      for (int x = 0; x < frame.width; ++x) frame.set(y, x, 0);
    }
    frame.set(frame.height / 2, frame.width / 2, kept);
  }

  static Spec with_cameras(Spec spec, Random* random) {
    // Focal lengths scale with the longer sides, so that the fields of view are similar there.
    const auto lens = [&](int width, int height) {
      const int side = std::max(width, height);
      const int number =
          random->one_in(6) ? random->below(9) : random->of({0, 0, 0, 1, 2, 6, 6, 8});
      MetricCamera camera =
          points::test::cameras(side, side)[static_cast<std::size_t>(number)].camera;
      camera.principal_x += (width - side) / 2.0;
      camera.principal_y += (height - side) / 2.0;
      return camera;
    };
    spec.p.source = lens(spec.width, spec.height);
    // A unit with which few bits reach several metres.
    DepthOfValue& rule = spec.p.source.depth;
    if (spec.type == SampleType::kU8) rule.factor *= rule.reciprocal ? 256 : 20;
    spec.p.target = lens(spec.target_width, spec.target_height);
    if (random->one_in(3)) spec.p.target.focal_x *= random->of({0.1, 0.5, 2.0, 3.0, 20.0});
    if (random->one_in(6)) spec.p.target.focal_y = -spec.p.target.focal_y;
    return spec;
  }
  static Spec with_parameters(const FrameSpec& frame, Random* random) {
    Spec spec{frame};
    spec.target_width = random->one_in(2) ? 1 + random->below(90) : spec.width;
    spec.target_height = random->one_in(2) ? 1 + random->below(60) : spec.height;
    if (spec.target_width > 1000 && spec.target_height > 60) spec.target_height = 60;
    spec = with_cameras(spec, random);
    const auto part = [&](double most) { return most * (random->below(2001) - 1000) / 1000.0; };
    const double turn = random->of({0.0, 0.02, 0.02, 0.02, 0.2, 0.2, 2.0});
    // Rolls near the threshold of has_roll(), and others.
    const double roll = random->of({0.0, part(0.04), 0.0625, 0.0626, part(3.0), 1.5708});
    spec.p.movement = rotation(part(turn), part(turn), roll);
    const double far = random->of({0.0, 0.05, 0.05, 0.05, 0.3, 5.0});
    for (const int i : {3, 7, 11}) spec.p.movement.m[i] = part(far);
    spec.p.unit =
        random->one_in(10) ? random->of({1.0, 1e-6}) : random->of({0.001, 0.001, 0.0002, 0.002});
    spec.p.tolerance = random->of({6.0, 6.0, 0.0, 0.5, 100.0, 1e9});
    spec.p.fill_cracks = !random->one_in(4);
    spec.depths = random->of(
        {Depths::kAny, Depths::kSurface, Depths::kSteps, Depths::kSteps, Depths::kOneSample});
    spec.format = static_cast<PictureFormat>(random->below(6));
    spec.matrix = random->of({align::RgbMatrix{}, align::rgb_matrix(0.2126, 0.0722, false),
                              align::rgb_matrix(0.299, 0.114, true)});
    return spec;
  }
};
const bool kDepthAlign = add<Align<false>>();
const bool kAlignColours = add<Align<true>>();

}  // namespace
}  // namespace rdp::bits
