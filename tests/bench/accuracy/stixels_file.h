// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BENCH_ACCURACY_STIXELS_FILE_H_
#define RDP_TESTS_BENCH_ACCURACY_STIXELS_FILE_H_

#include <filesystem>

#include "common/image/depth_view.h"
#include "common/rdp/segment_list.h"

namespace rdp::bench {

// Reads the output of GPU Stixels (D. Hernandez-Juarez et al., WACV 2017) for a frame: a line of
// `type,first,last,disparity;` per column, type 0 ground, 1 object, 2 sky, rows counted from the
// bottom and disparity in px. Objects have a constant disparity, the sky has 0. For the ground, the
// file has the mean but not the slope, which came from a road model. It gets the least-squares line
// of the frame's own samples, an upper bound for any model. `sample_scale`: px per sample step.
//
// False, with a line on stderr, if the file is missing or belongs to another frame.
bool read_stixels(const std::filesystem::path& path, const DepthView& frame, double sample_scale,
                  SegmentList* result);

}  // namespace rdp::bench

#endif  // RDP_TESTS_BENCH_ACCURACY_STIXELS_FILE_H_
