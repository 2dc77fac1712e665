// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/bench/median_measure.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <opencv2/imgproc.hpp>
#include <stdexcept>
#include <string>

#include "kernels/filters/filters.h"
#include "kernels/runtime/cuda_error.h"
#include "kernels/runtime/driver.h"
#include "tests/bench/frame_ring.h"
#include "tests/gpu/extra_driver.h"

namespace rdp::bench {
namespace {

using cuda::check;
using cuda::DeviceDepthView;
using cuda::driver;

using Filter = std::function<void(const DeviceDepthView&, const DeviceDepthView&, CUstream)>;

class MedianBench {
 public:
  MedianBench(const cv::Mat& frame, int lanes, const GraphTimer& timer, int replays)
      : frame_(frame),
        timer_(timer),
        replays_(replays),
        in_(view(), timer.stream()),
        out_(view(), timer.stream()),
        streams_(static_cast<std::size_t>(lanes)),
        events_(static_cast<std::size_t>(lanes)) {}

  // Microseconds per frame.
  double time(const Filter& filter) const {
    const int lanes = static_cast<int>(streams_.size());
    const int rounds = (in_.copies() + lanes - 1) / lanes;
    const CUstream stream = timer_.stream();
    const Graph graph(stream, [&] {
      fork_.record(stream);
      for (int lane = 0; lane < lanes; ++lane) {
        const auto l = static_cast<std::size_t>(lane);
        const CUstream branch = lanes == 1 ? stream : streams_[l].get();
        if (lanes > 1) check(driver().cuStreamWaitEvent(branch, fork_.get(), 0), "forking");
        for (int round = 0; round < rounds; ++round) {
          filter(in_.at(round * lanes + lane), out_.at(round * lanes + lane), branch);
        }
        if (lanes == 1) continue;
        events_[l].record(branch);
        check(driver().cuStreamWaitEvent(stream, events_[l].get(), 0), "joining");
      }
    });
    return timer_.time(graph, replays_).microseconds / (rounds * lanes);
  }

  // Throws unless the filter's result equals OpenCV's.
  void compare(const Filter& filter, int side, const std::string& name) const {
    cv::Mat expected;
    cv::medianBlur(frame_, expected, side);
    const DeviceDepthView out = out_.at(0);
    const CUstream stream = timer_.stream();
    check(driver().cuMemsetD8Async(out.data, 0x5A, static_cast<std::size_t>(out.pitch) * out.height,
                                   stream),
          "filling memory");
    filter(in_.at(0), out, stream);
    cv::Mat actual(frame_.size(), frame_.type());
    CUDA_MEMCPY2D copy = {};
    copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.srcDevice = out.data;
    copy.srcPitch = static_cast<std::size_t>(out.pitch);
    copy.dstMemoryType = CU_MEMORYTYPE_HOST;
    copy.dstHost = actual.data;
    copy.dstPitch = actual.step[0];
    copy.WidthInBytes = static_cast<std::size_t>(frame_.cols) * frame_.elemSize();
    copy.Height = static_cast<std::size_t>(frame_.rows);
    check(driver().cuMemcpy2DAsync_v2(&copy, stream), "copying medians");
    check(driver().cuStreamSynchronize(stream), "running a median");
    for (int row = 0; row < frame_.rows; ++row) {
      if (std::memcmp(actual.ptr(row), expected.ptr(row), copy.WidthInBytes) == 0) continue;
      throw std::runtime_error(name + ": row " + std::to_string(row) +
                               " is not cv::medianBlur's; nothing is timed");
    }
  }

 private:
  DepthView view() const {
    return {reinterpret_cast<const std::byte*>(frame_.data),
            static_cast<std::ptrdiff_t>(frame_.step[0]), frame_.cols, frame_.rows,
            frame_.elemSize() == 1 ? SampleType::kU8 : SampleType::kU16};
  }

  const cv::Mat frame_;
  const GraphTimer& timer_;
  int replays_;
  FrameRing in_;
  FrameRing out_;
  std::vector<cuda::Stream> streams_;
  std::vector<cuda::Event> events_;
  cuda::Event fork_;
};

}  // namespace

MedianTimes measure_medians(const BenchFrame& frame, SampleType type, int lanes,
                            const Rivals& rivals, const GraphTimer& timer, int replays) {
  const bool wide = type == SampleType::kU16;
  cv::Mat picture(frame.height, frame.width, CV_16UC1);
  std::copy(frame.samples.begin(), frame.samples.end(), picture.ptr<std::uint16_t>());
  if (!wide) picture.convertTo(picture, CV_8U, 1.0 / 256);
  const MedianBench bench(picture, lanes, timer, replays);
  const cuda::MedianFilter filter;
  const auto ours = [&](int side) {
    return [&, side](const DeviceDepthView& in, const DeviceDepthView& out, CUstream stream) {
      filter.run(in, side, out, stream);
    };
  };
  const auto rival = [&](bool pairs) {
    return [&, pairs](const DeviceDepthView& in, const DeviceDepthView& out, CUstream stream) {
      rivals.median(in, out, pairs, stream);
    };
  };
  MedianTimes times{frame.width, frame.height, bytes_per_sample(type), lanes};
  bench.compare(ours(3), 3, "our 3x3 median");
  bench.compare(ours(5), 5, "our 5x5 median");
  times.ours3 = bench.time(ours(3));
  times.ours5 = bench.time(ours(5));
  if (wide) {
    bench.compare(rival(false), 3, "the median of one thread a sample");
    bench.compare(rival(true), 3, "the median of one thread for two samples");
    times.one_sample = bench.time(rival(false));
    times.two_samples = bench.time(rival(true));
  }
  times.copy = bench.time([&](const DeviceDepthView& in, const DeviceDepthView& out, CUstream s) {
    const auto bytes = static_cast<std::size_t>(in.pitch) * static_cast<std::size_t>(in.height);
    check(test::extra_driver()->cuMemcpyDtoDAsync_v2(out.data, in.data, bytes, s), "copying");
  });
  return times;
}

}  // namespace rdp::bench
