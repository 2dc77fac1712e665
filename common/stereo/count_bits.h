// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_STEREO_COUNT_BITS_H_
#define RDP_COMMON_STEREO_COUNT_BITS_H_

// Included by files that make or read the census. SIMD targets that count the bits of bytes in one
// instruction compare eight census bits at a time. The others look up four at a time.

// AVX-512 of 2019 and later, for the target that is being compiled for.
#define RDP_STEREO_COUNTS_BITS (HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3_DL)

#endif  // RDP_COMMON_STEREO_COUNT_BITS_H_
