// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_STEREO_COUNT_BITS_H_
#define RDP_COMMON_STEREO_COUNT_BITS_H_

// Included before Highway by what makes or reads the census. Some SIMD targets count the bits of
// bytes in one instruction: they compare the census by eight bits. The others look up four at a
// time.

// AVX-512 of 2019 and later. Highway 1.0 leaves it out unless it is asked for. Its inline
// ChosenTarget::GetIndex() then differs from that of other files, and the linker keeps one where it
// is not inlined. So all files that include this are compiled with the same optimization.
#ifndef HWY_WANT_AVX3_DL
#define HWY_WANT_AVX3_DL
#endif

// For the target that is being compiled for.
#define RDP_STEREO_COUNTS_BITS (HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3_DL)

#endif  // RDP_COMMON_STEREO_COUNT_BITS_H_
