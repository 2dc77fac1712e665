/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef RDP_GST_RDPSEGMENT_PRIVATE_PLACEMENT_H_
#define RDP_GST_RDPSEGMENT_PRIVATE_PLACEMENT_H_

#include <gst/gst.h>

namespace rdp::meta {

/* The frame's place in the buffer's picture, for every kind of metadata that speaks of pixels.
 *
 * The picture is the one that the buffer's GstVideoMeta describes. The edges of pixels map by
 * X * scale + offset; so their centres, which have whole numbers, by (x + 1/2) * scale + offset -
 * 1/2. A GstVideoCropMeta says which part of that picture is shown, and may be put on a buffer or
 * changed without the metadata being told: it is no part of a placement, and is subtracted when one
 * is read. */
struct Placement {
  double scale_x = 1.0;
  double scale_y = 1.0;
  double offset_x = 0.0;
  double offset_y = 0.0;
};

/* The placement of a frame that is all that `buffer` shows at this moment. Pixels count from there:
 * its offset is the crop. */
Placement placement_of_new(GstBuffer* buffer);

/* The same place, counted from the corner of what `buffer` shows at this moment. */
Placement without_crop(GstBuffer* buffer, Placement placement);

/* Moves metadata with this placement on `source` when a GstMetaTransformFunction is called with
 * `type` and `data`. True: *placement is that in the new buffer's picture. False: the metadata
 * cannot follow and is dropped. */
bool transform_placement(GstBuffer* source, GQuark type, gpointer data, Placement* placement);

/* Serialised: four doubles, little endian. Reading refuses what is not finite. */
inline constexpr gsize kPlacementSize = 4 * sizeof(gdouble);
void write_placement(const Placement& placement, guint8* out);
bool read_placement(const guint8* in, Placement* placement);

/* The same of a metadata structure that has the four fields of these names. */
template <typename Meta>
Placement placement_of(const Meta& meta) {
  return {meta.scale_x, meta.scale_y, meta.offset_x, meta.offset_y};
}
template <typename Meta>
void set_placement(Meta* meta, const Placement& placement) {
  meta->scale_x = placement.scale_x;
  meta->scale_y = placement.scale_y;
  meta->offset_x = placement.offset_x;
  meta->offset_y = placement.offset_y;
}

}  // namespace rdp::meta

#endif /* RDP_GST_RDPSEGMENT_PRIVATE_PLACEMENT_H_ */
