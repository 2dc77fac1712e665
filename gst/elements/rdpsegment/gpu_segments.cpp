// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/rdpsegment/gpu_segments.h"

#include <exception>

#include "common/boundary.h"

namespace rdp::gst {

GpuSegments::~GpuSegments() {
  const cuda::FreeingScope scope(context_->get());
  list_.reset();
}

GpuSegments& GpuSegments::of(GstRdpSegmentation* segmentation,
                             const std::shared_ptr<const GpuContext>& context) {
  // What the pool of an element holds was put there by that element.
  auto* segments = static_cast<GpuSegments*>(gst_rdp_segmentation_get_remote(segmentation));
  if (segments == nullptr || segments->context_ != context) {
    auto fresh = std::make_unique<GpuSegments>(context);
    segments = fresh.get();
    gst_rdp_segmentation_set_remote(segmentation, std::move(fresh));
  }
  return *segments;
}

bool GpuSegments::fetch(SegmentList* host, std::string* reason) noexcept {
  try {
    const cuda::ContextScope scope(context_->get());
    list_->copy_to(host, context_->fetches());
    return true;
  } catch (const std::exception& error) {  // of CUDA, or no memory
    give_reason(reason, error.what());
    return false;
  }
}

}  // namespace rdp::gst
