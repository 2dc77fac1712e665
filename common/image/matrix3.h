// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_IMAGE_MATRIX3_H_
#define RDP_COMMON_IMAGE_MATRIX3_H_

#include <array>
#include <cstddef>

// Matrices of 3 by 3, row by row: products and sums in double, in the order written here.
namespace rdp {

using Matrix3 = std::array<double, 9>;
using Vector3 = std::array<double, 3>;

inline Vector3 multiply(const Matrix3& m, const Vector3& v) {
  return {m[0] * v[0] + m[1] * v[1] + m[2] * v[2], m[3] * v[0] + m[4] * v[1] + m[5] * v[2],
          m[6] * v[0] + m[7] * v[1] + m[8] * v[2]};
}

inline Matrix3 transposed(const Matrix3& m) {
  return {m[0], m[3], m[6], m[1], m[4], m[7], m[2], m[5], m[8]};
}

inline Matrix3 multiply(const Matrix3& a, const Matrix3& b) {
  Matrix3 result{};
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t column = 0; column < 3; ++column) {
      result[3 * row + column] =
          a[3 * row] * b[column] + a[3 * row + 1] * b[3 + column] + a[3 * row + 2] * b[6 + column];
    }
  }
  return result;
}

}  // namespace rdp

#endif  // RDP_COMMON_IMAGE_MATRIX3_H_
