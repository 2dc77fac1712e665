// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_MEMORY_BATCH_SOURCES_H_
#define RDP_GST_MEMORY_BATCH_SOURCES_H_

#include <gst/gst.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace rdp::gst {

// The source of a frame of a batch, as the multiplexer says.
struct BatchSource {
  std::uint32_t id = 0;   // of the camera; any number
  std::uint32_t pad = 0;  // the number of the multiplexer's pad
  GstClockTime pts = GST_CLOCK_TIME_NONE;
  bool known = false;
};

// The number of frames that DeepStream's metadata on a buffer describes; 0: there is none.
std::size_t batch_sources_in(GstBuffer* buffer);

// Reads DeepStream's metadata of a batch of `sources.size()` frames into *sources, by their places
// in the batch. False: there is none on the buffer, or it does not tell of each frame once, and
// what is in *sources says nothing. Nothing of DeepStream is needed for that. Streaming thread:
// elements change this metadata in theirs.
bool read_batch_sources(GstBuffer* buffer, std::span<BatchSource> sources);

}  // namespace rdp::gst

#endif  // RDP_GST_MEMORY_BATCH_SOURCES_H_
