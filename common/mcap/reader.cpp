// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/mcap/reader.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <tuple>
#include <utility>

namespace rdp::mcap {

namespace {

// Chunks that overlap in time are open together. Beyond kMaxHeldBytes their data are dropped and
// read again. More than kMaxOpenMessages are an error, which regular files never reach.
constexpr std::uint64_t kMaxHeldBytes = std::uint64_t{1} << 28;
constexpr std::size_t kMaxOpenMessages = std::size_t{1} << 26;

// Checks the beginning of a file, up to and with its Header.
Header read_header(const Input& input) {
  InputWindow window(input);
  const std::uint64_t size = std::min<std::uint64_t>(input.size(), kMagic.size());
  const ByteSpan start = window.view(0, size);
  if (!std::ranges::equal(start, magic_bytes())) {
    throw McapError(McapError::Kind::kNotMcap, input.place(0), "the file",
                    size < kMagic.size() ? std::to_string(size) + " bytes" : "other bytes",
                    "those that a file of MCAP begins with (89 4d 43 41 50 30 0d 0a)");
  }
  Header header;
  const std::uint64_t offset = kMagic.size();
  const RecordHead head = window.peek(offset);
  if (!head.whole) return header;  // truncated; the scan reports it
  if (!head.is(Opcode::kHeader)) {
    fail_damaged(input.place(offset), "the first record", "the kind " + std::to_string(head.opcode),
                 "a Header, kind 1; the file is damaged");
  }
  window.record(offset, head).decode_to(&header);
  return header;
}

}  // namespace

Reader::Reader(std::unique_ptr<Input> input, bool skip_damaged) : input_(std::move(input)) {
  index_.header = read_header(*input_);
  if (!read_summary(*input_, &index_)) scan_file(*input_, skip_damaged, &index_);
}

Cursor::Cursor(const Reader& reader)
    : reader_(reader), chunks_(reader.input()), window_(reader.input()) {}

bool Cursor::is_selected(std::uint16_t channel) const {
  return channel < selected_.size() && selected_[channel];
}

bool Cursor::has_selected(const ChunkPlace& chunk) const {
  const auto channels =
      std::span(reader_.index().chunk_channels).subspan(chunk.first_channel, chunk.channels);
  return channels.empty() || std::ranges::any_of(channels, [this](std::uint16_t channel) {
           return is_selected(channel);
         });
}

// std::push_heap keeps the largest in front: this order makes it the earliest message.
bool Cursor::is_later(const Slot* a, const Slot* b) {
  const auto key = [](const Slot& slot) {
    const Entry& next = slot.next();
    return std::tuple(next.log_time, slot.chunk != nullptr ? slot.chunk->offset : next.offset,
                      next.offset);
  };
  return key(*a) > key(*b);
}

void Cursor::select(std::span<const std::uint16_t> channels) {
  selected_.assign(65536, false);
  for (const std::uint16_t channel : channels) selected_[channel] = true;
  order_.clear();
  for (const ChunkPlace& chunk : reader_.index().chunks) {
    if (has_selected(chunk)) order_.push_back(&chunk);
  }
  std::ranges::stable_sort(order_, {}, &ChunkPlace::start_time);
  seek(0);
}

void Cursor::seek(std::uint64_t log_time) {
  for (; !heap_.empty(); heap_.pop_back()) drop(heap_.back());
  from_ = log_time;
  next_chunk_ = 0;
  loose_opened_ = false;
  held_ = false;
  counts_ = log_time <= reader_.start_time();
  missing_ = 0;
  for (const ReadChannel& channel : reader_.channels()) {
    if (is_selected(channel.definition.id)) missing_ += channel.messages;
  }
}

bool Cursor::next(Message* message) {
  bool reads = false;
  try {
    if (std::exchange(held_, false)) {
      Slot* const slot = pop();
      ++slot->at;
      push(slot);
    }
    open_due();
    reads = !heap_.empty();
    if (reads) read_message(heap_.front(), message);
    held_ = reads;
  } catch (...) {
    if (reads) drop(pop());
    counts_ = false;
    throw;
  }
  if (!reads && std::exchange(counts_, false) && missing_ > 0) {
    fail_damaged(reader_.input().place(0), "summary",
                 std::to_string(missing_) + " messages more than its chunks have",
                 "as many as they have; the file is damaged");
  }
  return reads;
}

// Opens all chunks that may have the next message.
void Cursor::open_due() {
  const auto take = [this](Slot* slot) {
    missing_ -= std::min<std::uint64_t>(missing_, slot->entries.size());
    const auto first = std::ranges::lower_bound(slot->entries, Entry{from_, 0});
    slot->at = static_cast<std::size_t>(first - slot->entries.begin());
    push(slot);
  };
  if (!std::exchange(loose_opened_, true)) take(open(nullptr));
  while (next_chunk_ < order_.size()) {
    const ChunkPlace* const chunk = order_[next_chunk_];
    if (!heap_.empty() && heap_.front()->next().log_time < chunk->start_time) break;
    ++next_chunk_;
    if (chunk->end_time >= from_) take(open(chunk));
  }
}

void Cursor::push(Slot* slot) {
  if (slot->at == slot->entries.size()) return drop(slot);
  heap_.push_back(slot);
  std::ranges::push_heap(heap_, is_later);
}

Cursor::Slot* Cursor::pop() {
  std::ranges::pop_heap(heap_, is_later);
  Slot* const slot = heap_.back();
  heap_.pop_back();
  return slot;
}

void Cursor::drop(Slot* slot) {
  slot->entries.clear();
  slot->loaded = false;
  free_.push_back(slot);
}

// A slot with the messages of a chunk, or with those outside of chunks.
Cursor::Slot* Cursor::open(const ChunkPlace* chunk) {
  if (free_.empty()) free_.push_back(&slots_.emplace_back());
  Slot* const slot = free_.back();
  free_.pop_back();
  slot->chunk = chunk;
  try {
    if (chunk != nullptr) {
      find_messages(slot);
    } else {
      for (const LooseMessage& loose : reader_.index().loose) {
        if (is_selected(loose.channel)) slot->entries.push_back({loose.log_time, loose.offset});
      }
    }
  } catch (...) {
    drop(slot);
    throw;
  }
  if (!std::ranges::is_sorted(slot->entries)) std::ranges::sort(slot->entries);
  return slot;
}

// Reads the chunk's records, because its indexes may lack some.
void Cursor::find_messages(Slot* slot) {
  load(slot);
  const ChunkPlace& chunk = *slot->chunk;
  ByteSpan left = slot->data.bytes();
  Place place = {reader_.input().name(), 0, chunk.offset};
  Message message;
  for (RecordView record; next_record(&left, &place, &record);) {
    if (!record.is(Opcode::kMessage)) continue;
    record.decode_to(&message);
    if (!is_selected(message.channel_id)) continue;
    if (message.log_time < chunk.start_time || message.log_time > chunk.end_time) {
      fail_damaged(record.place, "log_time", std::to_string(message.log_time),
                   std::to_string(chunk.start_time) + " to " + std::to_string(chunk.end_time) +
                       ", the times of the chunk; the file is damaged");
    }
    slot->entries.push_back({message.log_time, record.place.offset});
  }
  std::size_t open = 0;
  for (const Slot& other : slots_) open += other.chunk != nullptr ? other.entries.size() : 0;
  if (open <= kMaxOpenMessages) return;
  fail_damaged(place, "chunks",
               "more than " + std::to_string(kMaxOpenMessages) + " messages in chunks of one time",
               "fewer; sort the file by time with the tool mcap");
}

void Cursor::load(Slot* slot) {
  if (slot->loaded) return;
  slot->data.size = 0;
  chunks_.read(slot->chunk->offset, &slot->data);
  slot->loaded = true;
  std::uint64_t held = 0;
  for (const Slot& other : slots_) held += other.data.memory.capacity();
  if (held <= kMaxHeldBytes) return;
  for (Slot& other : slots_) {
    if (&other == slot) continue;
    other.data = {};
    other.loaded = false;
  }
}

void Cursor::read_message(Slot* slot, Message* message) {
  const Entry& entry = slot->next();
  RecordView record;
  if (slot->chunk == nullptr) {
    record = window_.record(entry.offset, window_.head(entry.offset));
  } else {
    load(slot);
    ByteSpan left = slot->data.bytes();
    left = left.subspan(std::min<std::uint64_t>(entry.offset, left.size()));
    Place place = {reader_.input().name(), entry.offset, slot->chunk->offset};
    if (!next_record(&left, &place, &record)) record.place = place;
  }
  if (record.is(Opcode::kMessage)) record.decode_to(message);
  if (!record.is(Opcode::kMessage) || !is_selected(message->channel_id)) {
    fail_damaged(record.place, "message", "another record", "the one that was there before");
  }
}

std::optional<std::uint64_t> Cursor::last_time(std::uint64_t log_time) {
  std::optional<std::uint64_t> best;
  const auto look = [&](const ChunkPlace* chunk) {
    Slot* const slot = open(chunk);
    const auto behind = std::ranges::upper_bound(slot->entries, log_time, {}, &Entry::log_time);
    if (behind != slot->entries.begin()) {
      best = std::max(best.value_or(0), std::prev(behind)->log_time);
    }
    drop(slot);
  };
  look(nullptr);
  // Later chunks first: usually one of them is enough.
  const auto behind = std::ranges::upper_bound(order_, log_time, {}, &ChunkPlace::start_time);
  for (auto at = behind; at != order_.begin();) {
    const ChunkPlace* const chunk = *--at;
    if (!best || std::min(chunk->end_time, log_time) > *best) look(chunk);
  }
  return best;
}

}  // namespace rdp::mcap
