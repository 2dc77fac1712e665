// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernels/segmenter.h"

#include <algorithm>

#include "kernels/context.h"
#include "kernels/cuda_error.h"
#include "kernels/device_memory.h"
#include "kernels/driver.h"
#include "kernels/kernel_module.h"
#include "kernels/segment_arguments.h"
#include "kernels/segment_layout.h"

extern "C" const unsigned char rdp_segment_fatbin[];

namespace rdp::cuda {
namespace {

// How many columns a block may take. More of them would read wider rows, but the deepest column of
// a block keeps all its warps, so that fewer are faster (measured on an H200: four rather than
// eight or two). Columns above kShortHeight, or too tall for the shared memory, are taken one by
// one.
struct Variant {
  int columns;
  const char* names[2];  // for samples of one and of two bytes
};
constexpr Variant kVariants[] = {
    {4, {"rdp_segment_4_u8", "rdp_segment_4_u16"}},
    {1, {"rdp_segment_1_u8", "rdp_segment_1_u16"}},
};
constexpr int kFewestColumns = 1;
// What the kernels have besides, without asking for it.
constexpr int kStaticShared = 1024;

int blocks_of(int width, int columns) { return (width + columns - 1) / columns; }

}  // namespace

struct Segmenter::Impl {
  KernelModule module{rdp_segment_fatbin};
  int shared_limit =
      current_device_attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN) -
      kStaticShared;
  CUfunction kernels[std::size(kVariants)][2] = {};
  DeviceBuffer scratch;

  Impl() {
    for (std::size_t i = 0; i < std::size(kVariants); ++i) {
      for (int wide = 0; wide < 2; ++wide) {
        kernels[i][wide] =
            module.kernel(kVariants[i].names[wide], static_cast<unsigned>(shared_limit));
      }
    }
  }

  // The variant with the most columns that fit.
  std::size_t choose(int height) const {
    std::size_t i = 0;
    while (kVariants[i].columns > kFewestColumns &&
           (height > kShortHeight ||
            SegmentLayout(height, kVariants[i].columns).bytes > shared_limit)) {
      ++i;
    }
    return i;
  }
};

Segmenter::Segmenter() : impl_(std::make_unique<Impl>()) {}

Segmenter::~Segmenter() = default;

void Segmenter::prepare(int width, int height) {
  const int blocks = blocks_of(width, kVariants[impl_->choose(height)].columns);
  const std::size_t bytes = (static_cast<std::size_t>(blocks) + 1) * sizeof(std::uint64_t);
  if (bytes <= impl_->scratch.size()) return;
  // The kernels expect zeros where no frame has been before. This is rare, so it may wait: the
  // next frame can come on any stream.
  impl_->scratch.ensure(bytes);
  check(driver().cuMemsetD8Async(impl_->scratch.get(), 0, impl_->scratch.size(), nullptr),
        "clearing the segmentation's scratch memory");
  check(driver().cuStreamSynchronize(nullptr), "clearing the segmentation's scratch memory");
}

void Segmenter::segment(const DeviceDepthView& frame, const KnownRange& known, std::int64_t eps256,
                        DeviceSegmentList* result, CUstream stream) {
  SegmentArguments arguments{};
  arguments.list = result->view();
  start(frame, known, eps256, &arguments, stream);
}

void Segmenter::find_vertices(const DeviceDepthView& frame, const KnownRange& known,
                              std::int64_t eps256, int max_gap, CUdeviceptr vertices,
                              CUstream stream) {
  SegmentArguments arguments{};
  arguments.max_gap = max_gap;
  arguments.vertices = reinterpret_cast<std::uint32_t*>(vertices);
  start(frame, known, eps256, &arguments, stream);
}

void Segmenter::start(const DeviceDepthView& frame, const KnownRange& known, std::int64_t eps256,
                      SegmentArguments* arguments, CUstream stream) {
  prepare(frame.width, frame.height);
  const std::size_t variant = impl_->choose(frame.height);
  const int wide = frame.type == SampleType::kU16 ? 1 : 0;
  const int columns = kVariants[variant].columns;
  arguments->frame = reinterpret_cast<const unsigned char*>(frame.data);
  arguments->pitch = frame.pitch;
  arguments->width = frame.width;
  arguments->height = frame.height;
  // Limits beyond 16 bits are as good as the largest sample, but for a range that starts there,
  // which is empty.
  const bool empty = known.first > known.last || known.first > 65535;
  arguments->known_first = empty ? 1 : known.first;
  arguments->known_last = empty ? 0 : std::min(known.last, 65535U);
  arguments->eps256 = static_cast<std::uint32_t>(eps256);
  arguments->sample_bytes = static_cast<std::uint32_t>(bytes_per_sample(frame.type));
  auto* const scratch = impl_->scratch.as<std::uint64_t>();
  arguments->frames = reinterpret_cast<std::uint32_t*>(scratch);
  arguments->tiles = reinterpret_cast<unsigned long long*>(scratch + 1);
  LaunchShape shape;
  shape.blocks_x = static_cast<unsigned>(blocks_of(frame.width, columns));
  shape.threads = kSegmentThreads;
  shape.shared_bytes = static_cast<unsigned>(SegmentLayout(frame.height, columns).bytes);
  launch(impl_->kernels[variant][wide], kVariants[variant].names[wide], shape, stream, *arguments);
}

}  // namespace rdp::cuda
