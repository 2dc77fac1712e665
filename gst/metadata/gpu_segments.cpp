// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/metadata/gpu_segments.h"

#include <exception>

#include "common/boundary.h"

namespace rdp::gst {

GpuSegments::~GpuSegments() {
  const cuda::FreeingScope scope(context_->get());
  list_.reset();
}

RemoteRef<GpuSegments> GpuSegments::from(RecyclingPool<GpuSegments>& pool,
                                         const std::shared_ptr<const GpuContext>& context) {
  auto segments = pool.acquire([&] { return std::make_unique<GpuSegments>(context); });
  segments->revive();
  return RemoteRef<GpuSegments>(segments.release());
}

SegmentSlice GpuSegments::slice(int frame) const {
  const int columns = list_->columns();
  return {frame * columns, static_cast<std::size_t>(frame) * list_->view().capacity, columns,
          list_->segment_count(frame)};
}

bool GpuSegments::fetch(const SegmentSlice& slice, SegmentList* host,
                        std::string* reason) noexcept {
  try {
    const cuda::ContextScope scope(context_->get());
    list_->copy_to(host, context_->fetches(), slice.first_column / slice.columns);
    return true;
  } catch (const std::exception& error) {  // of CUDA, or no memory
    give_reason(reason, error.what());
    return false;
  }
}

}  // namespace rdp::gst
