// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/pngfolder/png_chunks.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>

#include "gst/elements/pngfolder/in_quotes.h"

namespace rdp::gst {
namespace {

using Bytes = std::span<const std::byte>;

constexpr std::array<std::uint8_t, 8> kSignature = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
constexpr std::size_t kFrame = 12;  // of a chunk: length, type, checksum
constexpr std::size_t kHeaderData = 13;
constexpr const char* kAgain = ". Copy or write it again.";

std::uint32_t number_at(Bytes bytes, std::size_t at) {
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    number = number << 8 | std::to_integer<std::uint32_t>(bytes[at + i]);
  }
  return number;
}

std::string hex(std::uint32_t number) {
  char text[9];
  std::snprintf(text, sizeof(text), "%08x", number);
  return text;
}

std::string shown_bytes(Bytes bytes) {
  std::string text;
  for (const std::byte byte : bytes) {
    char two[4];
    std::snprintf(two, sizeof(two), "%s%02x", text.empty() ? "" : " ",
                  std::to_integer<unsigned>(byte));
    text += two;
  }
  return text.empty() ? "nothing" : text;
}

[[noreturn]] void fail_cut_off(const std::string& name, std::size_t expected, std::size_t got) {
  throw PngError(in_quotes(name) + " is cut off: expected " + std::to_string(expected) +
                 " bytes or more, got " + std::to_string(got) + kAgain);
}

// The text of a type that can be shown; others are shown as bytes.
std::string type_text(Bytes type) {
  const auto is_letter = [](std::byte byte) {
    const auto c = std::to_integer<unsigned char>(byte) | 0x20U;
    return c >= 'a' && c <= 'z';
  };
  if (!std::all_of(type.begin(), type.end(), is_letter)) return shown_bytes(type);
  return std::string(reinterpret_cast<const char*>(type.data()), type.size());
}

// The class of the samples; 16 bits a colour are told apart from what PNG does not know.
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
  switch (png_class) {
    case PngClass::kGray16:
      return "gray with 16 bits";
    case PngClass::kGray8:
      return "gray with up to 8 bits";
    case PngClass::kColour:
      return "in colour";
  }
  return "";
}

static bool is_jpeg(Bytes start) {
  constexpr std::byte kStart[] = {std::byte{0xff}, std::byte{0xd8}, std::byte{0xff}};
  return start.size() >= std::size(kStart) &&
         std::equal(std::begin(kStart), std::end(kStart), start.begin());
}

PngHeader read_png_header(const std::string& name, Bytes start) {
  const std::size_t count = std::min(start.size(), kSignature.size());
  const bool signature = std::equal(
      start.begin(), start.begin() + static_cast<std::ptrdiff_t>(count), kSignature.begin(),
      [](std::byte got, std::uint8_t wanted) { return got == std::byte{wanted}; });
  if (!signature || count == 0) {
    throw PngError(in_quotes(name) + " is no PNG: expected it to start with " +
                   shown_bytes(std::as_bytes(std::span(kSignature))) + ", got " +
                   shown_bytes(start.first(count)) +
                   ". Remove it, or set location to a pattern that does not match it." +
                   (is_jpeg(start) ? kNoJpeg : ""));
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
  std::size_t at = kSignature.size();
  for (std::string type; type != "IEND";) {
    if (file.size() - at < kFrame) fail_cut_off(name, at + kFrame, file.size());
    const std::size_t size = number_at(file, at);
    if (file.size() - at - kFrame < size) fail_cut_off(name, at + kFrame + size, file.size());
    const Bytes summed = file.subspan(at + 4, 4 + size);
    type = type_text(summed.first(4));
    const auto expected = number_at(file, at + 8 + size);
    const auto got = static_cast<std::uint32_t>(
        crc32(0, reinterpret_cast<const Bytef*>(summed.data()), static_cast<uInt>(summed.size())));
    if (got != expected) {
      throw PngError(in_quotes(name) + " is damaged in the chunk " + type + " at byte " +
                     std::to_string(at) + ": expected the checksum " + hex(expected) + ", got " +
                     hex(got) + kAgain);
    }
    at += kFrame + size;
  }
}

}  // namespace rdp::gst
