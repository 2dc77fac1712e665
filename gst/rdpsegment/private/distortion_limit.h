/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef RDP_GST_RDPSEGMENT_PRIVATE_DISTORTION_LIMIT_H_
#define RDP_GST_RDPSEGMENT_PRIVATE_DISTORTION_LIMIT_H_

namespace rdp::meta {

// The largest coefficient of distortion that a file may have, either sign: fits of long lenses have
// some 1e6. Programs may set any with which the model does not overflow.
inline constexpr double kMaxDistortion = 1e9;
inline constexpr double kMaxNumber = 1e100;

}  // namespace rdp::meta

#endif  // RDP_GST_RDPSEGMENT_PRIVATE_DISTORTION_LIMIT_H_
