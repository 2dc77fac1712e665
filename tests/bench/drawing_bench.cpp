// SPDX-License-Identifier: LGPL-2.1-or-later
// How long rdpoverlay's drawing takes on the CPU: segments of depthtestsrc's street are placed on a
// picture of 1280x720, painted and blended into it, some rows at a time as the element does it.
// Also what all threads take of the processors together, which other work does not change as much.
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
#include "common/rdp/engine.h"
#include "common/rdp/placed_segments.h"
#include "tests/bench/median.h"
#include "tests/support/command_line.h"
#include "tests/support/depth_patterns.h"

namespace {

constexpr int kWidth = 1280;
constexpr int kHeight = 720;
constexpr int kBand = 64;  // as rdpoverlay has it

double microseconds(std::chrono::steady_clock::duration time) {
  return std::chrono::duration<double, std::micro>(time).count();
}

struct Frame {
  int width;
  int height;
  double epsilon;
};

class Bench {
 public:
  Bench(const Frame& frame, int pictures) : frame_(frame), pictures_(pictures) {
    std::vector<std::byte> samples(std::size_t{2} * frame.width * frame.height);
    const rdp::MutableDepthView view{samples.data(), std::ptrdiff_t{2} * frame.width, frame.width,
                                     frame.height, rdp::SampleType::kU16};
    rdp::TestPatternRenderer().draw(0, rdp::test::matched_street(), view);
    parameters_.epsilon = frame.epsilon;
    parameters_.sample_scale = 1.0 / 256;
    rdp::Engine(1).segment(view, parameters_, &segments_);
  }

  void measure(unsigned threads, bool nv12) {
    rdp::ThreadPool pool;
    pool.resize(threads);
    const rdp::FramePlacement placement{static_cast<double>(kWidth) / frame_.width,
                                        static_cast<double>(kHeight) / frame_.height, 0.0, 0.0};
    rdp::PlacedLook look;
    look.alpha = 153;
    std::vector<double> placing;
    std::vector<double> all;
    std::vector<double> busy;
    for (int i = 0; i < pictures_; ++i) {
      const std::clock_t busy_before = std::clock();
      const auto start = std::chrono::steady_clock::now();
      painter_.place(segments_, parameters_, frame_.width, frame_.height, placement, look);
      placing.push_back(microseconds(std::chrono::steady_clock::now() - start));
      rdp::for_bands(&pool, kHeight, kBand, [&](int first, int end) { draw(first, end, nv12); });
      all.push_back(microseconds(std::chrono::steady_clock::now() - start));
      busy.push_back(static_cast<double>(std::clock() - busy_before) * 1000.0 / CLOCKS_PER_SEC);
    }
    std::printf("| %dx%d | %zu | %s | %u | %.2f | %.2f | %.2f |\n", frame_.width, frame_.height,
                segments_.segment_count(), nv12 ? "NV12" : "RGBA", threads,
                rdp::bench::median_of(placing) / 1000.0, rdp::bench::median_of(all) / 1000.0,
                rdp::bench::median_of(busy));
    std::fflush(stdout);
  }

 private:
  void draw(int first, int end, bool nv12) {
    const std::ptrdiff_t stride = std::ptrdiff_t{4} * kWidth;
    const rdp::RgbaView drawing{drawing_.data(), stride, kWidth, kHeight};
    painter_.paint(drawing, first, end);
    const rdp::RgbaView rows{drawing.data + first * stride, stride, kWidth, end - first};
    if (nv12) {
      rdp::blend_into_nv12(
          rows, matrix_,
          {picture_.data() + first * kWidth, kWidth,
           picture_.data() + (kHeight + first / 2) * kWidth, kWidth, kWidth, end - first});
    } else {
      rdp::blend_into_rgba(rows, {picture_.data() + first * stride, stride, kWidth, end - first});
    }
  }

  const Frame frame_;
  const int pictures_;
  const rdp::YuvMatrix matrix_ = rdp::yuv_matrix(0.2126, 0.0722, false);
  rdp::Parameters parameters_;
  rdp::SegmentList segments_;
  rdp::PlacedSegments painter_;
  std::vector<std::byte> drawing_ = std::vector<std::byte>(4 * kWidth * kHeight);
  std::vector<std::byte> picture_ = std::vector<std::byte>(4 * kWidth * kHeight, std::byte{128});
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
      rdp::current_simd_target(), kWidth, kHeight, pictures);
  for (const Frame& frame : {Frame{640, 480, 1.0}, Frame{1242, 375, 2.0}, Frame{1280, 720, 3.0}}) {
    Bench bench(frame, pictures);
    for (const bool nv12 : {true, false}) {
      for (const unsigned threads : {1U, 2U}) bench.measure(threads, nv12);
    }
  }
  return 0;
}
