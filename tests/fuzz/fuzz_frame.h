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

// A frame of up to largest_side rows and columns and about `samples` samples, its samples from the
// bytes, or grown from them: runs, stairs, slopes, noise, holes.
TestFrame take_frame(Input* input, const Parameters& parameters, int largest_side, int samples);
// The samples alone, into a frame that is there.
void take_samples(Input* input, const Parameters& parameters, const MutableDepthView& frame);

// Fails where `wrong`, which a comparer said of what `who` made, is not empty.
inline void check_same(const std::string& wrong, const char* who) {
  FUZZ_CHECK(wrong.empty(), "%s: %s", who, wrong.c_str());
}

}  // namespace rdp::fuzz

#endif  // RDP_TESTS_FUZZ_FUZZ_FRAME_H_
