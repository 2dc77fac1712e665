// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_BASE_JOINED_WORK_H_
#define RDP_GST_ELEMENTS_BASE_JOINED_WORK_H_

#include <atomic>
#include <memory>
#include <vector>

#include "gst/elements/base/frame_output.h"
#include "gst/elements/base/frame_work.h"
#include "gst/elements/base/gstrdpjoiner.h"

namespace rdp::gst {

// The verdict on a set of buffers.
enum class SetVerdict {
  kTaken,
  kIncomplete,        // a batch among them lacks frames: dropped
  kTimesTooFarApart,  // the frames of a batch are too far apart: dropped
  kRefused,           // after an element error
};

// The method of an element on GstRdpJoiner that works on frames and sends frames of its own.
//
// Its inputs are the main one, and all others that have a buffer in the set and are not metadata.
// Its outputs are src's and those of the data pads. Both are in the order of the table.
class JoinedMethod : public Method {
 public:
  // From READY to PAUSED. False, after an element error. May throw.
  virtual bool start() { return true; }
  // Returns the caps that src can have for the inputs' known caps, the best first (transfer full).
  // Null, after an element error. May throw. `cuda`: memory:CUDAMemory is usable; `cuda_first`: the
  // main input is on a GPU, or will be copied there.
  virtual GstCaps* possible_caps(std::span<const JoinedInput> inputs, bool cuda,
                                 bool cuda_first) = 0;
  // Returns the caps of the data pad of a row, in system memory (transfer full), after
  // possible_caps(). Null: nothing is sent there. May throw.
  virtual GstCaps* data_caps(const JoinerPadRow& /*row*/) { return nullptr; }
  // Returns the camera of the main input's frames, for methods that measure; null: none is looked
  // for. The method calls set_frames() in possible_caps(), and look() where its plan() needs it.
  virtual CameraSource* camera() { return nullptr; }
  // Called first for each set of buffers. Sets *renegotiate if the output needs other caps than
  // possible_caps() returned. `inputs`: as there. May throw.
  virtual SetVerdict meet(std::span<const JoinedInput> /*inputs*/, Pairing& /*set*/,
                          bool* /*renegotiate*/) {
    return SetVerdict::kTaken;
  }
  // Called after meet(), for a set of buffers whose caps possible_caps() has seen. May throw
  // std::bad_alloc.
  virtual SetVerdict begin_set(Pairing& /*set*/) { return SetVerdict::kTaken; }
  // Called after each look at the inputs' buffers, with those dropped.
  virtual void look_at(const PairingMisses&) {}
  // Called at the end of the stream.
  virtual void end() {}
};

// Turns sets of buffers into such an element's output: caps and memory of the output, the work, the
// extra pads. Streaming thread only, except start() and flush(); allocates nothing for a set.
class JoinedWork final : public JoinerStream, private OutputSource {
 public:
  // Throws std::bad_alloc.
  JoinedWork(GstRdpJoiner* joiner, std::unique_ptr<JoinedMethod> method);
  ~JoinedWork() override;

  bool start() override { return method_->start(); }
  void set_inputs(std::span<const JoinedInput> inputs) override;
  bool accept_caps(std::size_t input) override;
  void renegotiate() override { stale_ = true; }
  void flush() override { flushed_ = true; }
  GstFlowReturn work(Pairing& set, GstBuffer** made, GstFlowReturn* extra) override;
  void look_at(const PairingMisses& misses) override { method_->look_at(misses); }
  void end() override { method_->end(); }

 private:
  // An extra pad with its buffer's result.
  struct Extra {
    std::size_t row;
    ExtraPadRef pad;
    GstFlowReturn flow = GST_FLOW_NOT_LINKED;
  };

  GstFlowReturn acquire(Frame* frame) override;
  void acquire_data(std::size_t which, Frame* frame);
  bool negotiate(const Pairing& set);
  GstFlowReturn get_ready(Pairing& set, SetVerdict* verdict);
  void collect_buffers(const Pairing& set, Frame* frame);
  GstFlowReturn run(bool alone, Frame* frame);
  GstFlowReturn push_extra(Frame* frame);
  void drop_buffers();

  GstRdpJoiner* const joiner_;
  GpuProvider* const gpu_;
  ExtraPads* const pads_;
  JoinedMethod* const method_;  // of work_
  FrameWork work_;
  FrameOutput output_;

  std::span<const JoinedInput> inputs_;
  bool stale_ = true;  // caps must be negotiated
  std::atomic<bool> flushed_ = false;
  InstanceVector<const GstCaps*> all_caps_;

  // For the set at hand.
  std::vector<GstBuffer*> outputs_;  // owned: src's, then one for each of data_
  std::vector<Extra> data_;
  Extra picture_{};  // row 0, which is an input, if there is no picture
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_BASE_JOINED_WORK_H_
