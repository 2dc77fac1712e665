// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_METADATA_ATTACH_RESULTS_H_
#define RDP_GST_METADATA_ATTACH_RESULTS_H_

#include <gst/video/video.h>

#include <cstddef>
#include <span>
#include <utility>

namespace rdp::gst {

// Attaches results of one kind (rdpXkind.h) to a buffer: see attach_results().
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

  // Fills `meta`, which may have been another frame's, with the next result; empties it if none is
  // left.
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
  std::size_t next_ = 0;  // index of the first result without metadata
};

// Attaches the results of all frames in `buffer`, which is writable: one meta each, with its index
// in the span as batch index. Results describe the buffer's present picture, so the metadata's
// offset is the crop of a buffer cropped in place. References are added.
//
// Replaces results of an earlier element of this kind. Metadata locked by a pool cannot be removed:
// it is reused, and any surplus is emptied.
template <typename Kind>
void attach_results(GstBuffer* buffer, std::span<GstMiniObject* const> results) {
  ResultAttacher<Kind>::attach(buffer, results);
}

}  // namespace rdp::gst

#endif  // RDP_GST_METADATA_ATTACH_RESULTS_H_
