// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_BASE_FRAME_SOURCE_H_
#define RDP_GST_ELEMENTS_BASE_FRAME_SOURCE_H_

#include <gst/base/gstbasesrc.h>
#include <gst/video/video.h>

#include <string>

#include "gst/memory/pool_negotiation.h"

// Shared by sources: numbers and times of frames, caps and memory.
namespace rdp::gst {

// n/d frames a second; n is 0: a still picture.
class FrameRate {
 public:
  constexpr FrameRate() = default;
  constexpr FrameRate(int n, int d)
      : n_(static_cast<guint64>(n)), d_(static_cast<guint64>(d) * GST_SECOND) {}

  bool is_still() const { return n_ == 0; }
  // The time a frame is due, rounded down to nanoseconds.
  GstClockTime begin(guint64 frame) const {
    return is_still() ? 0 : gst_util_uint64_scale(frame, d_, n_);
  }
  // The frame that is shown at `time`: the last one due by then.
  guint64 frame_at(GstClockTime time) const {
    if (is_still()) return 0;
    const guint64 frame = gst_util_uint64_scale(time, n_, d_);
    // Times are rounded down, so the exact quotient may be just short of one. If frames share a
    // time, as at rates above 1 GHz, it is the first.
    const GstClockTime next = begin(frame + 1);
    return next <= time && next != begin(frame) ? frame + 1 : frame;
  }
  bool operator==(const FrameRate&) const = default;

 private:
  guint64 n_ = 0;
  guint64 d_ = GST_SECOND;  // and ns
};

// A source's position in its stream.
struct FramePosition {
  FrameRate rate;
  gint64 frame = 0;  // the next one since `base_time`; -1: backwards beyond the first one
  // Frames and time of earlier rates, so that neither jumps when the rate changes.
  gint64 base_frame = 0;
  GstClockTime base_time = 0;

  void set_rate(FrameRate next) {
    if (frame > 0) *this = {rate, 0, number(), begin()};
    rate = next;
  }
  gint64 number() const { return base_frame + frame; }
  GstClockTime begin() const { return base_time + rate.begin(static_cast<guint64>(frame)); }
  GstClockTime end() const {  // none of a still picture
    return rate.is_still() ? GST_CLOCK_TIME_NONE
                           : base_time + rate.begin(static_cast<guint64>(frame) + 1);
  }
};

// end: NONE if the frame's duration is unknown.
inline void stamp_frame(GstBuffer* buffer, gint64 number, GstClockTime begin, GstClockTime end) {
  GST_BUFFER_PTS(buffer) = begin;
  GST_BUFFER_DTS(buffer) = GST_CLOCK_TIME_NONE;
  GST_BUFFER_DURATION(buffer) = GST_CLOCK_TIME_IS_VALID(end) ? end - begin : GST_CLOCK_TIME_NONE;
  GST_BUFFER_OFFSET(buffer) = static_cast<guint64>(number);
  GST_BUFFER_OFFSET_END(buffer) = static_cast<guint64>(number) + 1;
}

// Finds the first frame of a segment by times.frame_at (). Backwards it is the last one that begins
// before the segment's end, or -1. False: there is none.
template <typename Times>
bool first_frame(GstBaseSrc* source, GstSegment* segment, const Times& times, gint64* frame) {
  if (segment->format != GST_FORMAT_TIME) return false;
  segment->time = segment->start;
  const GstClockTime position = segment->position;
  if (segment->rate >= 0.0) {
    *frame = static_cast<gint64>(times.frame_at(position));
  } else if (GST_CLOCK_TIME_IS_VALID(position)) {
    *frame = position == 0 ? -1 : static_cast<gint64>(times.frame_at(position - 1));
  } else {
    GST_WARNING_OBJECT(source, "an endless stream plays backwards only from a stop position");
    return false;
  }
  GST_DEBUG_OBJECT(source, "next frame %" G_GINT64_FORMAT, *frame);
  return true;
}

// Negotiates anew while the stream runs.
inline GstFlowReturn renegotiate(GstBaseSrc* source) {
  if (gst_base_src_negotiate(source)) return GST_FLOW_OK;
  const bool flushing = GST_PAD_IS_FLUSHING(GST_BASE_SRC_PAD(source));
  return flushing ? GST_FLOW_FLUSHING : GST_FLOW_NOT_NEGOTIATED;
}

// Implements decide_allocation () for frames in system memory.
inline gboolean decide_frames(GstBaseSrc* source, GstQuery* query) {
  std::string reason;
  GstBufferPool* pool = decide_pool(query, {}, &reason);
  if (pool == nullptr) {
    GST_ELEMENT_ERROR(source, RESOURCE, SETTINGS, ("Cannot allocate frames."),
                      ("%s", reason.c_str()));
    return FALSE;
  }
  gst_object_unref(pool);  // the query has it
  return TRUE;
}

// Maps a buffer to be filled. False, after an element error.
inline bool map_frame(GstBaseSrc* source, GstVideoFrame* frame, GstVideoInfo* info,
                      GstBuffer* buffer, GstMapFlags flags) {
  if (gst_video_frame_map(frame, info, buffer, flags)) return true;
  GST_ELEMENT_ERROR(source, RESOURCE, WRITE, ("Cannot write to a frame buffer."),
                    ("the pool gave a buffer of %" G_GSIZE_FORMAT
                     " bytes, the frame needs %" G_GSIZE_FORMAT " writable ones",
                     gst_buffer_get_size(buffer), GST_VIDEO_INFO_SIZE(info)));
  return false;
}

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_BASE_FRAME_SOURCE_H_
