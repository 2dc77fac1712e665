// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/rdpoverlay/composition.h"

#include "gst/elements/base/host_picture.h"
#include "gst/memory/frame_layout.h"
#include "gst/memory/pool_negotiation.h"

namespace rdp::gst {

// Uses a pool of drawings, as downstream may still hold the last ones.
bool Composition::use_pool(int width, int height, std::string* reason) {
  if (pool_ != nullptr && width == GST_VIDEO_INFO_WIDTH(&info_) &&
      height == GST_VIDEO_INFO_HEIGHT(&info_)) {
    return true;
  }
  stop();
  gst_video_info_set_format(&info_, GST_VIDEO_FORMAT_BGRA, static_cast<guint>(width),
                            static_cast<guint>(height));
  pool_ = private_video_pool_new(info_);
  if (pool_ != nullptr) return true;
  *reason = format_text("there is no memory for a drawing of %dx%d pixels", width, height);
  stop();
  return false;
}

bool Composition::draw(int width, int height, const std::function<void(const RgbaView&)>& paint,
                       std::string* reason) {
  // Released before the next one, so that the pool can reuse its memory.
  g_clear_pointer(&composition_, gst_video_overlay_composition_unref);
  if (!use_pool(width, height, reason)) return false;
  g_autoptr(GstBuffer) pixels = nullptr;
  if (gst_buffer_pool_acquire_buffer(pool_, &pixels, nullptr) != GST_FLOW_OK) {
    *reason = format_text("there is no memory for a drawing of %dx%d pixels", width, height);
    return false;
  }
  {
    HostPicture drawing;
    if (!drawing.map(pixels, info_, reason, GST_MAP_WRITE)) return false;
    paint({drawing.plane(0), drawing.stride(0), width, height});
  }
  GstVideoOverlayRectangle* rectangle = gst_video_overlay_rectangle_new_raw(
      pixels, 0, 0, static_cast<guint>(width), static_cast<guint>(height),
      GST_VIDEO_OVERLAY_FORMAT_FLAG_NONE);
  composition_ = gst_video_overlay_composition_new(rectangle);
  gst_video_overlay_rectangle_unref(rectangle);
  return true;
}

bool Composition::blend(GstBuffer* picture, const GstVideoInfo& info, std::string* reason) const {
  HostPicture mapped;
  if (!mapped.map(picture, info, reason)) return false;
  const gboolean blended = gst_video_overlay_composition_blend(composition_, &mapped.frame());
  if (!blended) {
    *reason = format_text("libgstvideo does not blend into %s",
                          gst_video_format_to_string(GST_VIDEO_INFO_FORMAT(&info)));
  }
  return blended != FALSE;
}

void Composition::attach(GstBuffer* picture) const {
  GstVideoOverlayCompositionMeta* there = gst_buffer_get_video_overlay_composition_meta(picture);
  if (there == nullptr) {
    gst_buffer_add_video_overlay_composition_meta(picture, composition_);
    return;
  }
  // Adds the rectangles themselves: copies would count as new, and be painted again.
  const guint rectangles = gst_video_overlay_composition_n_rectangles(there->overlay);
  GstVideoOverlayComposition* both = nullptr;
  for (guint i = 0; i <= rectangles; ++i) {
    GstVideoOverlayRectangle* next =
        i < rectangles ? gst_video_overlay_composition_get_rectangle(there->overlay, i)
                       : gst_video_overlay_composition_get_rectangle(composition_, 0);
    if (both == nullptr) {
      both = gst_video_overlay_composition_new(next);
    } else {
      gst_video_overlay_composition_add_rectangle(both, next);
    }
  }
  gst_video_overlay_composition_unref(there->overlay);
  there->overlay = both;
}

void Composition::stop() {
  g_clear_pointer(&composition_, gst_video_overlay_composition_unref);
  if (pool_ == nullptr) return;
  gst_buffer_pool_set_active(pool_, FALSE);
  gst_clear_object(&pool_);
}

}  // namespace rdp::gst
