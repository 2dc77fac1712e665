// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_IMAGE_THREADED_ENGINE_H_
#define RDP_COMMON_IMAGE_THREADED_ENGINE_H_

#include <memory>

namespace rdp {

// The threads of an engine that works on the CPU with SIMD. An `Impl` has a ThreadPool `pool` and a
// std::vector `workers`, the scratch memory of each thread. The file that defines it also includes
// threaded_engine-inl.h and instantiates this class.
template <typename Impl>
class ThreadedEngine {
 public:
  // threads: how many work on a frame, the calling one included; 0: one for each processor this
  // process may run on. Throws std::bad_alloc and std::system_error.
  explicit ThreadedEngine(unsigned threads = 0);
  ThreadedEngine(const ThreadedEngine&) = delete;
  ThreadedEngine& operator=(const ThreadedEngine&) = delete;

  // Takes effect with the next frame; starts or ends threads when the number changes. Throws
  // std::bad_alloc, and std::system_error where the system gives fewer; those it gave stay.
  void set_threads(unsigned threads);
  unsigned threads() const;

 protected:
  ~ThreadedEngine();

  std::unique_ptr<Impl> impl_;
};

}  // namespace rdp

#endif  // RDP_COMMON_IMAGE_THREADED_ENGINE_H_
