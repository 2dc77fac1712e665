// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernels/depthfilter/overlay.h"

#include "kernels/depthfilter/overlay_arguments.h"

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
      changes_(module_, "rdp_depth_changes") {}

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
  marks_.paint_legend(filter::legend_of(picture.width, picture.height, options), {}, picture,
                      stream);
}

}  // namespace rdp::cuda
