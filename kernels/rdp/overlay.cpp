// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernels/rdp/overlay.h"

#include "kernels/rdp/overlay_arguments.h"

extern "C" const unsigned char rdp_overlay_fatbin[];

namespace rdp::cuda {
namespace {

// The order of OverlayPainter's kernels.
static_assert(static_cast<int>(OverlayStyle::kSegments) == 0 &&
              static_cast<int>(OverlayStyle::kDepth) == 1 &&
              static_cast<int>(OverlayStyle::kEdges) == 2 &&
              static_cast<int>(OverlayStyle::kClasses) == 3);

}  // namespace

OverlayPainter::OverlayPainter()
    : module_(rdp_overlay_fatbin),
      find_range_(module_, "rdp_palette_range"),
      find_ground_(module_, "rdp_find_ground"),
      paint_{{module_, "rdp_paint_segments"},
             {module_, "rdp_paint_depth"},
             {module_, "rdp_paint_edges"},
             {module_, "rdp_paint_classes"}},
      paint_legend_(module_, "rdp_paint_legend") {
  range_.ensure(sizeof(PaletteRange));
  ground_.ensure(sizeof(Ground));
}

void OverlayPainter::run(const DeviceDepthView& frame, const SegmentListView& segments, int slice,
                         const Parameters& parameters, const OverlayOptions& options,
                         const DeviceRgbaView& picture, CUstream stream) const {
  const KnownRange known = input_known_range(parameters);
  const auto sample_bytes = static_cast<std::uint32_t>(bytes_per_sample(frame.type));
  const std::uint32_t inverse = parameters.domain == Domain::kInverse ? 1 : 0;

  PaintArguments paint{};
  if (is_palette_of_frame(options)) {
    PaletteRangeArguments find{};
    find.frame = frame.bytes();
    find.pitch = frame.pitch;
    find.width = frame.width;
    find.height = frame.height;
    find.sample_bytes = sample_bytes;
    find.known_first = known.first;
    find.known_last = known.last;
    find.inverse = inverse;
    find.inverse_scale = parameters.inverse_scale;
    find.range = range_.as<PaletteRange>();
    LaunchShape one_block;
    one_block.threads = kPaletteRangeThreads;
    find_range_.start(one_block, stream, find);
    paint.range_of_frame = find.range;
  } else {
    paint.range = chosen_palette_range(options);
  }
  if (options.style == OverlayStyle::kClasses) {
    FindGroundArguments find{};
    find.list = segments;
    find.slice = static_cast<std::uint32_t>(slice);
    find.height = frame.height;
    find.rules = class_rules(parameters);
    find.ground = ground_.as<Ground>();
    LaunchShape one_block;
    one_block.threads = kFindGroundThreads;
    find_ground_.start(one_block, stream, find);
    paint.rules = find.rules;
    paint.ground = find.ground;
  }
  paint.frame = frame.bytes();
  paint.pitch = frame.pitch;
  paint.picture = picture.bytes();
  paint.picture_pitch = picture.pitch;
  paint.width = frame.width;
  paint.height = frame.height;
  paint.column_width = parameters.column_width;
  paint.sample_bytes = sample_bytes;
  paint.known_first = known.first;
  paint.known_last = known.last;
  paint.inverse = inverse;
  paint.inverse_scale = painted_inverse_scale(parameters);
  paint.list = segments;
  paint.slice = static_cast<std::uint32_t>(slice);
  paint_[static_cast<std::size_t>(options.style)].start(
      tiled(frame.width, frame.height, kPaintColumns, kPaintRows, kPaintThreads), stream, paint);

  LegendArguments legend{};
  legend.legend = legend_of(frame.width, frame.height, parameters, options);
  const int zoom = legend.legend.zoom;
  if (zoom == 0) return;
  legend.picture = paint.picture;
  legend.picture_pitch = picture.pitch;
  legend.range = paint.range;
  legend.range_of_frame = paint.range_of_frame;
  legend.palettes = options.style == OverlayStyle::kClasses ? BarPalettes::kClasses
                    : options.style == OverlayStyle::kEdges ? BarPalettes::kGreys
                                                            : BarPalettes::kPalette;
  legend.list = segments;
  paint_legend_.start(tiled(legend.legend.columns * zoom, legend.legend.rows * zoom, kLegendColumns,
                            kLegendRows, kLegendThreads),
                      stream, legend);
}

}  // namespace rdp::cuda
