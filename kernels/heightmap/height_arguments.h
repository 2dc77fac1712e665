// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_HEIGHTMAP_HEIGHT_ARGUMENTS_H_
#define RDP_KERNELS_HEIGHTMAP_HEIGHT_ARGUMENTS_H_

#include <cstdint>

#include "common/heightmap/plane.h"

// What the kernels of height maps, rdp_height_*, take. See kernels/README.md.
namespace rdp::cuda {

// A picture of 8 bits and its census, row by row without padding.
struct HeightPicture {
  const unsigned char* samples;
  std::int64_t pitch;  // bytes
  std::uint32_t* census;
  std::int32_t width;
  std::int32_t height;
};

// rdp_height_census: blockIdx.z is the view.
constexpr int kMostHeightPictures = 16;
constexpr int kHeightCensusColumns = 32;
constexpr int kHeightCensusRows = 32;
constexpr int kHeightCensusThreads = 256;
struct HeightCensusArguments {
  HeightPicture pictures[kMostHeightPictures];
};

// What is the same for all planes of a view that is not the reference.
struct HeightSight {
  heightmap::Sight sight;
  const std::uint32_t* census;
};

// A plane that is looked at: see heightmap::Plane.
struct HeightPlane {
  double height;  // metres
  double determinant;
};

// How many bits of the census differ, in bytes, four planes in a word: by view, word, row of the
// band and column. The words of a view are those of the labels, if the band has them, with one
// before them that has the first label in all bytes and one behind that has the last one; then
// those of the low heights. Bytes behind the last plane are as that of the last plane.
struct HeightBits {
  std::uint32_t* words;
  std::int64_t plane_stride;  // words, from one word of a pixel to the next one
  std::int64_t view_stride;
  std::int32_t first_row;  // rows of the picture that the band has
  std::int32_t end_row;
};

// Costs and messages. The pixels are those of a chess board: colour 0 has the first pixel of row 0.
// Pixel x of a row is number x >> 1 of its colour there. Four heights are a word: there are planes
// of words, by row and number, and behind them one of bytes, for `unknown`.
constexpr unsigned char kHeightBeyond = 255;  // the cost of what is beyond the last height
struct HeightLayout {
  std::int32_t width;
  std::int32_t height;
  std::int32_t heights;  // labels but `unknown`
  std::int32_t words;    // of the kernels' labels, a quarter of them
  std::int64_t pitch;    // numbers in a row
};

// What rdp_height_differences and rdp_height_costs take.
struct HeightCostArguments {
  const HeightSight* sights;
  const HeightPlane* planes;            // of the labels, then the low heights
  const std::int32_t* potential;        // by pixel
  const std::uint32_t* census;          // of the reference
  double horizon[3];                    // heightmap::Geometry::horizon
  HeightBits bits;
  HeightLayout layout;
  unsigned char* costs[2];              // by colour, as the layout says

  std::int32_t views;          // that are not the reference
  std::int32_t window;
  std::int32_t first_row;      // rows whose costs are found
  std::int32_t end_row;
  std::int32_t with_labels;    // costs of labels are found
  std::int32_t first_low;      // and of low heights [first_low, end_low)
  std::int32_t end_low;
  std::int32_t lows;           // how many low heights there are
  std::int32_t constant;       // heightmap::Parameters::unknown_cost
  std::int32_t bias;           // low_bias
};

// A thread has a pixel of the band, blockIdx.z is the view.
constexpr int kHeightDifferencesThreads = 128;

// The part of a picture that a block of rdp_height_costs takes.
constexpr int kMostHeightWindow = 11;
constexpr int kHeightCostColumns = 32;
constexpr int kHeightCostRows = 16;
constexpr int kHeightCostThreads = 256;

// What a pixel sends to its neighbours: by how many labels they rise, and where the picture has
// edges. Two bits more than the rises from -2 to 2 need: `kHeightSteepest - rise`.
constexpr int kHeightSteepest = 2;
constexpr int kHeightLinkBits = 3;      // of each direction
constexpr int kHeightEdgeShift = 12;    // then a bit for each direction: there is an edge

// How the schedule stands, on the device.
struct HeightProgress {
  unsigned long long energy;   // of the labelling that is being summed up
  long long before;            // of the one before; -1: there is none
  std::uint32_t blocks;        // that have added theirs
  std::uint32_t is_done;       // what comes later does nothing
};
struct HeightLinkArguments {
  HeightProgress* progress;       // is set to the start
  HeightPicture picture;          // the reference
  const std::int32_t* potential;  // by pixel
  std::uint16_t* links[2];        // by colour, row and number
  HeightLayout layout;
  std::int32_t max_slope;
  std::int32_t contrast;
};
constexpr int kHeightLinkThreads = 256;

// What the host reads, in page-locked memory.
struct HeightReport {
  long long energy;
  long long iterations;
};

// Messages, labels and energy.
struct HeightBeliefArguments {
  HeightLayout layout;
  const unsigned char* costs[2];       // by colour
  // Messages that reach the pixels of a colour, from the left, the right, above and below. Null:
  // all of them are zero.
  const unsigned char* read[2];
  unsigned char* write[2];
  std::int64_t direction_stride;       // bytes, from one direction to the next
  const std::uint16_t* links[2];
  unsigned char* labels;               // row by row
  HeightProgress* progress;
  HeightReport* report;

  // Those of heightmap::Parameters.
  std::int32_t smoothness;
  std::int32_t max_jump;
  std::int32_t unknown_jump;
  std::int32_t edge_jump;
  std::int32_t tolerance;
  // rdp_height_send_*: the colour that sends. rdp_height_energy: how many half-iterations are done.
  std::int32_t colour;
  std::int32_t done;
  std::int32_t decides;  // rdp_height_energy: whether the schedule may end here
};

constexpr int kHeightSendThreads = 128;
constexpr int kHeightLabelThreads = 256;
constexpr int kHeightEnergyColumns = 256;
constexpr int kHeightEnergyRows = 8;

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_HEIGHTMAP_HEIGHT_ARGUMENTS_H_
