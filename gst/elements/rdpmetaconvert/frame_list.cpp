// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/rdpmetaconvert/frame_list.h"

#include <algorithm>
#include <utility>

#include "common/rdp/points.h"
#include "gst/rdpsegment/rdpcamerametric.h"

namespace rdp {
namespace {

// Of a segmentation that is on the host.
SegmentArrays arrays_of(GstRdpSegmentation* segmentation) {
  gsize n_offsets = 0;
  gsize n_segments = 0;
  const guint32* offsets = gst_rdp_segmentation_peek_offsets(segmentation, &n_offsets);
  const GstRdpSegment* segments = gst_rdp_segmentation_peek_segments(segmentation, &n_segments);
  static_assert(sizeof(GstRdpSegment) == sizeof(Segment));
  return {{offsets, n_offsets}, {reinterpret_cast<const Segment*>(segments), n_segments}};
}

// False where no metres come of the frame.
bool add_camera(GstBuffer* buffer, const GstRdpSegmentMeta& meta, ConvertedFrame* frame,
                GError** error) {
  frame->camera.reset(gst_rdp_segment_meta_get_camera(buffer, &meta, error));
  return frame->camera != nullptr &&
         meta::metric_camera(frame->camera.get(), &frame->info(), &frame->metric, error);
}

}  // namespace

// What gst_rdp_segmentation_get_points() gives, in memory that is kept.
void FrameList::add_points() {
  std::size_t count = 0;
  for (const ConvertedFrame& frame : frames_) count += 6 * frame.segments.segment_count();
  float* out = points_.ensure(count);
  for (ConvertedFrame& frame : frames_) {
    if (frame.segmentation == nullptr) continue;
    frame.points = {out, 6 * frame.segments.segment_count()};
    write_points(frame.segments, static_cast<int>(frame.info().column_width),
                 static_cast<int>(frame.info().width), frame.metric, out);
    out += frame.points.size();
  }
}

bool FrameList::take_segments(GstBuffer* buffer, const Wanted& wanted, Result* result,
                              GError** error) {
  // Metadata that a pool has put on its buffers may have no segments.
  gpointer state = nullptr;
  while (GstMeta* meta =
             gst_buffer_iterate_meta_filtered(buffer, &state, GST_RDP_SEGMENT_META_API_TYPE)) {
    const auto& segments = *reinterpret_cast<const GstRdpSegmentMeta*>(meta);
    if (segments.segmentation == nullptr) continue;
    ++found_;
    // A frame without segments would look like an empty one.
    if (gst_rdp_segmentation_fetch(segments.segmentation, error) == FALSE) {
      *result = Result::kLost;
      return false;
    }
    ConvertedFrame frame;
    frame.segmentation = segments.segmentation;
    frame.segments = arrays_of(segments.segmentation);
    frame.batch_index = segments.batch_index;
    g_autoptr(GError) reason = nullptr;
    if (wanted.metres && !add_camera(buffer, segments, &frame, &reason)) {
      without_metres_ = true;
      if (wanted.skip) {
        left_out_.push_back(frame.batch_index);
        continue;
      }
      if (reason != nullptr) g_propagate_error(error, std::exchange(reason, nullptr));
      *result = Result::kNoMetres;
      return false;
    }
    frames_.push_back(std::move(frame));
  }
  return true;
}

bool FrameList::take_planes(GstBuffer* buffer, const Wanted& wanted, Result* result,
                            GError** error) {
  gpointer state = nullptr;
  while (GstMeta* meta =
             gst_buffer_iterate_meta_filtered(buffer, &state, GST_RDP_PLANES_META_API_TYPE)) {
    const auto& planes = *reinterpret_cast<const GstRdpPlanesMeta*>(meta);
    if (planes.planes == nullptr) continue;
    const auto same = std::find_if(frames_.begin(), frames_.end(), [&](const ConvertedFrame& f) {
      return f.planes == nullptr && f.batch_index == planes.batch_index;
    });
    if (same != frames_.end()) {
      same->planes = planes.planes;
      continue;
    }
    // The frame counts once, though only its planes are written.
    const auto counted = std::find(left_out_.begin(), left_out_.end(), planes.batch_index);
    if (counted != left_out_.end()) {
      left_out_.erase(counted);
    } else {
      ++found_;
    }
    ConvertedFrame frame;
    frame.planes = planes.planes;
    frame.batch_index = planes.batch_index;
    if (wanted.metres) {
      g_autoptr(GError) reason = nullptr;
      frame.camera.reset(gst_rdp_planes_meta_get_camera(buffer, &planes, &reason));
      if (reason != nullptr) {
        without_metres_ = true;
        if (wanted.skip) continue;
        g_propagate_error(error, std::exchange(reason, nullptr));
        *result = Result::kNoMetres;
        return false;
      }
    }
    frames_.push_back(std::move(frame));
  }
  return true;
}

FrameList::Result FrameList::take(GstBuffer* buffer, const Wanted& wanted, GError** error) {
  frames_.clear();
  found_ = 0;
  left_out_.clear();
  without_metres_ = false;
  Result result = Result::kOk;
  if (wanted.segments && !take_segments(buffer, wanted, &result, error)) return result;
  if (wanted.planes && !take_planes(buffer, wanted, &result, error)) return result;
  if (frames_.empty()) return without_metres_ ? Result::kNoMetres : Result::kNothing;
  for (ConvertedFrame& frame : frames_) frame.of_batch = found_ > 1;
  if (wanted.metres) add_points();
  return Result::kOk;
}

}  // namespace rdp
