// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_MCAP_RECORDING_H_
#define RDP_COMMON_MCAP_RECORDING_H_

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "common/mcap/cdr.h"
#include "common/mcap/definitions.h"
#include "common/mcap/open_chunk.h"
#include "common/mcap/output.h"
#include "common/mcap/writer.h"

namespace rdp::mcap {

// Times are in ns. A limit of 0: none.
struct RecordingSettings {
  WriterOptions writer;
  std::uint64_t chunk_size = 1 << 20;
  std::uint64_t chunk_time = 1'000'000'000;
  std::uint64_t max_size = 0;
  std::uint64_t max_duration = 0;
  std::uint64_t fsync_interval = 1'000'000'000;
  unsigned max_queue = 4;  // chunks
  bool drop = false;       // drops frames if no chunk is free; false: their threads wait
};

struct RecordingCounts {
  std::uint64_t messages = 0;
  std::uint64_t dropped = 0;  // messages
  std::uint64_t bytes = 0;    // in all files so far
  std::uint64_t chunks = 0;
  unsigned files = 0;
};

// The end of a recording that could not go on.
struct RecordingFailure {
  int error = 0;  // an errno; 0: none
  std::string file;
  std::uint64_t bytes = 0;     // valid bytes of the file
  std::uint64_t messages = 0;  // in it
  std::uint64_t lost_messages = 0;
  bool finished = false;  // the file has a summary
};

// Makes the messages of a channel from others, in the thread of the recording.
class MessageEncoder {
 public:
  virtual ~MessageEncoder() = default;
  // Writes what becomes of a message, which stays until the next call. What it throws ends the
  // recording.
  virtual void encode(ByteSpan message, ros::CdrWriter* out) = 0;
};

// One or several files that any number of threads write to. Messages are copied into the open
// chunk. A thread of the recording encodes, compresses and writes chunks: so a slow disk has no
// effect until max_queue of them wait.
class Recording {
 public:
  struct Item {
    std::uint16_t channel;
    ros::CdrWriter* message;
    // Key of a message that is repeated at the start of each later file, until another message has
    // the same key. Empty: not repeated.
    std::string_view latch = {};
  };
  enum class Result { kWritten, kDropped, kFailed };

  // `file_name` gives the name of the file with a number, from 0. Opens the first one. Throws
  // std::system_error if that fails, std::bad_alloc.
  Recording(const RecordingSettings& settings, std::function<std::string(unsigned)> file_name);
  ~Recording() { finish(); }
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  // A channel of ros2msg and cdr. With an encoder, write() takes the encoder's input, whose size
  // counts for chunk_size.
  std::uint16_t channel(std::string_view topic, std::string_view schema_name,
                        std::string_view schema_text, TextMap metadata,
                        std::shared_ptr<MessageEncoder> encoder = nullptr);

  // The messages of one frame, in their order and in one file. Throws std::bad_alloc,
  // std::length_error where one is above 1 GiB.
  Result write(std::uint64_t stamp, std::span<const Item> frame);

  // Writes queued messages, ends the file, and waits until that is done. Later calls do nothing.
  void finish();
  bool is_finished() const;

  bool has_failed() const;
  RecordingFailure failure() const;
  RecordingCounts counts() const;

 private:
  using Clock = std::chrono::steady_clock;

  struct Latched {
    std::string text;
    std::uint16_t channel;
    Bytes data;
  };
  void open_file();
  bool have_chunk(std::unique_lock<std::mutex>* lock, bool wait);
  void add(std::uint16_t channel, std::uint64_t stamp, std::span<const ByteSpan> pieces);
  void queue_chunk() noexcept;
  bool is_full() const;
  void split(std::uint64_t stamp, std::unique_lock<std::mutex>* lock);
  void keep_latched(const Item& item);
  void run();
  void work_on(const OpenChunk* chunk) noexcept;
  const OpenChunk& encoded(const OpenChunk& chunk);
  void end_file();
  void fail(int error, std::uint64_t lost) noexcept;

  const RecordingSettings settings_;
  const std::function<std::string(unsigned)> file_name_;
  Definitions definitions_;

  std::mutex end_mutex_;
  std::mutex turn_;  // of a frame: held before mutex_, also while that is released for a chunk
  mutable std::mutex mutex_;
  std::condition_variable changed_;  // chunks that are free, work, the end
  std::unique_ptr<OpenChunk> open_;
  Clock::time_point open_since_;
  std::vector<std::unique_ptr<OpenChunk>> free_;
  // Chunks to write; null is the end of a file. Neither grows beyond what was reserved.
  std::vector<std::unique_ptr<OpenChunk>> queue_;
  std::uint64_t queued_bytes_ = 0;  // not yet in the file that is written to, uncompressed
  std::uint64_t file_start_ = 0;    // the first log time of the file that messages are for
  bool file_has_messages_ = false;
  std::uint64_t written_bytes_ = 0;                        // of that file
  std::vector<std::uint32_t> sequences_;                   // by channel
  std::vector<std::shared_ptr<MessageEncoder>> encoders_;  // by channel
  std::vector<Latched> latched_;
  RecordingCounts counts_;
  std::uint64_t earlier_bytes_ = 0;  // of files that are finished
  RecordingFailure failure_;
  bool ending_ = false;
  unsigned splits_ = 0;  // requested by messages; the thread may have done fewer

  // Used by the thread only, once it runs.
  std::string name_;
  std::unique_ptr<Writer> writer_;
  Clock::time_point last_sync_;
  std::vector<std::shared_ptr<MessageEncoder>> at_work_;  // encoders_, of the chunk
  ros::CdrWriter encoded_message_;
  OpenChunk encoded_;
  std::thread thread_;
};

}  // namespace rdp::mcap

#endif  // RDP_COMMON_MCAP_RECORDING_H_
