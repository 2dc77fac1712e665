// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_HEIGHTMAP_HEIGHT_ARGUMENTS_H_
#define RDP_KERNELS_HEIGHTMAP_HEIGHT_ARGUMENTS_H_

#include <cstdint>

#include "common/heightmap/plane.h"
#include "common/host_device.h"
#include "kernels/heightmap/belief_layout.h"

// Arguments of the kernels of height maps, rdp_height_*. See kernels/README.md.
namespace rdp::cuda {

// Division of numbers up to 2^30 by a constant of a launch. With 2^bits <= by < 2^(bits + 1) and
// k = 31 + bits, the factor is 2^k / by, rounded up: too large by less than 1. So the quotient of n
// is too large by less than n / 2^k < 1 / by, which does not reach the next integer.
struct FixedDivisor {
  std::uint32_t factor;
  std::uint32_t shift;

  RDP_HOST_DEVICE std::uint32_t operator()(std::uint32_t n) const {
    return static_cast<std::uint32_t>(static_cast<std::uint64_t>(n) * factor >> 32) >> shift;
  }
};

// by: 2 to 2^30.
inline FixedDivisor fixed_divisor(std::uint32_t by) {
  std::uint32_t bits = 1;
  while (by >> (bits + 1) != 0) ++bits;
  const std::uint64_t power = std::uint64_t{1} << (31 + bits);
  return {static_cast<std::uint32_t>((power + by - 1) / by), bits - 1};
}

// A picture of 8 bits and its census, row by row without padding.
struct HeightPicture {
  const unsigned char* samples;
  std::int64_t pitch;  // bytes
  std::uint32_t* census;
  std::int32_t width;
  std::int32_t height;
};

// rdp_height_census: blockIdx.z is the view.
constexpr int kMaxHeightPictures = 16;
constexpr int kHeightCensusColumns = 32;
constexpr int kHeightCensusRows = 32;
constexpr int kHeightCensusThreads = 256;
struct HeightCensusArguments {
  HeightPicture pictures[kMaxHeightPictures];
};

// A view other than the reference: constants of all planes, and its census.
struct HeightSight {
  heightmap::Sight sight;
  const std::uint32_t* census;
};

// A tested plane: see heightmap::Plane.
struct HeightPlane {
  double height;       // metres
  float rough_height;  // the same, rounded to float
  std::int32_t sign;   // of its determinant
};

// Census Hamming distances in bytes, four planes in a word, by view, word, row of the band and
// column. A view has words of the labels, if the band has them, then words of the low heights. A
// word before the labels repeats the first label, one after them the last. Spare bytes repeat the
// last plane.
struct HeightBits {
  std::uint32_t* words;
  std::int64_t view_stride;   // words
  std::int32_t plane_stride;  // words from one word of a pixel to its next
  std::int32_t first_row;     // image rows of the band
  std::int32_t end_row;
};

// Arguments of rdp_height_differences and rdp_height_costs.
struct HeightCostArguments {
  HeightPicture picture;  // the reference
  const HeightSight* sights;
  const HeightPlane* planes;      // of the labels, then the low heights
  const std::int32_t* potential;  // by pixel
  double horizon[3];              // heightmap::Geometry::horizon
  float highest;                  // of all planes, metres
  HeightBits bits;
  BeliefLayout layout;
  unsigned char* costs[2];  // by colour

  // Window cost: (weighted sums + half_bits) / bits of all views' windows, rounded down.
  FixedDivisor bits_of_windows;
  std::int32_t half_bits;

  std::int32_t views;  // without the reference
  std::int32_t window;
  std::int32_t first_row;  // rows to compute costs for
  std::int32_t end_row;
  std::int32_t with_labels;  // costs of labels are computed
  std::int32_t first_low;    // and costs of low heights [first_low, end_low)
  std::int32_t end_low;
  std::int32_t lows;      // number of low heights
  std::int32_t constant;  // heightmap::Parameters::unknown_cost
  std::int32_t bias;      // low_bias
};

// A thread has a pixel of the band, blockIdx.z is the view.
constexpr int kHeightDifferencesThreads = 128;

// The part of a picture that a block of rdp_height_costs takes.
constexpr int kMaxHeightWindow = 11;
constexpr int kHeightCostColumns = 32;
constexpr int kHeightCostRows = 16;
constexpr int kHeightCostThreads = 128;

// Links of a pixel to its neighbours, four bits each. They hold kHeightSteepest minus the rise in
// labels to the neighbour, and kHeightEdge if the image has an edge there.
constexpr int kHeightSteepest = 2;
constexpr int kHeightLinkBits = 4;
constexpr int kHeightEdge = 8;

// The state of the schedule, on the device.
struct HeightProgress {
  unsigned long long energy;  // of the current labelling, being summed up
  long long before;           // of the previous labelling; -1: none
  std::uint32_t blocks;       // that have added their energy
  std::uint32_t is_done;      // later kernels do nothing
};
struct HeightLinkArguments {
  HeightProgress* progress;       // reset by the kernel
  HeightPicture picture;          // the reference
  const std::int32_t* potential;  // by pixel
  unsigned char* costs[2];        // by colour; the links are written
  BeliefLayout layout;
  std::int32_t max_slope;
  std::int32_t contrast;
};
constexpr int kHeightLinkThreads = 256;

// The report that the host reads, in page-locked memory.
struct HeightReport {
  long long energy;
  long long iterations;
};

// Messages, labels and energy.
struct HeightBeliefArguments {
  BeliefLayout layout;
  const unsigned char* costs[2];  // by colour
  // Incoming messages of a colour's pixels; null: all zero. Messages from beyond the image border
  // are zero and never written.
  const unsigned char* read[2];
  unsigned char* write[2];
  unsigned char* labels;  // row by row
  HeightProgress* progress;
  HeightReport* report;

  // Members of heightmap::Parameters.
  std::int32_t smoothness;
  std::int32_t max_jump;
  std::int32_t unknown_jump;
  std::int32_t edge_jump;
  std::int32_t tolerance;
  // For rdp_height_send_*: the colour that sends.
  std::int32_t colour;
  // For rdp_height_exchange_*: rows of a block; 1: write the incoming messages of colour 1.
  std::int32_t tile_rows;
  std::int32_t keeps;
  // For rdp_height_energy: finished half-iterations; 1: the schedule may end here.
  std::int32_t done;
  std::int32_t decides;
};

// Warps of a block take rows of a group.
constexpr int kHeightSendThreads = 128;
constexpr int kHeightExchangeThreads = 512;
constexpr int kHeightExchangeManyThreads = 256;  // where a pixel has more than 32 heights
constexpr int kHeightLabelThreads = 256;
constexpr int kHeightEnergyColumns = 256;
constexpr int kHeightEnergyRows = 8;

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_HEIGHTMAP_HEIGHT_ARGUMENTS_H_
