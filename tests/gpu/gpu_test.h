// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_GPU_GPU_TEST_H_
#define RDP_TESTS_GPU_GPU_TEST_H_

#include <cuda.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "common/image/depth_view.h"
#include "common/rdp/overlay.h"
#include "common/rdp/segment_list.h"
#include "kernels/rdp/device_segment_list.h"
#include "kernels/runtime/context.h"
#include "kernels/runtime/cuda_error.h"
#include "kernels/runtime/device_memory.h"
#include "kernels/runtime/device_view.h"
#include "kernels/runtime/driver.h"
#include "tests/standin/standin.h"

namespace rdp::test {

// Exit status that Meson counts as skipped.
inline constexpr int kSkipped = 77;

// True if a CUDA device exists. Otherwise prints the reason in one line.
inline bool have_gpu() {
  std::string reason;
  if (cuda::load_driver(&reason) == nullptr) {
    std::printf("SKIP: %s\n", reason.c_str());
    return false;
  }
  if (cuda::device_count() == 0) {
    std::printf("SKIP: the NVIDIA driver finds no CUDA device\n");
    return false;
  }
  return true;
}

// True if the driver is the stand-in of tests/standin, which runs no kernels.
inline bool is_standin() { return standin::available(); }

// The main() of test programs that need a device for every test.
inline int gpu_test_main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  if (!have_gpu()) return kSkipped;
  return RUN_ALL_TESTS();
}

// The first device's primary context, kept until the program ends.
inline CUcontext gpu_context() {
  static const auto* const primary = new cuda::PrimaryContext(0);
  return primary->get();
}

// A test with a stream, in which gpu_context() is current.
class GpuTest : public ::testing::Test {
 protected:
  CUstream stream() const { return stream_.get(); }
  // Call before comparing results: nothing here waits for the stream implicitly.
  void synchronize() const { stream_.synchronize(); }

 private:
  cuda::ContextScope scope_{gpu_context()};
  cuda::Stream stream_;
};

// The layout of image rows in device memory.
struct GpuLayout {
  int padding = 0;  // bytes between the rows
  int offset = 0;   // bytes from an aligned address to the first row
  // Guard bytes after the last row. With 0, the allocation ends with the last sample, so that
  // compute-sanitizer detects reads beyond it.
  int tail = 256;
};

// Copies `size` bytes to or from the device, synchronously.
inline void copy_to_device(CUdeviceptr to, const void* from, std::size_t size) {
  if (size == 0) return;
  cuda::check(cuda::driver().cuMemcpyHtoDAsync_v2(to, from, size, nullptr), "copying test data");
  cuda::check(cuda::driver().cuStreamSynchronize(nullptr), "copying test data");
}
inline void copy_from_device(void* to, CUdeviceptr from, std::size_t size) {
  if (size == 0) return;
  cuda::check(cuda::driver().cuMemcpyDtoHAsync_v2(to, from, size, nullptr), "copying results");
  cuda::check(cuda::driver().cuStreamSynchronize(nullptr), "copying results");
}

// Byte rows in device memory of their own, with guard bytes before, between and after them.
class GpuImage {
 public:
  GpuImage(std::size_t row_bytes, int height, GpuLayout layout)
      : row_bytes_(row_bytes),
        pitch_(row_bytes + static_cast<std::size_t>(layout.padding)),
        height_(height),
        first_(kFront + static_cast<std::size_t>(layout.offset)),
        host_(first_ + pitch_ * static_cast<std::size_t>(height - 1) + row_bytes +
                  static_cast<std::size_t>(layout.tail),
              kGuard) {
    memory_.ensure(host_.size());
    copy_to_device(memory_.get(), host_.data(), host_.size());
  }

  // Gives the rows their content.
  void upload(const std::byte* rows, std::ptrdiff_t stride) {
    for (int row = 0; row < height_; ++row) {
      std::copy_n(rows + row * stride, row_bytes_, host_.begin() + at(row));
    }
    copy_to_device(memory_.get(), host_.data(), host_.size());
  }

  // The first difference from these rows, or the first changed guard byte; empty if there is none.
  std::string difference(const std::byte* rows, std::ptrdiff_t stride, int sample_bytes) const {
    std::vector<std::byte> expected(host_.size(), kGuard);
    for (int row = 0; row < height_; ++row) {
      std::copy_n(rows + row * stride, row_bytes_, expected.begin() + at(row));
    }
    std::vector<std::byte> actual(host_.size());
    copy_from_device(actual.data(), memory_.get(), actual.size());
    for (std::size_t i = 0; i < actual.size(); ++i) {
      if (actual[i] == expected[i]) continue;
      const std::ptrdiff_t from_first =
          static_cast<std::ptrdiff_t>(i) - static_cast<std::ptrdiff_t>(first_);
      if (from_first < 0) return "byte " + std::to_string(from_first) + " before the first row";
      const auto row = static_cast<std::size_t>(from_first) / pitch_;
      const auto byte = static_cast<std::size_t>(from_first) % pitch_;
      const auto rest = byte % static_cast<std::size_t>(sample_bytes);
      const auto sample = [&](const std::vector<std::byte>& bytes) {
        std::uint32_t value = 0;
        for (int b = sample_bytes - 1; b >= 0; --b) {
          const std::size_t index = i - rest + static_cast<std::size_t>(b);
          value = value << 8 |
                  (index < bytes.size() ? std::to_integer<std::uint32_t>(bytes[index]) : 0U);
        }
        return std::to_string(value);
      };
      const std::string place =
          "row " + std::to_string(row) + ", column " + std::to_string(byte / sample_bytes);
      if (byte >= row_bytes_ || row >= static_cast<std::size_t>(height_)) {
        return place + ", which is outside of the image, was written";
      }
      return place + ": expected " + sample(expected) + ", got " + sample(actual);
    }
    return {};
  }

  // One row as it is on the device.
  std::vector<std::byte> row(int number) const {
    std::vector<std::byte> bytes(row_bytes_);
    copy_from_device(bytes.data(), data() + static_cast<std::size_t>(number) * pitch_,
                     bytes.size());
    return bytes;
  }

  CUdeviceptr data() const { return memory_.get() + first_; }
  std::int64_t pitch() const { return static_cast<std::int64_t>(pitch_); }

 private:
  static constexpr std::size_t kFront = 256;  // keeps an offset of 0 aligned
  static constexpr std::byte kGuard{0xA5};

  std::ptrdiff_t at(int row) const {
    return static_cast<std::ptrdiff_t>(first_ + static_cast<std::size_t>(row) * pitch_);
  }

  std::size_t row_bytes_;
  std::size_t pitch_;
  int height_;
  std::size_t first_;
  std::vector<std::byte> host_;
  cuda::DeviceBuffer memory_;
};

// An 8-bit copy of a frame of 16-bit samples that all fit 8 bits.
class NarrowFrame {
 public:
  explicit NarrowFrame(const DepthView& wide)
      : bytes_(static_cast<std::size_t>(wide.width) * static_cast<std::size_t>(wide.height)),
        view_{bytes_.data(), wide.width, wide.width, wide.height, SampleType::kU8} {
    for (int row = 0; row < wide.height; ++row) {
      for (int column = 0; column < wide.width; ++column) {
        view_.set(row, column, wide.at(row, column));
      }
    }
  }
  NarrowFrame(const NarrowFrame&) = delete;
  NarrowFrame& operator=(const NarrowFrame&) = delete;

  const MutableDepthView& view() const { return view_; }

 private:
  std::vector<std::byte> bytes_;
  MutableDepthView view_;
};

// A frame of samples in device memory.
class GpuFrame {
 public:
  GpuFrame(int width, int height, SampleType type, GpuLayout layout = {})
      : image_(static_cast<std::size_t>(width * bytes_per_sample(type)), height, layout),
        view_{image_.data(), image_.pitch(), width, height, type} {}
  explicit GpuFrame(const DepthView& samples, GpuLayout layout = {})
      : GpuFrame(samples.width, samples.height, samples.type, layout) {
    image_.upload(samples.data, samples.stride);
  }

  const cuda::DeviceDepthView& view() const { return view_; }

  // The samples of one row as they are on the device.
  std::vector<std::uint16_t> row(int number) const {
    const std::vector<std::byte> bytes = image_.row(number);
    const DepthView line{bytes.data(), 0, view_.width, 1, view_.type};
    std::vector<std::uint16_t> samples(static_cast<std::size_t>(view_.width));
    for (int x = 0; x < view_.width; ++x) samples[static_cast<std::size_t>(x)] = line.at(0, x);
    return samples;
  }

  // The first difference from `expected`, or the first changed guard byte; empty if there is none.
  // `expected` must have the size of this frame; its samples may have 16 bits where this frame has
  // 8.
  std::string difference(const DepthView& expected) const {
    if (expected.type == view_.type) {
      return image_.difference(expected.data, expected.stride, bytes_per_sample(view_.type));
    }
    const NarrowFrame narrow(expected);
    return image_.difference(narrow.view().data, narrow.view().stride, 1);
  }

 private:
  GpuImage image_;
  cuda::DeviceDepthView view_;
};

// Several frames of one size and type, for kernels that process batches.
class GpuFrames {
 public:
  // Frame i has the samples of frame i of `samples`, and the layout that layout_of() returns.
  template <typename Frames, typename LayoutOf>
  GpuFrames(const Frames& samples, LayoutOf layout_of) {
    for (const auto& frame : samples) frames_.emplace_back(DepthView(frame.view()), layout_of());
    take_views();
  }
  // Without content.
  template <typename LayoutOf>
  GpuFrames(std::size_t count, int width, int height, SampleType type, LayoutOf layout_of) {
    for (std::size_t i = 0; i < count; ++i) frames_.emplace_back(width, height, type, layout_of());
    take_views();
  }

  cuda::DeviceFrames view() const { return std::span<const cuda::DeviceDepthView>(views_); }
  std::size_t size() const { return frames_.size(); }
  const GpuFrame& operator[](std::size_t i) const { return frames_[i]; }

 private:
  void take_views() {
    for (const GpuFrame& frame : frames_) views_.push_back(frame.view());
  }

  std::vector<GpuFrame> frames_;
  std::vector<cuda::DeviceDepthView> views_;
};

// A picture in device memory.
class GpuPicture {
 public:
  GpuPicture(int width, int height, GpuLayout layout = {})
      : image_(static_cast<std::size_t>(width) * 4, height, layout),
        view_{image_.data(), image_.pitch(), width, height} {}

  const cuda::DeviceRgbaView& view() const { return view_; }

  std::string difference(const RgbaView& expected) const {
    return image_.difference(expected.data, expected.stride, 4);
  }

 private:
  GpuImage image_;
  cuda::DeviceRgbaView view_;
};

// Segments copied from the host to device memory, in the layout of the kernels: one frame, or a
// slice per frame. `capacity`: room for segments per slice; -1 = as many as needed.
class GpuSegments {
 public:
  explicit GpuSegments(const SegmentList& list, std::int64_t capacity = -1)
      : GpuSegments(std::span(&list, 1), capacity) {}
  explicit GpuSegments(std::span<const SegmentList> lists, std::int64_t capacity = -1) {
    auto room = static_cast<std::size_t>(std::max<std::int64_t>(capacity, 0));
    if (capacity < 0) {
      for (const SegmentList& list : lists) room = std::max(room, list.segment_count());
    }
    const std::size_t offset_bytes = lists.front().offsets().size_bytes();
    const CUdeviceptr offsets = offsets_.ensure(lists.size() * offset_bytes);
    const CUdeviceptr segments = segments_.ensure(lists.size() * room * sizeof(Segment) + 16);
    report_.ensure(lists.size() * sizeof(std::uint32_t));
    for (std::size_t i = 0; i < lists.size(); ++i) {
      copy_to_device(offsets + i * offset_bytes, lists[i].offsets().data(), offset_bytes);
      copy_to_device(segments + i * room * sizeof(Segment), lists[i].segments().data(),
                     std::min(room, lists[i].segment_count()) * sizeof(Segment));
    }
    view_ = {offsets_.as<std::uint32_t>(),     segments_.as<cuda::DeviceSegment>(),
             report_.as<std::uint32_t>(),      static_cast<std::uint32_t>(lists.front().columns()),
             static_cast<std::uint32_t>(room), static_cast<std::uint32_t>(lists.size())};
  }

  const cuda::SegmentListView& view() const { return view_; }

 private:
  cuda::DeviceBuffer offsets_;
  cuda::DeviceBuffer segments_;
  cuda::DeviceBuffer report_;
  cuda::SegmentListView view_{};
};

// A random layout: aligned or not, with or without guard bytes at the end. Rows of 2- or 4-byte
// samples stay aligned to their samples.
inline GpuLayout random_layout(int sample_bytes, std::mt19937* random) {
  const auto below = [&](unsigned n) { return static_cast<int>((*random)() % n); };
  GpuLayout layout;
  layout.padding = below(3) == 0 ? 0 : below(40) * sample_bytes;
  layout.offset = below(3) == 0 ? 0 : below(16) * sample_bytes;
  layout.tail = below(2) == 0 ? 0 : 256;
  return layout;
}

}  // namespace rdp::test

#endif  // RDP_TESTS_GPU_GPU_TEST_H_
