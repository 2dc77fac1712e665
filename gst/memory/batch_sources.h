// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_MEMORY_BATCH_SOURCES_H_
#define RDP_GST_MEMORY_BATCH_SOURCES_H_

#include <gst/gst.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace rdp::gst {

// The source of a batch's frame, from the multiplexer's metadata.
struct BatchSource {
  std::uint32_t id = 0;   // of the camera; any number
  std::uint32_t pad = 0;  // index of the multiplexer's pad
  GstClockTime pts = GST_CLOCK_TIME_NONE;
  bool known = false;
};

// Returns the number of frames that DeepStream's metadata on a buffer describes; 0: none.
std::size_t batch_sources_in(GstBuffer* buffer);

// Reads DeepStream's metadata of a batch of `sources.size()` frames into *sources, by their index
// in the batch. False, with *sources undefined: the buffer has no metadata, or it does not describe
// each frame once. Needs no DeepStream library. Streaming thread only, because elements change this
// metadata there.
bool read_batch_sources(GstBuffer* buffer, std::span<BatchSource> sources);

}  // namespace rdp::gst

#endif  // RDP_GST_MEMORY_BATCH_SOURCES_H_
