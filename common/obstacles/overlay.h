// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_OBSTACLES_OVERLAY_H_
#define RDP_COMMON_OBSTACLES_OVERLAY_H_

#include <cstdint>
#include <memory>
#include <span>

#include "common/image/band_painter.h"
#include "common/image/camera.h"
#include "common/image/depth_view.h"
#include "common/image/rgba_view.h"
#include "common/obstacles/parameters.h"
#include "common/rdp/painted_lines.h"
#include "common/rdp/painted_texts.h"
#include "common/rdp/placed_segments.h"

// Overlays of obstacles. Positions of lines are computed in floating point and rounded once, to a
// pixel. The rest is integers and IEEE 754 operations in a written order, so that pictures are
// bit-identical everywhere.
namespace rdp::obstacles {

enum class OverlayStyle : std::uint8_t {
  kBoxes,     // samples in the colours of their classes; objects' boxes of pixels with their id,
              // distance and size
  kBirdsEye,  // the cells of the grid from above, a grid in metres, objects' rectangles, and arrows
              // to where they are after a second
  kScan,      // bird's-eye view, too: the free distance of each bearing, and its obstacle
};

struct OverlayOptions {
  OverlayStyle style = OverlayStyle::kBoxes;
  // Adds a legend of the colours: see common/rdp/legend.h.
  bool legend = false;
  // Bird's-eye views: metres ahead; 0: as far as the frame shows.
  double birdseye_range = 0.0;
};

// An object with its track, as GstRdpObstacle has it: metres and m/s, NaN where unknown.
struct ShownObject {
  std::uint32_t id = 0;
  std::uint32_t age = 0;
  float x = 0.0F, y = 0.0F;
  float length = 0.0F, width = 0.0F;
  float height = 0.0F;
  float yaw = 0.0F;
  float distance = 0.0F;
  float vx = 0.0F, vy = 0.0F;
  std::uint32_t samples = 0;
  std::uint32_t cells = 0;
  std::uint32_t flags = 0;
  std::uint16_t column = 0, row = 0;
  std::uint16_t columns = 0, rows = 0;
};

// Paints objects over an image: pixel boxes coloured by id, with "id 7 12.3 m" and "4.2x1.8x1.5 m"
// (length, width, height) if there is room. The first object gets its label first.
// Keeps its memory between images.
class ObjectMarks {
 public:
  // Prepares an image of this size, on which the frame lies at `placement`. Texts do not cover
  // `free`. Skips parts that are not finite or lie far outside. Throws std::bad_alloc.
  void look(std::span<const ShownObject> objects, const FramePlacement& placement, int width,
            int height, const Box& free = {});
  // Paints the objects in rows [first_row, end_row); other pixels stay unchanged. Different threads
  // may paint different rows.
  void paint(const RgbaView& picture, std::uint8_t alpha, PixelOrder order, int first_row,
             int end_row) const;

 private:
  PaintedLines lines_;
  PaintedTexts texts_;
};

// The painted content; it owns none of it.
struct OverlayScene {
  const MetricCamera* camera = nullptr;    // the frame's; null: there is no camera
  const Parameters* parameters = nullptr;  // that the obstacles were found with
  const Obstacles* found = nullptr;
  std::span<const ShownObject> objects;  // of `found`
};

// Paints pictures of obstacles. Allocates only when a frame needs more memory than any before it.
class OverlayPainter : public BandPainter {
 public:
  explicit OverlayPainter(unsigned threads = 0);  // as set_threads()
  ~OverlayPainter();

  // Paints `picture`, which has the size of `frame`. Pixels are opaque, but all four bytes
  // are 0 for unknown samples that nothing covers, or, in bird's-eye views, beyond the grid or the
  // range.
  // Writes every pixel and reads none. If it throws std::bad_alloc, it stays usable.
  void paint(const DepthView& frame, const OverlayScene& scene, const OverlayOptions& options,
             const RgbaView& picture);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace rdp::obstacles

#endif  // RDP_COMMON_OBSTACLES_OVERLAY_H_
