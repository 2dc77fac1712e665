// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_HEIGHTMAP_OVERLAY_LOOK_H_
#define RDP_COMMON_HEIGHTMAP_OVERLAY_LOOK_H_

#include <cstddef>
#include <vector>

#include "common/heightmap/ground_map.h"
#include "common/heightmap/overlay.h"
#include "common/heightmap/overlay_pixels.h"
#include "common/rdp/legend.h"
#include "common/rdp/painted_lines.h"
#include "common/rdp/painted_texts.h"

namespace rdp::heightmap {

// The content of a picture without its samples, computed on the host for both painters. Keeps its
// memory, and its results for a rig, between pictures. Throws std::bad_alloc, and stays usable.
class OverlayLook {
 public:
  // Prepares a picture of this size. The rig has no fault (check_rig()).
  void look(int width, int height, const OverlaySubject& subject, const OverlayOptions& options);

  const PixelRules& rules() const { return rules_; }
  const PaintedLines& lines() const { return lines_; }
  const PaintedTexts& texts() const { return texts_; }
  const Legend& legend() const { return legend_; }
  const PaletteRange& legend_range() const { return legend_range_; }

  // Bird's-eye view: the ground (no columns: nothing is shown), and the content of the picture's
  // columns and rows.
  const GroundGrid& ground() const { return map_.grid; }
  const std::vector<MapPlace>& columns() const { return columns_; }
  const std::vector<MapPlace>& rows() const { return rows_; }

 private:
  void begin(int width, int height, const OverlaySubject& subject, const OverlayOptions& options);
  void say_count(std::size_t heads, int width);
  void outline_on_picture(const OverlaySubject& subject);
  void outline_on_map(const Area& area);
  void cross(Spot at, int reach, Pixel ink, Pixel edge);
  void look_at_heads(const OverlaySubject& subject);
  void look_from_above(int width, int height, const OverlaySubject& subject);
  void number_map(int width);

  PixelRules rules_{};
  int zoom_ = 1;
  PaintedLines lines_;
  PaintedTexts texts_;
  Legend legend_;
  PaletteRange legend_range_;

  // From above.
  Rig rig_;  // seen_ belongs to it
  Parameters parameters_;
  Area seen_;
  GroundMap map_;
  std::vector<MapPlace> columns_;
  std::vector<MapPlace> rows_;
};

}  // namespace rdp::heightmap

#endif  // RDP_COMMON_HEIGHTMAP_OVERLAY_LOOK_H_
