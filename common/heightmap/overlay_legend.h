// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_HEIGHTMAP_OVERLAY_LEGEND_H_
#define RDP_COMMON_HEIGHTMAP_OVERLAY_LEGEND_H_

#include "common/heightmap/overlay.h"
#include "common/image/rgba_view.h"
#include "common/rdp/legend.h"
#include "common/rdp/painted_texts.h"

namespace rdp::heightmap {

// The legend of a picture of this size (common/rdp/legend.h): the palette with heights in metres,
// and the other colours. Empty if the options exclude it or there is no room.
Legend heights_legend(int width, int height, const OverlayOptions& options, bool has_area);
// The range of heights of its palette, in mm.
PaletteRange heights_range(const Parameters& parameters);
// In the standard floating-point environment.
void paint_heights_legend(const Legend& legend, const PaletteRange& range, const RgbaView& picture);

}  // namespace rdp::heightmap

#endif  // RDP_COMMON_HEIGHTMAP_OVERLAY_LEGEND_H_
