/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef __GST_RDP_HEIGHTS_PRIVATE_H__
#define __GST_RDP_HEIGHTS_PRIVATE_H__

#include <gst/rdpsegment/rdpheights.h>
#include <gst/rdpsegment/rdpheightsarrays.h>

#include <span>
#include <string>

#include "gst/rdpsegment/private/owned_object.h"

/* Private to the library. */

struct _GstRdpHeights : rdp::meta::OwnedObject<GstRdpHeightsInfo, GstRdpHeightsArrays> {};

namespace rdp::meta {

using HeightsRows =
    ArrayRows<ArrayRow<&GstRdpHeightsArrays::heads, &GstRdpHeightsArrays::n_heads, 60>>;

inline std::span<const GstRdpHead> heads_of(const GstRdpHeights& self) {
  return known_array(self, &GstRdpHeightsArrays::heads, &GstRdpHeightsArrays::n_heads);
}

/* Empty when they describe the heights of one frame; otherwise what was expected and what came, for
 * a person to read. Throws std::bad_alloc. */
std::string heights_error(const GstRdpHeightsInfo& info, std::span<const GstRdpHead> heads);

/* Heights with a copy of the array, which need not be aligned. Throws std::bad_alloc. */
GstRdpHeights* new_heights(const GstRdpHeightsInfo& info, GstRdpHeightsArrays arrays);

}  // namespace rdp::meta

#endif /* __GST_RDP_HEIGHTS_PRIVATE_H__ */
