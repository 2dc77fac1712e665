// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_MCAP_READER_H_
#define RDP_COMMON_MCAP_READER_H_

#include <compare>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/mcap/file_index.h"
#include "common/mcap/input.h"
#include "common/mcap/records.h"

namespace rdp::mcap {

// Opens a file: finds its channels and chunks, by its summary or by a scan of all records.
class Reader {
 public:
  // Throws McapError. With `skip_damaged` an unfinished or damaged file is read as far as it can
  // be, with warnings.
  explicit Reader(std::unique_ptr<Input> input, bool skip_damaged = false);

  const Header& header() const { return index_.header; }
  std::span<const ReadChannel> channels() const { return index_.channels; }
  // Null: there is none.
  const ReadChannel* channel(std::uint16_t id) const { return index_.channel(id); }
  std::uint64_t messages() const { return index_.messages; }
  // The first and last log time of all channels; 0 where there are no messages.
  std::uint64_t start_time() const { return index_.start_time; }
  std::uint64_t end_time() const { return index_.end_time; }
  // The file was finished.
  bool is_complete() const { return index_.complete; }
  // Whole sentences, with the file's name.
  const std::vector<std::string>& warnings() const { return index_.warnings; }

  const Input& input() const { return *input_; }
  const FileIndex& index() const { return index_; }

 private:
  std::unique_ptr<Input> input_;
  FileIndex index_;
};

// Reads messages of selected channels by log_time; messages of equal time in file order. Chunks
// without any of the channels are not read. Keeps its memory; several may read from one Reader,
// each in a thread.
class Cursor {
 public:
  // The reader must outlive the cursor. No channel is selected.
  explicit Cursor(const Reader& reader);

  // Chooses channels, and goes to their beginning.
  void select(std::span<const std::uint16_t> channels);
  // The next message is the first one at `log_time` or later. Reads nothing yet.
  void seek(std::uint64_t log_time);
  // The log time of the last message at `log_time` or earlier; nullopt: none. The position of
  // next() stays, but the last message's data become invalid. Throws McapError.
  std::optional<std::uint64_t> last_time(std::uint64_t log_time);

  // Reads the next message. False: there is no further one. The data lie in the chunk, valid until
  // the next call of any function. Throws McapError for a bad chunk, which later calls skip. Also
  // throws at the end, if no chunk was passed over, for fewer messages than the file declares.
  bool next(Message* message);

 private:
  struct Entry {
    std::uint64_t log_time = 0;
    std::uint64_t offset = 0;  // in the chunk; of loose messages in the file
    auto operator<=>(const Entry&) const = default;
  };
  // A chunk, and its messages of the selected channels by time.
  struct Slot {
    const ChunkPlace* chunk = nullptr;  // null: the messages outside of chunks
    std::vector<Entry> entries;
    std::size_t at = 0;
    ChunkData data;
    bool loaded = false;
    const Entry& next() const { return entries[at]; }
  };

  static bool is_later(const Slot* a, const Slot* b);
  bool is_selected(std::uint16_t channel) const;
  bool has_selected(const ChunkPlace& chunk) const;
  void open_due();
  Slot* open(const ChunkPlace* chunk);
  void push(Slot* slot);
  Slot* pop();
  void drop(Slot* slot);
  void find_messages(Slot* slot);
  void load(Slot* slot);
  void read_message(Slot* slot, Message* message);

  const Reader& reader_;
  ChunkReader chunks_;
  InputWindow window_;
  std::vector<bool> selected_;            // by id
  std::vector<const ChunkPlace*> order_;  // chunks that may have selected channels, by start_time
  std::size_t next_chunk_ = 0;            // in order_
  std::uint64_t from_ = 0;
  std::uint64_t missing_ = 0;  // messages that the file declares, not found yet
  bool counts_ = false;        // no chunk was passed over
  bool loose_opened_ = false;
  bool held_ = false;        // heap_'s first is what next() returned
  std::deque<Slot> slots_;   // all
  std::vector<Slot*> heap_;  // by their next messages
  std::vector<Slot*> free_;
};

}  // namespace rdp::mcap

#endif  // RDP_COMMON_MCAP_READER_H_
