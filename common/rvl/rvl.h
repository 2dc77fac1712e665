// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_RVL_RVL_H_
#define RDP_COMMON_RVL_RVL_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>

#include "common/image/depth_view.h"

// RVL: lossless code of depth frames (A. D. Wilson, Fast Lossless Depth Image Compression, 2017).
//
// Samples in raster order are coded in rounds. A round is a count of zeros, a count of the nonzero
// samples that follow, and their differences. Each is the zigzag difference to the previous nonzero
// sample, modulo 2^16. A number is split into groups of three bits, lowest first, in nibbles whose
// highest bit means that more follow. Nibbles fill little-endian words of 32 bits from the highest;
// reference.cpp defines all of it.
namespace rdp::rvl {

// The fault of a code or its header: "offset N: found SOMETHING, expected SOMETHING ELSE".
class RvlError : public std::runtime_error {
 public:
  RvlError(std::size_t offset, const std::string& fault)
      : std::runtime_error("offset " + std::to_string(offset) + ": " + fault), offset_(offset) {}

  // In bytes from the beginning of the code, or of the header where that is at fault.
  std::size_t offset() const { return offset_; }

 private:
  std::size_t offset_;
};

// Maximum bytes of a frame's code: six nibbles per sample, and the counts of one round. Each
// further round has a zero, whose five spare nibbles hold its counts, up to 32767 nonzero samples.
constexpr std::size_t max_bytes(int width, int height) {
  const std::size_t samples = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  const std::size_t nibbles = 6 * samples + samples / 32768 + 6;
  return (nibbles + 7) / 8 * 4;
}

// Writes the code of a frame of kU16 to the beginning of `code`, which holds at least max_bytes(),
// and returns its size: a multiple of four. Allocates nothing.
std::size_t encode(const DepthView& frame, std::span<std::byte> code);

// Fills a frame of kU16 from its code. One word more may stand behind it. Allocates nothing unless
// it throws an RvlError; the frame is then partly written.
void decode(std::span<const std::byte> code, const MutableDepthView& frame);

// The header before the code in a sensor_msgs/CompressedImage of ROS, format "16UC1;
// compressedDepth rvl" or 32FC1: an int32 0, A, B, columns, rows. Depth of 16UC1 has 0 for A and B;
// samples of 32FC1 are inverse depths: Z = A / (sample - B).
inline constexpr std::size_t kRosHeaderBytes = 20;
struct RosHeader {
  float a = 0;
  float b = 0;
  int width = 0;
  int height = 0;
};

void write_ros_header(const RosHeader& header, std::span<std::byte, kRosHeaderBytes> out);

// Reads the header of a message's data, whose code follows it. Throws an RvlError where the data is
// shorter, or a side is not from 1 to kMaxSide.
RosHeader read_ros_header(std::span<const std::byte> data);

}  // namespace rdp::rvl

#endif  // RDP_COMMON_RVL_RVL_H_
