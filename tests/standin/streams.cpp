// SPDX-License-Identifier: LGPL-2.1-or-later
// Streams and events.
#include "tests/standin/state.h"

using standin::Event;
using standin::Stream;

// <cuda.h> maps these names to their _v2 versions; libgstcuda 1.22 requests the first ones.
#undef cuStreamDestroy
#undef cuEventDestroy

STANDIN_EXPORT CUresult cuStreamCreate(CUstream* handle, unsigned flags) {
  STANDIN_ENTER(kContext);
  auto owned = std::make_unique<Stream>();
  owned->context = call.context();
  owned->blocking = (flags & CU_STREAM_NON_BLOCKING) == 0;
  Stream* stream = owned.get();
  call.context()->streams[stream] = std::move(owned);
  *handle = reinterpret_cast<CUstream>(stream);
  return CUDA_SUCCESS;
}

STANDIN_EXPORT CUresult cuStreamDestroy_v2(CUstream handle) {
  STANDIN_ENTER(kContext);
  Stream* stream = standin::find_stream(call, handle);
  if (stream == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  standin::flush(stream);
  // Its events survive as completed.
  for (const auto& [event, owned] : call.context()->events) {
    if (event->stream == stream) event->stream = nullptr;
  }
  call.context()->streams.erase(stream);
  return CUDA_SUCCESS;
}

STANDIN_EXPORT CUresult cuStreamDestroy(CUstream handle) { return cuStreamDestroy_v2(handle); }

STANDIN_EXPORT CUresult cuStreamSynchronize(CUstream handle) {
  STANDIN_ENTER(kContext);
  Stream* stream = standin::find_stream(call, handle);
  if (stream == nullptr) {
    standin::flush_for_default_stream(call.context());
  } else {
    standin::flush(stream);
  }
  return CUDA_SUCCESS;
}

STANDIN_EXPORT CUresult cuStreamQuery(CUstream handle) {
  STANDIN_ENTER(kContext);
  const Stream* stream = standin::find_stream(call, handle);
  const Stream& asked = stream == nullptr ? call.context()->late : *stream;
  return asked.pending.empty() ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
}

STANDIN_EXPORT CUresult cuStreamWaitEvent(CUstream handle, CUevent event_handle, unsigned) {
  STANDIN_ENTER(kContext);
  const Event* event = standin::find_event(call, event_handle);
  Stream* other = event->stream;
  if (other == nullptr) return CUDA_SUCCESS;
  const std::uint64_t position = event->position;
  // The other stream may be destroyed by then; destruction completes its work.
  auto* context = call.context();
  standin::submit(call, standin::find_stream(call, handle), [=] {
    const bool there = other == &context->late || context->streams.contains(other);
    if (there) standin::flush(other, position);
  });
  return CUDA_SUCCESS;
}

STANDIN_EXPORT CUresult cuEventCreate(CUevent* handle, unsigned) {
  STANDIN_ENTER(kContext);
  auto owned = std::make_unique<Event>();
  owned->context = call.context();
  Event* event = owned.get();
  call.context()->events[event] = std::move(owned);
  *handle = reinterpret_cast<CUevent>(event);
  return CUDA_SUCCESS;
}

STANDIN_EXPORT CUresult cuEventDestroy_v2(CUevent handle) {
  STANDIN_ENTER(kContext);
  call.context()->events.erase(standin::find_event(call, handle));
  return CUDA_SUCCESS;
}

STANDIN_EXPORT CUresult cuEventDestroy(CUevent handle) { return cuEventDestroy_v2(handle); }

STANDIN_EXPORT CUresult cuEventRecord(CUevent handle, CUstream stream_handle) {
  STANDIN_ENTER(kContext);
  Event* event = standin::find_event(call, handle);
  Stream* stream = standin::find_stream(call, stream_handle);
  if (stream == nullptr) {
    stream = &call.context()->late;
    for (const auto& [other, owned] : call.context()->streams) {
      if (other->blocking) standin::flush(other);
    }
  }
  event->stream = stream;
  event->position = stream->submitted;
  return CUDA_SUCCESS;
}

STANDIN_EXPORT CUresult cuEventSynchronize(CUevent handle) {
  STANDIN_ENTER(kContext);
  const Event* event = standin::find_event(call, handle);
  if (event->stream != nullptr) standin::flush(event->stream, event->position);
  return CUDA_SUCCESS;
}

STANDIN_EXPORT CUresult cuEventQuery(CUevent handle) {
  STANDIN_ENTER(kContext);
  const Event* event = standin::find_event(call, handle);
  return event->stream == nullptr || event->stream->done >= event->position ? CUDA_SUCCESS
                                                                            : CUDA_ERROR_NOT_READY;
}

STANDIN_EXPORT CUresult cuEventElapsedTime(float* milliseconds, CUevent, CUevent) {
  STANDIN_ENTER(kContext);
  *milliseconds = 0.0F;
  return CUDA_SUCCESS;
}
