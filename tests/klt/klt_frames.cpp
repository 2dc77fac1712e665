// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/klt/klt_frames.h"

#include <cstring>

namespace rdp::test {
namespace {

// A hash for each pixel of an infinite picture.
std::uint32_t hash(int row, int column, unsigned seed) {
  std::uint32_t h = static_cast<std::uint32_t>(row) * 0x9E3779B1U ^
                    static_cast<std::uint32_t>(column) * 0x85EBCA77U ^ seed * 0xC2B2AE3DU;
  h ^= h >> 15;
  h *= 0x2C1B3C6DU;
  h ^= h >> 12;
  h *= 0x297A2D39U;
  return h ^ (h >> 15);
}

int blurred(int row, int column, unsigned seed) {
  static constexpr int kWeights[] = {1, 2, 3, 2, 1};
  int sum = 0;
  for (int i = 0; i < 5; ++i) {
    for (int j = 0; j < 5; ++j) {
      sum += kWeights[i] * kWeights[j] * static_cast<int>(hash(row + i, column + j, seed) & 255);
    }
  }
  const int value = 128 + (sum / 81 - 128) * 3;
  return value < 0 ? 0 : value > 255 ? 255 : value;
}

int sample(PictureKind kind, int row, int column, unsigned seed) {
  const int side = static_cast<int>(seed % 9) + 1;
  const int shifted = 1 << 20;  // keeps the dividends positive
  switch (kind) {
    case PictureKind::kTexture:
      return blurred(row, column, seed);
    case PictureKind::kNoise:
      return static_cast<int>(hash(row, column, seed) & 255);
    case PictureKind::kWhite:
      return 255;
    case PictureKind::kChecks:
      return ((row + shifted) / side + (column + shifted) / side) % 2 == 0 ? 0 : 255;
    case PictureKind::kEdges:
      return (column + shifted) / 6 % 2 == 0 ? 40 : 200;
    case PictureKind::kStripes:
      return ((column + shifted) / 2 + (row + shifted) / 16) % 2 == 0 ? 0 : 255;
    case PictureKind::kFewLevels:
      return static_cast<int>(hash(row / 2, column / 2, seed) & 3) * 85;
    default:
      return 90;
  }
}

template <typename Row>
std::string difference_of(const char* what, const std::vector<Row>& expected,
                          const std::vector<Row>& actual) {
  if (expected.size() != actual.size()) {
    return std::to_string(actual.size()) + " " + what + "s, expected " +
           std::to_string(expected.size());
  }
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (std::memcmp(&expected[i], &actual[i], sizeof(Row)) == 0) continue;
    return std::string(what) + " " + std::to_string(i) + ", id " + std::to_string(actual[i].id) +
           " at " + std::to_string(actual[i].x) + ", " + std::to_string(actual[i].y) +
           ", expected id " + std::to_string(expected[i].id) + " at " +
           std::to_string(expected[i].x) + ", " + std::to_string(expected[i].y);
  }
  return {};
}

}  // namespace

TestFrame klt_picture(PictureKind kind, int width, int height, unsigned seed, int dx, int dy) {
  TestFrame frame(width, height, SampleType::kU8,
                  {static_cast<int>(seed % 5), static_cast<int>(seed % 3)});
  for (int row = 0; row < height; ++row) {
    for (int column = 0; column < width; ++column) {
      frame.view().set(row, column,
                       static_cast<std::uint16_t>(sample(kind, row - dy, column - dx, seed)));
    }
  }
  return frame;
}

std::string first_difference(const klt::reference::Result& expected,
                             const std::vector<klt::Track>& tracks,
                             const std::vector<klt::Lost>& lost) {
  const std::string text = difference_of("track", expected.tracks, tracks);
  return text.empty() ? difference_of("lost feature", expected.lost, lost) : text;
}

}  // namespace rdp::test
