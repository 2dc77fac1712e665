// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_MCAP_TOPIC_SOURCE_H_
#define RDP_GST_ELEMENTS_MCAP_TOPIC_SOURCE_H_

#include <gst/gst.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "common/mcap/reader.h"
#include "gst/elements/mcap/message_frames.h"
#include "gst/elements/rdpmetaconvert/frame_list.h"

namespace rdp::gst {

// A file lacks what is asked for. what() is a whole sentence.
class TopicError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct TopicSettings {
  std::string topic;         // empty: the only one that fits
  std::string camera_topic;  // empty: the one beside the topic
  FrameSettings frame;
};

// Reads a topic of a file as buffers, in log-time order. Restores what mcapsink recorded beside it.
// Belongs to one thread.
class TopicSource {
 public:
  // Calls `warn` with sentences for the user.
  using Warn = std::function<void(const std::string&)>;
  // True if the element downstream of mcapsrc accepts the caps.
  using Fits = std::function<bool(const GstCaps*)>;

  // Opens the file. With `skip_damaged`, damaged chunks and messages are warnings. Throws
  // OpenError, mcap::McapError.
  TopicSource(const std::string& location, bool skip_damaged, Warn warn);

  // Finds the topic. Throws TopicError, and what next() throws.
  void choose(const TopicSettings& settings, const Fits& fits);
  bool is_chosen() const { return !main_.empty(); }

  // False at the end of the topic. Throws mcap::McapError, MessageError.
  bool next(MessageFrame* frame);
  // Makes next() continue with the first frame at stream time `time` or later.
  void seek(GstClockTime time);

  // Stream time of the file's last message, by the chosen topic's own times if it has any.
  GstClockTime duration() const { return time_of(reader_.end_time()); }

 private:
  struct Camera {
    std::int64_t stamp = 0;
    std::optional<GstRdpCameraInfo> info;
  };
  // A channel of the topic.
  struct Main {
    MessageType type;
    CapsRef caps;  // recorded by mcapsink; null: none
  };

  bool next_message(mcap::Message* message);
  bool read_frame(MessageFrame* frame);
  bool has_topic(std::string_view topic) const;
  // Topics whose message type may become accepted caps.
  std::set<std::string> readable_topics(const Fits& fits) const;
  // A sentence with the topics that can be read, for an error.
  std::string advice() const;
  std::string camera_topic() const;
  void open_topic(const std::string& topic);
  void select();
  void note_items(const mcap::Message& message);
  Camera read_camera(const mcap::Message& message);
  void find_camera(std::uint64_t log_time);
  MessageFrame make_frame(const mcap::Message& message);
  void finish_frame(MessageFrame* frame, const Camera& camera);
  bool take_pending(MessageFrame* frame, const Camera& camera);
  bool is_before_start(const mcap::Message& message) const;
  // Stream time of a log time, for frames without items.
  GstClockTime time_of(std::uint64_t log_time) const;
  void warn(const std::string& text) const;
  // Warns of the first problem of each kind.
  void warn_once(const std::string& kind, const std::string& text);
  [[noreturn]] void fail(const mcap::Message& message, const std::string& problem) const;

  Warn warn_;
  const bool skip_damaged_;
  mcap::Reader reader_;
  mcap::Cursor cursor_;
  TopicSettings settings_;
  std::string topic_;
  std::map<std::uint16_t, Main> main_;
  std::vector<std::uint16_t> items_channels_;
  std::vector<std::uint16_t> camera_channels_;
  bool rectified_ = false;  // the topic's pictures

  std::vector<std::byte> items_;  // of the frame that follows
  std::uint64_t items_time_ = 0;
  std::uint64_t shift_ = 0;  // restored PTS minus log time; wraps
  GstClockTime start_ = 0;   // frames before it are passed over
  Camera last_camera_;
  bool has_camera_ = false;
  // A frame that waits for the camera of its stamp.
  std::optional<MessageFrame> pending_;
  CameraRef camera_;  // of the last frame
  GstRdpCameraInfo camera_info_;
  std::set<std::string> warned_;
  bool trying_ = false;  // trying topics: their problems are not reported
  std::uint64_t too_far_ = 0;
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_MCAP_TOPIC_SOURCE_H_
