// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernels/obstacles/engine.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/image/float_environment.h"
#include "common/image/same_camera.h"
#include "common/obstacles/geometry.h"
#include "common/obstacles/objects.h"
#include "common/obstacles/refinement.h"
#include "kernels/obstacles/obstacle_arguments.h"
#include "kernels/runtime/arena.h"
#include "kernels/runtime/context.h"
#include "kernels/runtime/cuda_error.h"
#include "kernels/runtime/device_memory.h"
#include "kernels/runtime/driver.h"
#include "kernels/runtime/kernel_module.h"
#include "kernels/runtime/kernel_table.h"
#include "kernels/runtime/stream_wait.h"

extern "C" const unsigned char rdp_obstacle_ground_fatbin[];
extern "C" const unsigned char rdp_obstacle_samples_fatbin[];
extern "C" const unsigned char rdp_obstacle_cells_fatbin[];

namespace rdp::cuda {
namespace {

using obstacles::ObjectSamples;
using obstacles::Obstacles;
using obstacles::OccupiedCell;

static_assert(sizeof(ObstacleArguments) <= 2048, "kernels take at most 4 kB, tests keep 2");

// Shared memory that the compiler gives a block of the refinement, at most.
constexpr int kStaticShared = 8 * 1024;

struct Modules {
  static constexpr ModuleRow kRows[] = {
      {rdp_obstacle_ground_fatbin, {{"rdp_obstacles_ground", kSharedOfOwner}}},
      {rdp_obstacle_samples_fatbin, {"rdp_obstacles_place", "rdp_obstacles_objects"}},
      {rdp_obstacle_cells_fatbin, {"rdp_obstacles_cells", "rdp_obstacles_lists"}},
  };
};

std::size_t size(std::int64_t count) { return static_cast<std::size_t>(count); }

// Inputs of the tables and the memory.
struct Setting {
  int width = 0;
  int height = 0;
  SampleType type = SampleType::kU16;
  MetricCamera camera;
  obstacles::Parameters parameters;
};

bool same(const Setting& a, const Setting& b) {
  return a.width == b.width && a.height == b.height && a.type == b.type &&
         same_camera(a.camera, b.camera) && a.parameters == b.parameters;
}

obstacles::Axes axes_down(bool steep) {
  obstacles::Axes axes;
  axes.steep = steep;
  return axes;
}

}  // namespace

struct ObstacleEngine::Impl {
  const unsigned most_shared = static_cast<unsigned>(
      current_device_attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN) -
      kStaticShared);
  KernelTable<Modules> kernels{most_shared};
  // Kernels between the first and the last of a frame wait for the one before them.
  const OverlappedStart start{};
  const bool has_clusters =
      current_device_attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) >= 9;
  const StreamWait waiting{};

  bool has_setting = false;
  Setting setting;
  obstacles::CameraTables tables;
  DeviceBuffer device_tables;
  DeviceBuffer memory;
  DeviceBuffer zeros;  // zero at rest
  bool at_rest = true;
  std::size_t zero_bytes = 0;
  PinnedBuffer pinned;
  ObstacleArguments arguments{};
  std::int64_t most_cells = 0;
  std::int64_t most_occupied = 0;
  // The pinned memory, for the host.
  ObstacleResult found{};
  std::uint8_t* numbers = nullptr;
  ObjectSamples* samples = nullptr;
  obstacles::ObjectFinder finder;

  // The frame that was started last.
  bool has_ground = false;
  ObstacleArguments frame{};

  void prepare(const Setting& wanted);
  void upload();
  std::size_t lay_out(unsigned char* base);
  std::size_t lay_out_zeros(unsigned char* base);
  std::size_t lay_out_pinned(unsigned char* base, ObstacleResult* places);
  std::size_t shared_of_rows(int rows) const {
    return size(rows) *
           (size(arguments.sample_columns) * sizeof(GroundSample) + sizeof(std::int32_t));
  }
  LaunchShape pixel_blocks() const {
    return tiled(setting.width, setting.height, kObstacleColumns, kObstacleBlockRows,
                 kObstacleThreads);
  }
  void run(CUstream stream);
  void count_objects(std::span<const OccupiedCell> occupied, CUstream stream);
};

// The tables that kernels read, made anew for another camera.
void ObstacleEngine::Impl::upload() {
  ObstacleArguments& a = arguments;
  std::vector<std::uint8_t> inside[2];
  if (!setting.parameters.area.empty()) {
    for (const bool steep : {false, true}) {
      mark_area(setting.parameters.area, rules_of(tables, axes_down(steep)), &inside[steep]);
    }
  }
  const auto copy = [](TableCopies* copies, const auto& table) {
    return copies->copy(table.data(), table.size());
  };
  copy_tables(&device_tables, [&](TableCopies* copies) {
    a.depth = copy(copies, tables.depth);
    a.inverse = copy(copies, tables.inverse);
    a.ray_x = copy(copies, tables.ray_x);
    a.ray_y = copy(copies, tables.ray_y);
    a.edges = copy(copies, tables.edges);
    a.middles = copy(copies, tables.middles);
    for (int i = 0; i < 2; ++i) {
      a.inside[i] = inside[i].empty() ? nullptr : copy(copies, inside[i]);
    }
  });
}

std::size_t ObstacleEngine::Impl::lay_out(unsigned char* base) {
  ObstacleArguments& a = arguments;
  Arena arena(base);
  // Each block of an attempt has as many rows.
  const int rows = a.sample_rows + kGroundBlocks;
  arena.take(&a.samples, a.sample_columns * rows);
  arena.take(&a.sample_rays, obstacles::kAttempts * kGroundBlocks * rows);
  arena.take(&a.attempts, obstacles::kAttempts);
  arena.take(&a.now, 1);
  arena.take(&a.pixels, std::int64_t{setting.width} * setting.height);
  arena.take(&a.states, most_cells + kStatesAtOnce);
  arena.take(&a.ranges, a.rules.bins);
  arena.take(&a.tiles, most_cells / kTileCells + 1);
  arena.take(&a.places, most_cells);
  arena.take(&a.numbers, most_occupied);
  arena.take(&a.objects, setting.parameters.max_objects);
  return arena.bytes();
}

std::size_t ObstacleEngine::Impl::lay_out_zeros(unsigned char* base) {
  ObstacleArguments& a = arguments;
  Arena arena(base);
  arena.take(&a.cells, most_cells);
  arena.take(&a.ground, most_cells + kCellsOfThread);
  arena.take(&a.rings, std::int64_t{a.rules.bins} * obstacles::kRings);
  return arena.bytes();
}

// Lays out the page-locked memory; `base` is its address for the host or the device.
std::size_t ObstacleEngine::Impl::lay_out_pinned(unsigned char* base, ObstacleResult* places) {
  Arena arena(base);
  arena.take(&places->found, 1);
  arena.take(&places->states, most_cells + kStatesAtOnce);
  arena.take(&places->ranges, arguments.rules.bins);
  arena.take(&places->free, arguments.rules.bins);
  arena.take(&places->occupied, most_occupied);
  if (places != &found) return arena.bytes();
  arena.take(&numbers, most_occupied);
  arena.take(&samples, setting.parameters.max_objects);
  return arena.bytes();
}

void ObstacleEngine::Impl::prepare(const Setting& wanted) {
  if (has_setting && same(setting, wanted)) return;
  has_setting = false;
  setting = wanted;
  make_tables(wanted.width, wanted.height, wanted.type, wanted.camera, wanted.parameters, &tables);
  ObstacleArguments& a = arguments;
  a = {};
  a.rules = tables.rules;
  a.lens = tables.lens;
  a.sample_bytes = bytes_per_sample(wanted.type);
  a.bins_of_radian = static_cast<float>(wanted.parameters.scan_bins) * 180.0F /
                     (static_cast<float>(wanted.parameters.scan_fov) * 3.14159265F);
  a.refine = wanted.parameters.refine ? 1 : 0;
  for (int i = 0; i < obstacles::kAttempts; ++i) a.turns[i] = obstacles::turn_of_attempt(i);
  for (int i = 0; i < obstacles::kRounds; ++i) {
    a.bands[i] = obstacles::band_of_round(i, a.rules.min_height);
  }
  a.step = obstacles::refinement_step(wanted.width);
  a.sample_columns = (wanted.width + a.step - 1) / a.step;
  a.sample_rows = (wanted.height + a.step - 1) / a.step;
  const int blocks = has_clusters ? kGroundBlocks : 1;
  a.shared_rows = (a.sample_rows + blocks - 1) / blocks;
  if (shared_of_rows(a.shared_rows) > most_shared) a.shared_rows = 0;
  most_cells = rules_of(tables, axes_down(true)).cells();
  const std::int64_t pixels = std::int64_t{wanted.width} * wanted.height;
  most_occupied = std::min(most_cells, pixels / a.rules.cell_samples + 1);
  upload();
  memory.ensure_anew(lay_out(nullptr));
  lay_out(memory.as<unsigned char>());
  zero_bytes = lay_out_zeros(nullptr);
  if (zero_bytes > zeros.size()) {
    zeros = DeviceBuffer();
    zeros.ensure_zeros(zero_bytes);
    at_rest = true;
  }
  lay_out_zeros(zeros.as<unsigned char>());
  pinned.ensure(lay_out_pinned(nullptr, &found));
  lay_out_pinned(reinterpret_cast<unsigned char*>(pinned.get()), &found);
  lay_out_pinned(reinterpret_cast<unsigned char*>(pinned.device_pointer()), &a.result);
  has_setting = true;
}

void ObstacleEngine::Impl::run(CUstream stream) {
  if (!at_rest) {
    check(driver().cuMemsetD8Async(zeros.get(), 0, zeros.size(), stream), "clearing GPU memory");
  }
  at_rest = false;
  const ObstacleArguments& a = frame;
  LaunchShape ground{unsigned{kGroundBlocks}, 1, kGroundThreads};
  if (a.refine != 0) ground.blocks_x *= obstacles::kAttempts;
  if (a.refine != 0) ground.shared_bytes = static_cast<unsigned>(shared_of_rows(a.shared_rows));
  // Bearings, then cells.
  const auto blocks = [&](int threads) {
    return LaunchShape{blocks_of(most_cells, kTileCells) +
                           static_cast<unsigned>(bearing_blocks(a.rules.bins, threads)),
                       1, static_cast<unsigned>(threads)};
  };
  kernels["rdp_obstacles_ground"].start(ground, stream, a);
  start(kernels["rdp_obstacles_place"], pixel_blocks(), stream, a);
  if (has_ground) {
    start(kernels["rdp_obstacles_cells"], blocks(kTileCells), stream, a);
    // No early start: waiting blocks would slow down the writes of this kernel to the host.
    kernels["rdp_obstacles_lists"].start(blocks(kListThreads), stream, a);
  }
  at_rest = true;
}

// Counts the samples of the finder's objects, into `samples`.
void ObstacleEngine::Impl::count_objects(std::span<const OccupiedCell> occupied, CUstream stream) {
  for (std::size_t i = 0; i < occupied.size(); ++i) {
    numbers[i] = finder.numbers()[occupied[i].index];
  }
  const ObstacleArguments& a = frame;
  const std::size_t bytes = finder.count() * sizeof(ObjectSamples);
  check(driver().cuMemcpyHtoDAsync_v2(reinterpret_cast<CUdeviceptr>(a.numbers), numbers,
                                      occupied.size(), stream),
        "copying the numbers of objects to the GPU");
  check(driver().cuMemsetD8Async(reinterpret_cast<CUdeviceptr>(a.objects), 0, bytes, stream),
        "clearing GPU memory");
  kernels["rdp_obstacles_objects"].start(pixel_blocks(), stream, a);
  check(driver().cuMemcpyDtoHAsync_v2(samples, reinterpret_cast<CUdeviceptr>(a.objects), bytes,
                                      stream),
        "copying the samples of objects");
  waiting.wait(stream);
  for (ObjectSamples& object : std::span(samples, finder.count())) {
    object.first_column = INT32_MAX - object.first_column;
    object.first_row = INT32_MAX - object.first_row;
  }
}

ObstacleEngine::ObstacleEngine() : impl_(std::make_unique<Impl>()) {}
ObstacleEngine::~ObstacleEngine() = default;

void ObstacleEngine::prepare(int width, int height, SampleType type, const MetricCamera& camera,
                             const obstacles::Parameters& parameters) {
  with_standard_floats([&] { impl_->prepare({width, height, type, camera, parameters}); });
}

void ObstacleEngine::start(const DeviceDepthView& frame, const MetricCamera& camera,
                           const obstacles::Ground* start, const obstacles::Parameters& parameters,
                           const DeviceDepthView& classes, CUstream stream) {
  prepare(frame.width, frame.height, frame.type, camera, parameters);
  impl_->has_ground = start != nullptr;
  ObstacleArguments& a = impl_->frame;
  a = impl_->arguments;
  a.frame = frame.bytes();
  a.frame_pitch = frame.pitch;
  a.classes = classes.bytes();
  a.classes_pitch = classes.pitch;
  if (start != nullptr) {
    a.start = *start;
  } else {
    // Without a ground, no pixel is visited.
    a.refine = 0;
    a.rules.end_row = 0;
  }
  impl_->run(stream);
}

void ObstacleEngine::finish(CUstream stream, Obstacles* result) {
  with_standard_floats([&] {
    Impl& impl = *impl_;
    impl.waiting.wait(stream);
    const bool has_ground = impl.has_ground;
    const FoundGround& found = *impl.found.found;
    result->has_ground = has_ground;
    result->refined = has_ground && found.refined != 0;
    result->inliers = has_ground ? found.inliers : 0;
    result->ground = has_ground ? found.ground : obstacles::Ground();
    result->axes = has_ground ? axes_of(found.ground) : obstacles::Axes();
    const obstacles::FrameRules rules = rules_of(impl.tables, result->axes);
    result->grid = grid_of(rules);
    const std::size_t cells = size(rules.cells()), bins = size(rules.bins);
    result->classes.clear();
    result->objects.clear();
    result->tops.assign(cells, 0);
    if (!has_ground) {
      result->states.assign(cells, obstacles::kUnseen);
      result->ranges.assign(bins, 0);
      result->free.assign(bins, 0);
      return;
    }
    const std::span<const OccupiedCell> occupied(impl.found.occupied, size(found.occupied));
    impl.finder.find(occupied, rules, impl.tables.object_rules);
    if (impl.finder.count() > 0) impl.count_objects(occupied, stream);
    impl.finder.finish(std::span(impl.samples, impl.finder.count()), rules, &result->objects);
    result->states.assign(impl.found.states, impl.found.states + cells);
    result->ranges.assign(impl.found.ranges, impl.found.ranges + bins);
    result->free.assign(impl.found.free, impl.found.free + bins);
    for (const OccupiedCell& cell : occupied) {
      result->tops[size(cell.index)] = static_cast<std::uint16_t>(cell.sum.top);
    }
  });
}

}  // namespace rdp::cuda
