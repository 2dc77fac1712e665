// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernels/rdp/engine.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "common/image/float_environment.h"
#include "kernels/filters/filters.h"
#include "kernels/primitives/frame_list.h"
#include "kernels/rdp/lines.h"
#include "kernels/rdp/overlay.h"
#include "kernels/rdp/segmenter.h"
#include "kernels/runtime/device_memory.h"

namespace rdp::cuda {
namespace {

// Frames of the engine's own, which a filter writes, in one piece of memory.
class FilteredFrames {
 public:
  // Makes as many frames as `like` has, of its height and of this width and type.
  DeviceFrames make(const DeviceFrames& like, int width, SampleType type) {
    constexpr std::int64_t kRowAlignment = 256;
    const std::int64_t row = std::int64_t{width} * bytes_per_sample(type);
    const std::int64_t pitch = (row + kRowAlignment - 1) / kRowAlignment * kRowAlignment;
    const auto count = static_cast<std::size_t>(like.count());
    const auto bytes = static_cast<std::size_t>(pitch * like.height());
    const CUdeviceptr first = memory_.ensure(count * bytes);
    for (std::size_t i = 0; i < count; ++i) {
      views_[i] = {first + i * bytes, pitch, width, like.height(), type};
    }
    return std::span<const DeviceDepthView>(views_.data(), count);
  }

 private:
  DeviceBuffer memory_;
  std::array<DeviceDepthView, kMaxFrames> views_;
};

bool filters(const Parameters& parameters) {
  return parameters.domain == Domain::kInverse || parameters.median != Median::kNone ||
         parameters.column_width > 1;
}

}  // namespace

struct SegmentEngine::Impl {
  InverseDepth inverse_depth;
  MedianFilter median;
  ColumnJoiner joiner;
  Segmenter segmenter;
  Reconstructor reconstructor;
  OverlayPainter painter;
  FilteredFrames inverse_frames;
  FilteredFrames median_frames;
  FilteredFrames joined_frames;
  // The filtered frames that the last segment() call segmented, if it filtered.
  DeviceFrames filtered{std::span<const DeviceDepthView>()};

  DeviceFrames filter(const DeviceFrames& frames, const Parameters& parameters, CUstream stream);
  void segment(const DeviceFrames& frames, const Parameters& parameters, DeviceSegmentList* result,
               CUstream stream);
};

DeviceFrames SegmentEngine::Impl::filter(const DeviceFrames& frames, const Parameters& parameters,
                                         CUstream stream) {
  DeviceFrames current = frames;
  if (parameters.domain == Domain::kInverse) {
    const DeviceFrames out = inverse_frames.make(frames, frames.width(), SampleType::kU16);
    inverse_depth.run(current, parameters, out, stream);
    current = out;
  }
  if (parameters.median != Median::kNone) {
    const DeviceFrames out = median_frames.make(frames, frames.width(), current.type());
    median.run(current, static_cast<int>(parameters.median), out, stream);
    current = out;
  }
  if (parameters.column_width > 1) {
    const DeviceFrames out =
        joined_frames.make(frames, segmented_columns(frames.width(), parameters), current.type());
    joiner.run(current, segmented_known_range(parameters, frames.type()), parameters.column_width,
               out, stream);
    current = out;
  }
  return current;
}

SegmentEngine::SegmentEngine() : impl_(std::make_unique<Impl>()) {}

SegmentEngine::~SegmentEngine() = default;

void SegmentEngine::segment(const DeviceFrames& frames, const Parameters& parameters,
                            DeviceSegmentList* result, CUstream stream) {
  with_standard_floats([&] { impl_->segment(frames, parameters, result, stream); });
}

void SegmentEngine::Impl::segment(const DeviceFrames& frames, const Parameters& parameters,
                                  DeviceSegmentList* result, CUstream stream) {
  result->prepare(segmented_columns(frames.width(), parameters), frames.height(), frames.count());
  const DeviceFrames segmented = filter(frames, parameters, stream);
  if (filters(parameters)) filtered = segmented;
  const KnownRange known = segmented_known_range(parameters, frames.type());
  segmenter.segment(segmented, known, segment_rules(parameters), result, stream);
}

void SegmentEngine::reconstruct(const DeviceFrames& frames, const Parameters& parameters,
                                const DeviceSegmentList& segments, CUstream stream) {
  with_standard_floats([&] {
    impl_->reconstructor.run(filters(parameters) ? impl_->filtered : frames, segments.view(),
                             parameters, frames, stream);
  });
}

void SegmentEngine::paint(const DeviceDepthView& frame, const DeviceSegmentList& segments,
                          int slice, const Parameters& parameters, const OverlayOptions& options,
                          const DeviceRgbaView& picture, CUstream stream) {
  with_standard_floats([&] {
    impl_->painter.run(frame, segments.view(), slice, parameters, options, picture, stream);
  });
}

}  // namespace rdp::cuda
