// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernels/rdp/segmenter.h"

#include <algorithm>
#include <array>

#include "kernels/rdp/column_kernels.h"
#include "kernels/rdp/fit.h"
#include "kernels/rdp/fit_layout.h"
#include "kernels/rdp/lines.h"
#include "kernels/rdp/queue_layout.h"
#include "kernels/rdp/segment_arguments.h"
#include "kernels/rdp/segment_choice.h"
#include "kernels/rdp/warp_layout.h"
#include "kernels/runtime/context.h"
#include "kernels/runtime/device_memory.h"

extern "C" const unsigned char rdp_segment_queues_fatbin[];
extern "C" const unsigned char rdp_segment_warps_fatbin[];

namespace rdp::cuda {
namespace {

// Resident warps of segment_warps.cu per multiprocessor, by their registers.
constexpr int kResidentWarps = 40;
// Resident warps of its kernels with Fit::kAbsolute, and the shared memory of a block of four of
// these, with the bytes that the driver and the kernel keep for themselves.
constexpr int kResidentAbsolute = 16;
static_assert(kResidentAbsolute <= kResidentWarps / 2);  // only blocks of four columns
constexpr int kAbsoluteShared = WarpLayout(kWarpRows, 4).bytes + 4 * kFitWarpSampleBytes;
constexpr int kAbsoluteBytes = kAbsoluteShared + 2048;
// Its kernels reach the rows of a frame by 32-bit offsets.
constexpr std::int64_t kMaxOffset = std::int64_t{1} << 31;

constexpr std::uint32_t kNoLimit = 0xFFFFFFFFU;

// The most segments of a column, before any merge, that the kernels with warps have room for.
std::uint32_t most_segments(const SegmentRules& rules) {
  if (rules.plain()) return kNoLimit;
  return rules.refine ? kFitWarpPieces : kFitWarpSegments;
}

bool is_absolute(const SegmentRules& rules) { return rules.refine && rules.fit == Fit::kAbsolute; }

}  // namespace

struct Segmenter::Impl {
  ColumnKernels queues{rdp_segment_queues_fatbin,
                       {{"rdp_segment_queues_4_u8", "rdp_segment_queues_4_u16"},
                        {"rdp_segment_queues_1_u8", "rdp_segment_queues_1_u16"}}};
  KernelModule warps_module{rdp_segment_warps_fatbin};
  SampleKernels warps4{warps_module, "rdp_segment_warps_4_u8", "rdp_segment_warps_4_u16"};
  SampleKernels warps8{warps_module, "rdp_segment_warps_8_u8", "rdp_segment_warps_8_u16"};
  SampleKernels fit4{warps_module, "rdp_segment_fit_4_u8", "rdp_segment_fit_4_u16"};
  SampleKernels fit8{warps_module, "rdp_segment_fit_8_u8", "rdp_segment_fit_8_u16"};
  SampleKernels absolute4{warps_module, "rdp_segment_absolute_4_u8", "rdp_segment_absolute_4_u16"};
  int resident_columns =
      current_device_attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT) * kResidentWarps;
  int multiprocessor_shared =
      current_device_attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR);
  // resident_columns of the kernels with Fit::kAbsolute: blocks of four warps, by registers and by
  // shared memory.
  int resident_absolute = resident_columns / kResidentWarps *
                          std::min(kResidentAbsolute, multiprocessor_shared / kAbsoluteBytes * 4);
  LineFitter fitter;
  LineRefitter refitter;

  Kernels kernels = Kernels::kChosen;
  SegmentChoice choice{resident_columns};
  bool used_queues = false;
  int last_frames = 0;  // of the last launch
  int last_columns = 0;

  DeviceBuffer scratch;
  int tile_stride = 0;
  DeviceBuffer vertices;
  PinnedBuffer work;  // what the last frames were, for the choice

  // The number of columns of a block of the kernel with queues. More of them would read wider rows,
  // but the deepest column of a block keeps all its warps, so that fewer are faster (measured on an
  // H200: four rather than eight or two). Columns above kShortHeight, or too tall for the shared
  // memory, are taken one by one.
  int queue_columns(int height) const {
    constexpr int kSeveral = ColumnKernels::kColumns;
    const bool fits =
        height <= kShortHeight && QueueLayout(height, kSeveral).bytes <= queues.shared_limit();
    return fits ? kSeveral : 1;
  }

  void prepare(int width, int height);
  // Both return true if the warps have done Fit::kAbsolute, too.
  bool start(const DeviceFrames& frames, const KnownRange& known, const SegmentRules& rules,
             DeviceSegmentList* result, CUstream stream);
  bool start_warps(const DeviceFrames& frames, const SegmentRules& rules,
                   SegmentArguments* arguments, CUstream stream);
  bool takes_queues(const DeviceFrames& frames, const SegmentRules& rules,
                    DeviceSegmentList* result);
  void start_queues(const DeviceFrames& frames, SegmentArguments* arguments, CUstream stream);
  void add_scratch(SegmentArguments* arguments);
};

Segmenter::Segmenter() : impl_(std::make_unique<Impl>()) {}

Segmenter::~Segmenter() = default;

void Segmenter::use(Kernels kernels) { impl_->kernels = kernels; }

bool Segmenter::used_queues() const { return impl_->used_queues; }

void Segmenter::prepare(int width, int height) { impl_->prepare(width, height); }

void Segmenter::Impl::prepare(int width, int height) {
  if (work.get() == nullptr) {
    work.ensure(kMaxFrames * sizeof(SegmentWork));
    std::fill_n(reinterpret_cast<SegmentWork*>(work.get()), kMaxFrames, SegmentWork{});
  }
  const int tiles = blocks_of(width, queue_columns(height));
  // The kernels expect zeros where no frame has been before. Whenever a frame's words move, all of
  // the scratch is new.
  if (tiles <= tile_stride) return;
  scratch.ensure_zeros(kMaxFrames * (static_cast<std::size_t>(tiles) + 1) * sizeof(std::uint64_t));
  tile_stride = tiles;
}

bool Segmenter::Impl::takes_queues(const DeviceFrames& frames, const SegmentRules& rules,
                                   DeviceSegmentList* result) {
  if (frames.height() > kWarpRows) return true;
  for (int i = 0; i < frames.count(); ++i) {
    const std::int64_t pitch = frames[i].pitch;
    if (pitch < 0 || pitch * frames.height() >= kMaxOffset) return true;
  }
  // Whatever else has been segmented since.
  if (result->take_to_do_again()) return true;
  if (kernels != Kernels::kChosen) return kernels == Kernels::kQueues;
  // Written by the device, at the end of the last launch that is done.
  std::array<SegmentWork, kMaxFrames> last;
  const auto* const from = reinterpret_cast<const volatile SegmentWork*>(work.get());
  for (int i = 0; i < last_frames; ++i) {
    last[static_cast<std::size_t>(i)] = {from[i].most, from[i].segments};
  }
  if (last_frames > 0) {
    choice.learn({last.data(), static_cast<std::size_t>(last_frames)}, last_columns,
                 most_segments(rules));
  }
  return choice.takes_queues();
}

void Segmenter::segment(const DeviceFrames& frames, const KnownRange& known, std::int64_t eps256,
                        DeviceSegmentList* result, CUstream stream) {
  SegmentRules rules;
  rules.epsilon256 = eps256;
  segment(frames, known, rules, result, stream);
}

void Segmenter::segment(const DeviceFrames& frames, const KnownRange& known,
                        const SegmentRules& rules, DeviceSegmentList* result, CUstream stream) {
  impl_->prepare(frames.width(), frames.height());
  impl_->used_queues = impl_->takes_queues(frames, rules, result);
  impl_->last_frames = frames.count();
  impl_->last_columns = frames.width();
  bool fitted = false;
  if (impl_->used_queues && !rules.plain()) {
    const std::size_t words = vertex_words(frames.width(), frames.height());
    const CUdeviceptr vertices = impl_->vertices.ensure(static_cast<std::size_t>(frames.count()) *
                                                        words * sizeof(std::uint32_t));
    find_vertices(frames, known, rules.epsilon256, rules.max_gap, vertices, stream);
    impl_->fitter.run(frames, known, rules, vertices, result,
                      reinterpret_cast<SegmentWork*>(impl_->work.device_pointer()), stream);
  } else {
    fitted = impl_->start(frames, known, rules, result, stream);
  }
  if (is_absolute(rules) && !fitted) {
    impl_->refitter.run(frames, known, rules, *result, stream);
  }
}

// Without a second launch for pieces and merge.
bool Segmenter::Impl::start(const DeviceFrames& frames, const KnownRange& known,
                            const SegmentRules& rules, DeviceSegmentList* result, CUstream stream) {
  SegmentArguments arguments{frame_arguments(frames, known)};
  arguments.eps256 = static_cast<std::uint32_t>(rules.epsilon256);
  arguments.max_gap = rules.max_gap;
  arguments.refine = rules.refine ? 1 : 0;
  arguments.merge = rules.merge ? 1 : 0;
  arguments.truncation2 = rules.truncation2;
  arguments.price = rules.price;
  arguments.margin = rules.margin;
  arguments.near = rules.near;
  arguments.list = result->view();
  if (!used_queues) return start_warps(frames, rules, &arguments, stream);
  start_queues(frames, &arguments, stream);
  return false;
}

void Segmenter::find_vertices(const DeviceFrames& frames, const KnownRange& known,
                              std::int64_t eps256, int max_gap, CUdeviceptr vertices,
                              CUstream stream) {
  impl_->prepare(frames.width(), frames.height());
  SegmentArguments arguments{frame_arguments(frames, known)};
  arguments.eps256 = static_cast<std::uint32_t>(eps256);
  arguments.max_gap = max_gap;
  arguments.vertices = reinterpret_cast<std::uint32_t*>(vertices);
  impl_->start_queues(frames, &arguments, stream);
}

void Segmenter::Impl::add_scratch(SegmentArguments* arguments) {
  auto* const words = scratch.as<std::uint64_t>();
  arguments->launches = reinterpret_cast<std::uint32_t*>(words);
  arguments->tiles = reinterpret_cast<unsigned long long*>(words + kMaxFrames);
  arguments->tile_stride = tile_stride;
  arguments->work = reinterpret_cast<SegmentWork*>(work.device_pointer());
}

void Segmenter::Impl::start_queues(const DeviceFrames& frames, SegmentArguments* arguments,
                                   CUstream stream) {
  add_scratch(arguments);
  const int columns = queue_columns(frames.height());
  LaunchShape shape;
  shape.blocks_x = static_cast<unsigned>(blocks_of(frames.width(), columns));
  shape.blocks_y = static_cast<unsigned>(frames.count());
  shape.threads = kQueueThreads;
  shape.shared_bytes = static_cast<unsigned>(QueueLayout(frames.height(), columns).bytes);
  queues.start(columns, frames.type(), shape, stream, *arguments);
}

bool Segmenter::Impl::start_warps(const DeviceFrames& frames, const SegmentRules& rules,
                                  SegmentArguments* arguments, CUstream stream) {
  add_scratch(arguments);
  const bool plain = rules.plain();
  // Smaller blocks find more multiprocessors if the device is not full. On a full device larger
  // ones read wider rows, unless so few of them fit a multiprocessor that much of it stays empty.
  const int rows = plain ? frames.height() : kWarpRows;
  const int all_columns = frames.width() * frames.count();
  const bool is_full =
      all_columns > resident_columns / 2 && 3 * WarpLayout(rows, 8).bytes <= multiprocessor_shared;
  const int columns = is_full ? 8 : 4;
  // Fit::kAbsolute by the same warps saves a launch, but takes more registers and memory: where not
  // all of them find room at the same time, a launch of its own is faster.
  const bool absolute = is_absolute(rules) && all_columns <= resident_absolute;
  LaunchShape shape;
  shape.blocks_x = static_cast<unsigned>(blocks_of(frames.width(), columns));
  shape.blocks_y = static_cast<unsigned>(frames.count());
  shape.threads = static_cast<unsigned>(columns) * 32;
  shape.shared_bytes =
      static_cast<unsigned>(absolute ? kAbsoluteShared : WarpLayout(rows, columns).bytes);
  const SampleKernels& several = plain ? warps8 : fit8;
  const SampleKernels& few = absolute ? absolute4 : plain ? warps4 : fit4;
  (is_full ? several : few).of(frames.type()).start(shape, stream, *arguments);
  return absolute;
}

}  // namespace rdp::cuda
