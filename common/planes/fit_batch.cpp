// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/planes/fit_batch.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "common/planes/fit_batch.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace rdp::planes {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::ScalableTag<double>;
using V = hn::Vec<D>;

// jacobi_rotation() of eigen.h: where pq is 0, nothing changes.
HWY_INLINE void rotate(V& pp, V& qq, V& pq, V& pr, V& qr, V* vp, V* vq) {
  const D d;
  const V zero = hn::Zero(d);
  const V one = hn::Set(d, 1.0);
  const auto turns = hn::Ne(pq, zero);
  const V theta = hn::Div(hn::Sub(qq, pp), hn::Mul(hn::Set(d, 2.0), pq));
  const V root = hn::Sqrt(hn::Add(hn::Mul(theta, theta), one));
  const auto below = hn::Lt(theta, zero);
  const V t = hn::Div(hn::IfThenElse(below, hn::Set(d, -1.0), one),
                      hn::IfThenElse(below, hn::Sub(root, theta), hn::Add(root, theta)));
  const V c = hn::Div(one, hn::Sqrt(hn::Add(hn::Mul(t, t), one)));
  const V s = hn::Mul(t, c);
  const V shift = hn::Mul(t, pq);
  pp = hn::IfThenElse(turns, hn::Sub(pp, shift), pp);
  qq = hn::IfThenElse(turns, hn::Add(qq, shift), qq);
  pq = zero;
  const V r = pr;
  pr = hn::IfThenElse(turns, hn::Sub(hn::Mul(c, r), hn::Mul(s, qr)), r);
  qr = hn::IfThenElse(turns, hn::Add(hn::Mul(s, r), hn::Mul(c, qr)), qr);
  for (int i = 0; i < 3; ++i) {
    const V a = vp[i];
    vp[i] = hn::IfThenElse(turns, hn::Sub(hn::Mul(c, a), hn::Mul(s, vq[i])), a);
    vq[i] = hn::IfThenElse(turns, hn::Add(hn::Mul(s, a), hn::Mul(c, vq[i])), vq[i]);
  }
}

void solve(double* rows, std::size_t stride, std::size_t count) {
  const D d;
  for (std::size_t i = 0; i < count; i += hn::Lanes(d)) {
    V a[6];
    for (int k = 0; k < 6; ++k) a[k] = hn::Load(d, rows + k * stride + i);
    V v[9];
    for (int k = 0; k < 9; ++k) v[k] = hn::Set(d, k % 4 == 0 ? 1.0 : 0.0);
    for (int sweep = 0; sweep < kJacobiSweeps; ++sweep) {
      rotate(a[0], a[3], a[1], a[2], a[4], v, v + 3);
      rotate(a[0], a[5], a[2], a[1], a[4], v, v + 6);
      rotate(a[3], a[5], a[4], a[1], a[2], v + 3, v + 6);
    }
    for (int k = 0; k < 6; ++k) hn::Store(a[k], d, rows + k * stride + i);
    for (int k = 0; k < 9; ++k) hn::Store(v[k], d, rows + (6 + k) * stride + i);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace rdp::planes
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rdp::planes {

HWY_EXPORT(solve);

void FitBatch::start(std::size_t count) {
  constexpr std::size_t kMaxLanes = 64;  // of any vector
  stride_ = (count + kMaxLanes - 1) / kMaxLanes * kMaxLanes;
  data_.ensure(kRows * stride_);
  size_ = 0;
}

void FitBatch::add(const Statistics& statistics) {
  for (int k = 0; k < 6; ++k) row(k)[size_] = statistics.covariance[k];
  for (int k = 0; k < 3; ++k) row(15 + k)[size_] = statistics.mean[k];
  ++size_;
}

void FitBatch::solve() {
  for (std::size_t i = size_; i < stride_; ++i) {
    for (int k = 0; k < 6; ++k) row(k)[i] = 0.0;
  }
  HWY_DYNAMIC_DISPATCH(solve)(data_.data(), stride_, size_);
}

Fit FitBatch::fit(std::size_t i) const {
  const double values[3] = {row(0)[i], row(3)[i], row(5)[i]};
  const double mean[3] = {row(15)[i], row(16)[i], row(17)[i]};
  double vectors[9];
  for (int k = 0; k < 9; ++k) vectors[k] = row(6 + k)[i];
  return fit_of_eigen(mean, values, vectors);
}

}  // namespace rdp::planes
#endif  // HWY_ONCE
