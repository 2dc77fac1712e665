// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_MCAP_MCAP_STREAM_H_
#define RDP_GST_ELEMENTS_MCAP_MCAP_STREAM_H_

#include <gst/gst.h>

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>

#include "gst/elements/mcap/frame_messages.h"
#include "gst/elements/mcap/mcap_enums.h"
#include "gst/elements/mcap/pad_topics.h"

namespace rdp::gst {

// Buffers that cannot be recorded as they are. what() says what was expected, what came, and the
// remedy.
class StreamError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

enum class McapPadKind { kDepth, kVideo, kPoints, kJson };

// All that a stream has to know of its pad and the recording.
struct StreamSetup {
  McapPadKind kind = McapPadKind::kDepth;
  std::string pad_name;
  std::string topic;     // empty: by the pad's name
  std::string frame_id;  // empty: by the pad's name
  McapDepthEncoding encoding = McapDepthEncoding::kRaw;
  StreamOptions options;
  mcap::Recording* recording = nullptr;
};

// Turns the buffers of a pad into messages, for as long as the caps stay.
class McapStream {
 public:
  McapStream(const StreamSetup& setup, const std::string& frame_id)
      : setup_(setup),
        topics_(setup.recording, setup.topic.empty() ? "/" + setup.pad_name : setup.topic),
        frame_id_(setup.frame_id.empty() ? frame_id : setup.frame_id) {}
  virtual ~McapStream() = default;

  // Throws StreamError, LostError, std::bad_alloc, std::length_error.
  virtual mcap::Recording::Result write(GstBuffer* buffer, std::uint64_t stamp) = 0;

 protected:
  const StreamSetup setup_;
  PadTopics topics_;
  const std::string frame_id_;
};

// Makes the stream for the pad's kind. Throws StreamError if the caps cannot be recorded.
std::unique_ptr<McapStream> new_stream(const StreamSetup& setup, const GstCaps* caps);

std::unique_ptr<McapStream> new_depth_stream(const StreamSetup& setup, const GstCaps* caps);
std::unique_ptr<McapStream> new_video_stream(const StreamSetup& setup, const GstCaps* caps);
std::unique_ptr<McapStream> new_points_stream(const StreamSetup& setup, const GstCaps* caps);

// Channel metadata with the caps, from which mcapsrc restores buffers.
mcap::TextMap caps_metadata(const GstCaps* caps);

// A buffer that is mapped for reading as long as the object lives. Throws StreamError.
class ReadBuffer {
 public:
  explicit ReadBuffer(GstBuffer* buffer) : buffer_(buffer) {
    if (!gst_buffer_map(buffer, &map_, GST_MAP_READ)) {
      throw StreamError("A buffer cannot be read: its memory cannot be mapped.");
    }
  }
  ~ReadBuffer() { gst_buffer_unmap(buffer_, &map_); }
  ReadBuffer(const ReadBuffer&) = delete;
  ReadBuffer& operator=(const ReadBuffer&) = delete;
  std::span<const std::byte> bytes() const {
    return {reinterpret_cast<const std::byte*>(map_.data), map_.size};
  }

 private:
  GstBuffer* buffer_;
  GstMapInfo map_ = GST_MAP_INFO_INIT;
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_MCAP_MCAP_STREAM_H_
