/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef __GST_RDP_OBSTACLES_ARRAYS_H__
#define __GST_RDP_OBSTACLES_ARRAYS_H__

#include <gst/rdpsegment/rdpobstacles.h>

/* Private: the arrays as gst_rdp_obstacles_new() describes them. They are always on the host. */
struct GstRdpObstaclesArrays {
  const GstRdpObstacle* objects;
  gsize n_objects;
  const guint32* lost;
  gsize n_lost;
  const guint32* hidden;
  gsize n_hidden;
  const gfloat* ranges;
  const gfloat* free;
  gsize n_bins; /* of ranges and free */
  const guint8* states;
  const guint16* tops;
  gsize n_cells; /* of states and tops */

  static bool elsewhere() { return false; }
};

#endif /* __GST_RDP_OBSTACLES_ARRAYS_H__ */
