/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef __GST_RDP_OWNER_H__
#define __GST_RDP_OWNER_H__

#include <gst/rdpsegment/prelude.h>

/* Private to the library and the plugin, not installed. The plugin makes objects without copying
 * their arrays, and reuses the memory of the objects for later frames. The arrays stay with an
 * owner, which the library knows by three functions.
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

/* The functions of an owner. None of them throws: plugin and library each have their own C++
 * runtime. No exception and no object of C++'s library may pass between them. `arrays` is the
 * structure of the object's arrays, GstRdpPlanesArrays and the like. */
typedef struct {
  /* Fetches arrays that are elsewhere to the host. *arrays has their counts and gets the pointers;
   * the memory belongs to the owner. Called at most once per frame, from the first thread that
   * reads them. FALSE: the arrays are lost; *why is the reason, in memory that lives as long as the
   * owner. Null for owners whose arrays are always on the host. */
  gboolean (*fetch)(gpointer owner, gpointer arrays, const gchar** why) noexcept;

  /* Called after the last reference is gone. The object's memory, `blank`, now belongs to the
   * owner, who passes it to blank_fill() or blank_free(). Null: the library frees it and calls
   * destroy(). */
  void (*recycle)(gpointer owner, gpointer blank) noexcept;

  /* For owners without recycle(): releases the arrays. */
  void (*destroy)(gpointer owner) noexcept;
} GstRdpOwnerClass;

G_END_DECLS

#endif /* __GST_RDP_OWNER_H__ */
