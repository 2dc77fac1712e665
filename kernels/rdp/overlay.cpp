// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernels/rdp/overlay.h"

#include <cstddef>

#include "kernels/rdp/overlay_arguments.h"

extern "C" const unsigned char rdp_overlay_fatbin[];

namespace rdp::cuda {

PaletteRangeFinder::PaletteRangeFinder(const KernelModule& module)
    : find_(module, "rdp_palette_range") {
  range_.ensure(sizeof(PaletteRange));
}

const PaletteRange* PaletteRangeFinder::find(const DeviceDepthView& frame,
                                             const Parameters& parameters, CUstream stream) {
  const KnownRange known = input_known_range(parameters);
  PaletteRangeArguments find{};
  find.frame = frame.bytes();
  find.pitch = frame.pitch;
  find.width = frame.width;
  find.height = frame.height;
  find.sample_bytes = static_cast<std::uint32_t>(bytes_per_sample(frame.type));
  find.known_first = known.first;
  find.known_last = known.last;
  find.inverse = parameters.domain == Domain::kInverse ? 1 : 0;
  find.inverse_scale = parameters.inverse_scale;
  find.range = range_.as<PaletteRange>();
  LaunchShape one_block;
  one_block.threads = kPaletteRangeThreads;
  find_.start(one_block, stream, find);
  return find.range;
}

namespace {

// The order of OverlayPainter's kernels.
static_assert(static_cast<int>(OverlayStyle::kSegments) == 0 &&
              static_cast<int>(OverlayStyle::kDepth) == 1 &&
              static_cast<int>(OverlayStyle::kEdges) == 2 &&
              static_cast<int>(OverlayStyle::kClasses) == 3);

}  // namespace

OverlayPainter::OverlayPainter()
    : module_(rdp_overlay_fatbin),
      find_range_(module_),
      find_ground_(module_, "rdp_find_ground"),
      paint_{{module_, "rdp_paint_segments"},
             {module_, "rdp_paint_depth"},
             {module_, "rdp_paint_edges"},
             {module_, "rdp_paint_classes"}},
      paint_classes_on_plane_(module_, "rdp_paint_classes_on_plane"),
      birdseye_scale_(module_, "rdp_birdseye_scale"),
      birdseye_columns_(module_, "rdp_birdseye_columns"),
      birdseye_picture_(module_, "rdp_birdseye_picture") {
  ground_.ensure(sizeof(Ground));
  scale_.ensure(sizeof(BirdseyeScale));
}

void OverlayPainter::run(const DeviceDepthView& frame, const SegmentListView& segments, int slice,
                         const Parameters& parameters, const OverlayOptions& options,
                         const DeviceRgbaView& picture, CUstream stream) {
  const Job job{frame, segments, slice, parameters, options, picture, stream};
  PictureRange range{};
  if (options.style == OverlayStyle::kBirdsEye) {
    paint_birdseye(job);
  } else {
    if (is_palette_of_frame(options)) {
      range.of_frame = find_range_.find(job.frame, job.parameters, job.stream);
    } else {
      range.chosen = chosen_palette_range(options);
    }
    paint_style(job, range);
  }
  marks_.paint_legend(legend_of(frame.width, frame.height, parameters, options), range, picture,
                      stream, segments);
}

// The frame's ground; it stays on the device.
const Ground* OverlayPainter::find_ground(const Job& job, const ClassRules& rules) {
  FindGroundArguments find{};
  find.list = job.segments;
  find.slice = static_cast<std::uint32_t>(job.slice);
  find.height = job.frame.height;
  find.rules = rules;
  find.ground = ground_.as<Ground>();
  LaunchShape one_block;
  one_block.threads = kFindGroundThreads;
  find_ground_.start(one_block, job.stream, find);
  return find.ground;
}

void OverlayPainter::paint_style(const Job& job, const PictureRange& range) {
  const KnownRange known = input_known_range(job.parameters);
  PaintArguments paint{};
  paint.range = range;
  if (job.options.style == OverlayStyle::kClasses) {
    paint.rules = class_rules(job.parameters);
    paint.plane = job.options.ground;
    if (!has_ground(paint.plane)) paint.ground = find_ground(job, paint.rules);
  }
  paint.frame = job.frame.bytes();
  paint.pitch = job.frame.pitch;
  paint.picture = job.picture.bytes();
  paint.picture_pitch = job.picture.pitch;
  paint.width = job.frame.width;
  paint.height = job.frame.height;
  paint.column_width = job.parameters.column_width;
  paint.sample_bytes = static_cast<std::uint32_t>(bytes_per_sample(job.frame.type));
  paint.known_first = known.first;
  paint.known_last = known.last;
  paint.inverse = job.parameters.domain == Domain::kInverse ? 1 : 0;
  paint.inverse_scale = painted_inverse_scale(job.parameters);
  paint.list = job.segments;
  paint.slice = static_cast<std::uint32_t>(job.slice);
  const Kernel& kernel = has_ground(paint.plane)
                             ? paint_classes_on_plane_
                             : paint_[static_cast<std::size_t>(job.options.style)];
  kernel.start(tiled(job.frame.width, job.frame.height, kPaintColumns, kPaintRows, kPaintThreads),
               job.stream, paint);
}

void OverlayPainter::paint_birdseye(const Job& job) {
  const int width = job.frame.width;
  const int height = job.frame.height;
  const Birdseye birdseye = birdseye_of(width, height, job.parameters, job.options);
  BirdseyeArguments paint{};
  paint.picture = job.picture.bytes();
  paint.picture_pitch = job.picture.pitch;
  paint.width = width;
  paint.height = height;
  paint.column_width = birdseye.column_width;
  paint.zoom = birdseye.zoom;
  paint.camera = birdseye.camera;
  paint.rules = birdseye_rules(job.parameters, birdseye.camera);
  paint.ground = find_ground(job, paint.rules);
  paint.list = job.segments;
  paint.slice = static_cast<std::uint32_t>(job.slice);
  const std::size_t columns = job.segments.columns;
  paint.seen = reinterpret_cast<std::uint32_t*>(
      seen_.ensure(birdseye_words(columns, height) * sizeof(std::uint32_t)));
  const int labels = most_labels(width, height, birdseye.zoom);
  paint.labels = reinterpret_cast<PaintedText*>(
      labels_.ensure(static_cast<std::size_t>(labels) * sizeof(PaintedText)));
  LaunchShape shape;
  if (job.options.birdseye_range > 0.0) {
    paint.scale = birdseye_scale(job.options.birdseye_range, height, birdseye.zoom);
  } else {
    paint.range_of_frame = find_range_.find(job.frame, job.parameters, job.stream);
    paint.scale_of_frame = scale_.as<BirdseyeScale>();
    birdseye_scale_.start(shape, job.stream, paint);
  }
  shape.threads = kBirdseyeThreads;
  constexpr std::size_t kWarps = kBirdseyeThreads / 32;
  shape.blocks_x = static_cast<unsigned>((columns + kWarps - 1) / kWarps);
  birdseye_columns_.start(shape, job.stream, paint);
  birdseye_picture_.start(tiled(width, height, kBirdseyeThreads, 1, kBirdseyeThreads), job.stream,
                          paint);
  marks_.paint_texts(paint.labels, labels, job.picture, job.stream, job.segments);
}

}  // namespace rdp::cuda
