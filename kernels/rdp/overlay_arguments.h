// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_RDP_OVERLAY_ARGUMENTS_H_
#define RDP_KERNELS_RDP_OVERLAY_ARGUMENTS_H_

#include <cstdint>

#include "common/rdp/birdseye.h"
#include "common/rdp/overlay_pixels.h"
#include "common/rdp/segment_class.h"
#include "kernels/rdp/marks_arguments.h"
#include "kernels/rdp/segment_list_view.h"

namespace rdp::cuda {

// Arguments of the kernel rdp_palette_range: see palette_range() in common/rdp/overlay.h.
struct PaletteRangeArguments {
  const unsigned char* frame;
  std::int64_t pitch;
  std::int32_t width;
  std::int32_t height;
  std::uint32_t sample_bytes;  // 1 or 2
  std::uint32_t known_first;
  std::uint32_t known_last;
  std::uint32_t inverse;  // 1: the range is one of inverse depths
  double inverse_scale;
  PaletteRange* range;  // gets the result
};

// Arguments of the kernel rdp_find_ground: see find_ground() in common/rdp/ground.h. A truncated
// list gives no ground.
struct FindGroundArguments {
  SegmentListView list;
  std::uint32_t slice;  // the frame's, in the list
  std::int32_t height;  // of the frame
  ClassRules rules;
  Ground* ground;  // gets the result
};

// Arguments of the kernels rdp_paint_<style>: see paint_overlay() in common/rdp/overlay.h.
// rdp_paint_classes tells the classes by `ground`, rdp_paint_classes_on_plane by `plane`.
struct PaintArguments {
  const unsigned char* frame;
  std::int64_t pitch;
  unsigned char* picture;
  std::int64_t picture_pitch;
  std::int32_t width;
  std::int32_t height;
  std::int32_t column_width;
  std::uint32_t sample_bytes;
  std::uint32_t known_first;
  std::uint32_t known_last;
  std::uint32_t inverse;  // 1: samples are painted as inverse_scale / sample
  float inverse_scale;
  PictureRange range;
  ClassRules rules;  // this and the next one: for rdp_paint_classes
  const Ground* ground;
  GroundPlane plane;
  SegmentListView list;
  std::uint32_t slice;  // the frame's, in the list
};

// Arguments of the kernels rdp_birdseye_<step>: see common/rdp/birdseye.h. They run in this order:
// scale, if it comes from the frame; content of columns; picture without labels.
struct BirdseyeArguments {
  unsigned char* picture;
  std::int64_t picture_pitch;
  std::int32_t width;
  std::int32_t height;
  std::int32_t column_width;
  std::int32_t zoom;
  MetricCamera camera;
  BirdseyeScale scale;
  BirdseyeScale* scale_of_frame;       // replaces `scale` if not null
  const PaletteRange* range_of_frame;  // input of scale_of_frame
  ClassRules rules;
  const Ground* ground;
  std::uint32_t* seen;  // birdseye_words() of them
  PaintedText* labels;  // most_labels() of them; rdp_birdseye_picture writes them
  SegmentListView list;
  std::uint32_t slice;  // the frame's, in the list
};

constexpr int kPaletteRangeThreads = 1024;  // one block
constexpr int kFindGroundThreads = 1024;    // one block

// The part of a picture that a block of threads paints.
constexpr int kPaintThreads = 128;
constexpr int kPaintColumns = 32;
constexpr int kPaintRowsOfThread = 16;
constexpr int kPaintRows = kPaintRowsOfThread * kPaintThreads / 32;
// A block of rdp_birdseye_columns has a warp for each column; one of rdp_birdseye_picture a row of
// pixels.
constexpr int kBirdseyeThreads = 128;

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_RDP_OVERLAY_ARGUMENTS_H_
