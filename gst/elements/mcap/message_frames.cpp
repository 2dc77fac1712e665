// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/mcap/message_frames.h"

#include <gst/video/video.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <new>

#include "common/image/depth_view.h"
#include "common/mcap/schema_text.h"
#include "gst/elements/mcap/depth_codes.h"

namespace rdp::gst {
namespace {

enum class Convert { kNone, kSwap16, kMetres };

// An encoding of Images, and what becomes of it.
struct ImageFormat {
  const char* encoding;
  GstVideoFormat format;
  std::size_t pixel_bytes;  // in the message
  Convert convert = Convert::kNone;
};
constexpr ImageFormat kImageFormats[] = {
    {"16UC1", GST_VIDEO_FORMAT_GRAY16_LE, 2},
    {"mono16", GST_VIDEO_FORMAT_GRAY16_LE, 2},
    {"32FC1", GST_VIDEO_FORMAT_GRAY16_LE, 4, Convert::kMetres},
    {"mono8", GST_VIDEO_FORMAT_GRAY8, 1},
    {"8UC1", GST_VIDEO_FORMAT_GRAY8, 1},
    {"rgb8", GST_VIDEO_FORMAT_RGB, 3},
    {"bgr8", GST_VIDEO_FORMAT_BGR, 3},
    {"rgba8", GST_VIDEO_FORMAT_RGBA, 4},
    {"bgra8", GST_VIDEO_FORMAT_BGRA, 4},
};

const ImageFormat& format_of(std::string_view encoding) {
  const auto* row = std::ranges::find_if(
      kImageFormats, [&](const ImageFormat& one) { return encoding == one.encoding; });
  if (row != std::end(kImageFormats)) return *row;
  std::string known;
  for (const ImageFormat& one : kImageFormats)
    known += std::string(known.empty() ? "" : ", ") + one.encoding;
  throw MessageError("field encoding is \"" + std::string(encoding.substr(0, 40)) +
                     "\", expected one of " + known);
}

void check_side(const char* field, std::uint32_t side) {
  if (side >= 1 && side <= static_cast<std::uint32_t>(kMaxSide)) return;
  throw MessageError(std::string("field ") + field + " is " + std::to_string(side) +
                     ", expected 1 to " + std::to_string(kMaxSide));
}

void check_rows(const ros::Image& image, std::size_t row_bytes) {
  check_side("width", image.width);
  check_side("height", image.height);
  if (image.step < row_bytes) {
    throw MessageError("field step is " + std::to_string(image.step) + ", expected at least " +
                       std::to_string(row_bytes) + " for " + std::to_string(image.width) +
                       " pixels of " + std::string(image.encoding));
  }
  // The last row may end without padding.
  const std::uint64_t needed = std::uint64_t{image.step} * (image.height - 1) + row_bytes;
  if (image.data.size() < needed) {
    throw MessageError("field data has " + std::to_string(image.data.size()) + " bytes, expected " +
                       std::to_string(needed) + " (step " + std::to_string(image.step) +
                       ", height " + std::to_string(image.height) + ")");
  }
}

GstCaps* video_caps(GstVideoFormat format, std::uint32_t width, std::uint32_t height) {
  return gst_caps_new_simple(
      "video/x-raw", "format", G_TYPE_STRING, gst_video_format_to_string(format), "width",
      G_TYPE_INT, static_cast<gint>(width), "height", G_TYPE_INT, static_cast<gint>(height),
      "framerate", GST_TYPE_FRACTION, 0, 1, "pixel-aspect-ratio", GST_TYPE_FRACTION, 1, 1,
      "interlace-mode", G_TYPE_STRING, "progressive", nullptr);
}

float swapped(const std::byte* in) {
  std::uint32_t bits;
  std::memcpy(&bits, in, sizeof bits);
  return std::bit_cast<float>(GUINT32_SWAP_LE_BE(bits));
}

// Converts metres to samples, rounded.
void write_metres(const std::byte* in, std::size_t count, bool swap, double unit, std::byte* out,
                  std::uint64_t* too_far) {
  for (std::size_t i = 0; i < count; ++i) {
    float metres;
    std::memcpy(&metres, in + 4 * i, sizeof metres);
    if (swap) metres = swapped(in + 4 * i);
    guint16 sample = 0;
    if (std::isfinite(metres) && metres > 0.0F) {
      const double steps = std::round(metres / unit);
      if (steps > 65535.0) {
        ++*too_far;
      } else {
        sample = static_cast<guint16>(steps);
      }
    }
    std::memcpy(out + 2 * i, &sample, sizeof sample);
  }
}

void write_row(const std::byte* in, const ros::Image& image, const ImageFormat& format, double unit,
               std::byte* out, std::uint64_t* too_far) {
  const std::size_t bytes = image.width * format.pixel_bytes;
  const bool swap = image.is_bigendian != 0;
  if (format.convert == Convert::kMetres) {
    write_metres(in, image.width, swap, unit, out, too_far);
  } else if (swap && format.format == GST_VIDEO_FORMAT_GRAY16_LE) {
    for (std::size_t i = 0; i < bytes; i += 2) {
      out[i] = in[i + 1];
      out[i + 1] = in[i];
    }
  } else {
    std::memcpy(out, in, bytes);
  }
}

// Parses video caps that mcapsink wrote; they must match the message.
GstVideoInfo own_info(const GstCaps* caps, const ros::Image& image) {
  GstVideoInfo info;
  if (!gst_video_info_from_caps(&info, caps) ||
      GST_VIDEO_INFO_WIDTH(&info) != static_cast<gint>(image.width) ||
      GST_VIDEO_INFO_HEIGHT(&info) != static_cast<gint>(image.height) ||
      // Fields and views are laid out in other ways than rows of a frame.
      GST_VIDEO_INFO_FIELD_HEIGHT(&info) != GST_VIDEO_INFO_HEIGHT(&info) ||
      GST_VIDEO_INFO_VIEWS(&info) != 1) {
    g_autofree gchar* text = gst_caps_to_string(caps);
    throw MessageError(std::string("rdp.caps of the channel are ") + text +
                       ", expected those of a frame of " + std::to_string(image.width) + "x" +
                       std::to_string(image.height));
  }
  return info;
}

// Gives the frame a buffer of `size` bytes, and returns them. Throws std::bad_alloc.
std::byte* add_buffer(gsize size, MessageFrame* frame) {
  auto* bytes = static_cast<std::byte*>(g_try_malloc(std::max<gsize>(size, 1)));
  if (bytes == nullptr) throw std::bad_alloc();
  frame->buffer.reset(gst_buffer_new_wrapped(bytes, size));
  return bytes;
}

void make_image(std::span<const std::byte> message, const GstCaps* caps,
                std::span<const std::byte> samples, const FrameSettings& settings,
                std::uint64_t* too_far, MessageFrame* frame) {
  const auto image = ros::CdrReader::read<ros::Image>(message);
  const ImageFormat& format = format_of(image.encoding);
  check_rows(image, image.width * format.pixel_bytes);
  frame->stamp = image.header.stamp.nanoseconds();
  frame->width = static_cast<int>(image.width);
  frame->height = static_cast<int>(image.height);
  if (image.encoding == "16UC1") frame->depth_unit = 0.001;
  if (format.convert == Convert::kMetres) frame->depth_unit = settings.depth_unit;
  GstVideoInfo info;
  if (caps != nullptr) {
    info = own_info(caps, image);
    frame->caps.reset(gst_caps_copy(caps));
    if (GST_VIDEO_INFO_FORMAT(&info) != format.format) {
      // Samples that no Image can have.
      if (samples.size() != GST_VIDEO_INFO_SIZE(&info)) {
        throw MessageError("the topic rdp beside it has " + std::to_string(samples.size()) +
                           " bytes of samples, expected " +
                           std::to_string(GST_VIDEO_INFO_SIZE(&info)) + " of the frame");
      }
      frame->buffer = new_buffer(samples);
      return;
    }
  } else {
    frame->caps.reset(video_caps(format.format, image.width, image.height));
    gst_video_info_from_caps(&info, frame->caps.get());
  }
  std::byte* const out = add_buffer(GST_VIDEO_INFO_SIZE(&info), frame);
  const auto stride = static_cast<std::size_t>(GST_VIDEO_INFO_PLANE_STRIDE(&info, 0));
  const std::size_t row =
      image.width * (format.convert == Convert::kMetres ? 2 : format.pixel_bytes);
  for (std::size_t y = 0; y < image.height; ++y) {
    std::byte* to = out + y * stride;
    write_row(image.data.data + y * image.step, image, format, settings.depth_unit, to, too_far);
    std::fill(to + row, to + stride, std::byte{0});
  }
}

// Decodes depth of ROS' compressed_depth_image_transport.
void make_depth(const ros::CompressedImage& message, const GstCaps* caps, MessageFrame* frame) {
  const std::span data = message.data.bytes();
  const DepthHead decoded = read_depth_head(data);
  frame->width = decoded.width;
  frame->height = decoded.height;
  if (message.format.starts_with("32FC1")) {
    frame->inverse = {decoded.a, decoded.b};
  } else {
    frame->depth_unit = 0.001;
  }
  const auto width = static_cast<std::uint32_t>(decoded.width);
  const auto height = static_cast<std::uint32_t>(decoded.height);
  GstVideoInfo info;
  if (caps != nullptr) {
    ros::Image image;
    image.width = width;
    image.height = height;
    info = own_info(caps, image);
    if (GST_VIDEO_INFO_FORMAT(&info) != GST_VIDEO_FORMAT_GRAY16_LE) {
      throw MessageError(std::string("rdp.caps of the channel have the format ") +
                         gst_video_format_to_string(GST_VIDEO_INFO_FORMAT(&info)) +
                         ", expected GRAY16_LE of compressed depth");
    }
    frame->caps.reset(gst_caps_copy(caps));
  } else {
    frame->caps.reset(video_caps(GST_VIDEO_FORMAT_GRAY16_LE, width, height));
    gst_video_info_from_caps(&info, frame->caps.get());
  }
  std::byte* const out = add_buffer(GST_VIDEO_INFO_SIZE(&info), frame);
  std::memset(out, 0, GST_VIDEO_INFO_SIZE(&info));
  const MutableDepthView view{out, GST_VIDEO_INFO_PLANE_STRIDE(&info, 0), decoded.width,
                              decoded.height, SampleType::kU16};
  decode_depth(data, decoded, view);
}

bool starts_with(std::span<const std::byte> data, std::string_view letters) {
  return data.size() >= letters.size() &&
         std::memcmp(data.data(), letters.data(), letters.size()) == 0;
}

void make_compressed(std::span<const std::byte> message, const GstCaps* caps, MessageFrame* frame) {
  const auto image = ros::CdrReader::read<ros::CompressedImage>(message);
  frame->stamp = image.header.stamp.nanoseconds();
  if (image.format.find("compressedDepth") != std::string_view::npos) {
    return make_depth(image, caps, frame);
  }
  const std::span data = image.data.bytes();
  const char* type = starts_with(data, "\xff\xd8\xff")      ? "image/jpeg"
                     : starts_with(data, "\x89PNG\r\n\x1a") ? "image/png"
                                                            : nullptr;
  if (type == nullptr) {
    throw MessageError(
        "field data begins neither as JPEG nor as PNG, expected one of them (format "
        "is \"" +
        std::string(image.format.substr(0, 40)) + "\")");
  }
  if (caps != nullptr && !gst_structure_has_name(gst_caps_get_structure(caps, 0), type)) {
    throw MessageError(std::string("field data is ") + type + ", expected what rdp.caps say");
  }
  frame->caps.reset(caps != nullptr ? gst_caps_copy(caps) : gst_caps_new_empty_simple(type));
  frame->buffer = new_buffer(data);
}

void make_string(std::span<const std::byte> message, const GstCaps* caps, MessageFrame* frame) {
  const auto text = ros::CdrReader::read<ros::String>(message);
  const bool own = caps != nullptr &&
                   gst_structure_has_name(gst_caps_get_structure(caps, 0), "application/x-json");
  const bool json = own || text.data.starts_with('{');
  frame->caps.reset(
      own    ? gst_caps_copy(caps)
      : json ? gst_caps_new_empty_simple("application/x-json")
             : gst_caps_new_simple("text/x-raw", "format", G_TYPE_STRING, "utf8", nullptr));
  // A line, as rdpmetaconvert writes it.
  std::byte* const out = add_buffer(text.data.size() + (json ? 1 : 0), frame);
  std::ranges::copy(std::as_bytes(std::span(text.data)), out);
  if (json) out[text.data.size()] = std::byte{'\n'};
}

}  // namespace

MessageType message_type(std::string_view name) {
  // Old recorders leave /msg out.
  const auto is = [&]<typename Message>(const Message*) {
    return name == Message::kName || name == ros::schema_name<Message>();
  };
  if (is(static_cast<const ros::Image*>(nullptr))) return MessageType::kImage;
  if (is(static_cast<const ros::CompressedImage*>(nullptr))) return MessageType::kCompressedImage;
  if (is(static_cast<const ros::PointCloud2*>(nullptr))) return MessageType::kPointCloud;
  if (is(static_cast<const ros::String*>(nullptr))) return MessageType::kString;
  return MessageType::kOther;
}

BufferRef new_buffer(std::span<const std::byte> bytes) {
  BufferRef buffer(gst_buffer_new_allocate(nullptr, bytes.size(), nullptr));
  if (buffer == nullptr) throw std::bad_alloc();
  gst_buffer_fill(buffer.get(), 0, bytes.data(), bytes.size());
  return buffer;
}

MessageFrame frame_of_message(MessageType type, std::span<const std::byte> message,
                              const GstCaps* caps, std::span<const std::byte> samples,
                              const FrameSettings& settings, std::uint64_t* too_far) {
  MessageFrame frame;
  switch (type) {
    case MessageType::kImage:
      make_image(message, caps, samples, settings, too_far, &frame);
      break;
    case MessageType::kCompressedImage:
      make_compressed(message, caps, &frame);
      break;
    case MessageType::kPointCloud:
      make_cloud(message, caps, samples, settings, &frame);
      break;
    case MessageType::kString:
      make_string(message, caps, &frame);
      break;
    case MessageType::kOther:
      break;
  }
  return frame;
}

}  // namespace rdp::gst
