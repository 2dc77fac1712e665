// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/fuzz/fuzz_frame.h"

#include "common/scene/hash_random.h"

namespace rdp::fuzz {
namespace {

// Critical samples for these parameters: both sides of every limit.
std::uint32_t edge_sample(const Parameters& parameters, std::uint32_t largest, std::uint32_t n) {
  const std::uint32_t edges[] = {0,
                                 1,
                                 largest,
                                 largest - 1,
                                 largest / 2,
                                 parameters.min_value,
                                 parameters.min_value - 1,
                                 parameters.max_value,
                                 parameters.max_value + 1};
  return std::min(edges[n % std::size(edges)], largest);
}

// Generates a column from a few bytes: pieces, each with a kind, a length and a value.
void grow_column(Input* input, const Parameters& parameters, const MutableDepthView& frame,
                 int column) {
  const std::uint32_t largest = max_sample(frame.type);
  HashSequence random(input->bits<std::uint16_t>() + 65536U * static_cast<std::uint32_t>(column));
  int row = 0;
  while (row < frame.height) {
    const bool scripted = !input->empty();
    const auto kind = scripted ? input->byte() : static_cast<std::uint8_t>(random.bits());
    const auto detail =
        scripted ? input->bits<std::uint16_t>() : static_cast<std::uint16_t>(random.bits());
    const int length = std::min(1 + detail % 61, frame.height - row);
    const auto value = static_cast<std::int64_t>(random.bits() % (largest + 1));
    const auto step = static_cast<std::int64_t>(random.bits() % 17) - 8;
    for (int i = 0; i < length; ++i, ++row) {
      std::int64_t sample = 0;
      switch (kind % 8) {
        case 0:  // run
          sample = value;
          break;
        case 1:  // stairs
          sample = value + step * (i / 4) * 3;
          break;
        case 2:  // slope, the steeper the larger the samples
          sample = value + step * i * static_cast<std::int64_t>(largest) / 4096;
          break;
        case 3:  // slope with noise
          sample = value + step * i + static_cast<std::int64_t>(random.bits() % 5) - 2;
          break;
        case 4:  // noise
          sample = static_cast<std::int64_t>(random.bits() % (largest + 1));
          break;
        case 5:  // ties
          sample = static_cast<std::int64_t>(random.bits() % 4);
          break;
        case 6:  // hole
          sample = edge_sample(parameters, largest, detail / 61);
          break;
        default:  // limits
          sample = edge_sample(parameters, largest, static_cast<std::uint32_t>(random.bits() % 9));
      }
      frame.set(row, column,
                static_cast<std::uint16_t>(std::clamp<std::int64_t>(sample, 0, largest)));
    }
  }
}

}  // namespace

Parameters take_parameters(Input* input) {
  Parameters parameters;
  parameters.epsilon = input->real(0.0);
  parameters.sample_scale =
      input->flag() ? input->real(2.2250738585072014e-308) : input->pick({1.0, 1.0 / 256, 0.001});
  switch (input->below(4)) {
    case 0:
      parameters.min_value = input->bits<std::uint16_t>();
      parameters.max_value = input->bits<std::uint16_t>();
      break;
    case 1:
      parameters.min_value = 0;
      break;
    case 2:
      parameters.min_value = input->byte();
      parameters.max_value = input->byte();
      break;
    default:
      break;
  }
  parameters.median = input->pick({Median::kNone, Median::kNone, Median::k3x3, Median::k5x5});
  parameters.domain = input->pick({Domain::kLinear, Domain::kLinear, Domain::kInverse});
  parameters.inverse_scale =
      input->flag() ? input->real(2.2250738585072014e-308) : input->pick({1e6, 1.0, 1e4});
  parameters.column_width = input->flag() ? input->between(1, kMaxColumnWidth) : 1;
  parameters.max_gap = input->pick({0, 0, 1, 2, 5, 40, kMaxSide});
  parameters.refine = input->flag();
  parameters.merge = input->flag();
  parameters.fit = input->flag() ? Fit::kAbsolute : Fit::kSquares;
  parameters.merge_cost = input->flag() ? input->real(0.0) : 0.0;
  parameters.merge_bounded = input->flag();
  return parameters;
}

void take_samples(Input* input, const Parameters& parameters, const MutableDepthView& frame) {
  if (input->below(4) != 0) {
    for (int c = 0; c < frame.width; ++c) grow_column(input, parameters, frame, c);
    return;
  }
  // The bytes are the samples; missing ones repeat from the start.
  const std::span<const std::uint8_t> bytes = input->rest();
  std::size_t at = 0;
  const auto next = [&] { return bytes.empty() ? 0U : unsigned{bytes[at++ % bytes.size()]}; };
  for (int r = 0; r < frame.height; ++r) {
    for (int c = 0; c < frame.width; ++c) {
      const unsigned low = next();
      frame.set(
          r, c,
          static_cast<std::uint16_t>(frame.type == SampleType::kU8 ? low : low | next() << 8));
    }
  }
}

TestFrame take_frame(Input* input, const Parameters& parameters, int largest_side, int samples) {
  int width = 1;
  int height = 1;
  switch (input->below(8)) {
    case 0:  // tall
      height = input->between(1, largest_side);
      width = std::clamp(samples / height, 1, input->between(1, 8));
      break;
    case 1:  // wide
      width = input->between(1, largest_side);
      height = std::clamp(samples / width, 1, input->between(1, 8));
      break;
    case 2:  // large
      height = input->between(1, 256);
      width = std::clamp(samples / height, 1, kMaxSide);
      break;
    default:
      width = input->between(1, 70);
      height = input->between(1, 70);
  }
  const SampleType type = input->flag() ? SampleType::kU8 : SampleType::kU16;
  const int padding = input->flag() ? input->byte() : 0;
  const int offset = input->flag() ? input->between(0, 15) : 0;
  TestFrame frame(width, height, type, {padding, offset});
  take_samples(input, parameters, frame.view());
  return frame;
}

}  // namespace rdp::fuzz
