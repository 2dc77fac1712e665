/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef __GST_RDP_PLANES_PRIVATE_H__
#define __GST_RDP_PLANES_PRIVATE_H__

#include <gst/rdpsegment/rdpplanes.h>
#include <gst/rdpsegment/rdpplanesarrays.h>

#include <span>

#include "gst/rdpsegment/private/owned_object.h"

/* Private to the library. */

struct _GstRdpPlanes : rdp::meta::OwnedObject<GstRdpPlanesInfo, GstRdpPlanesArrays> {};

namespace rdp::meta {

using PlanesRows =
    ArrayRows<ArrayRow<&GstRdpPlanesArrays::planes, &GstRdpPlanesArrays::n_planes, 120>,
              ArrayRow<&GstRdpPlanesArrays::corners, &GstRdpPlanesArrays::n_corners, 124>,
              ArrayRow<&GstRdpPlanesArrays::labels, &GstRdpPlanesArrays::n_labels>>;

/* Planes and corners, which never have to be fetched. */
std::span<const GstRdpPlane> planes_of(const GstRdpPlanes* self);
std::span<const GstRdpPlaneCorner> corners_of(const GstRdpPlanes* self);

/* The labels as the host sees them; empty where they are lost. Every read of them in the library
 * goes through here, so that they are fetched in one place only. */
std::span<const guint8> host_labels(GstRdpPlanes* self) noexcept;

/* Null when they describe the planes of one frame or cloud; otherwise what is wrong, for a person
 * to read. */
const char* planes_error(const GstRdpPlanesInfo& info, const GstRdpPlanesArrays& arrays);

}  // namespace rdp::meta

#endif /* __GST_RDP_PLANES_PRIVATE_H__ */
