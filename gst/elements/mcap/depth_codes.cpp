// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/mcap/depth_codes.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "common/rvl/rvl.h"
#include "gst/elements/mcap/mcap_stream.h"
#include "gst/elements/mcap/message_frames.h"

#ifdef RDP_HAVE_PNG
#include <png.h>

#include <csetjmp>

#include "gst/elements/pngfolder/png_reader.h"
#endif

namespace rdp::gst {

const char* name_of(McapDepthEncoding encoding) {
  switch (encoding) {
    case McapDepthEncoding::kRaw:
      return "raw";
    case McapDepthEncoding::kPng:
      return "png";
    case McapDepthEncoding::kRvl:
      return "rvl";
  }
  return "";
}

void check_depth_encoding(McapDepthEncoding encoding) {
#ifndef RDP_HAVE_PNG
  if (encoding == McapDepthEncoding::kPng) {
    throw StreamError("depth-encoding=png needs libpng, which this build lacks: set rvl or raw.");
  }
#endif
}

void DepthEncoder::encode(mcap::ByteSpan message, ros::CdrWriter* out) {
  const auto image = ros::CdrReader::read<ros::Image>(message);
  const DepthView frame{image.data.data, image.step, static_cast<int>(image.width),
                        static_cast<int>(image.height), SampleType::kU16};
  const bool png = encoding_ == McapDepthEncoding::kPng;
  bytes_.assign(kDepthCodeHead, std::byte{0});
  png ? encode_png(frame) : encode_rvl(frame);
  out->write(ros::CompressedImage{image.header,
                                  png ? "16UC1; compressedDepth png" : "16UC1; compressedDepth rvl",
                                  ros::Blob::of(bytes_)});
}

void DepthEncoder::encode_rvl(const DepthView& frame) {
  bytes_.resize(rvl::kRosHeaderBytes + rvl::max_bytes(frame.width, frame.height));
  const std::span<std::byte> out = bytes_;
  rvl::write_ros_header({.width = frame.width, .height = frame.height},
                        out.first<rvl::kRosHeaderBytes>());
  const std::size_t size = rvl::encode(frame, out.subspan(rvl::kRosHeaderBytes));
  bytes_.resize(rvl::kRosHeaderBytes + size);
}

#ifdef RDP_HAVE_PNG
namespace {

// libpng is C: no exception may pass through it.
struct PngOutput {
  std::vector<std::byte>* bytes;
  bool no_memory = false;
};

void append_png(png_structp png, png_bytep data, png_size_t size) {
  auto* out = static_cast<PngOutput*>(png_get_io_ptr(png));
  try {
    const auto* first = reinterpret_cast<const std::byte*>(data);
    out->bytes->insert(out->bytes->end(), first, first + size);
  } catch (const std::bad_alloc&) {
    out->no_memory = true;
  }
}

// False: no memory. Nothing with a destructor lives here: libpng jumps.
bool write_png(const DepthView& frame, PngOutput* out) {
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png != nullptr ? png_create_info_struct(png) : nullptr;
  if (info == nullptr || setjmp(png_jmpbuf(png)) != 0) {
    png_destroy_write_struct(&png, &info);
    return false;
  }
  png_set_write_fn(png, out, append_png, nullptr);
  png_set_compression_level(png, 1);
  png_set_IHDR(png, info, static_cast<png_uint_32>(frame.width),
               static_cast<png_uint_32>(frame.height), 16, PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_write_info(png, info);
  png_set_swap(png);
  for (int y = 0; y < frame.height; ++y) {
    png_write_row(png, reinterpret_cast<png_const_bytep>(frame.row(y)));
  }
  png_write_end(png, nullptr);
  png_destroy_write_struct(&png, &info);
  return !out->no_memory;
}

}  // namespace

void DepthEncoder::encode_png(const DepthView& frame) {
  PngOutput out{&bytes_};
  if (!write_png(frame, &out)) throw std::bad_alloc();
}
#else
void DepthEncoder::encode_png(const DepthView&) {}  // refused before: check_depth_encoding()
#endif

// --- reading ------------------------------------------------------------------------------------

namespace {

constexpr std::string_view kPngBegin("\x89PNG\r\n\x1a\n", 8);

#ifdef RDP_HAVE_PNG
const std::string kPngName = "the PNG of a message";

// Calls body() with the bytes of the PNG.
template <typename Body>
void with_png(std::span<const std::byte> data, Body&& body) {
  try {
    body(data.subspan(kDepthCodeHead));
  } catch (const PngError& error) {
    throw MessageError(std::string("field data: ") + error.what());
  }
}

void read_png_head(std::span<const std::byte> data, DepthHead* head) {
  with_png(data, [head](std::span<const std::byte> png) {
    constexpr std::uint64_t kMostZlibGrowth = 1032;  // output bytes per input byte
    const PngHeader header =
        read_png_header(kPngName, png.first(std::min(png.size(), kPngHeaderBytes)));
    if (header.png_class != PngClass::kGray16) {
      throw MessageError(std::string("field data has a PNG of ") + words_of(header.png_class) +
                         ", expected gray with 16 bits");
    }
    if (std::uint64_t{2} * header.width * header.height > kMostZlibGrowth * png.size()) {
      throw MessageError("field data has a PNG of " + std::to_string(header.width) + "x" +
                         std::to_string(header.height) + " in " + std::to_string(png.size()) +
                         " bytes, expected no more than its bytes can hold");
    }
    head->width = header.width;
    head->height = header.height;
  });
}

void decode_png(std::span<const std::byte> data, const MutableDepthView& frame) {
  with_png(data, [&frame](std::span<const std::byte> png) {
    PngReader reader;
    reader.load(kPngName, png);
    reader.decode(frame.row(0), frame.stride);
  });
}
#else
void read_png_head(std::span<const std::byte>, DepthHead*) {
  throw MessageError("field data is PNG, which needs libpng: this build lacks it");
}
void decode_png(std::span<const std::byte>, const MutableDepthView&) {}
#endif

}  // namespace

DepthHead read_depth_head(std::span<const std::byte> data) {
  if (data.size() < kDepthCodeHead) {
    throw MessageError("field data has " + std::to_string(data.size()) +
                       " bytes, expected 12 before the code");
  }
  DepthHead head;
  const std::span code = data.subspan(kDepthCodeHead);
  if (code.size() >= kPngBegin.size() &&
      std::memcmp(code.data(), kPngBegin.data(), kPngBegin.size()) == 0) {
    std::memcpy(&head.a, data.data() + 4, sizeof head.a);
    std::memcpy(&head.b, data.data() + 8, sizeof head.b);
    read_png_head(data, &head);
    return head;
  }
  try {
    const rvl::RosHeader of_rvl = rvl::read_ros_header(data);
    return {true, of_rvl.a, of_rvl.b, of_rvl.width, of_rvl.height};
  } catch (const rvl::RvlError& error) {
    throw MessageError(std::string("field data is neither PNG nor RVL: ") + error.what());
  }
}

void decode_depth(std::span<const std::byte> data, const DepthHead& head,
                  const MutableDepthView& frame) {
  if (!head.rvl) return decode_png(data, frame);
  try {
    rvl::decode(data.subspan(rvl::kRosHeaderBytes), frame);
  } catch (const rvl::RvlError& error) {
    throw MessageError(std::string("field data, the code of RVL: ") + error.what());
  }
}

}  // namespace rdp::gst
