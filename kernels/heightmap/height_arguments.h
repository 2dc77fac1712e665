// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_HEIGHTMAP_HEIGHT_ARGUMENTS_H_
#define RDP_KERNELS_HEIGHTMAP_HEIGHT_ARGUMENTS_H_

#include <cstdint>

#include "common/heightmap/plane.h"
#include "common/host_device.h"
#include "kernels/heightmap/belief_layout.h"

// Arguments of the kernels of height maps, rdp_height_*. See kernels/README.md.
namespace rdp::cuda {

// Division by a number that is the same for a whole launch, of numbers of up to 2^30. With
// 2^bits <= by < 2^(bits + 1) and k = 31 + bits the factor is 2^k / by, rounded up; it is too large
// by less than 1, and so the product of a number n is too large by less than n by / 2^k of the
// quotient's last place, which is less than 1 / by.
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

// Constants of all planes of a view that is not the reference.
struct HeightSight {
  heightmap::Sight sight;
  const std::uint32_t* census;
};

// A plane that is looked at: see heightmap::Plane.
struct HeightPlane {
  double height;       // metres
  float rough_height;  // the same
  std::int32_t sign;   // of its determinant
};

// The number of census bits that differ, in bytes, four planes in a word: by view, word, row of the
// band and column. The words of a view are those of the labels, if the band has them, with one
// before them that has the first label in all bytes and one behind that has the last one; then
// those of the low heights. Bytes behind the last plane are as that of the last plane.
struct HeightBits {
  std::uint32_t* words;
  std::int64_t view_stride;   // words
  std::int32_t plane_stride;  // from one word of a pixel to the next one
  std::int32_t first_row;     // rows of the picture that the band has
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

  // A cost of a window: its sums, and half as much as the bits of all views, by as much.
  FixedDivisor bits_of_windows;
  std::int32_t half_bits;

  std::int32_t views;  // that are not the reference
  std::int32_t window;
  std::int32_t first_row;  // rows whose costs are found
  std::int32_t end_row;
  std::int32_t with_labels;  // costs of labels are found
  std::int32_t first_low;    // and of low heights [first_low, end_low)
  std::int32_t end_low;
  std::int32_t lows;      // how many low heights there are
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

// The links of a pixel to its neighbours, in four bits each: by how many labels heights rise to it,
// as kHeightSteepest less that, and above it whether the picture has an edge there.
constexpr int kHeightSteepest = 2;
constexpr int kHeightLinkBits = 4;
constexpr int kHeightEdge = 8;

// The state of the schedule, on the device.
struct HeightProgress {
  unsigned long long energy;  // of the labelling that is being summed up
  long long before;           // of the one before; -1: there is none
  std::uint32_t blocks;       // that have added theirs
  std::uint32_t is_done;      // what comes later does nothing
};
struct HeightLinkArguments {
  HeightProgress* progress;       // is set to the start
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
  // Messages that reach the pixels of a colour. Null: all of them are zero. What comes from beyond
  // the picture's border is zero and never written.
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
  // rdp_height_send_*: the colour that sends.
  std::int32_t colour;
  // rdp_height_exchange_*: the rows of a block; whether messages that reach colour 1 are written.
  std::int32_t tile_rows;
  std::int32_t keeps;
  // rdp_height_energy: how many half-iterations are done, and whether the schedule may end here.
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
