// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernels/rdp/gpu_engine.h"

#include "common/image/rounding.h"
#include "kernels/filters/inverse_depth.h"
#include "kernels/filters/join_columns.h"
#include "kernels/filters/median.h"
#include "kernels/rdp/overlay.h"
#include "kernels/rdp/reconstruct.h"
#include "kernels/rdp/segmenter.h"
#include "kernels/runtime/device_memory.h"

namespace rdp::cuda {
namespace {

// A frame of the engine's own, which a filter writes.
struct FilteredFrame {
  DeviceBuffer memory;

  DeviceDepthView make(int width, int height, SampleType type) {
    constexpr std::int64_t kRowAlignment = 256;
    const std::int64_t row = std::int64_t{width} * bytes_per_sample(type);
    const std::int64_t pitch = (row + kRowAlignment - 1) / kRowAlignment * kRowAlignment;
    return {memory.ensure(static_cast<std::size_t>(pitch * height)), pitch, width, height, type};
  }
};

}  // namespace

struct GpuEngine::Impl {
  InverseDepth inverse_depth;
  MedianFilter median;
  ColumnJoiner joiner;
  Segmenter segmenter;
  Reconstructor reconstructor;
  OverlayPainter painter;
  FilteredFrame inverse_frame;
  FilteredFrame median_frame;
  FilteredFrame joined_frame;
  // What the last segment() call segmented: one of these, or the frame that it was given.
  DeviceDepthView filtered;

  DeviceDepthView filter(const DeviceDepthView& frame, const Parameters& parameters,
                         CUstream stream);
  void segment(const DeviceDepthView& frame, const Parameters& parameters,
               DeviceSegmentList* result, CUstream stream);
};

DeviceDepthView GpuEngine::Impl::filter(const DeviceDepthView& frame, const Parameters& parameters,
                                        CUstream stream) {
  DeviceDepthView current = frame;
  if (parameters.domain == Domain::kInverse) {
    const DeviceDepthView out = inverse_frame.make(frame.width, frame.height, SampleType::kU16);
    inverse_depth.run(current, parameters, out, stream);
    current = out;
  }
  if (parameters.median != Median::kNone) {
    const DeviceDepthView out = median_frame.make(frame.width, frame.height, current.type);
    median.run(current, static_cast<int>(parameters.median), out, stream);
    current = out;
  }
  if (parameters.column_width > 1) {
    const DeviceDepthView out =
        joined_frame.make(segmented_columns(frame.width, parameters), frame.height, current.type);
    joiner.run(current, segmented_known_range(parameters, frame.type), parameters.column_width, out,
               stream);
    current = out;
  }
  return current;
}

GpuEngine::GpuEngine() : impl_(std::make_unique<Impl>()) {}

GpuEngine::~GpuEngine() = default;

void GpuEngine::segment(const DeviceDepthView& frame, const Parameters& parameters,
                        DeviceSegmentList* result, CUstream stream) {
  rounded_to_nearest([&] { impl_->segment(frame, parameters, result, stream); });
}

void GpuEngine::Impl::segment(const DeviceDepthView& frame, const Parameters& parameters,
                              DeviceSegmentList* result, CUstream stream) {
  result->prepare(segmented_columns(frame.width, parameters), frame.height);
  filtered = filter(frame, parameters, stream);
  const KnownRange known = segmented_known_range(parameters, frame.type);
  segmenter.segment(filtered, known, segment_rules(parameters), result, stream);
}

void GpuEngine::reconstruct(const DeviceDepthView& frame, const Parameters& parameters,
                            const DeviceSegmentList& segments, CUstream stream) {
  const bool was_filtered = parameters.domain == Domain::kInverse ||
                            parameters.median != Median::kNone || parameters.column_width > 1;
  rounded_to_nearest([&] {
    impl_->reconstructor.run(was_filtered ? impl_->filtered : frame, segments.view(), parameters,
                             frame, stream);
  });
}

void GpuEngine::paint(const DeviceDepthView& frame, const DeviceSegmentList& segments,
                      const Parameters& parameters, const OverlayOptions& options,
                      const DeviceRgbaView& picture, CUstream stream) {
  rounded_to_nearest(
      [&] { impl_->painter.run(frame, segments.view(), parameters, options, picture, stream); });
}

}  // namespace rdp::cuda
