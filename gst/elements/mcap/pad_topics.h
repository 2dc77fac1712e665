// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_MCAP_PAD_TOPICS_H_
#define RDP_GST_ELEMENTS_MCAP_PAD_TOPICS_H_

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/mcap/messages.h"
#include "common/mcap/recording.h"
#include "common/mcap/schema_text.h"

namespace rdp::gst {

// The topics of one pad, and the messages of the current frame. Belongs to the pad's streaming
// thread. Keeps its memory.
class PadTopics {
 public:
  // `base` is the prefix of the pad's topics.
  PadTopics(mcap::Recording* recording, std::string base) : recording_(recording), base_(base) {}

  // The channel of `topic`, which is relative to `base` unless it begins with /tf.
  template <typename Message>
  std::uint16_t channel(std::string_view topic, mcap::TextMap metadata = {}, bool is_static = false,
                        std::shared_ptr<mcap::MessageEncoder> encoder = nullptr) {
    const std::string name =
        topic.starts_with("/tf") ? std::string(topic) : base_ + std::string(topic);
    add_qos(is_static, &metadata);
    static const std::string kText = ros::schema_text<Message>();
    return recording_->channel(name, ros::schema_name<Message>(), kText, std::move(metadata),
                               std::move(encoder));
  }

  // Starts a frame. Messages refer to their source data, which must live until write().
  void begin(std::uint64_t stamp, std::string_view frame_id) {
    items_.clear();
    stamp_ = stamp;
    frame_id_ = frame_id;
  }
  ros::Header header() const {
    constexpr std::uint64_t kLast = ros::Time::kLast;
    return {ros::Time::of_nanoseconds(static_cast<std::int64_t>(std::min(stamp_, kLast))),
            frame_id_};
  }
  // `latch`: see Recording::Item; must live until write(), too.
  template <typename Message>
  void add(std::uint16_t channel, const Message& message, std::string_view latch = {}) {
    if (items_.size() == writers_.size()) writers_.push_back(std::make_unique<ros::CdrWriter>());
    ros::CdrWriter* writer = writers_[items_.size()].get();
    writer->write(message);
    items_.push_back({channel, writer, latch});
  }
  // Adds a String for each line of `text`, each preceded by `before` if `before_channel` is not 0.
  void add_lines(std::uint16_t channel, std::string_view text, std::uint16_t before_channel = 0,
                 const ros::UInt8MultiArray& before = {}) {
    while (!text.empty()) {
      const std::string_view line = text.substr(0, text.find('\n'));
      text.remove_prefix(std::min(line.size() + 1, text.size()));
      if (line.empty()) continue;
      if (before_channel != 0) add(before_channel, before);
      add(channel, ros::String{line});
    }
  }
  mcap::Recording::Result write() { return recording_->write(stamp_, items_); }

 private:
  static void add_qos(bool is_static, mcap::TextMap* metadata);

  mcap::Recording* recording_;
  std::string base_;
  std::uint64_t stamp_ = 0;
  std::string_view frame_id_;
  std::vector<std::unique_ptr<ros::CdrWriter>> writers_;
  std::vector<mcap::Recording::Item> items_;
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_MCAP_PAD_TOPICS_H_
