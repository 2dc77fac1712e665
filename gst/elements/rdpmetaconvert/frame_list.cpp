// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/rdpmetaconvert/frame_list.h"

#include <algorithm>
#include <utility>

namespace rdp {
namespace {

std::array<const ConvertKind*, kMaxKinds> kinds = {&kSegmentsKind, &kPlanesKind,  &kTracksKind,
                                                   &kMotionKind,   &kHeightsKind, &kObstaclesKind};
std::size_t n_kinds = 6;

}  // namespace

std::span<const ConvertKind* const> convert_kinds() { return std::span(kinds).first(n_kinds); }

void add_convert_kind(const ConvertKind& kind) {
  g_return_if_fail(n_kinds < kMaxKinds);
  kinds[n_kinds++] = &kind;
}

FrameList::Result FrameList::read_kind(std::size_t kind, GstBuffer* buffer, const Wanted& wanted,
                                       GError** error) {
  const ConvertKind& row = *kinds[kind];
  const std::uint32_t bit = 1U << kind;
  gpointer state = nullptr;
  while (GstMeta* meta = gst_buffer_iterate_meta_filtered(buffer, &state, row.meta_api())) {
    GstMiniObject* object = row.object(*meta);
    if (object == nullptr) continue;
    // Lost metadata is an error: its frame would look empty.
    if (row.fetch != nullptr && !row.fetch(object, error)) {
      lost_ = row.things;
      return Result::kLost;
    }
    const guint index = row.batch_index(*meta);
    const auto same = std::ranges::find_if(frames_, [&](const ConvertedFrame& frame) {
      return frame.objects[kind] == nullptr && frame.batch_index == index;
    });
    if (row.fits != nullptr) {
      const ConvertedFrame none;
      if (!row.fits(same != frames_.end() ? *same : none, object, wanted.skip ? nullptr : error)) {
        if (wanted.skip) continue;
        unfit_ = &row;
        return Result::kUnfit;
      }
    }
    if (same != frames_.end()) {
      same->objects[kind] = object;
      continue;
    }
    // A frame counts once, even if an earlier kind of it was left out.
    const auto counted = std::ranges::find_if(left_out_, [&](const LeftOut& frame) {
      return (frame.kinds & bit) == 0 && frame.batch_index == index;
    });
    if (counted == left_out_.end()) ++found_;
    ConvertedFrame frame;
    frame.objects[kind] = object;
    frame.batch_index = index;
    g_autoptr(GError) reason = nullptr;
    if (wanted.metres && row.camera != nullptr && !row.camera(buffer, *meta, &frame, &reason)) {
      if (!wanted.skip) {
        if (reason != nullptr) g_propagate_error(error, std::exchange(reason, nullptr));
        return Result::kNoMetres;
      }
      if (counted == left_out_.end()) {
        left_out_.push_back({index, bit});
      } else {
        counted->kinds |= bit;
      }
      continue;
    }
    if (counted != left_out_.end()) left_out_.erase(counted);
    frames_.push_back(std::move(frame));
  }
  return Result::kOk;
}

FrameList::Result FrameList::take(GstBuffer* buffer, const Wanted& wanted, GError** error) {
  frames_.clear();
  left_out_.clear();
  found_ = 0;
  for (std::size_t kind = 0; kind < n_kinds; ++kind) {
    if ((wanted.kinds >> kind & 1) == 0) continue;
    const Result result = read_kind(kind, buffer, wanted, error);
    if (result != Result::kOk) return result;
  }
  if (frames_.empty()) return left_out_.empty() ? Result::kNothing : Result::kNoMetres;
  for (ConvertedFrame& frame : frames_) frame.of_batch = found_ > 1;
  return Result::kOk;
}

}  // namespace rdp
