// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/metadata/planes_pool.h"

#include <new>

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

// Allocates one more, because null would mean remote labels.
std::uint8_t* PlanesContent::labels(std::size_t count) {
  remote_.reset();
  n_labels_ = 0;
  std::uint8_t* room = labels_.ensure(count + 1);
  n_labels_ = count;
  return room;
}

void PlanesContent::set_planes(const planes::PlaneSet& set) {
  planes_.clear();
  corners_.clear();
  for (const planes::Plane& plane : set.planes) planes_.push_back(to_plane(plane));
  for (const planes::Corner& corner : set.corners) corners_.push_back(to_corner(corner));
}

void PlanesContent::clear() {
  planes_.clear();
  corners_.clear();
  labels(0);
}

GstRdpPlanesArrays PlanesContent::arrays() const {
  return {planes_.data(),
          planes_.size(),
          corners_.data(),
          corners_.size(),
          remote_ ? nullptr : labels_.data(),
          n_labels_};
}

// Copies the labels to the host, and releases the remote memory for another frame.
bool PlanesContent::fetch(std::string* reason) noexcept {
  try {
    if (!remote_->fetch({labels_.ensure(n_labels_ + 1), n_labels_}, reason)) return false;
  } catch (const std::bad_alloc&) {
    *reason = "no memory";  // a short string, which needs no allocation
    return false;
  }
  remote_.reset();
  return true;
}

}  // namespace rdp::gst
