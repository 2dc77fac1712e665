// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/bench/accuracy/post_processing.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>

namespace rdp::bench::post {
namespace {

constexpr float kFactor = 525.0F * 75.0F * 32.0F;

// One direction: `count` values, `stride` apart. A value joins the running mean if it differs from
// the previous input value by less than delta.
void run(float* values, int count, std::ptrdiff_t stride, float alpha, float delta) {
  float before = values[0];
  float mean = before;
  for (int i = 1; i < count; ++i) {
    float& here = values[i * stride];
    const float came = here;
    const bool joins = came > 0 && before > 0 && std::abs(came - before) < delta;
    mean = joins ? came * alpha + mean * (1 - alpha) : came;
    here = mean;
    before = came;
  }
}

}  // namespace

Disparities to_disparity(const reference::Frame& depth) {
  Disparities out{depth.width, depth.height, {}};
  for (const std::uint16_t mm : depth.samples) out.values.push_back(mm == 0 ? 0 : kFactor / mm);
  return out;
}

reference::Frame to_depth(const Disparities& disparities) {
  reference::Frame out{disparities.width, disparities.height, {}};
  for (const float d : disparities.values) {
    out.samples.push_back(d == 0 ? 0 : static_cast<std::uint16_t>(kFactor / d + 0.5F));
  }
  return out;
}

reference::Frame decimated(const reference::Frame& depth) {
  reference::Frame out{depth.width / 2, depth.height / 2, {}};
  for (int y = 0; y + 1 < depth.height; y += 2) {
    for (int x = 0; x + 1 < depth.width; x += 2) {
      std::vector<std::uint16_t> known;
      for (int i = 0; i < 4; ++i) {
        const std::uint16_t sample = depth.at(y + i / 2, x + i % 2);
        if (sample != 0) known.push_back(sample);
      }
      std::ranges::sort(known);
      out.samples.push_back(known.empty() ? 0 : known[(known.size() - 1) / 2]);
    }
  }
  return out;
}

void smooth(Disparities* disparities, float alpha, float delta) {
  const int width = disparities->width;
  const int height = disparities->height;
  float* values = disparities->values.data();
  for (int iteration = 0; iteration < 2; ++iteration) {
    for (int y = 0; y < height; ++y) {
      float* row = values + std::ptrdiff_t{y} * width;
      run(row, width, 1, alpha, delta);
      run(row + width - 1, width, -1, alpha, delta);
    }
    for (int x = 0; x < width; ++x) {
      run(values + x, height, width, alpha, delta);
      run(values + std::ptrdiff_t{height - 1} * width + x, height, -width, alpha, delta);
    }
  }
}

template <typename T>
void Temporal<T>::filter(std::vector<T>* values, float alpha, float delta) {
  last_.resize(values->size());
  history_.resize(values->size());
  for (std::size_t i = 0; i < values->size(); ++i) {
    T& now = (*values)[i];
    T& last = last_[i];
    int history = history_[i];
    if (now == 0) {
      if (last != 0 && std::popcount(static_cast<unsigned>(history & 0xF)) >= 2) now = last;
      history = 2 * history;
    } else {
      const bool joins =
          last != 0 && std::abs(static_cast<float>(now) - static_cast<float>(last)) < delta;
      if (joins) {
        now = static_cast<T>(alpha * static_cast<float>(now) +
                             (1 - alpha) * static_cast<float>(last));
      }
      history = joins ? 2 * history | 1 : 1;
      last = now;
    }
    history_[i] = static_cast<std::uint8_t>(history);
  }
}
template class Temporal<float>;
template class Temporal<std::uint16_t>;

void fill(reference::Frame* depth, Holes rule) {
  const int width = depth->width;
  std::vector<std::uint16_t>& samples = depth->samples;
  for (int y = 0; y < depth->height; ++y) {
    for (int x = 1; x < width; ++x) {
      const std::ptrdiff_t here = std::ptrdiff_t{y} * width + x;
      std::uint16_t& sample = samples[static_cast<std::size_t>(here)];
      if (sample != 0) continue;
      if (rule == Holes::kLeft) {
        sample = samples[static_cast<std::size_t>(here - 1)];
        continue;
      }
      if (y == 0 || y == depth->height - 1) continue;
      std::uint16_t best = samples[static_cast<std::size_t>(here - width)];
      for (const int by : {-width - 1, -1, width - 1, width}) {
        const std::uint16_t other = samples[static_cast<std::size_t>(here + by)];
        best = rule == Holes::kFarthest     ? std::max(best, other)
               : other != 0 && other < best ? other
                                            : best;
      }
      sample = best;
    }
  }
}

}  // namespace rdp::bench::post
