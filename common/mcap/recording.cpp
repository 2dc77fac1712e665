// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/mcap/recording.h"

#include <algorithm>
#include <new>
#include <system_error>
#include <utility>

namespace rdp::mcap {
namespace {

std::uint64_t nanoseconds_since(std::chrono::steady_clock::time_point then) {
  const auto passed = std::chrono::steady_clock::now() - then;
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(passed).count());
}

// A wait of `time` ns, capped so that a clock can add it to its time.
std::chrono::nanoseconds wait_of(std::uint64_t time) {
  constexpr std::uint64_t kHour = 3'600'000'000'000;
  return std::chrono::nanoseconds(static_cast<std::int64_t>(std::min(time, kHour)));
}

}  // namespace

Recording::Recording(const RecordingSettings& settings,
                     std::function<std::string(unsigned)> file_name)
    : settings_(settings), file_name_(std::move(file_name)) {
  queue_.reserve(settings_.max_queue + std::size_t{2});
  free_.reserve(settings_.max_queue + std::size_t{1});
  for (unsigned i = 0; i <= settings_.max_queue; ++i) {
    free_.push_back(std::make_unique<OpenChunk>());
  }
  open_file();
  thread_ = std::thread([this] { run(); });
}

// The next file. Throws std::system_error.
void Recording::open_file() {
  name_ = file_name_(counts_.files);
  {
    const std::lock_guard lock(mutex_);
    failure_.file = name_;  // should there be one
  }
  auto output = std::make_unique<FileOutput>();
  if (const int error = output->open(name_.c_str()); error != 0) {
    throw std::system_error(error, std::generic_category(), name_);
  }
  writer_ = std::make_unique<Writer>(std::move(output), &definitions_, settings_.writer);
  if (const int error = writer_->begin(); error != 0) {
    throw std::system_error(error, std::generic_category(), name_);
  }
  last_sync_ = Clock::now();
  const std::lock_guard lock(mutex_);
  ++counts_.files;
}

std::uint16_t Recording::channel(std::string_view topic, std::string_view schema_name,
                                 std::string_view schema_text, TextMap metadata,
                                 std::shared_ptr<MessageEncoder> encoder) {
  const std::lock_guard lock(mutex_);
  Channel channel;
  channel.schema_id = definitions_.add_schema(schema_name, "ros2msg", schema_text);
  channel.topic = topic;
  channel.message_encoding = "cdr";
  channel.metadata = std::move(metadata);
  const std::uint16_t id = definitions_.add_channel(std::move(channel));
  if (sequences_.size() <= id) {
    sequences_.resize(id + 1U);
    encoders_.resize(id + 1U);
  }
  encoders_[id] = std::move(encoder);
  return id;
}

// False: no chunk is free and `wait` is false, or the recording has failed.
bool Recording::have_chunk(std::unique_lock<std::mutex>* lock, bool wait) {
  if (open_ != nullptr) return true;
  if (wait) changed_.wait(*lock, [&] { return !free_.empty() || failure_.error != 0; });
  if (free_.empty() || failure_.error != 0) return false;
  open_ = std::move(free_.back());
  free_.pop_back();
  return true;
}

void Recording::add(std::uint16_t channel, std::uint64_t stamp, std::span<const ByteSpan> pieces) {
  if (open_->empty()) open_since_ = Clock::now();
  open_->add(channel, sequences_[channel], stamp, stamp, pieces);
  ++sequences_[channel];
  ++counts_.messages;
}

void Recording::queue_chunk() noexcept {
  queued_bytes_ += open_->size();
  queue_.push_back(std::move(open_));
  changed_.notify_all();
}

bool Recording::is_full() const {
  return open_->size() >= settings_.chunk_size ||
         (settings_.chunk_time > 0 &&
          open_->end_time() - open_->start_time() >= settings_.chunk_time);
}

// Starts the next file for later messages; it begins with the latched ones.
void Recording::split(std::uint64_t stamp, std::unique_lock<std::mutex>* lock) {
  if (open_ != nullptr && !open_->empty()) queue_chunk();
  queue_.push_back(nullptr);
  ++splits_;
  changed_.notify_all();
  // Waits until that file is open: its size counts from its own beginning.
  changed_.wait(*lock, [&] { return counts_.files > splits_ || failure_.error != 0; });
  file_has_messages_ = false;
  if (failure_.error != 0 || latched_.empty() || !have_chunk(lock, true)) return;
  for (const Latched& one : latched_) {
    const ByteSpan piece = one.data;
    add(one.channel, stamp, {&piece, 1});
  }
}

void Recording::keep_latched(const Item& item) {
  Latched latched{std::string(item.latch), item.channel, {}};
  for (const ByteSpan& piece : item.message->pieces()) {
    latched.data.insert(latched.data.end(), piece.begin(), piece.end());
  }
  std::erase_if(latched_, [&](const Latched& one) { return one.text == latched.text; });
  latched_.push_back(std::move(latched));
}

Recording::Result Recording::write(std::uint64_t stamp, std::span<const Item> frame) {
  std::uint64_t bytes = 0;
  for (const Item& item : frame) bytes += OpenChunk::size_of(item.message->size());
  const std::lock_guard turn(turn_);
  std::unique_lock lock(mutex_);
  if (failure_.error != 0 || ending_) return Result::kFailed;
  const std::uint64_t now = written_bytes_ + queued_bytes_ + (open_ != nullptr ? open_->size() : 0);
  const bool beyond_size = settings_.max_size > 0 && now + bytes > settings_.max_size;
  const bool beyond_time = settings_.max_duration > 0 && stamp > file_start_ &&
                           stamp - file_start_ >= settings_.max_duration;
  if (file_has_messages_ && (beyond_size || beyond_time)) split(stamp, &lock);
  if (!have_chunk(&lock, !settings_.drop)) {
    if (failure_.error != 0) return Result::kFailed;
    counts_.dropped += frame.size();
    return Result::kDropped;
  }
  if (!file_has_messages_) file_start_ = stamp;
  for (std::size_t i = 0; i < frame.size(); ++i) {
    if (!have_chunk(&lock, true)) return Result::kFailed;
    if (!open_->empty() &&
        open_->size() + OpenChunk::size_of(frame[i].message->size()) > kMaxChunkBytes) {
      queue_chunk();
      if (!have_chunk(&lock, true)) return Result::kFailed;
    }
    add(frame[i].channel, stamp, frame[i].message->pieces());
    file_has_messages_ = true;
    if (!frame[i].latch.empty()) keep_latched(frame[i]);
    // A frame that has begun is not dropped: its chunk grows if no other one is free.
    const bool goes_on = i + 1 < frame.size() && settings_.drop && free_.empty();
    if (is_full() && !goes_on) queue_chunk();
  }
  return Result::kWritten;
}

// --- the thread ---------------------------------------------------------------------------------

void Recording::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    const auto ready = [&] { return !queue_.empty() || ending_; };
    if (settings_.chunk_time == 0) {
      changed_.wait(lock, ready);
    } else if (!changed_.wait_for(lock, wait_of(settings_.chunk_time), ready)) {
      // Nothing came for that long: the open chunk should survive a crash of the process.
      const bool is_old = open_ != nullptr && !open_->empty() &&
                          nanoseconds_since(open_since_) >= settings_.chunk_time;
      if (is_old) queue_chunk();
    }
    if (queue_.empty()) {
      if (!ending_) continue;
      if (open_ == nullptr || open_->empty()) break;
      queue_chunk();
    }
    std::unique_ptr<OpenChunk> chunk = std::move(queue_.front());
    queue_.erase(queue_.begin());
    lock.unlock();
    work_on(chunk.get());
    lock.lock();
    if (chunk != nullptr) {
      queued_bytes_ -= chunk->size();
      chunk->clear();
      free_.push_back(std::move(chunk));
    }
    if (writer_ != nullptr) written_bytes_ = writer_->size();
    counts_.bytes = earlier_bytes_ + written_bytes_;
    changed_.notify_all();
  }
  lock.unlock();
  if (failure_.error != 0) return;
  try {
    end_file();
  } catch (const std::exception&) {
    fail(ENOMEM, 0);
  }
}

// Returns the chunk with the messages of channels with an encoder replaced by its output.
const OpenChunk& Recording::encoded(const OpenChunk& chunk) {
  {
    const std::lock_guard lock(mutex_);
    const auto has_encoder = [&](std::uint16_t id) { return encoders_[id] != nullptr; };
    if (std::ranges::none_of(chunk.channels(), has_encoder)) return chunk;
    at_work_ = encoders_;
  }
  encoded_.clear();
  ByteSpan left = chunk.data();
  Place place;
  Message message;
  for (RecordView record; next_record(&left, &place, &record);) {
    record.decode_to(&message);
    std::span<const ByteSpan> pieces(&message.data.bytes, 1);
    if (MessageEncoder* encoder = at_work_[message.channel_id].get(); encoder != nullptr) {
      encoder->encode(message.data.bytes, &encoded_message_);
      pieces = encoded_message_.pieces();
    }
    encoded_.add(message.channel_id, message.sequence, message.log_time, message.publish_time,
                 pieces);
  }
  return encoded_;
}

// Writes a chunk; null: ends the file and opens the next one.
void Recording::work_on(const OpenChunk* chunk) noexcept {
  const std::uint64_t messages = chunk != nullptr ? chunk->messages() : 0;
  if (failure_.error != 0) return fail(failure_.error, messages);
  try {
    if (chunk == nullptr) {
      end_file();
      if (failure_.error == 0) open_file();
      return;
    }
    if (const int error = writer_->write(encoded(*chunk)); error != 0) return fail(error, 0);
    const bool due =
        settings_.fsync_interval > 0 && nanoseconds_since(last_sync_) >= settings_.fsync_interval;
    if (due) {
      last_sync_ = Clock::now();
      if (const int error = writer_->sync(); error != 0) return fail(error, 0);
    }
    const std::lock_guard lock(mutex_);
    ++counts_.chunks;
  } catch (const std::system_error& error) {
    fail(error.code().value(), messages);
  } catch (const std::exception&) {
    fail(ENOMEM, messages);
  }
}

// Ends the file as far as that can be done. `lost`: lost messages that the writer does not know of.
void Recording::fail(int error, std::uint64_t lost) noexcept {
  bool finished = false;
  if (writer_ != nullptr) {
    try {
      finished = writer_->finish() == 0;
    } catch (const std::exception&) {
    }  // no memory for the summary: the file can be read without it
  }
  const std::lock_guard lock(mutex_);
  if (writer_ != nullptr) {
    const WriteFailure& of_file = writer_->failure();
    lost += of_file.lost_messages;
    failure_.finished = finished || of_file.finished;
    failure_.bytes = writer_->size();
    failure_.messages = writer_->messages();
    writer_.reset();
  }
  if (failure_.error == 0) failure_.error = error;
  failure_.lost_messages += lost;
}

void Recording::end_file() {
  int error = writer_->sync();
  const int end_error = writer_->finish();
  if (error == 0) error = end_error;
  if (error != 0) return fail(error, 0);
  const std::lock_guard lock(mutex_);
  earlier_bytes_ += writer_->size();
  counts_.bytes = earlier_bytes_;
  written_bytes_ = 0;
  writer_.reset();
}

// --- the end ------------------------------------------------------------------------------------

void Recording::finish() {
  const std::lock_guard one(end_mutex_);
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
    changed_.notify_all();
  }
  if (thread_.joinable()) thread_.join();
}

bool Recording::is_finished() const {
  const std::lock_guard lock(mutex_);
  return ending_;
}

bool Recording::has_failed() const {
  const std::lock_guard lock(mutex_);
  return failure_.error != 0;
}

RecordingFailure Recording::failure() const {
  const std::lock_guard lock(mutex_);
  return failure_;
}

RecordingCounts Recording::counts() const {
  const std::lock_guard lock(mutex_);
  return counts_;
}

}  // namespace rdp::mcap
