// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_BASE_PAD_MEMORY_H_
#define RDP_GST_ELEMENTS_BASE_PAD_MEMORY_H_

#include <gst/video/video.h>

#include "gst/elements/base/extra_pad.h"
#include "gst/memory/memory_kind.h"
#include "gst/memory/pool_negotiation.h"

namespace rdp::gst {

// Chooses the memory of an extra pad's buffers (video in system, CUDA or NVMM memory) by what
// downstream accepts, and their pool. The choice is fixed when caps are negotiated. Subclasses of
// GstRdpExtraPad call these functions from their own.
class PadMemory {
 public:
  explicit PadMemory(GstRdpExtraPad* pad) : pad_(pad) {}
  ~PadMemory() { let_go(); }
  PadMemory(const PadMemory&) = delete;
  PadMemory& operator=(const PadMemory&) = delete;

  // Streaming thread: set where the element works. See picture_pad.h.
  void set_context(GstObject* context);
  void set_nvmm(guint gpu, bool for_host, bool preferred);

  // Implements choose_caps: the caps of `info` in the chosen memory. The pad's thread.
  GstCaps* choose_caps(const GstVideoInfo& info);
  // Implement decide_pool, negotiated and stopped, in their threads.
  GstBufferPool* decide_pool(GstQuery* query);
  void negotiated();
  void let_go();

  // The pool that buffers are acquired from. Streaming thread.
  const GstVideoInfo& info() const { return current_.info; }
  MemoryKind memory() const { return current_.memory; }

 private:
  // The location of memory other than the system's.
  struct Place {
    GstObject* context = nullptr;  // of CUDA memory; owned
    guint nvmm_gpu = 0;
    bool nvmm_for_host = false;
    bool nvmm_preferred = false;
  };
  // The outcome of a negotiation.
  struct Outcome {
    GstVideoInfo info{};
    MemoryKind memory = MemoryKind::kSystem;
  };

  static bool is_rgba(const GstVideoInfo& info) {
    return GST_VIDEO_INFO_FORMAT(&info) == GST_VIDEO_FORMAT_RGBA;
  }
  static bool can_have(MemoryKind memory, const GstVideoInfo& info, bool has_context);
  MemoryKind choose_memory(const GstVideoInfo& info) const;
  bool reads_rows_of(GstCaps* caps);
  PoolKind pool_kind(MemoryKind memory, Place* place) const;

  GstRdpExtraPad* pad_;

  // Under the pad's object lock.
  Place place_;                        // set by the element
  Outcome decided_;                    // by the pad's thread
  GstObject* pool_context_ = nullptr;  // of its pool, for CUDA memory; owned

  Outcome chosen_;   // described by the caps; the pad's thread
  Outcome current_;  // streaming thread
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_BASE_PAD_MEMORY_H_
