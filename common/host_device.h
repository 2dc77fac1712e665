// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_HOST_DEVICE_H_
#define RDP_COMMON_HOST_DEVICE_H_

// Marks functions shared by host code and kernels, so that both are bit-identical. Headers that use
// it must be C++17, because the compilers for kernels read them, too.
#ifdef __CUDACC__
#define RDP_HOST_DEVICE __host__ __device__
#else
#define RDP_HOST_DEVICE
#endif

#endif  // RDP_COMMON_HOST_DEVICE_H_
