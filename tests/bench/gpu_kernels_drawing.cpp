// SPDX-License-Identifier: LGPL-2.1-or-later
// Times of rdpoverlay's drawing on pictures in GPU memory: segments of depthtestsrc's street on
// pictures of 1280x720. Both methods must first give bit-identical results.
//
//   painted on the CPU   --threads threads paint the drawing, which is uploaded and blended
//   on the GPU           one kernel paints and blends the uploaded segments
//   kernel               the latter by CUDA events, without the upload
//
// Times are the median and the least of --replays, until the stream is done. They exclude the
// placing, which both share and which is printed beside.
#include <cstdio>
#include <string>
#include <vector>

#include "common/image/row_bands.h"
#include "common/image/thread_pool.h"
#include "kernels/filters/filters.h"
#include "kernels/rdp/placed_painter.h"
#include "kernels/runtime/band_transfer.h"
#include "kernels/runtime/cuda_error.h"
#include "kernels/runtime/driver.h"
#include "tests/bench/drawn_street.h"
#include "tests/bench/gpu_kernels.h"
#include "tests/gpu/extra_driver.h"

namespace rdp::bench {
namespace {

constexpr std::size_t kPixels = std::size_t{kDrawnWidth} * kDrawnHeight;

int pictures_of(const KernelOptions& options) {
  return options.quick ? 3 : options.replays_or(201);
}

// A picture on the device that is drawn on repeatedly.
class Drawn {
 public:
  Drawn(bool nv12, CUstream stream) : nv12_(nv12), stream_(stream) {
    picture_.ensure(4 * kPixels);
    drawing_.ensure(4 * kPixels);
  }

  // The earlier method: paints on the host, uploads, blends.
  void by_host(const PlacedSegments& segments, ThreadPool* pool) {
    constexpr int kBand = 64;  // as in rdpoverlay
    const std::ptrdiff_t stride = std::ptrdiff_t{4} * kDrawnWidth;
    const RgbaView painted{painted_.data(), stride, kDrawnWidth, kDrawnHeight};
    for_bands(pool, kDrawnHeight, kBand,
              [&](int first, int end) { segments.paint(painted, first, end); });
    const cuda::DeviceRgbaView drawing{drawing_.get(), stride, kDrawnWidth, kDrawnHeight};
    transfer_.upload({painted.data, stride, static_cast<std::size_t>(stride), kDrawnHeight},
                     {drawing.data, static_cast<std::size_t>(stride)}, stream_);
    if (nv12_) {
      blender_.run(drawing, matrix_, nv12(), stream_);
    } else {
      blender_.run(drawing, rgba(), stream_);
    }
    wait_for(stream_);
  }
  void by_device(const PlacedSegments& segments) {
    arrays_.take(segments, kDrawnWidth, kDrawnHeight, stream_);
    paint();
    wait_for(stream_);
  }
  // Paints the latest arrays.
  void paint() {
    if (nv12_) {
      painter_.run(arrays_, matrix_, nv12(), stream_);
    } else {
      painter_.run(arrays_, rgba(), stream_);
    }
  }

  void fill() {
    std::vector<std::byte> bytes(4 * kPixels);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      bytes[i] = static_cast<std::byte>(i * 37 + i / 251);
    }
    cuda::check(
        cuda::driver().cuMemcpyHtoDAsync_v2(picture_.get(), bytes.data(), bytes.size(), stream_),
        "copying a picture");
    wait_for(stream_);
  }
  std::vector<std::byte> bytes() { return bytes_on_device(picture_.get(), 4 * kPixels); }

 private:
  cuda::DeviceRgbaView rgba() const {
    return {picture_.get(), std::int64_t{4} * kDrawnWidth, kDrawnWidth, kDrawnHeight};
  }
  cuda::DeviceNv12View nv12() const {
    return {picture_.get(), kDrawnWidth, picture_.get() + kPixels,
            kDrawnWidth,    kDrawnWidth, kDrawnHeight};
  }

  const bool nv12_;
  const CUstream stream_;
  const YuvMatrix matrix_ = yuv_matrix(0.2126, 0.0722, false);
  std::vector<std::byte> painted_ = std::vector<std::byte>(4 * kPixels);
  cuda::DeviceBuffer picture_;
  cuda::DeviceBuffer drawing_;
  cuda::BandTransfer transfer_;
  cuda::Blender blender_;
  cuda::PlacedArrays arrays_;
  cuda::PlacedPainter painter_;
};

void measure(const DrawnStreet& street, bool projected, OverlayStyle style, bool nv12,
             const KernelOptions& options, const LaunchTimer& timer) {
  ThreadPool pool;
  pool.resize(static_cast<unsigned>(options.threads));
  PlacedSegments segments;
  const auto place = [&] {
    if (projected) {
      street.project(&segments, style);
    } else {
      street.place(&segments, style);
    }
  };
  const Times placing = time_on_host(3, pictures_of(options), place);
  Drawn drawn(nv12, timer.stream());
  drawn.fill();
  drawn.by_host(segments, &pool);
  const std::vector<std::byte> expected = drawn.bytes();
  drawn.fill();
  drawn.by_device(segments);
  require(drawn.bytes() == expected, "the GPU's picture is not that of the CPU");
  if (options.check) return;
  const Times before =
      time_on_host(3, pictures_of(options), [&] { drawn.by_host(segments, &pool); });
  const Times now = time_on_host(3, pictures_of(options), [&] { drawn.by_device(segments); });
  // The stand-in driver lacks such events.
  Times kernel;
  if (test::extra_driver() != nullptr) {
    kernel = timer.time([&] { drawn.paint(); }, pictures_of(options));
  }
  std::printf("| %dx%d | %zu | %s, %s | %s | %.0f | %.0f | %.0f | %.1f | %.1f | %.1f | %.1f |\n",
              street.width(), street.height(), street.segments(),
              style == OverlayStyle::kClasses ? "classes" : "segments",
              projected ? "projected" : "scaled", nv12 ? "NV12" : "RGBA", placing.median,
              before.median, before.least, now.median, now.least, kernel.median, kernel.least);
  std::fflush(stdout);
}

}  // namespace

void measure_drawing(const KernelOptions& options) {
  const LaunchTimer timer;
  std::printf(
      "pictures of %dx%d, %d for each number, %d threads of the CPU; the same bits both ways\n\n"
      "| frame | segments | drawn | picture | placing, us | painted on the CPU, us | least | on "
      "the GPU, us | least | kernel, us | least |\n|---|---|---|---|---|---|---|---|---|---|---|\n",
      kDrawnWidth, kDrawnHeight, pictures_of(options), options.threads);
  for (const DrawnStreet& street : {DrawnStreet(1242, 375, 2.0), DrawnStreet(640, 480, 1.0)}) {
    for (const bool projected : {false, true}) {
      for (const OverlayStyle style : {OverlayStyle::kSegments, OverlayStyle::kClasses}) {
        for (const bool nv12 : {false, true}) {
          measure(street, projected, style, nv12, options, timer);
        }
      }
    }
  }
}

}  // namespace rdp::bench
