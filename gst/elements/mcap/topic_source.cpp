// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/mcap/topic_source.h"

#include <gst/rdpsegment/rdpsegment.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <span>
#include <string_view>
#include <utility>

#include "common/mcap/schema_text.h"
#include "gst/elements/base/open_error.h"
#include "gst/elements/mcap/camera_message.h"
#include "gst/elements/mcap/frame_items.h"

namespace rdp::gst {
namespace {

std::unique_ptr<mcap::Input> open_file(const std::string& location) {
  auto input = std::make_unique<mcap::FileInput>();
  if (const int code = input->open(location); code != 0) throw OpenError(location, code);
  return input;
}

const std::string* value_of(const mcap::Channel& channel, std::string_view key) {
  for (const auto& [name, value] : channel.metadata) {
    if (name == key) return &value;
  }
  return nullptr;
}

std::string_view parent_of(std::string_view topic) { return topic.substr(0, topic.rfind('/')); }

// Pictures are rectified where a word of their name says so: image_rect, image_rect_color.
bool is_rectified(std::string_view topic) {
  std::string_view name = topic.substr(parent_of(topic).size());
  if (name.starts_with("/compressed")) {
    topic = parent_of(topic);
    name = topic.substr(parent_of(topic).size());
  }
  return name.starts_with("/rect") || name.find("_rect") != std::string_view::npos;
}

// Caps that messages of a type may become.
const char* possible_caps(MessageType type) {
  switch (type) {
    case MessageType::kImage:
      return "video/x-raw";
    case MessageType::kCompressedImage:
      return "video/x-raw; image/jpeg; image/png";
    case MessageType::kPointCloud:
      return "application/x-points";
    case MessageType::kString:
      return "application/x-json; text/x-raw";
    case MessageType::kOther:
      break;
  }
  return "EMPTY";
}

// Caps in a file are not trusted: they must be fixed, as mcapsink writes them.
CapsRef caps_of(const mcap::Channel& channel) {
  const std::string* text = value_of(channel, "rdp.caps");
  if (text == nullptr) return nullptr;
  CapsRef caps(gst_caps_from_string(text->c_str()));
  if (caps == nullptr || gst_caps_get_size(caps.get()) != 1 || !gst_caps_is_fixed(caps.get())) {
    throw TopicError("Topic \"" + channel.topic + "\": its rdp.caps are \"" + *text +
                     "\", expected fixed caps. Another program has changed the file.");
  }
  return caps;
}

bool is_own(const mcap::ReadChannel& channel) {
  return value_of(channel.definition, "rdp.caps") != nullptr;
}

MessageType type_of(const mcap::ReadChannel& channel) {
  const bool readable = channel.schema != nullptr && channel.definition.message_encoding == "cdr";
  return readable ? message_type(channel.schema->name) : MessageType::kOther;
}

}  // namespace

TopicSource::TopicSource(const std::string& location, bool skip_damaged, Warn warn)
    : warn_(std::move(warn)),
      skip_damaged_(skip_damaged),
      reader_(open_file(location), skip_damaged),
      cursor_(reader_) {
  for (const std::string& text : reader_.warnings()) warn_(text);
}

bool TopicSource::has_topic(std::string_view topic) const {
  return std::ranges::any_of(reader_.channels(), [&](const mcap::ReadChannel& channel) {
    return channel.definition.topic == topic;
  });
}

// In a file of mcapsink, only topics whose caps it recorded; they stand for those beside them.
std::set<std::string> TopicSource::readable_topics(const Fits& fits) const {
  const bool own = std::ranges::any_of(reader_.channels(), is_own);
  std::map<MessageType, bool> taken;
  for (const MessageType type : {MessageType::kImage, MessageType::kCompressedImage,
                                 MessageType::kPointCloud, MessageType::kString}) {
    taken[type] = fits(CapsRef(gst_caps_from_string(possible_caps(type))).get());
  }
  std::set<std::string> topics;
  for (const mcap::ReadChannel& channel : reader_.channels()) {
    if (channel.messages == 0 || !taken[type_of(channel)] || (own && !is_own(channel))) continue;
    topics.insert(channel.definition.topic);
  }
  return topics;
}

std::string TopicSource::advice() const {
  constexpr std::size_t kMost = 20;
  std::vector<const mcap::ReadChannel*> listed;
  const auto list = [&](bool readable) {
    for (const mcap::ReadChannel& channel : reader_.channels()) {
      if (!readable || (type_of(channel) != MessageType::kOther && channel.messages > 0)) {
        listed.push_back(&channel);
      }
    }
    return !listed.empty();
  };
  const bool readable = list(true);
  if (!readable && !list(false)) return "The file has no topics.";
  std::string text;
  for (const mcap::ReadChannel* channel : std::span(listed).first(std::min(kMost, listed.size()))) {
    text += text.empty() ? "" : ", ";
    text += channel->definition.topic + " (";
    text += channel->schema != nullptr ? channel->schema->name : std::string("no schema");
    const std::string& encoding = channel->definition.message_encoding;
    if (encoding != "cdr") text += ", " + encoding;
    text += ", " + std::to_string(channel->messages) + " messages)";
  }
  if (listed.size() > kMost) {
    text += " and " + std::to_string(listed.size() - kMost) + " others";
  }
  return (readable ? "Set topic to one of "
                   : "The file has no pictures, clouds or text for mcapsrc. It has ") +
         text + ".";
}

void TopicSource::choose(const TopicSettings& settings, const Fits& fits) {
  settings_ = settings;
  if (!settings.topic.empty()) {
    if (!has_topic(settings.topic)) {
      throw TopicError("There is no topic \"" + settings.topic + "\" in \"" +
                       reader_.input().name() + "\". " + advice());
    }
    open_topic(settings.topic);
    return;
  }
  std::vector<std::string> fitting;
  std::exception_ptr problem;
  trying_ = true;
  for (const std::string& topic : readable_topics(fits)) {
    try {
      open_topic(topic);
      MessageFrame frame;
      if (next(&frame) && fits(frame.caps.get())) fitting.push_back(topic);
    } catch (const TopicError&) {
      if (!problem) problem = std::current_exception();
    } catch (const MessageError&) {
      if (!problem) problem = std::current_exception();
    }
    if (fitting.size() > 1) break;
  }
  trying_ = false;
  if (fitting.size() != 1) {
    main_.clear();
    if (fitting.empty() && problem) std::rethrow_exception(problem);
    throw TopicError(std::string("The element after mcapsrc accepts ") +
                     (fitting.empty() ? "no topic" : "more than one topic") + " of \"" +
                     reader_.input().name() + "\". " + advice());
  }
  open_topic(fitting[0]);
}

void TopicSource::open_topic(const std::string& topic) {
  topic_ = topic;
  rectified_ = is_rectified(topic);
  warned_.clear();
  too_far_ = 0;
  camera_.reset();
  gst_rdp_camera_info_init(&camera_info_);
  select();
  seek(0);
  // Offset of the first frame's recorded PTS from its log time.
  shift_ = 0;
  mcap::Message message;
  while (!items_channels_.empty() && next_message(&message)) {
    if (std::ranges::find(items_channels_, message.channel_id) == items_channels_.end()) continue;
    GstClockTime pts = GST_CLOCK_TIME_NONE;
    try {
      note_items(message);
      pts = pts_of_items(items_);
    } catch (const std::runtime_error&) {
    }  // its frame says so
    if (GST_CLOCK_TIME_IS_VALID(pts)) {
      shift_ = pts - (message.log_time - reader_.start_time());
    }
    break;
  }
  seek(0);
}

// The CameraInfo topic beside the pictures'. ROS has it one level higher for compressed pictures.
std::string TopicSource::camera_topic() const {
  if (!settings_.camera_topic.empty()) return settings_.camera_topic;
  const std::string_view parent = parent_of(topic_);
  std::string topic = std::string(parent) + "/camera_info";
  if (topic_.substr(parent.size()).starts_with("/compressed") && !has_topic(topic)) {
    topic = std::string(parent_of(parent)) + "/camera_info";
  }
  return topic;
}

void TopicSource::select() {
  const std::string& topic = topic_;
  const std::string of_camera = camera_topic();
  main_.clear();
  items_channels_.clear();
  camera_channels_.clear();
  std::vector<std::uint16_t> all;
  bool own = false;
  for (const mcap::ReadChannel& channel : reader_.channels()) {
    if (channel.definition.topic != topic) continue;
    const mcap::Channel& definition = channel.definition;
    if (definition.schema_id != 0 && channel.schema == nullptr) {
      throw TopicError("Topic \"" + topic + "\": the schema " +
                       std::to_string(definition.schema_id) + " is missing in the file.");
    }
    const MessageType type = type_of(channel);
    if (type == MessageType::kOther) {
      throw TopicError("Topic \"" + topic + "\" is " +
                       (channel.schema != nullptr ? channel.schema->name : "without a schema") +
                       " in " + definition.message_encoding +
                       ", expected a sensor_msgs/msg/Image, CompressedImage or PointCloud2, or "
                       "std_msgs/msg/String, in cdr. " +
                       advice());
    }
    main_.emplace(definition.id, Main{type, caps_of(definition)});
    own = own || is_own(channel);
    all.push_back(definition.id);
  }
  const bool is_text = !main_.empty() && main_.begin()->second.type == MessageType::kString;
  const std::string_view base = is_text ? topic
                                : topic.ends_with("/image_raw/compressedDepth")
                                    ? parent_of(parent_of(topic))
                                    : parent_of(topic);
  for (const mcap::ReadChannel& channel : reader_.channels()) {
    if (channel.schema == nullptr || channel.definition.message_encoding != "cdr") continue;
    if (own && channel.definition.topic == std::string(base) + "/rdp" &&
        channel.schema->name == ros::schema_name<ros::UInt8MultiArray>()) {
      items_channels_.push_back(channel.definition.id);
    } else if (channel.definition.topic == of_camera &&
               channel.schema->name == ros::schema_name<ros::CameraInfo>()) {
      camera_channels_.push_back(channel.definition.id);
    }
  }
  // The items include the camera.
  if (!items_channels_.empty()) camera_channels_.clear();
  all.insert(all.end(), items_channels_.begin(), items_channels_.end());
  all.insert(all.end(), camera_channels_.begin(), camera_channels_.end());
  cursor_.select(all);
}

// --- cameras ------------------------------------------------------------------------------------

TopicSource::Camera TopicSource::read_camera(const mcap::Message& message) {
  try {
    const auto info = ros::CdrReader::read<ros::CameraInfo>(message.data.bytes);
    std::string warning;
    Camera camera{info.header.stamp.nanoseconds(), camera_of_message(info, rectified_, &warning)};
    if (!warning.empty()) {
      warn_once(warning, "its camera is not used: " + warning);
    }
    return camera;
  } catch (const ros::CdrError& error) {
    fail(message, error.what());
  }
}

// Finds the last camera at that log time; earlier frames get the first camera.
void TopicSource::find_camera(std::uint64_t log_time) {
  has_camera_ = false;
  last_camera_ = {};
  if (camera_channels_.empty()) return;
  mcap::Cursor cursor(reader_);
  cursor.select(camera_channels_);
  mcap::Message message;
  try {
    if (const auto before = cursor.last_time(log_time)) cursor.seek(*before);
    if (!cursor.next(&message)) return;
  } catch (const mcap::McapError& error) {
    if (!skip_damaged_) throw;
    warn(std::string(error.what()) + ".");
    return;
  }
  last_camera_ = read_camera(message);
  has_camera_ = true;
}

void TopicSource::finish_frame(MessageFrame* frame, const Camera& camera) {
  if (!camera.info.has_value()) {
    if (!frame->inverse.has_value()) return;
    warn_once("inverse",
              "it has disparities, whose scale its camera would say, and has no camera: set "
              "camera-info-topic");
    return;
  }
  GstRdpCameraInfo info = *camera.info;
  if (frame->width == 0) {
    // Pictures that are not decoded have a camera, clouds and texts none.
    const GstStructure* caps = gst_caps_get_structure(frame->caps.get(), 0);
    if (!g_str_has_prefix(gst_structure_get_name(caps), "image/")) return;
  } else if (static_cast<int>(info.width) != frame->width ||
             static_cast<int>(info.height) != frame->height) {
    warn_once("size", "its camera is of " + std::to_string(info.width) + "x" +
                          std::to_string(info.height) + " pixels, expected " +
                          std::to_string(frame->width) + "x" + std::to_string(frame->height) +
                          ": it is not used. Set camera-info-topic");
    return;
  }
  if (frame->depth_unit > 0.0) {
    info.measures = GST_RDP_MEASURE_DEPTH;
    info.depth_unit = frame->depth_unit;
  } else if (frame->inverse.has_value()) {
    // Z = A / (v - B) is f b / (v u + o) with u = 1 / 256.
    info.measures = GST_RDP_MEASURE_DISPARITY;
    info.rectified = TRUE;
    info.disparity_unit = 1.0 / 256.0;
    info.baseline = frame->inverse->a / (256.0 * info.focal_length);
    info.disparity_offset = -frame->inverse->b / 256.0;
  }
  if (std::memcmp(&info, &camera_info_, sizeof info) != 0) {
    g_autoptr(GError) error = nullptr;
    camera_.reset(gst_rdp_camera_new(&info, &error));
    camera_info_ = info;
    if (camera_ == nullptr) {
      warn_once("camera", std::string("its camera is not used: ") + error->message);
    }
  }
  if (camera_ != nullptr) gst_buffer_add_rdp_camera_meta(frame->buffer.get(), camera_.get());
}

// --- frames -------------------------------------------------------------------------------------

void TopicSource::fail(const mcap::Message& message, const std::string& problem) const {
  throw MessageError("Topic \"" + topic_ + "\" in \"" + reader_.input().name() +
                     "\", message at log time " + std::to_string(message.log_time) + ": " +
                     problem + ".");
}

void TopicSource::warn(const std::string& text) const {
  if (!trying_) warn_(text);
}

void TopicSource::warn_once(const std::string& kind, const std::string& text) {
  if (warned_.insert(kind).second) warn("Topic \"" + topic_ + "\": " + text + ".");
}

GstClockTime TopicSource::time_of(std::uint64_t log_time) const {
  // Files may have any numbers: sums wrap.
  const auto time = static_cast<std::int64_t>(log_time - reader_.start_time() + shift_);
  return static_cast<GstClockTime>(std::max<std::int64_t>(time, 0));
}

void TopicSource::note_items(const mcap::Message& message) {
  try {
    const auto array = ros::CdrReader::read<ros::UInt8MultiArray>(message.data.bytes);
    const std::span bytes = array.data.bytes();
    items_.assign(bytes.begin(), bytes.end());
    items_time_ = message.log_time;
  } catch (const ros::CdrError& error) {
    fail(message, error.what());
  }
}

MessageFrame TopicSource::make_frame(const mcap::Message& message) {
  const Main& main = main_.at(message.channel_id);
  if (items_time_ != message.log_time) items_.clear();
  const std::vector<std::byte> items = std::exchange(items_, {});
  if (items.empty() && !items_channels_.empty()) {
    warn_once(
        "items",
        "it has frames that the topic rdp beside it says nothing of: their metadata and times "
        "are lost. The file was cut or changed");
  }
  try {
    MessageFrame frame = frame_of_message(main.type, message.data.bytes, main.caps.get(),
                                          samples_of_items(items), settings_.frame, &too_far_);
    if (too_far_ > 0) {
      warn_once(
          "far",
          "it has distances beyond 65535 times depth-unit, which become unknown: set a larger "
          "depth-unit");
    }
    GstBuffer* buffer = frame.buffer.get();
    if (frame.stamp != 0) {
      g_autoptr(GstCaps) unix_time = gst_caps_new_empty_simple("timestamp/x-unix");
      gst_buffer_add_reference_timestamp_meta(
          buffer, unix_time, static_cast<GstClockTime>(frame.stamp), GST_CLOCK_TIME_NONE);
    }
    GST_BUFFER_PTS(buffer) = time_of(message.log_time);
    restore_items(items, buffer);
    return frame;
  } catch (const ItemError& error) {
    fail(message, std::string("in the topic rdp beside it, ") + error.what());
  } catch (const ros::CdrError& error) {
    fail(message, error.what());
  } catch (const MessageError& error) {
    fail(message, error.what());
  }
}

bool TopicSource::take_pending(MessageFrame* frame, const Camera& camera) {
  if (!pending_.has_value()) return false;
  *frame = std::move(*pending_);
  pending_.reset();
  finish_frame(frame, camera);
  return true;
}

// Skips damaged chunks, with a warning, if skip-damaged is set: after an error, the cursor
// continues behind the chunk.
bool TopicSource::next_message(mcap::Message* message) {
  for (;;) {
    try {
      return cursor_.next(message);
    } catch (const mcap::McapError& error) {
      if (!skip_damaged_) throw;
      warn(std::string(error.what()) + ".");
    }
  }
}

bool TopicSource::next(MessageFrame* frame) {
  for (;;) {
    try {
      return read_frame(frame);
    } catch (const MessageError& error) {
      if (!skip_damaged_) throw;
      warn(error.what());
    }
  }
}

bool TopicSource::read_frame(MessageFrame* frame) {
  mcap::Message message;
  while (next_message(&message)) {
    const std::uint16_t channel = message.channel_id;
    if (std::ranges::find(items_channels_, channel) != items_channels_.end()) {
      note_items(message);
      continue;
    }
    if (std::ranges::find(camera_channels_, channel) != camera_channels_.end()) {
      Camera camera = read_camera(message);
      // The waiting frame's camera, or a later one: then the camera before it applies.
      const bool same = pending_.has_value() && camera.stamp == pending_->stamp;
      const Camera before = std::exchange(last_camera_, std::move(camera));
      has_camera_ = true;
      if (same) return take_pending(frame, last_camera_);
      if (pending_.has_value()) return take_pending(frame, before);
      continue;
    }
    if (is_before_start(message)) {
      items_.clear();
      continue;
    }
    MessageFrame made = make_frame(message);
    if (camera_channels_.empty()) {
      finish_frame(&made, {});
      *frame = std::move(made);
      return true;
    }
    if (!pending_.has_value() && has_camera_ && last_camera_.stamp == made.stamp) {
      finish_frame(&made, last_camera_);
      *frame = std::move(made);
      return true;
    }
    const bool waited = take_pending(frame, last_camera_);
    pending_ = std::move(made);
    if (waited) return true;
  }
  return take_pending(frame, last_camera_);
}

// Compares frames of mcapsink by PTS, as their stamps come from other clocks.
bool TopicSource::is_before_start(const mcap::Message& message) const {
  GstClockTime pts = GST_CLOCK_TIME_NONE;
  try {
    if (items_time_ == message.log_time) pts = pts_of_items(items_);
  } catch (const ItemError&) {
  }  // make_frame() says so
  return (GST_CLOCK_TIME_IS_VALID(pts) ? pts : time_of(message.log_time)) < start_;
}

void TopicSource::seek(GstClockTime time) {
  // Stamps run behind PTS by no more than this.
  constexpr std::uint64_t kJitter = 200 * GST_MSECOND;
  pending_.reset();
  items_.clear();
  start_ = time;
  const auto wanted =
      static_cast<std::int64_t>(time - shift_ - (items_channels_.empty() ? 0 : kJitter));
  const std::uint64_t log_time =
      reader_.start_time() + static_cast<std::uint64_t>(std::max<std::int64_t>(wanted, 0));
  find_camera(log_time);
  cursor_.seek(log_time);
}

}  // namespace rdp::gst
