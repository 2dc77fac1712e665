/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How planes begin and end: their memory, and whose their arrays are. */
#include <gst/rdpsegment/rdpplanesowner.h>
#include <gst/rdpsegment/rdpplanesprivate.h>

#include <cstring>
#include <memory>

#include "common/image/grow_buffer.h"
#include "gst/rdpsegment/private/owned_object.h"

GST_DEFINE_MINI_OBJECT_TYPE(GstRdpPlanes, gst_rdp_planes);

GstRdpPlanes* gst_rdp_planes_blank_new(void) { return rdp::meta::new_blank<GstRdpPlanes>(); }

void gst_rdp_planes_blank_free(GstRdpPlanes* blank) { delete blank; }

void gst_rdp_planes_blank_fill(GstRdpPlanes* blank, const GstRdpPlanesInfo* info,
                               const GstRdpPlanesArrays* arrays,
                               const GstRdpPlanesOwnerClass* owner_class, gpointer owner) {
  g_return_if_fail(blank != nullptr && info != nullptr && arrays != nullptr);
  g_return_if_fail(owner_class != nullptr);
  const bool elsewhere = arrays->labels == nullptr && arrays->n_labels > 0;
  g_return_if_fail(!elsewhere || owner_class->fetch != nullptr);

  rdp::meta::begin_owned(blank, GST_TYPE_RDP_PLANES, owner_class, owner);
  blank->info = *info;
  blank->arrays.reset(*arrays, elsewhere);
}

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
  const GstRdpPlanesArrays& arrays = self->arrays.get(
      [&](GstRdpPlanesArrays* fetched, const char** why) {
        if (self->owner_class->fetch(self->owner, fetched, why) != FALSE) return true;
        GST_ERROR("the labels of frame %" G_GUINT64_FORMAT " are lost: %s", self->info.frame,
                  *why != nullptr ? *why : "no reason is known");
        return false;
      },
      [](GstRdpPlanesArrays announced) {
        announced.labels = nullptr;
        announced.n_labels = 0;
        return announced;
      });
  return {arrays.labels, arrays.n_labels};
}

/* The owner of planes that the library makes: one piece of memory with the three arrays. */
static void destroy_memory(gpointer owner) { delete static_cast<GrowBuffer<char>*>(owner); }

static constexpr GstRdpPlanesOwnerClass kMemoryOwner = {nullptr, nullptr, destroy_memory};

GstRdpPlanes* new_planes(const GstRdpPlanesInfo& info, const GstRdpPlanesArrays& arrays) {
  auto self = std::make_unique<GstRdpPlanes>();
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
  const GstRdpPlanesArrays copied = {reinterpret_cast<const GstRdpPlane*>(planes),
                                     arrays.n_planes,
                                     reinterpret_cast<const GstRdpPlaneCorner*>(corners),
                                     arrays.n_corners,
                                     reinterpret_cast<const guint8*>(labels),
                                     arrays.n_labels};
  gst_rdp_planes_blank_fill(self.get(), &info, &copied, &kMemoryOwner, memory.release());
  return self.release();
}

}  // namespace rdp::meta
