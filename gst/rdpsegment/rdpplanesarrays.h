/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef __GST_RDP_PLANES_ARRAYS_H__
#define __GST_RDP_PLANES_ARRAYS_H__

#include <gst/rdpsegment/rdpplanes.h>

/* Private: the arrays as gst_rdp_planes_new() describes them. Planes and corners are always on the
 * host. */
struct GstRdpPlanesArrays {
  const GstRdpPlane* planes;
  gsize n_planes;
  const GstRdpPlaneCorner* corners;
  gsize n_corners;
  const guint8* labels; /* null: on the GPU until the first read, or n_labels is 0 */
  gsize n_labels;

  bool elsewhere() const { return labels == nullptr && n_labels > 0; }
};

#endif /* __GST_RDP_PLANES_ARRAYS_H__ */
