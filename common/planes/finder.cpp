// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/planes/finder.h"

#include "common/planes/reference.h"

namespace rdp::planes {

struct FrameFinder::Impl {
  unsigned threads;
  PlaneSet set;
};

FrameFinder::FrameFinder(unsigned threads) : impl_(new Impl{threads, {}}) {}
FrameFinder::~FrameFinder() = default;

void FrameFinder::set_threads(unsigned threads) { impl_->threads = threads; }
unsigned FrameFinder::threads() const { return impl_->threads; }

const PlaneSet& FrameFinder::find(const DepthView& frame, const MetricCamera& camera,
                                  const Parameters& parameters, const MutableDepthView& labels) {
  impl_->set = reference::find(frame, camera, parameters, labels);
  return impl_->set;
}

}  // namespace rdp::planes
