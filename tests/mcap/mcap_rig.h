// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_MCAP_MCAP_RIG_H_
#define RDP_TESTS_MCAP_MCAP_RIG_H_

#include <gst/rdpsegment/rdpsegment.h>
#include <gst/video/video.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "common/mcap/marker_messages.h"
#include "common/mcap/reader.h"
#include "common/mcap/recording.h"
#include "common/mcap/schema_text.h"
#include "tests/support/pipeline_rig.h"

// After gst/check/gstcheck.h.
#include "tests/support/camera_fixture.h"
#include "tests/support/check_text.h"
#include "tests/support/temporary_files.h"

// Files written by mcapsink or by other programs, and their playback by mcapsrc.
namespace rdp::test {

inline constexpr guint64 kStart = 1'700'000'000'000'000'000;  // Unix ns of tests

class McapFolder : public Folder {
 public:
  std::string file(const std::string& name = "a.mcap") const { return path() + "/" + name; }
};

inline std::string bytes_in(GstBuffer* buffer) {
  std::string bytes(gst_buffer_get_size(buffer), '\0');
  gst_buffer_extract(buffer, 0, bytes.data(), bytes.size());
  return bytes;
}

inline GstBuffer* buffer_of(const std::string& bytes, GstClockTime pts) {
  GstBuffer* buffer = gst_buffer_new_allocate(nullptr, bytes.size(), nullptr);
  gst_buffer_fill(buffer, 0, bytes.data(), bytes.size());
  GST_BUFFER_PTS(buffer) = pts;
  return buffer;
}

// Pseudo-random bytes, different for each seed.
inline std::string some_bytes(std::size_t size, unsigned seed) {
  std::string bytes(size, '\0');
  for (char& byte : bytes) {
    seed = seed * 1664525 + 1013904223;
    byte = static_cast<char>(seed >> 24);
  }
  return bytes;
}

// A frame in the layout of its caps, with zeros as row padding.
inline std::string some_frame(const char* caps_text, unsigned seed) {
  g_autoptr(GstCaps) caps = gst_caps_from_string(caps_text);
  GstVideoInfo info;
  fail_unless(gst_video_info_from_caps(&info, caps), "%s", caps_text);
  std::string bytes(GST_VIDEO_INFO_SIZE(&info), '\0');
  for (guint plane = 0; plane < GST_VIDEO_INFO_N_PLANES(&info); ++plane) {
    const int component = static_cast<int>(plane);
    const auto row = static_cast<std::size_t>(GST_VIDEO_INFO_COMP_WIDTH(&info, component) *
                                              GST_VIDEO_INFO_COMP_PSTRIDE(&info, component));
    for (int y = 0; y < GST_VIDEO_INFO_COMP_HEIGHT(&info, component); ++y) {
      const auto at = GST_VIDEO_INFO_PLANE_OFFSET(&info, plane) +
                      static_cast<std::size_t>(y * GST_VIDEO_INFO_PLANE_STRIDE(&info, plane));
      bytes.replace(at, row, some_bytes(row, seed++));
    }
  }
  return bytes;
}

// Records buffers through a pad of mcapsink and returns its error, or "".
inline std::string record(const std::string& file, const char* pad, const std::string& caps,
                          const std::vector<GstBuffer*>& sent, const std::string& words = "") {
  PipelineRig rig("appsrc name=in format=time ! s." + std::string(pad) +
                  " mcapsink name=s start-time=" + std::to_string(kStart) + " location=" + file +
                  " " + words);
  rig.set_caps("in", caps);
  rig.play();
  for (GstBuffer* buffer : sent) rig.push("in", gst_buffer_ref(buffer));
  rig.end({"in"});
  return rig.wait();
}

struct Played {
  std::string error;
  std::vector<std::string> warnings;
  std::string caps;
  std::vector<GstBuffer*> buffers;
  ~Played() {
    for (GstBuffer* buffer : buffers) gst_buffer_unref(buffer);
  }
};

// Plays a file. `words` are the properties of mcapsrc; `then` goes before the sink.
inline std::unique_ptr<Played> play(const std::string& file, const std::string& words = "",
                                    const std::string& then = "") {
  PipelineRig rig("mcapsrc name=src location=" + file + " " + words + " " + then +
                  " ! fakesink name=sink");
  auto played = std::make_unique<Played>();
  {
    Received received(rig.get("sink"));
    gst_element_set_state(rig.pipeline(), GST_STATE_PLAYING);  // fails if the file is missing
    played->error = rig.wait();
    played->warnings = rig.warnings;
    played->caps = received.caps();
    gst_element_set_state(rig.pipeline(), GST_STATE_NULL);
    for (GstBuffer* buffer : received.buffers) played->buffers.push_back(gst_buffer_ref(buffer));
  }
  return played;
}

// The PTS of all frames between `start` and `stop`, after a seek in PAUSED.
struct PlayedPart {
  std::vector<GstClockTime> times;
  gint64 duration = 0;
};
inline PlayedPart play_part(const std::string& file, const std::string& words, GstClockTime start,
                            GstClockTime stop = GST_CLOCK_TIME_NONE) {
  PlayedPart part;
  PipelineRig rig("mcapsrc location=" + file + " " + words + " ! fakesink name=sink");
  Received received(rig.get("sink"));
  gst_element_set_state(rig.pipeline(), GST_STATE_PAUSED);
  fail_unless(gst_element_get_state(rig.pipeline(), nullptr, nullptr, GST_CLOCK_TIME_NONE) ==
              GST_STATE_CHANGE_SUCCESS);
  fail_unless(gst_element_query_duration(rig.pipeline(), GST_FORMAT_TIME, &part.duration));
  fail_unless(
      gst_element_seek(rig.pipeline(), 1.0, GST_FORMAT_TIME,
                       static_cast<GstSeekFlags>(GST_SEEK_FLAG_FLUSH | GST_SEEK_FLAG_ACCURATE),
                       GST_SEEK_TYPE_SET, static_cast<gint64>(start),
                       GST_CLOCK_TIME_IS_VALID(stop) ? GST_SEEK_TYPE_SET : GST_SEEK_TYPE_NONE,
                       static_cast<gint64>(stop)));
  rig.play();
  fail_unless_equals_text(rig.wait(), "");
  gst_element_set_state(rig.pipeline(), GST_STATE_NULL);
  // The first buffer is the preroll from before the seek.
  for (std::size_t i = 1; i < received.buffers.size(); ++i) {
    part.times.push_back(GST_BUFFER_PTS(received.buffers[i]));
  }
  return part;
}

// All messages of a file and whether it is complete, read by mcap::Reader.
struct ReadFile {
  bool complete = false;
  std::vector<std::string> warnings;
  std::vector<std::pair<std::string, guint64>> messages;  // topic, log time
  std::size_t count(const std::string& topic) const {
    return static_cast<std::size_t>(
        std::count_if(messages.begin(), messages.end(),
                      [&](const auto& message) { return message.first == topic; }));
  }
};
inline ReadFile read_file(const std::string& file) {
  auto input = std::make_unique<mcap::FileInput>();
  fail_unless_equals_int(input->open(file), 0);
  const mcap::Reader reader(std::move(input), true);
  ReadFile result;
  result.complete = reader.is_complete();
  result.warnings = reader.warnings();
  std::vector<std::uint16_t> all;
  for (const mcap::ReadChannel& channel : reader.channels()) all.push_back(channel.definition.id);
  mcap::Cursor cursor(reader);
  cursor.select(all);
  mcap::Message message;
  while (cursor.next(&message)) {
    result.messages.emplace_back(reader.channel(message.channel_id)->definition.topic,
                                 message.log_time);
  }
  return result;
}

// A file of ROS 2 messages, as other programs write it.
class RosFile {
 public:
  explicit RosFile(const std::string& file,
                   mcap::Compression compression = mcap::Compression::kNone) {
    mcap::RecordingSettings settings;
    settings.writer.compression = compression;
    recording_ = std::make_unique<mcap::Recording>(settings, [file](unsigned) { return file; });
  }
  template <typename Message>
  void add(const std::string& topic, guint64 log_time, const Message& message,
           const mcap::TextMap& metadata = {}) {
    const std::string text = ros::schema_text<Message>();
    const auto channel = recording_->channel(topic, ros::schema_name<Message>(), text, metadata);
    ros::CdrWriter writer;
    writer.write(message);
    const mcap::Recording::Item item{channel, &writer};
    fail_unless(recording_->write(log_time, {&item, 1}) == mcap::Recording::Result::kWritten);
  }
  void finish() { recording_->finish(); }

 private:
  std::unique_ptr<mcap::Recording> recording_;
};

inline ros::Header header_at(guint64 stamp, const char* frame_id = "camera_optical_frame") {
  return {ros::Time::of_nanoseconds(static_cast<gint64>(stamp)), frame_id};
}

}  // namespace rdp::test

#endif  // RDP_TESTS_MCAP_MCAP_RIG_H_
