// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/metadata/planes_pool.h"

#include <gst/rdpsegment/rdpplanesowner.h>

#include <new>
#include <string>
#include <utility>
#include <vector>

#include "common/image/grow_buffer.h"

namespace rdp::gst {
namespace {

GstRdpPlane to_plane(const planes::Plane& from) {
  GstRdpPlane to{};
  const auto single = [](double value) { return static_cast<gfloat>(value); };
  to.normal_x = single(from.normal[0]);
  to.normal_y = single(from.normal[1]);
  to.normal_z = single(from.normal[2]);
  to.distance = single(from.distance);
  to.centroid_x = single(from.centroid[0]);
  to.centroid_y = single(from.centroid[1]);
  to.centroid_z = single(from.centroid[2]);
  to.rms = single(from.rms);
  to.area = single(from.area);
  to.inliers = static_cast<guint32>(from.inliers);
  to.votes = static_cast<guint32>(from.votes);
  to.box_x = static_cast<guint16>(from.box[0]);
  to.box_y = static_cast<guint16>(from.box[1]);
  to.box_width = static_cast<guint16>(from.box[2]);
  to.box_height = static_cast<guint16>(from.box[3]);
  to.first_corner = from.first_corner;
  to.n_corners = from.corners;
  return to;
}

GstRdpPlaneCorner to_corner(const planes::Corner& from) {
  return {from.column, from.row, static_cast<gfloat>(from.point[0]),
          static_cast<gfloat>(from.point[1]), static_cast<gfloat>(from.point[2])};
}

}  // namespace

class PlanesBody : public RecyclingPool<PlanesBody>::Item {
 public:
  PlanesBody() : blank_(gst_rdp_planes_blank_new()) {
    if (blank_ == nullptr) throw std::bad_alloc();
  }
  ~PlanesBody() { gst_rdp_planes_blank_free(blank_); }
  PlanesBody(const PlanesBody&) = delete;
  PlanesBody& operator=(const PlanesBody&) = delete;

  // What the remote labels hold is of use to the next frame, whichever planes that has.
  void recycled() noexcept { remote_.reset(); }

  void clear() {
    planes_.clear();
    corners_.clear();
    labels(0);
  }

  // There is room for one at least: no labels are not labels that are elsewhere.
  std::uint8_t* labels(std::size_t count) {
    remote_.reset();
    n_labels_ = 0;
    std::uint8_t* room = labels_.ensure(count + 1);
    n_labels_ = count;
    return room;
  }

  void use_remote(RemoteRef<RemoteLabels> remote, std::size_t count) {
    remote_ = std::move(remote);
    n_labels_ = count;
  }

  void set_planes(const planes::PlaneSet& set) {
    planes_.clear();
    corners_.clear();
    for (const planes::Plane& plane : set.planes) planes_.push_back(to_plane(plane));
    for (const planes::Corner& corner : set.corners) corners_.push_back(to_corner(corner));
  }

  // From here to recycle() the body belongs to the planes.
  GstRdpPlanes* finish(const GstRdpPlanesInfo& info) {
    static constexpr GstRdpPlanesOwnerClass kOwner = {fetch_labels, recycle, nullptr};
    const GstRdpPlanesArrays now = arrays();
    gst_rdp_planes_blank_fill(blank_, &info, &now, &kOwner, this);
    return blank_;
  }

 private:
  GstRdpPlanesArrays arrays() const {
    return {planes_.data(),
            planes_.size(),
            corners_.data(),
            corners_.size(),
            remote_ ? nullptr : labels_.data(),
            n_labels_};
  }

  static gboolean fetch_labels(gpointer owner, GstRdpPlanesArrays* arrays, const gchar** why) {
    auto* self = static_cast<PlanesBody*>(owner);
    if (!self->fetch()) {
      *why = self->why_.c_str();
      return FALSE;
    }
    *arrays = self->arrays();
    return TRUE;
  }

  // Once the labels are here, the remote memory is free for another frame.
  bool fetch() noexcept {
    try {
      if (!remote_->fetch({labels_.ensure(n_labels_ + 1), n_labels_}, &why_)) return false;
    } catch (const std::bad_alloc&) {
      why_ = "no memory";  // fits into the object itself
      return false;
    }
    remote_.reset();
    return true;
  }

  static void recycle(gpointer owner, GstRdpPlanes*) {
    RecyclingPool<PlanesBody>::give_back(static_cast<PlanesBody*>(owner));
  }

  GstRdpPlanes* blank_;  // in use between finish() and recycle()
  std::vector<GstRdpPlane> planes_;
  std::vector<GstRdpPlaneCorner> corners_;
  GrowBuffer<std::uint8_t> labels_;
  std::size_t n_labels_ = 0;
  RemoteRef<RemoteLabels> remote_;  // while the labels are elsewhere
  std::string why_;                 // the labels are lost
};

PlanesDraft::PlanesDraft(RecyclingPool<PlanesBody>::Handle body) : body_(std::move(body)) {}
PlanesDraft::PlanesDraft(PlanesDraft&&) noexcept = default;
PlanesDraft& PlanesDraft::operator=(PlanesDraft&&) noexcept = default;
PlanesDraft::~PlanesDraft() = default;

std::uint8_t* PlanesDraft::labels(std::size_t count) { return body_->labels(count); }

void PlanesDraft::use_remote(RemoteRef<RemoteLabels> remote, std::size_t count) {
  body_->use_remote(std::move(remote), count);
}

void PlanesDraft::set_planes(const planes::PlaneSet& set) { body_->set_planes(set); }

GstRdpPlanes* PlanesDraft::finish(const GstRdpPlanesInfo& info) noexcept {
  return body_.release()->finish(info);
}

PlanesPool::PlanesPool() = default;
PlanesPool::~PlanesPool() = default;
PlanesPool::PlanesPool(PlanesPool&&) noexcept = default;
PlanesPool& PlanesPool::operator=(PlanesPool&&) noexcept = default;

PlanesDraft PlanesPool::acquire() {
  auto body = pool_.acquire();
  body->clear();
  return PlanesDraft(std::move(body));
}

}  // namespace rdp::gst
