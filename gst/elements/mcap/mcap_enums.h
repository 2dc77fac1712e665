// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_MCAP_MCAP_ENUMS_H_
#define RDP_GST_ELEMENTS_MCAP_MCAP_ENUMS_H_

#include <glib-object.h>

namespace rdp::gst {

enum class McapCompression { kAuto, kNone, kZstd, kLz4 };
enum class McapWhenFull { kBlock, kDrop };
enum class McapDisparity { kBoth, kMetres, kSamples };
enum class McapDepthEncoding { kRaw, kPng, kRvl };
enum class McapAxes { kAuto, kCamera, kForwardLeftUp };

GType mcap_compression_get_type();
GType mcap_when_full_get_type();
GType mcap_disparity_get_type();
GType mcap_depth_encoding_get_type();
GType mcap_axes_get_type();

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_MCAP_MCAP_ENUMS_H_
