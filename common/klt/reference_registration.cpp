// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/klt/reference_registration.h"

#include <cstddef>

namespace rdp::klt::reference {
namespace {

// The place of a sample in its window, in half pixels from the middle.
Place half_pixels(std::size_t sample, int side) {
  const int i = static_cast<int>(sample);
  return {2 * (i % side) - (side - 1), 2 * (i / side) - (side - 1)};
}

PatchSums sums_of(const Patch& patch, int side) {
  PatchSums sums{};
  for (std::size_t n = 0; n < patch.intensity.size(); ++n) {
    const auto [u, v] = half_pixels(n, side);
    add_sample(u, v, patch.intensity[n], patch.gx[n], patch.gy[n], &sums);
  }
  return sums;
}

std::vector<int> differences(const Level& level, const Patch& patch, const Registration& window,
                             int side) {
  std::vector<int> result;
  for (std::size_t n = 0; n < patch.intensity.size(); ++n) {
    const auto [u, v] = half_pixels(n, side);
    const Place at = warped_sample(window.centre, window.warp, u, v);
    result.push_back(intensity(level, at.x, at.y) - patch.intensity[n]);
  }
  return result;
}

PatchResiduals sums_of(const std::vector<int>& r, const Patch& patch, int side) {
  std::int64_t rj[kUnknowns] = {};
  std::int64_t sum = 0;
  std::int64_t ri = 0;
  for (std::size_t n = 0; n < r.size(); ++n) {
    const auto [u, v] = half_pixels(n, side);
    const std::int64_t rx = static_cast<std::int64_t>(r[n]) * patch.gx[n];
    const std::int64_t ry = static_cast<std::int64_t>(r[n]) * patch.gy[n];
    rj[0] += rx;
    rj[1] += ry;
    rj[2] += rx * u;
    rj[3] += rx * v;
    rj[4] += ry * u;
    rj[5] += ry * v;
    sum += r[n];
    ri += static_cast<std::int64_t>(r[n]) * patch.intensity[n];
  }
  PatchResiduals sums{};
  for (int k = 0; k < kUnknowns; ++k) sums.rj[k] = static_cast<double>(rj[k]);
  sums.r = static_cast<double>(sum);
  sums.ri = static_cast<double>(ri);
  return sums;
}

// Takes the window of a place as the track's patch, if that is possible.
bool take_patch(const Level& from, Place place, const StepRules& rules, Shape* shape) {
  if (!holds_window(place, {}, rules.window, from.width, from.height)) return false;
  Window window = template_at(from, place, rules.window);
  Patch patch{std::move(window.intensity), std::move(window.gx), std::move(window.gy)};
  if (rules.light != Light::kNone && !varies(sums_of(patch, rules.window), rules.pixels())) {
    return false;
  }
  shape->patch = std::move(patch);
  return true;
}

// Registers the window to the patch; *residual is set where it fits.
Fit register_window(const Level& to, const Patch& patch, Place found, const StepRules& rules,
                    Registration* window, double* residual, std::vector<double>* trace) {
  const int side = rules.window;
  const PatchEquations equations = equations_of(sums_of(patch, side), side, rules.light);
  if (!equations.solvable) return Fit::kMisfit;
  if (trace != nullptr) trace->insert(trace->end(), equations.d, equations.d + kUnknowns);
  std::vector<int> r;
  PatchResiduals sums{};
  for (int i = 0; i < kRegistrationSteps; ++i) {
    r = differences(to, patch, *window, side);
    sums = sums_of(r, patch, side);
    const PatchStep step = step_of(equations, sums, rules.light);
    if (trace != nullptr) trace->insert(trace->end(), step.z, step.z + kUnknowns);
    const Fit fit = move_window(step, found, rules, to.width, to.height, window);
    if (fit != Fit::kFits) return fit;
  }
  const LightChange change = light_change(equations, sums, rules.pixels(), rules.light);
  std::int64_t sum = 0;
  for (std::size_t n = 0; n < r.size(); ++n) {
    sum += difference_of(r[n], patch.intensity[n], change);
  }
  *residual = residual_of(sum, rules.pixels());
  const bool differs = rules.max_residual > 0.0 && *residual > rules.max_residual;
  return differs ? Fit::kMisfit : Fit::kFits;
}

}  // namespace

Registered register_track(const Level& from, const Level& to, Place place, Place found,
                          bool may_take, const StepRules& rules, Shape* shape,
                          std::vector<double>* trace) {
  return klt::register_track(
      found, may_take, rules, to.width, to.height,
      [&] { return take_patch(from, place, rules, shape); },
      [&](Registration* window, double* residual) {
        return register_window(to, shape->patch, found, rules, window, residual, trace);
      },
      &shape->track);
}

}  // namespace rdp::klt::reference
