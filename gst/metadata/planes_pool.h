// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_METADATA_PLANES_POOL_H_
#define RDP_GST_METADATA_PLANES_POOL_H_

#include <gst/rdpsegment/rdpplaneskind.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "common/image/grow_buffer.h"
#include "common/planes/planes.h"
#include "gst/metadata/remote.h"
#include "gst/metadata/result_pool.h"

namespace rdp::gst {

// The labels of one frame or point cloud. fetch() gets memory for them.
using RemoteLabels = Remote<std::span<std::uint8_t>>;

// The planes of a frame or point cloud. Labels and planes are set in either order.
class PlanesContent {
 public:
  using Kind = meta::PlanesKind;

  // Makes room for `count` labels, which the caller fills. Throws std::bad_alloc.
  std::uint8_t* labels(std::size_t count);
  // Uses remote labels instead. The host copies them when they are first read.
  void use_remote(RemoteRef<RemoteLabels> remote, std::size_t count) {
    remote_ = std::move(remote);
    n_labels_ = count;
  }

  // Copies the planes and corners. Throws std::bad_alloc.
  void set_planes(const planes::PlaneSet& set);

  bool fetch(std::string* reason) noexcept;
  GstRdpPlanesArrays arrays() const;
  void clear();
  void recycled() noexcept { remote_.reset(); }

 private:
  std::vector<GstRdpPlane> planes_;
  std::vector<GstRdpPlaneCorner> corners_;
  GrowBuffer<std::uint8_t> labels_;
  std::size_t n_labels_ = 0;
  RemoteRef<RemoteLabels> remote_;  // null once the labels are on the host
};

using PlanesPool = ResultPool<PlanesContent>;
using PlanesDraft = PlanesPool::Draft;

}  // namespace rdp::gst

#endif  // RDP_GST_METADATA_PLANES_POOL_H_
