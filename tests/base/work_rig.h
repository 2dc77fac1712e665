// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BASE_WORK_RIG_H_
#define RDP_TESTS_BASE_WORK_RIG_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gst/elements/base/frame_work.h"
#include "gst/memory/system_memory.h"
#include "tests/base/pair_method.h"
#include "tests/support/frames.h"

namespace rdp::test {

// Runs the method of pair_method.h without pads, in an element that only posts messages.
struct WorkRig {
  explicit WorkRig(GstRdpBackend backend = GST_RDP_BACKEND_CPU)
      : element(GST_ELEMENT(gst_object_ref_sink(gst_bin_new("element")))),
        bus(frames::attach_bus(element)),
        gpu(element) {
    settings.backend = backend;
    const gst::ElementWords words{GST_CAT_DEFAULT, "pair", "paired"};
    work.emplace(element, words, &gpu, pairs::new_method(&script), settings, &stats);
  }
  ~WorkRig() {
    gpu.drop_states();
    work.reset();
    gpu.stop();
    frames::detach_bus(element, bus);
    gst_object_unref(element);
  }
  WorkRig(const WorkRig&) = delete;
  WorkRig& operator=(const WorkRig&) = delete;

  GstFlowReturn run(std::span<const gst::FrameBuffer> inputs, gst::OutputSource* source) {
    gst::Frame& frame = work->start_frame();
    frame.inputs.assign(inputs.begin(), inputs.end());
    frame.output_source = source;
    const GstFlowReturn flow = work->run();
    if (frame.picture != nullptr)
      ck_abort_msg("a picture without a pad");  // not fail_unless: even a passing check allocates
    return flow;
  }
  GstFlowReturn run(std::span<const gst::FrameBuffer> inputs,
                    std::span<const gst::FrameBuffer> outputs) {
    struct Given final : gst::OutputSource {
      GstFlowReturn acquire(gst::Frame* frame) override {
        frame->outputs.assign(all.begin(), all.end());
        return GST_FLOW_OK;
      }
      std::span<const gst::FrameBuffer> all;
    } given;
    given.all = outputs;
    return run(inputs, &given);
  }

  GstElement* element;
  GstBus* bus;
  gst::GpuProvider gpu;
  gst::AnalyzerSettings settings;
  gst::AnalyzerStats stats;
  pairs::Script script;
  std::optional<gst::FrameWork> work;
};

// The samples of a buffer, without row padding.
inline std::vector<int> samples(GstBuffer* buffer, const frames::Shape& shape) {
  gst::SystemFrame frame;
  std::string reason;
  const GstVideoInfo info = frames::video_info(shape);
  fail_unless(frame.map(buffer, info, gst::Access::kRead, &reason), "%s", reason.c_str());
  const DepthView view = frame.view();
  std::vector<int> all;
  for (int row = 0; row < view.height; ++row) {
    for (int column = 0; column < view.width; ++column) all.push_back(view.at(row, column));
  }
  return all;
}

// The expected result of the method for two frames of this format.
inline std::vector<int> difference(const std::vector<int>& left, const std::vector<int>& right,
                                   const frames::Shape& shape) {
  const int mask = shape.format == GST_VIDEO_FORMAT_GRAY8 ? 0xFF : 0xFFFF;
  std::vector<int> all;
  for (std::size_t i = 0; i < left.size(); ++i) all.push_back((left[i] - right[i]) & mask);
  return all;
}

}  // namespace rdp::test

#endif  // RDP_TESTS_BASE_WORK_RIG_H_
