// SPDX-License-Identifier: LGPL-2.1-or-later
// The steps of depthfilter, each alone and all in order, on streams of frames.
#include <algorithm>
#include <vector>

#include "common/filter/engine.h"
#include "common/filter/reference.h"
#include "tests/bits/register.h"
#ifdef RDP_BITS_DEVICE
#include "kernels/depthfilter/engine.h"
#endif

namespace rdp::bits {
namespace {

using filter::HoleFilling;
using filter::Persistence;

enum class Drawn { kContent, kAnyKind, kSurface, kCheckerboard, kOneSample, kPlanes };

struct FilterSpec : FrameSpec {
  filter::Parameters p;
  Drawn drawn = Drawn::kPlanes;
  bool in_place = false;
  int cleared = 0;  // the frame before which the state is reset

  int out_width() const { return width / p.decimation; }
  int out_height() const { return height / p.decimation; }
};
struct FilterCase : Case {
  std::vector<filter::Counts> counts;
};

// Draws noisy planes behind each other. Samples at edges are mixed, and one in ten is unknown.
void draw_planes(const MutableDepthView& frame, Random* random) {
  const int largest = static_cast<int>(max_sample(frame.type));
  const int noise = 1 + random->below(largest / 100);
  for (int plane = 0; plane < 6; ++plane) {
    const int left = plane == 0 ? 0 : random->below(frame.width);
    const int top = plane == 0 ? 0 : random->below(frame.height);
    const int right = plane == 0 ? frame.width : left + 1 + random->below(frame.width - left);
    const int bottom = plane == 0 ? frame.height : top + 1 + random->below(frame.height - top);
    const int start = 1 + random->below(largest);
    const int slope = random->below(largest / 50) - largest / 100;
    for (int row = top; row < bottom; ++row) {
      for (int column = left; column < right; ++column) {
        int value = start + slope * (row - top + column - left) / 4 + random->below(noise);
        const bool mixed = plane > 0 && (row == top || column == left) && random->one_in(3);
        if (mixed) value = (value + frame.at(row, column)) / 2;
        if (random->one_in(10)) value = 0;
        frame.set(row, column, static_cast<std::uint16_t>(std::clamp(value, 0, largest)));
      }
    }
  }
}

void draw_checkerboard(const MutableDepthView& frame, Random* random) {
  const std::uint32_t largest = max_sample(frame.type);
  const std::uint16_t values[] = {
      static_cast<std::uint16_t>(random->one_in(2) ? 0 : 1 + random->below(200)),
      static_cast<std::uint16_t>(random->one_in(2) ? largest : largest / 2)};
  const int side = 1 + random->below(3);
  for (int row = 0; row < frame.height; ++row) {
    for (int column = 0; column < frame.width; ++column) {
      frame.set(row, column, values[(row / side + column / side) % 2]);
    }
  }
}

void draw_one_sample(const MutableDepthView& frame, Random* random) {
  const int largest = static_cast<int>(max_sample(frame.type));
  for (int row = 0; row < frame.height; ++row) {
    for (int column = 0; column < frame.width; ++column) frame.set(row, column, 0);
  }
  const int value = random->of({1, largest, 1 + random->below(largest)});
  frame.set(random->below(frame.height), random->below(frame.width),
            static_cast<std::uint16_t>(value));
}

// Draws the next frame of a stream: the first one with noise, partly shifted.
void draw_next(const DepthView& start, const MutableDepthView& frame, Random* random) {
  const int largest = static_cast<int>(max_sample(frame.type));
  const int noise = 1 + random->below(3) * random->below(largest / 60);
  const int moved = random->below(frame.width + 1);
  const int step = random->below(3);
  const int drift = random->of({0, 0, noise / 2, noise});
  for (int row = 0; row < frame.height; ++row) {
    for (int column = 0; column < frame.width; ++column) {
      const int from = column < moved ? std::max(column - step, 0) : column;
      int value = start.at(row, from);
      if (value != 0) value += drift + random->below(2 * noise + 1) - noise;
      if (random->one_in(8)) value = 0;
      frame.set(row, column, static_cast<std::uint16_t>(std::clamp(value, 0, largest)));
    }
  }
}

struct DepthFilter {
  static constexpr const char* kName = "DepthFilter";
  static constexpr Counts kCounts{800, 600, 200};
  using Spec = FilterSpec;
  using Case = FilterCase;

  static std::vector<Spec> hard(Random* random, bool all) {
    std::vector<Spec> specs;
    for (const FrameSpec& frame : hard_frames(all, random)) {
      specs.push_back(with_parameters(frame, random));
    }
    return specs;
  }
  static Spec any(Random* random, bool all) {
    return with_parameters(random_frame(random, all), random);
  }
  static Spec usual() {
    Spec spec{{1280, 720, SampleType::kU16}, {}};
    spec.p.tolerance = filter::inverse_tolerance(6, 1e6);
    return spec;
  }
  static std::string text(const Spec& spec) {
    std::string text = text_of(spec) + (spec.in_place ? ", in place" : "");
    const auto add = [&](const char* name, auto value) {
      text += std::string(", ") + name + " " + std::to_string(value);
    };
    add("drawn", static_cast<int>(spec.drawn));
    add("known", spec.p.known.first);
    add("to", spec.p.known.last);
    add("median", spec.p.median);
    add("flying", spec.p.flying);
    add("speckles", spec.p.speckle_size);
    add("decimation", spec.p.decimation);
    add("radius", spec.p.spatial_radius);
    add("frames", spec.p.temporal_frames);
    add("persistence", static_cast<int>(spec.p.persistence));
    add("check", spec.p.motion_check);
    add("cleared", spec.cleared);
    add("holes", static_cast<int>(spec.p.hole_filling));
    add("of", spec.p.hole_size);
    add("disparity", spec.p.disparity);
    add("tolerance", spec.p.tolerance.least);
    add("square", spec.p.tolerance.per_square);
    return text;
  }

  static Case draw(const Spec& spec, Random* random) {
    Case made;
    for (int i = 0; i < spec.count; ++i) {
      made.images.push_back(samples(spec.width, spec.height, spec.type));
      const MutableDepthView frame = made.images.back().draw();
      if (i > 0 && !random->one_in(6)) {
        draw_next(made.images[0].samples(), frame, random);
      } else {
        draw_frame(spec, frame, random);
      }
    }
    for (int i = 0; i < spec.count && !spec.in_place; ++i) {
      made.images.push_back(samples(spec.out_width(), spec.out_height(), spec.type));
    }
    return made;
  }
  static void reference(const Spec& spec, Case* made) {
    filter::reference::State state;
    made->counts.clear();
    for (int i = 0; i < spec.count; ++i) {
      if (i == spec.cleared) state = {};
      const auto in = static_cast<std::size_t>(i);
      made->counts.emplace_back();
      const auto filtered = filter::reference::filter(made->images[in].samples(), spec.p, &state,
                                                      &made->counts.back());
      copy(filtered.view(), made->images[output(spec, in)].expect());
    }
  }

  struct Host {
    explicit Host(unsigned threads) { engine.set_threads(threads); }
    std::string run(const Spec& spec, const Case& made, HostImages& images) {
      engine.clear();
      for (std::size_t i = 0; i < made.counts.size(); ++i) {
        if (static_cast<int>(i) == spec.cleared) engine.clear();
        const filter::Counts counts =
            engine.filter(images[i].samples(), spec.p, images[output(spec, i)].samples());
        if (counts != made.counts[i]) return "the counts of frame " + std::to_string(i) + " differ";
      }
      return {};
    }
    filter::Engine engine;
  };
#ifdef RDP_BITS_DEVICE
  struct Device {
    void prepare(const Spec& spec, const Case&) { engine.prepare(spec.width, spec.height, spec.p); }
    void start(const Spec& spec, const Case& made, const DeviceJob& job, CUstream stream) {
      engine.take_counts();
      engine.clear();
      for (std::size_t i = 0; i < made.counts.size(); ++i) {
        if (static_cast<int>(i) == spec.cleared) engine.clear();
        engine.start(job[i].samples(), spec.p, job[output(spec, i)].samples(), stream);
      }
    }
    std::string wrong(const Spec&, const Case& made) {
      filter::Counts all;
      for (const filter::Counts& frame : made.counts) add_to(&all, frame);
      return engine.take_counts() == all ? "" : "the counts differ";
    }
    cuda::DepthFilter engine;
  };
#endif

 private:
  static void add_to(filter::Counts* sum, const filter::Counts& counts) {
    using filter::Counts;
    for (std::int64_t Counts::*const count :
         {&Counts::range_removed, &Counts::median_changed, &Counts::flying_removed,
          &Counts::speckle_removed, &Counts::spatial_changed, &Counts::temporal_changed,
          &Counts::temporal_filled, &Counts::hole_filled}) {
      sum->*count += counts.*count;
    }
  }
  static std::size_t output(const Spec& spec, std::size_t i) {
    return spec.in_place ? i : i + static_cast<std::size_t>(spec.count);
  }

  static void draw_frame(const Spec& spec, const MutableDepthView& frame, Random* random) {
    switch (spec.drawn) {
      case Drawn::kContent:
        test::fill(frame, spec.content, random->engine());
        break;
      case Drawn::kAnyKind:
        test::fill(frame, static_cast<test::ColumnKind>(random->below(test::kColumnKinds)),
                   random->engine());
        break;
      case Drawn::kSurface:
        test::draw_scene(frame, test::Scene::kSurface, (*random->engine())());
        break;
      case Drawn::kCheckerboard:
        draw_checkerboard(frame, random);
        break;
      case Drawn::kOneSample:
        draw_one_sample(frame, random);
        break;
      case Drawn::kPlanes:
        draw_planes(frame, random);
        break;
    }
  }

  // Random steps, or a single one.
  static Spec with_parameters(const FrameSpec& frame, Random* random) {
    Spec spec{frame, {}};
    spec.drawn =
        random->of({Drawn::kContent, Drawn::kAnyKind, Drawn::kSurface, Drawn::kCheckerboard,
                    Drawn::kOneSample, Drawn::kPlanes, Drawn::kPlanes});
    filter::Parameters& p = spec.p;
    const int alone = random->one_in(2) ? random->below(8) : -1;
    const auto takes = [&](int step) { return alone < 0 ? random->one_in(2) : alone == step; };
    const std::uint32_t largest = max_sample(spec.type);
    if (takes(0)) {
      p.known =
          random->of({KnownRange{0, largest}, KnownRange{largest / 9, largest / 3},
                      KnownRange{5, 4}, KnownRange{largest, 0xFFFFFFFF}, KnownRange{70000, 80000}});
    }
    p.median = takes(1) ? random->of({3, 5}) : 0;
    p.flying = takes(2);
    p.speckle_size = takes(3) ? random->of({1, 2, 5, 40, 65535}) : 0;
    const int most = std::min({spec.width, spec.height, filter::kMaxDecimation});
    p.decimation = takes(4) ? 1 + random->below(most) : 1;
    p.spatial_radius = takes(5) ? 1 + random->below(filter::kMaxRadius) : 0;
    p.temporal_frames = takes(6) ? 2 + random->below(filter::kMaxFrames - 1) : 1;
    p.persistence = static_cast<Persistence>(random->below(9));
    p.motion_check = !random->one_in(4);
    if (takes(7)) p.hole_filling = static_cast<HoleFilling>(1 + random->below(4));
    p.hole_size = random->of({1, 2, 3, 16, 255});
    p.disparity = random->one_in(2);
    const auto any = static_cast<std::uint32_t>((*random->engine())());
    p.tolerance =
        random->of({filter::Tolerance{1, 25770}, filter::Tolerance{1, 25770},
                    filter::Tolerance{1, any >> random->below(24)},
                    filter::Tolerance{1 + any % 600, 0}, filter::Tolerance{4090 + any % 8, 0},
                    filter::Tolerance{any, 0}, filter::Tolerance{1, 0xFFFFFFFF}});
    if (p.temporal_frames > 1) {
      spec.count = std::max(spec.count, 2 + random->below(9));
      if (spec.width * spec.height > 9000) spec.count = 2;
    }
    spec.cleared = random->below(2) * random->below(spec.count);
    spec.in_place = p.decimation == 1 && random->one_in(2);
    return spec;
  }
};
const bool kDepthFilter = add<DepthFilter>();

}  // namespace
}  // namespace rdp::bits
