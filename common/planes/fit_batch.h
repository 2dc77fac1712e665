// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_PLANES_FIT_BATCH_H_
#define RDP_COMMON_PLANES_FIT_BATCH_H_

#include <cstddef>

#include "common/image/grow_buffer.h"
#include "common/planes/eigen.h"
#include "common/planes/moments.h"

namespace rdp::planes {

// SIMD fit_of() of many statistics at once, bit-identical.
class FitBatch {
 public:
  // Empties the batch and makes room for `count`.
  void start(std::size_t count);
  void add(const Statistics& statistics);
  std::size_t size() const { return size_; }
  // Fits all statistics; call it once, after the last add().
  void solve();
  // The fit of number `i`, after solve().
  Fit fit(std::size_t i) const;

 private:
  static constexpr int kRows = 18;  // 6 of the covariance, 9 of the vectors, 3 of the mean

  double* row(int r) { return data_.data() + static_cast<std::size_t>(r) * stride_; }
  const double* row(int r) const { return data_.data() + static_cast<std::size_t>(r) * stride_; }

  GrowBuffer<double> data_;
  std::size_t stride_ = 0;
  std::size_t size_ = 0;
};

}  // namespace rdp::planes

#endif  // RDP_COMMON_PLANES_FIT_BATCH_H_
