// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/heightmap/view_batch.h"

#include <algorithm>
#include <limits>

#include "gst/memory/frame_layout.h"
#include "gst/memory/nvmm_memory.h"

namespace rdp::gst {
namespace {

constexpr std::size_t kNowhere = std::numeric_limits<std::size_t>::max();

}  // namespace

// Finds the spread of the views' times. `named`: DeepStream's metadata has them.
void ViewBatch::find_spread(bool named) {
  spread_ = 0;
  earliest_ = latest_ = 0;
  if (!named) return;
  const auto time = [this](std::size_t view) { return sources_[places_[view]].pts; };
  for (std::size_t view = 0; view < places_.size(); ++view) {
    if (!GST_CLOCK_TIME_IS_VALID(time(view))) return;  // they say nothing of each other
  }
  for (std::size_t view = 1; view < places_.size(); ++view) {
    if (time(view) < time(earliest_)) earliest_ = view;
    if (time(view) > time(latest_)) latest_ = view;
  }
  spread_ = time(latest_) - time(earliest_);
}

ViewBatch::Verdict ViewBatch::look(GstBuffer* buffer, std::size_t views, std::string* reason) {
  const std::size_t filled = nvmm_batch_size(buffer).filled;
  sources_.resize(filled == 0 ? views : filled);
  places_.assign(views, kNowhere);
  const bool named = filled > 0 && read_batch_sources(buffer, sources_);
  for (std::size_t place = 0; place < sources_.size(); ++place) {
    const std::size_t view = named ? sources_[place].pad : place;
    if (view >= views) {
      *reason =
          named
              ? format_text("a batch has a frame of the multiplexer's pad sink_%" G_GSIZE_FORMAT
                            ", and there are %" G_GSIZE_FORMAT
                            " views, expected pads from sink_0 to sink_%" G_GSIZE_FORMAT
                            ": a pad's number is its view's place in the calibration",
                            view, views, views - 1)
              : format_text("a batch has %" G_GSIZE_FORMAT " frames, and there are %" G_GSIZE_FORMAT
                            " views, expected one frame of each: set batch-size=%" G_GSIZE_FORMAT
                            " where the element before has it, or name a calibration with "
                            "the views of all",
                            sources_.size(), views, views);
      return Verdict::kWrong;
    }
    if (places_[view] == kNowhere) places_[view] = place;  // of several, the first
  }
  const auto none = std::find(places_.begin(), places_.end(), kNowhere);
  missing_ = static_cast<std::size_t>(none - places_.begin());
  if (none != places_.end() || sources_.size() != views) return Verdict::kIncomplete;
  find_spread(named);
  return Verdict::kComplete;
}

}  // namespace rdp::gst
