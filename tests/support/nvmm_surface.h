// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_SUPPORT_NVMM_SURFACE_H_
#define RDP_TESTS_SUPPORT_NVMM_SURFACE_H_

#include <gst/video/video.h>

#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <vector>

#include "tests/standin/nvmm_abi.h"

// Buffers in NVMM memory as producers make them, in the layouts of NVIDIA's releases.
namespace nvmm_frames {

using Abi = nvmm_abi::Sizes;
using namespace nvmm_abi;

// Memory for the samples of one surface; freed by its deleter.
using Block = std::shared_ptr<std::uint8_t>;
using Allocate = std::function<Block(gsize bytes)>;

inline Block allocate_system(gsize bytes) {
  return {static_cast<std::uint8_t*>(g_malloc(bytes)), g_free};
}

// Copies samples into or out of such memory.
using Copy = std::function<void(void* to, const void* from, gsize bytes)>;

inline void copy_on_host(void* to, const void* from, gsize bytes) { std::memcpy(to, from, bytes); }

// The description of a batch.
struct Batch {
  Abi abi = kClassic;
  int mem_type = kSystem;
  guint size = 1;    // batchSize
  guint filled = 1;  // numFilled
  gsize pitch = 0;   // 0: the next multiple of 256, as in the library
  gsize offset = 0;  // of the plane within the surface
  Allocate allocate = allocate_system;
  Copy copy = copy_on_host;
};

// An NvBufSurface as a producer has it, with everything it points to.
class Surface {
 public:
  // `format`: GRAY8, GRAY16_LE, RGBA, NV12 or I420.
  Surface(GstVideoFormat format, int width, int height, const Batch& batch)
      : format_(format), width_(width), height_(height), batch_(batch) {
    const gsize row_bytes = this->row_bytes();
    pitch_ = batch.pitch != 0 ? batch.pitch : (row_bytes + 255) / 256 * 256;
    data_size_ = batch.offset + pitch_ * static_cast<gsize>(height);
    for (guint p = 1; p < num_planes(); ++p) data_size_ += chroma_size();
    // Unwritten bytes are not zero.
    header_.assign(batch.abi.surface / 8, 0xA5A5A5A5A5A5A5A5U);
    list_.assign(batch.abi.params / 8 * batch.size, 0xA5A5A5A5A5A5A5A5U);
    put<std::uint32_t>(surface::kGpuId, 0);
    put<std::uint32_t>(surface::kBatchSize, batch.size);
    put<std::uint32_t>(surface::kNumFilled, batch.filled);
    put<std::int32_t>(surface::kMemType, batch.mem_type);
    put<void*>(surface::kList, list_.data());
    for (guint i = 0; i < batch.size; ++i) describe(i);
  }
  Surface(const Surface&) = delete;
  Surface& operator=(const Surface&) = delete;

  // Writes a field of the NvBufSurface, and of one of its NvBufSurfaceParams.
  template <typename T>
  void put(gsize offset, T value) {
    std::memcpy(bytes() + offset, &value, sizeof value);
  }
  template <typename T>
  void put(guint index, gsize offset, T value) {
    std::memcpy(params(index) + offset, &value, sizeof value);
  }
  template <typename T>
  T get(guint index, gsize offset) const {
    T value;
    std::memcpy(&value, params(index) + offset, sizeof value);
    return value;
  }

  std::uint8_t* bytes() { return reinterpret_cast<std::uint8_t*>(header_.data()); }
  gsize size() const { return batch_.abi.surface; }
  std::uint8_t* params(guint index) const {
    return const_cast<std::uint8_t*>(reinterpret_cast<const std::uint8_t*>(list_.data())) +
           index * batch_.abi.params;
  }
  const Block& block(guint index) const { return blocks_[index]; }
  gsize pitch() const { return pitch_; }
  gsize data_size() const { return data_size_; }
  gsize row_bytes() const {
    return static_cast<gsize>(width_) * (format_ == GST_VIDEO_FORMAT_GRAY16_LE ? 2U
                                         : format_ == GST_VIDEO_FORMAT_RGBA    ? 4U
                                                                               : 1U);
  }

  // Writes samples (the luma for NV12 and I420) from rows of `stride` bytes into a surface. Padding
  // and other planes become 0xA5.
  void write(guint index, const void* samples, gsize stride) {
    std::vector<std::uint8_t> all(data_size_, 0xA5);
    for (gsize row = 0; row < static_cast<gsize>(height_); ++row) {
      std::memcpy(all.data() + batch_.offset + row * pitch_,
                  static_cast<const std::uint8_t*>(samples) + row * stride, row_bytes());
    }
    batch_.copy(blocks_[index].get(), all.data(), all.size());
  }
  // All bytes of a surface; below, its samples without row padding.
  std::vector<std::uint8_t> content(guint index) const {
    std::vector<std::uint8_t> all(data_size_);
    batch_.copy(all.data(), blocks_[index].get(), all.size());
    return all;
  }
  std::vector<std::uint8_t> samples(guint index) const {
    const std::vector<std::uint8_t> all = content(index);
    std::vector<std::uint8_t> result;
    for (gsize row = 0; row < static_cast<gsize>(height_); ++row) {
      const std::uint8_t* start = all.data() + batch_.offset + row * pitch_;
      result.insert(result.end(), start, start + row_bytes());
    }
    return result;
  }

 private:
  guint num_planes() const {
    return format_ == GST_VIDEO_FORMAT_NV12 ? 2 : format_ == GST_VIDEO_FORMAT_I420 ? 3 : 1;
  }
  // The size of one chroma plane, which has the luma's stride.
  gsize chroma_size() const { return pitch_ * static_cast<gsize>((height_ + 1) / 2); }

  void describe_chroma(guint i) {
    const auto width = static_cast<std::uint32_t>(width_ + 1) / 2;
    const auto height = static_cast<std::uint32_t>(height_ + 1) / 2;
    for (guint p = 1; p < num_planes(); ++p) {
      const gsize at = 4 * p;
      const gsize offset =
          batch_.offset + pitch_ * static_cast<gsize>(height_) + (p - 1) * chroma_size();
      put<std::uint32_t>(i, params::kPlaneWidth + at, width);
      put<std::uint32_t>(i, params::kPlaneHeight + at, height);
      put<std::uint32_t>(i, params::kPlanePitch + at, static_cast<std::uint32_t>(pitch_));
      put<std::uint32_t>(i, params::kPlaneOffset + at, static_cast<std::uint32_t>(offset));
      put<std::uint32_t>(i, params::kPlaneSize + at, static_cast<std::uint32_t>(chroma_size()));
      put<std::uint32_t>(i, params::kBytesPerPixel + at, num_planes() == 2 ? 2 : 1);
    }
  }

  int color_format() const {
    switch (format_) {
      case GST_VIDEO_FORMAT_GRAY8:
        return kGray8;
      case GST_VIDEO_FORMAT_GRAY16_LE:
        return kGray16;
      case GST_VIDEO_FORMAT_NV12:
        return kNv12;
      case GST_VIDEO_FORMAT_I420:
        return kYuv420;
      default:
        return kRgba;
    }
  }

  void describe(guint i) {
    const auto width = static_cast<std::uint32_t>(width_);
    const auto height = static_cast<std::uint32_t>(height_);
    blocks_.push_back(batch_.allocate(data_size_));
    put<std::uint32_t>(i, params::kWidth, width);
    put<std::uint32_t>(i, params::kHeight, height);
    put<std::uint32_t>(i, params::kPitch, static_cast<std::uint32_t>(pitch_));
    put<std::int32_t>(i, params::kColorFormat, color_format());
    put<std::int32_t>(i, params::kLayout, 0);
    put<std::uint64_t>(i, params::kBufferDesc, 100 + i);
    put<std::uint32_t>(i, params::kDataSize, static_cast<std::uint32_t>(data_size_));
    put<void*>(i, params::kData, blocks_[i].get());
    put<std::uint32_t>(i, params::kNumPlanes, num_planes());
    put<std::uint32_t>(i, params::kPlaneWidth, width);
    put<std::uint32_t>(i, params::kPlaneHeight, height);
    put<std::uint32_t>(i, params::kPlanePitch, static_cast<std::uint32_t>(pitch_));
    put<std::uint32_t>(i, params::kPlaneOffset, static_cast<std::uint32_t>(batch_.offset));
    put<std::uint32_t>(i, params::kPlaneSize,
                       static_cast<std::uint32_t>(
                           num_planes() == 1 ? data_size_ : pitch_ * static_cast<gsize>(height_)));
    put<std::uint32_t>(i, params::kBytesPerPixel, static_cast<std::uint32_t>(row_bytes()) / width);
    put<void*>(i, params::kEglImage, nullptr);
    describe_chroma(i);
  }

  GstVideoFormat format_;
  int width_;
  int height_;
  Batch batch_;
  gsize pitch_;
  gsize data_size_;
  std::vector<std::uint64_t> header_;
  std::vector<std::uint64_t> list_;
  std::vector<Block> blocks_;
};

// A buffer as NVIDIA's elements make it: one memory that must not be shared and maps to the
// structure. The surface lives as long as the memory.
inline GstBuffer* wrap(const std::shared_ptr<Surface>& surface, unsigned number = 0,
                       gsize mapped_size = 0) {
  auto* keeper = new std::shared_ptr<Surface>(surface);
  const gsize size = mapped_size != 0 ? mapped_size : surface->size();
  GstBuffer* buffer = gst_buffer_new();
  gst_buffer_append_memory(
      buffer, gst_memory_new_wrapped(
                  GST_MEMORY_FLAG_NO_SHARE, surface->bytes(), size, 0, size, keeper,
                  [](gpointer data) { delete static_cast<std::shared_ptr<Surface>*>(data); }));
  GST_BUFFER_PTS(buffer) = number * GST_SECOND / 30;
  GST_BUFFER_DURATION(buffer) = GST_SECOND / 30;
  return buffer;
}

}  // namespace nvmm_frames

#endif  // RDP_TESTS_SUPPORT_NVMM_SURFACE_H_
