// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_METADATA_ATTACH_PLANES_H_
#define RDP_GST_METADATA_ATTACH_PLANES_H_

#include <gst/rdpsegment/rdpsegment.h>

#include <span>

namespace rdp::gst {

// Puts the planes of all frames in `buffer`, or of the cloud there, which is writable, on it: one
// GstRdpPlanesMeta each, in the place of those that are there. See attach_metas.h.
void attach_planes(GstBuffer* buffer, std::span<GstRdpPlanes* const> planes);

}  // namespace rdp::gst

#endif  // RDP_GST_METADATA_ATTACH_PLANES_H_
