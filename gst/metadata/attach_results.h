// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_METADATA_ATTACH_RESULTS_H_
#define RDP_GST_METADATA_ATTACH_RESULTS_H_

#include <gst/video/video.h>

#include <cstddef>
#include <span>
#include <utility>

namespace rdp::gst {

// Puts results of one kind (rdpXkind.h) on a buffer: see attach_results().
template <typename Kind>
class ResultAttacher {
  using Meta = typename Kind::Meta;
  using Object = typename Kind::Object;

 public:
  static void attach(GstBuffer* buffer, std::span<GstMiniObject* const> objects) {
    const GstVideoCropMeta* crop = gst_buffer_get_video_crop_meta(buffer);
    ResultAttacher attacher{objects, crop != nullptr ? static_cast<double>(crop->x) : 0.0,
                            crop != nullptr ? static_cast<double>(crop->y) : 0.0};
    gst_buffer_foreach_meta(buffer, replace, &attacher);
    while (attacher.next_ < objects.size()) {
      attacher.fill(
          reinterpret_cast<Meta*>(gst_buffer_add_meta(buffer, Kind::meta_info(), nullptr)));
    }
  }

 private:
  ResultAttacher(std::span<GstMiniObject* const> objects, double offset_x, double offset_y)
      : objects_(objects), offset_x_(offset_x), offset_y_(offset_y) {}

  // Makes `meta`, which may have been another frame's, that of the next one; empties it where there
  // is none.
  void fill(Meta* meta) {
    Object* old = std::exchange(meta->*Kind::kObject, nullptr);
    meta->scale_x = meta->scale_y = 1.0;
    meta->offset_x = offset_x_;
    meta->offset_y = offset_y_;
    meta->batch_index = 0;
    if (next_ < objects_.size()) {
      // An object starts with its mini object.
      meta->*Kind::kObject = reinterpret_cast<Object*>(gst_mini_object_ref(objects_[next_]));
      meta->batch_index = static_cast<guint>(next_);
      ++next_;
    }
    if (old != nullptr) gst_mini_object_unref(GST_MINI_OBJECT_CAST(old));
  }

  static gboolean replace(GstBuffer*, GstMeta** meta, gpointer user_data) {
    if ((*meta)->info->api != Kind::meta_api()) return TRUE;
    if (GST_META_FLAG_IS_SET(*meta, GST_META_FLAG_LOCKED)) {
      static_cast<ResultAttacher*>(user_data)->fill(reinterpret_cast<Meta*>(*meta));
    } else {
      *meta = nullptr;  // removes it
    }
    return TRUE;
  }

  std::span<GstMiniObject* const> objects_;
  double offset_x_;  // the crop's
  double offset_y_;
  std::size_t next_ = 0;  // that has no metadata yet
};

// Puts the results of all frames in `buffer`, which is writable, on it: one metadata each, with its
// place in the span as batch index. They are of what the buffer shows at this moment, so that of a
// buffer that came cropped in place the metadata's offset is the crop. References are taken.
//
// Those of an element of the kind before this one are replaced. A pool may have locked the metadata
// it put on its buffers, which cannot be removed then: it is used again, and what is too many is
// emptied.
template <typename Kind>
void attach_results(GstBuffer* buffer, std::span<GstMiniObject* const> results) {
  ResultAttacher<Kind>::attach(buffer, results);
}

}  // namespace rdp::gst

#endif  // RDP_GST_METADATA_ATTACH_RESULTS_H_
