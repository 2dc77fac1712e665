// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_BASE_FRAME_OUTPUT_H_
#define RDP_GST_ELEMENTS_BASE_FRAME_OUTPUT_H_

#include <gst/video/video.h>

#include <utility>

#include "gst/cuda/gpu_provider.h"
#include "gst/elements/base/frame_work.h"
#include "gst/memory/memory_kind.h"

namespace rdp::gst {

// Negotiates caps and provides buffers for the frames that an element makes for its main source
// pad. They are video in system or CUDA memory, or point clouds (application/x-points) in system
// memory. For elements of every base class: it sends the allocation query to the pad's peer, but
// the element sends the caps (an event, or gst_aggregator_set_src_caps()). Streaming thread only.
//
//   new caps of the inputs, or take_reconfigure():
//     output.negotiate (possible, input caps)
//     work.choose_backend (caps of the inputs and output.caps ())
//     send output.caps (); if output.leave_cuda_memory (): choose the backend and send once more
//     output.make_pool ()
//   each frame:
//     buffer = output.acquire (frame, &flow)   in OutputSource::acquire()
//
// GstAggregator clears core's RECONFIGURE flag and then calls the class' negotiate(), which must
// only call invalidate(). The base class' own pool is not used.
class FrameOutput {
 public:
  // All of them live longer. `pad` is a source pad.
  FrameOutput(GstElement* element, GstPad* pad, GpuProvider* gpu)
      : element_(element), pad_(pad), gpu_(gpu) {}
  ~FrameOutput() { stop(); }
  FrameOutput(const FrameOutput&) = delete;
  FrameOutput& operator=(const FrameOutput&) = delete;

  // Intersects `possible`, which has the element's preferred caps first, with downstream's, and
  // fixates the result. CUDA memory is for peers that ask for it by name: a peer with ANY caps gets
  // system memory, if possible. `input`: the caps of the input. False, after an element error that
  // names it: the intersection is empty, or neither video nor a point cloud (organised if the input
  // is video).
  bool negotiate(GstCaps* possible, const GstCaps* input);
  // Call after the caps were sent, because elements in between answer only then. Downstream that
  // takes CUDA memory without reading GstVideoMeta, such as a file behind a tee, would misread the
  // rows. Then switches to system memory, if downstream takes that, too. True if the caps changed.
  bool leave_cuda_memory();
  // True if a link changed or invalidate() was called since the last call: negotiate again.
  bool take_reconfigure() {
    const bool relinked = gst_pad_check_reconfigure(pad_) != FALSE;
    return std::exchange(stale_, false) || relinked;
  }
  void invalidate() { stale_ = true; }

  // Results of the last negotiate(); caps() is (transfer none), null before.
  GstCaps* caps() const { return caps_; }
  const GstVideoInfo& info() const { return info_; }  // of video
  MemoryKind memory() const { return memory_; }

  // Wants page-locked system memory, for the GPU to write to. A change makes a new pool with the
  // next buffer. No effect if downstream names an allocator.
  void set_page_locked(bool page_locked);

  // Asks downstream for a pool for the caps, and activates it. In CUDA memory the pool is in
  // GpuProvider::context(), which must exist. False, after an element error.
  bool make_pool();
  // Returns a buffer to be written, with the time and the metas of `frame` (buffer_metas.h). Makes
  // another pool first if the context has changed. Null, with *flow.
  GstBuffer* acquire(GstBuffer* frame, GstFlowReturn* flow);
  // The buffer for FrameWork.
  FrameBuffer describe(GstBuffer* buffer) const {
    return {buffer, &info_, memory_, nullptr, !is_cloud_};
  }

  // Releases the pool and the context. Any thread, while no data flows.
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
  GstCaps* system_caps_ = nullptr;  // alternative to the caps in CUDA memory
  GstVideoInfo info_{};
  bool is_cloud_ = false;
  guint cloud_size_ = 0;  // least bytes of the pool's buffers; 0: unknown
  gsize cloud_step_ = 0;  // bytes of a point
  gsize input_step_ = 0;  // bytes of a point in input clouds; 0: the inputs are frames
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
