// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_METADATA_REMOTE_LABELS_H_
#define RDP_GST_METADATA_REMOTE_LABELS_H_

#include <cstdint>
#include <span>
#include <string>

#include "gst/metadata/remote_count.h"
#include "gst/metadata/remote_ref.h"

namespace rdp::gst {

// The labels of one frame or cloud where the host cannot read them, such as on a GPU.
class RemoteLabels : public RemoteCount {
 public:
  // Copies them to the host, which has a place for each. Called at most once for a frame, from
  // whichever thread reads them first. False: *reason says why they cannot be had (see
  // rdp::give_reason() for what does not throw), and what is there is of no use.
  virtual bool fetch(std::span<std::uint8_t> host, std::string* reason) noexcept = 0;
};

}  // namespace rdp::gst

#endif  // RDP_GST_METADATA_REMOTE_LABELS_H_
