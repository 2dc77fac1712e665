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

// Times of a stream's pictures: at a fixed rate, or from their names. If pictures loop, frame
// numbers and times keep growing.
class PictureTimes {
 public:
  // `rate`: not still.
  void set_rate(std::size_t count, FrameRate rate, bool loop) {
    times_.clear();
    count_ = count;
    rate_ = rate;
    loop_ = loop;
  }
  // `times` ascend strictly. The last picture lasts as long as the previous one, a single picture
  // `alone`.
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
  // The frame shown at `time`: the last one due by then, or the first one before any is due. After
  // the end, the number behind the last frame.
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
