// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_STEREO_STEREO_ARGUMENTS_H_
#define RDP_KERNELS_STEREO_STEREO_ARGUMENTS_H_

#include <cstdint>

namespace rdp::cuda {

// Rows of samples in device memory; no data: there is none.
struct StereoRows {
  unsigned char* data;
  std::int64_t pitch;  // bytes
};

// Rows of census words. Word 0 of the image is at `pad`. Padding repeats the first word before it,
// and the last word behind the end. Pad and pitch are multiples of 4 words, the size of an access.
struct CensusRows {
  std::uint32_t* words;
  std::int64_t pitch;
  std::int32_t pad;
};

// Arguments of all kernels of the stereo matching, rdp_stereo_*: a pair, the parameters of its
// matching, and the memory between the steps. See kernels/README.md.
struct StereoArguments {
  StereoRows left;  // 8 bits
  StereoRows right;
  StereoRows left_mask;
  StereoRows right_mask;
  StereoRows disparity;   // the result, 16 bits
  StereoRows confidence;  // 8 bits, if it is wanted
  // Disparities before the median, 16 bits: `disparity` itself without a median.
  StereoRows checked;

  std::int32_t width;
  std::int32_t height;
  // Members of stereo::Parameters.
  std::int32_t disparities;
  std::int32_t min_disparity;
  std::int32_t paths;
  std::int32_t p1;
  std::int32_t p2;
  std::int32_t uniqueness;
  std::int32_t max_left_right;
  std::int32_t min_confidence;
  std::int32_t median;
  std::int32_t speckle_size;
  std::int32_t speckle_range;

  CensusRows left_census;
  // Four rows for each row of the image, with its words 0 to 3 places later. So any four
  // neighbouring words are aligned in one of them. The highest bit is 1 if the mask says that the
  // pixel was not seen.
  CensusRows right_census;

  // The cost of each path, in bytes, by row, column and disparity.
  unsigned char* volumes;
  std::int64_t volume_stride;  // from one path to the next, a multiple of 256

  // See primitives/component_sizes.cuh.
  std::uint32_t* parents;
  std::uint32_t* sizes;

  // Known pixels, with saturated ones in the upper half; finished blocks. Zeros before and after
  // the launch.
  unsigned long long* counters;
  unsigned long long* counts;  // stereo::Counts, in page-locked memory of the host
};

// Extra padding on either side: paths read so many words ahead.
constexpr int kCensusAhead = 32;

// The part of a picture that a block of rdp_stereo_census takes, the padding included.
constexpr int kCensusColumns = 32;
constexpr int kCensusRows = 32;
constexpr int kCensusThreads = 256;

// Paths of a block of rdp_stereo_paths_*, a warp each. With one, values that a warp's threads share
// are uniform in the block, so the compiler keeps them in uniform registers.
constexpr int kPathsOfBlock = 1;

// rdp_stereo_choose_*: a block takes a row, a warp some neighbouring pixels of it at a time.
constexpr int kChooseThreads = 256;

// Tiles of rdp_stereo_label, a pixel for each thread.
constexpr int kLabelColumns = 32;
constexpr int kLabelRows = 8;
constexpr int kSpeckleThreads = kLabelColumns * kLabelRows;
// Rows of a block of rdp_stereo_gather and rdp_stereo_finish, each thread with a column.
constexpr int kStripRows = 8;

// Arguments of the kernel rdp_disparity_to_depth: samples of 16 bits, and a table for each value.
struct DepthTableArguments {
  unsigned char* samples;
  const std::uint16_t* table;
  std::int64_t pitch;
  std::int32_t width;
  std::int32_t height;
};

// The part of a frame that a block of threads works on.
constexpr int kDepthTableThreads = 128;
constexpr int kDepthTableColumns = 32 * 8;
constexpr int kDepthTableRows = kDepthTableThreads / 32;

// A point of stereo::RectificationMap, as kernels read it: in one load.
struct alignas(8) DeviceMapPoint {
  std::int32_t x;
  std::int32_t y;
};
constexpr std::int32_t kMapNotSeen = INT32_MIN;

// Arguments of the kernel rdp_rectify. Picture, map and result have one size; samples of 8 bits.
struct RectifyArguments {
  const unsigned char* picture;
  unsigned char* out;
  const DeviceMapPoint* points;  // row by row
  std::int64_t picture_pitch;
  std::int64_t out_pitch;
  std::int32_t width;
  std::int32_t height;
};

// The part of a picture that a block of threads works on, a pixel a thread.
constexpr int kRectifyThreads = 256;
constexpr int kRectifyColumns = 32;
constexpr int kRectifyRows = kRectifyThreads / kRectifyColumns;

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_STEREO_STEREO_ARGUMENTS_H_
