/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef __GST_RDP_OWNER_H__
#define __GST_RDP_OWNER_H__

#include <gst/rdpsegment/prelude.h>

/* Private to the library and the plugin, not installed: how the plugin makes objects without
 * copying their arrays, and uses the memory of the objects again for later frames. The arrays stay
 * with an owner, which the library knows by three functions.
 *
 * The life of a result:
 *
 *   worker   asks a pool for a draft (gst/metadata/result_pool.h) and fills its arrays, or says
 *     |      that they are elsewhere, such as on a GPU (gst/metadata/remote.h)
 *   draft    finish(): blank_fill() makes an object of the memory; the draft's arrays are its owner
 *     |
 *   object   GstRdpPlanes and the like: immutable, shared by reference
 *     |      attach_results() (gst/metadata/attach_results.h) puts it on the frame's buffer
 *   meta     GstRdpPlanesMeta and the like: copied with the buffer, scaled, serialised
 *     |      (private/object_meta.h)
 *   reader   the first one of arrays that are elsewhere calls fetch(); who reads nothing costs
 *     |      nothing. What cannot be fetched is lost (private/lazy_arrays.h)
 *   end      the last reference calls recycle(): object, arrays and draft wait in the pool for the
 *            next frame
 */

G_BEGIN_DECLS

/* The functions of an owner. None of the functions throws: the plugin and the library each have a
 * C++ runtime of their own, so no exception and no object of C++'s library passes between them.
 * `arrays` is the structure of the object's arrays, GstRdpPlanesArrays and the like. */
typedef struct {
  /* Brings arrays that are elsewhere to the host. *arrays has their numbers, and gets the pointers;
   * the memory belongs to the owner. Called at most once for a frame, from whichever thread reads
   * them first. FALSE: they cannot be had, and *why says why, in memory that lives as long as the
   * owner. Null for owners whose arrays are always on the host. */
  gboolean (*fetch)(gpointer owner, gpointer arrays, const gchar** why) noexcept;

  /* Nobody refers to the object any more. Its memory, `blank`, belongs to the owner now: for
   * blank_fill(), or blank_free(). Null: the library frees it and calls destroy(). */
  void (*recycle)(gpointer owner, gpointer blank) noexcept;

  /* For owners without recycle(): nobody needs the arrays any more. */
  void (*destroy)(gpointer owner) noexcept;
} GstRdpOwnerClass;

G_END_DECLS

#endif /* __GST_RDP_OWNER_H__ */
