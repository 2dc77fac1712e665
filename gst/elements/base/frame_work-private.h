// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_BASE_FRAME_WORK_PRIVATE_H_
#define RDP_GST_ELEMENTS_BASE_FRAME_WORK_PRIVATE_H_

#include "gst/elements/base/frame_work.h"

// Shared by the files of FrameWork. frame_work.cpp: the call, from the plan to results, and the CPU
// engine; frame_work_backend.cpp: the choice of engine; frame_work_gpu.cpp: the GPU engine;
// frame_work_picture.cpp: the picture; frame_work_samples.cpp: warnings about suspect samples.

// Every function has the element and its words.
#define GST_CAT_DEFAULT (words_.category)

namespace rdp::gst {

// One call on its way through an engine.
struct FrameWork::Work {
  const InputBuffer& main() const { return call.inputs[call.main]; }
  GstClockTime pts() const { return GST_BUFFER_PTS(main().buffer); }

  const WorkCall& call;
  PaintedPicture* picture;
  std::span<const OutputBuffer> outputs;
  bool have_outputs = false;
  // The time that stats count: on the CPU without the picture.
  Clock::duration time{};
  // Time including the picture, by which the trial compares the engines.
  Clock::duration time_with_picture{};
  bool on_gpu = false;
  guint64 pixels = 0;  // of one frame
  Plan plan{};
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_BASE_FRAME_WORK_PRIVATE_H_
