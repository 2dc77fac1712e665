// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_MOTION_SMALL_MATRIX_H_
#define RDP_COMMON_MOTION_SMALL_MATRIX_H_

// Products of small matrices in a fixed order: each element is a sum over the inner index,
// ascending, that begins at 0. The order of the elements does not matter, so that compilers may
// vectorise.
namespace rdp::motion {

template <int kRows, int kColumns>
struct Matrix {
  double at[kRows][kColumns] = {};
};

// a b
template <int kRows, int kInner, int kColumns>
Matrix<kRows, kColumns> product(const Matrix<kRows, kInner>& a, const Matrix<kInner, kColumns>& b) {
  Matrix<kRows, kColumns> out;
  for (int i = 0; i < kRows; ++i) {
    for (int k = 0; k < kInner; ++k) {
      for (int j = 0; j < kColumns; ++j) out.at[i][j] += a.at[i][k] * b.at[k][j];
    }
  }
  return out;
}

template <int kRows, int kColumns>
Matrix<kColumns, kRows> transposed(const Matrix<kRows, kColumns>& a) {
  Matrix<kColumns, kRows> out;
  for (int i = 0; i < kRows; ++i) {
    for (int j = 0; j < kColumns; ++j) out.at[j][i] = a.at[i][j];
  }
  return out;
}

// Copies the upper triangle to the lower one.
template <int kSize>
void mirror(Matrix<kSize, kSize>* a) {
  for (int i = 1; i < kSize; ++i) {
    for (int j = 0; j < i; ++j) a->at[i][j] = a->at[j][i];
  }
}

// a b if it is symmetric up to rounding: computes the upper triangle and mirrors it.
template <int kSize, int kInner>
Matrix<kSize, kSize> symmetric_product(const Matrix<kSize, kInner>& a,
                                       const Matrix<kInner, kSize>& b) {
  Matrix<kSize, kSize> out;
  for (int i = 0; i < kSize; ++i) {
    for (int k = 0; k < kInner; ++k) {
      for (int j = i; j < kSize; ++j) out.at[i][j] += a.at[i][k] * b.at[k][j];
    }
  }
  mirror(&out);
  return out;
}

template <int kSize>
double dot(const double (&a)[kSize], const double (&b)[kSize]) {
  double sum = 0.0;
  for (int i = 0; i < kSize; ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace rdp::motion

#endif  // RDP_COMMON_MOTION_SMALL_MATRIX_H_
