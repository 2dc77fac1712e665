// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_MCAP_DEPTH_CODES_H_
#define RDP_GST_ELEMENTS_MCAP_DEPTH_CODES_H_

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "common/image/depth_view.h"
#include "common/mcap/recording.h"
#include "gst/elements/mcap/mcap_enums.h"

// Depth as ROS' compressed_depth_image_transport has it: 12 bytes of configuration, which are 0 for
// millimetres, then the code.
namespace rdp::gst {

inline constexpr std::size_t kDepthCodeHead = 12;

const char* name_of(McapDepthEncoding encoding);
// Throws StreamError if this build lacks the encoding.
void check_depth_encoding(McapDepthEncoding encoding);

// Encodes Images in mm as CompressedImages. Keeps its memory, except libpng's.
class DepthEncoder : public mcap::MessageEncoder {
 public:
  explicit DepthEncoder(McapDepthEncoding encoding) : encoding_(encoding) {}
  void encode(mcap::ByteSpan message, ros::CdrWriter* out) override;

 private:
  void encode_png(const DepthView& frame);
  void encode_rvl(const DepthView& frame);

  const McapDepthEncoding encoding_;
  std::vector<std::byte> bytes_;
};

// The numbers before the samples of a message.
struct DepthHead {
  bool rvl = false;
  float a = 0.0F, b = 0.0F;  // of inverse depth
  int width = 0, height = 0;
};

// Detects the code from the data, as the format field of old files does not name it. Throws
// MessageError.
DepthHead read_depth_head(std::span<const std::byte> data);
// Fills a frame of that size, of kU16. Throws MessageError.
void decode_depth(std::span<const std::byte> data, const DepthHead& head,
                  const MutableDepthView& frame);

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_MCAP_DEPTH_CODES_H_
