// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_BASE_FRAME_OUTPUT_H_
#define RDP_GST_ELEMENTS_BASE_FRAME_OUTPUT_H_

#include <gst/video/video.h>

#include <utility>

#include "gst/cuda/gpu_provider.h"
#include "gst/elements/base/frame_work.h"
#include "gst/memory/memory_kind.h"

namespace rdp::gst {

// Frames that an element makes for its main source pad, in system or CUDA memory, or clouds of
// frames or of other clouds (application/x-points in system memory): which caps downstream takes,
// and the pool. For elements of every base class: it sends the allocation query to the pad's peer,
// and leaves it to the element to send the caps (an event, or gst_aggregator_set_src_caps()).
// Streaming thread only.
//
//   new caps of the inputs, or take_reconfigure():
//     output.negotiate (possible, input caps)
//     work.choose_backend (caps of the inputs and output.caps ())
//     send output.caps (); if output.leave_cuda_memory (): choose the backend and send once more
//     output.make_pool ()
//   each frame:
//     buffer = output.acquire (frame, &flow)   in OutputSource::acquire(), or before run()
//
// GstAggregator takes core's RECONFIGURE flag for itself, and asks the class' negotiate() then: an
// element on it has one that calls invalidate() and nothing else. The base class' own pool is not
// used.
class FrameOutput {
 public:
  // All of them live longer. `pad` is a source pad.
  FrameOutput(GstElement* element, GstPad* pad, GpuProvider* gpu)
      : element_(element), pad_(pad), gpu_(gpu) {}
  ~FrameOutput() { stop(); }
  FrameOutput(const FrameOutput&) = delete;
  FrameOutput& operator=(const FrameOutput&) = delete;

  // Takes of `possible`, which is in the order of what the element likes best, what downstream
  // takes, too, and fixates it. CUDA memory is for whoever asks for it by name: what takes anything
  // gets system memory, if that is possible. False, after an element error that names `input`:
  // there is nothing that both sides take, or it is neither video nor a cloud, which has rows if
  // the input is video.
  bool negotiate(GstCaps* possible, const GstCaps* input);
  // After the caps have been sent, which elements in between wait for: whether they are others now.
  // Somebody downstream takes CUDA memory without reading GstVideoMeta, such as a file behind a
  // tee, and would not find the rows: such frames are in system memory, where that is taken, too.
  bool leave_cuda_memory();
  // Takes what was noted since: whether something else was linked, so that it is to be negotiated
  // again.
  bool take_reconfigure() {
    const bool relinked = gst_pad_check_reconfigure(pad_) != FALSE;
    return std::exchange(stale_, false) || relinked;
  }
  void invalidate() { stale_ = true; }

  // Results of the last negotiate(); caps() is (transfer none), null before.
  GstCaps* caps() const { return caps_; }
  const GstVideoInfo& info() const { return info_; }  // of video
  MemoryKind memory() const { return memory_; }

  // System memory that the GPU writes to should be page-locked. A new pool is made with the next
  // buffer where this changes. Of no effect where downstream names an allocator.
  void set_page_locked(bool page_locked);

  // Asks downstream for a pool for the caps, and activates it. In CUDA memory it is one in
  // GpuProvider::context(), which must be there. False, after an element error.
  bool make_pool();
  // A frame to be written, with the time and the metas of `frame` (buffer_metas.h). Makes
  // another pool first where the context is another one. Null, with *flow.
  GstBuffer* acquire(GstBuffer* frame, GstFlowReturn* flow);
  // The buffer for FrameWork.
  OutputBuffer describe(GstBuffer* buffer) const { return {buffer, &info_, memory_, !is_cloud_}; }

  // Lets the pool and the context go. Any thread, while no data flows.
  void stop();

 private:
  bool read_caps();
  bool make_room(GstBuffer* cloud);
  void set_pool(GstBufferPool* pool);
  bool pool_is_stale() const;
  void post_no_memory(const char* reason);

  GstElement* element_;
  GstPad* pad_;
  GpuProvider* gpu_;
  GstCaps* caps_ = nullptr;
  GstCaps* system_caps_ = nullptr;  // beside those of CUDA memory
  GstVideoInfo info_{};
  bool is_cloud_ = false;
  guint cloud_size_ = 0;  // bytes that buffers of the pool have at least; 0: not known yet
  gsize cloud_step_ = 0;  // bytes of a point
  gsize input_step_ = 0;  // of clouds that clouds are made of; 0: they are made of frames
  GstVideoInfo cloud_shape_{};
  MemoryKind memory_ = MemoryKind::kSystem;
  bool stale_ = false;
  bool page_locked_ = false;
  GstBufferPool* pool_ = nullptr;
  GstObject* pool_context_ = nullptr;  // of a pool in CUDA memory, with a reference
  bool pool_page_locked_ = false;
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_BASE_FRAME_OUTPUT_H_
