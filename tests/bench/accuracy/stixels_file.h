// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BENCH_ACCURACY_STIXELS_FILE_H_
#define RDP_TESTS_BENCH_ACCURACY_STIXELS_FILE_H_

#include <filesystem>

#include "common/image/depth_view.h"
#include "common/rdp/segment_list.h"

namespace rdp::bench {

// Reads what GPU Stixels (D. Hernandez-Juarez et al., WACV 2017) writes of a frame: a line of
// `type,first,last,disparity;` for each column, type 0 ground, 1 object, 2 sky, rows counted from
// the bottom and disparity in px. Objects have that disparity all along, the sky has 0. Of the
// ground the file has only the mean, not the slope, which came from a model of the road: it gets
// the least-squares line of the frame's own samples, the best that any model can have been. The
// frame's samples are sample_scale px each.
//
// False, with a line on stderr: there is no such file, or it is not of the frame.
bool read_stixels(const std::filesystem::path& path, const DepthView& frame, double sample_scale,
                  SegmentList* result);

}  // namespace rdp::bench

#endif  // RDP_TESTS_BENCH_ACCURACY_STIXELS_FILE_H_
