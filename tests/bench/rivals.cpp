// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/bench/rivals.h"

#include <algorithm>
#include <cmath>

extern "C" const unsigned char rdp_rivals_fatbin[];

namespace rdp::bench {

using cuda::launch;
using cuda::LaunchShape;

std::vector<FloorShape> floor_shapes(std::uint32_t frame_words) {
  std::vector<FloorShape> shapes;
  for (const unsigned threads : {256U, 512U, 1024U}) {
    for (const unsigned words : {1U, 2U, 4U, 8U, 16U}) {  // per thread
      const unsigned blocks = (frame_words + threads * words - 1) / (threads * words);
      shapes.push_back({std::max(blocks, 1U), threads});
    }
  }
  return shapes;
}

Rivals::Rivals()
    : module_(rdp_rivals_fatbin),
      empty_(module_.kernel("rdp_bench_empty")),
      spin_(module_.kernel("rdp_bench_spin")),
      floor_(module_.kernel("rdp_bench_floor")),
      algorithm3_(module_.kernel("rdp_bench_algorithm3")),
      median_one_(module_.kernel("rdp_bench_median_one")),
      median_two_(module_.kernel("rdp_bench_median_two")) {}

void Rivals::empty(CUstream stream) const {
  launch(empty_, "rdp_bench_empty", LaunchShape{1, 1, 32, 0}, stream, SpinArguments{0});
}

void Rivals::spin(unsigned nanoseconds, CUstream stream) const {
  launch(spin_, "rdp_bench_spin", LaunchShape{1, 1, 1, 0}, stream, SpinArguments{nanoseconds});
}

void Rivals::floor(const FloorArguments& arguments, FloorShape shape, CUstream stream) const {
  launch(floor_, "rdp_bench_floor", LaunchShape{shape.blocks, 1, shape.threads, 0}, stream,
         arguments);
}

void Rivals::algorithm3(const Algorithm3Arguments& arguments, int columns, CUstream stream) const {
  const auto threads = static_cast<unsigned>((arguments.height + 31) / 32 * 32);
  launch(algorithm3_, "rdp_bench_algorithm3",
         LaunchShape{static_cast<unsigned>(columns), 1, threads, 0}, stream, arguments);
}

void Rivals::median(const cuda::DeviceDepthView& in, const cuda::DeviceDepthView& out, bool pairs,
                    CUstream stream) const {
  constexpr unsigned kThreads = 256;
  const RivalMedianArguments arguments{reinterpret_cast<const unsigned char*>(in.data),
                                       reinterpret_cast<unsigned char*>(out.data),
                                       in.pitch,
                                       out.pitch,
                                       in.width,
                                       in.height};
  const unsigned columns = kThreads * (pairs ? 2 : 1);
  const LaunchShape shape{(static_cast<unsigned>(in.width) + columns - 1) / columns,
                          static_cast<unsigned>(in.height), kThreads, 0};
  launch(pairs ? median_two_ : median_one_, "rdp_bench_median", shape, stream, arguments);
}

ColumnMajorFrame column_major(const DepthView& frame, const KnownRange& known) {
  ColumnMajorFrame result;
  result.columns.reserve(static_cast<std::size_t>(frame.width) * frame.height);
  for (int column = 0; column < frame.width; ++column) {
    std::uint32_t ends = kNoRows;
    for (int row = 0; row < frame.height; ++row) {
      const std::uint16_t sample = frame.at(row, column);
      result.columns.push_back(sample);
      if (!known.contains(sample)) continue;
      const auto here = static_cast<std::uint32_t>(row);
      ends = (ends == kNoRows ? here : ends & 0xFFFF) | here << 16;
    }
    result.ends.push_back(ends);
  }
  return result;
}

VertexJudgement judge_vertices(const DepthView& frame, const KnownRange& known, double epsilon,
                               const std::vector<unsigned char>& vertices,
                               const SegmentList& exact) {
  // The float error of values up to 65535: some units in the last of 24 bits.
  constexpr double kFloatError = 0.05;
  VertexJudgement judgement;
  std::vector<char> expected(static_cast<std::size_t>(frame.height));
  for (int column = 0; column < frame.width; ++column) {
    const unsigned char* marks = vertices.data() + static_cast<std::size_t>(column) * frame.height;
    std::fill(expected.begin(), expected.end(), 0);
    for (const Segment& segment : exact.column(column)) {
      expected[segment.first_row] = expected[segment.last_row] = 1;
    }
    int first = -1;
    for (int row = 0; row < frame.height; ++row) {
      const bool here = marks[row] == 0;
      judgement.differing += here != (expected[static_cast<std::size_t>(row)] != 0);
      judgement.vertices += here;
      if (!here) continue;
      const double last_value = frame.at(row, column);
      for (int i = std::max(first + 1, 0); i < row; ++i) {
        const double value = frame.at(i, column);
        if (!known.contains(static_cast<std::uint32_t>(value))) continue;
        double distance = 1e9;  // for samples above the first vertex
        if (first >= 0) {
          const double first_value = frame.at(first, column);
          distance = std::abs(first_value +
                              (last_value - first_value) * (i - first) / (row - first) - value);
        }
        if (distance <= epsilon + kFloatError || !judgement.wrong.empty()) continue;
        judgement.wrong = "column " + std::to_string(column) + ", row " + std::to_string(i) +
                          " is " + std::to_string(distance) + " away from its segment";
      }
      first = row;
    }
    for (int i = first + 1; i < frame.height && judgement.wrong.empty(); ++i) {
      if (known.contains(frame.at(i, column))) {
        judgement.wrong =
            "column " + std::to_string(column) + ": known samples below the last vertex";
      }
    }
  }
  return judgement;
}

}  // namespace rdp::bench
