// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernels/planes/overlay.h"

#include <cstddef>
#include <span>

#include "common/planes/pictures/overlay_look.h"
#include "kernels/planes/overlay_arguments.h"
#include "kernels/rdp/marks.h"
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
  MarksPainter marks;
  planes::OverlayLook look;
  ArrayUpload arrays;

  const PaintedText* upload(std::span<const planes::NodeSquare> squares, CUstream stream,
                            PlanePictureArguments* paint);
};

// Uploads what is painted; returns the planes' numbers on the device.
const PaintedText* PlaneOverlayPainter::Impl::upload(
    std::span<const planes::NodeSquare> node_squares, CUstream stream,
    PlanePictureArguments* paint) {
  arrays.clear();
  const std::size_t of_planes = arrays.add(std::span<const planes::PaintedPlane>(look.planes));
  const std::size_t of_squares = arrays.add(node_squares);
  const std::size_t of_numbers = arrays.add(std::span<const PaintedText>(look.numbers));
  arrays.run("copying the planes of a picture to the GPU", stream);
  paint->planes = arrays.at<planes::PaintedPlane>(of_planes);
  paint->squares = arrays.at<planes::NodeSquare>(of_squares);
  return arrays.at<PaintedText>(of_numbers);
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
  paint.rules = look.rules;
  paint.range = {look.rules.range, nullptr, look.backwards ? 1U : 0U};
  if (look.range_of_frame) {
    paint.range.of_frame = impl_->find_range.find(frame, planes::samples_of(scene), stream);
  }
  paint.square_count = static_cast<std::int32_t>(squares.size());
  const PaintedText* const numbers = impl_->upload(squares, stream, &paint);
  impl_->picture.start(tiled(frame.width, frame.height, kPlanePictureColumns, kPlanePictureRows,
                             kPlanePictureThreads),
                       stream, paint);
  if (!squares.empty()) {
    LaunchShape shape;
    shape.blocks_x = static_cast<unsigned>(squares.size());
    shape.threads = kPlaneSquareThreads;
    impl_->squares.start(shape, stream, paint);
  }
  impl_->marks.paint_texts(numbers, static_cast<int>(look.numbers.size()), picture, stream);
  impl_->marks.paint_legend(
      look.legend,
      look.legend_of_samples ? paint.range : PictureRange{look.legend_range, nullptr, 0}, picture,
      stream);
}

}  // namespace rdp::cuda
