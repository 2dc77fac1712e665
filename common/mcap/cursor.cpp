// SPDX-License-Identifier: LGPL-2.1-or-later
#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

#include "common/mcap/reader.h"

namespace rdp::mcap {

namespace {

// Chunks that lie across each other in time are open together. Beyond this their data are read
// again, and beyond so many messages they are an error: files that are made to be read have none.
constexpr std::uint64_t kMaxHeldBytes = std::uint64_t{1} << 28;
constexpr std::size_t kMaxOpenMessages = std::size_t{1} << 26;

}  // namespace

Cursor::Cursor(const Reader& reader)
    : reader_(reader), chunks_(reader.input()), window_(reader.input()) {}

bool Cursor::is_selected(std::uint16_t channel) const {
  return channel < selected_.size() && selected_[channel];
}

bool Cursor::has_selected(const ChunkPlace& chunk) const {
  const ChannelMap& indexes = reader_.index().message_indexes;
  const auto first = indexes.begin() + static_cast<std::ptrdiff_t>(chunk.first_index);
  return chunk.indexes == 0 ||
         std::any_of(first, first + static_cast<std::ptrdiff_t>(chunk.indexes),
                     [this](const auto& index) { return is_selected(index.first); });
}

// std::push_heap keeps the largest in front: that is to be the one whose message comes first.
bool Cursor::is_later_slot(const std::unique_ptr<Slot>& a, const std::unique_ptr<Slot>& b) {
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
  for (; !heap_.empty(); heap_.pop_back()) drop(std::move(heap_.back()));
  from_ = log_time;
  next_chunk_ = 0;
  loose_opened_ = false;
  held_ = false;
}

bool Cursor::next(Message* message) {
  if (held_) step_over();
  open_due();
  if (heap_.empty()) return false;
  Slot* const slot = heap_.front().get();
  try {
    read_message(slot, message);
  } catch (...) {
    std::ranges::pop_heap(heap_, is_later_slot);
    drop(std::move(heap_.back()));
    heap_.pop_back();
    throw;
  }
  held_ = true;
  return true;
}

// Goes on from the message that next() gave.
void Cursor::step_over() {
  held_ = false;
  std::ranges::pop_heap(heap_, is_later_slot);
  if (++heap_.back()->at < heap_.back()->entries.size()) {
    std::ranges::push_heap(heap_, is_later_slot);
  } else {
    drop(std::move(heap_.back()));
    heap_.pop_back();
  }
}

// Opens all chunks that may have the next message.
void Cursor::open_due() {
  if (!std::exchange(loose_opened_, true)) push(open(nullptr));
  while (next_chunk_ < order_.size()) {
    const ChunkPlace* const chunk = order_[next_chunk_];
    if (!heap_.empty() && heap_.front()->next().log_time < chunk->start_time) break;
    ++next_chunk_;
    if (chunk->end_time >= from_) push(open(chunk));
  }
}

void Cursor::push(std::unique_ptr<Slot> slot) {
  const auto later = std::ranges::lower_bound(slot->entries, Entry{from_, 0});
  slot->at = static_cast<std::size_t>(later - slot->entries.begin());
  if (later == slot->entries.end()) {
    drop(std::move(slot));
    return;
  }
  heap_.push_back(std::move(slot));
  std::ranges::push_heap(heap_, is_later_slot);
}

// A slot with the messages of a chunk, or with those outside of chunks, by time.
std::unique_ptr<Cursor::Slot> Cursor::open(const ChunkPlace* chunk) {
  std::unique_ptr<Slot> slot;
  if (free_.empty()) {
    slot = std::make_unique<Slot>();
  } else {
    slot = std::move(free_.back());
    free_.pop_back();
  }
  slot->chunk = chunk;
  slot->at = 0;
  try {
    if (chunk == nullptr) {
      for (const LooseMessage& loose : reader_.index().loose) {
        if (is_selected(loose.channel)) slot->entries.push_back({loose.log_time, loose.offset});
      }
    } else if (chunk->indexes > 0) {
      read_indexes(slot.get());
    } else {
      find_messages(slot.get());
    }
  } catch (...) {
    drop(std::move(slot));
    throw;
  }
  if (!std::ranges::is_sorted(slot->entries)) std::ranges::sort(slot->entries);
  return slot;
}

void Cursor::drop(std::unique_ptr<Slot> slot) {
  if (slot->chunk != nullptr) open_messages_ -= slot->entries.size();
  slot->entries.clear();
  slot->loaded = false;
  free_.push_back(std::move(slot));
}

void Cursor::read_indexes(Slot* slot) {
  const ChunkPlace& chunk = *slot->chunk;
  const Input& input = reader_.input();
  for (std::size_t i = 0; i < chunk.indexes; ++i) {
    const auto [channel, offset] = reader_.index().message_indexes[chunk.first_index + i];
    if (!is_selected(channel)) continue;
    const RecordView record = record_at(input, &window_, offset, head_at(input, &window_, offset));
    if (record.is(Opcode::kMessageIndex)) record.decode_to(&message_index_);
    if (!record.is(Opcode::kMessageIndex) || message_index_.channel_id != channel) {
      fail_damaged(record.place, "index of messages", "another record",
                   "that of channel " + std::to_string(channel) + "; the file is damaged");
    }
    for (const auto& [log_time, at] : message_index_.records) {
      add_entry({log_time, at}, record.place, slot);
    }
  }
}

void Cursor::find_messages(Slot* slot) {
  load(slot);
  ByteSpan left = slot->data.bytes();
  Place place = {reader_.input().name(), 0, slot->chunk->offset};
  Message message;
  for (RecordView record; next_record(&left, &place, &record);) {
    if (!record.is(Opcode::kMessage)) continue;
    record.decode_to(&message);
    if (!is_selected(message.channel_id)) continue;
    add_entry({message.log_time, record.place.offset}, record.place, slot);
  }
}

void Cursor::add_entry(const Entry& entry, const Place& place, Slot* slot) {
  const ChunkPlace& chunk = *slot->chunk;
  if (entry.log_time < chunk.start_time || entry.log_time > chunk.end_time) {
    fail_damaged(place, "log_time", std::to_string(entry.log_time),
                 std::to_string(chunk.start_time) + " to " + std::to_string(chunk.end_time) +
                     ", the times of the chunk; the file is damaged");
  }
  if (open_messages_ >= kMaxOpenMessages) {
    fail_damaged(
        place, "chunks",
        "more than " + std::to_string(kMaxOpenMessages) + " messages in chunks of one time",
        "fewer; sort the file by time with the tool mcap");
  }
  ++open_messages_;
  slot->entries.push_back(entry);
}

void Cursor::load(Slot* slot) {
  if (slot->loaded) return;
  held_bytes_ -= slot->data.memory.capacity();
  slot->data.size = 0;
  try {
    chunks_.read(slot->chunk->offset, &slot->data);
  } catch (...) {
    held_bytes_ += slot->data.memory.capacity();
    throw;
  }
  held_bytes_ += slot->data.memory.capacity();
  slot->loaded = true;
  if (held_bytes_ <= kMaxHeldBytes) return;
  for (auto* slots : {&heap_, &free_}) {
    for (const auto& other : *slots) {
      if (other.get() == slot) continue;
      other->data = {};
      other->loaded = false;
    }
  }
  held_bytes_ = slot->data.memory.capacity();
}

void Cursor::read_message(Slot* slot, Message* message) {
  const Entry& entry = slot->next();
  RecordView record;
  if (slot->chunk == nullptr) {
    const RecordHead head = head_at(reader_.input(), &window_, entry.offset);
    record = record_at(reader_.input(), &window_, entry.offset, head);
  } else {
    load(slot);
    ByteSpan left = slot->data.bytes();
    left = left.subspan(std::min<std::uint64_t>(entry.offset, left.size()));
    Place place = {reader_.input().name(), entry.offset, slot->chunk->offset};
    if (!next_record(&left, &place, &record)) record.place = place;
  }
  if (record.is(Opcode::kMessage)) record.decode_to(message);
  if (!record.is(Opcode::kMessage) || message->log_time != entry.log_time ||
      !is_selected(message->channel_id)) {
    fail_damaged(record.place, "message", "another record",
                 "the message of time " + std::to_string(entry.log_time) +
                     " that the index has there; the file is damaged");
  }
}

std::optional<std::uint64_t> Cursor::last_time(std::uint64_t log_time) {
  std::optional<std::uint64_t> best;
  const auto look = [&](const ChunkPlace* chunk) {
    std::unique_ptr<Slot> slot = open(chunk);
    const auto behind = std::ranges::upper_bound(slot->entries, log_time, {}, &Entry::log_time);
    if (behind != slot->entries.begin()) {
      best = std::max(best.value_or(0), std::prev(behind)->log_time);
    }
    drop(std::move(slot));
  };
  look(nullptr);
  // The later ones first: mostly one of them is enough.
  const auto behind = std::ranges::upper_bound(order_, log_time, {}, &ChunkPlace::start_time);
  for (auto at = behind; at != order_.begin();) {
    const ChunkPlace* const chunk = *--at;
    if (!best || std::min(chunk->end_time, log_time) > *best) look(chunk);
  }
  return best;
}

}  // namespace rdp::mcap
