// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/stereo/diagnosis.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace rdp::stereo {
namespace {

// The rows that are tried: some bands, spread over the picture. A band is high enough for the
// census and for paths along the columns to mean something.
constexpr int kBands = 4;
constexpr int kBandRows = 16;

// One band: as many rows from `first` on, the same ones of both views.
struct Band {
  int first;
  int rows;
};

// All bands leave room above and below for vertical offsets, as far as the picture is high enough.
// A low picture has one band.
std::vector<Band> bands_of(int height) {
  const int room = std::min(kMaxRowsOff, (height - 1) / 2);
  const int rows = height - 2 * room;
  if (rows < kBands * kBandRows) return {{room, rows}};
  std::vector<Band> bands;
  for (int i = 0; i < kBands; ++i) {
    bands.push_back({room + (rows - kBandRows) * i / (kBands - 1), kBandRows});
  }
  return bands;
}

DepthView rows_of(const DepthView& view, int first, int rows) {
  if (view.data == nullptr) return view;
  return {view.row(first), view.stride, view.width, rows, view.type};
}

// Matches the bands.
class Trial {
 public:
  Trial(const Pair& pair, const Parameters& parameters, Engine* engine)
      : pair_(pair), parameters_(parameters), engine_(engine), bands_(bands_of(pair.left.height)) {
    int most = 0;
    for (const Band& band : bands_) {
      most = std::max(most, band.rows);
      rows_ += band.rows;
    }
    disparity_.resize(static_cast<std::size_t>(pair.left.width) * static_cast<std::size_t>(most));
  }

  // The number of known pixels with the right view's rows taken that much below the left view's.
  std::uint64_t known(bool swapped, int rows) {
    std::uint64_t sum = 0;
    for (const Band& band : bands_) {
      const int below = band.first + rows;
      if (below < 0 || below + band.rows > pair_.right.height) continue;
      Pair tried{rows_of(pair_.left, band.first, band.rows), rows_of(pair_.right, below, band.rows),
                 rows_of(pair_.left_mask, band.first, band.rows),
                 rows_of(pair_.right_mask, below, band.rows)};
      if (swapped) {
        std::swap(tried.left, tried.right);
        std::swap(tried.left_mask, tried.right_mask);
      }
      const MutableDepthView out{reinterpret_cast<std::byte*>(disparity_.data()),
                                 2 * static_cast<std::ptrdiff_t>(pair_.left.width),
                                 pair_.left.width, band.rows, SampleType::kU16};
      sum += engine_->match(tried, parameters_, {out, {}}).known;
    }
    return sum;
  }

  double share(std::uint64_t known) const {
    const double pixels = static_cast<double>(rows_) * pair_.left.width;
    return pixels > 0.0 ? static_cast<double>(known) / pixels : 0.0;
  }

 private:
  const Pair& pair_;
  const Parameters& parameters_;
  Engine* engine_;
  std::vector<Band> bands_;
  int rows_ = 0;
  std::vector<std::uint16_t> disparity_;
};

}  // namespace

Diagnosis diagnose(const Pair& pair, const Parameters& parameters, Engine* engine) {
  Trial trial(pair, parameters, engine);
  const std::uint64_t as_it_is = trial.known(false, 0);
  // The best of all, the first where several are equal.
  Diagnosis best;
  std::uint64_t most = trial.known(true, 0);
  best.finding = Diagnosis::Finding::kSwapped;
  for (int off = 1; off <= kMaxRowsOff; ++off) {
    for (const int rows : {off, -off}) {
      const std::uint64_t known = trial.known(false, rows);
      if (known <= most) continue;
      most = known;
      best.finding = Diagnosis::Finding::kRowsOff;
      best.rows = rows;
    }
  }
  // Twice a tiny share is not a finding, either.
  if (most < 2 * as_it_is || trial.share(most) < kEnoughKnown) best = {};
  best.known = trial.share(as_it_is);
  best.known_then = best.finding == Diagnosis::Finding::kNothing ? best.known : trial.share(most);
  return best;
}

}  // namespace rdp::stereo
