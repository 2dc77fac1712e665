// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_METADATA_PLANES_POOL_H_
#define RDP_GST_METADATA_PLANES_POOL_H_

#include <gst/rdpsegment/rdpsegment.h>

#include <cstddef>
#include <cstdint>

#include "common/planes/planes.h"
#include "gst/metadata/recycling_pool.h"
#include "gst/metadata/remote_labels.h"

namespace rdp::gst {

// What a GstRdpPlanes is made of; lives on with it.
class PlanesBody;

// The planes of a frame or cloud while they are found. It gets labels and a set, in either order;
// then finish() makes a GstRdpPlanes of them, which is immutable. A draft that is not finished goes
// back to its pool.
class PlanesDraft {
 public:
  PlanesDraft(PlanesDraft&&) noexcept;
  PlanesDraft& operator=(PlanesDraft&&) noexcept;
  ~PlanesDraft();

  // Room for so many labels, for the caller to fill. Throws std::bad_alloc.
  std::uint8_t* labels(std::size_t count);
  // Says, instead, that they are elsewhere. The host gets them when somebody reads them.
  void use_remote(RemoteRef<RemoteLabels> remote, std::size_t count);

  // Copies the planes and corners. Throws std::bad_alloc.
  void set_planes(const planes::PlaneSet& set);

  // (transfer full): the planes. Allocates nothing and does not fail. The draft is empty
  // afterwards, and may only be destroyed or assigned to.
  GstRdpPlanes* finish(const GstRdpPlanesInfo& info) noexcept;

 private:
  friend class PlanesPool;
  explicit PlanesDraft(RecyclingPool<PlanesBody>::Handle body);

  RecyclingPool<PlanesBody>::Handle body_;
};

// Where the memory of planes waits for the next frame: that of the object and of its arrays.
// References to remote labels are not kept. Planes may outlive the pool. Thread safe.
class PlanesPool {
 public:
  // Throws std::bad_alloc.
  PlanesPool();
  ~PlanesPool();
  PlanesPool(PlanesPool&&) noexcept;
  PlanesPool& operator=(PlanesPool&&) noexcept;

  // An empty draft: no label, no plane. Throws std::bad_alloc.
  PlanesDraft acquire();

 private:
  RecyclingPool<PlanesBody> pool_;
};

}  // namespace rdp::gst

#endif  // RDP_GST_METADATA_PLANES_POOL_H_
