/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The arrays of planes: where they are, and whose. */
#include <gst/rdpsegment/rdpplanesprivate.h>

#include <cstring>
#include <memory>
#include <utility>

#include "common/image/grow_buffer.h"

namespace rdp::meta {

std::span<const GstRdpPlane> planes_of(const GstRdpPlanes* self) {
  return {self->arrays.known(&GstRdpPlanesArrays::planes),
          self->arrays.known(&GstRdpPlanesArrays::n_planes)};
}

std::span<const GstRdpPlaneCorner> corners_of(const GstRdpPlanes* self) {
  return {self->arrays.known(&GstRdpPlanesArrays::corners),
          self->arrays.known(&GstRdpPlanesArrays::n_corners)};
}

std::span<const guint8> host_labels(GstRdpPlanes* self) noexcept {
  const GstRdpPlanesArrays& arrays =
      host_arrays(self, "the labels", [](GstRdpPlanesArrays announced) {
        announced.labels = nullptr;
        announced.n_labels = 0;
        return announced;
      });
  return {arrays.labels, arrays.n_labels};
}

/* In one piece of memory. */
GstRdpPlanes* new_planes(const GstRdpPlanesInfo& info, const GstRdpPlanesArrays& arrays) {
  auto memory = std::make_unique<GrowBuffer<char>>();
  const gsize planes_size = arrays.n_planes * sizeof *arrays.planes;
  const gsize corners_size = arrays.n_corners * sizeof *arrays.corners;
  /* One byte more: labels are never null, which would mean that they are elsewhere. */
  char* const planes = memory->ensure(planes_size + corners_size + arrays.n_labels + 1);
  char* const corners = planes + planes_size;
  char* const labels = corners + corners_size;
  const auto copy = [](char* to, const void* from, gsize size) {
    if (size > 0) std::memcpy(to, from, size);
  };
  copy(planes, arrays.planes, planes_size);
  copy(corners, arrays.corners, corners_size);
  copy(labels, arrays.labels, arrays.n_labels);
  GstRdpPlanesArrays copied = arrays;
  copied.planes = reinterpret_cast<const GstRdpPlane*>(planes);
  copied.corners = reinterpret_cast<const GstRdpPlaneCorner*>(corners);
  copied.labels = reinterpret_cast<const guint8*>(labels);
  return new_owning<GstRdpPlanes>(GST_TYPE_RDP_PLANES, info, copied, std::move(memory));
}

}  // namespace rdp::meta
