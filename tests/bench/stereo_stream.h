// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BENCH_STEREO_STREAM_H_
#define RDP_TESTS_BENCH_STEREO_STREAM_H_

#include <gst/gst.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "common/stereo/parameters.h"
#include "tests/bench/joined_stream.h"
#include "tests/support/gst_frames.h"

namespace rdp::bench {

// Two views of 8 bits of a textured scene.
struct StereoViews {
  StereoViews(int width, int height, const stereo::Parameters& parameters);
  frames::Content left;
  frames::Content right;
};
// What the CPU makes of them: the samples, row after row.
std::vector<std::uint16_t> match_views(const StereoViews& views,
                                       const stereo::Parameters& parameters);

struct StereoSetup {
  const char* backend = "cpu";
  unsigned threads = 1;
  const char* feature = nullptr;         // of the views' caps; null: system memory
  const char* output_feature = nullptr;  // of what follows src
  bool data_pads = false;                // `rectified` and `confidence`, in the same memory as src
};

// depthstereo between pads: see JoinedStream.
class StereoStream {
 public:
  using NewBuffer = std::function<GstBuffer*(const frames::Content&)>;

  StereoStream(const StereoViews& views, const stereo::Parameters& parameters,
               const StereoSetup& setup, const NewBuffer& new_buffer);

  // The buffers whose memory is pushed again and again.
  GstBuffer* left() const { return stream_.input(0); }
  GstBuffer* right() const { return stream_.input(1); }
  void push() { stream_.push(); }
  SetTimes time(int warm_ups, int count, const std::function<void()>& between = {}) {
    return stream_.time(warm_ups, count, between);
  }
  std::vector<std::uint16_t> samples() const { return stream_.samples(); }
  std::string backend() const { return stream_.backend(); }

 private:
  JoinedStream stream_;
};

}  // namespace rdp::bench

#endif  // RDP_TESTS_BENCH_STEREO_STREAM_H_
