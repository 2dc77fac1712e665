// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_MCAP_MESSAGE_FRAMES_H_
#define RDP_GST_ELEMENTS_MCAP_MESSAGE_FRAMES_H_

#include <gst/gst.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "common/mcap/messages.h"
#include "gst/elements/mcap/mcap_enums.h"

namespace rdp::gst {

// A message cannot become a buffer. what() says which field it is, what came and what was expected.
class MessageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct UnrefBuffer {
  void operator()(GstBuffer* buffer) const { gst_buffer_unref(buffer); }
};
struct UnrefCaps {
  void operator()(GstCaps* caps) const { gst_caps_unref(caps); }
};
using BufferRef = std::unique_ptr<GstBuffer, UnrefBuffer>;
using CapsRef = std::unique_ptr<GstCaps, UnrefCaps>;

// Constants of an inverse-depth frame: Z = a / (value - b).
struct InverseDepth {
  double a = 0.0;
  double b = 0.0;
};

// A message as a buffer.
struct MessageFrame {
  CapsRef caps;
  BufferRef buffer;
  std::int64_t stamp = 0;  // of its header; 0: it has none
  int width = 0, height = 0;
  double depth_unit = 0.0;  // of depth; 0: it is none
  std::optional<InverseDepth> inverse;
};

struct FrameSettings {
  double depth_unit = 0.001;
  McapAxes axes = McapAxes::kAuto;
};

enum class MessageType { kImage, kCompressedImage, kPointCloud, kString, kOther };
MessageType message_type(std::string_view name);  // of a schema

// Makes a buffer from a message. `caps`: the caps that mcapsink recorded; null for other recorders.
// `samples` of mcapsink's items replace those of the message. `too_far` counts samples beyond the
// range of the unit. Throws MessageError, ros::CdrError, std::bad_alloc.
MessageFrame frame_of_message(MessageType type, std::span<const std::byte> message,
                              const GstCaps* caps, std::span<const std::byte> samples,
                              const FrameSettings& settings, std::uint64_t* too_far);

// A buffer with these bytes. Throws std::bad_alloc.
BufferRef new_buffer(std::span<const std::byte> bytes);

// The part of frame_of_message() for clouds.
void make_cloud(std::span<const std::byte> message, const GstCaps* caps,
                std::span<const std::byte> samples, const FrameSettings& settings,
                MessageFrame* frame);

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_MCAP_MESSAGE_FRAMES_H_
