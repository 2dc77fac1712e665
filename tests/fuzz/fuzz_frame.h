// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_FUZZ_FUZZ_FRAME_H_
#define RDP_TESTS_FUZZ_FUZZ_FRAME_H_

#include <string>

#include "common/image/depth_view.h"
#include "common/rdp/parameters.h"
#include "common/rdp/reference.h"
#include "tests/fuzz/fuzz_input.h"
#include "tests/support/compare.h"
#include "tests/support/guarded_frame.h"

namespace rdp::fuzz {

using test::TestFrame;

// Any parameters that the element's properties can be set to.
Parameters take_parameters(Input* input);

// A frame of up to largest_side rows and columns and about `samples` samples. The samples are the
// input's bytes, or are generated from them: runs, stairs, slopes, noise, holes.
TestFrame take_frame(Input* input, const Parameters& parameters, int largest_side, int samples);
// Fills an existing frame with samples.
void take_samples(Input* input, const Parameters& parameters, const MutableDepthView& frame);

// Fails unless `wrong`, a comparer's text about the result of `who`, is empty.
inline void check_same(const std::string& wrong, const char* who) {
  FUZZ_CHECK(wrong.empty(), "%s: %s", who, wrong.c_str());
}

}  // namespace rdp::fuzz

#endif  // RDP_TESTS_FUZZ_FUZZ_FRAME_H_
