// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_MOTION_LDLT_H_
#define RDP_COMMON_MOTION_LDLT_H_

#include "common/motion/small_matrix.h"

namespace rdp::motion {

// Solves A x = b for a symmetric A by A = L D L^T, without exchanges of rows: G. Golub, C. Van
// Loan, "Matrix Computations", 4.1. Only the upper triangle of A is read. Sums run over the inner
// index, ascending.
template <int kSize>
class Ldlt {
 public:
  // False if a pivot is not above 0: A is not positive definite, or has NaN.
  bool factor(const Matrix<kSize, kSize>& a) {
    for (int j = 0; j < kSize; ++j) {
      double pivot = a.at[j][j];
      for (int k = 0; k < j; ++k) {
        scaled_[k] = lower_[j][k] * pivots_[k];
        pivot -= lower_[j][k] * scaled_[k];
      }
      if (!(pivot > 0.0)) return false;
      pivots_[j] = pivot;
      for (int i = j + 1; i < kSize; ++i) {
        double sum = a.at[j][i];
        for (int k = 0; k < j; ++k) sum -= lower_[i][k] * scaled_[k];
        lower_[i][j] = sum / pivot;
      }
    }
    return true;
  }

  // `x` may be `b`.
  void solve(const double (&b)[kSize], double (&x)[kSize]) const {
    for (int i = 0; i < kSize; ++i) {
      double sum = b[i];
      for (int k = 0; k < i; ++k) sum -= lower_[i][k] * x[k];
      x[i] = sum;
    }
    for (int i = 0; i < kSize; ++i) x[i] = x[i] / pivots_[i];
    for (int i = kSize - 1; i >= 0; --i) {
      double sum = x[i];
      for (int k = i + 1; k < kSize; ++k) sum -= lower_[k][i] * x[k];
      x[i] = sum;
    }
  }

 private:
  double lower_[kSize][kSize] = {};  // below the diagonal; that is 1
  double pivots_[kSize] = {};
  double scaled_[kSize] = {};
};

}  // namespace rdp::motion

#endif  // RDP_COMMON_MOTION_LDLT_H_
