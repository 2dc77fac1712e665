// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_MCAP_WRITER_H_
#define RDP_COMMON_MCAP_WRITER_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "common/mcap/codecs.h"
#include "common/mcap/definitions.h"
#include "common/mcap/open_chunk.h"
#include "common/mcap/output.h"
#include "common/mcap/records.h"

namespace rdp::mcap {

// Records for the end of a file. They grow in blocks: nothing is moved or kept twice, and little
// memory is kept in reserve.
class RecordBlocks {
 public:
  // Makes room for `size` bytes, so that append() of as many does not throw.
  void reserve(std::size_t size) {
    if (!blocks_.empty() && blocks_.back().capacity() - blocks_.back().size() >= size) return;
    blocks_.emplace_back().reserve(std::max(size, kBlockBytes));
  }
  void append(ByteSpan record) {
    reserve(record.size());
    blocks_.back().insert(blocks_.back().end(), record.begin(), record.end());
    size_ += record.size();
  }
  std::uint64_t size() const { return size_; }
  const std::vector<Bytes>& blocks() const { return blocks_; }

 private:
  static constexpr std::size_t kBlockBytes = 16384;

  std::vector<Bytes> blocks_;
  std::uint64_t size_ = 0;
};

// Parts of a file that readers can do without.
struct WrittenParts {
  bool chunks = true;  // without: messages lie in the file as they are
  // Schemas and channels are in chunks, where add_definition() put them, and not outside.
  bool definitions_in_chunks = false;
  bool message_index = true;
  bool statistics = true;
  bool repeated_schemas = true;
  bool repeated_channels = true;
  bool metadata_index = true;
  bool attachment_index = true;
  bool chunk_index = true;
  bool summary_offsets = true;
  // Bytes behind the fields of records that may grow, for tests of readers.
  ByteSpan padding;
};

struct WriterOptions {
  Header header;
  Compression compression = Compression::kNone;
  int level = 1;
  WrittenParts parts;
};

// A write that failed. The file is then finished with the data before it, if possible.
struct WriteFailure {
  int error = 0;  // the errno; 0: none failed
  // The file has its summary. Otherwise it ends with its last complete chunk, if it could be
  // truncated; readers still find its messages.
  bool finished = false;
  std::uint64_t lost_messages = 0;  // including those of later chunks
  std::uint64_t lost_bytes = 0;
};

// Writes one file of a recording. A thread of its own may do that, while others fill chunks and
// add definitions. A new file of the same recording is a new Writer with the same Definitions.
//
// Every function but the constructor returns 0, or the errno of the write that failed, now or
// before. The failure truncated the file after its last complete record, and wrote its summary into
// the freed space (WriteFailure). Functions throw std::bad_alloc before anything is written.
class Writer {
 public:
  // The definitions must outlive the writer.
  Writer(std::unique_ptr<Output> output, const Definitions* definitions,
         const WriterOptions& options);

  // Writes the beginning of the file, with the definitions so far. Call it once, first.
  int begin();
  // Writes the definitions that are not yet in the file, as write() and finish() do.
  int write_definitions();
  // Compresses and writes a chunk with its index. Skips empty chunks.
  int write(const OpenChunk& chunk);
  int write(const Attachment& attachment);
  int write(const Metadata& metadata);
  int sync();
  // Writes the summary and the end of the file; syncs and closes the output. After a failure it is
  // already closed.
  int finish();

  // Bytes of the file, without those that finish() will add.
  std::uint64_t size() const { return size_; }
  std::uint64_t messages() const { return statistics_.message_count; }
  std::uint64_t chunks() const { return statistics_.chunk_count; }
  // The log times of the file so far; 0 where there are no messages.
  std::uint64_t start_time() const { return statistics_.message_start_time; }
  std::uint64_t end_time() const { return statistics_.message_end_time; }
  const WriteFailure& failure() const { return failure_; }

 private:
  // Writes and counts `size` bytes; `crc` is the file's CRC including them.
  int put(std::span<const ByteSpan> pieces, std::uint64_t size, std::uint32_t crc);
  int put(ByteSpan bytes);
  int put_chunk(const OpenChunk& chunk);
  // Writes the record in tail_, and keeps its index for the summary.
  template <typename Index>
  int put_indexed(const Index& index, bool keeps, RecordBlocks* indexes, std::uint32_t* count);
  int fail(int error, std::uint64_t lost_messages, std::uint64_t lost_bytes);
  int end_file();
  int close();
  template <typename Record>
  void encode_padded(const Record& record, Bytes* out);

  std::unique_ptr<Output> output_;
  const Definitions* definitions_;
  Header header_;
  WrittenParts parts_;
  Bytes padding_;
  Compressor compressor_;
  WriteFailure failure_;
  bool closed_ = false;

  std::uint64_t size_ = 0;
  std::uint32_t crc_ = 0;    // of all so far
  std::size_t defined_ = 0;  // number of definitions in the file
  Statistics statistics_;
  std::vector<std::uint64_t> counts_;  // messages by channel
  RecordBlocks metadata_indexes_;
  RecordBlocks attachment_indexes_;
  RecordBlocks chunk_indexes_;
  // Kept for their memory.
  Bytes record_;
  Bytes tail_;
  Bytes index_record_;
  Chunk head_;
  ChunkIndex index_;
};

}  // namespace rdp::mcap

#endif  // RDP_COMMON_MCAP_WRITER_H_
