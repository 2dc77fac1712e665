// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_MOTION_OVERLAY_H_
#define RDP_COMMON_MOTION_OVERLAY_H_

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "common/image/band_painter.h"
#include "common/image/camera.h"
#include "common/image/rgba_view.h"
#include "common/motion/arrows.h"
#include "common/motion/motion.h"
#include "common/motion/moving_things.h"
#include "common/rdp/birdseye_inset.h"
#include "common/rdp/painted_lines.h"
#include "common/rdp/parameters.h"
#include "common/rdp/placed_segments.h"
#include "common/rdp/segment_list.h"

// Overlays of motion, painted from lists alone. Positions of lines are computed in floating point
// and rounded once, to a pixel; the rest is integer, so that pictures are bit-identical everywhere.
namespace rdp::motion {

enum class OverlayStyle : std::uint8_t {
  kMotion,    // the segments in grey, moving ones in colour, with arrows at moving things
  kBirdsEye,  // the frame from above, in metres (common/rdp/birdseye.h), with the same arrows.
              // Needs the camera; empty without it
};

// Content of a picture. Non-owning.
struct OverlayScene {
  int width = 0;  // of the segmented frame
  int height = 0;
  const rdp::Parameters* parameters = nullptr;  // of the segmentation
  SegmentArrays segments;
  // One per segment, in the segments' order. Motion of segments beyond the end is unknown.
  std::span<const SegmentMotion> motions;
  double dt = 0.0;  // seconds since the pair of frames before, for motion in the picture
  // The frame's camera. Null: motion is judged in the image alone, in px.
  const MetricCamera* camera = nullptr;
};

// The frame of reference of velocities.
enum class MotionFrame : std::uint8_t {
  kNothing,  // there are none
  kCamera,
  kGround,
  kPicture,  // without a camera
};
MotionFrame motion_frame(const OverlayScene& scene);

// The colours of a picture of motion.
//
// The hue shows the direction of motion seen from above: right is right, up is ahead. The colour is
// stronger for higher speeds, and full from kFullSpeed on. Without a camera it shows the direction
// in the image, and is full from kFullShift on. `speed` and `full` share a unit, as do `right` and
// `ahead`.
inline constexpr int kFullSpeed = 10;  // m/s
inline constexpr int kFullShift = 16;  // px since the previous frame
Pixel velocity_colour(std::int64_t right, std::int64_t ahead, std::int64_t speed,
                      std::int64_t full);
// Greys of static things, brighter if nearer. They are darker than any colour of moving things,
// because each of those looks grey to some colour-blind people.
inline constexpr int kStillGreys[2] = {60, 88};
// The colour of things whose motion is unknown.
inline constexpr Pixel kUnknownMotionPixel = pixel(30, 26, 84);

// Seconds of motion that an arrow shows.
inline constexpr double kArrowSeconds = 0.5;
inline constexpr double kArrowSecondsAbove = 1.0;  // seen from above

// Motion marks on a picture or a bird's-eye view. Keeps its memory between pictures.
//
// An arrow starts at the foot of a thing (moving_things.h), in the middle of its columns. It ends
// where the camera, at its current pose, would see the foot after kArrowSeconds. For an approaching
// thing it ends at a quarter of the distance at the latest. Without a camera, the arrow starts in
// the thing's middle and extrapolates the motion since the previous frame.
class MotionMarks {
 public:
  enum class Shown : std::uint8_t {
    kAll,         // every segment
    kMovingOnly,  // over another picture
  };

  // Prepares a picture of this size, with the segmented frame at `placement`. The scene's lists
  // must stay valid until the last paint(). Non-finite and far outside positions are skipped. Texts
  // avoid the box `free`. Throws std::bad_alloc.
  void look(const OverlayScene& scene, const FramePlacement& placement, int width, int height,
            Shown shown, const Box& free = {});
  // Prepares a picture of BirdseyeInset, of this size: paint() then changes only pixels with motion
  // marks. The scene must have a camera.
  void look_from_above(const OverlayScene& scene, const BirdseyeScale& scale,
                       const BirdseyeSize& size, const Box& free = {});

  // Paints rows [first_row, end_row). After look() it writes all their pixels, transparent if
  // nothing is there. Threads may paint different rows at the same time.
  void paint(const RgbaView& picture, std::uint8_t alpha, PixelOrder order, int first_row,
             int end_row) const;

  // The number of arrows, inside or outside of the picture, and of those with their speed as text.
  std::size_t arrows() const { return arrows_.size(); }
  std::size_t texts() const { return arrows_.texts(); }

 private:
  void read_moves(const OverlayScene& scene);
  void add_footprints(const OverlayScene& scene, const BirdseyeScale& scale,
                      const BirdseyeSize& size);

  bool from_above_ = false;
  std::vector<Move> moves_;
  std::vector<Pixel> tints_;
  MovingThings things_;
  PlacedSegments segments_;
  PaintedLines footprints_;
  Arrows arrows_;
};

struct OverlayOptions {
  OverlayStyle style = OverlayStyle::kMotion;
  // The picture has a legend of its colours and arrows.
  bool legend = false;
  // For kBirdsEye: range ahead in metres; 0: from the frame.
  double birdseye_range = 0.0;
};

// Paints pictures of motion. Allocates only when a frame needs more memory than any before it.
class OverlayPainter : public BandPainter {
 public:
  explicit OverlayPainter(unsigned threads = 0);  // as set_threads()
  ~OverlayPainter();

  // Paints `picture`, which has the size of the scene. Pixels are opaque, but all four bytes are 0
  // if there is no segment or, in a bird's-eye view, outside the camera's view. Every pixel is
  // written, none is read. Throws std::bad_alloc, and stays usable.
  void paint(const OverlayScene& scene, const OverlayOptions& options, const RgbaView& picture);

 private:
  void paint_scene(const OverlayScene& scene, const OverlayOptions& options,
                   const RgbaView& picture);

  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace rdp::motion

#endif  // RDP_COMMON_MOTION_OVERLAY_H_
