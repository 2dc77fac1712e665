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
