// SPDX-License-Identifier: LGPL-2.1-or-later
// The filters before segmentation: medians, inverse depths, joined columns.
#include <algorithm>
#include <cmath>
#include <iterator>

#include "common/image/grow_buffer.h"
#include "common/image/inverse_depth.h"
#include "common/image/join_columns.h"
#include "common/image/median.h"
#include "common/rdp/reference.h"
#include "tests/bits/register.h"
#include "tests/support/de_bruijn.h"
#ifdef RDP_BITS_DEVICE
#include "kernels/filters/filters.h"
#endif

namespace rdp::bits {
namespace {

// A case with as many output frames as input frames.
Case frames_in(const FrameSpec& spec, int out_width, SampleType out_type, Random* random) {
  Case made;
  draw_frames(spec, random, &made.images);
  for (int i = 0; i < spec.count; ++i) {
    made.images.push_back(samples(out_width, spec.height, out_type));
  }
  return made;
}

template <typename Filter>
void expect_filtered(const FrameSpec& spec, Case* made, const Filter& filter) {
  const auto count = static_cast<std::size_t>(spec.count);
  for (std::size_t i = 0; i < count; ++i) {
    copy(filter(made->images[i].samples()).view(), made->images[count + i].expect());
  }
}

struct MedianSpec : FrameSpec {
  int side = 3;
  int chunk = -1;  // number of the chunk of binary windows, see draw_windows()
};

// The 0-1 principle: a network of minima and maxima that finds the median of all binary windows
// finds it for any window. A frame's rows hold a part of all 2^(side * side) binary windows; its
// columns run through a de Bruijn sequence. Engines process rows in pairs, so windows begin in
// either row of a pair, and at any column remainder.
constexpr int kChunkColumns = 16000;
constexpr int kMaxChunks = (1 << 25) / (kChunkColumns - 8) + 1;

void draw_windows(const MedianSpec& spec, const MutableDepthView& frame, Random* random) {
  static const std::vector<std::uint8_t> of_3x3 = test::DeBruijn(8, 3).sequence();
  static const std::vector<std::uint8_t> of_5x5 = test::DeBruijn(32, 5).sequence();
  const std::vector<std::uint8_t>& columns = spec.side == 3 ? of_3x3 : of_5x5;
  const int first_row = random->below(2);
  const int shift = random->below(8);
  const auto start = static_cast<std::size_t>(spec.chunk) * (kChunkColumns - 8);
  // Samples other than 0 have the largest value.
  const auto one = static_cast<std::uint16_t>(max_sample(frame.type));
  for (int x = 0; shift + x < frame.width && start + static_cast<std::size_t>(x) < columns.size();
       ++x) {
    for (int i = 0; i < spec.side; ++i) {
      const bool set = (columns[start + static_cast<std::size_t>(x)] >> i & 1) != 0;
      frame.set(first_row + i, shift + x, set ? one : std::uint16_t{0});
    }
  }
}

struct Median {
  static constexpr const char* kName = "Median";
  static constexpr Counts kCounts{400, 1000, 250};
  using Case = bits::Case;
  using Spec = MedianSpec;

  static std::vector<Spec> hard(Random* random, bool all) {
    std::vector<Spec> specs;
    for (const FrameSpec& frame : hard_frames(all, random)) {
      for (const int side : {3, 5}) specs.push_back({frame, side});
    }
    for (const SampleType type : {SampleType::kU8, SampleType::kU16}) {
      for (int i = 0; i < 4; ++i) specs.push_back({{520, 6, type}, 3, 0});
      // All chunks on a GPU, because only its kernels run then.
      const int chunks = !all ? 0 : has_device() ? kMaxChunks : 20;
      for (int i = 0; i < chunks; ++i) {
        const int chunk = has_device() ? i : random->below(kMaxChunks);
        specs.push_back({{kChunkColumns, 6, type}, 5, chunk});
      }
    }
    return specs;
  }
  static Spec any(Random* random, bool all) {
    return {random_frame(random, all), random->of({3, 5})};
  }
  static Spec usual() { return {usual_frame(), 5}; }
  static std::string text(const Spec& spec) {
    return text_of(spec) + ", side " + std::to_string(spec.side) +
           (spec.chunk < 0 ? "" : ", zeros and ones from chunk " + std::to_string(spec.chunk));
  }
  static Case draw(const Spec& spec, Random* random) {
    Case made = frames_in(spec, spec.width, spec.type, random);
    if (spec.chunk >= 0) {
      std::ranges::fill(made.images[0].before, std::byte{0});
      draw_windows(spec, made.images[0].draw(), random);
    }
    return made;
  }
  static void reference(const Spec& spec, Case* made) {
    expect_filtered(spec, made, [&](const DepthView& frame) {
      return rdp::reference::median(frame, spec.side);
    });
  }

  struct Host {
    explicit Host(unsigned count) : threads(count) {}
    std::string run(const Spec& spec, const Case&, HostImages& images) {
      const auto count = static_cast<std::size_t>(spec.count);
      for (std::size_t i = 0; i < count; ++i) {
        in_bands(threads, spec.height, [&](int first, int end) {
          median_rows(images[i].samples(), spec.side, first, end, images[count + i].samples(),
                      &scratch);
        });
      }
      return {};
    }
    unsigned threads;
    MedianScratch scratch;
  };
#ifdef RDP_BITS_DEVICE
  struct Device {
    void start(const Spec& spec, const Case&, const DeviceJob& job, CUstream stream) {
      const auto count = static_cast<std::size_t>(spec.count);
      median.run(job.frames(0, count), spec.side, job.frames(count, count), stream);
    }
    cuda::MedianFilter median;
  };
#endif
};
const bool kMedian = add<Median>();

struct InverseSpec : FrameSpec {
  Parameters parameters;
  bool every_depth = false;
};

struct InverseDepths {
  static constexpr const char* kName = "InverseDepth";
  // A changed table is uploaded, and a graph would repeat the upload from freed memory.
  static constexpr Counts kCounts{200, 400, 200, 4, false};
  using Case = bits::Case;
  using Spec = InverseSpec;

  static std::vector<Spec> hard(Random* random, bool all) {
    std::vector<Spec> specs;
    for (const double scale : {1.0, 65535.5, 1e-9, 1e-3, 0.5, 3.0, 254.5, 32767.5, 65535.0, 65536.0,
                               1e6, 123456.789, 3e7, 3e9, 1e12, 1e300}) {
      for (const KnownRange& known :
           {KnownRange{1, 65535}, KnownRange{0, 65535}, KnownRange{500, 8000}, KnownRange{7, 3},
            KnownRange{0, 70000}, KnownRange{0, 0}, KnownRange{255, 4000000000U}}) {
        for (const SampleType type : {SampleType::kU16, SampleType::kU8}) {
          Spec spec{{256, type == SampleType::kU8 ? 1 : 256, type}, {}, true};
          spec.parameters.inverse_scale = scale;
          spec.parameters.min_value = known.first;
          spec.parameters.max_value = known.last;
          specs.push_back(spec);
        }
      }
    }
    for (const FrameSpec& frame : hard_frames(all, random)) {
      specs.push_back({frame, any(random, all).parameters});
    }
    return specs;
  }
  static Spec any(Random* random, bool all) {
    Spec spec{random_frame(random, all), {}};
    spec.parameters.inverse_scale = std::pow(10.0, random->below(10)) * (1 + random->below(3000));
    spec.parameters.min_value = static_cast<std::uint32_t>(random->of({0, 1, 1, 700}));
    if (random->one_in(3))
      spec.parameters.max_value = static_cast<std::uint32_t>(random->below(70000));
    return spec;
  }
  static Spec usual() {
    Spec spec{usual_frame(), {}};
    spec.parameters.inverse_scale = 3e7;
    return spec;
  }
  static std::string text(const Spec& spec) {
    return text_of(spec) + ", inverse-scale " + std::to_string(spec.parameters.inverse_scale) +
           ", known " + std::to_string(spec.parameters.min_value) + " to " +
           std::to_string(spec.parameters.max_value);
  }
  static Case draw(const Spec& spec, Random* random) {
    Case made = frames_in(spec, spec.width, SampleType::kU16, random);
    for (int z = 0; spec.every_depth && z < spec.width * spec.height; ++z) {
      made.images[0].draw().set(z / 256, z % 256, static_cast<std::uint16_t>(z));
    }
    return made;
  }
  static void reference(const Spec& spec, Case* made) {
    expect_filtered(spec, made, [&](const DepthView& frame) {
      return rdp::reference::inverse_depth(frame, inverse_depth_of(spec.parameters));
    });
  }

  struct Host {
    explicit Host(unsigned count) : threads(count) {}
    std::string run(const Spec& spec, const Case&, HostImages& images) {
      table.update(inverse_depth_of(spec.parameters), spec.type);
      const std::uint16_t* const before = table.data();
      if (table.update(inverse_depth_of(spec.parameters), spec.type) || table.data() != before) {
        return "the table was made again";
      }
      const auto count = static_cast<std::size_t>(spec.count);
      for (std::size_t i = 0; i < count; ++i) {
        in_bands(threads, spec.height, [&](int first, int end) {
          inverse_depth_rows(images[i].samples(), table, first, end, images[count + i].samples());
        });
      }
      return {};
    }
    unsigned threads;
    InverseDepthTable table;
  };
#ifdef RDP_BITS_DEVICE
  struct Device {
    void start(const Spec& spec, const Case&, const DeviceJob& job, CUstream stream) {
      const auto count = static_cast<std::size_t>(spec.count);
      inverse.run(job.frames(0, count), spec.parameters, job.frames(count, count), stream);
    }
    cuda::InverseDepth inverse;
  };
#endif
};
const bool kInverseDepths = add<InverseDepths>();

struct JoinSpec : FrameSpec {
  KnownRange known;
  int column_width = 1;
  // The 0-1 principle again: all patterns of two values, or of known and unknown samples.
  enum Pattern { kNone, kTwoValues, kKnownOrNot } pattern = kNone;
};

struct JoinColumns {
  static constexpr const char* kName = "JoinColumns";
  static constexpr Counts kCounts{400, 600, 250};
  using Case = bits::Case;
  using Spec = JoinSpec;

  static std::vector<Spec> hard(Random* random, bool all) {
    std::vector<Spec> specs;
    for (const FrameSpec& frame : hard_frames(all, random)) {
      Spec spec = any(random, all);
      static_cast<FrameSpec&>(spec) = frame;
      spec.known.last = std::min(spec.known.last, max_sample(spec.type));
      specs.push_back(spec);
    }
    for (int width = 1; width <= kMaxColumnWidth; ++width) {
      if (width > 9 && !all) break;
      const int patterns = 1 << width;
      const int rows = std::min(patterns, 256);
      const FrameSpec frame{patterns / rows * width, rows, SampleType::kU16};
      specs.push_back({frame, {1, 2}, width, Spec::kTwoValues});
      specs.push_back({frame, {1, 65535}, width, Spec::kKnownOrNot});
    }
    return specs;
  }
  static Spec any(Random* random, bool all) {
    Spec spec{random_frame(random, all), {}, 1 + random->below(kMaxColumnWidth)};
    const std::uint32_t largest = max_sample(spec.type);
    spec.known =
        random->of({KnownRange{1, largest}, KnownRange{0, largest}, KnownRange{0, largest - 1},
                    KnownRange{0, 1}, KnownRange{2, 1}, KnownRange{1, 1},
                    KnownRange{largest, largest}, KnownRange{3, largest / 2}});
    return spec;
  }
  static Spec usual() { return {usual_frame(), {1, 65535}, 5}; }
  static std::string text(const Spec& spec) {
    return text_of(spec) + ", column-width " + std::to_string(spec.column_width) + ", known " +
           std::to_string(spec.known.first) + " to " + std::to_string(spec.known.last);
  }
  static Case draw(const Spec& spec, Random* random) {
    Case made = frames_in(spec, (spec.width + spec.column_width - 1) / spec.column_width, spec.type,
                          random);
    const int width = spec.column_width;
    for (int p = 0; spec.pattern != Spec::kNone && p < 1 << width; ++p) {
      for (int i = 0; i < width; ++i) {
        const bool bit = (p >> i & 1) != 0;
        const int value = spec.pattern == Spec::kTwoValues ? 1 + bit
                          : bit                            ? 1 + random->below(65535)
                                                           : 0;
        made.images[0].draw().set(p % spec.height, p / spec.height * width + i,
                                  static_cast<std::uint16_t>(value));
      }
    }
    return made;
  }
  static void reference(const Spec& spec, Case* made) {
    expect_filtered(spec, made, [&](const DepthView& frame) {
      return rdp::reference::join_columns(frame, spec.known, spec.column_width);
    });
  }

  // join_columns() needs contiguous columns with room for whole vectors, and may overwrite one of
  // them.
  struct Host {
    explicit Host(unsigned) {}
    std::string run(const Spec& spec, const Case&, HostImages& images) {
      const auto count = static_cast<std::size_t>(spec.count);
      const auto padded = static_cast<std::size_t>((spec.height + 31) / 32 * 32);
      std::uint16_t* columns[kMaxColumnWidth];
      for (std::size_t i = 0; i < count; ++i) {
        const DepthView in = images[i].samples();
        const MutableDepthView out = images[count + i].samples();
        for (int group = 0; group < out.width; ++group) {
          const int first = group * spec.column_width;
          const int width = std::min(spec.column_width, spec.width - first);
          for (int c = 0; c < width; ++c) {
            columns[c] = memory[c].ensure(padded);
            std::fill_n(columns[c], padded, std::uint16_t{0xA5A5});
            for (int row = 0; row < in.height; ++row) columns[c][row] = in.at(row, first + c);
          }
          std::uint16_t* const result =
              group % 2 == 0 ? columns[group % width] : memory[kMaxColumnWidth].ensure(padded);
          join_columns(columns, width, in.height, spec.known, result);
          for (int row = 0; row < in.height; ++row) out.set(row, group, result[row]);
        }
      }
      return {};
    }
    GrowBuffer<std::uint16_t> memory[kMaxColumnWidth + 1];
  };
#ifdef RDP_BITS_DEVICE
  struct Device {
    void start(const Spec& spec, const Case&, const DeviceJob& job, CUstream stream) {
      const auto count = static_cast<std::size_t>(spec.count);
      joiner.run(job.frames(0, count), spec.known, spec.column_width, job.frames(count, count),
                 stream);
    }
    cuda::ColumnJoiner joiner;
  };
#endif
};
const bool kJoinColumns = add<JoinColumns>();

}  // namespace
}  // namespace rdp::bits
