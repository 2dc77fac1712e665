// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_BASE_PAIRING_PROPERTIES_H_
#define RDP_GST_ELEMENTS_BASE_PAIRING_PROPERTIES_H_

#include <array>

#include "gst/elements/base/pairing.h"
#include "gst/elements/base/property_table.h"

// The properties of elements that pair streams, as rows of PairingSettings: for the table of an
// element whose settings have a member of that type, by properties_of_member().
namespace rdp::gst {

using OfPairing = PropertyOf<PairingSettings>;

// `latency` replaces GstAggregator's, whose default is 0: with that, live branches slower than the
// main one never meet it.
inline constexpr auto kPairingProperties = std::to_array<PropertyRow<PairingSettings>>({
    {{.name = "sync-tolerance",
      .nick = "Synchronisation tolerance",
      .blurb = "Maximum time difference between buffers that belong together, in ns (0 = half a "
               "frame of the faster stream, or 0.6 of its median interval if it has no frame rate)",
      .unit = "ns",
      .flags = kWhilePlaying},
     OfPairing::as_uint64<&PairingSettings::sync_tolerance>()},
    {{.name = "latency",
      .nick = "Latency",
      .blurb = "Maximum wait of live buffers of the main stream for the others, beyond the latency "
               "of the sources, in ns (-1 = one frame, or 40 ms without a frame rate)",
      .unit = "ns",
      .flags = kWhilePlaying},
     OfPairing::as_uint64<&PairingSettings::latency>()},
});

// For elements that may use the previous buffer.
inline constexpr auto kMaxAgeProperties = std::to_array<PropertyRow<PairingSettings>>({
    {{.name = "max-age",
      .nick = "Maximum age",
      .blurb = "Maximum age in ns of the previous buffer, which is used if none belongs to a "
               "buffer of the main stream",
      .unit = "ns",
      .flags = kWhilePlaying},
     OfPairing::as_uint64<&PairingSettings::max_age>()},
});

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_BASE_PAIRING_PROPERTIES_H_
