// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_MCAP_FRAME_ITEMS_H_
#define RDP_GST_ELEMENTS_MCAP_FRAME_ITEMS_H_

#include <gst/gst.h>

#include <cstddef>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "gst/elements/rdpmetaconvert/frame_list.h"

// The topic rdp of a recording: all that a buffer has beside its samples, losslessly. A message is
// a list of items: a name of four letters, a length (u32) and as many bytes:
//
//   TIME  PTS, DTS, duration, offset, offset end (u64), flags (u32)
//   CAMJ  the camera as JSON
//   FILE  the name of a GstRdpFileMeta
//   PIXL  the original samples, if no other topic has them
//   PLAC  scale x, y, offset x, y (f64), batch index (u32) of the next item's object; omitted if
//         they are 1, 1, 0, 0, 0
//   RDPS, RDPP, RDPT, RDPM, RDPH, RDPO  an object as gst_rdp_…_to_bytes() writes it
namespace rdp::gst {

// The items of a message are damaged. what() says which one.
class ItemError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Writes the items of buffers. Keeps its memory.
class FrameItems {
 public:
  // The items of all that `buffer` has. `camera` (nullable): the camera of its frame. Throws
  // std::bad_alloc, std::length_error.
  std::span<const std::byte> of(GstBuffer* buffer, GstRdpCamera* camera);
  // Adds a frame's samples to the last buffer's items.
  std::span<const std::byte> add_samples(std::span<const std::byte> samples);

 private:
  void add(std::string_view name, const void* bytes, std::size_t size);
  template <typename Kind>
  void add_kind(GstBuffer* buffer);

  std::vector<std::byte> bytes_;
  CameraRef camera_;
  std::unique_ptr<gchar, decltype(&g_free)> camera_text_{nullptr, g_free};
};

// Restores on `buffer`, which must be writable, what the items hold. Skips unknown items. Throws
// ItemError, std::bad_alloc.
void restore_items(std::span<const std::byte> items, GstBuffer* buffer);

// The samples in the item PIXL; empty without that item. Throws ItemError.
std::span<const std::byte> samples_of_items(std::span<const std::byte> items);

// The PTS in the items; GST_CLOCK_TIME_NONE if they have none. Throws ItemError.
GstClockTime pts_of_items(std::span<const std::byte> items);

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_MCAP_FRAME_ITEMS_H_
