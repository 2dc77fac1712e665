// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BASE_PAIR_METHOD_H_
#define RDP_TESTS_BASE_PAIR_METHOD_H_

#include <functional>
#include <memory>
#include <string>

#include "gst/elements/base/joined_work.h"

// A method that works on two frames, to test what elements with several inputs are made of. The
// first output is left minus right, the second one, where it is wanted, a copy of the right frame,
// modulo the outputs' samples; src has the caps of the left frames, data those of the right ones.
// One frame of two halves side by side is a pair as well. A picture has bytes of 0x5A. The GPU's
// worker has the same done on the host.
namespace pairs {

struct Script {
  // Called in each step of a worker: "analyze", "gpu:analyze", "paint", "finish".
  std::function<void(const std::string& step)> at;
  bool writes = false;  // exchanges the first samples of the inputs
  bool interchangeable = true;
  bool loses_results = false;  // those of the GPU, when they are fetched
  bool attaches = false;       // an offset to the buffer with the results: the pairs so far
};

// `script` lives longer.
std::unique_ptr<rdp::gst::JoinedMethod> new_method(const Script* script);

}  // namespace pairs

#endif  // RDP_TESTS_BASE_PAIR_METHOD_H_
