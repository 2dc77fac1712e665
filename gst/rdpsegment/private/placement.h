/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef RDP_GST_RDPSEGMENT_PRIVATE_PLACEMENT_H_
#define RDP_GST_RDPSEGMENT_PRIVATE_PLACEMENT_H_

#include <gst/gst.h>

namespace rdp::meta {

/* The frame's place in the buffer's picture, for every kind of metadata with pixel coordinates.
 *
 * The picture is the one that the buffer's GstVideoMeta describes. Pixel edges map by X * scale +
 * offset. Pixel centres are whole numbers, so they map by (x + 1/2) * scale + offset - 1/2. A
 * GstVideoCropMeta selects the shown part of that picture. Elements may add or change it without
 * notice to other metadata, so a placement excludes the crop; readers subtract it. */
struct Placement {
  double scale_x = 1.0;
  double scale_y = 1.0;
  double offset_x = 0.0;
  double offset_y = 0.0;
};

/* The placement of a frame that fills what `buffer` shows at this moment: its offset is the crop.
 */
Placement placement_of_new(GstBuffer* buffer);

/* The same place, relative to the corner of what `buffer` shows at this moment. */
Placement without_crop(GstBuffer* buffer, Placement placement);

/* Updates the placement of metadata on `source` for a GstMetaTransformFunction called with `type`
 * and `data`. True: *placement is relative to the new buffer's picture. False: the metadata cannot
 * follow and is dropped. */
bool transform_placement(GstBuffer* source, GQuark type, gpointer data, Placement* placement);

/* The size of the serialised form: four little-endian doubles. The reader refuses infinity and NaN.
 */
inline constexpr gsize kPlacementSize = 4 * sizeof(gdouble);
void write_placement(const Placement& placement, guint8* out);
bool read_placement(const guint8* in, Placement* placement);

/* The same for a metadata structure with four fields of these names. */
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
