// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BENCH_STEREO_VIEWS_H_
#define RDP_TESTS_BENCH_STEREO_VIEWS_H_

#include <string>
#include <vector>

#include "common/stereo/engine.h"
#include "tests/bench/overhead.h"
#include "tests/stereo/stereo_patterns.h"

namespace rdp::bench {

// Two 8-bit views of a textured scene.
struct StereoViews {
  frames::Content left;
  frames::Content right;

  // `small`: sets fewer disparities in `parameters`.
  StereoViews(bool small, stereo::Parameters* parameters)
      : left({GST_VIDEO_FORMAT_GRAY8, small ? 160 : 1242, small ? 96 : 375}), right(left.shape) {
    if (small) parameters->disparities = 32;
    test::draw_pair(test::PairKind::kTextured, {left.view(), right.view(), {}, {}}, *parameters, 1);
  }

  // The CPU's samples, row by row.
  std::vector<std::uint16_t> match(const stereo::Parameters& parameters) const {
    const DepthView view = left.view();
    std::vector<std::uint16_t> samples(left.samples.size());
    stereo::Engine matcher(1);
    matcher.match({view, right.view(), {}, {}}, parameters,
                  {{reinterpret_cast<std::byte*>(samples.data()), std::ptrdiff_t{2} * view.width,
                    view.width, view.height, SampleType::kU16},
                   {}});
    return samples;
  }

  // depthstereo with these views; its samples must first equal the CPU's.
  Contest contest(const stereo::Parameters& parameters, const std::string& backend,
                  unsigned threads) const {
    Contest contest;
    contest.backend = backend;
    contest.stream.element = "depthstereo backend=" + backend +
                             " threads=" + std::to_string(threads) +
                             " disparities=" + std::to_string(parameters.disparities) +
                             " paths=" + std::to_string(parameters.paths);
    contest.stream.inputs = {{"left", {left}}, {"right", {right}}};
    contest.found = [expected = match(parameters)](const ElementStream& stream) {
      return different_samples(stream, expected);
    };
    return contest;
  }
};

}  // namespace rdp::bench

#endif  // RDP_TESTS_BENCH_STEREO_VIEWS_H_
