/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef RDP_GST_RDPSEGMENT_PRIVATE_DISTORTION_LIMIT_H_
#define RDP_GST_RDPSEGMENT_PRIVATE_DISTORTION_LIMIT_H_

namespace rdp::meta {

// The largest coefficient of distortion, either sign. Fits of long lenses have some 1e6; with
// these, no sum or product of the model overflows.
inline constexpr double kMostDistortion = 1e9;

}  // namespace rdp::meta

#endif  // RDP_GST_RDPSEGMENT_PRIVATE_DISTORTION_LIMIT_H_
