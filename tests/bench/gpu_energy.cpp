// SPDX-License-Identifier: LGPL-2.1-or-later
// Energy per frame of each method's engine and of Algorithm 3: graphs of different frames, replayed
// back to back, with all data in device memory.
//   segments, algorithm3  64 frames of the paper's Table 1: KITTI at 1242x1024 after a 5x5 median,
//                         rotated by columns if there are fewer; else generated streets
//   stereo                64 pairs of 1242x375, 128 disparities, 4 paths
//   planes                64 rooms of 640x480
//   tracks                3,300 features of a frame to each of 64 others, as in gpu_kernels
//   heights               a set of three views of 781x621, 40 half-iterations, in more memory
//                         than caches hold
#include "tests/bench/gpu_energy.h"

#include <algorithm>
#include <memory>
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
using std::make_shared;

constexpr int kFrames = 64;

// A graph that is launched again while its previous replay still runs.
class Replays {
 public:
  Replays(const GraphTimer& timer, int frames, std::function<void(int)> enqueue)
      : enqueue_(std::move(enqueue)), stream_(timer.stream()), graph_(stream_, [&] {
          for (int i = 0; i < frames; ++i) enqueue_(i);
        }) {
    constexpr double kCall = 5000;  // microseconds
    times_ = std::max(1, static_cast<int>(kCall / timer.time(graph_, 3).microseconds));
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

  // Launches the next replays, and waits for those of the previous call.
  long go_on() {
    for (int i = 0; i < times_; ++i) graph_.launch(stream_);
    check(driver().cuEventRecord(done_[now_], stream_), "recording an event");
    now_ = 1 - now_;
    check(driver().cuEventSynchronize(done_[now_]), "waiting for the GPU");
    return frames_;
  }
  void wait() const { check(driver().cuStreamSynchronize(stream_), "waiting for the GPU"); }

 private:
  const std::function<void(int)> enqueue_;  // owns the data of the graph
  CUstream stream_;
  Graph graph_;
  int times_ = 1;
  long frames_ = 0;
  std::size_t now_ = 0;
  CUevent done_[2] = {};
};

// Frames drawn by `draw` from their numbers, in device memory.
std::shared_ptr<FrameRing> drawn(
    int width, int height, SampleType type, int count, CUstream stream,
    const std::function<void(int, const MutableDepthView&)>& draw = [](auto&&...) {}) {
  const std::ptrdiff_t row = std::ptrdiff_t{width} * bytes_per_sample(type);
  std::vector<std::byte> bytes(static_cast<std::size_t>(row * height * count));
  std::vector<DepthView> views;
  for (int i = 0; i < count; ++i) {
    const MutableDepthView view{bytes.data() + i * row * height, row, width, height, type};
    draw(i, view);
    views.push_back({view.data, row, width, height, type});
  }
  return make_shared<FrameRing>(views, stream);
}

std::vector<BenchFrame> table1_frames(const std::vector<BenchFrame>& frames) {
  std::vector<const BenchFrame*> recorded;
  for (const BenchFrame& frame : frames) {
    // KITTI's frames only.
    if (frame.name.ends_with(" scaled") && frame.name != "disparity scaled") {
      recorded.push_back(&frame);
    }
  }
  std::vector<BenchFrame> found;
  for (int i = 0; i < kFrames; ++i) {
    BenchFrame& frame = found.emplace_back(BenchFrame{"street", 1242, 1024, {}, {}});
    if (const auto count = static_cast<int>(recorded.size()); count > 0) {
      frame = *recorded[static_cast<std::size_t>(i % count)];
      for (auto row = frame.samples.begin(); row != frame.samples.end(); row += frame.width) {
        std::rotate(row, row + i / count * 100 % frame.width, row + frame.width);
      }
      continue;
    }
    frame.parameters.sample_scale = 1.0 / 256;
    frame.samples.resize(std::size_t{1242} * 1024);
    test::draw_scene({reinterpret_cast<std::byte*>(frame.samples.data()), 2 * 1242, 1242, 1024,
                      SampleType::kU16},
                     test::Scene::kStreet, static_cast<std::uint32_t>(i));
  }
  return found;
}

}  // namespace

void Experiments::add_side(const char* name, int frames, const std::function<void(int)>& enqueue,
                           std::vector<EnergySide>* sides) {
  // Runs first without a graph, for allocations.
  for (int i = 0; i < 2; ++i) {
    enqueue(i);
    check(driver().cuStreamSynchronize(timer_.stream()), "waiting for the GPU");
  }
  const auto replays = make_shared<Replays>(timer_, frames, enqueue);
  sides->push_back(
      {name, [replays] { return replays->go_on(); }, [] {}, [replays] { replays->wait(); }});
}

void Experiments::add_segments(std::vector<EnergySide>* sides) {
  const CUstream stream = timer_.stream();
  const std::vector<BenchFrame> frames = table1_frames(frames_);
  std::vector<DepthView> views;
  for (const BenchFrame& frame : frames) views.push_back(frame.view());
  const auto ring = make_shared<FrameRing>(views, stream);
  const auto segmenter = make_shared<cuda::Segmenter>();
  const auto list = make_shared<cuda::DeviceSegmentList>();
  segmenter->prepare(1242, 1024);
  list->prepare(1242, 1024);
  const Question first(frames[0], 4);
  const auto segment = [=, known = first.known, rules = first.rules](int i) {
    segmenter->segment(ring->at(i), known, rules, list.get(), stream);
  };
  const auto columns = make_shared<Ring>();
  const auto ends = make_shared<Ring>();
  const auto vertices = make_shared<Ring>();
  columns->reserve(first.frame_bytes(), kFrames);
  ends->reserve(1242 * sizeof(std::uint32_t), kFrames);
  vertices->reserve(frames[0].samples.size(), kFewestCopies);
  const double steps = static_cast<double>(first.eps256) / 256;
  const auto paper = [=, this, known = first.known](int i) {
    rivals_.algorithm3(
        {reinterpret_cast<const std::uint16_t*>(columns->at(i)),
         reinterpret_cast<const std::uint32_t*>(ends->at(i)), 1024, static_cast<float>(steps),
         known.first, known.last, reinterpret_cast<unsigned char*>(vertices->at(i))},
        1242, stream);
  };
  for (int i = 0; i < kFrames; ++i) {
    const Question q(frames[static_cast<std::size_t>(i)], 4);
    SegmentList found;
    do {
      segment(i);
      check(driver().cuStreamSynchronize(stream), "segmenting a frame");
    } while (list->grow_if_truncated());
    list->copy_to(&found, stream);
    const ColumnMajorFrame host = column_major(q.frame.view(), q.known);
    columns->put(i, host.columns.data(), q.frame_bytes(), stream);
    ends->put(i, host.ends.data(), 1242 * sizeof(std::uint32_t), stream);
    std::vector<unsigned char> marks(q.frame.samples.size());
    paper(i);
    check(driver().cuMemcpyDtoHAsync_v2(marks.data(), vertices->at(i), marks.size(), stream),
          "copying vertices");
    check(driver().cuStreamSynchronize(stream), "running Algorithm 3");
    if (!std::ranges::equal(found.segments(), q.expected.segments()) ||
        !judge_vertices(q.frame.view(), q.known, steps, marks, q.expected).wrong.empty()) {
      throw std::runtime_error("segments of \"" + q.frame.name +
                               "\" are wrong: nothing is measured");
    }
  }
  if (wanted("segments")) add_side("segments", kFrames, segment, sides);
  if (wanted("algorithm3")) add_side("algorithm3", kFrames, paper, sides);
}

// Results are not compared here: the engines' own benchmarks do that.
void Experiments::add_others(std::vector<EnergySide>* sides) {
  const CUstream stream = timer_.stream();
  constexpr auto u8 = SampleType::kU8;
  constexpr auto u16 = SampleType::kU16;
  if (wanted("stereo")) {
    const auto view = [&](bool is_left) {
      std::vector<std::byte> other(std::size_t{1242} * 375);
      const MutableDepthView rest{other.data(), 1242, 1242, 375, u8};
      return drawn(1242, 375, u8, kFrames, stream, [&](int i, const MutableDepthView& to) {
        draw_pair(test::PairKind::kTextured, {is_left ? to : rest, is_left ? rest : to, {}, {}}, {},
                  static_cast<std::uint64_t>(i));
      });
    };
    const auto left = view(true);
    const auto right = view(false);
    const auto out = drawn(1242, 375, u16, 1, stream);
    const auto engine = make_shared<cuda::StereoEngine>();
    engine->prepare(1242, 375, {});
    const auto match = [=](int i) {
      engine->match({left->at(i), right->at(i), {}, {}}, {}, {out->at(0), {}}, stream);
    };
    add_side("stereo", kFrames, match, sides);
  }
  if (wanted("planes")) {
    const MetricCamera camera = test::plane_camera(640, 480, u16);
    const auto engine = make_shared<cuda::FramePlanesEngine>();
    engine->prepare(640, 480, u16, camera, {});
    const auto draw = [](int i, const MutableDepthView& to) {
      draw_planes(to, test::PlaneKind::kRoom, static_cast<unsigned>(i));
    };
    const auto rooms = drawn(640, 480, u16, kFrames, stream, draw);
    const auto out = drawn(640, 480, u8, 1, stream);
    const auto find = [=](int i) { engine->find(rooms->at(i), camera, {}, out->at(0), stream); };
    add_side("planes", kFrames, find, sides);
  }
  if (wanted("tracks")) {
    // Crops of one picture, shifted by up to 4 px; the last one is centred.
    const GrayPicture all = made_pair(648, 488).first;
    std::vector<DepthView> views;
    for (int i = 0; i <= kFrames; ++i) {
      const int dx = i < kFrames ? i % 8 : 4;
      const int dy = i < kFrames ? i / 8 : 4;
      views.push_back({all.view().row(dy) + dx, all.view().stride, 640, 480, SampleType::kU8});
    }
    klt::Parameters parameters;
    parameters.window = 16;
    parameters.levels = 3;
    parameters.detector = klt::Detector::kNone;
    parameters.min_eigenvalue = parameters.max_residual = parameters.check = 0.0;
    const auto ring = make_shared<FrameRing>(views, stream);
    const auto engine = make_shared<cuda::KltEngine>();
    const auto state = make_shared<cuda::KltState>();
    const auto list = make_shared<cuda::DeviceTrackList>();
    const std::vector<klt::Point> points = grid_of(640, 480, 66, 50);
    const cuda::KltInput before{ring->at(kFrames), state.get(), points};
    engine->track({&before, 1}, {}, parameters, list.get(), stream);
    check(driver().cuStreamSynchronize(stream), "waiting for the GPU");
    state->commit();
    parameters.min_eigenvalue = 0.1;
    // Never committed, so that all frames are tracked from the same one.
    const auto track = [=](int i) {
      const cuda::KltInput next{ring->at(i), state.get(), {}};
      engine->track({&next, 1}, {}, parameters, list.get(), stream);
    };
    add_side("tracks", kFrames, track, sides);
  }
  if (wanted("heights")) {
    const CrowdSet crowd = recorded_crowd().value_or(draw_crowd({}));
    const heightmap::View& seen = crowd.rig.seen();
    const auto ring = make_shared<FrameRing>(crowd.pictures(), stream);
    const auto engine = make_shared<cuda::HeightEngine>();
    heightmap::Parameters parameters;
    parameters.iterations = 40;
    engine->prepare(crowd.rig, parameters);
    const auto out = drawn(seen.width, seen.height, u16, 1, stream);
    const auto map = [=](int) {
      std::vector<cuda::DeviceDepthView> pictures;
      for (int i = 0; i < ring->copies(); ++i) pictures.push_back(ring->at(i));
      engine->run(pictures, stream);
      engine->write_heights(out->at(0), stream);
    };
    add_side("heights", 4, map, sides);
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
  const auto ours = std::ranges::find(sides, "segments", &EnergySide::name);
  const auto paper = std::ranges::find(sides, "algorithm3", &EnergySide::name);
  if (ours == sides.end() || paper == sides.end()) return;
  const double idle = sides.front().watts();
  std::printf("\nAlgorithm 3 takes %.2f times the joules above idle of segments (the goal: 4)\n",
              paper->millijoules_above(idle) / ours->millijoules_above(idle));
}

}  // namespace rdp::bench
