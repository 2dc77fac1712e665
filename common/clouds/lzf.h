// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_CLOUDS_LZF_H_
#define RDP_COMMON_CLOUDS_LZF_H_

#include <cstddef>
#include <span>

namespace rdp::clouds {

// The most bytes that come of one byte of LZF: three of them stand for at most 264.
inline constexpr std::size_t kMaxLzfGrowth = 88;

// Unpacks LZF, the compression of PCD files. Returns false if `packed` is invalid or does not fill
// `out` exactly. Never reads or writes beyond either.
bool unpack_lzf(std::span<const std::byte> packed, std::span<std::byte> out);

}  // namespace rdp::clouds

#endif  // RDP_COMMON_CLOUDS_LZF_H_
