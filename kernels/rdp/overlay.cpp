// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernels/rdp/overlay.h"

#include "kernels/rdp/overlay_arguments.h"

extern "C" const unsigned char rdp_overlay_fatbin[];

namespace rdp::cuda {
namespace {

constexpr const char* kRangeName = "rdp_palette_range";
constexpr const char* kGroundName = "rdp_find_ground";
constexpr const char* kPaintNames[4] = {"rdp_paint_segments", "rdp_paint_depth", "rdp_paint_edges",
                                        "rdp_paint_classes"};
static_assert(static_cast<int>(OverlayStyle::kSegments) == 0 &&
              static_cast<int>(OverlayStyle::kDepth) == 1 &&
              static_cast<int>(OverlayStyle::kEdges) == 2 &&
              static_cast<int>(OverlayStyle::kClasses) == 3);

}  // namespace

OverlayPainter::OverlayPainter()
    : module_(rdp_overlay_fatbin),
      find_range_(module_.kernel(kRangeName)),
      find_ground_(module_.kernel(kGroundName)) {
  for (int style = 0; style < 4; ++style) paint_[style] = module_.kernel(kPaintNames[style]);
  range_.ensure(sizeof(PaletteRange));
  ground_.ensure(sizeof(Ground));
}

void OverlayPainter::run(const DeviceDepthView& frame, const SegmentListView& segments,
                         const Parameters& parameters, const OverlayOptions& options,
                         const DeviceRgbaView& picture, CUstream stream) const {
  const KnownRange known = input_known_range(parameters);
  const auto* const samples = reinterpret_cast<const unsigned char*>(frame.data);
  const auto sample_bytes = static_cast<std::uint32_t>(bytes_per_sample(frame.type));
  const std::uint32_t inverse = parameters.domain == Domain::kInverse ? 1 : 0;

  PaintArguments paint{};
  if (is_palette_of_frame(options)) {
    PaletteRangeArguments find{};
    find.frame = samples;
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
    launch(find_range_, kRangeName, one_block, stream, find);
    paint.range_of_frame = find.range;
  } else {
    paint.range = chosen_palette_range(options);
  }
  if (options.style == OverlayStyle::kClasses) {
    FindGroundArguments find{};
    find.list = segments;
    find.height = frame.height;
    find.rules = class_rules(parameters);
    find.ground = ground_.as<Ground>();
    LaunchShape one_block;
    one_block.threads = kFindGroundThreads;
    launch(find_ground_, kGroundName, one_block, stream, find);
    paint.rules = find.rules;
    paint.ground = find.ground;
  }
  paint.frame = samples;
  paint.pitch = frame.pitch;
  paint.picture = reinterpret_cast<unsigned char*>(picture.data);
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
  const auto style = static_cast<std::size_t>(options.style);
  launch(paint_[style], kPaintNames[style],
         tiled(frame.width, frame.height, kPaintColumns, kPaintRows, kPaintThreads), stream, paint);
}

}  // namespace rdp::cuda
