// SPDX-License-Identifier: LGPL-2.1-or-later
// CPU times of rdpoverlay's drawing: segments of depthtestsrc's street are placed on a 1280x720
// picture, painted and blended in bands of rows, as in the element. Also the CPU time of all
// threads, which depends less on other work.
#include <chrono>
#include <cstdio>
#include <ctime>
#include <string>
#include <utility>
#include <vector>

#include "common/image/blend.h"
#include "common/image/row_bands.h"
#include "common/image/simd.h"
#include "common/image/thread_pool.h"
#include "common/rdp/placed_segments.h"
#include "tests/bench/drawn_street.h"
#include "tests/bench/median.h"
#include "tests/support/command_line.h"

namespace {

using rdp::bench::kDrawnHeight;
using rdp::bench::kDrawnWidth;
constexpr int kBand = 64;  // as in rdpoverlay

double microseconds(std::chrono::steady_clock::duration time) {
  return std::chrono::duration<double, std::micro>(time).count();
}

class Bench {
 public:
  Bench(const rdp::bench::DrawnStreet& street, int pictures)
      : street_(street), pictures_(pictures) {}

  void measure(unsigned threads, bool nv12) {
    rdp::ThreadPool pool;
    pool.resize(threads);
    std::vector<double> placing;
    std::vector<double> all;
    std::vector<double> busy;
    for (int i = 0; i < pictures_; ++i) {
      const std::clock_t busy_before = std::clock();
      const auto start = std::chrono::steady_clock::now();
      street_.place(&painter_);
      placing.push_back(microseconds(std::chrono::steady_clock::now() - start));
      rdp::for_bands(&pool, kDrawnHeight, kBand,
                     [&](int first, int end) { draw(first, end, nv12); });
      all.push_back(microseconds(std::chrono::steady_clock::now() - start));
      busy.push_back(static_cast<double>(std::clock() - busy_before) * 1000.0 / CLOCKS_PER_SEC);
    }
    std::printf("| %dx%d | %zu | %s | %u | %.2f | %.2f | %.2f |\n", street_.width(),
                street_.height(), street_.segments(), nv12 ? "NV12" : "RGBA", threads,
                rdp::bench::median_of(placing) / 1000.0, rdp::bench::median_of(all) / 1000.0,
                rdp::bench::median_of(busy));
    std::fflush(stdout);
  }

 private:
  void draw(int first, int end, bool nv12) {
    const std::ptrdiff_t stride = std::ptrdiff_t{4} * kDrawnWidth;
    const rdp::RgbaView drawing{drawing_.data(), stride, kDrawnWidth, kDrawnHeight};
    painter_.paint(drawing, first, end);
    const rdp::RgbaView rows{drawing.data + first * stride, stride, kDrawnWidth, end - first};
    if (nv12) {
      rdp::blend_into_nv12(rows, matrix_,
                           {picture_.data() + first * kDrawnWidth, kDrawnWidth,
                            picture_.data() + (kDrawnHeight + first / 2) * kDrawnWidth, kDrawnWidth,
                            kDrawnWidth, end - first});
    } else {
      rdp::blend_into_rgba(rows,
                           {picture_.data() + first * stride, stride, kDrawnWidth, end - first});
    }
  }

  const rdp::bench::DrawnStreet& street_;
  const int pictures_;
  const rdp::YuvMatrix matrix_ = rdp::yuv_matrix(0.2126, 0.0722, false);
  rdp::PlacedSegments painter_;
  std::vector<std::byte> drawing_ = std::vector<std::byte>(4 * kDrawnWidth * kDrawnHeight);
  std::vector<std::byte> picture_ =
      std::vector<std::byte>(4 * kDrawnWidth * kDrawnHeight, std::byte{128});
};

}  // namespace

int main(int argc, char** argv) {
  bool quick = false;
  int pictures = 201;
  rdp::test::CommandLine line("What rdpoverlay's drawing takes on the CPU.");
  line.flag("quick", &quick, "a few pictures, whose times mean nothing");
  line.number("pictures", &pictures, {1, 100000}, "how many are drawn for each number");
  line.read(argc, argv);
  if (quick) pictures = 3;
  std::printf(
      "SIMD %s, pictures of %dx%d, %d for each number\n\n"
      "| frame | segments | picture | threads | placing, ms | drawing, ms | of processors, ms |\n"
      "|---|---|---|---|---|---|---|\n",
      rdp::current_simd_target(), kDrawnWidth, kDrawnHeight, pictures);
  using rdp::bench::DrawnStreet;
  for (const DrawnStreet& street :
       {DrawnStreet(640, 480, 1.0), DrawnStreet(1242, 375, 2.0), DrawnStreet(1280, 720, 3.0)}) {
    Bench bench(street, pictures);
    for (const bool nv12 : {true, false}) {
      for (const unsigned threads : {1U, 2U}) bench.measure(threads, nv12);
    }
  }
  return 0;
}
