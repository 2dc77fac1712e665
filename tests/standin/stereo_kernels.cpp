// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/standin/stereo_kernels.h"

#include <cstddef>
#include <string>

#include "common/stereo/reference.h"
#include "kernels/stereo/stereo_arguments.h"

namespace {

using namespace rdp;
using cuda::StereoArguments;
using cuda::StereoRows;

DepthView view_of(const StereoArguments& a, const StereoRows& rows) {
  return {reinterpret_cast<const std::byte*>(rows.data), rows.pitch, a.width, a.height,
          SampleType::kU8};
}
MutableDepthView view_of(const StereoArguments& a, const StereoRows& rows, SampleType type) {
  return {reinterpret_cast<std::byte*>(rows.data), rows.pitch, a.width, a.height, type};
}

// Replaces the last kernel, which writes the result: the reference does all steps at once.
void run_finish(const void* arguments) {
  const auto& a = *static_cast<const StereoArguments*>(arguments);
  stereo::Parameters parameters;
  parameters.disparities = a.disparities;
  parameters.min_disparity = a.min_disparity;
  parameters.paths = a.paths;
  parameters.p1 = a.p1;
  parameters.p2 = a.p2;
  parameters.uniqueness = a.uniqueness;
  parameters.max_left_right = a.max_left_right;
  parameters.min_confidence = a.min_confidence;
  parameters.median = a.median;
  parameters.speckle_size = a.speckle_size;
  parameters.speckle_range = a.speckle_range;
  const stereo::Counts counts = stereo::reference::match(
      {view_of(a, a.left), view_of(a, a.right), view_of(a, a.left_mask), view_of(a, a.right_mask)},
      parameters,
      {view_of(a, a.disparity, SampleType::kU16), view_of(a, a.confidence, SampleType::kU8)});
  a.counts[0] = counts.known;
  a.counts[1] = counts.saturated;
}

void run_nothing(const void*) {}

}  // namespace

HostKernel find_stereo_kernel(std::string_view name) {
  if (name == "rdp_stereo_finish") return run_finish;
  for (const std::string_view step : {"census", "paths_", "choose_", "label", "unite", "gather"}) {
    if (name.starts_with("rdp_stereo_" + std::string(step))) return run_nothing;
  }
  return nullptr;
}
