// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/klttrack/batch_cameras.h"

namespace rdp::gst {

// A linear search, for few cameras: a batch has up to some hundred frames.
std::size_t BatchCameras::find(std::uint32_t source) {
  for (std::size_t i = 0; i < cameras_.size(); ++i) {
    if (cameras_[i].source == source) return i;
  }
  cameras_.emplace_back().source = source;
  return cameras_.size() - 1;
}

void BatchCameras::drop_absent(GstClockTime now) {
  if (!GST_CLOCK_TIME_IS_VALID(now)) return;
  for (TrackedCamera& camera : cameras_) {
    if (!camera.is_gone && GST_CLOCK_TIME_IS_VALID(camera.last_seen) && camera.last_seen < now &&
        now - camera.last_seen > kPatience) {
      camera.let_go();
    }
  }
}

BatchCameras::Change BatchCameras::look(GstBuffer* buffer, std::size_t frames) {
  before_ = frames_.size();
  frames_.clear();
  sources_.resize(frames);
  const bool named = read_batch_sources(buffer, sources_);
  Change change = Change::kNone;
  if (before_ != 0 && named != named_) {
    change = Change::kOtherNames;
  } else if (before_ != 0 && !named && before_ != frames) {
    change = Change::kOtherNumber;
  }
  named_ = named;
  const GstClockTime now = GST_BUFFER_PTS(buffer);
  for (std::size_t place = 0; place < frames; ++place) {
    const auto number = named ? sources_[place].id : static_cast<std::uint32_t>(place);
    const std::size_t camera = find(number);
    std::size_t turn = 0;
    for (const Frame& other : frames_) turn += other.camera == camera ? 1U : 0U;
    const GstClockTime pts = named ? sources_[place].pts : now;
    frames_.push_back({camera, turn, GST_CLOCK_TIME_IS_VALID(pts) ? pts : now});
    cameras_[camera].is_gone = false;
    cameras_[camera].last_seen = now;
  }
  drop_absent(now);
  return change;
}

}  // namespace rdp::gst
