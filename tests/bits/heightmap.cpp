// SPDX-License-Identifier: LGPL-2.1-or-later
// Heights above the ground, from sets of pictures of several cameras.
#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "common/heightmap/engine.h"
#include "common/heightmap/reference.h"
#include "tests/bits/register.h"
#include "tests/heightmap/heightmap_cases.h"
#include "tests/support/valid_draw.h"
#ifdef RDP_BITS_DEVICE
#include "kernels/heightmap/engine.h"
#endif

namespace rdp::bits {
namespace {

using heightmap::Parameters;

struct HeightmapSpec {
  int width = 2;
  int height = 2;
  std::uint32_t seed = 0;
  bool table = true;
  // Fixed values; 0: random.
  int views = 0;
  int window = 0;
  int low_step = 0;
  int heights = 0;
  std::uint32_t ends = 0;  // bit per property: at an end of its range; bits 16 up: which end
  // Limits the reference's work, as for large pictures.
  bool quick = false;
};

struct HeightmapCase : Case {
  test::HeightsCase set;
  heightmap::reference::HeightMap expected = {};
};

// The reference's work, in bits of windows.
double work_of(const heightmap::Rig& rig, const Parameters& p) {
  return static_cast<double>(rig.seen().width) * rig.seen().height *
         static_cast<double>(rig.views.size() - 1) * (p.heights() + p.low_heights()) * p.window *
         p.window;
}

// Sets properties to the ends of their ranges.
void set_ends(std::uint32_t ends, Parameters* p) {
  const auto set = [&](int number, int low, int high, int* value) {
    if ((ends >> number & 1) != 0) *value = (ends >> (number + 16) & 1) != 0 ? high : low;
  };
  set(0, 0, 127, &p->unknown_cost);
  set(1, -64, 63, &p->low_bias);
  set(2, 1, 15, &p->smoothness);
  set(3, 1, 31, &p->max_jump);
  set(4, 1, 31, &p->unknown_jump);
  set(5, 1, 2, &p->max_slope);
  set(6, 1, heightmap::kMaxWindow, &p->window);
  set(7, 0, 1, &p->speckle);
  set(8, 0, 3, &p->iterations);
  set(9, 0, 1000000, &p->tolerance);
  set(12, 0, 255, &p->edge_contrast);
  set(13, 1, 31, &p->edge_jump);
  int heights = p->heights();
  set(10, 1, heightmap::kMaxHeights, &heights);
  p->max_height = p->min_height + (heights - 1) * p->height_step;
  if ((ends >> 11 & 1) != 0) p->slope = (ends >> 27 & 1) != 0;
}

struct Heightmap {
  static constexpr const char* kName = "Heightmap";
  static constexpr Counts kCounts{150, 200, 40, 8, true, Steady::kRepeated};
  using Spec = HeightmapSpec;
  using Case = HeightmapCase;

  static std::vector<Spec> hard(Random* random, bool all) {
    std::vector<Spec> specs;
    const auto add = [&](int width, int height) -> Spec& {
      specs.push_back(
          {width, height, static_cast<std::uint32_t>((*random->engine())()), random->one_in(2)});
      return specs.back();
    };
    // The smallest sizes, single lines, and sizes near those of vectors of both colours, of blocks
    // and of tiles.
    for (const auto& [width, height] :
         {std::pair{2, 2}, {2, 3},   {3, 2},   {1, 2},   {2, 1},   {1, 9},    {9, 1},   {5, 40},
          {31, 3},         {32, 4},  {33, 5},  {63, 4},  {64, 3},  {65, 5},   {111, 4}, {112, 5},
          {113, 3},        {127, 4}, {128, 3}, {129, 5}, {130, 4}, {225, 13}, {17, 70}, {16, 98}}) {
      add(width, height);
    }
    // Each property at each end of its range, alone and combined with others.
    for (int number = 0; number < 14; ++number) {
      for (const std::uint32_t end : {0U, 1U}) {
        add(19 + number, 17).ends = 1U << number | end << (number + 16);
      }
    }
    for (int i = 0; i < (all ? 40 : 10); ++i) {
      add(10 + random->below(20), 8 + random->below(10)).ends =
          static_cast<std::uint32_t>((*random->engine())()) & ((*random->engine())() | 0xFFFF0000U);
    }
    // Sums beyond 16 bits, windows with more rows than fit a byte, and more low heights than one
    // pass sums.
    for (const int views : {2, 7, 10, 16}) {
      for (const int window : {1, 9, 11}) {
        Spec& spec = add(21, 15);
        spec.views = views;
        spec.window = window;
      }
    }
    for (const int low_step : {1, 9, 40}) add(20, 14).low_step = low_step;
    // Numbers of heights near those of words and kernels, shifted by one and two labels.
    for (const int heights : {1, 2, 3, 4, 5, 15, 16, 17, 23, 24, 25, 31, 32, 33, 48, 62, 63}) {
      for (const std::uint32_t most_slope : {0U, 1U}) {
        Spec& spec = add(34 + random->below(70), 21);
        spec.heights = heights;
        spec.window = 3;
        spec.ends = 1U << 5 | 1U << 11 | most_slope << 21 | 1U << 27;
      }
    }
    return specs;
  }

  static Spec any(Random* random, bool all) {
    return {2 + random->below(all ? 70 : 40), 2 + random->below(all ? 50 : 30),
            static_cast<std::uint32_t>((*random->engine())()), random->one_in(2)};
  }
  static Spec usual() {
    Spec spec{320, 240, 1, true};
    spec.quick = true;
    return spec;
  }
  static std::string text(const Spec& spec) {
    return make(spec).text() + (spec.table ? ", table" : "") + ", seed " +
           std::to_string(spec.seed);
  }

  static test::HeightsCase make(const Spec& spec) {
    std::mt19937 random(spec.seed);
    return test::draw_valid(
        [&] { return changed(spec, test::random_case(&random, spec.width, spec.height)); },
        [&](const test::HeightsCase& set) { return fits(spec, set); },
        [&] { return changed(spec, test::known_case(spec.width, spec.height)); });
  }
  // The case, changed as the spec says.
  static test::HeightsCase changed(const Spec& spec, test::HeightsCase set) {
    set_ends(spec.ends, &set.parameters);
    Parameters& p = set.parameters;
    if (spec.window != 0) p.window = spec.window;
    if (spec.heights != 0) p.max_height = p.min_height + (spec.heights - 1) * p.height_step;
    if (spec.low_step != 0) p.low_step = spec.low_step;
    // Adds copies of the views.
    for (std::size_t i = 0; static_cast<int>(set.rig.views.size()) < spec.views; ++i) {
      set.rig.views.push_back(heightmap::View(set.rig.views[i]));
      set.pixels.push_back(std::vector<std::uint8_t>(set.pixels[i]));
    }
    if (spec.views != 0) {
      const auto views = static_cast<std::size_t>(std::max(spec.views, set.rig.reference + 1));
      set.rig.views.resize(views);
      set.pixels.resize(views);
    }
    return set;
  }
  static bool fits(const Spec& spec, const test::HeightsCase& set) {
    // Avoids thousands of low heights.
    if (spec.low_step != 0 && set.parameters.low_heights() > 150) return false;
    if (!test::is_valid(set.rig, set.parameters)) return false;
    const bool large = spec.quick || spec.width * spec.height > 20000;
    return !large || work_of(set.rig, set.parameters) <= 3e7;
  }

  static Case draw(const Spec& spec, Random*) {
    Case made;
    made.set = make(spec);
    for (const DepthView& picture : made.set.pictures()) {
      made.images.push_back(samples(picture.width, picture.height, SampleType::kU8));
      copy(picture, made.images.back().draw());
    }
    return made;
  }
  static void reference(const Spec&, Case* made) {
    made->expected = heightmap::reference::height_map(made->set.rig, made->set.parameters,
                                                      made->set.area, made->set.pictures());
  }

  // Describes the first difference; "": none. Allocates only if there is one.
  static std::string difference(const Case& made, const heightmap::Result& result) {
    const heightmap::reference::HeightMap& expected = made.expected;
    if (result.energy != expected.energy) {
      return "energy: expected " + std::to_string(expected.energy) + ", got " +
             std::to_string(result.energy);
    }
    if (result.iterations != expected.iterations) return "other iterations";
    const auto label = std::mismatch(expected.labels.begin(), expected.labels.end(),
                                     result.labels.begin(), result.labels.end());
    if (label.first != expected.labels.end() || label.second != result.labels.end()) {
      return "another label of pixel " + std::to_string(label.first - expected.labels.begin());
    }
    if (result.known != expected.known) return "other pixels known";
    if (!std::equal(expected.heads.begin(), expected.heads.end(), result.heads.begin(),
                    result.heads.end())) {
      return "other heads";
    }
    return {};
  }

  struct Host {
    explicit Host(unsigned threads) : engine(threads) {}
    std::string run(const Spec& spec, const Case& made, HostImages& images) {
      pictures.clear();
      for (std::size_t i = 0; i < images.size(); ++i) pictures.push_back(images[i].samples());
      engine.prepare(made.set.rig, made.set.parameters, made.set.area, spec.table ? UINT64_MAX : 0);
      return difference(made, engine.run(pictures));
    }
    heightmap::Engine engine;
    std::vector<DepthView> pictures;
  };
#ifdef RDP_BITS_DEVICE
  // Without the CPU's table, uses as many bands as possible.
  struct Device {
    cuda::HeightEngine& engine(const Spec& spec) { return spec.table ? usual : banded; }
    void prepare(const Spec& spec, const Case& made) {
      engine(spec).prepare(made.set.rig, made.set.parameters);
    }
    void start(const Spec& spec, const Case& made, const DeviceJob& job, CUstream stream) {
      prepare(spec, made);
      std::vector<cuda::DeviceDepthView> pictures;
      for (std::size_t i = 0; i < made.images.size(); ++i) pictures.push_back(job[i].samples());
      engine(spec).run(pictures, stream);
      // Read after the stream has been synchronised.
      labels.ensure(made.expected.labels.size());
      cuda::check(cuda::driver().cuMemcpyDtoHAsync_v2(labels.get(), engine(spec).labels(),
                                                      made.expected.labels.size(), stream),
                  "copying labels");
    }
    std::string wrong(const Spec& spec, const Case& made) {
      heightmap::Result result = engine(spec).finish(made.set.area);
      result.labels = {reinterpret_cast<const std::uint8_t*>(labels.get()),
                       made.expected.labels.size()};
      return difference(made, result);
    }
    cuda::HeightEngine usual;
    cuda::HeightEngine banded{0};
    cuda::PinnedBuffer labels;
  };
#endif
};

const bool kHeightmap = add<Heightmap>();

}  // namespace
}  // namespace rdp::bits
