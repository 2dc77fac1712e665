/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef RDP_GST_RDPSEGMENT_PRIVATE_DISTORTION_LIMIT_H_
#define RDP_GST_RDPSEGMENT_PRIVATE_DISTORTION_LIMIT_H_

namespace rdp::meta {

// The largest absolute distortion coefficient that a file may have: calibrations of long lenses
// reach some 1e6. Programs may set any value that does not overflow the model.
inline constexpr double kMaxDistortion = 1e9;
inline constexpr double kMaxNumber = 1e100;

}  // namespace rdp::meta

#endif  // RDP_GST_RDPSEGMENT_PRIVATE_DISTORTION_LIMIT_H_
