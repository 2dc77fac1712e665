/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How segmentations begin and end: their memory, and whose their arrays are. */
#include <gst/rdpsegment/rdpsegmentationowner.h>
#include <gst/rdpsegment/rdpsegmentationprivate.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "common/image/depth_view.h"
#include "gst/rdpsegment/private/owned_object.h"

GST_DEFINE_MINI_OBJECT_TYPE(GstRdpSegmentation, gst_rdp_segmentation);

GstRdpSegmentation* gst_rdp_segmentation_blank_new(void) {
  return rdp::meta::new_blank<GstRdpSegmentation>();
}

void gst_rdp_segmentation_blank_free(GstRdpSegmentation* blank) { delete blank; }

void gst_rdp_segmentation_blank_fill(GstRdpSegmentation* blank, const GstRdpSegmentationInfo* info,
                                     const GstRdpSegmentationArrays* arrays,
                                     const GstRdpSegmentationOwnerClass* owner_class,
                                     gpointer owner) {
  g_return_if_fail(blank != nullptr && info != nullptr && arrays != nullptr);
  g_return_if_fail(owner_class != nullptr);
  const bool elsewhere = arrays->offsets == nullptr;
  g_return_if_fail(!elsewhere || owner_class->fetch != nullptr);
  g_return_if_fail(arrays->n_columns <= static_cast<guint>(rdp::kMaxSide));

  rdp::meta::begin_owned(blank, GST_TYPE_RDP_SEGMENTATION, owner_class, owner);
  blank->info = *info;
  blank->classified.store(false, std::memory_order_relaxed);
  blank->arrays.reset(*arrays, elsewhere);
}

/* The offsets of segments that are lost: as many zeros as a frame can have columns, and one. They
 * are there before they are needed, since whoever needs them may be out of memory. */
static guint32 no_offsets[rdp::kMaxSide + 1];

rdp::SegmentArrays rdp::meta::host_list(GstRdpSegmentation* self) noexcept {
  const GstRdpSegmentationArrays& arrays = self->arrays.get(
      [&](GstRdpSegmentationArrays* fetched, const char** why) {
        if (self->owner_class->fetch(self->owner, fetched, why) != FALSE) return true;
        /* Most readers have no way to be told, so what they read is valid and says nothing. */
        GST_ERROR("the segments of frame %" G_GUINT64_FORMAT
                  " are lost, all its columns are empty: %s",
                  self->info.frame, *why != nullptr ? *why : "no reason is known");
        return false;
      },
      [](const GstRdpSegmentationArrays& numbers) {
        return GstRdpSegmentationArrays{numbers.n_columns, 0, no_offsets, nullptr};
      });
  return {{arrays.offsets, std::size_t{arrays.n_columns} + 1},
          {reinterpret_cast<const Segment*>(arrays.segments), arrays.n_segments}};
}

/* The owner of segmentations that the library makes: a list of their own. */
static void destroy_list(gpointer owner) { delete static_cast<rdp::SegmentList*>(owner); }

static constexpr GstRdpSegmentationOwnerClass kListOwner = {nullptr, nullptr, destroy_list};

GstRdpSegmentation* rdp::meta::new_segmentation(const GstRdpSegmentationInfo& info,
                                                std::unique_ptr<SegmentList> list) {
  auto self = std::make_unique<GstRdpSegmentation>();
  const GstRdpSegmentationArrays arrays = {
      static_cast<guint>(list->columns()), list->segment_count(), list->offsets().data(),
      reinterpret_cast<const GstRdpSegment*>(list->segments().data())};
  gst_rdp_segmentation_blank_fill(self.get(), &info, &arrays, &kListOwner, list.release());
  return self.release();
}
