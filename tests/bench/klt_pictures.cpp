// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/bench/klt_pictures.h"

#include <cstdint>
#include <utility>

#include "tests/klt/klt_frames.h"

namespace rdp::bench {
namespace {

GrayPicture made_picture(int width, int height, int dx, int dy) {
  const test::TestFrame frame =
      test::klt_picture(test::PictureKind::kTexture, width, height, 1, dx, dy);
  GrayPicture picture{width, height, {}};
  for (int row = 0; row < height; ++row) {
    for (int column = 0; column < width; ++column) {
      picture.pixels.push_back(static_cast<std::uint8_t>(frame.view().at(row, column)));
    }
  }
  return picture;
}

}  // namespace

KltPair made_pair(int width, int height, int dx, int dy) {
  return {"made, " + std::to_string(width) + "x" + std::to_string(height),
          made_picture(width, height, 0, 0), made_picture(width, height, dx, dy)};
}

std::optional<KltPair> recorded_pair() {
  if (const auto folder = motion_folder(); folder.has_value()) {
    KltPair pair{"tum/1 to 2", read_gray_picture(*folder / "tum/1.png"),
                 read_gray_picture(*folder / "tum/2.png")};
    if (pair.first.width != 0 && pair.second.width == pair.first.width) return pair;
  }
  return std::nullopt;
}

std::vector<klt::Point> grid_of(int width, int height, int columns, int rows) {
  std::vector<klt::Point> points;
  for (int j = 0; j < rows; ++j) {
    for (int i = 0; i < columns; ++i) {
      points.push_back({static_cast<float>((width * i + width / 2) / columns),
                        static_cast<float>((height * j + height / 2) / rows), 0.0F, 0.0F});
    }
  }
  return points;
}

}  // namespace rdp::bench
