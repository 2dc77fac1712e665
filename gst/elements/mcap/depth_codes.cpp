// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/mcap/depth_codes.h"

#include <string>

#include "common/rvl/rvl.h"
#include "gst/elements/mcap/mcap_stream.h"

#ifdef RDP_HAVE_PNG
#include <png.h>

#include <csetjmp>
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

const char* code_format(McapDepthEncoding encoding) {
  return encoding == McapDepthEncoding::kPng ? "16UC1; compressedDepth png"
                                             : "16UC1; compressedDepth rvl";
}

void check_depth_encoding(McapDepthEncoding encoding) {
#ifndef RDP_HAVE_PNG
  if (encoding == McapDepthEncoding::kPng) {
    throw StreamError("depth-encoding=png needs libpng, which this build lacks: set rvl or raw.");
  }
#endif
}

std::span<const std::byte> DepthCoder::encode(const DepthView& frame, McapDepthEncoding encoding) {
  bytes_.assign(kDepthCodeHead, std::byte{0});
  if (encoding == McapDepthEncoding::kPng) {
    encode_png(frame);
  } else {
    encode_rvl(frame);
  }
  return bytes_;
}

void DepthCoder::encode_rvl(const DepthView& frame) {
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
               static_cast<png_uint_32>(frame.height), 16, PNG_COLOR_TYPE_GRAY,
               PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
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

void DepthCoder::encode_png(const DepthView& frame) {
  PngOutput out{&bytes_};
  if (!write_png(frame, &out)) throw std::bad_alloc();
}
#else
void DepthCoder::encode_png(const DepthView&) {}  // refused before: check_depth_encoding()
#endif

}  // namespace rdp::gst
