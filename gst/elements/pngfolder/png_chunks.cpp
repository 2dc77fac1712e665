// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/pngfolder/png_chunks.h"

#include <glib.h>
#include <png.h>
#include <zlib.h>

#include <algorithm>
#include <cstdint>

namespace rdp::gst {
namespace {

using Bytes = std::span<const std::byte>;

constexpr std::size_t kSignature = 8;
constexpr std::size_t kFrame = 12;  // of a chunk: length, type, checksum
constexpr std::size_t kHeaderData = 13;
constexpr const char* kAgain = ". Copy or write it again.";

png_const_bytep bytes_at(Bytes bytes, std::size_t at) {
  return reinterpret_cast<png_const_bytep>(bytes.data() + at);
}

std::uint32_t number_at(Bytes bytes, std::size_t at) {
  return png_get_uint_32(bytes_at(bytes, at));
}

std::string hex(std::uint32_t number, int digits = 8) {
  char text[9];
  g_snprintf(text, sizeof text, "%0*x", digits, number);
  return text;
}

std::string shown_bytes(Bytes bytes) {
  std::string text;
  for (const std::byte byte : bytes) {
    text += (text.empty() ? "" : " ") + hex(std::to_integer<std::uint32_t>(byte), 2);
  }
  return text.empty() ? "nothing" : text;
}

[[noreturn]] void fail_cut_off(const std::string& name, std::size_t expected, std::size_t got) {
  throw PngError(in_quotes(name) + " is cut off: expected " + std::to_string(expected) +
                 " bytes or more, got " + std::to_string(got) + kAgain);
}

// The text of a type that can be shown; others are shown as bytes.
std::string type_text(Bytes type) {
  std::string text(reinterpret_cast<const char*>(type.data()), type.size());
  const bool letters =
      std::all_of(text.begin(), text.end(), [](char c) { return g_ascii_isalpha(c) != FALSE; });
  return letters ? text : shown_bytes(type);
}

// The class of the samples. Tells 16 bits a colour, which are refused, from formats unknown to PNG.
PngClass class_of(const std::string& name, unsigned bits, unsigned colour) {
  const bool whole = bits == 8 || bits == 16;
  const bool small = bits == 1 || bits == 2 || bits == 4;
  switch (colour) {
    case 0:  // gray
      if (whole || small) return bits == 16 ? PngClass::kGray16 : PngClass::kGray8;
      break;
    case 4:  // gray with alpha
      if (whole) return bits == 16 ? PngClass::kGray16 : PngClass::kGray8;
      break;
    case 3:  // palette
      if (bits == 8 || small) return PngClass::kColour;
      break;
    case 2:  // red, green, blue
    case 6:  // with alpha
      if (bits == 16) {
        throw PngError(in_quotes(name) +
                       " has 16 bits for each of red, green and blue: expected 8, or 16 of gray. "
                       "Convert it to 8 bits, or read it with multifilesrc and pngdec, which keep "
                       "them.");
      }
      if (bits == 8) return PngClass::kColour;
      break;
    default:
      break;
  }
  throw PngError(in_quotes(name) + " has " + std::to_string(bits) + " bits in the colour type " +
                 std::to_string(colour) + ", expected what PNG knows" + kAgain);
}

}  // namespace

const char* words_of(PngClass png_class) {
  constexpr const char* kWords[] = {"gray with 16 bits", "gray with up to 8 bits", "in colour"};
  return kWords[static_cast<int>(png_class)];
}

PngHeader read_png_header(const std::string& name, Bytes start) {
  const std::size_t count = std::min(start.size(), kSignature);
  if (count == 0 || png_sig_cmp(bytes_at(start, 0), 0, count) != 0) {
    const std::string got = shown_bytes(start.first(count));
    throw PngError(in_quotes(name) +
                   " is no PNG: expected it to start with 89 50 4e 47 0d 0a 1a 0a, got " + got +
                   ". Remove it, or set location to a pattern that does not match it." +
                   (got.starts_with("ff d8 ff") ? kNoJpeg : ""));
  }
  if (start.size() < kPngHeaderBytes) fail_cut_off(name, kPngHeaderBytes, start.size());
  const std::string type = type_text(start.subspan(12, 4));
  if (type != "IHDR" || number_at(start, 8) != kHeaderData) {
    throw PngError(in_quotes(name) + " has no header: expected a chunk IHDR of 13 bytes, got " +
                   type + " of " + std::to_string(number_at(start, 8)) + kAgain);
  }
  const std::uint32_t width = number_at(start, 16);
  const std::uint32_t height = number_at(start, 20);
  constexpr auto kMost = static_cast<std::uint32_t>(kMaxPngSide);
  if (width < 1 || height < 1 || width > kMost || height > kMost) {
    throw PngError(in_quotes(name) + " is " + std::to_string(width) + "x" + std::to_string(height) +
                   ", expected 1 to " + std::to_string(kMost) +
                   " pixels a side. Remove it, or scale it.");
  }
  return {
      static_cast<int>(width), static_cast<int>(height),
      class_of(name, std::to_integer<unsigned>(start[24]), std::to_integer<unsigned>(start[25]))};
}

void check_png_chunks(const std::string& name, Bytes file) {
  std::size_t at = kSignature;
  for (std::string type; type != "IEND";) {
    if (file.size() - at < kFrame) fail_cut_off(name, at + kFrame, file.size());
    const std::size_t size = number_at(file, at);
    if (file.size() - at - kFrame < size) fail_cut_off(name, at + kFrame + size, file.size());
    const Bytes summed = file.subspan(at + 4, 4 + size);
    type = type_text(summed.first(4));
    const auto expected = number_at(file, at + 8 + size);
    const auto got =
        static_cast<std::uint32_t>(crc32(0, bytes_at(summed, 0), static_cast<uInt>(summed.size())));
    if (got != expected) {
      throw PngError(in_quotes(name) + " is damaged in the chunk " + type + " at byte " +
                     std::to_string(at) + ": expected the checksum " + hex(expected) + ", got " +
                     hex(got) + kAgain);
    }
    at += kFrame + size;
  }
}

}  // namespace rdp::gst
