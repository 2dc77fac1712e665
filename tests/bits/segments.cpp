// SPDX-License-Identifier: LGPL-2.1-or-later
// The complete segmentation: filters, split, fit, merge, reconstruction.
#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>
#include <limits>
#include <utility>

#include "common/rdp/engine.h"
#include "common/rdp/reference.h"
#include "tests/bits/register.h"
#include "tests/bits/segment_parameters.h"
#include "tests/support/compare.h"
#ifdef RDP_BITS_DEVICE
#include "kernels/rdp/engine.h"
#include "tests/gpu/segment_tester.h"
#endif

namespace rdp::bits {
namespace {

using test::ColumnKind;

// Difficult content beside the kinds of columns.
enum class Drawn {
  kKind,      // FrameSpec::content
  kMixed,     // a random kind per column
  kSteep,     // lines that rise by up to the whole range, beyond a 16-bit multiplication
  kBump,      // one sample at a distance equal or close to the tolerance
  kProducts,  // the largest that the proof for 32-bit integers allows
  kPieces,    // about as many pieces as shared memory holds
  kDozens,    // slanted pieces with noise and holes, as in recorded columns
  kPeriodic,  // stairs, plateaus and ties
  kRuns,      // 32 known runs with unknown samples between them
  kExtremes,  // the largest slopes, distances and sums; of number 1, recursion, too: a time of the
              // reference that grows with the square of the rows
};

struct SegmentsSpec : FrameSpec {
  Parameters parameters;
  Drawn drawn = Drawn::kKind;
  int number = 0;  // variant of the kind
};

void draw_hard(const SegmentsSpec& spec, const MutableDepthView& frame, Random* random) {
  const int rows = frame.height;
  const auto most = static_cast<int>(max_sample(frame.type));
  for (int column = 0; column < frame.width; ++column) {
    // Values at the ends of the range, and close to overflow.
    const int first = random->of({0, most, most / 2, most / 2 + 1, 1, most - 1});
    const int last = random->of({0, most, most / 2, most / 2 + 1, 1, most - 1});
    // The maximum length of pieces. Columns have at least about 1 to `number` pieces in turn;
    // without a number, one more in each next column.
    const int longest = rows / (spec.number > 0 ? column % spec.number + 1 : column + 1) + 1;
    double value = 0;
    double slope = 0;
    int left = 0;
    bool hole = false;
    for (int row = 0; row < rows; ++row) {
      const bool end = row == 0 || row == rows - 1;
      int sample = 0;
      switch (spec.drawn) {
        case Drawn::kSteep: {
          const double straight =
              first + static_cast<double>(last - first) * row / std::max(rows - 1, 1);
          const int off = column % 2 == 0   ? random->below(most + 1) - static_cast<int>(straight)
                          : column % 4 == 1 ? random->below(9) - 4
                                            : 0;
          sample = end ? static_cast<int>(straight) : static_cast<int>(std::lround(straight)) + off;
          break;
        }
        case Drawn::kBump:
          sample = row == 1 + column * (rows - 3) / 8 ? 500 + spec.number : 500;
          break;
        case Drawn::kProducts: {
          const bool high =
              end ? ((row == 0) == ((spec.number & 1) != 0)) != ((spec.number & 8) != 0 && row > 0)
                  : (row == rows / 2 + column) == ((spec.number & 2) != 0);
          sample = high ? most : 0;
          break;
        }
        case Drawn::kPieces: {
          const int piece = row / std::max(rows / spec.number, 1);
          sample = 1000 * (piece % 2 == 0 ? 1 : 2 + column) + 17 * piece;
          break;
        }
        case Drawn::kDozens:
          if (left-- <= 0) {
            left = random->below(longest);
            if (random->one_in(2)) value = 2000 + random->below(60000);
            slope = (random->below(2001) - 1000.0) / (1 + random->below(100));
            hole = column % 3 != 0 && random->one_in(5);
          }
          value = std::clamp(value + slope + random->below(16) - 7.5, 1.0, 65535.0);
          sample =
              !hole && (column % 4 != 0 || random->below(4) != 0) ? static_cast<int>(value) : 0;
          break;
        case Drawn::kRuns:
          // Each run begins in the fourth of sixteen words, which two threads of a warp share.
          sample = row % 512 >= 96 && row % 512 < 480 ? 1000 + row % 7 * 100 : 0;
          break;
        case Drawn::kExtremes: {
          const bool deepest = spec.number == 1;
          const auto ramp = static_cast<int>(std::int64_t{row} * most / std::max(rows - 1, 1));
          const bool bottom = row == rows - 1;
          const std::array<int, 8> of = {
              deepest ? row % 2 * most : row % 1000 * most / 999,  // every row a vertex
              ramp,                                                // the steepest in sum
              most - ramp,                                         // the same downwards
              most,                                                // the largest sums
              bottom ? most : 0,                                   // rises at the very end
              row == rows - 2 ? most : 0,                          // c = 65535 * 16382
              row == 0 || bottom ? most : 1,                       // the longest dip
              deepest && random->below(3) == 0 ? 0 : most          // holes
          };
          sample = of[static_cast<std::size_t>(column) % of.size()];
          break;
        }
        default: {  // kPeriodic
          const std::array<int, 8> of = {row / 8 * 50,
                                         row / 37 % 2 * 1000,
                                         500 + row % 3,
                                         std::abs(row - rows / 2) * 10,
                                         row % 16 == 5    ? 900
                                         : row % 16 == 11 ? 0
                                                          : 450,
                                         row == rows - 2 ? 10 : 0,
                                         row == 1 ? 10 : 0,
                                         77};
          sample = of[static_cast<std::size_t>(column) % of.size()];
        }
      }
      frame.set(row, column, static_cast<std::uint16_t>(std::clamp(sample, 0, most)));
    }
  }
}

// Cases of the whole segmentation, and of its kernels.
struct SegmentCases {
  using Spec = SegmentsSpec;

  static std::vector<Spec> hard(Random* random, bool all) {
    std::vector<Spec> specs;
    const auto add = [&](int width, int height, Drawn drawn, int number = 0) -> Spec& {
      Spec spec = any(random, all);
      static_cast<FrameSpec&>(spec) = {width, height, spec.type};
      spec.drawn = drawn;
      spec.number = number;
      return specs.emplace_back(spec);
    };
    const auto add_bump = [&](int width, int height, int bump, int off) {
      Spec& spec = add(width, height, Drawn::kBump, bump);
      spec.type = SampleType::kU16;
      spec.parameters = Parameters();
      spec.parameters.epsilon = bump + off / 256.0;
    };
    // Always run: the tallest columns have their own kernels.
    for (const int off : {-1, 0, 1}) add_bump(4, kMaxSide, 65000, off);
    for (int number = 0; number < 16; ++number) {
      Spec& spec = add(4, kMaxSide, Drawn::kProducts, number);
      spec.parameters = Parameters();
      spec.parameters.min_value = 0;
      spec.parameters.epsilon = (number & 4) != 0 ? 0 : random->of({255.9, 255.99609375, 1e9});
    }
    Spec& runs = add(8, kMaxSide, Drawn::kRuns);
    runs.type = SampleType::kU16;
    runs.parameters = Parameters();
    runs.parameters.max_gap = 5;
    const auto width = [&] { return random->of({1, 2, 3, 7, 8, 9, 16, 17, 33, 65}); };
    for (int kind = 0; kind <= test::kColumnKinds; ++kind) {
      const Drawn drawn = kind == test::kColumnKinds ? Drawn::kMixed : Drawn::kKind;
      const auto content = static_cast<ColumnKind>(kind % test::kColumnKinds);
      const bool deep = drawn == Drawn::kKind && test::is_deep(content);
      for (const int height : {1,   2,   3,   5,   9,    17,   33,   40,   65,   127,  130,
                               257, 300, 511, 513, 1024, 1025, 2049, 4097, 8193, 16384}) {
        if (height > (deep ? 1025 : all ? 16384 : 1025)) break;
        add(height > 600 ? 5 : width(), height, drawn).content = content;
      }
    }
    for (const int height : {3, 9, 20, 65, 150, 500, 1000, 4097, 16384}) {
      if (height > 1000 && !all) break;
      for (const double epsilon : {0.0, 0.6, 2.0, 20000.0, 65536.0}) {
        add(height > 1000 ? 4 : 17, height, Drawn::kSteep).parameters.epsilon = epsilon;
      }
      for (const int bump : {1, 2, 7, 1000, 65000})
        add_bump(9, height, bump, random->of({-1, 0, 1}));
    }
    for (const int pieces : {1, 2, 8, 9, 32, 33, 50, 51, 52, 53, 56, 57, 58, 59, 60, 255, 256}) {
      for (const int rows : {4, 1024 / pieces + 1}) {
        Spec& spec = add(7, rows * pieces, Drawn::kPieces, pieces);
        spec.type = SampleType::kU16;
        spec.parameters.epsilon = random->of({0.5, 1.0, 4.0, 300.0});
        spec.parameters.refine = true;
        spec.parameters.merge = random->one_in(2);
        plain(&spec.parameters);
      }
    }
    for (int i = 0; i < 24; ++i) {
      Spec& spec = add(32, random->of({100, 1000, 1100}), Drawn::kDozens);
      spec.type = SampleType::kU16;
      spec.parameters.epsilon = random->of({2.0, 20.0, 80.0, 400.0});
      spec.parameters.merge = !random->one_in(4);
      plain(&spec.parameters);
    }
    // Frames that fill a device on their own.
    for (const int max_gap : {0, 5}) {
      Spec& spec = add(all ? 2700 : 200, 300, Drawn::kDozens, 8);
      spec.type = SampleType::kU16;
      spec.parameters = Parameters();
      spec.parameters.epsilon = 80;
      spec.parameters.max_gap = max_gap;
      spec.parameters.merge = true;
      spec.parameters.fit = Fit::kAbsolute;
    }
    // All segments would merge if the ends were not bounded, also in passes over few segments.
    for (const int height : {300, 1000, 1100}) {
      for (const double epsilon : {5.0, 20.0, 80.0}) {
        Spec& spec = add(16, height, Drawn::kDozens);
        spec.type = SampleType::kU16;
        spec.parameters = Parameters();
        spec.parameters.epsilon = epsilon;
        spec.parameters.merge = spec.parameters.merge_bounded = true;
        spec.parameters.merge_cost = epsilon * 100;
      }
    }
    for (const int height : {4, 19, 35, 67, 131, 260, 700}) {
      for (const double epsilon : {0.0, 1.0, 9.99609375, 10.0, 399.0, 450.0}) {
        Spec& spec = add(8, height, Drawn::kPeriodic);
        spec.parameters.epsilon = epsilon;
        spec.parameters.sample_scale = 1;
      }
    }
    for (const FrameSpec& frame : hard_frames(all, random)) {
      Spec spec = any(random, all);
      static_cast<FrameSpec&>(spec) = frame;
      specs.push_back(spec);
    }
    // Values that no property accepts, but the engine's own callers may use.
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    for (const double value : {std::nan(""), kInfinity, -kInfinity, -1.0}) {
      for (double Parameters::*const member :
           {&Parameters::epsilon, &Parameters::sample_scale, &Parameters::merge_cost}) {
        Spec& spec = add(3, 50, Drawn::kKind);
        spec.content = test::Content::kExtremes;
        spec.parameters = Parameters();
        spec.parameters.min_value = 0;
        spec.parameters.merge = true;
        spec.parameters.*member = value;
      }
    }
    if (all) add_limits(&specs);
    return specs;
  }
  // The tallest columns, with content that maximises every number, and each parameter at both ends
  // of its range.
  static void add_limits(std::vector<Spec>* specs) {
    constexpr double kTiny = std::numeric_limits<double>::denorm_min();
    constexpr double kHuge = std::numeric_limits<double>::max();
    const auto add = [&](SampleType type, int number = 0) -> Parameters& {
      Spec& spec = specs->emplace_back(Spec{{8, kMaxSide, type}, {}, Drawn::kExtremes, number});
      spec.parameters.min_value = 0;
      return spec.parameters;
    };
    for (const auto& [epsilon, scale] : {std::pair{0.0, 1.0},
                                         {kTiny, 1.0},
                                         {65535.0, 1.0},
                                         {kHuge, 1.0},
                                         {4.0, kTiny},
                                         {4.0, kHuge},
                                         {kHuge, kTiny},
                                         {kTiny, kHuge},
                                         {0.0, kTiny},
                                         {0.001953124, 1.0}}) {
      Parameters& parameters = add(SampleType::kU16);
      parameters.epsilon = epsilon;
      parameters.sample_scale = scale;
    }
    for (const SampleType type : {SampleType::kU8, SampleType::kU16}) {
      for (const double epsilon : {0.0, 300.0, kHuge}) {
        for (const double cost : {0.0, kTiny, 65535.0, kHuge}) {
          Parameters& parameters = add(type);
          parameters.epsilon = epsilon;
          parameters.merge = true;
          parameters.merge_cost = cost;
        }
      }
      add(type).refine = true;
      // Every row is a piece.
      for (const bool merge : {false, true}) {
        Parameters& parameters = add(type, 1);
        parameters.epsilon = 0.0;
        parameters.refine = parameters.merge = merge;
      }
      for (const double scale : {DBL_MIN, 1.0, 65535.0 * 65535.0, kHuge}) {
        for (const std::uint32_t least : {0U, 1U}) {
          for (const bool merge : {false, true}) {
            Parameters& parameters = add(type);
            parameters.domain = Domain::kInverse;
            parameters.inverse_scale = scale;
            parameters.min_value = least;
            parameters.epsilon = 10.0;
            parameters.merge = merge;
          }
        }
      }
    }
    const auto add_wide = [&](std::uint32_t least, std::uint32_t most) -> Parameters& {
      Parameters& parameters = add(SampleType::kU16);
      parameters.epsilon = 1000.0;
      parameters.min_value = least;
      parameters.max_value = most;
      return parameters;
    };
    constexpr std::uint32_t kMost = std::numeric_limits<std::uint32_t>::max();
    for (const auto& [least, most] :
         {std::pair{65535U, 65535U}, {65535U, 0U}, {0U, kMost}, {kMost, kMost}}) {
      add_wide(least, most);
    }
    for (const int gap : {1, kMaxSide}) {
      for (const bool merge : {false, true}) {
        Parameters& parameters = add_wide(1, 65535);
        parameters.max_gap = gap;
        parameters.merge = merge;
      }
    }
    for (const Median median : {Median::kNone, Median::k3x3, Median::k5x5}) {
      Parameters& parameters = add_wide(median == Median::k5x5 ? 0 : 1, 65535);
      parameters.median = median;
      if (median != Median::k3x3) parameters.column_width = kMaxColumnWidth;
    }
  }
  static Spec any(Random* random, bool all) {
    Spec spec{random_frame(random, all), {}};
    if (random->one_in(8)) {
      spec.height = 1 + random->below(all ? 2000 : 600);
      spec.count = 1;
    }
    spec.parameters = random_parameters(spec.type, random);
    if (random->one_in(3)) spec.drawn = random->of({Drawn::kMixed, Drawn::kSteep, Drawn::kDozens});
    return spec;
  }
  static Spec usual() { return {usual_frame(), {}}; }
  static std::string text(const Spec& spec) {
    return text_of(spec) + ", " + text_of(spec.parameters) + ", drawn " +
           std::to_string(static_cast<int>(spec.drawn)) + " " + std::to_string(spec.number);
  }
  static void draw_images(const Spec& spec, Random* random, std::vector<Image>* images) {
    draw_frames(spec, random, images);
    for (Image& image : *images) {
      if (spec.drawn == Drawn::kKind) break;
      if (spec.drawn == Drawn::kMixed) {
        test::fill_mixed(image.draw(), spec.height > 1200 ? 0 : 20, random->engine());
      } else {
        draw_hard(spec, image.draw(), random);
      }
    }
  }

 protected:
  // No filters, so that the kernels for few pieces run.
  static void plain(Parameters* parameters) {
    parameters->median = Median::kNone;
    parameters->domain = Domain::kLinear;
    parameters->column_width = 1;
    parameters->min_value = std::min(parameters->min_value, 1U);
    parameters->max_value = 65535;
  }
};

struct SegmentsCase : Case {
  std::vector<SegmentList> expected;
};

// Segments frames, and reconstructs them in place.
struct Segments : SegmentCases {
  static constexpr const char* kName = "Segments";
  static constexpr Counts kCounts{400, 600, 120, 20, false, Steady::kRepeated, true};
  using Case = SegmentsCase;

  static Case draw(const Spec& spec, Random* random) {
    Case made;
    draw_images(spec, random, &made.images);
    return made;
  }
  static void reference(const Spec& spec, Case* made) {
    made->expected.resize(made->images.size());
    for (std::size_t i = 0; i < made->images.size(); ++i) {
      Image& image = made->images[i];
      const rdp::reference::Frame filtered =
          rdp::reference::filter(image.samples(), spec.parameters);
      rdp::reference::segment(filtered.view(), segmented_known_range(spec.parameters, spec.type),
                              segment_rules(spec.parameters), &made->expected[i]);
      rdp::reference::reconstruct(filtered, made->expected[i], spec.parameters, image.expect());
    }
  }

  struct Host {
    explicit Host(unsigned threads) : engine(threads) {}
    std::string run(const Spec& spec, const Case& made, HostImages& images) {
      for (std::size_t i = 0; i < images.size(); ++i) {
        engine.segment(images[i].samples(), spec.parameters, &list);
        std::string text = test::difference(made.expected[i], list);
        if (!text.empty()) return text;
        engine.reconstruct(images[i].samples(), spec.parameters, list);
      }
      return {};
    }
    Engine engine;
    SegmentList list;
  };
#ifdef RDP_BITS_DEVICE
  struct Device {
    void start(const Spec& spec, const Case&, const DeviceJob& job, CUstream on) {
      stream = on;
      const cuda::DeviceFrames frames = job.frames(0, static_cast<std::size_t>(spec.count));
      engine.segment(frames, spec.parameters, &list, stream);
      engine.reconstruct(frames, spec.parameters, list, stream);
    }
    // If one frame's list overflowed, no frame was written.
    bool again() { return list.grow_if_truncated(); }
    std::string wrong(const Spec& spec, const Case& made) {
      for (int i = 0; i < spec.count; ++i) {
        SegmentList actual;
        list.copy_to(&actual, stream, i);
        std::string text = test::difference(made.expected[static_cast<std::size_t>(i)], actual);
        if (!text.empty()) return text;
      }
      return list.frames() == spec.count ? "" : "the number of frames";
    }
    cuda::SegmentEngine engine;
    cuda::DeviceSegmentList list;
    CUstream stream = nullptr;
  };
#endif
};
const bool kSegments = add<Segments>();

#ifdef RDP_BITS_DEVICE
// The segmentation kernels, each of which the engine selects for some frames only. Lists have room
// for all segments or for few: see SegmentTester.
struct Columns : SegmentCases {
  static constexpr const char* kName = "Columns";
  static constexpr Counts kCounts{0, 3000, 100, 20, false, Steady::kNever};
  using Case = bits::Case;

  static Case draw(const Spec& spec, Random* random) {
    Case made;
    draw_images(spec, random, &made.images);
    return made;
  }
  static void reference(const Spec&, Case*) {}

  struct Device {
    void start(const Spec& spec, const Case& made, const DeviceJob&, CUstream) {
      Parameters parameters = spec.parameters;
      plain(&parameters);
      Random random(static_cast<std::uint32_t>(made.images[0].size()));
      const DepthView frame = made.images[0].samples();
      test::SegmentCase question{frame, segmented_known_range(spec.parameters, spec.type)};
      question.rules = segment_rules(parameters);
      question.eps256 = question.rules.epsilon256;
      question.layout = {random.below(5) * bytes_per_sample(spec.type),
                         random.below(9) * bytes_per_sample(spec.type)};
      question.room = random.one_in(4) ? random.of({1, 2, 7, 40}) : 0;
      if (question.room >= spec.height) question.room = 0;
      text = tester.compare(question);
    }
    std::string wrong(const Spec&, const Case&) const { return text; }
    test::SegmentTester tester;
    std::string text;
  };
};
const bool kColumns = add<Columns>();
#endif

}  // namespace
}  // namespace rdp::bits
