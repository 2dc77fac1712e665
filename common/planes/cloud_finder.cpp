// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/planes/cloud_finder.h"

#include "common/planes/cloud_reference.h"

namespace rdp::planes {

struct CloudFinder::Impl {
  unsigned threads;
  PlaneSet set;
};

CloudFinder::CloudFinder(unsigned threads) : impl_(new Impl{threads, {}}) {}
CloudFinder::~CloudFinder() = default;

void CloudFinder::set_threads(unsigned threads) { impl_->threads = threads; }
unsigned CloudFinder::threads() const { return impl_->threads; }

const PlaneSet& CloudFinder::find(const CloudView& cloud, const Parameters& parameters,
                                  std::uint8_t* labels) {
  impl_->set = reference::find_in_cloud(cloud, parameters, labels);
  return impl_->set;
}

}  // namespace rdp::planes
