// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/bench/segment_measure.h"

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

#include "common/rdp/reference.h"
#include "kernels/primitives/frame_list.h"
#include "kernels/runtime/cuda_error.h"
#include "kernels/runtime/driver.h"
#include "tests/bench/median.h"
#include "tests/gpu/extra_driver.h"

namespace rdp::bench {
namespace {

using cuda::check;
using cuda::driver;

// Frames of this time or more are slow; graphs contain only a few of them.
constexpr double kSlowFrame = 3000;  // microseconds
constexpr int kSlowCopies = 4;

// Runs reference::segment() on strips of columns.
void segment_by_reference(const DepthView& frame, const KnownRange& known,
                          const SegmentRules& rules, SegmentList* result) {
  const int strips =
      std::clamp(static_cast<int>(std::thread::hardware_concurrency()) * 4, 1, frame.width);
  std::vector<SegmentList> parts(static_cast<std::size_t>(strips));
  std::vector<std::thread> threads;
  const int workers = std::max(1, strips / 4);
  const auto start = [&](int strip) {
    return static_cast<int>(static_cast<std::int64_t>(frame.width) * strip / strips);
  };
  for (int worker = 0; worker < workers; ++worker) {
    threads.emplace_back([&, worker] {
      for (int strip = worker; strip < strips; strip += workers) {
        DepthView part = frame;
        part.data += static_cast<std::ptrdiff_t>(start(strip)) * bytes_per_sample(frame.type);
        part.width = start(strip + 1) - start(strip);
        reference::segment(part, known, rules, &parts[static_cast<std::size_t>(strip)]);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::uint32_t* offsets = result->resize_columns(frame.width);
  std::uint32_t before = 0;
  *offsets++ = 0;
  for (const SegmentList& part : parts) {
    for (const std::uint32_t offset : part.offsets().subspan(1)) *offsets++ = before + offset;
    before += static_cast<std::uint32_t>(part.segment_count());
  }
  Segment* segments = result->resize_segments();
  for (const SegmentList& part : parts) {
    segments = std::copy(part.segments().begin(), part.segments().end(), segments);
  }
}

Result per_frame(const Timing& timing, int frames) {
  return {timing.microseconds / frames, timing.replays};
}

}  // namespace

Question::Question(const BenchFrame& its_frame, double its_epsilon, bool merge, Fit fit,
                   bool bounded)
    : frame(its_frame), epsilon(its_epsilon) {
  Parameters parameters = frame.parameters;
  parameters.epsilon = epsilon;
  known = segmented_known_range(parameters, SampleType::kU16);
  parameters.merge = merge;
  parameters.fit = fit;
  parameters.merge_bounded = bounded;
  eps256 = epsilon256(parameters);
  rules = segment_rules(parameters);
  segment_by_reference(frame.view(), known, rules, &expected);
}

SegmentStream::SegmentStream(const Question& question, const FrameRing& frames, Kernels kernels,
                             int count, CUstream stream)
    : question_(question), count_(count) {
  const BenchFrame& frame = question.frame;
  segmenter_.use(kernels);
  segmenter_.prepare(frame.width, frame.height);
  list_.prepare(frame.width, frame.height, count);
  // Twice: the second launch uses the kernel chosen from the first one's results.
  for (int pass = 0; pass < 2; ++pass) {
    do {
      enqueue(frames, 0, stream);
      cuda::check(driver().cuStreamSynchronize(stream), "segmenting a frame");
    } while (list_.grow_if_truncated());
    check(stream);
  }
}

void SegmentStream::check(CUstream stream) {
  SegmentList actual;
  for (int frame = 0; frame < count_; ++frame) {
    list_.copy_to(&actual, stream, frame);
    if (!std::ranges::equal(actual.offsets(), question_.expected.offsets()) ||
        !std::ranges::equal(actual.segments(), question_.expected.segments())) {
      throw std::runtime_error("the GPU's segments of \"" + question_.frame.name +
                               "\" are not those of the reference: nothing is timed");
    }
  }
}

void SegmentStream::enqueue(const FrameRing& frames, int launch, CUstream stream) {
  cuda::DeviceDepthView views[cuda::kMaxFrames];
  for (int i = 0; i < count_; ++i) views[i] = frames.at(launch * count_ + i);
  segmenter_.segment(
      std::span<const cuda::DeviceDepthView>(views, static_cast<std::size_t>(count_)),
      question_.known, question_.rules, &list_, stream);
}

SegmentMeasure::SegmentMeasure(const Rivals* rivals, const GraphTimer* timer, int replays)
    : rivals_(rivals), timer_(timer), replays_(replays) {}

Result SegmentMeasure::segmenter(const Question& question, Kernels kernels) const {
  const CUstream stream = timer_->stream();
  const FrameRing frames(question.frame.view(), stream);
  SegmentStream segments(question, frames, kernels, 1, stream);
  int count = frames.copies();
  const Graph one(stream, [&] { segments.enqueue(frames, 0, stream); });
  if (timer_->time(one, 1).microseconds > kSlowFrame) count = kSlowCopies;
  const Graph graph(stream, [&] {
    for (int i = 0; i < count; ++i) segments.enqueue(frames, i, stream);
  });
  Result result = per_frame(timer_->time(graph, replays_), count);
  result.used_queues = segments.used_queues();
  return result;
}

Result SegmentMeasure::segmenter_alone(const Question& question) const {
  const CUstream stream = timer_->stream();
  const FrameRing frames(question.frame.view(), stream);
  SegmentStream segments(question, frames, Kernels::kChosen, 1, stream);
  std::vector<Graph> graphs;
  for (int i = 0; i < frames.copies(); ++i) {
    graphs.emplace_back(stream, [&] { segments.enqueue(frames, i, stream); });
  }
  return per_frame(timer_->time(graphs, replays_), 1);
}

Result SegmentMeasure::segmenter_batch(const Question& question, int count, Kernels kernels) const {
  const CUstream stream = timer_->stream();
  const FrameRing frames(question.frame.view(), stream);
  SegmentStream segments(question, frames, kernels, count, stream);
  // Enough launches to cover all copies of the frame.
  const int launches = std::max(2, (frames.copies() + count - 1) / count);
  const Graph graph(stream, [&] {
    for (int i = 0; i < launches; ++i) segments.enqueue(frames, i, stream);
  });
  Result result = per_frame(timer_->time(graph, replays_), launches * count);
  result.used_queues = segments.used_queues();
  return result;
}

Result SegmentMeasure::algorithm3(const Question& question, VertexJudgement* judgement) const {
  const BenchFrame& frame = question.frame;
  if (frame.height > kAlgorithm3Rows) return {};
  const CUstream stream = timer_->stream();
  const ColumnMajorFrame host = column_major(frame.view(), question.known);
  const int copies = ring_copies(question.frame_bytes());
  Ring columns;
  Ring ends;
  Ring vertices;
  columns.fill(host.columns.data(), question.frame_bytes(), copies, stream);
  ends.fill(host.ends.data(), host.ends.size() * sizeof(std::uint32_t), 1, stream);
  vertices.reserve(frame.samples.size(), kFewestCopies);
  const double epsilon = static_cast<double>(question.eps256) / 256;
  const auto enqueue = [&](int i) {
    rivals_->algorithm3({reinterpret_cast<const std::uint16_t*>(columns.at(i)),
                         reinterpret_cast<const std::uint32_t*>(ends.at(i)), frame.height,
                         static_cast<float>(epsilon), question.known.first, question.known.last,
                         reinterpret_cast<unsigned char*>(vertices.at(i))},
                        frame.width, stream);
  };
  enqueue(0);
  std::vector<unsigned char> result(frame.samples.size());
  check(driver().cuMemcpyDtoHAsync_v2(result.data(), vertices.at(0), result.size(), stream),
        "copying vertices");
  check(driver().cuStreamSynchronize(stream), "running Algorithm 3");
  *judgement = judge_vertices(frame.view(), question.known, epsilon, result, question.expected);
  if (!judgement->wrong.empty()) {
    throw std::runtime_error("Algorithm 3 does not segment \"" + frame.name +
                             "\": " + judgement->wrong + "; nothing is timed");
  }
  const Graph one(stream, [&] { enqueue(0); });
  const int count = timer_->time(one, 1).microseconds > kSlowFrame ? kSlowCopies : copies;
  const Graph graph(stream, [&] {
    for (int i = 0; i < count; ++i) enqueue(i);
  });
  return per_frame(timer_->time(graph, replays_), count);
}

Result SegmentMeasure::empty() const {
  constexpr int kLaunches = 48;
  const CUstream stream = timer_->stream();
  const Graph graph(stream, [&] {
    for (int i = 0; i < kLaunches; ++i) rivals_->empty(stream);
  });
  return per_frame(timer_->time(graph, replays_), kLaunches);
}

Result SegmentMeasure::empty_alone() const {
  const CUstream stream = timer_->stream();
  const Graph graph(stream, [&] { rivals_->empty(stream); });
  return per_frame(timer_->time(graph, replays_), 1);
}

Result SegmentMeasure::floor(const Question& question) const {
  const CUstream stream = timer_->stream();
  const std::size_t bytes = question.frame_bytes() / 16 * 16;
  const std::size_t result_bytes = (question.result_bytes() + 15) / 16 * 16;
  const int copies = ring_copies(bytes);
  Ring frames;
  frames.fill(question.frame.samples.data(), bytes, copies, stream);
  Ring results;
  results.reserve(result_bytes, 1);  // reused, like the segmenter's list
  Result best;
  const auto words = static_cast<std::uint32_t>(bytes / 16);
  const auto time = [&](FloorShape shape, int replays) {
    const Graph graph(stream, [&] {
      for (int i = 0; i < copies; ++i) {
        rivals_->floor(
            {reinterpret_cast<const void*>(frames.at(i)), reinterpret_cast<void*>(results.at(i)),
             words, static_cast<std::uint32_t>(result_bytes / 16)},
            shape, stream);
      }
    });
    return per_frame(timer_->time(graph, replays), copies);
  };
  FloorShape fastest;
  for (const FloorShape shape : floor_shapes(words)) {
    const Result result = time(shape, 5);
    if (best.replays > 0 && result.microseconds >= best.microseconds) continue;
    best = result;
    fastest = shape;
  }
  return time(fastest, replays_);
}

Result SegmentMeasure::cpu(const Question& question, Engine* engine) const {
  using Clock = std::chrono::steady_clock;
  Parameters parameters;
  parameters.epsilon = static_cast<double>(question.eps256) / 256;
  parameters.min_value = question.known.first;
  parameters.max_value = question.known.last;
  parameters.merge = question.rules.merge;
  parameters.fit = question.rules.fit;
  SegmentList list;
  std::vector<double> times;
  const auto begin = Clock::now();
  while (static_cast<int>(times.size()) < std::max(replays_, 10) &&
         (times.size() < 5 || Clock::now() - begin < std::chrono::seconds(2))) {
    const auto start = Clock::now();
    engine->segment(question.frame.view(), parameters, &list);
    const std::chrono::duration<double, std::micro> time = Clock::now() - start;
    times.push_back(time.count());
  }
  if (!std::ranges::equal(list.segments(), question.expected.segments())) {
    throw std::runtime_error("the CPU engine's segments of \"" + question.frame.name +
                             "\" are not those of the reference: nothing is timed");
  }
  const int count = static_cast<int>(times.size());
  return {median_of(std::move(times)), count};
}

double SegmentMeasure::copy_bytes_a_second() const {
  constexpr std::size_t kBytes = std::size_t{1} << 30;
  const CUstream stream = timer_->stream();
  cuda::DeviceBuffer from;
  cuda::DeviceBuffer to;
  from.ensure(kBytes);
  to.ensure(kBytes);
  check(driver().cuMemsetD8Async(from.get(), 1, kBytes, stream), "filling memory");
  const Graph graph(stream, [&] {
    check(test::extra_driver()->cuMemcpyDtoDAsync_v2(to.get(), from.get(), kBytes, stream),
          "copying within the device");
  });
  return 2.0 * kBytes / (timer_->time(graph, replays_).microseconds * 1e-6);
}

}  // namespace rdp::bench
