// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/metadata/gpu_segments.h"

#include <algorithm>
#include <exception>

#include "common/boundary.h"
#include "kernels/runtime/cuda_error.h"

namespace rdp::gst {
namespace {

void copy_arrays(const SegmentArrays& from, SegmentList* to) {
  std::copy(from.offsets().begin(), from.offsets().end(), to->resize_columns(from.columns()));
  std::copy(from.segments().begin(), from.segments().end(), to->resize_segments());
}

}  // namespace

GpuSegments::~GpuSegments() {
  const cuda::FreeingScope scope(context_->get());
  list_.reset();
  copy_.reset();
}

RemoteRef<GpuSegments> GpuSegments::from(RecyclingPool<GpuSegments>& pool,
                                         const std::shared_ptr<const GpuContext>& context,
                                         const std::shared_ptr<ReaderWatch>& readers) {
  auto segments = pool.acquire([&] { return std::make_unique<GpuSegments>(context, readers); });
  segments->revive();
  segments->copied_ = false;
  return RemoteRef<GpuSegments>(segments.release());
}

SegmentSlice GpuSegments::slice(int frame) const {
  const int columns = list_->columns();
  return {frame * columns, static_cast<std::size_t>(frame) * list_->view().capacity, columns,
          list_->segment_count(frame)};
}

void GpuSegments::copy_ahead(const cuda::SegmentCopier& copier, std::size_t expected,
                             CUstream stream) {
  copied_ = false;
  try {
    copy_->prepare(list_->columns(), list_->frames(), expected);
  } catch (const cuda::CudaError& error) {
    if (error.result() != CUDA_ERROR_OUT_OF_MEMORY) throw;
    readers_->give_up();
    return;
  }
  copier.run(*list_, *copy_, stream);
  copied_ = true;
}

bool GpuSegments::fetch(const SegmentSlice& slice, SegmentList* host,
                        std::string* reason) noexcept {
  readers_->note();
  try {
    const int frame = slice.first_column / slice.columns;
    if (copied_ && slice.segments <= copy_->room()) {
      copy_arrays(copy_->frame(frame, slice.segments), host);
      return true;
    }
    const cuda::ContextScope scope(context_->get());
    list_->copy_to(host, context_->fetches(), frame);
    return true;
  } catch (const std::exception& error) {  // of CUDA, or no memory
    give_reason(reason, error.what());
    return false;
  }
}

}  // namespace rdp::gst
