// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernels/planes/overlay.h"

#include <cstddef>
#include <span>

#include "common/planes/pictures/overlay_look.h"
#include "kernels/planes/overlay_arguments.h"
#include "kernels/rdp/overlay.h"
#include "kernels/runtime/array_upload.h"
#include "kernels/runtime/kernel_module.h"

extern "C" const unsigned char rdp_overlay_fatbin[];
extern "C" const unsigned char rdp_plane_overlay_fatbin[];

namespace rdp::cuda {

struct PlaneOverlayPainter::Impl {
  KernelModule ranges{rdp_overlay_fatbin};
  KernelModule module{rdp_plane_overlay_fatbin};
  PaletteRangeFinder find_range{ranges};
  Kernel picture{module, "rdp_plane_picture"};
  Kernel squares{module, "rdp_plane_squares"};
  Kernel numbers{module, "rdp_plane_numbers"};
  Kernel legend{module, "rdp_plane_legend"};
  planes::OverlayLook look;
  ArrayUpload arrays;

  void upload(std::span<const planes::NodeSquare> squares, CUstream stream,
              PlanePictureArguments* paint);
  void paint_legend(planes::OverlayStyle style, const PaletteRange* range_of_frame,
                    const DeviceRgbaView& picture, CUstream stream);
};

// Brings what is painted to the device.
void PlaneOverlayPainter::Impl::upload(std::span<const planes::NodeSquare> node_squares,
                                       CUstream stream, PlanePictureArguments* paint) {
  arrays.clear();
  const std::size_t of_planes = arrays.add(std::span<const planes::PaintedPlane>(look.planes));
  const std::size_t of_squares = arrays.add(node_squares);
  const std::size_t of_numbers = arrays.add(std::span<const planes::PaintedNumber>(look.numbers));
  arrays.run("copying the planes of a picture to the GPU", stream);
  paint->planes = arrays.at<planes::PaintedPlane>(of_planes);
  paint->squares = arrays.at<planes::NodeSquare>(of_squares);
  paint->numbers = arrays.at<planes::PaintedNumber>(of_numbers);
}

void PlaneOverlayPainter::Impl::paint_legend(planes::OverlayStyle style,
                                             const PaletteRange* range_of_frame,
                                             const DeviceRgbaView& to, CUstream stream) {
  const int zoom = look.legend.zoom;
  if (zoom == 0) return;
  PlaneLegendArguments paint{};
  paint.picture = to.bytes();
  paint.picture_pitch = to.pitch;
  paint.range = look.legend_of_samples ? look.rules.range : look.legend_range;
  paint.range_of_frame = look.legend_of_samples ? range_of_frame : nullptr;
  paint.backwards = look.backwards ? 1 : 0;
  paint.greys = planes::legend_colours(style) == planes::LegendColours::kGreys ? 1 : 0;
  paint.legend = look.legend;
  legend.start(tiled(look.legend.columns * zoom, look.legend.rows * zoom, kLegendColumns,
                     kLegendRows, kLegendThreads),
               stream, paint);
}

PlaneOverlayPainter::PlaneOverlayPainter() : impl_(std::make_unique<Impl>()) {}

PlaneOverlayPainter::~PlaneOverlayPainter() = default;

void PlaneOverlayPainter::run(const DeviceDepthView& frame, const DeviceDepthView& labels,
                              const planes::OverlayScene& scene,
                              const planes::OverlayOptions& options, const DeviceRgbaView& picture,
                              CUstream stream) {
  planes::OverlayLook& look = impl_->look;
  planes::build_picture(frame.width, frame.height, scene, options, &look);
  const std::span<const planes::NodeSquare> squares = options.style == planes::OverlayStyle::kNodes
                                                          ? scene.nodes
                                                          : std::span<const planes::NodeSquare>();
  PlanePictureArguments paint{};
  paint.frame = frame.bytes();
  paint.pitch = frame.pitch;
  paint.labels = labels.bytes();
  paint.labels_pitch = labels.pitch;
  paint.picture = picture.bytes();
  paint.picture_pitch = picture.pitch;
  paint.sample_bytes = static_cast<std::uint32_t>(bytes_per_sample(frame.type));
  paint.zoom = look.zoom;
  paint.rules = look.rules;
  paint.backwards = look.backwards ? 1 : 0;
  if (look.range_of_frame) {
    paint.range_of_frame = impl_->find_range.find(frame, planes::samples_of(scene), stream);
  }
  paint.square_count = static_cast<std::int32_t>(squares.size());
  paint.number_count = static_cast<std::int32_t>(look.numbers.size());
  impl_->upload(squares, stream, &paint);
  impl_->picture.start(tiled(frame.width, frame.height, kPlanePictureColumns, kPlanePictureRows,
                             kPlanePictureThreads),
                       stream, paint);
  const auto a_block_each = [&](const Kernel& kernel, std::int32_t count, int threads) {
    LaunchShape shape;
    shape.blocks_x = static_cast<unsigned>(count);
    shape.threads = static_cast<unsigned>(threads);
    if (count > 0) kernel.start(shape, stream, paint);
  };
  a_block_each(impl_->squares, paint.square_count, kPlaneSquareThreads);
  a_block_each(impl_->numbers, paint.number_count, kPlaneNumberThreads);
  impl_->paint_legend(options.style, paint.range_of_frame, picture, stream);
}

}  // namespace rdp::cuda
