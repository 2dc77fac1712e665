// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_BASE_EXTRA_PADS_H_
#define RDP_GST_ELEMENTS_BASE_EXTRA_PADS_H_

#include <gst/gst.h>

#include <cstddef>
#include <utility>

#include "gst/elements/base/data_pad.h"
#include "gst/elements/base/extra_pad.h"
#include "gst/elements/base/picture_pad.h"
#include "gst/memory/instance_memory.h"

namespace rdp::gst {

// A reference to an extra pad, or to none.
class ExtraPadRef {
 public:
  ExtraPadRef() = default;
  explicit ExtraPadRef(GstRdpExtraPad* pad) : pad_(pad) {}  // (transfer full)
  ExtraPadRef(ExtraPadRef&& other) noexcept : pad_(std::exchange(other.pad_, nullptr)) {}
  ExtraPadRef& operator=(ExtraPadRef&& other) noexcept {
    std::swap(pad_, other.pad_);
    return *this;
  }
  ~ExtraPadRef() {
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

// The extra pads of an element, each in a place of its own. For elements with several inputs it
// also sends each pad the stream of the main input, with the pad's own caps. Any thread, except
// where said.
class ExtraPads : public InstanceMemory {
 public:
  // The element lives longer.
  ExtraPads(GstElement* element, std::size_t places) : element_(element), places_(places) {}
  ~ExtraPads();
  ExtraPads(const ExtraPads&) = delete;
  ExtraPads& operator=(const ExtraPads&) = delete;

  // For request_new_pad: makes a pad of the template's type and name, and adds it to the element, a
  // GstChildProxy. The pad is active before the streaming thread can see it. Both functions are
  // those of gst_rdp_extra_pad_set_functions (); `follow` is for gst_rdp_extra_pad_follow (), or
  // null. Null: the place is taken.
  GstPad* request(std::size_t place, GstPadTemplate* templ, GstPadEventFunction event,
                  GstPadQueryFunction query, GstPad* follow);
  // For release_pad. Returns the number of buffers that the pad has dropped.
  guint64 release(GstPad* pad);
  ExtraPadRef ref(std::size_t place) const;
  // The present pads, in the order of their places.
  guint count() const;
  ExtraPadRef ref_nth(guint index) const;
  // Ends waits inside the pads: for PAUSED to READY.
  void interrupt();

  // Forwards an event of the main input's stream; streaming thread, also below. STREAM_START,
  // SEGMENT and TAG are kept for pads requested later; GAP and EOS go to the present pads only.
  void push_event(GstEvent* event);
  // Sets the caps of the buffers for the pad in a place (of pictures: of their frames), also of a
  // pad requested later.
  void set_caps(std::size_t place, GstCaps* caps);
  // Before each frame: sends pads requested in mid-stream what they missed.
  void begin();
  // Call around each push to src.
  void set_main_pushing(bool pushing);
  // Between two streams.
  void forget_stream();

 private:
  struct Place {
    GstRdpExtraPad* pad = nullptr;  // under the object lock; the element keeps it
    GstCaps* caps = nullptr;        // streaming thread
  };

  bool add(std::size_t place, GstRdpExtraPad* pad);
  bool begin_pad(std::size_t place, GstRdpExtraPad* pad);

  GstElement* const element_;
  InstanceVector<Place> places_;
  // Streaming thread.
  GstEvent* stream_start_ = nullptr;
  GstEvent* segment_ = nullptr;
  GstEvent* tags_ = nullptr;
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_BASE_EXTRA_PADS_H_
