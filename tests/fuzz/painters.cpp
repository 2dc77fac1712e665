// SPDX-License-Identifier: LGPL-2.1-or-later
// The overlay's painters write every pixel of the picture and none outside it, and the division
// into parts does not change the picture.
#include <algorithm>
#include <cmath>
#include <vector>

#include "common/rdp/engine.h"
#include "common/rdp/overlay.h"
#include "tests/fuzz/fuzz_frame.h"

namespace rdp {
namespace {

using test::GuardedRows;
using test::TestFrame;

// A value for palette-min or palette-max, or NaN.
double take_palette_end(fuzz::Input* input) {
  switch (input->below(4)) {
    case 0:
      return input->real(0.0);
    case 1:
      return -input->real(0.0);
    case 2:
      return input->pick({0.0, 255.0, 65535.0, HUGE_VAL, -HUGE_VAL, std::nan("")});
    default:
      return input->bits<std::uint16_t>();
  }
}

// Any camera that accepted settings can give: NaN, and values not above 0, are refused earlier.
MetricCamera take_camera(fuzz::Input* input) {
  MetricCamera camera;
  camera.focal_x = camera.focal_y = std::max(input->real(1.0), 1e-3);
  camera.principal_x = input->real(0.0);
  camera.depth.reciprocal = input->flag();
  camera.depth.numerator = input->real(0.0);
  camera.depth.factor = input->real(0.0);
  camera.depth.offset = input->flag() ? input->real(0.0) : -input->real(0.0);
  return camera;
}

class Picture {
 public:
  Picture(const TestFrame& frame, int padding, std::byte fill)
      : rows_(4 * frame.view().width, frame.view().height, {padding, 1}, fill),
        width_(frame.view().width),
        height_(frame.view().height) {}

  RgbaView view() { return {rows_.row(0), rows_.stride(), width_, height_}; }

  // All pixels are opaque or transparent, and nothing is written between the rows.
  void check(const char* who) {
    FUZZ_CHECK(rows_.intact(), "%s wrote outside of the picture", who);
    for (int r = 0; r < height_; ++r) {
      for (int c = 0; c < width_; ++c) {
        const std::byte* pixel = rows_.row(r) + 4 * c;
        const bool transparent =
            std::all_of(pixel, pixel + 4, [](auto b) { return b == std::byte{0}; });
        FUZZ_CHECK(transparent || pixel[3] == std::byte{255}, "%s: row %d, column %d", who, r, c);
      }
    }
  }
  bool operator==(const Picture& other) const { return rows_.same_rows(other.rows_); }

 private:
  GuardedRows rows_;
  int width_;
  int height_;
};

}  // namespace
}  // namespace rdp

extern "C" int LLVMFuzzerInitialize(int*, char***) { return 0; }

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace rdp;
  fuzz::Input input(data, size);
  Parameters parameters = fuzz::take_parameters(&input);
  OverlayOptions options;
  options.style = input.pick({OverlayStyle::kSegments, OverlayStyle::kDepth, OverlayStyle::kEdges,
                              OverlayStyle::kClasses, OverlayStyle::kBirdsEye});
  if (options.style == OverlayStyle::kClasses) {
    if (input.flag()) parameters.ground_slope = input.real(0.0);
    if (input.flag()) parameters.far_value = input.flag() ? input.real(0.0) : -input.real(0.0);
  }
  if (input.flag()) {
    options.palette_min = take_palette_end(&input);
    options.palette_max = take_palette_end(&input);
  }
  const int padding = input.flag() ? input.byte() : 0;
  std::vector<int> cuts;
  for (int n = input.between(0, 4); n > 0; --n) cuts.push_back(input.byte());
  const int samples = input.pick({2000, 2000, 2000, 20000});
  options.legend = input.flag();
  if (input.flag()) options.birdseye_range = input.real(0.0);
  if (input.flag()) options.disparity_unit = input.real(0.0);
  const MetricCamera camera = take_camera(&input);
  if (input.flag()) options.camera = &camera;
  TestFrame frame = fuzz::take_frame(&input, parameters, 2048, samples);
  SegmentList segments;
  reference::segment_filtered(frame.view(), parameters, &segments);

  OverlayLook look = overlay_look(frame.view(), segments, parameters, options);
  const PaletteRange& range = look.range;
  FUZZ_CHECK(std::isfinite(range.offset) && std::isfinite(range.factor) && range.factor != 0.0F,
             "the palette goes from %g in steps of %g", static_cast<double>(range.offset),
             static_cast<double>(range.factor));
  std::vector<std::uint32_t> seen;
  if (look.style == OverlayStyle::kBirdsEye) {
    seen.resize(birdseye_words(static_cast<std::size_t>(segments.columns()), frame.view().height));
    see_columns(segments, look, frame.view().height, 0, segments.columns(), seen.data());
    look.seen = seen.data();
  }
  const auto paint = [&](int first, int end, Picture* picture) {
    paint_overlay(frame.view(), segments, parameters, look, first, end, picture->view());
  };
  // Paints on two backgrounds: equal pixels prove that they were written, not left or blended.
  Picture whole(frame, padding, std::byte{0x5A});
  paint(0, frame.view().width, &whole);
  whole.check("the painter");

  Picture divided(frame, padding, std::byte{0x25});
  for (int& cut : cuts) cut %= frame.view().width + 1;
  cuts.push_back(0);
  cuts.push_back(frame.view().width);
  std::sort(cuts.begin(), cuts.end());
  for (std::size_t i = cuts.size() - 1; i > 0; --i) paint(cuts[i - 1], cuts[i], &divided);
  divided.check("the divided painter");
  FUZZ_CHECK(divided == whole, "the picture depends on how it is divided");

  static Engine engine(2);
  Picture painted(frame, padding, std::byte{0x11});
  engine.paint(frame.view(), segments, parameters, options, painted.view());
  painted.check("the engine");
  FUZZ_CHECK(painted == whole, "the engine paints another picture");
  return 0;
}
