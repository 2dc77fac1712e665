// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/endurance/latency.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace rdp::endurance {
namespace {

std::string rounded(double microseconds, int digits) {
  char buffer[48];
  std::snprintf(buffer, sizeof(buffer), "%.*f", digits, microseconds);
  return buffer;
}

}  // namespace

void Latency::set_progress(double progress) {
  tenth_.store(std::clamp(static_cast<int>(progress * kTenths), 0, kTenths - 1),
               std::memory_order_relaxed);
}

void Latency::record(Duration time) {
  const double octaves = std::log2(static_cast<double>(std::max<std::int64_t>(time.count(), 1)));
  const auto step = static_cast<std::size_t>(octaves * kStepsPerOctave);
  Histogram& histogram = tenths_[static_cast<std::size_t>(tenth_.load(std::memory_order_relaxed))];
  histogram.counts[std::min(step, histogram.counts.size() - 1)].fetch_add(
      1, std::memory_order_relaxed);
}

std::uint64_t Latency::Histogram::total() const {
  std::uint64_t sum = 0;
  for (const auto& count : counts) sum += count.load(std::memory_order_relaxed);
  return sum;
}

double Latency::Histogram::quantile(double share) const {
  const double wanted = share * static_cast<double>(total());
  double below = 0;
  for (std::size_t step = 0; step < counts.size(); ++step) {
    const auto count = static_cast<double>(counts[step].load(std::memory_order_relaxed));
    if (count > 0 && below + count >= wanted) {
      return std::exp2((static_cast<double>(step) + 0.5) / kStepsPerOctave) / 1000;
    }
    below += count;
  }
  return 0;
}

std::string Latency::report(double most, Failures* failures) const {
  const Histogram& first = tenths_[1];
  const Histogram& last = tenths_[kTenths - 1];
  const double before = first.quantile(0.5);
  const double after = last.quantile(0.5);
  const bool judged = most > 0 && std::min(first.total(), last.total()) >= kJudged;
  const std::string text = "median " + rounded(before, 1) + " us in the second tenth, " +
                           rounded(after, 1) + " us in the last; 99 in 100 within " +
                           rounded(first.quantile(0.99), 1) + " us and " +
                           rounded(last.quantile(0.99), 1) + " us";
  if (judged && after > most * before) failures->add("it takes longer and longer: " + text);
  return text + (judged ? "" : " (not judged)");
}

std::string Latency::summary() const {
  const Histogram& first = tenths_[1];
  const Histogram& last = tenths_[kTenths - 1];
  return rounded(first.quantile(0.5), 0) + " → " + rounded(last.quantile(0.5), 0) + " µs, p99 " +
         rounded(first.quantile(0.99), 0) + " → " + rounded(last.quantile(0.99), 0) + " µs";
}

}  // namespace rdp::endurance
