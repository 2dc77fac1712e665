// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_DEPTHSTEREO_STEREO_PADS_H_
#define RDP_GST_ELEMENTS_DEPTHSTEREO_STEREO_PADS_H_

#include <gst/gst.h>

#include <array>
#include <cstddef>
#include <utility>

#include "gst/elements/base/data_pad.h"
#include "gst/elements/base/extra_pad.h"
#include "gst/elements/base/picture_pad.h"
#include "gst/memory/instance_memory.h"

namespace rdp::gst {

// The source pads of depthstereo beside src.
enum class SidePad : std::size_t { kOverlay, kRectified, kConfidence };
inline constexpr std::size_t kSidePads = 3;

// A reference to one of them, or to none.
class SidePadRef {
 public:
  SidePadRef() = default;
  explicit SidePadRef(GstRdpExtraPad* pad) : pad_(pad) {}  // takes it
  SidePadRef(SidePadRef&& other) noexcept : pad_(std::exchange(other.pad_, nullptr)) {}
  SidePadRef& operator=(SidePadRef&& other) noexcept {
    std::swap(pad_, other.pad_);
    return *this;
  }
  ~SidePadRef() {
    if (pad_ != nullptr) gst_object_unref(pad_);
  }

  explicit operator bool() const { return pad_ != nullptr; }
  GstRdpExtraPad* get() const { return pad_; }
  GstRdpPicturePad* picture() const {
    return pad_ == nullptr ? nullptr : GST_RDP_PICTURE_PAD(pad_);
  }
  GstRdpDataPad* data() const { return GST_RDP_DATA_PAD(pad_); }

 private:
  GstRdpExtraPad* pad_ = nullptr;
};

// Which of these pads there are, and the stream that they are told: that of the main input, with
// caps of their own. Any thread, except where said.
class SidePads : public InstanceMemory {
 public:
  // The element lives longer.
  explicit SidePads(GstElement* element) : element_(element) {}
  ~SidePads() { forget_stream(); }
  SidePads(const SidePads&) = delete;
  SidePads& operator=(const SidePads&) = delete;

  // Takes a pad in that was made of one of the templates overlay, rectified and confidence. False:
  // there is one of this kind.
  bool add(GstRdpExtraPad* pad);
  // Forgets the pad. False: it is none of these.
  bool remove(GstPad* pad);
  SidePadRef ref(SidePad which) const;
  // By a number from 0, of those that there are; for GstChildProxy.
  SidePadRef ref_nth(guint index) const;
  guint count() const;
  // Frees who waits in them: for PAUSED to READY.
  void interrupt();

  // Streaming thread: what the main input's stream is told is told here. STREAM_START, SEGMENT and
  // TAG are kept for pads that come later, GAP and EOS are for those that are there.
  void push_event(GstEvent* event);
  // The caps of the frames, from which overlay has its pictures', and of the data.
  void set_caps(GstCaps* frames, GstCaps* data);
  // Before each pair: pads that were requested in mid-stream learn what they missed.
  void begin();
  // Between two streams.
  void forget_stream();

 private:
  GstCaps* caps_of(std::size_t which) const;
  bool begin_pad(std::size_t which, GstRdpExtraPad* pad);

  GstElement* const element_;
  std::array<GstRdpExtraPad*, kSidePads> pads_{};  // under the object lock; the element keeps them
  // Streaming thread.
  GstEvent* stream_start_ = nullptr;
  GstEvent* segment_ = nullptr;
  GstEvent* tags_ = nullptr;
  GstCaps* frames_ = nullptr;
  GstCaps* data_ = nullptr;
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_DEPTHSTEREO_STEREO_PADS_H_
