// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernels/stereo/engine.h"

#include <algorithm>
#include <cstdint>

#include "kernels/filters/filters.h"
#include "kernels/primitives/tile_borders.h"
#include "kernels/runtime/arena.h"
#include "kernels/runtime/device_memory.h"
#include "kernels/runtime/kernel_module.h"
#include "kernels/runtime/kernel_table.h"
#include "kernels/stereo/stereo_arguments.h"

extern "C" const unsigned char rdp_stereo_census_fatbin[];
extern "C" const unsigned char rdp_stereo_choose_fatbin[];
extern "C" const unsigned char rdp_stereo_paths_fatbin[];
extern "C" const unsigned char rdp_stereo_speckles_fatbin[];

namespace rdp::cuda {
namespace {

// Kernels are for up to so many disparities, or for twice as many.
constexpr int kFewDisparities = 128;
// A key for each column of a row in the shared memory of rdp_stereo_choose_*.
constexpr unsigned kMaxShared = kMaxSide * sizeof(std::uint32_t);

constexpr int in_fours(int words) { return (words + 3) / 4 * 4; }

bool takes_many(const stereo::Parameters& parameters) {
  return parameters.disparities > kFewDisparities;
}
bool removes_speckles(const stereo::Parameters& parameters) { return parameters.speckle_size > 1; }

// Lays out the memory between the steps from `base` on; without a base the arrays are null. Returns
// the bytes.
std::size_t lay_out(int width, int height, const stereo::Parameters& parameters,
                    unsigned char* base, StereoArguments* a) {
  Arena arena(base);
  const std::int64_t rows = height;
  const std::int64_t pixels = width * rows;
  // Lanes without disparities also read words.
  const int lanes = takes_many(parameters) ? 2 * kFewDisparities : kFewDisparities;
  const auto census = [&](int pad, int copies, int behind) {
    CensusRows words{nullptr, pad + in_fours(width + behind + kCensusAhead), pad};
    arena.take(&words.words, copies * rows * words.pitch);
    return words;
  };
  a->left_census = census(kCensusAhead, 1, 0);
  a->right_census =
      census(in_fours(stereo::first_sample(parameters.min_disparity) + lanes + kCensusAhead), 4,
             -stereo::sample_origin(parameters.min_disparity));
  a->checked = a->disparity;
  if (parameters.median != 0) {
    a->checked.pitch =
        static_cast<std::int64_t>(Arena::aligned(2 * static_cast<std::size_t>(width)));
    arena.take(&a->checked.data, rows * a->checked.pitch);
  }
  if (removes_speckles(parameters)) {
    arena.take(&a->parents, pixels);
    arena.take(&a->sizes, pixels);
  }
  a->volume_stride = static_cast<std::int64_t>(
      Arena::aligned(static_cast<std::size_t>(pixels * parameters.disparities)));
  arena.take(&a->volumes, parameters.paths * a->volume_stride);
  return arena.bytes();
}

StereoRows rows_of(const DeviceDepthView& view) { return {view.bytes(), view.pitch}; }

struct Modules {
  static constexpr ModuleRow kRows[] = {
      {rdp_stereo_census_fatbin, {"rdp_stereo_census"}},
      {rdp_stereo_paths_fatbin,
       {"rdp_stereo_paths_128", "rdp_stereo_paths_256", "rdp_stereo_paths_masked_128",
        "rdp_stereo_paths_masked_256"}},
      {rdp_stereo_choose_fatbin,
       {{"rdp_stereo_choose_128_4", kMaxShared},
        {"rdp_stereo_choose_128_8", kMaxShared},
        {"rdp_stereo_choose_256_4", kMaxShared},
        {"rdp_stereo_choose_256_8", kMaxShared}}},
      {rdp_stereo_speckles_fatbin,
       {"rdp_stereo_label", "rdp_stereo_unite", "rdp_stereo_gather", "rdp_stereo_finish"}},
  };
};

}  // namespace

struct StereoEngine::Impl {
  KernelTable<Modules> kernels;

  MedianFilter median;

  DeviceBuffer memory;
  DeviceBuffer counters;
  PinnedBuffer counts;

  void prepare(std::size_t bytes);
  StereoArguments arguments(const DevicePair& pair, const stereo::Parameters& parameters,
                            const DeviceResult& result) const;
  void follow_paths(const StereoArguments& a, bool many, CUstream stream) const;
  void choose(const StereoArguments& a, bool many, CUstream stream) const;
  void finish_result(const StereoArguments& a, bool speckles, CUstream stream) const;
};

StereoEngine::StereoEngine() : impl_(std::make_unique<Impl>()) {}

StereoEngine::~StereoEngine() = default;

std::size_t StereoEngine::memory_for(int width, int height, const stereo::Parameters& parameters) {
  StereoArguments nowhere{};
  return lay_out(width, height, parameters, nullptr, &nowhere);
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
  memory.ensure_anew(bytes);
}

StereoArguments StereoEngine::Impl::arguments(const DevicePair& pair,
                                              const stereo::Parameters& parameters,
                                              const DeviceResult& result) const {
  StereoArguments a{};
  a.left = rows_of(pair.left);
  a.right = rows_of(pair.right);
  a.left_mask = rows_of(pair.left_mask);
  a.right_mask = rows_of(pair.right_mask);
  a.disparity = rows_of(result.disparity);
  a.confidence = rows_of(result.confidence);
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
  lay_out(a.width, a.height, parameters, memory.as<unsigned char>(), &a);
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
  const Kernel& few_kernel =
      masked ? kernels["rdp_stereo_paths_masked_128"] : kernels["rdp_stereo_paths_128"];
  const Kernel& many_kernel =
      masked ? kernels["rdp_stereo_paths_masked_256"] : kernels["rdp_stereo_paths_256"];
  (many ? many_kernel : few_kernel).start(shape, stream, a);
}

void StereoEngine::Impl::choose(const StereoArguments& a, bool many, CUstream stream) const {
  LaunchShape shape;
  shape.blocks_x = static_cast<unsigned>(a.height);
  shape.threads = kChooseThreads;
  shape.shared_bytes = static_cast<unsigned>(a.width) * sizeof(std::uint32_t);
  const Kernel& few_kernel =
      a.paths == 4 ? kernels["rdp_stereo_choose_128_4"] : kernels["rdp_stereo_choose_128_8"];
  const Kernel& many_kernel =
      a.paths == 4 ? kernels["rdp_stereo_choose_256_4"] : kernels["rdp_stereo_choose_256_8"];
  (many ? many_kernel : few_kernel).start(shape, stream, a);
}

void StereoEngine::Impl::finish_result(const StereoArguments& a, bool speckles,
                                       CUstream stream) const {
  const LaunchShape strips{blocks_of(a.width, kSpeckleThreads), blocks_of(a.height, kStripRows),
                           kSpeckleThreads};
  if (speckles) {
    kernels["rdp_stereo_label"].start(
        tiled(a.width, a.height, kLabelColumns, kLabelRows, kSpeckleThreads), stream, a);
    const std::int64_t pairs = tile_border_pairs(a.width, a.height, kLabelColumns, kLabelRows);
    if (pairs > 0) {
      LaunchShape shape;
      shape.blocks_x = blocks_of(pairs, kSpeckleThreads);
      shape.threads = kSpeckleThreads;
      kernels["rdp_stereo_unite"].start(shape, stream, a);
    }
    kernels["rdp_stereo_gather"].start(strips, stream, a);
  }
  kernels["rdp_stereo_finish"].start(strips, stream, a);
}

void StereoEngine::match(const DevicePair& pair, const stereo::Parameters& parameters,
                         const DeviceResult& result, CUstream stream) {
  prepare(pair.left.width, pair.left.height, parameters);
  const StereoArguments a = impl_->arguments(pair, parameters, result);
  const auto longest = static_cast<int>(std::max(a.left_census.pitch, a.right_census.pitch));
  impl_->kernels["rdp_stereo_census"].start(
      tiled(longest, a.height, kCensusColumns, kCensusRows, kCensusThreads, 2), stream, a);
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
