// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_RUNTIME_EGL_FRAME_H_
#define RDP_KERNELS_RUNTIME_EGL_FRAME_H_

#include <cuda.h>

namespace rdp::cuda {

// CUeglFrame of <cudaEGL.h>, which is declared here because that header needs EGL's. The type is
// part of the driver's binary interface and does not change.
struct EglFrame {
  static constexpr int kArray = 0;  // CU_EGL_FRAME_TYPE_ARRAY
  static constexpr int kPitch = 1;  // CU_EGL_FRAME_TYPE_PITCH

  union {
    CUarray array[3];
    void* pitch[3];
  } frame;
  unsigned width;  // of the first plane
  unsigned height;
  unsigned depth;
  unsigned pitch;  // bytes
  unsigned plane_count;
  unsigned num_channels;
  int frame_type;
  int color_format;
  CUarray_format format;
};

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_RUNTIME_EGL_FRAME_H_
