// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BASE_PAIR_METHOD_H_
#define RDP_TESTS_BASE_PAIR_METHOD_H_

#include <functional>
#include <memory>
#include <string>

#include "gst/elements/base/joined_work.h"

// A method on two frames, to test the base classes of elements with several inputs. The first
// output is left minus right; the optional second output is a copy of the right frame. Samples wrap
// at the outputs' sample size. `src` has the caps of the left frames, `data` those of the right
// frames. One frame with two halves side by side is a pair, too. Every byte of a picture is 0x5A.
// The GPU worker computes on the host.
namespace pairs {

struct Script {
  // Called in each step of a worker: "analyze", "gpu:analyze", "paint", "finish".
  std::function<void(const std::string& step)> at;
  bool writes = false;  // exchanges the first samples of the inputs
  bool interchangeable = true;
  bool loses_results = false;  // fetching the GPU's results fails
  bool attaches = false;       // the result buffer's offset becomes the number of pairs so far
};

// `script` must outlive the method.
std::unique_ptr<rdp::gst::JoinedMethod> new_method(const Script* script);

}  // namespace pairs

#endif  // RDP_TESTS_BASE_PAIR_METHOD_H_
