// SPDX-License-Identifier: LGPL-2.1-or-later
// Starting, errors, devices and contexts.
#include <cstdio>

#include "tests/standin/state.h"

using standin::Context;
using standin::context_stack;
using standin::state;

#undef cuDevicePrimaryCtxRelease

STANDIN_EXPORT CUresult cuInit(unsigned flags) {
  STANDIN_ENTER(kNothing);
  if (flags != 0) return CUDA_ERROR_INVALID_VALUE;
  if (state().devices == 0) return CUDA_ERROR_NO_DEVICE;
  state().initialised = true;
  return CUDA_SUCCESS;
}

STANDIN_EXPORT CUresult cuDriverGetVersion(int* version) {
  STANDIN_ENTER(kNothing);
  *version = CUDA_VERSION;
  return CUDA_SUCCESS;
}

STANDIN_EXPORT CUresult cuGetErrorName(CUresult error, const char** name) {
  switch (error) {
#define STANDIN_NAME(value) \
  case value:               \
    *name = #value;         \
    return CUDA_SUCCESS;
    STANDIN_NAME(CUDA_SUCCESS)
    STANDIN_NAME(CUDA_ERROR_INVALID_VALUE)
    STANDIN_NAME(CUDA_ERROR_OUT_OF_MEMORY)
    STANDIN_NAME(CUDA_ERROR_NOT_INITIALIZED)
    STANDIN_NAME(CUDA_ERROR_NO_DEVICE)
    STANDIN_NAME(CUDA_ERROR_INVALID_DEVICE)
    STANDIN_NAME(CUDA_ERROR_INVALID_CONTEXT)
    STANDIN_NAME(CUDA_ERROR_NO_BINARY_FOR_GPU)
    STANDIN_NAME(CUDA_ERROR_NOT_FOUND)
    STANDIN_NAME(CUDA_ERROR_INVALID_HANDLE)
    STANDIN_NAME(CUDA_ERROR_ILLEGAL_ADDRESS)
    STANDIN_NAME(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES)
    STANDIN_NAME(CUDA_ERROR_LAUNCH_FAILED)
    STANDIN_NAME(CUDA_ERROR_NOT_SUPPORTED)
    STANDIN_NAME(CUDA_ERROR_UNKNOWN)
#undef STANDIN_NAME
    default:
      *name = nullptr;
      return CUDA_ERROR_INVALID_VALUE;
  }
}

STANDIN_EXPORT CUresult cuGetErrorString(CUresult error, const char** text) {
  const char* name = nullptr;
  const CUresult known = cuGetErrorName(error, &name);
  *text = known == CUDA_SUCCESS ? "said by the stand-in driver" : nullptr;
  return known;
}

STANDIN_EXPORT CUresult cuDeviceGetCount(int* count) {
  STANDIN_ENTER(kInit);
  *count = state().devices;
  return CUDA_SUCCESS;
}

STANDIN_EXPORT CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  STANDIN_ENTER(kInit);
  if (ordinal < 0 || ordinal >= state().devices) return CUDA_ERROR_INVALID_DEVICE;
  *device = ordinal;
  return CUDA_SUCCESS;
}

STANDIN_EXPORT CUresult cuDeviceGetName(char* name, int length, CUdevice device) {
  STANDIN_ENTER(kInit);
  if (device < 0 || device >= state().devices) return CUDA_ERROR_INVALID_DEVICE;
  std::snprintf(name, static_cast<std::size_t>(length), "Stand-in %d", device);
  return CUDA_SUCCESS;
}

STANDIN_EXPORT CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute,
                                             CUdevice device) {
  STANDIN_ENTER(kInit);
  if (device < 0 || device >= state().devices) return CUDA_ERROR_INVALID_DEVICE;
  switch (attribute) {
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR:
      *value = 9;
      break;
    case CU_DEVICE_ATTRIBUTE_WARP_SIZE:
      *value = 32;
      break;
    case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT:
      *value = 8;
      break;
    case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
      *value = 1024;
      break;
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK:
      *value = 48 * 1024;
      break;
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN:
      *value = 227 * 1024;
      break;
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR:
      *value = 228 * 1024;
      break;
    case CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT:
      *value = 512;
      break;
    case CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING:
    case CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY:
      *value = 1;
      break;
    default:
      *value = 0;
      break;
  }
  return CUDA_SUCCESS;
}

STANDIN_EXPORT CUresult cuDeviceCanAccessPeer(int* can, CUdevice, CUdevice) {
  STANDIN_ENTER(kInit);
  *can = 0;
  return CUDA_SUCCESS;
}

static Context* new_context(CUdevice device) {
  auto owned = std::make_unique<Context>();
  owned->late.context = owned.get();
  Context* context = owned.get();
  context->device = device;
  state().contexts[context] = std::move(owned);
  return context;
}

STANDIN_EXPORT CUresult cuCtxCreate_v2(CUcontext* handle, unsigned, CUdevice device) {
  STANDIN_ENTER(kInit);
  if (device < 0 || device >= state().devices) return CUDA_ERROR_INVALID_DEVICE;
  Context* context = new_context(device);
  context_stack().push_back(context);
  *handle = reinterpret_cast<CUcontext>(context);
  return CUDA_SUCCESS;
}

STANDIN_EXPORT CUresult cuCtxDestroy_v2(CUcontext handle) {
  STANDIN_ENTER(kInit);
  Context* context = standin::find_context(handle);
  if (context == nullptr || context->primary) return CUDA_ERROR_INVALID_CONTEXT;
  if (!context_stack().empty() && context_stack().back() == context) context_stack().pop_back();
  standin::destroy_context(context);
  return CUDA_SUCCESS;
}

STANDIN_EXPORT CUresult cuDevicePrimaryCtxRetain(CUcontext* handle, CUdevice device) {
  STANDIN_ENTER(kInit);
  if (device < 0 || device >= state().devices) return CUDA_ERROR_INVALID_DEVICE;
  Context*& primary = state().primaries[device];
  if (primary == nullptr) {
    primary = new_context(device);
    primary->primary = true;
  }
  ++primary->retained;
  *handle = reinterpret_cast<CUcontext>(primary);
  return CUDA_SUCCESS;
}

STANDIN_EXPORT CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device) {
  STANDIN_ENTER(kInit);
  const auto primary = state().primaries.find(device);
  if (primary == state().primaries.end()) return CUDA_ERROR_INVALID_CONTEXT;
  if (--primary->second->retained > 0) return CUDA_SUCCESS;
  standin::destroy_context(primary->second);
  state().primaries.erase(primary);
  return CUDA_SUCCESS;
}

STANDIN_EXPORT CUresult cuDevicePrimaryCtxRelease(CUdevice device) {
  return cuDevicePrimaryCtxRelease_v2(device);
}

STANDIN_EXPORT CUresult cuCtxPushCurrent_v2(CUcontext handle) {
  STANDIN_ENTER(kInit);
  Context* context = standin::find_context(handle);
  if (context == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
  context_stack().push_back(context);
  return CUDA_SUCCESS;
}

STANDIN_EXPORT CUresult cuCtxPopCurrent_v2(CUcontext* handle) {
  STANDIN_ENTER(kInit);
  if (context_stack().empty()) return CUDA_ERROR_INVALID_CONTEXT;
  if (handle != nullptr) *handle = reinterpret_cast<CUcontext>(context_stack().back());
  context_stack().pop_back();
  return CUDA_SUCCESS;
}

STANDIN_EXPORT CUresult cuCtxGetCurrent(CUcontext* handle) {
  STANDIN_ENTER(kInit);
  *handle = reinterpret_cast<CUcontext>(call.context());
  return CUDA_SUCCESS;
}

STANDIN_EXPORT CUresult cuCtxSetCurrent(CUcontext handle) {
  STANDIN_ENTER(kInit);
  if (!context_stack().empty()) context_stack().pop_back();
  if (handle == nullptr) return CUDA_SUCCESS;
  Context* context = standin::find_context(handle);
  if (context == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
  context_stack().push_back(context);
  return CUDA_SUCCESS;
}

STANDIN_EXPORT CUresult cuCtxGetDevice(CUdevice* device) {
  STANDIN_ENTER(kInit);
  if (call.context() == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
  *device = call.context()->device;
  return CUDA_SUCCESS;
}

STANDIN_EXPORT CUresult cuCtxSynchronize() {
  STANDIN_ENTER(kContext);
  standin::flush_context(call.context());
  return CUDA_SUCCESS;
}

STANDIN_EXPORT CUresult cuCtxGetLimit(size_t* value, CUlimit) {
  STANDIN_ENTER(kContext);
  *value = 0;
  return CUDA_SUCCESS;
}

STANDIN_EXPORT CUresult cuCtxSetLimit(CUlimit, size_t) {
  STANDIN_ENTER(kContext);
  return CUDA_SUCCESS;
}

STANDIN_EXPORT CUresult cuCtxEnablePeerAccess(CUcontext, unsigned) {
  STANDIN_ENTER(kContext);
  return CUDA_ERROR_PEER_ACCESS_UNSUPPORTED;
}

STANDIN_EXPORT CUresult cuCtxDisablePeerAccess(CUcontext) {
  STANDIN_ENTER(kContext);
  return CUDA_ERROR_PEER_ACCESS_NOT_ENABLED;
}
