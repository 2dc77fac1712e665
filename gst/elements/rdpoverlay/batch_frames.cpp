// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/rdpoverlay/batch_frames.h"

#include <algorithm>

namespace rdp::gst {

void BatchFrames::look(GstBuffer* pictures, std::size_t picture_count, GstBuffer* frames,
                       std::size_t frame_count) {
  places_.assign(picture_count, kNone);
  if (picture_count == 1 && frame_count <= 1) {
    places_[0] = 0;
    return;
  }
  of_pictures_.resize(picture_count);
  of_frames_.resize(frame_count);
  const bool named =
      read_batch_sources(pictures, of_pictures_) && read_batch_sources(frames, of_frames_);
  for (std::size_t i = 0; i < picture_count; ++i) {
    if (!named) {
      if (i < frame_count) places_[i] = static_cast<guint>(i);
      continue;
    }
    const auto of_pad = [&](const BatchSource& source) {
      return source.pad == of_pictures_[i].pad;
    };
    auto before = std::count_if(of_pictures_.begin(),
                                of_pictures_.begin() + static_cast<std::ptrdiff_t>(i), of_pad);
    for (std::size_t j = 0; j < frame_count; ++j) {
      if (!of_pad(of_frames_[j]) || before-- > 0) continue;
      places_[i] = static_cast<guint>(j);
      break;
    }
  }
}

}  // namespace rdp::gst
