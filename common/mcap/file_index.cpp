// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/mcap/file_index.h"

#include <algorithm>
#include <string>

namespace rdp::mcap {

namespace {

// Channels are few, and mostly asked for one after the other: they are kept in order of their ids.
auto position_of(std::vector<ReadChannel>& channels, std::uint16_t id) {
  return std::ranges::lower_bound(channels, id, {},
                                  [](const ReadChannel& c) { return c.definition.id; });
}

[[noreturn]] void fail_two(const char* kind, std::uint16_t id, const Place& place) {
  fail_damaged(place, kind, "a second definition of the id " + std::to_string(id),
               "the same one again; the file is damaged, or two were joined wrongly");
}

}  // namespace

ReadChannel* FileIndex::channel(std::uint16_t id) {
  const auto found = position_of(channels, id);
  return found != channels.end() && found->definition.id == id ? &*found : nullptr;
}

void FileIndex::add(const Schema& schema, const Place& place) {
  if (schema.id == 0) fail_damaged(place, "schema", "the id 0", "1 to 65535");
  for (const Schema& other : schemas) {
    if (other.id != schema.id) continue;
    if (other != schema) fail_two("schema", schema.id, place);
    return;
  }
  schemas.push_back(schema);
}

void FileIndex::add(const Channel& channel, const Place& place) {
  const auto at = position_of(channels, channel.id);
  if (at != channels.end() && at->definition.id == channel.id) {
    if (at->definition != channel) fail_two("channel", channel.id, place);
    return;
  }
  channels.insert(at, ReadChannel{channel});
}

void FileIndex::connect() {
  for (ReadChannel& channel : channels) {
    for (const Schema& schema : schemas) {
      if (schema.id == channel.definition.schema_id) channel.schema = &schema;
    }
  }
}

}  // namespace rdp::mcap
