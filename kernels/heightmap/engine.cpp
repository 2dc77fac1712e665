// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernels/heightmap/engine.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "common/heightmap/geometry.h"
#include "common/heightmap/potential.h"
#include "common/heightmap/rules.h"
#include "common/image/float_environment.h"
#include "kernels/heightmap/ground_engine.h"
#include "kernels/heightmap/height_arguments.h"
#include "kernels/runtime/arena.h"
#include "kernels/runtime/context.h"
#include "kernels/runtime/cuda_error.h"
#include "kernels/runtime/device_memory.h"
#include "kernels/runtime/driver.h"
#include "kernels/runtime/kernel_module.h"
#include "kernels/runtime/kernel_table.h"

extern "C" const unsigned char rdp_height_census_fatbin[];
extern "C" const unsigned char rdp_height_costs_fatbin[];
extern "C" const unsigned char rdp_height_labels_fatbin[];
extern "C" const unsigned char rdp_height_messages_fatbin[];

namespace rdp::cuda {
namespace {

using heightmap::Geometry;
using heightmap::Parameters;
using heightmap::Plane;
using heightmap::Rig;
using heightmap::View;

static_assert(kMaxHeightPictures == heightmap::kMaxViews);
static_assert(kMaxHeightWindow == heightmap::kMaxWindow);

// Low heights whose census differences are kept at a time.
constexpr int kLowsAtOnce = 32;
// Half-iterations between two checks of the energy.
constexpr int kEnergySteps = 10;
// Wanted resident blocks of rdp_height_exchange_* per multiprocessor, and the shared memory that
// the device reserves for each.
constexpr int kExchangeBlocks = 2;
constexpr int kReservedBytes = 1024;
// Fixed costs of a block, in rows: the pixels around its part, and its start.
constexpr int kExchangeExtra = 6;
constexpr int kMaxTileRows = 32;

std::size_t size_of(int count) { return static_cast<std::size_t>(count); }

constexpr int words_of(int labels) { return (labels + 3) / 4; }

// Words of labels of the kernel for this many heights.
int kernel_words(int heights) {
  if (heights == 24) return 6;
  return heights <= 16 ? 4 : heights <= 32 ? 8 : 16;
}

BeliefLayout layout_of(const Rig& rig, const Parameters& parameters) {
  const View& seen = rig.seen();
  return {seen.width, seen.height, parameters.heights(), kernel_words(parameters.heights()),
          ((seen.width + 1) / 2 + BeliefLayout::kGroup - 1) / BeliefLayout::kGroup};
}

// Bytes of a colour's costs, and of its incoming messages.
std::int64_t cost_bytes(const BeliefLayout& layout) {
  return std::int64_t{layout.height} * layout.groups * BeliefLayout::cost_bytes(layout.words);
}
std::int64_t message_bytes(const BeliefLayout& layout) {
  return std::int64_t{layout.height} * layout.groups * BeliefLayout::message_bytes(layout.words);
}

// Words of a band per pixel and view.
int band_words(const Parameters& parameters) {
  return words_of(parameters.heights()) + 2 +
         words_of(std::min(parameters.low_heights(), kLowsAtOnce));
}
std::size_t band_row_bytes(const Rig& rig, const Parameters& parameters) {
  return size_of(rig.seen().width) * sizeof(std::uint32_t) * (rig.views.size() - 1) *
         size_of(band_words(parameters));
}
// Rows of a band without its margins.
int band_rows(const Rig& rig, const Parameters& parameters, std::size_t band_bytes) {
  const int height = rig.seen().height;
  const auto most = static_cast<int>(std::clamp<std::size_t>(
      band_bytes / band_row_bytes(rig, parameters), kHeightCostRows, heightmap::kMaxMillimetres));
  const int bands = (height + most - 1) / most;
  return ((height + bands - 1) / bands + kHeightCostRows - 1) / kHeightCostRows * kHeightCostRows;
}

// Arrays on the device.
struct HeightMemory {
  std::uint32_t* census[kMaxHeightPictures];
  std::uint32_t* bits;
  unsigned char* costs[2];  // by colour
  // Incoming messages by colour; [2] is colour 0 again, written while [0] is read, or vice versa.
  unsigned char* messages[3];
  unsigned char* labels;
  HeightProgress* progress;
  // From the calibration.
  HeightSight* sights;
  HeightPlane* planes;
  std::int32_t* potential;

  std::size_t first_message;  // byte offsets of the begin and end of the messages
  std::size_t last_message;
};

std::size_t lay_out(const Rig& rig, const Parameters& parameters, std::size_t band_bytes,
                    unsigned char* base, HeightMemory* memory) {
  const BeliefLayout layout = layout_of(rig, parameters);
  const std::int64_t pixels = std::int64_t{layout.width} * layout.height;
  Arena arena(base);
  for (unsigned char*& costs : memory->costs) arena.take(&costs, cost_bytes(layout));
  memory->first_message = arena.bytes();
  for (unsigned char*& messages : memory->messages) {
    arena.take(&messages, message_bytes(layout));
  }
  memory->last_message = arena.bytes();
  arena.take(&memory->labels, pixels);
  arena.take(&memory->progress, 1);
  for (std::size_t i = 0; i < rig.views.size(); ++i) {
    arena.take(&memory->census[i], std::int64_t{rig.views[i].width} * rig.views[i].height);
  }
  const int rows = std::min(band_rows(rig, parameters, band_bytes) + 2 * (parameters.window / 2),
                            rig.seen().height);
  arena.take(
      &memory->bits,
      static_cast<std::int64_t>(band_row_bytes(rig, parameters) / sizeof(std::uint32_t)) * rows);
  arena.take(&memory->sights, static_cast<std::int64_t>(rig.views.size()));
  arena.take(&memory->planes, parameters.heights() + parameters.low_heights());
  arena.take(&memory->potential, pixels);
  return arena.bytes();
}

struct Modules {
  static constexpr ModuleRow kRows[] = {
      {rdp_height_census_fatbin, {"rdp_height_census", "rdp_height_links"}},
      {rdp_height_costs_fatbin,
       {"rdp_height_differences", "rdp_height_costs_1", "rdp_height_costs_3", "rdp_height_costs_5",
        "rdp_height_costs_7", "rdp_height_costs_9", "rdp_height_costs_11"}},
      {rdp_height_messages_fatbin,
       {"rdp_height_send_16",
        "rdp_height_send_24",
        "rdp_height_send_32",
        "rdp_height_send_64",
        {"rdp_height_exchange_16", kSharedOfOwner},
        {"rdp_height_exchange_24", kSharedOfOwner},
        {"rdp_height_exchange_32", kSharedOfOwner},
        {"rdp_height_exchange_64", kSharedOfOwner}}},
      {rdp_height_labels_fatbin, {"rdp_height_labels", "rdp_height_energy"}},
  };
};

}  // namespace

struct HeightEngine::Impl {
  explicit Impl(std::size_t most_band_bytes) : band_bytes(most_band_bytes) {}

  const std::size_t band_bytes;
  // The limit for a block.
  const int most_shared =
      current_device_attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
  KernelTable<Modules> kernels{static_cast<unsigned>(most_shared)};

  // The prepared state.
  bool ready = false;
  Rig rig;
  Parameters parameters;
  BeliefLayout layout;
  HeightMemory at;
  double horizon[3];
  int tile_rows = 0;

  DeviceBuffer memory;
  PinnedBuffer report;
  GroundEngine ground;  // steps after the labels

  void prepare();
  void upload(const Geometry& geometry);
  void find_census(std::span<const DeviceDepthView> pictures, CUstream stream) const;
  const Kernel& costs_kernel() const;
  void find_costs(const DeviceDepthView& picture, CUstream stream) const;
  HeightBeliefArguments belief_arguments() const;
  int rows_of_tiles() const;
  void send(const HeightBeliefArguments& a, CUstream stream) const;
  void two_half_iterations(const HeightBeliefArguments& a, CUstream stream) const;
  void propagate(CUstream stream) const;
  void decide(HeightBeliefArguments a, int done, bool may_end, CUstream stream) const;
};

HeightEngine::HeightEngine(std::size_t band_bytes) : impl_(std::make_unique<Impl>(band_bytes)) {}

HeightEngine::~HeightEngine() = default;

std::uint64_t HeightEngine::memory_of(const Rig& rig, const Parameters& parameters) {
  HeightMemory nowhere{};
  return lay_out(rig, parameters, kBandBytes, nullptr, &nowhere) +
         GroundEngine::memory_of(rig, parameters);
}

void HeightEngine::prepare(const Rig& rig, const Parameters& parameters) {
  Impl& impl = *impl_;
  if (impl.ready && impl.rig == rig && impl.parameters == parameters) return;
  impl.ready = false;
  impl.rig = rig;
  impl.parameters = parameters;
  with_standard_floats([&] { impl.prepare(); });
  impl.ground.prepare(rig, parameters);
  impl.ready = true;
}

void HeightEngine::Impl::prepare() {
  report.ensure(sizeof(HeightReport));
  layout = layout_of(rig, parameters);
  HeightMemory nowhere{};
  memory.ensure_anew(lay_out(rig, parameters, band_bytes, nullptr, &nowhere));
  lay_out(rig, parameters, band_bytes, memory.as<unsigned char>(), &at);
  const Geometry geometry = heightmap::geometry_of(rig);
  std::copy_n(geometry.horizon, 3, horizon);
  tile_rows = rows_of_tiles();
  upload(geometry);
}

// Rows per tile for the shortest time: large tiles have less around them, but the last wave of
// tiles should not be nearly empty.
int HeightEngine::Impl::rows_of_tiles() const {
  const int row_bytes = BeliefLayout::message_bytes(layout.words);
  const int all_shared =
      current_device_attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR);
  const int shared = std::min(all_shared / kExchangeBlocks - kReservedBytes, most_shared);
  const int most = std::clamp(shared / row_bytes, 1, kMaxTileRows);
  const std::int64_t at_once = std::int64_t{kExchangeBlocks} *
                               current_device_attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  int best = 1;
  std::int64_t best_time = INT64_MAX;
  for (int rows = most; rows >= 1; --rows) {
    const std::int64_t tiles = std::int64_t{layout.groups} * ((layout.height + rows - 1) / rows);
    const std::int64_t time = (tiles + at_once - 1) / at_once * (2 * rows + kExchangeExtra);
    if (time < best_time) {
      best = rows;
      best_time = time;
    }
  }
  return best;
}

void HeightEngine::Impl::upload(const Geometry& geometry) {
  std::vector<HeightSight> sights;
  for (std::size_t i = 0; i < rig.views.size(); ++i) {
    if (static_cast<int>(i) == rig.reference) continue;
    sights.push_back({geometry.others[sights.size()], at.census[i]});
  }
  std::vector<HeightPlane> planes;
  const auto add = [&](int millimetres) {
    const Plane plane = geometry.plane(heightmap::metres(millimetres));
    const int sign = plane.determinant > 0.0 ? 1 : plane.determinant < 0.0 ? -1 : 0;
    planes.push_back({plane.height, static_cast<float>(plane.height), sign});
  };
  for (int l = 0; l < parameters.heights(); ++l) add(parameters.height_of(l));
  for (int l = 0; l < parameters.low_heights(); ++l) add(l * parameters.low_step);
  const std::vector<std::int32_t> potential = heightmap::potential_of(geometry, parameters);

  const Stream stream;
  const auto copy = [&](auto* to, const auto& from) {
    check(driver().cuMemcpyHtoDAsync_v2(reinterpret_cast<CUdeviceptr>(to), from.data(),
                                        from.size() * sizeof(from[0]), stream.get()),
          "copying a calibration to the GPU");
  };
  copy(at.sights, sights);
  copy(at.planes, planes);
  copy(at.potential, potential);
  // Costs beyond the last height, and messages across the border; neither is written again.
  const auto fill = [&](CUdeviceptr from, unsigned char byte, std::size_t bytes) {
    check(driver().cuMemsetD8Async(from, byte, bytes, stream.get()), "clearing memory of the GPU");
  };
  fill(memory.get(), kHeightBeyond, at.first_message);
  fill(memory.get() + at.first_message, 0, at.last_message - at.first_message);
  stream.synchronize();
}

void HeightEngine::Impl::find_census(std::span<const DeviceDepthView> pictures,
                                     CUstream stream) const {
  HeightCensusArguments a{};
  int width = 0;
  int height = 0;
  for (std::size_t i = 0; i < pictures.size(); ++i) {
    const DeviceDepthView& picture = pictures[i];
    a.pictures[i] = {picture.bytes(), picture.pitch, at.census[i], picture.width, picture.height};
    width = std::max(width, picture.width);
    height = std::max(height, picture.height);
  }
  HeightLinkArguments links{};
  links.progress = at.progress;
  links.picture = a.pictures[rig.reference];
  links.potential = at.potential;
  std::copy_n(at.costs, 2, links.costs);
  links.layout = layout;
  links.max_slope = parameters.max_slope;
  links.contrast = parameters.edge_contrast;
  kernels["rdp_height_links"].start(
      tiled(layout.width, layout.height, kHeightLinkThreads, 1, kHeightLinkThreads), stream, links);
  kernels["rdp_height_census"].start(tiled(width, height, kHeightCensusColumns, kHeightCensusRows,
                                           kHeightCensusThreads, static_cast<int>(pictures.size())),
                                     stream, a);
}

const Kernel& HeightEngine::Impl::costs_kernel() const {
  switch (parameters.window) {
    case 1:
      return kernels["rdp_height_costs_1"];
    case 3:
      return kernels["rdp_height_costs_3"];
    case 5:
      return kernels["rdp_height_costs_5"];
    case 7:
      return kernels["rdp_height_costs_7"];
    case 9:
      return kernels["rdp_height_costs_9"];
    default:
      return kernels["rdp_height_costs_11"];
  }
}

void HeightEngine::Impl::find_costs(const DeviceDepthView& picture, CUstream stream) const {
  HeightCostArguments a{};
  a.picture = {picture.bytes(), picture.pitch, at.census[rig.reference], picture.width,
               picture.height};
  a.sights = at.sights;
  a.planes = at.planes;
  a.potential = at.potential;
  std::copy_n(horizon, 3, a.horizon);
  // The last label has the highest plane; low heights are below the labels.
  a.highest = static_cast<float>(heightmap::metres(parameters.height_of(parameters.heights() - 1)));
  a.layout = layout;
  std::copy_n(at.costs, 2, a.costs);
  a.views = static_cast<int>(rig.views.size()) - 1;
  a.window = parameters.window;
  const int bits = heightmap::kCensusBits * a.views * parameters.window * parameters.window;
  a.bits_of_windows = fixed_divisor(static_cast<std::uint32_t>(bits));
  a.half_bits = bits / 2;
  a.lows = parameters.low_heights();
  a.constant = parameters.unknown_cost;
  a.bias = parameters.low_bias;

  const int rows = band_rows(rig, parameters, band_bytes);
  const int reach = parameters.window / 2;
  for (a.first_row = 0; a.first_row < layout.height; a.first_row = a.end_row) {
    a.end_row = std::min(a.first_row + rows, layout.height);
    a.bits.words = at.bits;
    a.bits.first_row = std::max(a.first_row - reach, 0);
    a.bits.end_row = std::min(a.end_row + reach, layout.height);
    const int bits_rows = a.bits.end_row - a.bits.first_row;
    a.bits.plane_stride = layout.width * bits_rows;
    a.bits.view_stride = std::int64_t{a.bits.plane_stride} * band_words(parameters);
    a.first_low = 0;
    do {
      a.with_labels = a.first_low == 0 ? 1 : 0;
      a.end_low = std::min(a.first_low + kLowsAtOnce, a.lows);
      kernels["rdp_height_differences"].start(
          tiled(layout.width, bits_rows, kHeightDifferencesThreads, 1, kHeightDifferencesThreads,
                a.views),
          stream, a);
      costs_kernel().start(tiled(layout.width, a.end_row - a.first_row, kHeightCostColumns,
                                 kHeightCostRows, kHeightCostThreads),
                           stream, a);
      a.first_low = a.end_low;
    } while (a.first_low < a.lows);
  }
}

HeightBeliefArguments HeightEngine::Impl::belief_arguments() const {
  HeightBeliefArguments a{};
  a.layout = layout;
  std::copy_n(at.costs, 2, a.costs);
  std::copy_n(at.messages, 2, a.write);
  a.labels = at.labels;
  a.progress = at.progress;
  a.report = reinterpret_cast<HeightReport*>(report.device_pointer());
  a.smoothness = parameters.smoothness;
  a.max_jump = parameters.max_jump;
  a.unknown_jump = parameters.unknown_jump;
  a.edge_jump = parameters.edge_jump;
  a.tolerance = parameters.tolerance;
  return a;
}

void HeightEngine::Impl::send(const HeightBeliefArguments& a, CUstream stream) const {
  const LaunchShape shape =
      tiled((layout.width + 1) / 2, layout.height, kHeightSendThreads, 1, kHeightSendThreads);
  const Kernel& kernel = layout.words == 4   ? kernels["rdp_height_send_16"]
                         : layout.words == 6 ? kernels["rdp_height_send_24"]
                         : layout.words == 8 ? kernels["rdp_height_send_32"]
                                             : kernels["rdp_height_send_64"];
  kernel.start(shape, stream, a);
}

// Two half-iterations: from the incoming messages of colour 0 to its next ones.
void HeightEngine::Impl::two_half_iterations(const HeightBeliefArguments& a,
                                             CUstream stream) const {
  const bool many = layout.words == 16;
  LaunchShape shape = tiled(layout.groups, layout.height, 1, tile_rows,
                            many ? kHeightExchangeManyThreads : kHeightExchangeThreads);
  shape.shared_bytes = static_cast<unsigned>(tile_rows * BeliefLayout::message_bytes(layout.words));
  const Kernel& kernel = layout.words == 4   ? kernels["rdp_height_exchange_16"]
                         : layout.words == 6 ? kernels["rdp_height_exchange_24"]
                         : layout.words == 8 ? kernels["rdp_height_exchange_32"]
                                             : kernels["rdp_height_exchange_64"];
  kernel.start(shape, stream, a);
}

// Half-iterations go in pairs, and the last one of an odd number alone.
void HeightEngine::Impl::propagate(CUstream stream) const {
  HeightBeliefArguments a = belief_arguments();
  a.tile_rows = tile_rows;
  const int most = parameters.iterations;
  for (int done = 0; done < most;) {
    if (done + 1 == most) {
      a.colour = 0;
      send(a, stream);
      a.read[1] = a.write[1];
      ++done;
      break;
    }
    done += 2;
    const bool looks = parameters.tolerance > 0 && done % kEnergySteps == 0;
    a.keeps = looks || done == most ? 1 : 0;
    two_half_iterations(a, stream);
    a.read[0] = a.write[0];
    a.write[0] = a.read[0] == at.messages[0] ? at.messages[2] : at.messages[0];
    if (a.keeps != 0) a.read[1] = a.write[1];
    if (looks) decide(a, done, true, stream);
  }
  if (parameters.tolerance == 0 || most % kEnergySteps != 0 || most == 0) {
    decide(a, most, false, stream);
  }
}

void HeightEngine::Impl::decide(HeightBeliefArguments a, int done, bool may_end,
                                CUstream stream) const {
  a.done = done;
  a.decides = may_end ? 1 : 0;
  kernels["rdp_height_labels"].start(
      tiled((layout.width + 1) / 2, layout.height, kHeightLabelThreads, 1, kHeightLabelThreads, 2),
      stream, a);
  kernels["rdp_height_energy"].start(tiled(layout.width, layout.height, kHeightEnergyColumns,
                                           kHeightEnergyRows, kHeightEnergyColumns),
                                     stream, a);
}

void HeightEngine::run(std::span<const DeviceDepthView> pictures, CUstream stream) {
  impl_->find_census(pictures, stream);
  impl_->find_costs(pictures[size_of(impl_->rig.reference)], stream);
  impl_->propagate(stream);
  impl_->ground.start(labels(), stream);
}

CUdeviceptr HeightEngine::labels() const { return reinterpret_cast<CUdeviceptr>(impl_->at.labels); }

void HeightEngine::write_heights(const DeviceDepthView& samples, CUstream stream) {
  impl_->ground.write_heights(labels(), samples, stream);
}

void HeightEngine::write_depths(const DeviceDepthView& samples, CUstream stream) {
  impl_->ground.write_depths(labels(), samples, stream);
}

void HeightEngine::draw_ground(const heightmap::GroundGrid& grid, const DeviceDepthView& samples,
                               CUstream stream) {
  impl_->ground.draw_ground(labels(), grid, samples, stream);
}

// Written by the device.
heightmap::Result HeightEngine::finish(const heightmap::Area& area) {
  const auto* const report = reinterpret_cast<const volatile HeightReport*>(impl_->report.get());
  heightmap::Result result;
  result.energy = report->energy;
  result.iterations = static_cast<int>(report->iterations);
  result.heads = impl_->ground.heads(area);
  result.known = impl_->ground.known();
  return result;
}

}  // namespace rdp::cuda
