/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef __GST_RDP_PLANES_OWNER_H__
#define __GST_RDP_PLANES_OWNER_H__

#include <gst/rdpsegment/rdpplanes.h>

/* Private to the library and the plugin, not installed: how the plugin makes planes without copying
 * their arrays, and uses the memory of the objects again for later frames. The arrays stay with an
 * owner, which the library knows by three functions; rdpsegmentationowner.h is the same for
 * segments. */

G_BEGIN_DECLS

typedef struct _GstRdpPlanesArrays GstRdpPlanesArrays;
typedef struct _GstRdpPlanesOwnerClass GstRdpPlanesOwnerClass;

/* The arrays as gst_rdp_planes_new() describes them. Planes and corners are always on the host. */
struct _GstRdpPlanesArrays {
  const GstRdpPlane* planes;
  gsize n_planes;
  const GstRdpPlaneCorner* corners;
  gsize n_corners;
  const guint8* labels; /* null: elsewhere until they are read */
  gsize n_labels;
};

/* What an owner does. None of the functions may throw. */
struct _GstRdpPlanesOwnerClass {
  /* Brings labels that are elsewhere to the host: sets arrays->labels, memory of the owner's.
   * Called at most once for a frame, from whichever thread reads them first. FALSE: they cannot be
   * had, and *why says why, in memory that lives as long as the owner. */
  gboolean (*fetch)(gpointer owner, GstRdpPlanesArrays* arrays, const gchar** why);

  /* Nobody refers to the planes any more. Their memory, `blank`, belongs to the owner now: for
   * gst_rdp_planes_blank_fill(), or gst_rdp_planes_blank_free(). Null: the library frees it and
   * calls destroy(). */
  void (*recycle)(gpointer owner, GstRdpPlanes* blank);

  /* Of owners without recycle(): nobody needs the arrays any more. */
  void (*destroy)(gpointer owner);
};

/* Memory for planes, which are none yet: only the functions here may be called with it. Null where
 * there is no memory. */
GST_RDP_SEGMENT_API
GstRdpPlanes* gst_rdp_planes_blank_new(void);

/* Frees memory that is no planes, or no longer. Its owner is not called. */
GST_RDP_SEGMENT_API
void gst_rdp_planes_blank_free(GstRdpPlanes* blank);

/* Makes planes of the memory, with one reference. Nothing is checked. Allocates nothing. */
GST_RDP_SEGMENT_API
void gst_rdp_planes_blank_fill(GstRdpPlanes* blank, const GstRdpPlanesInfo* info,
                               const GstRdpPlanesArrays* arrays,
                               const GstRdpPlanesOwnerClass* owner_class, gpointer owner);

G_END_DECLS

#endif /* __GST_RDP_PLANES_OWNER_H__ */
