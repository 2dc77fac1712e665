// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_RVL_REFERENCE_H_
#define RDP_COMMON_RVL_REFERENCE_H_

#include <vector>

#include "common/rvl/rvl.h"

// The definition of the code, nibble by nibble. rvl.h gives the same bytes, samples and faults.
namespace rdp::reference {

std::vector<std::byte> encode_rvl(const DepthView& frame);
void decode_rvl(std::span<const std::byte> code, const MutableDepthView& frame);

}  // namespace rdp::reference

#endif  // RDP_COMMON_RVL_REFERENCE_H_
