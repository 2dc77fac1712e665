// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernels/planes/cloud_engine.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <string>

#include "common/planes/ball.h"
#include "common/planes/clouds/planes.h"
#include "common/planes/clouds/rules.h"
#include "common/planes/ground.h"
#include "kernels/planes/ball_memory.h"
#include "kernels/planes/cloud_planes_arguments.h"
#include "kernels/runtime/arena.h"
#include "kernels/runtime/context.h"
#include "kernels/runtime/cuda_error.h"
#include "kernels/runtime/device_memory.h"
#include "kernels/runtime/driver.h"
#include "kernels/runtime/kernel_module.h"
#include "kernels/runtime/kernel_table.h"

extern "C" const unsigned char rdp_cloud_points_fatbin[];
extern "C" const unsigned char rdp_cloud_nodes_fatbin[];
extern "C" const unsigned char rdp_cloud_rounds_fatbin[];
extern "C" const unsigned char rdp_cloud_merge_fatbin[];
extern "C" const unsigned char rdp_cloud_labels_fatbin[];

namespace rdp::cuda {
namespace {

static_assert(sizeof(CloudPlanesArguments) <= 2048, "kernels take at most 4 kB, tests keep 2");

constexpr std::size_t kMaxPoints = std::size_t{1} << planes::kMaxCloudBits;
// Distances of the ball if the method chooses its step, and at most.
constexpr std::int64_t kUsualDistances = 304;
constexpr std::int64_t kWidestBall = static_cast<std::int64_t>(planes::kMaxDistances) + 4;
constexpr unsigned kBoundsShared = kSelections * kDigitValues * sizeof(std::uint32_t);
constexpr std::int64_t kDigitCounts = (kSelections / 2 + 2 * kSelections) * kDigitValues;

// Sizes that the memory is made for.
struct Room {
  std::int64_t points = 0;
  int directions = 0;
  std::int64_t distances = 0;
  int rounds = 0;
  int depth = 0;
  std::int64_t min_points = 1;
};

Room room_of(std::size_t points, const planes::CloudSettings& settings) {
  Room room;
  room.points = static_cast<std::int64_t>(points);
  room.directions = settings.directions;
  room.distances = settings.distance_step > 0.0 ? kWidestBall : kUsualDistances;
  room.rounds = settings.rounds;
  room.depth = settings.max_depth;
  if (room.depth == 0) room.depth = planes::kMaxCloudDepth;
  room.min_points = settings.min_points;
  return room;
}

struct Modules {
  static constexpr ModuleRow kRows[] = {
      {rdp_cloud_points_fatbin,
       {{"rdp_cloud_bounds", kBoundsShared}, "rdp_cloud_mark", "rdp_cloud_sums"}},
      {rdp_cloud_nodes_fatbin,
       {"rdp_cloud_count", "rdp_cloud_number", "rdp_cloud_chunks", "rdp_cloud_before",
        "rdp_cloud_nodes", "rdp_cloud_planar"}},
      {rdp_cloud_rounds_fatbin,
       {"rdp_cloud_vote", "rdp_cloud_filter", "rdp_cloud_peaks", "rdp_cloud_order",
        "rdp_cloud_nearest", "rdp_cloud_fit", "rdp_cloud_assign", "rdp_cloud_drop",
        "rdp_cloud_keep"}},
      {rdp_cloud_merge_fatbin,
       {"rdp_cloud_own", "rdp_cloud_borders", "rdp_cloud_merge", "rdp_cloud_near"}},
      {rdp_cloud_labels_fatbin,
       {"rdp_cloud_label", "rdp_cloud_select", "rdp_cloud_write", "rdp_cloud_under",
        "rdp_cloud_finish"}},
  };
};

}  // namespace

struct CloudPlanesEngine::Impl {
  KernelTable<Modules> kernels;

  const unsigned processors =
      static_cast<unsigned>(current_device_attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT));

  // All kernels wait for the one before them.
  const OverlappedStart start{};

  std::optional<planes::Ball> ball;
  int ball_directions = 0;
  DeviceBuffer tables;
  DeviceBuffer memory;
  DeviceBuffer cleared;   // before each cloud
  DeviceBuffer zeros;     // zero at rest
  DeviceBuffer filtered;  // zeros at first: also read where no cloud has voted
  PinnedBuffer result;
  std::size_t cleared_bytes = 0;
  CloudPlanesArguments arguments{};
  planes::CloudView view;
  planes::Parameters parameters;
  planes::PlaneSet set;

  void prepare(const Room& room);
  void make_ball(int directions);
  std::size_t lay_out(const Room& room, unsigned char* base);
  std::size_t lay_out_cleared(const Room& room, unsigned char* base);
  std::size_t lay_out_zeros(const Room& room, unsigned char* base);
  void run_octree(CloudPlanesArguments* a, const Room& room, CUstream stream) const;
  void run_rounds(CloudPlanesArguments* a, const Room& room, CUstream stream) const;
  void read_result();

  // Blocks of a loop over at most `most` things; only the device knows how many there are.
  LaunchShape loop(std::int64_t most, int of_block = kCloudThreads) const {
    return {std::min(8U * processors, blocks_of(most, of_block)), 1, kCloudThreads};
  }
};

void CloudPlanesEngine::Impl::make_ball(int directions) {
  if (ball_directions == directions) return;
  ball_directions = 0;
  ball.emplace(directions);
  CloudPlanesArguments& a = arguments;
  copy_tables(&tables, [&](TableCopies* copies) {
    a.shares = copies->copy(planes::kVoteShares, std::size(planes::kVoteShares));
    a.cosines = copies->copy(planes::kHullCosines, std::size(planes::kHullCosines));
    a.ball = copy_ball(ball->view(), copies);
  });
  ball_directions = directions;
}

std::size_t CloudPlanesEngine::Impl::lay_out(const Room& room, unsigned char* base) {
  CloudPlanesArguments& a = arguments;
  Arena arena(base);
  const std::int64_t keys = std::int64_t{1} << 3 * room.depth;
  const std::int64_t words = std::max<std::int64_t>(1, keys / 32);
  const std::int64_t cells = std::min(keys, room.points);
  const std::int64_t nodes = std::min(cells, room.points / room.min_points);
  const std::int64_t ball_cells = a.ball.directions * room.distances;
  constexpr std::int64_t kPairs = std::int64_t{planes::kCloudPlanes} * planes::kCloudPlanes;
  arena.take(&a.point_cells, room.points);
  arena.take(&a.point_planes, room.points);
  arena.take(&a.word_totals, blocks_of(words, kCloudThreads * kRankWords));
  arena.take(&a.words, words);
  arena.take(&a.cell_keys, cells);
  arena.take(&a.cells, cells);
  arena.take(&a.chunk_totals, kCloudChunks);
  arena.take(&a.before, cells + 1);
  arena.take(&a.node_flags, cells);
  arena.take(&a.owners, cells);
  arena.take(&a.near, cells);
  arena.take(&a.planar, nodes);
  arena.take(&a.voters, nodes);
  arena.take(&a.voted, ball_cells);
  arena.take(&a.peak_candidates, ball_cells);
  arena.take(&a.found_peaks, most_peaks(ball->view(), room.distances));
  arena.take(&a.peaks, planes::kCloudPlanes);
  arena.take(&a.planes, planes::kCloudPlanes);
  arena.take(&a.border_steps, kPairs);
  arena.take(&a.border_pairs, kPairs);
  arena.take(&a.borders, kPairs);
  arena.take(&a.roots, planes::kCloudPlanes);
  arena.take(&a.into, planes::kCloudPlanes);
  arena.take(&a.best, planes::kCloudPlanes);
  arena.take(&a.point_views, planes::kCloudPlanes);
  arena.take(&a.label_sums, planes::kCloudPlanes);
  arena.take(&a.label_first, planes::kCloudPlanes);
  arena.take(&a.final_labels, planes::kCloudPlanes + 1);
  arena.take(&a.axes, planes::kMaxPlanes);
  arena.take(&a.farthest, planes::kMaxPlanes * planes::kHullDirections);
  arena.take(&a.under, planes::kMaxPlanes);
  arena.take(&a.candidates, planes::kMaxPlanes);
  return arena.bytes();
}

std::size_t CloudPlanesEngine::Impl::lay_out_cleared(const Room& room, unsigned char* base) {
  CloudPlanesArguments& a = arguments;
  Arena arena(base);
  arena.take(&a.state, 1);
  arena.take(&a.rounds, room.rounds);
  arena.take(&a.digits, kDigitCounts);
  arena.take(&a.plane_sums, planes::kCloudPlanes);
  arena.take(&a.numbers, planes::kCloudPlanes);
  arena.take(&a.occupied, std::max<std::int64_t>(1, (std::int64_t{1} << 3 * room.depth) / 32));
  return arena.bytes();
}

std::size_t CloudPlanesEngine::Impl::lay_out_zeros(const Room& room, unsigned char* base) {
  Arena arena(base);
  arena.take(&arguments.votes, arguments.ball.directions * room.distances);
  return arena.bytes();
}

void CloudPlanesEngine::Impl::prepare(const Room& room) {
  if (room.points > static_cast<std::int64_t>(kMaxPoints)) {
    throw CudaError(CUDA_ERROR_INVALID_VALUE, "finding planes: the cloud has " +
                                                  std::to_string(room.points) +
                                                  " points, at most " + std::to_string(kMaxPoints) +
                                                  " are possible; leave some of them out");
  }
  make_ball(room.directions);
  const std::size_t bytes = lay_out(room, nullptr);
  memory.ensure_anew(bytes);
  lay_out(room, memory.as<unsigned char>());
  cleared_bytes = lay_out_cleared(room, nullptr);
  cleared.ensure(cleared_bytes);
  lay_out_cleared(room, cleared.as<unsigned char>());
  zeros.ensure_zeros(lay_out_zeros(room, nullptr));
  lay_out_zeros(room, zeros.as<unsigned char>());
  const std::int64_t ball_cells = arguments.ball.directions * room.distances;
  filtered.ensure_zeros(static_cast<std::size_t>(ball_cells) * sizeof(std::uint32_t));
  arguments.filtered = filtered.as<std::uint32_t>();
  if (result.size() == 0) {
    result.ensure(sizeof(CloudResult));
    reinterpret_cast<CloudResult*>(result.get())->count = -1;
  }
  arguments.result = reinterpret_cast<CloudResult*>(result.device_pointer());
}

// Bounds, cells, nodes.
void CloudPlanesEngine::Impl::run_octree(CloudPlanesArguments* a, const Room& room,
                                         CUstream stream) const {
  const std::int64_t keys = std::int64_t{1} << 3 * room.depth;
  const LaunchShape points = loop(room.points, 4 * kCloudThreads);
  const LaunchShape cells = loop(std::min(keys, room.points));
  const LaunchShape words{
      blocks_of(std::max<std::int64_t>(1, keys / 32), kCloudThreads * kRankWords), 1,
      kCloudThreads};
  const LaunchShape chunk{std::min<unsigned>(cells.blocks_x, kCloudChunks), 1, kCloudThreads};
  LaunchShape digits = points;
  digits.shared_bytes = kBoundsShared;
  digits.blocks_x = std::min(digits.blocks_x, 2 * processors);
  for (a->pass = 0; a->pass < kCloudPasses; ++a->pass)
    start(kernels["rdp_cloud_bounds"], digits, stream, *a);
  start(kernels["rdp_cloud_mark"], points, stream, *a);
  start(kernels["rdp_cloud_count"], words, stream, *a);
  start(kernels["rdp_cloud_number"], words, stream, *a);
  start(kernels["rdp_cloud_sums"], points, stream, *a);
  start(kernels["rdp_cloud_chunks"], chunk, stream, *a);
  start(kernels["rdp_cloud_before"], chunk, stream, *a);
  start(kernels["rdp_cloud_nodes"], cells, stream, *a);
  start(kernels["rdp_cloud_planar"], cells, stream, *a);
}

// Starts all rounds; the device decides whether a round takes place.
void CloudPlanesEngine::Impl::run_rounds(CloudPlanesArguments* a, const Room& room,
                                         CUstream stream) const {
  const std::int64_t nodes_there =
      std::min(std::int64_t{1} << 3 * room.depth, room.points / room.min_points);
  const LaunchShape of_nodes = loop(nodes_there, kCloudThreads / 32);
  LaunchShape voting = loop(nodes_there, 1);
  voting.threads = kCloudVoteThreads;
  const LaunchShape of_ball = loop(a->ball.directions * room.distances, 32 * kCloudThreads);
  const LaunchShape dropping{1, 1, kDropThreads};
  for (a->round = 0; a->round < room.rounds; ++a->round) {
    start(kernels["rdp_cloud_vote"], voting, stream, *a);
    start(kernels["rdp_cloud_filter"], of_ball, stream, *a);
    start(kernels["rdp_cloud_peaks"], of_ball, stream, *a);
    start(kernels["rdp_cloud_order"], of_ball, stream, *a);
    start(kernels["rdp_cloud_nearest"], of_nodes, stream, *a);
    start(kernels["rdp_cloud_fit"], of_ball, stream, *a);
    start(kernels["rdp_cloud_assign"], of_nodes, stream, *a);
    start(kernels["rdp_cloud_drop"], dropping, stream, *a);
  }
  start(kernels["rdp_cloud_keep"], dropping, stream, *a);
}

CloudPlanesEngine::CloudPlanesEngine() : impl_(std::make_unique<Impl>()) {}
CloudPlanesEngine::~CloudPlanesEngine() = default;

void CloudPlanesEngine::prepare(std::size_t points, const planes::Parameters& parameters) {
  impl_->prepare(room_of(points, planes::cloud_settings(planes::CloudView(), parameters)));
}

void CloudPlanesEngine::find(const planes::CloudView& cloud, const planes::Parameters& parameters,
                             CUdeviceptr labels, CUstream stream) {
  Impl& impl = *impl_;
  const planes::CloudSettings settings = planes::cloud_settings(cloud, parameters);
  const Room room = room_of(cloud.points, settings);
  impl.prepare(room);
  impl.view = cloud;
  impl.parameters = parameters;
  CloudPlanesArguments a = impl.arguments;
  a.settings = settings;
  a.ground = planes::ground_rules_of(cloud, parameters);
  const auto first = reinterpret_cast<std::uintptr_t>(cloud.data) + cloud.offset;
  a.points = reinterpret_cast<const unsigned char*>(first);
  a.step = static_cast<std::int64_t>(cloud.step);
  a.point_count = static_cast<std::int32_t>(cloud.points);
  a.is_aligned = first % sizeof(float) == 0 && cloud.step % sizeof(float) == 0 ? 1 : 0;
  a.labels = reinterpret_cast<unsigned char*>(labels);
  check(driver().cuMemsetD8Async(impl.cleared.get(), 0, impl.cleared_bytes, stream),
        "finding planes");
  impl.run_octree(&a, room, stream);
  impl.run_rounds(&a, room, stream);
  const LaunchShape points = impl.loop(room.points, 2 * kCloudThreads);
  const LaunchShape cells = impl.loop(std::min(std::int64_t{1} << 3 * room.depth, room.points));
  impl.start(impl.kernels["rdp_cloud_own"], cells, stream, a);
  const LaunchShape of_cells =
      impl.loop(std::min(std::int64_t{1} << 3 * room.depth, room.points), kCloudThreads / 32);
  impl.start(impl.kernels["rdp_cloud_borders"], of_cells, stream, a);
  impl.start(impl.kernels["rdp_cloud_merge"], {1, 1, kCloudMergeThreads}, stream, a);
  impl.start(impl.kernels["rdp_cloud_near"], of_cells, stream, a);
  impl.start(impl.kernels["rdp_cloud_label"], points, stream, a);
  impl.start(impl.kernels["rdp_cloud_select"], {1, 1, kCloudSelectThreads}, stream, a);
  impl.start(impl.kernels["rdp_cloud_write"], points, stream, a);
  impl.start(impl.kernels["rdp_cloud_under"], cells, stream, a);
  impl.start(impl.kernels["rdp_cloud_finish"], {1, 1, kCloudThreads}, stream, a);
}

const planes::PlaneSet& CloudPlanesEngine::planes() {
  impl_->read_result();
  return impl_->set;
}

void CloudPlanesEngine::Impl::read_result() {
  set.planes.clear();
  set.corners.clear();
  set.ground = {};
  set.counts = {};
  if (result.size() == 0) return;
  const CloudResult& r = *reinterpret_cast<const CloudResult*>(result.get());
  if (r.count < 0 || r.finite == 0) return;
  const planes::CloudRules& rules = r.rules;
  planes::Counts& counts = set.counts;
  counts.known = r.known;
  counts.outside = r.finite - r.known;
  counts.nodes = r.nodes;
  counts.planar_nodes = r.planar_nodes;
  counts.voters = r.voters;
  counts.peaks = r.peaks;
  counts.small = r.small;
  counts.thick = r.thick;
  counts.surplus = r.surplus;
  counts.merged = r.merged;
  counts.resolution = rules.unit;
  counts.coarser = rules.coarser;
  const auto count = static_cast<std::size_t>(r.count);
  std::int64_t under[planes::kMaxPlanes];
  for (std::size_t p = 0; p < count; ++p) {
    const FoundCloudPlane& found = r.planes[p];
    set.planes.push_back(planes::cloud_plane_in_metres(rules, view, found.moments, found.fit));
    set.planes.back().votes = static_cast<std::int64_t>(found.votes / 16);
    if (rules.hull) planes::add_cloud_hull(rules, view, found.corners, &set);
    under[p] = static_cast<std::int64_t>(found.under);
  }
  set.ground =
      planes::choose_ground(set.planes, std::span(under, count), counts.known,
                            planes::ground_rules_of(view, parameters), planes::ground_of(view));
}

}  // namespace rdp::cuda
