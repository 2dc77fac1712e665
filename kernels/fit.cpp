// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernels/fit.h"

#include <algorithm>

#include "kernels/context.h"
#include "kernels/cuda_error.h"
#include "kernels/device_memory.h"
#include "kernels/driver.h"
#include "kernels/fit_arguments.h"
#include "kernels/fit_layout.h"
#include "kernels/kernel_module.h"

extern "C" const unsigned char rdp_fit_fatbin[];

namespace rdp::cuda {
namespace {

struct Variant {
  int columns;
  const char* names[2];  // for samples of one and of two bytes
};
constexpr Variant kVariants[] = {
    {kFitColumns, {"rdp_fit_4_u8", "rdp_fit_4_u16"}},
    {1, {"rdp_fit_1_u8", "rdp_fit_1_u16"}},
};
static_assert(kFitColumns == 4);
// What the kernels have besides, without asking for it.
constexpr int kStaticShared = 1024;
// As many blocks work on a multiprocessor at a time, at most.
constexpr int kBlocksPerMultiprocessor = 4;
// The room for the pieces of unusual columns is for every block; tall frames have fewer blocks.
constexpr std::int64_t kMostPieceBytes = std::int64_t{128} << 20;

}  // namespace

struct LineFitter::Impl {
  KernelModule module{rdp_fit_fatbin};
  int shared_limit =
      current_device_attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN) -
      kStaticShared;
  int most_blocks =
      current_device_attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT) * kBlocksPerMultiprocessor;
  CUfunction kernels[std::size(kVariants)][2] = {};
  DeviceBuffer scratch;
  DeviceBuffer pieces;

  Impl() {
    for (std::size_t i = 0; i < std::size(kVariants); ++i) {
      for (int wide = 0; wide < 2; ++wide) {
        kernels[i][wide] =
            module.kernel(kVariants[i].names[wide], static_cast<unsigned>(shared_limit));
      }
    }
  }

  // Zeros where no frame has been before. This is rare, so it may wait: the next frame can come on
  // any stream.
  void prepare(int tiles) {
    const std::size_t bytes = (static_cast<std::size_t>(tiles) + 2) * sizeof(std::uint64_t);
    if (bytes <= scratch.size()) return;
    scratch.ensure(bytes);
    check(driver().cuMemsetD8Async(scratch.get(), 0, scratch.size(), nullptr),
          "clearing the line fitter's scratch memory");
    check(driver().cuStreamSynchronize(nullptr), "clearing the line fitter's scratch memory");
  }
};

LineFitter::LineFitter() : impl_(std::make_unique<Impl>()) {}

LineFitter::~LineFitter() = default;

void LineFitter::run(const DeviceDepthView& frame, const KnownRange& known,
                     const SegmentRules& rules, CUdeviceptr vertices, DeviceSegmentList* result,
                     CUstream stream) {
  const std::size_t variant =
      FitLayout(frame.height, kVariants[0].columns).bytes <= impl_->shared_limit ? 0 : 1;
  const int columns = kVariants[variant].columns;
  const int tiles = (frame.width + columns - 1) / columns;
  impl_->prepare(tiles);
  FitArguments arguments{};
  arguments.pieces_bytes = PiecesLayout(frame.height).bytes * columns;
  const std::int64_t blocks = std::clamp<std::int64_t>(kMostPieceBytes / arguments.pieces_bytes, 1,
                                                       std::min(impl_->most_blocks, tiles));
  arguments.frame = reinterpret_cast<const unsigned char*>(frame.data);
  arguments.pitch = frame.pitch;
  arguments.width = frame.width;
  arguments.height = frame.height;
  // As in Segmenter::segment().
  const bool empty = known.first > known.last || known.first > 65535;
  arguments.known_first = empty ? 1 : known.first;
  arguments.known_last = empty ? 0 : std::min(known.last, 65535U);
  arguments.sample_bytes = static_cast<std::uint32_t>(bytes_per_sample(frame.type));
  arguments.max_gap = rules.max_gap;
  arguments.refine = rules.refine ? 1 : 0;
  arguments.merge = rules.merge ? 1 : 0;
  arguments.truncation2 = rules.truncation2;
  arguments.price = rules.price;
  arguments.vertices = reinterpret_cast<const std::uint32_t*>(vertices);
  auto* const scratch = impl_->scratch.as<std::uint64_t>();
  arguments.counters = reinterpret_cast<std::uint32_t*>(scratch);
  arguments.tiles = reinterpret_cast<unsigned long long*>(scratch + 2);
  arguments.pieces = reinterpret_cast<unsigned char*>(
      impl_->pieces.ensure(static_cast<std::size_t>(arguments.pieces_bytes * blocks)));
  arguments.list = result->view();
  LaunchShape shape;
  shape.blocks_x = static_cast<unsigned>(blocks);
  shape.threads = static_cast<unsigned>(columns * kFitColumnThreads);
  shape.shared_bytes = static_cast<unsigned>(FitLayout(frame.height, columns).bytes);
  const int wide = frame.type == SampleType::kU16 ? 1 : 0;
  launch(impl_->kernels[variant][wide], kVariants[variant].names[wide], shape, stream, arguments);
}

}  // namespace rdp::cuda
