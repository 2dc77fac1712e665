// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernels/depthfilter/overlay.h"

#include "kernels/depthfilter/overlay_arguments.h"
#include "kernels/rdp/overlay_arguments.h"

extern "C" const unsigned char rdp_depth_changes_fatbin[];
extern "C" const unsigned char rdp_overlay_fatbin[];

namespace rdp::cuda {
namespace {

DepthRows rows_of(const DeviceDepthView& view) {
  return {view.bytes(), view.pitch, static_cast<std::int32_t>(bytes_per_sample(view.type))};
}

}  // namespace

DepthChangesPainter::DepthChangesPainter()
    : overlay_(rdp_overlay_fatbin),
      module_(rdp_depth_changes_fatbin),
      find_range_(overlay_),
      changes_(module_, "rdp_depth_changes"),
      legend_(overlay_, "rdp_paint_legend") {
  no_offsets_.ensure_zeros(sizeof(std::uint32_t));
}

void DepthChangesPainter::paint(const DeviceDepthView& before, const DeviceDepthView& after,
                                int decimation, const filter::OverlayOptions& options,
                                const DeviceRgbaView& picture, CUstream stream) {
  DepthChangesArguments paint{};
  paint.before = rows_of(before);
  paint.after = rows_of(after);
  paint.width = before.width;
  paint.height = before.height;
  paint.decimation = decimation;
  paint.columns = after.width * decimation;
  paint.rows = after.height * decimation;
  paint.range = find_range_.find(before, Parameters(), stream);
  paint.picture = picture.bytes();
  paint.picture_pitch = picture.pitch;
  changes_.start(tiled(before.width, before.height, kChangesColumns, kChangesRows, kDepthThreads),
                 stream, paint);
  LegendArguments legend{};
  legend.legend = filter::legend_of(picture.width, picture.height, options);
  const int zoom = legend.legend.zoom;
  if (zoom == 0) return;
  legend.picture = picture.bytes();
  legend.picture_pitch = picture.pitch;
  legend.palettes = BarPalettes::kGreys;
  // One frame without columns, which is never truncated.
  legend.list = {no_offsets_.as<std::uint32_t>(), nullptr, nullptr, 0, 0, 1};
  legend_.start(tiled(legend.legend.columns * zoom, legend.legend.rows * zoom, kLegendColumns,
                      kLegendRows, kLegendThreads),
                stream, legend);
}

}  // namespace rdp::cuda
