// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_PNGFOLDER_PICTURE_TIMES_H_
#define RDP_GST_ELEMENTS_PNGFOLDER_PICTURE_TIMES_H_

#include <gst/gst.h>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "gst/elements/base/frame_source.h"

namespace rdp::gst {

// When each picture of a stream is due: one after the other at a rate, or when their names say. The
// pictures may come again and again; frames are then counted on, and time goes on.
class PictureTimes {
 public:
  // `rate`: not still.
  void set_rate(std::size_t count, FrameRate rate, bool loop) {
    times_.clear();
    count_ = count;
    rate_ = rate;
    loop_ = loop;
  }
  // At these times, each after the one before it. The last picture is shown as long as the one
  // before it, one alone for `alone`.
  void set_times(std::vector<GstClockTime> times, GstClockTime alone, bool loop) {
    times_ = std::move(times);
    count_ = times_.size();
    loop_ = loop;
    last_duration_ = count_ > 1 ? times_[count_ - 1] - times_[count_ - 2] : alone;
    round_ = count_ > 0 ? times_.back() + last_duration_ - times_.front() : 0;
  }
  void clear() { set_rate(0, {1, 1}, false); }

  // True if there is a frame of that number.
  bool has(guint64 frame) const { return count_ > 0 && (loop_ || frame < count_); }
  std::size_t picture(guint64 frame) const { return static_cast<std::size_t>(frame % count_); }

  GstClockTime begin(guint64 frame) const {
    if (times_.empty()) return rate_.begin(frame);
    return times_[picture(frame)] + frame / count_ * round_;
  }
  GstClockTime end(guint64 frame) const {
    if (times_.empty()) return begin(frame + 1);
    return picture(frame) + 1 < count_ ? begin(frame + 1) : begin(frame) + last_duration_;
  }
  // The frame that is shown at `time`: the last one due by then, the first one before there is one.
  // The number behind the last one where all is over.
  guint64 frame_at(GstClockTime time) const {
    guint64 frame = 0;
    if (times_.empty()) {
      frame = rate_.frame_at(time);
    } else if (time >= times_.front()) {
      const guint64 rounds = loop_ ? (time - times_.front()) / round_ : 0;
      const auto later =
          std::upper_bound(times_.begin(), times_.end(), time - rounds * round_) - times_.begin();
      frame = rounds * count_ + static_cast<guint64>(later) - 1;
      if (!loop_ && time >= end(frame)) frame = count_;
    }
    return loop_ ? frame : std::min<guint64>(frame, count_);
  }
  std::size_t count() const { return count_; }
  // The duration of all frames, from 0 on; none if they go on for ever.
  GstClockTime duration() const {
    return loop_ ? GST_CLOCK_TIME_NONE : count_ == 0 ? 0 : end(count_ - 1);
  }

 private:
  std::size_t count_ = 0;
  bool loop_ = false;
  FrameRate rate_;
  std::vector<GstClockTime> times_;
  GstClockTime last_duration_ = 0;
  GstClockTime round_ = 0;  // from the first picture until the last one is over
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_PNGFOLDER_PICTURE_TIMES_H_
