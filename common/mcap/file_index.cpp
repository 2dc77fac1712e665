// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/mcap/file_index.h"

#include <algorithm>
#include <string>

namespace rdp::mcap {

namespace {

[[noreturn]] void fail_two(const char* kind, std::uint16_t id, const Place& place) {
  fail_damaged(place, kind, "a second definition of the id " + std::to_string(id),
               "the same one again; the file is damaged, or two were joined wrongly");
}

}  // namespace

ReadChannel* FileIndex::channel(std::uint16_t id) {
  const std::size_t place = id < places.size() ? places[id] : 0;
  return place > 0 ? &channels[place - 1] : nullptr;
}

void FileIndex::add(const Schema& schema, const Place& place) {
  if (schema.id == 0) fail_damaged(place, "schema", "the id 0", "1 to 65535");
  const auto [known, is_new] = schemas.try_emplace(schema.id, schema);
  if (!is_new && known->second != schema) fail_two("schema", schema.id, place);
}

void FileIndex::add(const Channel& channel, const Place& place) {
  if (const ReadChannel* const known = this->channel(channel.id)) {
    if (known->definition != channel) fail_two("channel", channel.id, place);
    return;
  }
  if (channel.id >= places.size()) places.resize(channel.id + std::size_t{1});
  channels.push_back({channel});
  places[channel.id] = channels.size();
}

void FileIndex::connect() {
  std::ranges::sort(channels, {}, [](const ReadChannel& channel) { return channel.definition.id; });
  for (std::size_t i = 0; i < channels.size(); ++i) {
    places[channels[i].definition.id] = i + 1;
    const auto schema = schemas.find(channels[i].definition.schema_id);
    if (schema != schemas.end()) channels[i].schema = &schema->second;
  }
}

}  // namespace rdp::mcap
