// SPDX-License-Identifier: LGPL-2.1-or-later
// Writes rooms of depthtestsrc with their planes, laid out as planes_accuracy reads them:
//
//   render_rooms OUTDIR --seeds A..B
//
// Each seed has roomNN_planes.png (labels) and roomNN_clean_depth.png (exact, 1/5 mm). In mm there
// are _n020 and _n045 (noise of 0.020 and 0.045 px) and _bend (0.030 px, and a slow error of 0.08
// px). 640x480, fx = fy = 525, cx = 319.5, cy = 239.5.
#include <png.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "common/scene/room_depth.h"
#include "common/scene/test_labels.h"
#include "common/scene/test_pattern.h"
#include "tests/support/command_line.h"
#include "tests/support/guarded_frame.h"

namespace rdp::bench {
namespace {

constexpr int kWidth = 640;
constexpr int kHeight = 480;

struct Variant {
  const char* name;
  double noise, bend;
};
constexpr Variant kVariants[] = {{"n020", 0.020, 0.0}, {"n045", 0.045, 0.0}, {"bend", 0.030, 0.08}};

void write_png(const std::string& path, const test::TestFrame& frame) {
  const DepthView view = frame.view();
  const int bits = 8 * bytes_per_sample(view.type);
  std::FILE* file = std::fopen(path.c_str(), "wb");
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png != nullptr ? png_create_info_struct(png) : nullptr;
  if (file == nullptr || info == nullptr) {
    std::cerr << "cannot write " << path << "; expected a folder that can be written to\n";
    std::exit(1);
  }
  png_init_io(png, file);
  png_set_IHDR(png, info, kWidth, kHeight, bits, PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_write_info(png, info);
  if (bits == 16) png_set_swap(png);
  for (int r = 0; r < kHeight; ++r) {
    png_write_row(png, reinterpret_cast<png_const_bytep>(view.row(r)));
  }
  png_write_end(png, info);
  png_destroy_write_struct(&png, &info);
  std::fclose(file);
}

// Draws exact depths in steps of 1/5 mm.
void draw_clean(std::uint32_t seed, RoomDepth* room, test::TestFrame* frame) {
  const TestCamera camera = RoomScene::camera(kWidth, kHeight);
  const double metre = camera.disparity(1.0) * 0x1p24;
  room->begin(0, {.seed = seed}, kWidth, kHeight);
  for (int r = 0; r < kHeight; ++r) {
    const auto row = room->next_row();
    for (int c = 0; c < kWidth; ++c) {
      const std::uint32_t disparity = row[static_cast<std::size_t>(c)];
      const double depth = disparity == 0 ? 0.0 : std::floor(5000.0 * metre / disparity + 0.5);
      frame->view().set(r, c, static_cast<std::uint16_t>(std::min(depth, 65535.0)));
    }
  }
}

int run(int argc, char** argv) {
  std::string seeds = "1..12";
  test::CommandLine line("Writes rooms with exact labels of their planes.");
  line.word("seeds", &seeds, "the rooms, 0 to 99 (default 1..12)", "A..B");
  const std::vector<std::string> folders = line.read(argc, argv, "OUTDIR");
  if (folders.size() != 1) test::wrong_usage("expected one folder to write to");
  int from = 0;
  int to = 0;
  if (std::sscanf(seeds.c_str(), "%d..%d", &from, &to) != 2 || from > to) {
    test::wrong_usage("--seeds is " + seeds + ", expected A..B, as 1..12");
  }
  test::check_range("--seeds", from, 0, 99);
  test::check_range("--seeds", to, 0, 99);
  std::filesystem::create_directories(folders[0]);

  TestPatternRenderer renderer;
  TestLabelRenderer labeller;
  RoomDepth room;
  test::TestFrame frame(kWidth, kHeight, SampleType::kU16);
  test::TestFrame labels(kWidth, kHeight, SampleType::kU8);
  for (int seed = from; seed <= to; ++seed) {
    TestPatternOptions options{.pattern = TestPattern::kRoom,
                               .domain = TestDomain::kDepth,
                               .seed = static_cast<std::uint32_t>(seed)};
    const std::string name =
        folders[0] + "/room" + (seed < 10 ? "0" : "") + std::to_string(seed) + "_";
    labeller.draw(0, options, labels.view());
    write_png(name + "planes.png", labels);
    draw_clean(options.seed, &room, &frame);
    write_png(name + "clean_depth.png", frame);
    for (const Variant& variant : kVariants) {
      options.noise = variant.noise;
      options.bend = variant.bend;
      renderer.draw(0, options, frame.view());
      write_png(name + variant.name + "_depth.png", frame);
    }
  }
  return 0;
}

}  // namespace
}  // namespace rdp::bench

int main(int argc, char** argv) { return rdp::bench::run(argc, argv); }
