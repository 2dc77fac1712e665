// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/mcap/mcap_enums.h"

#include "gst/elements/base/enum_type.h"

namespace rdp::gst {

GType mcap_compression_get_type() {
  using enum McapCompression;
  return enum_type<McapCompression>("GstRdpMcapCompression",
                                    {{kAuto, "zstd where this build has it, else none", "auto"},
                                     {kNone, "No compression", "none"},
                                     {kZstd, "zstd", "zstd"},
                                     {kLz4, "lz4", "lz4"}});
}

GType mcap_when_full_get_type() {
  using enum McapWhenFull;
  return enum_type<McapWhenFull>(
      "GstRdpMcapWhenFull",
      {{kBlock, "Wait until the file takes more", "block"}, {kDrop, "Drop frames", "drop"}});
}

GType mcap_disparity_get_type() {
  using enum McapDisparity;
  return enum_type<McapDisparity>("GstRdpMcapDisparity", {{kBoth, "Metres and samples", "both"},
                                                          {kMetres, "Metres alone", "metres"},
                                                          {kSamples, "Samples alone", "samples"}});
}

GType mcap_depth_encoding_get_type() {
  using enum McapDepthEncoding;
  return enum_type<McapDepthEncoding>("GstRdpMcapDepthEncoding",
                                      {{kRaw, "Image, compressed with its chunk", "raw"},
                                       {kPng, "compressedDepth with PNG", "png"},
                                       {kRvl, "compressedDepth with RVL", "rvl"}});
}

GType mcap_axes_get_type() {
  using enum McapAxes;
  return enum_type<McapAxes>(
      "GstRdpMcapAxes",
      {{kAuto, "camera where frame_id ends with optical_frame, else forward-left-up", "auto"},
       {kCamera, "x right, y down, z forward", "camera"},
       {kForwardLeftUp, "x forward, y left, z up", "forward-left-up"}});
}

}  // namespace rdp::gst
