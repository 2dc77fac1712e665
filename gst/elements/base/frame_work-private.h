// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_BASE_FRAME_WORK_PRIVATE_H_
#define RDP_GST_ELEMENTS_BASE_FRAME_WORK_PRIVATE_H_

#include "gst/elements/base/frame_work.h"

// Shared by the files of FrameWork: frame_work.cpp has the call from the plan to results and the
// engine on the CPU, frame_work_backend.cpp the choice of engine, frame_work_gpu.cpp the engine on
// the GPU, frame_work_picture.cpp the picture, frame_work_samples.cpp what looks wrong with frames.

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
  // With it: what the engines compete in.
  Clock::duration time_with_picture{};
  bool on_gpu = false;
  guint64 pixels = 0;  // of one frame
  Plan plan{};
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_BASE_FRAME_WORK_PRIVATE_H_
