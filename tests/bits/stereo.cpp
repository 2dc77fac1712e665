// SPDX-License-Identifier: LGPL-2.1-or-later
// Stereo matching, and its steps before and after: rectification, distances.
#include <algorithm>
#include <utility>

#include "common/image/reference.h"
#include "common/image/speckles.h"
#include "common/stereo/depth_table.h"
#include "common/stereo/engine.h"
#include "common/stereo/rectification.h"
#include "common/stereo/reference.h"
#include "tests/bits/register.h"
#include "tests/stereo/raw_pair.h"
#include "tests/stereo/stereo_patterns.h"
#ifdef RDP_BITS_DEVICE
#include "kernels/stereo/engine.h"
#include "kernels/stereo/maps.h"
#endif

namespace rdp::bits {
namespace {

using test::MaskKind;
using test::PairCase;
using test::PairKind;

// The images are the views, then the existing masks, then the outputs.
struct PairCounts : Case {
  stereo::Counts counts;
  std::size_t left_mask = 0;  // image index; 0: none
  std::size_t right_mask = 0;
  std::size_t disparity = 0;

  std::string difference(const stereo::Counts& found) const {
    if (found.known == counts.known && found.saturated == counts.saturated) return {};
    return "expected " + std::to_string(counts.known) + " known and " +
           std::to_string(counts.saturated) + " saturated pixels, got " +
           std::to_string(found.known) + " and " + std::to_string(found.saturated);
  }
};

struct Stereo {
  static constexpr const char* kName = "Stereo";
  static constexpr Counts kCounts{150, 2000, 70, 16};
  using Spec = PairCase;
  using Case = PairCounts;

  static std::vector<Spec> hard(Random* random, bool all) {
    std::vector<Spec> specs;
    // All kernels.
    for (const int disparities : {16, 128, 144, 256}) {
      for (const int paths : {4, 8}) {
        for (const MaskKind mask : {MaskKind::kNone, MaskKind::kHoles}) {
          Spec spec;
          spec.width = 37;
          spec.height = 9;
          spec.mask = mask;
          spec.parameters.disparities = disparities;
          spec.parameters.paths = paths;
          spec.parameters.speckle_size = 8;
          specs.push_back(spec);
        }
      }
    }
    for (const Spec& spec : test::hard_pair_cases()) specs.push_back(spec);
    for (const stereo::Parameters& parameters : test::stereo_parameter_sets()) {
      for (const PairKind kind : {PairKind::kTextured, PairKind::kRepeated, PairKind::kExtremes}) {
        Spec spec;
        spec.width = 49;
        spec.height = 13;
        spec.kind = kind;
        spec.parameters = parameters;
        spec.seed = (*random->engine())();
        specs.push_back(spec);
      }
    }
    // Each number of disparities and paths, with sums that fit a byte and sums that do not, because
    // each has its own code.
    for (int disparities = 16; disparities <= stereo::kMaxDisparities; disparities += 16) {
      for (const int paths : {4, 8}) {
        for (const int p2 : {114, 115, 116, stereo::kMaxPenalty}) {
          Spec spec;
          spec.width = 70;
          spec.height = 9;
          spec.parameters.disparities = disparities;
          spec.parameters.paths = paths;
          spec.parameters.p2 = p2;
          spec.seed = (*random->engine())();
          specs.push_back(spec);
        }
      }
    }
    // Views wider than the range, with winners at its end, so that data passes between warp lanes
    // up to the last one.
    for (const int disparities : {112, 128, 240, 256}) {
      for (const PairKind kind : {PairKind::kSaturated, PairKind::kNoise, PairKind::kFewLevels}) {
        Spec spec;
        spec.width = disparities + 90;
        spec.height = 3;
        spec.kind = kind;
        spec.parameters.disparities = disparities;
        spec.parameters.min_disparity = random->of({0, -1, -30});
        spec.parameters.p1 = random->of({0, 3});
        spec.parameters.p2 = 30;
        spec.parameters.uniqueness = 0;
        spec.parameters.max_left_right = random->of({0, 255});
        spec.parameters.speckle_size = 0;
        specs.push_back(spec);
      }
    }
    // Noise, whose components wind through several tiles.
    for (int i = 0; i < 40; ++i) {
      Spec spec;
      spec.kind = PairKind::kNoise;
      spec.seed = (*random->engine())();
      spec.width = 1 + random->below(all ? 300 : 90);
      spec.height = 1 + random->below(all ? 120 : 40);
      spec.parameters.disparities = 16;
      spec.parameters.uniqueness = 0;
      spec.parameters.max_left_right = random->of({-1, 15});
      spec.parameters.p1 = random->below(5);
      spec.parameters.p2 = spec.parameters.p1 + random->below(20);
      spec.parameters.median = random->of({0, 3});
      spec.parameters.speckle_size = 2 + random->below(100);
      spec.parameters.speckle_range = random->below(1500);
      specs.push_back(spec);
    }
    // Nearly equal views: see draw().
    for (const int paths : {4, 8}) {
      for (const int p2 : {114, 115, 116, 117, 118, stereo::kMaxPenalty}) {
        Spec spec = nearly_equal(all);
        spec.parameters.paths = paths;
        spec.parameters.p1 = std::min(p2, 127);
        spec.parameters.p2 = p2;
        specs.push_back(spec);
      }
    }
    // Nearly all pixels are known, so that the median fills single holes of the masks.
    for (const MaskKind mask :
         {MaskKind::kHoles, MaskKind::kBorders, MaskKind::kLeft, MaskKind::kRight}) {
      for (const int median : {0, 3, 5}) {
        Spec spec = nearly_equal(all);
        spec.width = 150;
        spec.height = 40;
        spec.kind = PairKind::kTextured;
        spec.mask = mask;
        spec.parameters.median = median;
        spec.parameters.speckle_size = median == 3 ? 100 : 0;
        specs.push_back(spec);
      }
    }
    if (!all) return specs;
    // Rows that follow each other closely; on a GPU also the largest sides.
    for (const auto& [width, height] :
         {std::pair{40, 300}, {300, 60}, {kMaxSide, 3}, {1, kMaxSide}, {3, kMaxSide}}) {
      if (!has_device() && std::max(width, height) == kMaxSide) break;
      Spec spec;
      spec.width = width;
      spec.height = height;
      spec.mask = MaskKind::kBorders;
      spec.parameters.disparities = std::max(width, height) == kMaxSide ? 32 : 112;
      spec.parameters.paths = 8;
      specs.push_back(spec);
    }
    return specs;
  }
  static Spec any(Random* random, bool all) {
    return test::random_pair_case(random->engine(), all ? 100000 : 40000);
  }
  static Spec usual() {
    Spec spec;
    spec.width = 640;
    spec.height = 240;
    return spec;
  }
  static std::string text(const Spec& spec) { return text_of(spec); }

  static Case draw(const Spec& spec, Random*) {
    const test::StereoPair pair(spec);
    const test::MutablePair views = pair.writable();
    // Noise that is nearly equal in both views: paths keep one disparity, and all steps cost the
    // same. Nearly all other sums are then the largest possible ones; sums of two paths fit a byte
    // up to a penalty of 115. Confidence shows if the second sum is too small.
    for (int row = 0; is_nearly_equal(spec) && row < spec.height; ++row) {
      for (int column = 0; column < spec.width; ++column) {
        if ((row * 5 + column * 3) % 8 == 0) continue;
        views.left.set(row, column, views.right.at(row, column));
      }
    }
    Case made;
    const auto take = [&](const DepthView& view) {
      made.images.push_back(samples(spec.width, spec.height, SampleType::kU8));
      copy(view, made.images.back().draw());
      return made.images.size() - 1;
    };
    take(views.left);
    take(views.right);
    if (views.left_mask.data != nullptr) made.left_mask = take(views.left_mask);
    if (views.right_mask.data != nullptr) made.right_mask = take(views.right_mask);
    made.disparity = made.images.size();
    made.images.push_back(samples(spec.width, spec.height, SampleType::kU16));
    if (spec.want_confidence) {
      made.images.push_back(samples(spec.width, spec.height, SampleType::kU8));
    }
    return made;
  }
  static void reference(const Spec& spec, Case* made) {
    const auto mask = [&](std::size_t i) {
      return i == 0 ? DepthView{} : made->images[i].samples();
    };
    made->counts = stereo::reference::match(
        {made->images[0].samples(), made->images[1].samples(), mask(made->left_mask),
         mask(made->right_mask)},
        spec.parameters,
        {made->images[made->disparity].expect(),
         spec.want_confidence ? made->images.back().expect() : MutableDepthView{}});
  }

  struct Host {
    explicit Host(unsigned threads) : engine(threads) {}
    std::string run(const Spec& spec, const Case& made, HostImages& images) {
      const auto view = [&](std::size_t i) {
        return i == 0 ? MutableDepthView{} : images[i].samples();
      };
      return made.difference(engine.match(
          {images[0].samples(), images[1].samples(), view(made.left_mask), view(made.right_mask)},
          spec.parameters,
          {view(made.disparity), view(spec.want_confidence ? made.disparity + 1 : 0)}));
    }
    stereo::Engine engine;
  };
#ifdef RDP_BITS_DEVICE
  struct Device {
    void prepare(const Spec& spec, const Case&) {
      engine.prepare(spec.width, spec.height, spec.parameters);
    }
    void start(const Spec& spec, const Case& made, const DeviceJob& job, CUstream stream) {
      const auto view = [&](std::size_t i) {
        return i == 0 ? cuda::DeviceDepthView{} : job[i].samples();
      };
      engine.match(
          {job[0].samples(), job[1].samples(), view(made.left_mask), view(made.right_mask)},
          spec.parameters,
          {view(made.disparity), view(spec.want_confidence ? made.disparity + 1 : 0)}, stream);
    }
    std::string wrong(const Spec&, const Case& made) const {
      return made.difference(engine.counts());
    }
    cuda::StereoEngine engine;
  };
#endif

 private:
  static Spec nearly_equal(bool all) {
    Spec spec;
    spec.width = all ? 120 : 60;
    spec.height = all ? 80 : 20;
    spec.kind = PairKind::kNoise;
    spec.parameters.disparities = 16;
    spec.parameters.uniqueness = 0;
    spec.parameters.max_left_right = -1;
    spec.parameters.median = 0;
    spec.parameters.speckle_size = 0;
    return spec;
  }
  static bool is_nearly_equal(const Spec& spec) {
    return spec.kind == PairKind::kNoise && spec.parameters.max_left_right == -1 &&
           spec.parameters.p1 >= 114;
  }
};
const bool kStereo = add<Stereo>();

struct SpeckleSpec : FrameSpec {
  int size = 0;
  int range = 0;
};

struct Speckles {
  static constexpr const char* kName = "Speckles";
  static constexpr Counts kCounts{400, 0, 0};
  using Spec = SpeckleSpec;
  using Case = bits::Case;

  static std::vector<Spec> hard(Random* random, bool all) {
    std::vector<Spec> specs;
    for (const FrameSpec& frame : hard_frames(all, random)) {
      if (frame.type == SampleType::kU16) specs.push_back({frame, random->below(40), 300});
    }
    return specs;
  }
  static Spec any(Random* random, bool all) {
    FrameSpec frame = random_frame(random, all);
    frame.type = SampleType::kU16;
    return {frame, random->below(40), random->below(3) * 300};
  }
  static Spec usual() { return {usual_frame(), 40, 300}; }
  static std::string text(const Spec& spec) {
    return text_of(spec) + ", size " + std::to_string(spec.size) + ", range " +
           std::to_string(spec.range);
  }
  // Few values make large components of any shape, such as spirals and combs.
  static Case draw(const Spec& spec, Random* random) {
    Case made{{samples(spec.width, spec.height, SampleType::kU16)}};
    const MutableDepthView frame = made.images[0].draw();
    const int levels = 2 + random->below(4);
    for (int row = 0; row < spec.height; ++row) {
      for (int column = 0; column < spec.width; ++column) {
        frame.set(row, column, static_cast<std::uint16_t>(random->below(levels) * 300));
      }
    }
    return made;
  }
  static void reference(const Spec& spec, Case* made) {
    rdp::reference::remove_speckles(made->images[0].expect(), spec.size, WithinRange{spec.range});
  }
  struct Host {
    explicit Host(unsigned) {}
    std::string run(const Spec& spec, const Case&, HostImages& images) {
      remove_speckles(images[0].samples(), spec.size, WithinRange{spec.range}, &scratch);
      return {};
    }
    SpeckleScratch scratch;
  };
};
const bool kSpeckles = add<Speckles>();

struct MapSpec : FrameSpec {
  bool moves = true;
  int pair = -1;  // index into raw_pairs(); -1: none
};
struct MapCase : Case {
  stereo::RectificationMap map;
};

struct Rectify {
  static constexpr const char* kName = "Rectify";
  static constexpr Counts kCounts{150, 150, 100, 4, false, Steady::kNever};
  using Spec = MapSpec;
  using Case = MapCase;

  static std::vector<Spec> hard(Random* random, bool all) {
    std::vector<Spec> specs;
    for (const FrameSpec& frame : hard_frames(all, random)) {
      specs.push_back({{frame.width, frame.height, SampleType::kU8}, random->one_in(2)});
    }
    const int pairs = all ? static_cast<int>(stereo::test::raw_pairs().size()) : 1;
    for (int i = 0; i < pairs; ++i) {
      const auto raw = stereo::test::raw_pairs()[static_cast<std::size_t>(i)];
      specs.push_back({{raw.width, raw.height, SampleType::kU8}, true, i});
    }
    return specs;
  }
  static Spec any(Random* random, bool all) {
    FrameSpec frame = random_frame(random, all);
    frame.type = SampleType::kU8;
    frame.count = 1;
    return {frame, !random->one_in(4)};
  }
  static Spec usual() { return {{640, 480, SampleType::kU8}, true}; }
  static std::string text(const Spec& spec) {
    return text_of(spec) + (spec.pair < 0 ? "" : ", pair " + std::to_string(spec.pair));
  }
  // A rotated lens with distortion that leaves parts unseen, or the identity.
  static Case draw(const Spec& spec, Random* random) {
    Case made{{{samples(spec.width, spec.height, SampleType::kU8),
                samples(spec.width, spec.height, SampleType::kU8)}},
              {}};
    made.images[0].draw();
    if (random->one_in(4)) {
      std::ranges::fill(made.images[0].before, std::byte{255});
    } else {
      fill_any(&made.images[0].before, random);
    }
    stereo::PairRectification pair;
    stereo::ViewRectification& view = pair.right;
    if (spec.pair >= 0) {
      const auto raw = stereo::test::raw_pairs()[static_cast<std::size_t>(spec.pair)];
      EXPECT_TRUE(stereo::rectify_cameras(raw.left, raw.right, raw.rotation, raw.translation,
                                          raw.width, raw.height, &pair));
    } else {
      const auto any = [&] { return (random->below(401) - 200) / 1000.0; };
      view.camera = stereo::test::lens(spec.width, spec.width, (spec.width - 1) / 2.0,
                                       (spec.height - 1) / 2.0);
      view.rectified = view.camera;
      if (spec.moves) {
        const double k1 = any();
        view.camera.distortion = stereo::test::distortion({k1, any(), 0.01, -0.01, 0, 0, 0, 0});
        const double turn = any();
        view.rotation = stereo::test::rotation(turn, any(), any());
      }
    }
    made.map = stereo::rectification_map(view, spec.width, spec.height);
    return made;
  }
  static void reference(const Spec&, Case* made) {
    stereo::reference::rectify(made->images[0].samples(), made->map, made->images[1].expect());
  }
  struct Host {
    explicit Host(unsigned count) : threads(count) {}
    std::string run(const Spec& spec, const Case& made, HostImages& images) const {
      in_bands(threads, spec.height, [&](int first, int end) {
        stereo::rectify_rows(images[0].samples(), made.map, first, end, images[1].samples());
      });
      return {};
    }
    unsigned threads;
  };
#ifdef RDP_BITS_DEVICE
  struct Device {
    void start(const Spec&, const Case& made, const DeviceJob& job, CUstream stream) {
      rectifier.set_map(made.map);
      rectifier.rectify(job[0].samples(), job[1].samples(), stream);
    }
    std::string wrong(const Spec& spec, const Case& made) const {
      const cuda::DeviceDepthView mask = rectifier.mask();
      if (mask.width != spec.width || mask.height != spec.height) return "the mask's size";
      std::vector<std::uint8_t> back(made.map.mask.size());
      test::copy_from_device(back.data(), mask.data, back.size());
      return back == made.map.mask ? "" : "the mask";
    }
    cuda::Rectifier rectifier;
  };
#endif
};
const bool kRectify = add<Rectify>();

struct DistanceSpec : FrameSpec {
  stereo::DepthScale scale;
};
struct DistanceCase : Case {
  std::vector<std::uint16_t> table;
};

// Conversion of disparities to distances.
struct Distances {
  static constexpr const char* kName = "Distances";
  static constexpr Counts kCounts{100, 100, 100, 4, false, Steady::kNever, true};
  using Spec = DistanceSpec;
  using Case = DistanceCase;

  static std::vector<Spec> hard(Random* random, bool all) {
    std::vector<Spec> specs;
    for (FrameSpec frame : hard_frames(all, random)) {
      frame.type = SampleType::kU16;
      specs.push_back({frame, any(random, all).scale});
    }
    return specs;
  }
  static Spec any(Random* random, bool all) {
    FrameSpec frame = random_frame(random, all);
    frame.type = SampleType::kU16;
    return {frame, stereo::depth_scale(1 + random->below(2000), (1 + random->below(1000)) / 1000.0,
                                       random->of({0, 0, -20, 31}))};
  }
  static Spec usual() { return {usual_frame(), stereo::depth_scale(721.5, 0.54, 0)}; }
  static std::string text(const Spec& spec) { return text_of(spec); }
  static Case draw(const Spec& spec, Random* random) {
    Case made;
    draw_frames(spec, random, &made.images);
    for (Image& image : made.images) {
      if (!random->one_in(4)) fill_any(&image.before, random);
    }
    made.table = stereo::depth_table(spec.scale);
    return made;
  }
  static void reference(const Spec& spec, Case* made) {
    for (Image& image : made->images) {
      const MutableDepthView out = image.expect();
      for (int row = 0; row < spec.height; ++row) {
        for (int column = 0; column < spec.width; ++column) {
          out.set(row, column, stereo::depth_of_disparity(out.at(row, column), spec.scale));
        }
      }
    }
  }
  struct Host {
    explicit Host(unsigned count) : threads(count) {}
    std::string run(const Spec& spec, const Case& made, HostImages& images) const {
      for (std::size_t i = 0; i < images.size(); ++i) {
        in_bands(threads, spec.height, [&](int first, int end) {
          stereo::to_depth(images[i].samples(), made.table, first, end);
        });
      }
      return {};
    }
    unsigned threads;
  };
#ifdef RDP_BITS_DEVICE
  struct Device {
    void start(const Spec& spec, const Case& made, const DeviceJob& job, CUstream stream) {
      depths.set_table(made.table);
      for (std::size_t i = 0; i < static_cast<std::size_t>(spec.count); ++i) {
        depths.to_depth(job[i].samples(), stream);
      }
    }
    cuda::DepthTable depths;
  };
#endif
};
const bool kDistances = add<Distances>();

}  // namespace
}  // namespace rdp::bits
