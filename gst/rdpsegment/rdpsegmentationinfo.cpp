/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The plain types of the library as GObject knows them. They are registered so that bindings copy
 * them, instead of pointing into memory that may go away. */
#include <gst/rdpsegment/rdpsegmentation.h>
#include <gst/rdpsegment/rdpsegmentationparameters.h>

#include "gst/rdpsegment/private/owned_object.h"

using rdp::meta::copy_plain;

G_DEFINE_BOXED_TYPE(GstRdpSegment, gst_rdp_segment, copy_plain<GstRdpSegment>, g_free)

/**
 * gst_rdp_segmentation_info_init:
 * @info: what to fill
 *
 * Fills @info with the defaults of the element rdpsegment, for a frame of 0x0 pixels: set its size
 * before you use it.
 *
 * Since: 0.1
 */
void gst_rdp_segmentation_info_init(GstRdpSegmentationInfo* info) {
  g_return_if_fail(info != nullptr);

  rdp::meta::info_from_parameters(rdp::Parameters(), info);
}

/**
 * gst_rdp_segmentation_info_copy:
 * @info: what to copy
 *
 * Returns: (transfer full): a copy of @info; free it with gst_rdp_segmentation_info_free()
 *
 * Since: 0.1
 */
GstRdpSegmentationInfo* gst_rdp_segmentation_info_copy(const GstRdpSegmentationInfo* info) {
  g_return_val_if_fail(info != nullptr, nullptr);

  return copy_plain(info);
}

/**
 * gst_rdp_segmentation_info_free:
 * @info: (transfer full) (nullable): a copy made by gst_rdp_segmentation_info_copy()
 *
 * Frees @info.
 *
 * Since: 0.1
 */
void gst_rdp_segmentation_info_free(GstRdpSegmentationInfo* info) { g_free(info); }

G_DEFINE_BOXED_TYPE(GstRdpSegmentationInfo, gst_rdp_segmentation_info,
                    gst_rdp_segmentation_info_copy, gst_rdp_segmentation_info_free)
