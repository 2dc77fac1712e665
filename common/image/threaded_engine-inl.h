// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_IMAGE_THREADED_ENGINE_INL_H_
#define RDP_COMMON_IMAGE_THREADED_ENGINE_INL_H_

#include "common/image/simd.h"
#include "common/image/thread_pool.h"
#include "common/image/threaded_engine.h"

namespace rdp {

template <typename Impl>
ThreadedEngine<Impl>::ThreadedEngine(unsigned threads) : impl_(std::make_unique<Impl>()) {
  apply_simd_environment();
  set_threads(threads);
}

template <typename Impl>
ThreadedEngine<Impl>::~ThreadedEngine() = default;

template <typename Impl>
void ThreadedEngine<Impl>::set_threads(unsigned threads) {
  resize_with_workers(threads, &impl_->pool, &impl_->workers);
}

template <typename Impl>
unsigned ThreadedEngine<Impl>::threads() const {
  return impl_->pool.size();
}

}  // namespace rdp

#endif  // RDP_COMMON_IMAGE_THREADED_ENGINE_INL_H_
