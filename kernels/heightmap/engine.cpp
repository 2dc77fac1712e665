// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernels/heightmap/engine.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "common/heightmap/geometry.h"
#include "common/heightmap/potential.h"
#include "common/image/float_environment.h"
#include "kernels/heightmap/height_arguments.h"
#include "kernels/runtime/arena.h"
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

static_assert(kMostHeightPictures == heightmap::kMostViews);
static_assert(kMostHeightWindow == heightmap::kMostWindow);

// What differs between the censuses is kept for a band of rows, which stays in the second-level
// cache, and for so many low heights at a time.
constexpr std::size_t kBandBytes = std::size_t{24} << 20;
constexpr int kLowsAtOnce = 32;
// The energy is looked at after so many half-iterations.
constexpr int kEnergySteps = 10;
constexpr int kDirections = 4;

std::size_t size_of(int count) { return static_cast<std::size_t>(count); }

constexpr int words_of(int labels) { return (labels + 3) / 4; }

// Words of the labels of the kernel that takes so many heights.
int kernel_words(int heights) {
  if (heights == 24) return 6;
  return heights <= 16 ? 4 : heights <= 32 ? 8 : 16;
}

HeightLayout layout_of(const Rig& rig, const Parameters& parameters) {
  constexpr int kSector = 8;  // numbers
  const View& seen = rig.seen();
  return {seen.width, seen.height, parameters.heights(), kernel_words(parameters.heights()),
          ((seen.width + 1) / 2 + kSector - 1) / kSector * kSector};
}

// Of the costs of a colour, or of its messages from one direction.
std::int64_t plane_bytes(const HeightLayout& layout) {
  return static_cast<std::int64_t>(
      Arena::aligned(size_of(4 * layout.words + 1) * size_of(layout.height) *
                     static_cast<std::size_t>(layout.pitch)));
}

// The words of a pixel and view that a band has.
int band_words(const Parameters& parameters) {
  return words_of(parameters.heights()) + 2 +
         words_of(std::min(parameters.low_heights(), kLowsAtOnce));
}
std::size_t band_row_bytes(const Rig& rig, const Parameters& parameters) {
  return size_of(rig.seen().width) * sizeof(std::uint32_t) * (rig.views.size() - 1) *
         size_of(band_words(parameters));
}
// Rows whose costs a band gives.
int band_rows(const Rig& rig, const Parameters& parameters) {
  const int height = rig.seen().height;
  const auto most = static_cast<int>(std::clamp<std::size_t>(
      kBandBytes / band_row_bytes(rig, parameters), kHeightCostRows, heightmap::kMostMillimetres));
  const int bands = (height + most - 1) / most;
  return ((height + bands - 1) / bands + kHeightCostRows - 1) / kHeightCostRows * kHeightCostRows;
}

// What lies on the device.
struct HeightMemory {
  std::uint32_t* census[kMostHeightPictures];
  std::uint32_t* bits;
  unsigned char* costs[2];        // by colour
  unsigned char* messages[2];     // that reach its pixels
  std::uint16_t* links[2];
  unsigned char* labels;
  HeightProgress* progress;
  // From the calibration.
  HeightSight* sights;
  HeightPlane* planes;
  std::int32_t* potential;

  std::size_t first_message;  // bytes before the messages, and behind them
  std::size_t last_message;
};

std::size_t lay_out(const Rig& rig, const Parameters& parameters, unsigned char* base,
                    HeightMemory* memory) {
  const HeightLayout layout = layout_of(rig, parameters);
  const std::int64_t pixels = std::int64_t{layout.width} * layout.height;
  Arena arena(base);
  for (unsigned char*& costs : memory->costs) arena.take(&costs, plane_bytes(layout));
  memory->first_message = arena.bytes();
  for (unsigned char*& messages : memory->messages) {
    arena.take(&messages, kDirections * plane_bytes(layout));
  }
  memory->last_message = arena.bytes();
  for (std::uint16_t*& links : memory->links) arena.take(&links, layout.height * layout.pitch);
  arena.take(&memory->labels, pixels);
  arena.take(&memory->progress, 1);
  for (std::size_t i = 0; i < rig.views.size(); ++i) {
    arena.take(&memory->census[i], std::int64_t{rig.views[i].width} * rig.views[i].height);
  }
  const int rows =
      std::min(band_rows(rig, parameters) + 2 * (parameters.window / 2), rig.seen().height);
  arena.take(&memory->bits, static_cast<std::int64_t>(band_row_bytes(rig, parameters) /
                                                      sizeof(std::uint32_t)) *
                                rows);
  arena.take(&memory->sights, static_cast<std::int64_t>(rig.views.size()));
  arena.take(&memory->planes, parameters.heights() + parameters.low_heights());
  arena.take(&memory->potential, pixels);
  return arena.bytes();
}

constexpr ModuleRow kModules[] = {
    {rdp_height_census_fatbin, {"rdp_height_census", "rdp_height_links"}},
    {rdp_height_costs_fatbin, {"rdp_height_differences", "rdp_height_costs"}},
    {rdp_height_messages_fatbin,
     {"rdp_height_send_16", "rdp_height_send_24", "rdp_height_send_32", "rdp_height_send_64"}},
    {rdp_height_labels_fatbin, {"rdp_height_labels", "rdp_height_energy"}},
};

}  // namespace

struct HeightEngine::Impl {
  KernelTable<kModules> kernels;

  // What is prepared.
  bool ready = false;
  Rig rig;
  Parameters parameters;
  HeightLayout layout;
  HeightMemory at;
  double horizon[3];

  DeviceBuffer memory;
  PinnedBuffer report;

  void prepare();
  void upload(const Geometry& geometry);
  void find_census(std::span<const DeviceDepthView> pictures, CUstream stream) const;
  void find_costs(CUstream stream) const;
  HeightBeliefArguments belief_arguments() const;
  void send(const HeightBeliefArguments& a, CUstream stream) const;
  void propagate(CUstream stream) const;
  void decide(HeightBeliefArguments a, int done, bool may_end, CUstream stream) const;
};

HeightEngine::HeightEngine() : impl_(std::make_unique<Impl>()) {}

HeightEngine::~HeightEngine() = default;

std::uint64_t HeightEngine::memory_of(const Rig& rig, const Parameters& parameters) {
  HeightMemory nowhere{};
  return lay_out(rig, parameters, nullptr, &nowhere);
}

void HeightEngine::prepare(const Rig& rig, const Parameters& parameters) {
  Impl& impl = *impl_;
  if (impl.ready && impl.rig == rig && impl.parameters == parameters) return;
  impl.ready = false;
  impl.rig = rig;
  impl.parameters = parameters;
  with_standard_floats([&] { impl.prepare(); });
  impl.ready = true;
}

void HeightEngine::Impl::prepare() {
  report.ensure(sizeof(HeightReport));
  layout = layout_of(rig, parameters);
  HeightMemory nowhere{};
  memory.ensure_anew(lay_out(rig, parameters, nullptr, &nowhere));
  lay_out(rig, parameters, memory.as<unsigned char>(), &at);
  const Geometry geometry = heightmap::geometry_of(rig);
  std::copy_n(geometry.horizon, 3, horizon);
  upload(geometry);
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
    planes.push_back({plane.height, plane.determinant});
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
  // No height is beyond the last one, and nobody tells anything across the border.
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
  std::copy_n(at.links, 2, links.links);
  links.layout = layout;
  links.max_slope = parameters.max_slope;
  links.contrast = parameters.edge_contrast;
  kernels["rdp_height_links"].start(
      tiled(layout.width, layout.height, kHeightLinkThreads, 1, kHeightLinkThreads), stream, links);
  kernels["rdp_height_census"].start(
      tiled(width, height, kHeightCensusColumns, kHeightCensusRows, kHeightCensusThreads,
            static_cast<int>(pictures.size())),
      stream, a);
}

void HeightEngine::Impl::find_costs(CUstream stream) const {
  HeightCostArguments a{};
  a.sights = at.sights;
  a.planes = at.planes;
  a.potential = at.potential;
  a.census = at.census[rig.reference];
  std::copy_n(horizon, 3, a.horizon);
  a.layout = layout;
  std::copy_n(at.costs, 2, a.costs);
  a.views = static_cast<int>(rig.views.size()) - 1;
  a.window = parameters.window;
  a.lows = parameters.low_heights();
  a.constant = parameters.unknown_cost;
  a.bias = parameters.low_bias;

  const int rows = band_rows(rig, parameters);
  const int reach = parameters.window / 2;
  for (a.first_row = 0; a.first_row < layout.height; a.first_row = a.end_row) {
    a.end_row = std::min(a.first_row + rows, layout.height);
    a.bits.words = at.bits;
    a.bits.first_row = std::max(a.first_row - reach, 0);
    a.bits.end_row = std::min(a.end_row + reach, layout.height);
    const int bits_rows = a.bits.end_row - a.bits.first_row;
    a.bits.plane_stride = std::int64_t{layout.width} * bits_rows;
    a.bits.view_stride = a.bits.plane_stride * band_words(parameters);
    a.first_low = 0;
    do {
      a.with_labels = a.first_low == 0 ? 1 : 0;
      a.end_low = std::min(a.first_low + kLowsAtOnce, a.lows);
      kernels["rdp_height_differences"].start(
          tiled(layout.width, bits_rows, kHeightDifferencesThreads, 1, kHeightDifferencesThreads,
                a.views),
          stream, a);
      kernels["rdp_height_costs"].start(tiled(layout.width, a.end_row - a.first_row,
                                              kHeightCostColumns, kHeightCostRows,
                                              kHeightCostThreads),
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
  std::copy_n(at.links, 2, a.links);
  a.direction_stride = plane_bytes(layout);
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

void HeightEngine::Impl::propagate(CUstream stream) const {
  HeightBeliefArguments a = belief_arguments();
  for (int k = 0; k < parameters.iterations; ++k) {
    a.colour = k % 2;
    send(a, stream);
    a.read[(k + 1) % 2] = a.write[(k + 1) % 2];
    if (parameters.tolerance > 0 && (k + 1) % kEnergySteps == 0) decide(a, k + 1, true, stream);
  }
  if (parameters.tolerance == 0 || parameters.iterations % kEnergySteps != 0 ||
      parameters.iterations == 0) {
    decide(a, parameters.iterations, false, stream);
  }
}

void HeightEngine::Impl::decide(HeightBeliefArguments a, int done, bool may_end,
                                CUstream stream) const {
  a.done = done;
  a.decides = may_end ? 1 : 0;
  kernels["rdp_height_labels"].start(tiled((layout.width + 1) / 2, layout.height,
                                           kHeightLabelThreads, 1, kHeightLabelThreads, 2),
                                     stream, a);
  kernels["rdp_height_energy"].start(tiled(layout.width, layout.height, kHeightEnergyColumns,
                                           kHeightEnergyRows, kHeightEnergyColumns),
                                     stream, a);
}

void HeightEngine::run(std::span<const DeviceDepthView> pictures, CUstream stream) {
  impl_->find_census(pictures, stream);
  impl_->find_costs(stream);
  impl_->propagate(stream);
}

CUdeviceptr HeightEngine::labels() const { return reinterpret_cast<CUdeviceptr>(impl_->at.labels); }

// Written by the device.
heightmap::Result HeightEngine::finish(const heightmap::Area&) {
  const auto* const report = reinterpret_cast<const volatile HeightReport*>(impl_->report.get());
  heightmap::Result result;
  result.energy = report->energy;
  result.iterations = static_cast<int>(report->iterations);
  return result;
}

}  // namespace rdp::cuda
