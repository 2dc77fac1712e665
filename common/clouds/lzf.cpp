// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/clouds/lzf.h"

#include <cstring>

namespace rdp::clouds {

// LZF is a row of commands. A first byte below 32 is followed by as many bytes, and one more, that
// are taken as they are. Else its upper three bits are a length less 2, to which a further byte is
// added if they are 7, and its lower five with the next byte say how far back the bytes to be
// repeated begin, less 1. Those may overlap what they become.
bool unpack_lzf(std::span<const std::byte> packed, std::span<std::byte> out) {
  std::size_t in = 0;
  std::size_t at = 0;
  const auto byte = [&] { return std::to_integer<std::size_t>(packed[in++]); };
  while (in < packed.size()) {
    const std::size_t command = byte();
    if (command < 32) {
      const std::size_t count = command + 1;
      if (count > packed.size() - in || count > out.size() - at) return false;
      std::memcpy(out.data() + at, packed.data() + in, count);
      in += count;
      at += count;
      continue;
    }
    std::size_t count = command >> 5;
    if (count == 7) {
      if (in == packed.size()) return false;
      count += byte();
    }
    count += 2;
    if (in == packed.size()) return false;
    const std::size_t back = ((command & 31) << 8) + byte() + 1;
    if (back > at || count > out.size() - at) return false;
    for (const std::size_t end = at + count; at < end; ++at) out[at] = out[at - back];
  }
  return at == out.size();
}

}  // namespace rdp::clouds
