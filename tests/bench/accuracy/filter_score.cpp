// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/bench/accuracy/filter_score.h"

#include <algorithm>
#include <cmath>

namespace rdp::bench {
namespace {

constexpr double kWrong = 10.0;
constexpr int kAll = kSurface | kStill | kApproaching | kReceding | kMade;
constexpr int kAny = kEdge | kUncovered;

double share(std::int64_t part, std::int64_t all) {
  return all == 0 ? std::nan("") : 100.0 * static_cast<double>(part) / static_cast<double>(all);
}

}  // namespace

void FilterScore::add(const FilterScene& scene, const reference::Frame& filtered) {
  const int side = scene.frame.width / filtered.width;
  for (int y = 0; y < filtered.height; ++y) {
    for (int x = 0; x < filtered.width; ++x) {
      const int sample = filtered.at(y, x);
      int every = kAll;
      int some = 0;
      bool has_truth = false;
      double error = 0.0;
      for (int i = 0; i < side * side; ++i) {
        const std::size_t at =
            static_cast<std::size_t>(y * side + i / side) * scene.frame.width + x * side + i % side;
        every &= scene.classes[at];
        some |= scene.classes[at] & kAny;
        if (scene.truth[at] == 0.0) continue;
        const double here = 1e6 / std::max(sample, 1) - 1e6 / scene.truth[at];
        if (!has_truth || std::abs(here) < std::abs(error)) error = here;
        has_truth = true;
      }
      const bool known = sample != 0 && has_truth;
      const auto count = [&](int of) {
        ++sizes_[of];
        if (known) errors_[of].push_back(error);
      };
      for (int of = 1; of < 256; of *= 2) {
        if (((every | some) & of) != 0) count(of);
      }
      if ((some & kEdge) == 0) count(kOff);
      ++pixels_;
      if (sample == 0) ++unknown_;
      if (side > 1 || !known || scene.frame.at(y, x) != 0) continue;
      ++filled_;
      if (std::abs(error) > kWrong) ++filled_wrong_;
    }
  }
}

const std::vector<double>& FilterScore::errors(PixelClass of) const {
  static const std::vector<double> none;
  const auto found = errors_.find(of);
  return found == errors_.end() ? none : found->second;
}

double FilterScore::rms(PixelClass of) const {
  double sum = 0.0;
  std::int64_t count = 0;
  for (const double e : errors(of)) {
    if (std::abs(e) > kWrong) continue;
    sum += e * e;
    ++count;
  }
  return std::sqrt(sum / static_cast<double>(count));
}

double FilterScore::mean(PixelClass of) const {
  double sum = 0.0;
  std::int64_t count = 0;
  for (const double e : errors(of)) {
    if (std::abs(e) > kWrong) continue;
    sum += e;
    ++count;
  }
  return sum / static_cast<double>(count);
}

double FilterScore::median(PixelClass of) const {
  std::vector<double> all;
  for (const double e : errors(of)) all.push_back(std::abs(e));
  if (all.empty()) return std::nan("");
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
  std::nth_element(all.begin(), middle, all.end());
  return *middle;
}

double FilterScore::over(PixelClass of, double limit) const {
  const std::vector<double>& all = errors(of);
  const auto wrong = std::ranges::count_if(all, [&](double e) { return std::abs(e) > limit; });
  return share(wrong, static_cast<std::int64_t>(all.size()));
}

double FilterScore::unknown() const { return share(unknown_, pixels_); }

double FilterScore::known(PixelClass of) const {
  const auto size = sizes_.find(of);
  return size == sizes_.end() ? std::nan("")
                              : share(static_cast<std::int64_t>(errors(of).size()), size->second);
}

double FilterScore::filled_wrong() const { return share(filled_wrong_, filled_); }

void RemovedShare::add(const FilterScene& scene, const reference::Frame& filtered, PixelClass of) {
  for (std::size_t i = 0; i < scene.classes.size(); ++i) {
    if ((scene.classes[i] & of) == 0 || scene.frame.samples[i] == 0) continue;
    ++known;
    if (filtered.samples[i] == 0) ++removed;
  }
}

double RemovedShare::percent() const { return share(removed, known); }

}  // namespace rdp::bench
