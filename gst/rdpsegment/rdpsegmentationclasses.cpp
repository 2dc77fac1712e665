/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The classes of segments. They follow from the segments and the info alone, so the host computes
 * them on the first request. */
#include <gst/rdpsegment/rdpsegmentationparameters.h>
#include <gst/rdpsegment/rdpsegmentationprivate.h>

#include "common/boundary.h"
#include "common/image/float_environment.h"
#include "common/rdp/ground.h"

static_assert(GST_RDP_SEGMENT_CLASS_GROUND == static_cast<int>(rdp::SegmentClass::kGround));
static_assert(GST_RDP_SEGMENT_CLASS_UPRIGHT == static_cast<int>(rdp::SegmentClass::kUpright));
static_assert(GST_RDP_SEGMENT_CLASS_FAR == static_cast<int>(rdp::SegmentClass::kFar));

/* Computes the classes once. False if the info has none, or if memory runs out. */
static bool classify(GstRdpSegmentation* self) {
  if (self->info.classify == FALSE) return false;
  if (self->classified.load(std::memory_order_acquire)) return true;
  const rdp::SegmentArrays list = rdp::meta::host_list(self);
  return rdp::contain(
      [&] {
        const std::lock_guard lock(self->arrays.mutex());
        if (self->classified.load(std::memory_order_relaxed)) return true;
        const rdp::ClassRules rules = rdp::class_rules(rdp::meta::parameters_from_info(self->info));
        /* One more, so that the array is not null for a frame without segments. */
        std::uint8_t* classes = self->classes.ensure(list.segment_count() + 1);
        const rdp::GroundPlane plane = rdp::meta::ground_plane_of(self->info);
        if (rdp::has_ground(plane)) {
          const auto width = static_cast<int>(self->info.width);
          self->ground = rdp::middle_line(plane, width);
          rdp::classify_segments(list, plane, rules, static_cast<int>(self->info.column_width),
                                 width, classes);
        } else {
          self->ground = rdp::find_ground(list, static_cast<int>(self->info.height), rules);
          rdp::classify_segments(list, self->ground, rules, classes);
        }
        self->classified.store(true, std::memory_order_release);
        return true;
      },
      [&](const char* reason) {
        GST_ERROR("no classes of frame %" G_GUINT64_FORMAT ": %s", self->info.frame, reason);
        return false;
      });
}

/**
 * gst_rdp_segmentation_get_ground:
 * @self: a #GstRdpSegmentation
 * @slope: (out) (optional): rise of the ground's values per row, in the unit of the info's epsilon
 * @horizon: (out) (optional): the row, inside or outside of the frame, in which they reach 0;
 *   infinite if the ground's slope was given and no segment has it
 *
 * The line that segments are compared with to find their classes, the same in all columns. A rolled
 * camera sees a ground plane as a different line in each column. If the info has a ground plane,
 * this is the line in the middle of the frame.
 *
 * Returns: %TRUE if segments have classes and there is a ground. Otherwise, or if there is no
 *   memory to find it, both are 0. Lost segments (see gst_rdp_segmentation_fetch()) have only the
 *   slope that was given
 *
 * Since: 0.2
 */
gboolean gst_rdp_segmentation_get_ground(GstRdpSegmentation* self, gdouble* slope,
                                         gdouble* horizon) {
  if (slope != nullptr) *slope = 0;
  if (horizon != nullptr) *horizon = 0;
  g_return_val_if_fail(GST_IS_RDP_SEGMENTATION(self), FALSE);

  if (!classify(self)) return FALSE;
  return rdp::with_standard_floats([&]() -> gboolean {
    if (!(self->ground.slope > 0)) return FALSE;
    if (slope != nullptr) *slope = self->ground.slope * self->info.sample_scale;
    if (horizon != nullptr) *horizon = self->ground.horizon;
    return TRUE;
  });
}

/**
 * gst_rdp_segmentation_peek_classes:
 * @self: a #GstRdpSegmentation
 * @n_classes: (out): number of classes: as many as segments, or 0
 *
 * The classes of all segments, in one array, without a copy.
 *
 * Returns: (array length=n_classes) (transfer none) (nullable): the #GstRdpSegmentClass of each
 *   segment, in the order of gst_rdp_segmentation_peek_segments(); it lives as long as @self. %NULL
 *   where segments have no classes, and where there is no memory for them
 *
 * Since: 0.2
 */
const guint8* gst_rdp_segmentation_peek_classes(GstRdpSegmentation* self, gsize* n_classes) {
  g_return_val_if_fail(n_classes != nullptr, nullptr);
  *n_classes = 0;
  g_return_val_if_fail(GST_IS_RDP_SEGMENTATION(self), nullptr);

  if (!classify(self)) return nullptr;
  *n_classes = rdp::meta::host_list(self).segment_count();
  return self->classes.data();
}

/**
 * gst_rdp_segmentation_get_classes:
 * @self: a #GstRdpSegmentation
 *
 * The array of gst_rdp_segmentation_peek_classes() as bytes, one for each segment.
 *
 * Returns: (transfer full) (nullable): the memory of @self itself, not a copy; holds a reference on
 *   @self. %NULL where segments have no classes, and where there is no memory for them
 *
 * Since: 0.2
 */
GBytes* gst_rdp_segmentation_get_classes(GstRdpSegmentation* self) {
  g_return_val_if_fail(GST_IS_RDP_SEGMENTATION(self), nullptr);

  if (!classify(self)) return nullptr;
  return rdp::meta::bytes_of(self, self->classes.data(),
                             rdp::meta::host_list(self).segment_count());
}
