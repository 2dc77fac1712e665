// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BASE_ANALYZER_VARIANTS_H_
#define RDP_TESTS_BASE_ANALYZER_VARIANTS_H_

#include <gst/gst.h>

#include <functional>
#include <string>

// Scripted elements that use all features of the base of analysing elements. Each reads the first
// sample (or byte) of each input, and stores a frame's in GST_BUFFER_OFFSET of its output buffer.
//
// - variantvideo: forwards frames, may write to them and keep state; has an overlay.
// - variantlabels: src gives its own frames, GRAY8 or GRAY16_LE as downstream prefers. Their
//   samples are the low bytes of the input's.
// - variantpoints: accepts application/x-points,format=XYZ32F, which is not video.
namespace variants {

struct Script {
  bool interchangeable = true;
  bool writes = false;  // the first sample becomes 7; a blob's first byte, too
  int repeats = 0;      // how often finish() requests the steps again
  gsize painted = 0;    // the input of a batch shown by the picture
  // Called before each step; an exception from it ends the step.
  std::function<void(const std::string& step)> at;
};

// The elements' instructions, and the log of their steps: " analyze paint finish", or " gpu:analyze
// …" on the GPU. Streaming thread.
extern Script script;
extern std::string history;

void register_all();
void start_anew();  // the script and the history

}  // namespace variants

#endif  // RDP_TESTS_BASE_ANALYZER_VARIANTS_H_
