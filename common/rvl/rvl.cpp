// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/rvl/rvl.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstring>

#include "common/rvl/faults.h"

namespace rdp::rvl {
namespace {

static_assert(std::endian::native == std::endian::little);

// Rows without gaps are one row.
template <typename View>
View joined(View frame) {
  if (frame.stride != 2 * static_cast<std::ptrdiff_t>(frame.width)) return frame;
  frame.width *= frame.height;
  frame.height = 1;
  return frame;
}

// A place in a frame, in raster order.
template <typename Byte>
class Cursor {
 public:
  explicit Cursor(const BasicDepthView<Byte>& frame) : frame_(frame), at_(frame.data) {}

  bool at_end() const { return row_ == frame_.height; }
  // The samples of the row from here on.
  std::size_t in_row() const { return static_cast<std::size_t>(frame_.width - column_); }
  Byte* at() const { return at_; }
  // Not beyond the row's end, which is the next row's beginning.
  void advance(std::size_t samples) {
    column_ += static_cast<int>(samples);
    at_ += 2 * samples;
    if (column_ < frame_.width) return;
    column_ = 0;
    if (++row_ < frame_.height) at_ = frame_.row(row_);
  }

 private:
  BasicDepthView<Byte> frame_;
  Byte* at_;
  int row_ = 0;
  int column_ = 0;
};

std::uint16_t sample_at(const std::byte* at) {
  std::uint16_t sample;
  std::memcpy(&sample, at, sizeof sample);
  return sample;
}

// Passes samples that are zero, or that are not, and counts them.
template <bool zero>
std::size_t skip(Cursor<const std::byte>* cursor) {
  std::size_t skipped = 0;
  while (!cursor->at_end()) {
    const std::size_t most = cursor->in_row();
    std::size_t here = 0;
    while (here < most && (sample_at(cursor->at() + 2 * here) == 0) == zero) ++here;
    skipped += here;
    cursor->advance(here);
    if (here < most) break;
  }
  return skipped;
}

// The three nibbles of nine bits, the first the highest, all with the flag that more follow.
constexpr std::array<std::uint16_t, 512> kNibbles = [] {
  std::array<std::uint16_t, 512> table{};
  for (unsigned value = 0; value < 512; ++value) {
    table[value] =
        static_cast<std::uint16_t>(0x888 | (value & 7) << 8 | (value >> 3 & 7) << 4 | value >> 6);
  }
  return table;
}();

class Writer {
 public:
  explicit Writer(std::byte* out) : out_(out) {}

  // A number of up to 18 bits, which differences have, without a branch.
  void difference(std::uint32_t value) {
    const int count = (std::bit_width(value | 1) + 2) / 3;
    const std::uint32_t six = std::uint32_t{kNibbles[value & 511]} << 12 | kNibbles[value >> 9];
    // Drops the nibbles after the last one, and its flag.
    put(six >> (24 - 4 * count) ^ 8, count);
  }
  void number(std::uint32_t value) {
    for (; value > 511; value >>= 9) put(kNibbles[value & 511], 3);
    difference(value);
  }
  // Writes what is left, padded with zeros.
  std::byte* finish() {
    if (count_ > 0) put(0, 8 - count_);
    return out_;
  }

 private:
  // count: of nibbles, 1 to 7. A word that is not full is written as well, and later again.
  void put(std::uint64_t nibbles, int count) {
    word_ |= nibbles << (64 - 4 * (count_ + count));
    count_ += count;
    const auto high = static_cast<std::uint32_t>(word_ >> 32);
    std::memcpy(out_, &high, sizeof high);
    const int full = count_ >> 3;
    out_ += 4 * full;
    word_ <<= 32 * full;
    count_ &= 7;
  }

  std::byte* out_;
  std::uint64_t word_ = 0;  // from its highest nibble on
  int count_ = 0;           // of its nibbles, below 8
};

// Numbers of up to three nibbles, indexed by these, the first the highest; for longer numbers,
// their first nine bits.
constexpr std::array<std::uint16_t, 4096> kNumbers = [] {
  std::array<std::uint16_t, 4096> table{};
  for (unsigned nibbles = 0; nibbles < 4096; ++nibbles) {
    unsigned value = nibbles >> 8 & 7;
    if ((nibbles & 0x800) != 0) {
      value |= (nibbles >> 4 & 7) << 3;
      if ((nibbles & 0x80) != 0) value |= (nibbles & 7) << 6;
    }
    table[nibbles] = static_cast<std::uint16_t>(value);
  }
  return table;
}();

class Reader {
 public:
  explicit Reader(std::span<const std::byte> code)
      : begin_(code.data()), in_(begin_), end_(begin_ + code.size() / 4 * 4) {}

  // left: the samples that are still to come.
  std::uint32_t number(std::size_t left) {
    if (count_ <= 8 && in_ != end_) load();
    const int length = std::countl_zero(~word_ & 0x8888888888888888U) / 4 + 1;
    if (length > std::min(count_, 6)) [[unlikely]]
      return far_number(left);
    // Up to six nibbles, which differences have, without a branch.
    const std::uint32_t more = static_cast<std::uint32_t>(kNumbers[word_ << 12 >> 52]) << 9;
    const std::uint32_t value =
        kNumbers[word_ >> 52] | (more & static_cast<std::uint32_t>((3 - length) >> 31));
    word_ <<= 4 * length;
    count_ -= length;
    return value;
  }
  std::size_t count(std::size_t left) {
    const std::size_t begin = offset();
    const std::uint32_t value = number(left);
    if (value > left) [[unlikely]]
      throw_count(begin, value, left);
    return value;
  }
  // The bytes of the words that were read from.
  std::size_t used() const { return read() - static_cast<std::size_t>(count_ / 8) * 4; }

 private:
  std::size_t read() const { return static_cast<std::size_t>(in_ - begin_); }
  // The offset of the word in which the next nibble is.
  std::size_t offset() const { return read() - static_cast<std::size_t>((count_ + 7) / 8) * 4; }
  void load() {
    std::uint32_t next;
    std::memcpy(&next, in_, sizeof next);
    word_ |= static_cast<std::uint64_t>(next) << (32 - 4 * count_);
    count_ += 8;
    in_ += 4;
  }
  // A number of more than six nibbles, or one that goes on behind word_, nibble by nibble.
  std::uint32_t far_number(std::size_t left) {
    const std::size_t begin = offset();
    std::uint32_t value = 0;
    for (int i = 0; i < kMaxNibbles; ++i) {
      if (count_ == 0) {
        if (in_ == end_) throw_end(offset(), left);
        load();
      }
      const auto nibble = static_cast<std::uint32_t>(word_ >> 60);
      word_ <<= 4;
      --count_;
      value |= (nibble & 7) << 3 * i;
      if (nibble < 8) return value;
    }
    throw_long_number(begin);
  }

  const std::byte* begin_;
  const std::byte* in_;
  const std::byte* end_;
  std::uint64_t word_ = 0;  // from its highest nibble on, then zeros
  int count_ = 0;           // of its nibbles
};

}  // namespace

std::size_t encode(const DepthView& frame, std::span<std::byte> code) {
  assert(code.size() >= max_bytes(frame.width, frame.height));
  Writer writer(code.data());
  Cursor at(joined(frame));
  std::uint32_t previous = 0;
  while (!at.at_end()) {
    writer.number(static_cast<std::uint32_t>(skip<true>(&at)));
    Cursor ahead = at;
    std::size_t others = skip<false>(&ahead);
    writer.number(static_cast<std::uint32_t>(others));
    while (others > 0) {
      const std::size_t here = std::min(others, at.in_row());
      for (const std::byte *p = at.at(), *end = p + 2 * here; p != end; p += 2) {
        const std::uint32_t sample = sample_at(p);
        const std::uint32_t difference = sample - previous;
        previous = sample;
        writer.difference(difference << 1 ^ (0U - (difference >> 31)));
      }
      at.advance(here);
      others -= here;
    }
  }
  return static_cast<std::size_t>(writer.finish() - code.data());
}

void decode(std::span<const std::byte> code, const MutableDepthView& frame) {
  Reader reader(code);
  Cursor at(joined(frame));
  std::size_t left = static_cast<std::size_t>(frame.width) * static_cast<std::size_t>(frame.height);
  std::uint32_t previous = 0;
  while (left > 0) {
    std::size_t zeros = reader.count(left);
    left -= zeros;
    while (zeros > 0) {
      const std::size_t here = std::min(zeros, at.in_row());
      std::memset(at.at(), 0, 2 * here);
      at.advance(here);
      zeros -= here;
    }
    std::size_t others = reader.count(left);
    while (others > 0) {
      const std::size_t here = std::min(others, at.in_row());
      for (std::byte *p = at.at(), *end = p + 2 * here; p != end; p += 2) {
        const std::uint32_t zigzag = reader.number(left--);
        previous += zigzag >> 1 ^ (0U - (zigzag & 1));
        const auto sample = static_cast<std::uint16_t>(previous);
        std::memcpy(p, &sample, sizeof sample);
      }
      at.advance(here);
      others -= here;
    }
  }
  check_end(reader.used(), code.size());
}

void write_ros_header(const RosHeader& header, std::span<std::byte, kRosHeaderBytes> out) {
  const std::int32_t configuration = 0;
  const std::int32_t sides[] = {header.width, header.height};
  std::memcpy(&out[0], &configuration, 4);
  std::memcpy(&out[4], &header.a, 4);
  std::memcpy(&out[8], &header.b, 4);
  std::memcpy(&out[12], sides, 8);
}

RosHeader read_ros_header(std::span<const std::byte> data) {
  if (data.size() < kRosHeaderBytes) {
    throw RvlError(data.size(), "found the end of the data, expected " +
                                    std::to_string(kRosHeaderBytes) + " bytes before the code");
  }
  RosHeader header;
  std::uint32_t sides[2];
  std::memcpy(&header.a, &data[4], 4);
  std::memcpy(&header.b, &data[8], 4);
  std::memcpy(sides, &data[12], 8);
  for (const std::size_t i : {0U, 1U}) {
    if (sides[i] >= 1 && sides[i] <= kMaxSide) continue;
    throw RvlError(12 + 4 * i, "found " + std::to_string(sides[i]) +
                                   (i == 0 ? " columns" : " rows") + ", expected 1 to " +
                                   std::to_string(kMaxSide));
  }
  header.width = static_cast<int>(sides[0]);
  header.height = static_cast<int>(sides[1]);
  return header;
}

}  // namespace rdp::rvl
