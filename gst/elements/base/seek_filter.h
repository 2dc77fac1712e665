/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef RDP_GST_ELEMENTS_BASE_SEEK_FILTER_H_
#define RDP_GST_ELEMENTS_BASE_SEEK_FILTER_H_

#include <gst/gst.h>

#include <mutex>

#include "gst/memory/instance_memory.h"

namespace rdp::gst {

// Forwards a seek once. A pipeline sends the same seek to each of its sinks, so an element with
// several source pads gets it several times. The same event from the same pad again is a new seek:
// applications loop that way. Any thread.
class SeekFilter : public InstanceMemory {
 public:
  SeekFilter() : pads_(g_ptr_array_new()) {}
  ~SeekFilter() { g_ptr_array_unref(pads_); }
  SeekFilter(const SeekFilter&) = delete;
  SeekFilter& operator=(const SeekFilter&) = delete;

  // Handles a seek that came to `pad` (transfer full): hand_on (seek) sends it upstream, unless
  // that was done already. Returns whether upstream accepted it.
  template <typename HandOn>
  gboolean handle(GstPad* pad, GstEvent* seek, const HandOn& hand_on) {
    gboolean done = TRUE;
    if (passes(pad, seek)) {
      done = hand_on(gst_event_ref(seek));
      if (!done) failed(seek);  // another pad may try
    } else {
      GST_DEBUG_OBJECT(pad, "this seek is on its way already");
    }
    gst_event_unref(seek);
    return done;
  }
  // True if the seek that came to `pad` is to go upstream; false: it is on its way already.
  bool passes(GstPad* pad, GstEvent* seek) {
    const guint32 seqnum = gst_event_get_seqnum(seek);
    const std::lock_guard lock(mutex_);
    const bool known = seqnum == seqnum_;
    const bool again = g_ptr_array_find(pads_, pad, nullptr);
    if (!known || again) forget();
    g_ptr_array_add(pads_, pad);
    seqnum_ = seqnum;
    return !known || again;
  }
  // Call if upstream refused the seek: the next pad may try. Keeps a seek that came later.
  void failed(GstEvent* seek) {
    const std::lock_guard lock(mutex_);
    if (seqnum_ == gst_event_get_seqnum(seek)) forget();
  }
  // Call when a pad was released: another pad may get its address.
  void released(GstPad* pad) {
    const std::lock_guard lock(mutex_);
    g_ptr_array_remove(pads_, pad);
  }
  // Call between two streams.
  void reset() {
    const std::lock_guard lock(mutex_);
    forget();
  }

 private:
  void forget() {
    g_ptr_array_set_size(pads_, 0);
    seqnum_ = GST_SEQNUM_INVALID;
  }

  std::mutex mutex_;
  guint32 seqnum_ = GST_SEQNUM_INVALID;  // of the last seek that went upstream
  GPtrArray* pads_;                      // pads on which it arrived
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_BASE_SEEK_FILTER_H_
