// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_BASE_JOINED_WORK_H_
#define RDP_GST_ELEMENTS_BASE_JOINED_WORK_H_

#include <memory>
#include <vector>

#include "gst/elements/base/frame_output.h"
#include "gst/elements/base/frame_work.h"
#include "gst/elements/base/gstrdpjoiner.h"

namespace rdp::gst {

// From sets of buffers to what leaves an element on GstRdpJoiner that works on frames with a Method
// and sends frames of its own: caps and memory of what is made, the work, the extra pads. An
// element derives from it and says what the caps are and what belongs to each set.
//
// The method's inputs are the main one and those of the others that have a buffer in the set and
// are more than metadata, in the order of the table; its outputs are that of src and those of the
// data pads that take one, in the order of the table. Streaming thread only, but for start();
// nothing is allocated for a set.
class JoinedWork : public JoinerStream, private OutputSource {
 public:
  void set_inputs(std::span<const JoinedInput> inputs) override;
  bool take_caps(std::size_t input) override;
  void renegotiate() override { stale_ = true; }
  GstFlowReturn work(Pairing& set, GstBuffer** made, GstFlowReturn* extra) override;

 protected:
  // Throws std::bad_alloc.
  JoinedWork(GstRdpJoiner* joiner, std::unique_ptr<Method> method);
  ~JoinedWork() override;

  // The caps that src can have for the inputs' caps, which are known, the best first (transfer
  // full). Null, after an element error. May throw. `cuda`: memory:CUDAMemory can be used;
  // `cuda_first`: the main input is on a GPU, or is to be brought there.
  virtual GstCaps* possible_caps(bool cuda, bool cuda_first) = 0;
  // Those of the data pad of a row, in system memory (transfer full), after possible_caps(). May
  // throw.
  virtual GstCaps* data_caps(const JoinerPad& /*row*/) { return nullptr; }
  // Before the buffers of a set are worked on, which are in the order of the inputs, null where one
  // has none: settings, cameras. False, after an element error. May throw.
  virtual bool prepare(std::span<GstBuffer* const> /*buffers*/) { return true; }
  // Which outputs there are: in the order of the table src and the data pads, null where one takes
  // none. Before the method writes to them, and, as done(), when it has.
  virtual void outputs_are(std::span<GstBuffer* const> /*outputs*/) {}
  virtual void done(std::span<GstBuffer* const> /*outputs*/) {}

  std::span<const JoinedInput> inputs() const { return inputs_; }
  GstRdpJoiner* joiner() const { return joiner_; }
  GstElement* element() const { return GST_ELEMENT(joiner_); }

 private:
  // What goes to an extra pad.
  struct Extra {
    std::size_t row;
    ExtraPadRef pad;
    GstFlowReturn flow = GST_FLOW_NOT_LINKED;
  };

  GstFlowReturn acquire(bool on_gpu, std::vector<OutputBuffer>* outputs) override;
  void acquire_data(std::size_t which, std::vector<OutputBuffer>* outputs);
  bool negotiate();
  GstFlowReturn get_ready();
  void take_buffers(const Pairing& set);
  GstFlowReturn run(GstClockTime running_time, PaintedPicture* picture);
  GstFlowReturn push_extra(PaintedPicture* picture);
  void drop_buffers();

  GstRdpJoiner* const joiner_;
  GpuProvider* const gpu_;
  ExtraPads* const pads_;
  Method* const method_;  // of work_
  FrameWork work_;
  FrameOutput output_;

  std::span<const JoinedInput> inputs_;
  bool stale_ = true;  // caps are to be decided on
  InstanceVector<const GstCaps*> all_caps_;

  // Of the set at hand.
  InstanceVector<GstBuffer*> buffers_;  // the set's
  InstanceVector<InputBuffer> work_inputs_;
  std::vector<GstBuffer*> outputs_;  // owned: src's, then one for each of data_
  std::vector<Extra> data_;
  Extra picture_{};  // of row 0, which is an input, where there is none
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_BASE_JOINED_WORK_H_
