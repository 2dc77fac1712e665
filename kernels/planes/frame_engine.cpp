// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernels/planes/frame_engine.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "common/image/same_camera.h"
#include "common/planes/ball.h"
#include "common/planes/cell_rules.h"
#include "common/planes/frames/geometry.h"
#include "common/planes/frames/node_rules.h"
#include "common/planes/frames/node_squares.h"
#include "common/planes/ground.h"
#include "common/planes/hull.h"
#include "kernels/planes/ball_memory.h"
#include "kernels/planes/frame_planes_arguments.h"
#include "kernels/primitives/tile_borders.h"
#include "kernels/runtime/arena.h"
#include "kernels/runtime/context.h"
#include "kernels/runtime/cuda_error.h"
#include "kernels/runtime/device_memory.h"
#include "kernels/runtime/driver.h"
#include "kernels/runtime/kernel_module.h"
#include "kernels/runtime/kernel_table.h"

extern "C" const unsigned char rdp_planes_nodes_fatbin[];
extern "C" const unsigned char rdp_planes_votes_fatbin[];
extern "C" const unsigned char rdp_planes_rounds_fatbin[];
extern "C" const unsigned char rdp_planes_split_fatbin[];
extern "C" const unsigned char rdp_planes_merge_fatbin[];
extern "C" const unsigned char rdp_planes_pixels_fatbin[];
extern "C" const unsigned char rdp_planes_result_fatbin[];

namespace rdp::cuda {
namespace {

static_assert(sizeof(FramePlanesArguments) <= 2048, "kernels take at most 4 kB, tests keep 2");

// Shared memory that the compiler gives a block for fixed arrays. What a launch asks for comes on
// top of it, and both together have to fit the block.
constexpr int kStaticShared = 5 * 1024;

// Inputs of the tables and the memory.
struct Setting {
  int width = 0;
  int height = 0;
  SampleType type = SampleType::kU16;
  MetricCamera camera;
  planes::Parameters parameters;
};

bool same(const Setting& a, const Setting& b) {
  return a.width == b.width && a.height == b.height && a.type == b.type &&
         same_camera(a.camera, b.camera) && a.parameters == b.parameters;
}

// Borders of planes: at most two for each cell and pyramid and one between them, and at most one
// for each pair of parts.
std::int64_t most_borders(std::int64_t cells) {
  const std::int64_t parts = 2 * kMaxParts;
  return std::min(5 * cells, parts * (parts - 1) / 2);
}

struct Modules {
  static constexpr ModuleRow kRows[] = {
      {rdp_planes_nodes_fatbin,
       {"rdp_planes_cells", "rdp_planes_rest", "rdp_planes_fits", "rdp_planes_nodes"}},
      {rdp_planes_votes_fatbin,
       {"rdp_planes_vote", "rdp_planes_filter", "rdp_planes_peaks", "rdp_planes_nearest"}},
      {rdp_planes_rounds_fatbin,
       {"rdp_planes_fit", "rdp_planes_take", "rdp_planes_parts", "rdp_planes_grow",
        "rdp_planes_settle"}},
      {rdp_planes_split_fatbin, {"rdp_planes_pieces", {"rdp_planes_split", kSharedOfOwner}}},
      {rdp_planes_merge_fatbin, {"rdp_planes_borders", "rdp_planes_merge"}},
      {rdp_planes_pixels_fatbin,
       {"rdp_planes_label", "rdp_planes_smooth", "rdp_planes_unite", "rdp_planes_gather",
        "rdp_planes_sum"}},
      {rdp_planes_result_fatbin, {"rdp_planes_select", "rdp_planes_write", "rdp_planes_corners"}},
  };
};

}  // namespace

struct FramePlanesEngine::Impl {
  const unsigned most_shared = static_cast<unsigned>(
      current_device_attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN) -
      kStaticShared);
  KernelTable<Modules> kernels{most_shared};

  const unsigned most_blocks =
      2U *
      static_cast<unsigned>(current_device_attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT));

  // All kernels but the first of a frame wait for the one before them.
  const OverlappedStart start{};

  std::optional<Setting> setting;
  planes::Geometry geometry;
  std::optional<planes::Ball> ball;
  DeviceBuffer tables;
  DeviceBuffer memory;
  DeviceBuffer zeros;     // zero at rest
  DeviceBuffer filtered;  // zeros at first: also read where no frame has voted
  PinnedBuffer result;
  FramePlanesArguments arguments{};
  ResultMemory found{};  // of the last frame, for the host
  planes::PlaneSet set;
  planes::RowExtents extents;
  std::vector<unsigned char> planar;  // nodes, for a picture

  void prepare(const Setting& wanted);
  void upload();
  std::size_t lay_out(unsigned char* base);
  std::size_t lay_out_zeros(unsigned char* base);
  std::size_t lay_out_result(unsigned char* base, ResultMemory* places) const;
  void run_rounds(FramePlanesArguments* a, int first, int end, CUstream stream) const;
  void run_pixels(const FramePlanesArguments& a, CUstream stream) const;
  void read_result();
  // Shared memory of the split.
  std::size_t split_bytes() const {
    return 2 * sizeof(std::uint32_t) * static_cast<std::size_t>(arguments.cell_count);
  }
  unsigned loop_blocks() const {
    return std::min(most_blocks, blocks_of(arguments.cell_count, 16));
  }
};

// The tables that kernels read, made anew for another camera.
void FramePlanesEngine::Impl::upload() {
  FramePlanesArguments& a = arguments;
  copy_tables(&tables, [&](TableCopies* copies) {
    a.ray_x = copies->copy(geometry.ray_x.data(), geometry.ray_x.size());
    a.ray_y = copies->copy(geometry.ray_y.data(), geometry.ray_y.size());
    a.depth = copies->copy(geometry.depth.data(), geometry.depth.size());
    a.shares = copies->copy(planes::kVoteShares, std::size(planes::kVoteShares));
    a.ball = copy_ball(ball->view(), copies);
  });
}

std::size_t FramePlanesEngine::Impl::lay_out(unsigned char* base) {
  FramePlanesArguments& a = arguments;
  Arena arena(base);
  const std::int64_t cells = a.cell_count;
  const std::int64_t pixels = static_cast<std::int64_t>(a.rules.width) * a.rules.height;
  const std::int64_t ball_cells = static_cast<std::int64_t>(a.ball.directions) * a.rules.distances;
  arena.take(&a.counters, 1);
  arena.take(&a.round_counters, a.rounds);
  for (PlaneCells* c : {&a.main_cells, &a.rest_cells}) {
    arena.take(&c->moments, a.node_count);
    arena.take(&c->row_sums, cells);
    arena.take(&c->nodes, a.node_count);
    arena.take(&c->planar, a.node_count);
    arena.take(&c->owner, cells);
    arena.take(&c->grown, cells);
    arena.take(&c->part_fits, kMaxParts);
    arena.take(&c->part_pixels, kMaxParts);
    arena.take(&c->part_votes[0], kMaxParts);
    arena.take(&c->part_votes[1], kMaxParts);
    arena.take(&c->part_count, 1);
  }
  arena.take(&a.deviations, static_cast<std::int64_t>(a.level_columns[planes::kNoiseLevel]) *
                                a.level_rows[planes::kNoiseLevel]);
  arena.take(&a.voted, ball_cells);
  arena.take(&a.peak_candidates, ball_cells);
  // Nodes that vote do not overlap.
  arena.take(&a.voters, cells);
  arena.take(&a.planes, cells);
  arena.take(&a.peaks, most_peaks(ball->view(), a.rules.distances));
  arena.take(&a.split_parents, cells);
  arena.take(&a.split_keys, cells);
  arena.take(&a.split_counts, cells);
  arena.take(&a.split_joints, kMaxSplitJoints * cells);
  arena.take(&a.borders, most_borders(cells));
  arena.take(&a.roots, 2 * kMaxParts);
  arena.take(&a.pixel_planes, 2 * kMaxParts);
  arena.take(&a.merged, 2 * kMaxParts);
  arena.take(&a.merged_votes, 2 * kMaxParts);
  arena.take(&a.labels, pixels);
  arena.take(&a.smoothed, pixels);
  arena.take(&a.parents, pixels);
  arena.take(&a.sizes, pixels);
  arena.take(&a.totals, pixels);
  arena.take(&a.pixel_slots, pixels);
  arena.take(&a.first_of_label, 2 * kMaxParts + 1);
  const std::int64_t slots = pixels / std::max<std::int64_t>(1, a.rules.min_inliers) + 1;
  arena.take(&a.slot_moments, slots);
  arena.take(&a.slot_first, slots);
  arena.take(&a.slot_votes, slots);
  arena.take(&a.slot_label, slots);
  arena.take(&a.candidates, planes::kMaxPlanes);
  arena.take(&a.row_extents, static_cast<std::int64_t>(a.rules.height) * a.rules.max_planes);
  return arena.bytes();
}

std::size_t FramePlanesEngine::Impl::lay_out_zeros(unsigned char* base) {
  FramePlanesArguments& a = arguments;
  Arena arena(base);
  std::int64_t places = 2;
  while (places < 2 * most_borders(a.cell_count)) places *= 2;
  a.border_mask = static_cast<std::uint32_t>(places - 1);
  arena.take(&a.border_keys, places);
  arena.take(&a.border_sums, 2 * places);
  arena.take(&a.votes, static_cast<std::int64_t>(a.ball.directions) * a.rules.distances);
  return arena.bytes();
}

// Lays out the page-locked memory; `base` is its address for the host or the device.
std::size_t FramePlanesEngine::Impl::lay_out_result(unsigned char* base,
                                                    ResultMemory* places) const {
  const planes::FrameRules& rules = arguments.rules;
  Arena arena(base);
  arena.take(&places->frame, 1);
  arena.take(&places->corner_rows,
             static_cast<std::int64_t>(corner_words(rules.height)) * rules.max_planes);
  arena.take(&places->extents, static_cast<std::int64_t>(rules.height) * rules.max_planes);
  return arena.bytes();
}

void FramePlanesEngine::Impl::prepare(const Setting& wanted) {
  if (setting && same(*setting, wanted)) return;
  setting.reset();
  planes::make_geometry(wanted.width, wanted.height, wanted.type, wanted.camera, wanted.parameters,
                        &geometry);
  const planes::FrameRules& rules = geometry.rules;
  ball.emplace(static_cast<int>(std::floor(planes::kPi / rules.angle_step + 0.5)));
  FramePlanesArguments& a = arguments;
  a = {};
  a.rules = rules;
  a.ground = planes::ground_rules_of_frame(wanted.parameters, 0.0);
  a.sample_bytes = bytes_per_sample(wanted.type);
  a.rounds = rules.rounds;
  for (int level = planes::kLevels - 1; level >= 0; --level) {
    const int side = planes::kCell << level;
    a.level_columns[level] = (rules.width + side - 1) / side;
    a.level_rows[level] = (rules.height + side - 1) / side;
    a.level_start[level] = a.node_count;
    a.node_count += a.level_columns[level] * a.level_rows[level];
  }
  a.cell_count = a.level_columns[0] * a.level_rows[0];
  upload();
  const std::int64_t ball_cells = static_cast<std::int64_t>(a.ball.directions) * a.rules.distances;
  if (ball_cells > UINT32_MAX) {
    throw CudaError(CUDA_ERROR_OUT_OF_MEMORY,
                    "making room for votes: there are " + std::to_string(ball_cells) +
                        " cells of directions and distances, at most 4294967295 are possible; "
                        "fewer directions or a larger distance step need fewer");
  }
  const std::size_t bytes = lay_out(nullptr);
  memory.ensure_anew(bytes);
  lay_out(memory.as<unsigned char>());
  const std::size_t zero_bytes = lay_out_zeros(nullptr);
  if (zero_bytes > zeros.size()) {
    zeros = DeviceBuffer();
    zeros.ensure_zeros(zero_bytes);
  }
  lay_out_zeros(zeros.as<unsigned char>());
  filtered.ensure_zeros(static_cast<std::size_t>(ball_cells) * sizeof(std::uint32_t));
  a.filtered = filtered.as<std::uint32_t>();
  result.ensure(lay_out_result(nullptr, &found));
  lay_out_result(reinterpret_cast<unsigned char*>(result.get()), &found);
  lay_out_result(reinterpret_cast<unsigned char*>(result.device_pointer()), &a.result);
  found.frame->count = 0;
  a.split_in_shared = split_bytes() <= most_shared ? 1 : 0;
  setting = wanted;
}

// Starts rounds `first` to `end`, which work on a->cells. The device decides whether a round takes
// place.
void FramePlanesEngine::Impl::run_rounds(FramePlanesArguments* a, int first, int end,
                                         CUstream stream) const {
  const LaunchShape loop{loop_blocks(), 1, kPlaneThreads};
  const LaunchShape voting{std::min<unsigned>(kMaxVoteBlocks, blocks_of(a->node_count, kVoteNodes)),
                           1, kVoteThreads};
  LaunchShape splitting{1, 1, kSplitThreads};
  if (a->split_in_shared != 0) splitting.shared_bytes = static_cast<unsigned>(split_bytes());
  const std::int64_t sections =
      static_cast<std::int64_t>(split_sections(a->rules.columns)) * a->rules.rows;
  const LaunchShape pieces{blocks_of(sections, kPlaneThreads / 32), 1, kPlaneThreads};
  a->first_round = first;
  for (a->round = first; a->round < end; ++a->round) {
    start(kernels["rdp_planes_vote"], voting, stream, *a);
    start(kernels["rdp_planes_filter"], loop, stream, *a);
    start(kernels["rdp_planes_peaks"], loop, stream, *a);
    start(kernels["rdp_planes_nearest"], loop, stream, *a);
    start(kernels["rdp_planes_fit"], {loop.blocks_x, 1, kFitThreads}, stream, *a);
    start(kernels["rdp_planes_take"], loop, stream, *a);
    start(kernels["rdp_planes_pieces"], pieces, stream, *a);
    start(kernels["rdp_planes_split"], splitting, stream, *a);
    start(kernels["rdp_planes_parts"], loop, stream, *a);
    start(kernels["rdp_planes_grow"],
          tiled(a->rules.columns, a->rules.rows, kGrowTile, kGrowTile, kGrowThreads), stream, *a);
  }
  a->round = end - 1;
  start(kernels["rdp_planes_settle"], loop, stream, *a);
}

void FramePlanesEngine::Impl::run_pixels(const FramePlanesArguments& a, CUstream stream) const {
  const int width = a.rules.width, height = a.rules.height;
  start(kernels["rdp_planes_smooth"],
        tiled(width, height, kPlaneTileColumns, kPlaneTileRows, kPlaneThreads), stream, a);
  const std::int64_t pairs = tile_border_pairs(width, height, kPlaneTileColumns, kPlaneTileRows);
  if (a.rules.connected && pairs > 0) {
    start(kernels["rdp_planes_unite"], {blocks_of(pairs, kPlaneThreads), 1, kPlaneThreads}, stream,
          a);
  }
  start(kernels["rdp_planes_gather"],
        {blocks_of(width, kPlaneThreads), blocks_of(height, kGatherRows), kPlaneThreads}, stream,
        a);
  start(kernels["rdp_planes_sum"], {blocks_of(a.cell_count, kPlaneThreads / 32), 1, kPlaneThreads},
        stream, a);
  start(kernels["rdp_planes_select"], {1, 1, kSelectThreads}, stream, a);
  start(kernels["rdp_planes_write"], {static_cast<unsigned>(height), 1, kPlaneThreads}, stream, a);
  start(kernels["rdp_planes_corners"],
        {static_cast<unsigned>(a.rules.max_planes), 1, kPlaneThreads}, stream, a);
}

FramePlanesEngine::FramePlanesEngine() : impl_(std::make_unique<Impl>()) {}
FramePlanesEngine::~FramePlanesEngine() = default;

void FramePlanesEngine::prepare(int width, int height, SampleType type, const MetricCamera& camera,
                                const planes::Parameters& parameters) {
  impl_->prepare({width, height, type, camera, parameters});
}

void FramePlanesEngine::find(const DeviceDepthView& frame, const MetricCamera& camera,
                             const planes::Parameters& parameters, const DeviceDepthView& labels,
                             CUstream stream) {
  prepare(frame.width, frame.height, frame.type, camera, parameters);
  FramePlanesArguments a = impl_->arguments;
  a.frame = frame.bytes();
  a.frame_pitch = frame.pitch;
  a.result_labels = labels.bytes();
  a.result_pitch = labels.pitch;
  const LaunchShape cells =
      tiled(a.rules.columns, a.rules.rows, kPlaneBlockCells, kPlaneBlockCells, kPlaneCellThreads);
  // Numbers of rows, a warp each.
  const std::int64_t row_numbers = static_cast<std::int64_t>(a.rules.rows) * kRowNumbers;
  const LaunchShape nodes{blocks_of(a.node_count, kPlaneThreads), 1, kPlaneThreads};
  LaunchShape all_nodes = nodes;  // and rows
  all_nodes.blocks_x += blocks_of(row_numbers, kPlaneThreads / 32);
  const LaunchShape labelling{blocks_of(a.cell_count, kPlaneThreads / 32), 1, kPlaneThreads};
  a.cells = a.main_cells;
  a.fill = a.rules.fill;
  impl_->kernels["rdp_planes_cells"].start(cells, stream, a);
  impl_->start(impl_->kernels["rdp_planes_fits"], all_nodes, stream, a);
  impl_->start(impl_->kernels["rdp_planes_nodes"], nodes, stream, a);
  // The last of several rounds works on the pixels that the other rounds' planes left.
  const int rest_rounds = a.rounds > 1 ? 1 : 0;
  impl_->run_rounds(&a, 0, a.rounds - rest_rounds, stream);
  if (rest_rounds > 0) {
    impl_->start(impl_->kernels["rdp_planes_label"], labelling, stream, a);
    a.cells = a.rest_cells;
    a.fill = planes::kRestFill * a.rules.fill;
    a.is_rest = 1;
    impl_->start(impl_->kernels["rdp_planes_rest"], cells, stream, a);
    impl_->start(impl_->kernels["rdp_planes_nodes"], all_nodes, stream, a);
    impl_->run_rounds(&a, a.rounds - 1, a.rounds, stream);
    a.has_rest = 1;
  }
  impl_->start(impl_->kernels["rdp_planes_borders"],
               {blocks_of(a.cell_count, kNodeThreads), 1, kNodeThreads}, stream, a);
  impl_->start(impl_->kernels["rdp_planes_merge"], {1, 1, kMergeThreads}, stream, a);
  impl_->start(impl_->kernels["rdp_planes_label"], labelling, stream, a);
  impl_->run_pixels(a, stream);
}

const planes::PlaneSet& FramePlanesEngine::planes() {
  impl_->read_result();
  return impl_->set;
}

void FramePlanesEngine::Impl::read_result() {
  set.planes.clear();
  set.corners.clear();
  set.ground = {};
  set.counts = {};
  if (!setting) return;
  const FrameResult& r = *found.frame;
  const planes::FrameRules& rules = geometry.rules;
  planes::Counts& counts = set.counts;
  counts.known = r.known;
  counts.nodes = r.nodes;
  counts.planar_nodes = r.planar_nodes;
  counts.voters = r.voters;
  counts.peaks = r.peaks;
  counts.small = r.small;
  counts.thick = r.thick;
  counts.surplus = r.surplus;
  counts.merged = r.merged;
  counts.noise = r.noise;
  counts.resolution = rules.unit;
  counts.coarser = rules.unit > 1.0 / 16000.0;
  const auto count = static_cast<std::size_t>(r.count);
  std::int64_t under[planes::kMaxPlanes];
  for (std::size_t p = 0; p < count; ++p) {
    const FoundPlane& plane = r.planes[p];
    set.planes.push_back(planes::plane_in_metres(plane.moments, plane.fit, rules.unit));
    set.planes.back().votes = static_cast<std::int64_t>(plane.votes / 16);
    under[p] = static_cast<std::int64_t>(plane.under);
  }
  extents.start(count, rules.height);
  const int words = corner_words(rules.height);
  for (std::size_t p = 0; p < count; ++p) {
    const std::uint32_t* const of_plane =
        found.extents + p * static_cast<std::size_t>(rules.height);
    for (int word = 0; word < words; ++word) {
      const CornerRows rows = found.corner_rows[p * static_cast<std::size_t>(words) + word];
      for (std::uint32_t open = rows.firsts | rows.lasts; open != 0; open &= open - 1) {
        const int bit = std::countr_zero(open);
        const int row = 32 * word + bit;
        const auto first = static_cast<int>(of_plane[row] & 0xFFFFU);
        const auto last = static_cast<int>(of_plane[row] >> 16);
        if (first > last) continue;
        if ((rows.firsts >> bit & 1) != 0) extents.add(p, first, row);
        if ((rows.lasts >> bit & 1) != 0) extents.add(p, last, row);
      }
    }
  }
  planes::add_hulls(extents, setting->camera, rules.hull, &set);
  set.ground = planes::choose_ground(set.planes, std::span(under, count), counts.known,
                                     planes::ground_rules_of_frame(setting->parameters, r.noise));
}

void FramePlanesEngine::list_nodes(std::vector<planes::NodeSquare>* squares) {
  const FramePlanesArguments& a = impl_->arguments;
  std::vector<unsigned char>& planar = impl_->planar;
  planar.resize(static_cast<std::size_t>(a.node_count));
  check(driver().cuMemcpyDtoHAsync_v2(planar.data(),
                                      reinterpret_cast<CUdeviceptr>(a.main_cells.planar),
                                      planar.size(), nullptr),
        "copying the nodes of a picture");
  check(driver().cuStreamSynchronize(nullptr), "copying the nodes of a picture");
  planes::list_squares(
      a.rules,
      [&](int level, int column, int row) {
        const int node = a.level_start[level] + row * a.level_columns[level] + column;
        return planar[static_cast<std::size_t>(node)] != 0;
      },
      squares);
}

}  // namespace rdp::cuda
