// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/bench/element_tracker.h"

#include <cstdio>
#include <cstdlib>

namespace rdp::bench {

ElementTracker::ElementTracker(const klt::Parameters& p) {
  gst_init(nullptr, nullptr);
  harness_ = gst_harness_new("klttrack");
  if (harness_ == nullptr) {
    std::fputs("there is no element klttrack: GST_PLUGIN_PATH names its folder\n", stderr);
    std::exit(2);
  }
  g_object_set(harness_->element, "threads", 1U, "levels", static_cast<guint>(p.levels),
               "pyramid-step", p.pyramid_step, "window", static_cast<guint>(p.window),
               "max-iterations", static_cast<guint>(p.max_iterations), "epsilon", p.epsilon,
               "light", static_cast<gint>(p.light), "min-eigenvalue", p.min_eigenvalue,
               "max-residual", p.max_residual, "check", p.check, "predict",
               p.predict ? TRUE : FALSE, "cell", static_cast<guint>(p.cell), "quality", p.quality,
               "max-features", static_cast<guint>(p.max_features), nullptr);
}

ElementTracker::~ElementTracker() {
  gst_clear_buffer(&out_);
  gst_harness_teardown(harness_);
}

std::span<const klt::Track> ElementTracker::track(const DepthView& picture) {
  GstVideoInfo info;
  gst_video_info_set_format(&info, GST_VIDEO_FORMAT_GRAY8, static_cast<guint>(picture.width),
                            static_cast<guint>(picture.height));
  if (picture.width != width_ || picture.height != height_) {
    gst_harness_set_src_caps(harness_, gst_video_info_to_caps(&info));
    width_ = picture.width;
    height_ = picture.height;
  }
  GstBuffer* buffer = gst_buffer_new_allocate(nullptr, GST_VIDEO_INFO_SIZE(&info), nullptr);
  for (int row = 0; row < picture.height; ++row) {
    gst_buffer_fill(
        buffer, static_cast<gsize>(row) * static_cast<gsize>(GST_VIDEO_INFO_PLANE_STRIDE(&info, 0)),
        picture.row(row), static_cast<gsize>(picture.width));
  }
  gst_clear_buffer(&out_);
  if (gst_harness_push(harness_, buffer) == GST_FLOW_OK) out_ = gst_harness_pull(harness_);
  GstRdpTracks* tracks = out_ != nullptr ? gst_rdp_buffer_get_tracks(out_) : nullptr;
  if (tracks == nullptr) {
    std::fputs("klttrack gives no tracks\n", stderr);
    std::exit(2);
  }
  gsize n = 0;
  const GstRdpTrack* found = gst_rdp_tracks_peek_tracks(tracks, &n);
  return {reinterpret_cast<const klt::Track*>(found), n};
}

}  // namespace rdp::bench
