// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_RUNTIME_STREAM_WAIT_H_
#define RDP_KERNELS_RUNTIME_STREAM_WAIT_H_

#include <cuda.h>

#include "kernels/runtime/device_memory.h"

namespace rdp::cuda {

// Waits for a stream, in a process in which many threads may be waiting.
//
// In most contexts cuStreamSynchronize() keeps a processor busy until the device is done, and
// returns within microseconds. Where many threads do that, each waits for the work of the others as
// well, and all of them together take the processors away from those that have work. So one for
// each processor waits like that, and the others sleep. To wake one of them takes 30 us, in which
// the device works for the others.
//
// Belongs to the context that was current when it was made. Throws CudaError.
class StreamWait {
 public:
  StreamWait() : asleep_(CU_EVENT_DISABLE_TIMING | CU_EVENT_BLOCKING_SYNC) {}

  // Returns when everything that was started on `stream` before is done.
  void wait(CUstream stream) const;

 private:
  Event asleep_;
};

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_RUNTIME_STREAM_WAIT_H_
