// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernels/stereo/engine.h"

#include <algorithm>
#include <cstdint>

#include "kernels/filters/median.h"
#include "kernels/runtime/device_memory.h"
#include "kernels/runtime/kernel_module.h"
#include "kernels/stereo/stereo_arguments.h"

extern "C" const unsigned char rdp_stereo_census_fatbin[];
extern "C" const unsigned char rdp_stereo_choose_fatbin[];
extern "C" const unsigned char rdp_stereo_paths_fatbin[];
extern "C" const unsigned char rdp_stereo_speckles_fatbin[];

namespace rdp::cuda {
namespace {

constexpr std::size_t kAlignment = 256;
// Kernels are for up to so many disparities, or for twice as many.
constexpr int kFewDisparities = 128;
// A key for each column of a row in the shared memory of rdp_stereo_choose_*.
constexpr unsigned kMostShared = kMaxSide * sizeof(std::uint32_t);

constexpr std::size_t aligned(std::size_t bytes) {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}
constexpr int in_fours(int words) { return (words + 3) / 4 * 4; }
unsigned blocks_of(std::int64_t things, int of_block) {
  return static_cast<unsigned>((things + of_block - 1) / of_block);
}

bool takes_many(const stereo::Parameters& parameters) {
  return parameters.disparities > kFewDisparities;
}
bool removes_speckles(const stereo::Parameters& parameters) { return parameters.speckle_size > 1; }

// Where things lie in the engine's memory, in bytes from its start.
struct Layout {
  Layout(int width, int height, const stereo::Parameters& parameters) {
    const auto rows = static_cast<std::size_t>(height);
    const auto pixels = static_cast<std::size_t>(width) * rows;
    left_pad = kCensusAhead;
    left_pitch = left_pad + in_fours(width + kCensusAhead);
    // A lane without disparities reads words, too.
    const int lanes = takes_many(parameters) ? 2 * kFewDisparities : kFewDisparities;
    right_pad = in_fours(parameters.min_disparity + lanes + kCensusAhead);
    right_pitch = right_pad + in_fours(width + kCensusAhead);
    checked_pitch = aligned(2 * static_cast<std::size_t>(width));
    volume_stride = aligned(pixels * static_cast<std::size_t>(parameters.disparities));

    left_census = take(rows * static_cast<std::size_t>(left_pitch) * sizeof(std::uint32_t));
    right_census = take(4 * rows * static_cast<std::size_t>(right_pitch) * sizeof(std::uint32_t));
    if (parameters.median != 0) checked = take(rows * checked_pitch);
    if (removes_speckles(parameters)) {
      parents = take(pixels * sizeof(std::uint32_t));
      sizes = take(pixels * sizeof(std::uint32_t));
    }
    volumes = take(static_cast<std::size_t>(parameters.paths) * volume_stride);
  }

  int left_pad, left_pitch, right_pad, right_pitch;  // words
  std::size_t checked_pitch, volume_stride;
  std::size_t left_census = 0, right_census = 0, checked = 0, parents = 0, sizes = 0, volumes = 0;
  std::size_t bytes = 0;

 private:
  std::size_t take(std::size_t size) {
    const std::size_t at = bytes;
    bytes += aligned(size);
    return at;
  }
};

StereoRows rows_of(const DeviceDepthView& view) { return {view.bytes(), view.pitch}; }

}  // namespace

struct StereoEngine::Impl {
  KernelModule census_module{rdp_stereo_census_fatbin};
  Kernel census{census_module, "rdp_stereo_census"};

  KernelModule paths_module{rdp_stereo_paths_fatbin};
  Kernel paths_few{paths_module, "rdp_stereo_paths_128"};
  Kernel paths_many{paths_module, "rdp_stereo_paths_256"};
  Kernel masked_paths_few{paths_module, "rdp_stereo_paths_masked_128"};
  Kernel masked_paths_many{paths_module, "rdp_stereo_paths_masked_256"};

  KernelModule choose_module{rdp_stereo_choose_fatbin};
  Kernel choose_few_4{choose_module, "rdp_stereo_choose_128_4", kMostShared};
  Kernel choose_few_8{choose_module, "rdp_stereo_choose_128_8", kMostShared};
  Kernel choose_many_4{choose_module, "rdp_stereo_choose_256_4", kMostShared};
  Kernel choose_many_8{choose_module, "rdp_stereo_choose_256_8", kMostShared};

  KernelModule speckles_module{rdp_stereo_speckles_fatbin};
  Kernel label{speckles_module, "rdp_stereo_label"};
  Kernel unite{speckles_module, "rdp_stereo_unite"};
  Kernel gather{speckles_module, "rdp_stereo_gather"};
  Kernel finish{speckles_module, "rdp_stereo_finish"};

  MedianFilter median;

  DeviceBuffer memory;
  DeviceBuffer counters;
  PinnedBuffer counts;

  void prepare(std::size_t bytes);
  StereoArguments arguments(const DevicePair& pair, const stereo::Parameters& parameters,
                            const DeviceResult& result, const Layout& layout) const;
  void follow_paths(const StereoArguments& a, bool many, CUstream stream) const;
  void choose(const StereoArguments& a, bool many, CUstream stream) const;
  void finish_result(const StereoArguments& a, bool speckles, CUstream stream) const;
};

StereoEngine::StereoEngine() : impl_(std::make_unique<Impl>()) {}

StereoEngine::~StereoEngine() = default;

std::size_t StereoEngine::memory_for(int width, int height, const stereo::Parameters& parameters) {
  return Layout(width, height, parameters).bytes;
}

void StereoEngine::prepare(int width, int height, const stereo::Parameters& parameters) {
  impl_->prepare(memory_for(width, height, parameters));
}

void StereoEngine::Impl::prepare(std::size_t bytes) {
  if (counts.get() == nullptr) {
    counts.ensure(sizeof(stereo::Counts));
    *reinterpret_cast<stereo::Counts*>(counts.get()) = {};
  }
  counters.ensure_zeros(2 * sizeof(unsigned long long));
  if (bytes <= memory.size()) return;
  // Nothing in it is needed from one pair to the next, and both at a time might not fit the device.
  memory = DeviceBuffer();
  memory.ensure(bytes);
}

StereoArguments StereoEngine::Impl::arguments(const DevicePair& pair,
                                              const stereo::Parameters& parameters,
                                              const DeviceResult& result,
                                              const Layout& layout) const {
  auto* const bytes = memory.as<unsigned char>();
  const auto words = [&](std::size_t at) { return reinterpret_cast<std::uint32_t*>(bytes + at); };
  StereoArguments a{};
  a.left = rows_of(pair.left);
  a.right = rows_of(pair.right);
  a.left_mask = rows_of(pair.left_mask);
  a.right_mask = rows_of(pair.right_mask);
  a.disparity = rows_of(result.disparity);
  a.confidence = rows_of(result.confidence);
  a.checked = a.disparity;
  if (parameters.median != 0) {
    a.checked = {bytes + layout.checked, static_cast<std::int64_t>(layout.checked_pitch)};
  }
  a.width = pair.left.width;
  a.height = pair.left.height;
  a.disparities = parameters.disparities;
  a.min_disparity = parameters.min_disparity;
  a.paths = parameters.paths;
  a.p1 = parameters.p1;
  a.p2 = parameters.p2;
  a.uniqueness = parameters.uniqueness;
  a.max_left_right = parameters.max_left_right;
  a.min_confidence = parameters.min_confidence;
  a.median = parameters.median;
  a.speckle_size = parameters.speckle_size;
  a.speckle_range = parameters.speckle_range;
  a.left_census = {words(layout.left_census), layout.left_pitch, layout.left_pad};
  a.right_census = {words(layout.right_census), layout.right_pitch, layout.right_pad};
  a.volumes = bytes + layout.volumes;
  a.volume_stride = static_cast<std::int64_t>(layout.volume_stride);
  a.parents = words(layout.parents);
  a.sizes = words(layout.sizes);
  a.counters = counters.as<unsigned long long>();
  a.counts = reinterpret_cast<unsigned long long*>(counts.device_pointer());
  return a;
}

void StereoEngine::Impl::follow_paths(const StereoArguments& a, bool many, CUstream stream) const {
  LaunchShape shape;
  shape.blocks_x = 2 * blocks_of(a.height, kPathsOfBlock) +
                   static_cast<unsigned>(a.paths - 2) * blocks_of(a.width, kPathsOfBlock);
  shape.threads = 32 * kPathsOfBlock;
  const bool masked = a.right_mask.data != nullptr;
  const Kernel& few_kernel = masked ? masked_paths_few : paths_few;
  const Kernel& many_kernel = masked ? masked_paths_many : paths_many;
  (many ? many_kernel : few_kernel).start(shape, stream, a);
}

void StereoEngine::Impl::choose(const StereoArguments& a, bool many, CUstream stream) const {
  LaunchShape shape;
  shape.blocks_x = static_cast<unsigned>(a.height);
  shape.threads = kChooseThreads;
  shape.shared_bytes = static_cast<unsigned>(a.width) * sizeof(std::uint32_t);
  const Kernel& few_kernel = a.paths == 4 ? choose_few_4 : choose_few_8;
  const Kernel& many_kernel = a.paths == 4 ? choose_many_4 : choose_many_8;
  (many ? many_kernel : few_kernel).start(shape, stream, a);
}

void StereoEngine::Impl::finish_result(const StereoArguments& a, bool speckles,
                                       CUstream stream) const {
  const LaunchShape strips{blocks_of(a.width, kSpeckleThreads), blocks_of(a.height, kStripRows),
                           kSpeckleThreads};
  if (speckles) {
    label.start(tiled(a.width, a.height, kLabelColumns, kLabelRows, kSpeckleThreads), stream, a);
    const std::int64_t columns = (a.width - 1) / kLabelColumns;
    const std::int64_t rows = (a.height - 1) / kLabelRows;
    const std::int64_t pairs = columns * a.height + rows * a.width;
    if (pairs > 0) {
      LaunchShape shape;
      shape.blocks_x = blocks_of(pairs, kSpeckleThreads);
      shape.threads = kSpeckleThreads;
      unite.start(shape, stream, a);
    }
    gather.start(strips, stream, a);
  }
  finish.start(strips, stream, a);
}

void StereoEngine::match(const DevicePair& pair, const stereo::Parameters& parameters,
                         const DeviceResult& result, CUstream stream) {
  const Layout layout(pair.left.width, pair.left.height, parameters);
  impl_->prepare(layout.bytes);
  const StereoArguments a = impl_->arguments(pair, parameters, result, layout);
  const int longest = std::max(layout.left_pitch, layout.right_pitch);
  impl_->census.start(tiled(longest, a.height, kCensusColumns, kCensusRows, kCensusThreads, 2),
                      stream, a);
  const bool many = takes_many(parameters);
  impl_->follow_paths(a, many, stream);
  impl_->choose(a, many, stream);
  if (parameters.median != 0) {
    const DeviceDepthView checked{reinterpret_cast<DevicePointer>(a.checked.data), a.checked.pitch,
                                  a.width, a.height, SampleType::kU16};
    impl_->median.run(checked, parameters.median, result.disparity, stream);
  }
  impl_->finish_result(a, removes_speckles(parameters), stream);
}

// Written by the device.
stereo::Counts StereoEngine::counts() const {
  if (impl_->counts.get() == nullptr) return {};
  const auto* const counts = reinterpret_cast<const volatile stereo::Counts*>(impl_->counts.get());
  return {counts->known, counts->saturated};
}

}  // namespace rdp::cuda
