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

// Pictures of motion, painted of lists alone. Where a line lies is worked out in floating point and
// rounded once, to a pixel; the rest is integers, so that pictures are the same bits everywhere.
namespace rdp::motion {

enum class OverlayStyle : std::uint8_t {
  kMotion,    // the segments, in grey; those that move in colours, with arrows at what moves
  kBirdsEye,  // the frame from above, in metres (common/rdp/birdseye.h), with the same arrows.
              // Needs the camera; without it nothing is seen
};

// The painted content. Refers to it only.
struct OverlayScene {
  int width = 0;  // of the segmented frame
  int height = 0;
  const rdp::Parameters* parameters = nullptr;  // of the segmentation
  SegmentArrays segments;
  // One a segment, in the segments' order. Of segments beyond their end nothing is known.
  std::span<const SegmentMotion> motions;
  double dt = 0.0;  // seconds since the pair of frames before, for motion in the picture
  // The frame's. Null: what moves is told by its motion in the picture alone, in px.
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
// What moves is painted in the colour of its direction seen from above, right on the picture as it
// is and up for ahead; the faster, the stronger it is, and full from kFullSpeed on. Without a
// camera it is the direction in the picture, and full from kFullShift on. `speed` and `full` have
// one unit, and so have `right` and `ahead`.
inline constexpr int kFullSpeed = 10;  // m/s
inline constexpr int kFullShift = 16;  // px since the frame before
Pixel velocity_colour(std::int64_t right, std::int64_t ahead, std::int64_t speed,
                      std::int64_t full);
// Greys for things that are known to stand still, the nearer the brighter. They are darker than any
// colour of moving things, because each of these looks grey to some of the colour-blind.
inline constexpr int kStillGreys[2] = {60, 88};
// The colour of things whose motion is unknown.
inline constexpr Pixel kUnknownMotionPixel = pixel(30, 26, 84);

// The reach of arrows: they end where things are after so many seconds, at their velocity.
inline constexpr double kArrowSeconds = 0.5;
inline constexpr double kArrowSecondsAbove = 1.0;  // seen from above

// Motion on a picture, or on what is seen from above. Keeps its memory between pictures.
//
// An arrow starts at the foot of a thing (moving_things.h), in the middle of its columns, and ends
// where that is seen after kArrowSeconds: with the camera where it is now, of a thing that comes
// nearer at a quarter of its distance at the latest. Without a camera it starts in the middle and
// goes on as since the frame before.
class MotionMarks {
 public:
  enum class Shown : std::uint8_t {
    kAll,         // every segment
    kMovingOnly,  // for a picture that is seen below
  };

  // For a picture of this size, on which the segmented frame lies at `placement`. The scene's lists
  // are needed until the last paint(). What is not finite, or far outside, is left out. Texts leave
  // `free` free. Throws std::bad_alloc.
  void look(const OverlayScene& scene, const FramePlacement& placement, int width, int height,
            Shown shown, const Box& free = {});
  // For a picture of BirdseyeInset, of this size: paint() leaves its pixels as they are where there
  // is nothing of motion. The scene has a camera.
  void look_from_above(const OverlayScene& scene, const BirdseyeScale& scale,
                       const BirdseyeSize& size, const Box& free = {});

  // Paints rows [first_row, end_row): all pixels of them, after look(), transparent where nothing
  // is. Different rows may be painted from different threads.
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
  // For kBirdsEye: how many metres ahead the picture goes; 0: from the frame.
  double birdseye_range = 0.0;
};

// Paints pictures of motion. Allocates only when a frame needs more memory than any before it.
class OverlayPainter : public BandPainter {
 public:
  explicit OverlayPainter(unsigned threads = 0);  // as set_threads()
  ~OverlayPainter();

  // Paints `picture`, which has the size of the scene. Opaque, but all four bytes 0 where there is
  // no segment, or, from above, where the camera does not look. Every pixel is written, none is
  // read. Throws std::bad_alloc, and stays usable.
  void paint(const OverlayScene& scene, const OverlayOptions& options, const RgbaView& picture);

 private:
  void paint_scene(const OverlayScene& scene, const OverlayOptions& options,
                   const RgbaView& picture);

  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace rdp::motion

#endif  // RDP_COMMON_MOTION_OVERLAY_H_
