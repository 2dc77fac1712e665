// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/rvl/reference.h"

#include <cstring>

#include "common/rvl/faults.h"

namespace rdp::reference {
namespace {

class Writer {
 public:
  void number(std::uint32_t value) {
    do {
      nibble((value & 7) | (value > 7 ? 8 : 0));
      value >>= 3;
    } while (value != 0);
  }
  std::vector<std::byte> take() {
    while (count_ % 8 != 0) nibble(0);
    return std::move(bytes_);
  }

 private:
  void nibble(std::uint32_t value) {
    word_ = word_ << 4 | value;
    if (++count_ % 8 != 0) return;
    for (int shift = 0; shift < 32; shift += 8) {
      bytes_.push_back(static_cast<std::byte>(word_ >> shift & 255));
    }
  }

  std::vector<std::byte> bytes_;
  std::uint32_t word_ = 0;
  std::size_t count_ = 0;
};

class Reader {
 public:
  explicit Reader(std::span<const std::byte> code) : code_(code) {}

  // left: the samples that are still to come.
  std::uint32_t number(std::size_t left) {
    begin_ = at_ / 8 * 4;
    std::uint32_t value = 0;
    for (int i = 0; i < rvl::kMaxNibbles; ++i) {
      const std::size_t offset = at_ / 8 * 4;
      if (offset + 4 > code_.size()) rvl::throw_end(offset, left);
      std::uint32_t word;
      std::memcpy(&word, &code_[offset], sizeof word);
      const std::uint32_t nibble = word >> (28 - 4 * (at_ % 8)) & 15;
      ++at_;
      value |= (nibble & 7) << 3 * i;
      if (nibble < 8) return value;
    }
    rvl::throw_long_number(begin_);
  }
  std::size_t count(std::size_t left) {
    const std::uint32_t value = number(left);
    if (value > left) rvl::throw_count(begin_, value, left);
    return value;
  }
  std::size_t used() const { return (at_ + 7) / 8 * 4; }

 private:
  std::span<const std::byte> code_;
  std::size_t at_ = 0;     // in nibbles
  std::size_t begin_ = 0;  // of the last number's word, in bytes
};

}  // namespace

std::vector<std::byte> encode_rvl(const DepthView& frame) {
  std::vector<std::uint16_t> samples;
  for (int r = 0; r < frame.height; ++r) {
    for (int c = 0; c < frame.width; ++c) samples.push_back(frame.at(r, c));
  }
  Writer writer;
  int previous = 0;
  for (std::size_t i = 0; i < samples.size();) {
    std::size_t zeros = i;
    while (zeros < samples.size() && samples[zeros] == 0) ++zeros;
    std::size_t others = zeros;
    while (others < samples.size() && samples[others] != 0) ++others;
    writer.number(static_cast<std::uint32_t>(zeros - i));
    writer.number(static_cast<std::uint32_t>(others - zeros));
    for (i = zeros; i < others; ++i) {
      const int difference = samples[i] - previous;
      previous = samples[i];
      writer.number(static_cast<std::uint32_t>(difference << 1 ^ difference >> 31));
    }
  }
  return writer.take();
}

void decode_rvl(std::span<const std::byte> code, const MutableDepthView& frame) {
  Reader reader(code);
  const auto width = static_cast<std::size_t>(frame.width);
  const std::size_t size = width * static_cast<std::size_t>(frame.height);
  std::size_t i = 0;
  std::uint32_t previous = 0;
  const auto put = [&](std::uint32_t sample) {
    frame.set(static_cast<int>(i / width), static_cast<int>(i % width),
              static_cast<std::uint16_t>(sample));
    ++i;
  };
  while (i < size) {
    for (std::size_t zeros = reader.count(size - i); zeros > 0; --zeros) put(0);
    for (std::size_t others = reader.count(size - i); others > 0; --others) {
      const std::uint32_t zigzag = reader.number(size - i);
      previous += zigzag >> 1 ^ (0U - (zigzag & 1));  // modulo 2^16, as other decoders do
      put(previous);
    }
  }
  rvl::check_end(reader.used(), code.size());
}

}  // namespace rdp::reference
