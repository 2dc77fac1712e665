// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_HOST_DEVICE_H_
#define RDP_COMMON_HOST_DEVICE_H_

// Marks the functions that host code and kernels share, so that both give the same bits. Compilers
// for kernels read their headers, too: such a header is C++17.
#ifdef __CUDACC__
#define RDP_HOST_DEVICE __host__ __device__
#else
#define RDP_HOST_DEVICE
#endif

#endif  // RDP_COMMON_HOST_DEVICE_H_
