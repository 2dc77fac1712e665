// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_RUNTIME_STREAM_WAIT_H_
#define RDP_KERNELS_RUNTIME_STREAM_WAIT_H_

#include <cuda.h>

#include "kernels/runtime/device_memory.h"

namespace rdp::cuda {

// Waits for a stream, in a process in which many threads may be waiting.
//
// In most contexts cuStreamSynchronize() keeps a processor busy until the device is done, and
// returns within microseconds. If many threads do that, each also waits for the others' work, and
// together they take the processors away from threads with work. So one thread for each processor
// waits like that, and the others sleep. Waking one takes 30 us, in which the device works for the
// others.
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
