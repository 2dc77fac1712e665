// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernels/heightmap/overlay.h"

#include <cstddef>
#include <cstdint>
#include <span>

#include "common/heightmap/overlay_look.h"
#include "kernels/heightmap/overlay_arguments.h"
#include "kernels/rdp/marks.h"
#include "kernels/runtime/array_upload.h"
#include "kernels/runtime/cuda_error.h"
#include "kernels/runtime/device_memory.h"
#include "kernels/runtime/driver.h"
#include "kernels/runtime/kernel_module.h"

extern "C" const unsigned char rdp_height_overlay_fatbin[];

namespace rdp::cuda {

struct HeightOverlayPainter::Impl {
  KernelModule module{rdp_height_overlay_fatbin};
  Kernel lines{module, "rdp_height_lines"};
  Kernel picture{module, "rdp_height_picture"};
  Kernel map{module, "rdp_height_map"};
  MarksPainter marks;
  heightmap::OverlayLook look;
  ArrayUpload arrays;
  DeviceBuffer last_lines;
  DeviceBuffer ground;

  const PaintedText* upload(bool from_above, CUstream stream, HeightPictureArguments* paint);
  void mark_lines(CUstream stream, HeightPictureArguments* paint);
  void draw_ground(const HeightOverlayScene& scene, CUstream stream, HeightPictureArguments* paint);
};

// Uploads what is painted; returns the texts on the device.
const PaintedText* HeightOverlayPainter::Impl::upload(bool from_above, CUstream stream,
                                                      HeightPictureArguments* paint) {
  using Places = std::span<const heightmap::MapPlace>;
  arrays.clear();
  const std::size_t of_lines = arrays.add(look.lines().lines());
  const std::size_t of_texts = arrays.add(look.texts().texts());
  const std::size_t of_columns = arrays.add(from_above ? Places(look.columns()) : Places());
  const std::size_t of_rows = arrays.add(from_above ? Places(look.rows()) : Places());
  arrays.run("copying the lines and texts of a picture to the GPU", stream);
  paint->lines = arrays.at<PaintedLine>(of_lines);
  paint->line_count = static_cast<std::int32_t>(look.lines().size());
  paint->columns = arrays.at<heightmap::MapPlace>(of_columns);
  paint->rows = arrays.at<heightmap::MapPlace>(of_rows);
  return arrays.at<PaintedText>(of_texts);
}

void HeightOverlayPainter::Impl::mark_lines(CUstream stream, HeightPictureArguments* paint) {
  if (paint->line_count == 0) return;
  const std::size_t bytes = sizeof(std::uint32_t) * static_cast<std::size_t>(paint->width) *
                            static_cast<std::size_t>(paint->height);
  paint->last_lines = reinterpret_cast<std::uint32_t*>(last_lines.ensure(bytes));
  check(driver().cuMemsetD8Async(last_lines.get(), 0, bytes, stream),
        "clearing the lines of a picture");
  LaunchShape shape;
  shape.blocks_x = static_cast<unsigned>(paint->line_count);
  shape.threads = kHeightLineThreads;
  lines.start(shape, stream, *paint);
}

void HeightOverlayPainter::Impl::draw_ground(const HeightOverlayScene& scene, CUstream stream,
                                             HeightPictureArguments* paint) {
  const heightmap::GroundGrid& grid = look.ground();
  if (grid.columns == 0) return;
  constexpr int kAligned = 8;  // samples
  const auto columns = static_cast<int>(grid.columns);
  const auto rows = static_cast<int>(grid.rows);
  paint->ground_columns = (columns + kAligned - 1) / kAligned * kAligned;
  const std::int64_t pitch = sizeof(std::uint16_t) * std::int64_t{paint->ground_columns};
  paint->ground = reinterpret_cast<const std::uint16_t*>(
      ground.ensure(static_cast<std::size_t>(pitch) * static_cast<std::size_t>(rows)));
  scene.draw_ground(grid, {ground.get(), pitch, columns, rows, SampleType::kU16}, stream);
}

HeightOverlayPainter::HeightOverlayPainter() : impl_(std::make_unique<Impl>()) {}

HeightOverlayPainter::~HeightOverlayPainter() = default;

void HeightOverlayPainter::paint(const HeightOverlayScene& scene,
                                 const heightmap::OverlayOptions& options,
                                 const DeviceRgbaView& picture, CUstream stream) {
  Impl& impl = *impl_;
  const bool from_above = options.style == heightmap::OverlayStyle::kBirdsEye;
  impl.look.look(picture.width, picture.height, scene, options);
  HeightPictureArguments paint{};
  paint.picture = picture.bytes();
  paint.picture_pitch = picture.pitch;
  paint.width = picture.width;
  paint.height = picture.height;
  paint.rules = impl.look.rules();
  paint.samples = scene.picture.bytes();
  paint.samples_pitch = scene.picture.pitch;
  paint.labels = reinterpret_cast<const unsigned char*>(scene.labels);
  const PaintedText* const texts = impl.upload(from_above, stream, &paint);
  impl.mark_lines(stream, &paint);
  if (from_above) impl.draw_ground(scene, stream, &paint);
  (from_above ? impl.map : impl.picture)
      .start(tiled(picture.width, picture.height, kHeightPictureColumns, kHeightPictureRows,
                   kHeightPictureThreads),
             stream, paint);
  impl.marks.paint_texts(texts, static_cast<int>(impl.look.texts().size()), picture, stream);
  impl.marks.paint_legend(impl.look.legend(), {impl.look.legend_range(), nullptr, 0}, picture,
                          stream);
}

}  // namespace rdp::cuda
