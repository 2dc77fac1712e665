// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BASE_ANALYZER_VARIANTS_H_
#define RDP_TESTS_BASE_ANALYZER_VARIANTS_H_

#include <gst/gst.h>

#include <functional>
#include <string>

// Elements that are made of what the base of analysing elements can do, and that do what a test
// tells them. All of them find the first sample (or byte) of each input; a frame's own goes to
// GST_BUFFER_OFFSET of the buffer that goes on.
//
// - variantvideo: frames pass; it may write to them and keep state; has an overlay.
// - variantlabels: src gives frames of its own, GRAY8 or GRAY16_LE as downstream likes, whose
//   samples are the low bytes of the input's.
// - variantpoints: takes application/x-points,format=XYZ32F, which is no video.
namespace variants {

struct Script {
  bool interchangeable = true;
  bool writes = false;  // the first sample becomes 7; a blob's first byte, too
  int repeats = 0;      // how often finish() asks for the same steps once more
  gsize painted = 0;    // which input of a batch the picture shows
  // Called before each step, which it may end with an exception.
  std::function<void(const std::string& step)> at;
};

// What the elements do, and what was asked of them: " analyze paint finish", on the GPU
// " gpu:analyze …". Streaming thread.
extern Script script;
extern std::string history;

void register_all();
void start_anew();  // the script and the history

}  // namespace variants

#endif  // RDP_TESTS_BASE_ANALYZER_VARIANTS_H_
