// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_RDP_QUEUE_TASKS_CUH_
#define RDP_KERNELS_RDP_QUEUE_TASKS_CUH_

#include "kernels/rdp/queue_layout.h"

namespace rdp::cuda {

// A segment that may have to be split, in one word that is never 0: 14 bits for each row, the
// column above them.
struct Task {
  int column, first, last;

  __device__ unsigned pack() const {
    return static_cast<unsigned>(column << 28 | first << 14 | last);
  }
  __device__ static Task unpack(unsigned packed) {
    return {static_cast<int>(packed >> 28), static_cast<int>(packed >> 14 & 0x3FFF),
            static_cast<int>(packed & 0x3FFF)};
  }
};

// The workers for a segment: a single thread; a warp; else an octet.
__device__ __forceinline__ bool is_for_thread(int first, int last) {
  return last - first <= kThreadLength;
}
__device__ __forceinline__ bool is_for_warp(int first, int last) {
  return (last >> 3) - (first >> 3) >= kOctet;
}

// A queue of tasks that is read while it is written. Whoever waits has a place of its own in it, so
// that nobody contends for a task. All is done when as many tasks are done as were put.
struct Queue {
  int put;    // how many tasks there were so far
  int taken;  // how many places were given away
  int done;   // how many tasks are done
};

// Atomic, because queues are read and written without a barrier in between.
__device__ __forceinline__ unsigned peek(unsigned* place) { return atomicOr(place, 0U); }
__device__ __forceinline__ bool all_done(Queue* queue) {
  // In this order: tasks that are put later make the answer no.
  const int done = atomicOr(&queue->done, 0);
  return done == atomicOr(&queue->put, 0);
}
__device__ __forceinline__ void put(Queue* queue, unsigned* tasks, const Task& task) {
  atomicExch(tasks + atomicAdd(&queue->put, 1), task.pack());
}
// Ends the work on a task; returns the place to wait at for another one.
__device__ __forceinline__ int finish(Queue* queue) {
  atomicAdd(&queue->done, 1);
  return atomicAdd(&queue->taken, 1);
}
// Before looking again; leaves the multiprocessor to those who work.
__device__ __forceinline__ void pause() { __nanosleep(64); }

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_RDP_QUEUE_TASKS_CUH_
