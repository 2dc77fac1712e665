// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_RDP_OVERLAY_H_
#define RDP_COMMON_RDP_OVERLAY_H_

#include <cstddef>
#include <cstdint>

#include "common/image/camera.h"
#include "common/image/depth_view.h"
#include "common/image/rgba_view.h"
#include "common/rdp/birdseye.h"
#include "common/rdp/ground.h"
#include "common/rdp/ground_plane.h"
#include "common/rdp/legend.h"
#include "common/rdp/overlay_pixels.h"
#include "common/rdp/parameters.h"
#include "common/rdp/segment_list.h"

namespace rdp {

enum class OverlayStyle : std::uint8_t {
  kSegments,  // each segment in the palette's colours along its line, the paler the more it lies
              // like a floor; its ends are dark, the unknown rows it bridges a little darker
  kDepth,     // the palette on the samples
  kEdges,     // the samples as dark grey, the segments' ends bright
  kClasses,   // each segment in the colour of its class, the nearer the brighter; ends and bridged
              // rows as above
  kBirdsEye,  // the frame from above, in metres: see birdseye.h. Needs the camera; without it
              // nothing is seen
};

struct OverlayOptions {
  OverlayStyle style = OverlayStyle::kSegments;
  // The values at the ends of the palette, in sample steps (u in Domain::kInverse). palette_min may
  // be the larger one: then the palette runs backwards, as is natural for metric depth. Both 0:
  // from the frame (see palette_range()).
  double palette_min = 0.0;
  double palette_max = 0.0;
  // The picture has a legend of its colours: see legend.h.
  bool legend = false;
  // The frame's camera, so that numbers are metres; null: unknown. Must outlive the painting.
  const MetricCamera* camera = nullptr;
  // The value of a sample step without a camera: metres of depth, or pixels of disparity. 0:
  // unknown.
  double depth_unit = 0.0;
  double disparity_unit = 0.0;
  // Added to pixels of disparity: what the sample 0 stands for.
  double disparity_offset = 0.0;
  // For kBirdsEye: how many metres ahead the picture goes; 0: from the frame.
  double birdseye_range = 0.0;
  // For kClasses: the frame's ground where it is known as a plane; none: the frame's vote.
  GroundPlane ground;
};

// True if the frame determines the ends of the palette.
inline bool is_palette_of_frame(const OverlayOptions& options) {
  return options.palette_min == 0.0 && options.palette_max == 0.0;
}

// The ends of the palette, if the options give them. The range is one step at least.
PaletteRange chosen_palette_range(const OverlayOptions& options);

// The ends of the palette for this frame. If is_palette_of_frame(), they are the 1st and the 99th
// percentile of the known samples on a grid of up to 64x64 of them. So a few outliers do not
// compress the colours of all others. The range is one step at least.
PaletteRange palette_range(const DepthView& frame, const Parameters& parameters,
                           const OverlayOptions& options);

// The parameters of a bird's-eye view.
struct Birdseye {
  MetricCamera camera;
  BirdseyeScale scale;
  int zoom = 0;          // of its text and grid; 0: it has none
  int column_width = 1;  // of the segmentation
  int frame_width = 0;   // which is also the picture's, but for insets
};
// Returns all but the scale, which may come from the frame.
Birdseye birdseye_of(int width, int height, const Parameters& parameters,
                     const OverlayOptions& options);
// The rules that tell ground from obstacles in a bird's-eye view.
ClassRules birdseye_rules(const Parameters& parameters, const MetricCamera& camera);
// The size of a cell of the text in a picture, in pixels: seven are about 3 % of the height.
int text_zoom(int width, int height);
// The same for a bird's-eye view; 0 if it has no room for a grid.
int birdseye_zoom(int width, int height);

// Constants of all pixels of one picture.
struct OverlayLook {
  OverlayStyle style = OverlayStyle::kSegments;
  PaletteRange range;
  // For kClasses and kBirdsEye.
  ClassRules rules;
  Ground ground;
  // For kClasses: replaces `ground` if there is one.
  GroundPlane plane;
  Birdseye birdseye;
  // For kBirdsEye: birdseye_words() words, which see_columns() must fill for all columns before
  // painting.
  const std::uint32_t* seen = nullptr;
  Legend legend;
  Ticks ticks{};
};
// The legend of a picture of this size; zoom 0 if the options want none or it has no room.
Legend legend_of(int width, int height, const Parameters& parameters,
                 const OverlayOptions& options);
OverlayLook overlay_look(const DepthView& frame, const SegmentList& segments,
                         const Parameters& parameters, const OverlayOptions& options);

// Collects the content of segmented columns [first_column, end_column) for a bird's-eye view of
// `height` rows.
void see_columns(const SegmentArrays& segments, const OverlayLook& look, int height,
                 int first_column, int end_column, std::uint32_t* seen);
// Paints columns [first_column, end_column) of a bird's-eye view from `seen`.
void paint_birdseye(const Birdseye& birdseye, const std::uint32_t* seen, int first_column,
                    int end_column, const RgbaView& picture);

// The scale of painted_inverse(): inverse_scale, within limits beyond which pictures do not change.
float painted_inverse_scale(const Parameters& parameters);

// Paints columns [first_column, end_column) of `picture`, which has the size of `frame`. Pixels
// are opaque, but all four bytes of unknown ones are 0: those without a segment; in kDepth without
// a known sample; in kEdges with neither a known sample nor a segment's end. Different columns may
// be painted from different threads: the picture is the same however it is divided. Every pixel is
// written, none is read.
//
// `frame` holds the samples as they arrived; `segments` are the result of its segmentation with
// `parameters`.
void paint_overlay(const DepthView& frame, const SegmentList& segments,
                   const Parameters& parameters, const OverlayLook& look, int first_column,
                   int end_column, const RgbaView& picture);

}  // namespace rdp

#endif  // RDP_COMMON_RDP_OVERLAY_H_
