// SPDX-License-Identifier: LGPL-2.1-or-later
// Joules of a frame, of each method's engine and of Algorithm 3: graphs of different frames,
// replayed back to back, everything in device memory.
//   segments, algorithm3  64 frames of the paper's Table 1: KITTI at 1242x1024 after a 5x5 median,
//                         with their columns turned round where there are fewer; else drawn streets
//   stereo                64 pairs of 1242x375, 128 disparities, 4 paths
//   planes                64 rooms of 640x480
//   tracks                3,300 features of a frame to each of 64 others, as gpu_klt_bench has them
//   heights               4 sets of three views of 781x621, 40 half-iterations
#include "tests/bench/gpu_energy.h"

#include <algorithm>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "kernels/heightmap/engine.h"
#include "kernels/klt/engine.h"
#include "kernels/planes/frame_engine.h"
#include "kernels/runtime/cuda_error.h"
#include "kernels/runtime/driver.h"
#include "kernels/stereo/engine.h"
#include "tests/bench/crowd_sets.h"
#include "tests/bench/gpu_experiments.h"
#include "tests/bench/klt_pictures.h"
#include "tests/planes/plane_patterns.h"
#include "tests/stereo/stereo_patterns.h"
#include "tests/support/depth_patterns.h"

namespace rdp::bench {
namespace {

using cuda::check;
using cuda::driver;

constexpr int kFrames = 64;

// A graph that starts over while its last replay is still at work.
class Replays {
 public:
  Replays(const GraphTimer& timer, int frames, const std::function<void(int)>& enqueue)
      : stream_(timer.stream()), graph_(stream_, [&] {
          for (int i = 0; i < frames; ++i) enqueue(i);
        }) {
    constexpr double kCall = 5000;  // microseconds
    const double once = timer.time(graph_, 3).microseconds;
    times_ = std::max(1, static_cast<int>(kCall / once));
    frames_ = long{frames} * times_;
    for (CUevent& event : done_) {
      check(driver().cuEventCreate(&event, CU_EVENT_DISABLE_TIMING), "creating an event");
    }
  }
  ~Replays() {
    for (const CUevent event : done_) driver().cuEventDestroy_v2(event);
  }
  Replays(const Replays&) = delete;
  Replays& operator=(const Replays&) = delete;

  // Waits for the call before.
  long go_on() {
    for (int i = 0; i < times_; ++i) graph_.launch(stream_);
    check(driver().cuEventRecord(done_[now_], stream_), "recording an event");
    now_ = 1 - now_;
    check(driver().cuEventSynchronize(done_[now_]), "waiting for the GPU");
    return frames_;
  }
  void wait() const { check(driver().cuStreamSynchronize(stream_), "waiting for the GPU"); }

 private:
  CUstream stream_;
  Graph graph_;
  int times_ = 1;
  long frames_ = 0;
  std::size_t now_ = 0;
  CUevent done_[2] = {};
};

// memory: what the graph works with.
EnergySide side_of(const std::string& name, const GraphTimer& timer, int frames,
                   std::shared_ptr<void> memory, const std::function<void(int)>& enqueue) {
  const auto replays = std::make_shared<Replays>(timer, frames, enqueue);
  return {name, [replays, memory = std::move(memory)] { return replays->go_on(); }, [] {},
          [replays] { replays->wait(); }};
}

// Frames that are drawn by their number.
struct DrawnFrames {
  int width, height;
  SampleType type;
  std::vector<std::vector<std::byte>> bytes;

  DrawnFrames(int its_width, int its_height, SampleType its_type, int count)
      : width(its_width), height(its_height), type(its_type) {
    const std::size_t size = static_cast<std::size_t>(width) * static_cast<std::size_t>(height) *
                             static_cast<std::size_t>(bytes_per_sample(type));
    bytes.assign(static_cast<std::size_t>(count), std::vector<std::byte>(size));
  }
  MutableDepthView at(int number) {
    return {bytes[static_cast<std::size_t>(number)].data(),
            static_cast<std::ptrdiff_t>(width) * bytes_per_sample(type), width, height, type};
  }
  FrameRing ring(CUstream stream) {
    std::vector<DepthView> views;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      const MutableDepthView view = at(static_cast<int>(i));
      views.push_back({view.data, view.stride, width, height, type});
    }
    return {views, stream};
  }
};

// A buffer on the device that every frame's result is written to.
struct Result2D {
  cuda::DeviceBuffer memory;
  cuda::DeviceDepthView view;

  Result2D(int width, int height, SampleType type) {
    const std::int64_t pitch = (std::int64_t{width} * bytes_per_sample(type) + 511) / 512 * 512;
    view = {memory.ensure(static_cast<std::size_t>(pitch) * static_cast<std::size_t>(height)),
            pitch, width, height, type};
  }
};

std::vector<BenchFrame> table1_frames(const std::vector<BenchFrame>& frames) {
  std::vector<const BenchFrame*> recorded;
  for (const BenchFrame& frame : frames) {
    // What remains is KITTI's.
    if (frame.name.ends_with(" scaled") && frame.name != "disparity scaled") {
      recorded.push_back(&frame);
    }
  }
  std::vector<BenchFrame> found;
  for (int i = 0; i < kFrames; ++i) {
    BenchFrame frame{"street " + std::to_string(i), 1242, 1024, {}, {}};
    frame.parameters.sample_scale = 1.0 / 256;
    if (recorded.empty()) {
      frame.samples.resize(static_cast<std::size_t>(frame.width) * 1024);
      test::draw_scene(
          {reinterpret_cast<std::byte*>(frame.samples.data()), std::ptrdiff_t{2} * frame.width,
           frame.width, frame.height, SampleType::kU16},
          test::Scene::kStreet, static_cast<std::uint32_t>(i));
    } else {
      const auto count = static_cast<int>(recorded.size());
      frame = *recorded[static_cast<std::size_t>(i % count)];
      for (auto row = frame.samples.begin(); row != frame.samples.end(); row += frame.width) {
        std::rotate(row, row + i / count * 100 % frame.width, row + frame.width);
      }
    }
    found.push_back(std::move(frame));
  }
  return found;
}

}  // namespace

void Experiments::add_segments(std::vector<EnergySide>* sides) {
  const CUstream stream = timer_.stream();
  const std::vector<BenchFrame> frames = table1_frames(frames_);
  std::vector<Question> questions;
  std::vector<DepthView> views;
  for (const BenchFrame& frame : frames) {
    questions.emplace_back(frame, 4);
    views.push_back(frame.view());
  }
  const Question& first = questions.front();
  if (wanted("segments")) {
    struct Memory {
      FrameRing frames;
      cuda::Segmenter segmenter{};
      cuda::DeviceSegmentList list{};
    };
    const std::shared_ptr<Memory> m(new Memory{{views, stream}});
    m->segmenter.prepare(first.frame.width, first.frame.height);
    m->list.prepare(first.frame.width, first.frame.height);
    const auto enqueue = [this, m, known = first.known, rules = first.rules](int i) {
      m->segmenter.segment(m->frames.at(i), known, rules, &m->list, timer_.stream());
    };
    // The choice of kernels settles, and the list grows.
    for (int i = 0; i < 2 * kFrames; ++i) {
      do {
        enqueue(i);
        check(driver().cuStreamSynchronize(stream), "segmenting a frame");
      } while (m->list.grow_if_truncated());
      SegmentList found;
      m->list.copy_to(&found, stream);
      const Question& q = questions[static_cast<std::size_t>(i % kFrames)];
      if (!std::ranges::equal(found.segments(), q.expected.segments())) {
        throw std::runtime_error("the GPU's segments of \"" + q.frame.name +
                                 "\" are not those of the reference: nothing is measured");
      }
    }
    sides->push_back(side_of("segments", timer_, kFrames, m, enqueue));
  }
  if (!wanted("algorithm3")) return;
  struct Memory {
    Ring columns{}, ends{}, vertices{};
  };
  const auto m = std::make_shared<Memory>();
  const std::size_t samples = first.frame.samples.size();
  m->columns.reserve(first.frame_bytes(), kFrames);
  m->ends.reserve(sizeof(std::uint32_t) * static_cast<std::size_t>(first.frame.width), kFrames);
  m->vertices.reserve(samples, kFewestCopies);
  const auto enqueue = [this, m, &first](int i) {
    rivals_.algorithm3({reinterpret_cast<const std::uint16_t*>(m->columns.at(i)),
                        reinterpret_cast<const std::uint32_t*>(m->ends.at(i)), first.frame.height,
                        static_cast<float>(first.eps256) / 256, first.known.first, first.known.last,
                        reinterpret_cast<unsigned char*>(m->vertices.at(i))},
                       first.frame.width, timer_.stream());
  };
  for (int i = 0; i < kFrames; ++i) {
    const Question& q = questions[static_cast<std::size_t>(i)];
    const ColumnMajorFrame host = column_major(q.frame.view(), q.known);
    m->columns.put(i, host.columns.data(), q.frame_bytes(), stream);
    m->ends.put(i, host.ends.data(), host.ends.size() * sizeof(std::uint32_t), stream);
    enqueue(i);
    std::vector<unsigned char> result(samples);
    check(driver().cuMemcpyDtoHAsync_v2(result.data(), m->vertices.at(i), samples, stream),
          "copying vertices");
    check(driver().cuStreamSynchronize(stream), "running Algorithm 3");
    const std::string wrong =
        judge_vertices(q.frame.view(), q.known, static_cast<double>(q.eps256) / 256, result,
                       q.expected)
            .wrong;
    if (!wrong.empty()) {
      throw std::runtime_error("Algorithm 3 does not segment \"" + q.frame.name + "\": " + wrong);
    }
  }
  sides->push_back(side_of("algorithm3", timer_, kFrames, m, enqueue));
}

// The engines' own benchmarks compare their results.
void Experiments::add_others(std::vector<EnergySide>* sides) {
  const CUstream stream = timer_.stream();
  const auto add = [&](const char* name, int frames, const std::shared_ptr<void>& memory,
                       const std::function<void(int)>& work) {
    for (int i = 0; i < 2; ++i) {  // what it allocates comes before the graph
      work(i);
      check(driver().cuStreamSynchronize(stream), "waiting for the GPU");
    }
    sides->push_back(side_of(name, timer_, frames, memory, work));
  };
  if (wanted("stereo")) {
    struct Memory {
      FrameRing left, right;
      Result2D disparity{1242, 375, SampleType::kU16};
      cuda::StereoEngine engine{};
    };
    DrawnFrames left(1242, 375, SampleType::kU8, kFrames), right = left;
    const stereo::Parameters parameters;
    for (int i = 0; i < kFrames; ++i) {
      draw_pair(test::PairKind::kTextured, {left.at(i), right.at(i), {}, {}}, parameters,
                static_cast<std::uint64_t>(i));
    }
    const std::shared_ptr<Memory> m(new Memory{left.ring(stream), right.ring(stream)});
    m->engine.prepare(1242, 375, parameters);
    add("stereo", kFrames, m, [m, parameters, stream](int i) {
      m->engine.match({m->left.at(i), m->right.at(i), {}, {}}, parameters, {m->disparity.view, {}},
                      stream);
    });
  }
  if (wanted("planes")) {
    struct Memory {
      FrameRing frames;
      Result2D labels{640, 480, SampleType::kU8};
      cuda::FramePlanesEngine engine{};
    };
    DrawnFrames rooms(640, 480, SampleType::kU16, kFrames);
    for (int i = 0; i < kFrames; ++i) {
      test::draw_planes(rooms.at(i), test::PlaneKind::kRoom, static_cast<std::uint32_t>(i));
    }
    const MetricCamera camera = test::plane_camera(640, 480, SampleType::kU16);
    const std::shared_ptr<Memory> m(new Memory{rooms.ring(stream)});
    m->engine.prepare(640, 480, SampleType::kU16, camera, {});
    add("planes", kFrames, m, [m, camera, stream](int i) {
      m->engine.find(m->frames.at(i), camera, {}, m->labels.view, stream);
    });
  }
  if (wanted("tracks")) {
    struct Memory {
      FrameRing before, frames;
      cuda::KltEngine engine{};
      cuda::KltState state{};
      cuda::DeviceTrackList list{};
    };
    std::vector<KltPair> pairs;
    std::vector<DepthView> views;
    for (int i = 0; i < kFrames; ++i) pairs.push_back(made_pair(640, 480, i % 8, i / 8 - 4));
    for (const KltPair& pair : pairs) views.push_back(pair.second.view());
    const std::shared_ptr<Memory> m(
        new Memory{{std::vector<DepthView>{pairs.front().first.view()}, stream}, {views, stream}});
    klt::Parameters parameters;
    parameters.window = 16;
    parameters.levels = 3;
    parameters.detector = klt::Detector::kNone;
    parameters.min_eigenvalue = 0.0;
    parameters.max_residual = 0.0;
    parameters.check = 0.0;
    const std::vector<klt::Point> points = grid_of(640, 480, 66, 50);
    const cuda::KltInput input{m->before.at(0), &m->state, points};
    m->engine.track({&input, 1}, {}, parameters, &m->list, stream);
    check(driver().cuStreamSynchronize(stream), "waiting for the GPU");
    m->state.commit();
    parameters.min_eigenvalue = 0.1;
    // Never committed: each frame is tracked from the same one.
    add("tracks", kFrames, m, [m, parameters, stream](int i) {
      const cuda::KltInput next{m->frames.at(i), &m->state, {}};
      m->engine.track({&next, 1}, {}, parameters, &m->list, stream);
    });
  }
  if (wanted("heights")) {
    constexpr int kSets = 4;
    struct Memory {
      FrameRing frames;
      Result2D heights;
      cuda::HeightEngine engine{};
    };
    const CrowdSet crowd = recorded_crowd().value_or(draw_crowd({}));
    std::vector<CrowdSet> sets;
    std::vector<DepthView> views;
    for (int i = 0; i < kSets; ++i) sets.push_back(with_noise(crowd, i));
    for (const CrowdSet& set : sets) {
      for (const DepthView& view : set.pictures()) views.push_back(view);
    }
    const heightmap::View& seen = crowd.rig.seen();
    const std::shared_ptr<Memory> m(
        new Memory{{views, stream}, {seen.width, seen.height, SampleType::kU16}});
    heightmap::Parameters parameters;
    parameters.iterations = 40;
    m->engine.prepare(crowd.rig, parameters);
    add("heights", kSets, m, [m, count = views.size() / kSets, stream](int i) {
      std::vector<cuda::DeviceDepthView> pictures;
      for (std::size_t view = 0; view < count; ++view) {
        pictures.push_back(
            m->frames.at(static_cast<int>(static_cast<std::size_t>(i) * count + view)));
      }
      m->engine.run(pictures, stream);
      m->engine.write_heights(m->heights.view, stream);
    });
  }
}

void Experiments::energy() {
  const FoundCounter counter = current_gpu_energy();
  std::vector<EnergySide> sides;
  if (counter.counter != nullptr) {
    if (wanted("segments") || wanted("algorithm3")) add_segments(&sides);
    add_others(&sides);
  }
  run_energy(counter, options_.energy, "kernels", &sides);
  const auto named = [&](const char* name) {
    return std::ranges::find(sides, name, &EnergySide::name);
  };
  const auto ours = named("segments");
  const auto paper = named("algorithm3");
  if (ours == sides.end() || paper == sides.end()) return;
  const double idle = sides.front().watts();
  std::printf(
      "\nAlgorithm 3 takes %.2f times the joules above idle of our segments (the goal: 4)\n",
      paper->millijoules_above(idle) / ours->millijoules_above(idle));
}

}  // namespace rdp::bench
