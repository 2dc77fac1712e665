// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_MCAP_FILE_INDEX_H_
#define RDP_COMMON_MCAP_FILE_INDEX_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "common/mcap/input.h"
#include "common/mcap/records.h"

namespace rdp::mcap {

// A channel of a file that is read.
struct ReadChannel {
  Channel definition;
  const Schema* schema = nullptr;  // null: none, or missing if schema_id is not 0
  std::uint64_t messages = 0;
};

// A chunk's place in the file, and its times.
struct ChunkPlace {
  std::uint64_t offset = 0;
  std::uint64_t start_time = 0;
  std::uint64_t end_time = 0;
  // Its channels, in FileIndex::chunk_channels. None: they are not known.
  std::size_t first_channel = 0;
  std::size_t channels = 0;
};

// A message that lies in no chunk.
struct LooseMessage {
  std::uint64_t log_time = 0;
  std::uint64_t offset = 0;
  std::uint16_t channel = 0;
};

// Everything that is known of a file without reading its messages.
struct FileIndex {
  Header header;
  std::map<std::uint16_t, Schema> schemas;    // by ids
  std::vector<ReadChannel> channels;          // by ascending ids, after connect()
  std::vector<std::size_t> places;            // 1 + index in `channels`, by id; 0: none
  std::vector<ChunkPlace> chunks;             // as they are in the file
  std::vector<std::uint16_t> chunk_channels;  // that have a MessageIndex behind their chunk
  std::vector<LooseMessage> loose;            // as they are in the file
  std::uint64_t messages = 0;
  std::uint64_t start_time = 0;  // the first log time of all; 0 where there are no messages
  std::uint64_t end_time = 0;
  bool complete = true;  // the file was finished
  std::vector<std::string> warnings;

  // Null: there is none.
  ReadChannel* channel(std::uint16_t id);
  const ReadChannel* channel(std::uint16_t id) const {
    return const_cast<FileIndex*>(this)->channel(id);
  }
  // Throws McapError for another definition of the same id, and for a schema with the id 0.
  void add(const Schema& schema, const Place& place);
  void add(const Channel& channel, const Place& place);
  // Sorts channels, and gives them their schemas. After all add().
  void connect();
};

// Makes the index from the file's summary. False: the summary is missing, incomplete, or damaged (a
// warning); `index` then has warnings only.
bool read_summary(const Input& input, FileIndex* index);

// Makes the index from the heads of all records. Decompresses chunks that no MessageIndex follows,
// and chunks with definitions found nowhere else. Throws McapError for an invalid record; with
// `skip_damaged` the index ends there, with a warning.
void scan_file(const Input& input, bool skip_damaged, FileIndex* index);

}  // namespace rdp::mcap

#endif  // RDP_COMMON_MCAP_FILE_INDEX_H_
