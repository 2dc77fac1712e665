// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/rdpoverlay/batch_frames.h"

#include <algorithm>

namespace rdp::gst {

guint BatchFrames::find_slot(const OfPad& picture) {
  auto at = std::find(known_.begin(), known_.end(), picture);
  if (at == known_.end()) at = known_.insert(at, picture);
  return static_cast<guint>(at - known_.begin());
}

guint BatchFrames::find_place(const OfPad& picture) const {
  std::size_t turn = 0;
  for (std::size_t i = 0; i < of_frames_.size(); ++i) {
    if (of_frames_[i].pad == picture.pad && turn++ == picture.turn) return static_cast<guint>(i);
  }
  return kNone;
}

bool BatchFrames::look(GstBuffer* pictures, std::size_t picture_count, GstBuffer* frames) {
  places_.resize(picture_count);
  slots_.resize(picture_count);
  of_pictures_.resize(picture_count);
  of_frames_.resize(batch_sources_in(frames));
  const bool anew = known_.size() > kMaxKnown;
  if (anew) known_.clear();
  const bool has_pads = read_batch_sources(pictures, of_pictures_);
  const bool alone = picture_count == 1 && of_frames_.size() <= 1;
  const bool named =
      !alone && has_pads && !of_frames_.empty() && read_batch_sources(frames, of_frames_);
  for (std::size_t i = 0; i < picture_count; ++i) {
    places_[i] = slots_[i] = static_cast<guint>(i);
    if (!has_pads) continue;
    const auto end = of_pictures_.begin() + static_cast<std::ptrdiff_t>(i);
    const std::uint32_t pad = end->pad;
    const auto turn = std::count_if(of_pictures_.begin(), end,
                                    [&](const BatchSource& other) { return other.pad == pad; });
    const OfPad picture{pad, static_cast<std::size_t>(turn)};
    slots_[i] = find_slot(picture);
    if (named) places_[i] = find_place(picture);
  }
  return anew;
}

}  // namespace rdp::gst
