// SPDX-License-Identifier: LGPL-2.1-or-later
// The conformance suite of foxglove/mcap: each file is written with its expected checksum and read
// according to its description. Files of rosbag2 are read.
#include <glib.h>
#include <gtest/gtest.h>
#include <json-glib/json-glib.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "common/mcap/input.h"
#include "tests/mcap/mcap_fixture.h"

namespace rdp::mcap::test {
namespace {

namespace fs = std::filesystem;
using Fields = std::map<std::string, std::string>;

Bytes read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  return {bytes_of(text).begin(), bytes_of(text).end()};
}

// A record in the form of the descriptions: fields by name, lists as "1,2,", maps as "key:value,".
struct Described {
  std::string type;
  Fields fields;
  bool operator==(const Described&) const = default;
};
void PrintTo(const Described& record, std::ostream* out) {
  *out << record.type;
  for (const auto& [name, value] : record.fields) *out << " " << name << "=" << value;
}

class FieldPrinter {
 public:
  explicit FieldPrinter(Fields* fields) : fields_(fields) {}
  template <typename... Values>
  void operator()(std::string_view names, const Values&... values) {
    (print(std::string(next_name(&names)), values), ...);
  }

 private:
  template <typename Number>
  requires std::is_integral_v<Number>
  void print(const std::string& name, Number value) { (*fields_)[name] = std::to_string(value); }
  // The data of a Schema are text, too.
  void print(const std::string& name, const std::string& value) {
    if (name == "data") return print(name, LongBytes{bytes_of(value)});
    (*fields_)[name] = value;
  }
  void print(const std::string& name, const LongBytes& value) {
    std::string& text = (*fields_)[name];
    for (const std::byte byte : value.bytes) text += std::to_string(static_cast<int>(byte)) + ",";
  }
  void print(const std::string& name, const RestBytes& value) {
    print(name, LongBytes{value.bytes});
  }
  void print(const std::string& name, const TextMap& value) {
    std::string& text = (*fields_)[name];
    for (const auto& [key, word] : value) text += key + ":" + word + ",";
  }
  void print(const std::string& name, const ChannelMap& value) {
    std::string& text = (*fields_)[name];
    for (const auto& [key, number] : value) {
      text += std::to_string(key) + ":" + std::to_string(number) + ",";
    }
  }

  Fields* fields_;
};

template <typename Record>
Described described(const RecordView& view, const char* type) {
  Record record;
  view.decode_to(&record);
  Described result{type, {}};
  std::apply([&](auto&... values) { FieldPrinter (&result.fields)(Record::kNames, values...); },
             record.fields());
  result.fields.erase("crc");  // of attachments
  return result;
}

// All records of a file; records of chunks replace their chunk.
std::vector<Described> read_records(const Bytes& file) {
  std::vector<Described> records;
  ByteSpan left = ByteSpan(file).subspan(kMagic.size(), file.size() - 2 * kMagic.size());
  Place place = {"file", kMagic.size()};
  const MemoryInput input(file);
  ChunkReader chunks(input);
  ChunkData data;
  const auto add_all = [&](const auto& self, ByteSpan bytes, Place at) -> void {
    for (RecordView record; next_record(&bytes, &at, &record);) {
      switch (static_cast<Opcode>(record.opcode)) {
#define RDP_CASE(Kind)                                 \
  case Opcode::k##Kind:                                \
    records.push_back(described<Kind>(record, #Kind)); \
    break
        RDP_CASE(Header);
        RDP_CASE(Footer);
        RDP_CASE(Schema);
        RDP_CASE(Channel);
        RDP_CASE(Message);
        RDP_CASE(ChunkIndex);
        RDP_CASE(Attachment);
        RDP_CASE(AttachmentIndex);
        RDP_CASE(Metadata);
        RDP_CASE(MetadataIndex);
        RDP_CASE(Statistics);
        RDP_CASE(SummaryOffset);
        RDP_CASE(DataEnd);
#undef RDP_CASE
        case Opcode::kChunk:
          chunks.read(record.place.offset, &data);
          self(self, data.bytes(), {"file", 0, record.place.offset});
          break;
        case Opcode::kMessageIndex:
          break;
      }
    }
  };
  add_all(add_all, left, place);
  return records;
}

// The description of a file of the suite.
struct Description {
  std::vector<Described> records;
  std::set<std::string> features;
};

std::string value_text(JsonNode* node) {
  std::string text;
  if (JSON_NODE_HOLDS_VALUE(node)) return json_node_get_string(node);
  if (JSON_NODE_HOLDS_ARRAY(node)) {
    JsonArray* const array = json_node_get_array(node);
    for (guint i = 0; i < json_array_get_length(array); ++i) {
      text += std::string(json_array_get_string_element(array, i)) + ",";
    }
    return text;
  }
  JsonObjectIter iter;
  const gchar* key = nullptr;
  JsonNode* value = nullptr;
  json_object_iter_init(&iter, json_node_get_object(node));
  while (json_object_iter_next(&iter, &key, &value)) {
    text += std::string(key) + ":" + json_node_get_string(value) + ",";
  }
  return text;
}

Description read_description(const fs::path& path) {
  Description description;
  g_autoptr(JsonParser) parser = json_parser_new();
  EXPECT_TRUE(json_parser_load_from_file(parser, path.c_str(), nullptr)) << path;
  JsonObject* const root = json_node_get_object(json_parser_get_root(parser));
  JsonArray* const records = json_object_get_array_member(root, "records");
  for (guint i = 0; i < json_array_get_length(records); ++i) {
    JsonObject* const record = json_array_get_object_element(records, i);
    Described result{json_object_get_string_member(record, "type"), {}};
    JsonArray* const fields = json_object_get_array_member(record, "fields");
    for (guint k = 0; k < json_array_get_length(fields); ++k) {
      JsonArray* const field = json_array_get_array_element(fields, k);
      result.fields[json_array_get_string_element(field, 0)] =
          value_text(json_array_get_element(field, 1));
    }
    description.records.push_back(result);
  }
  JsonObject* const variant =
      json_object_get_object_member(json_object_get_object_member(root, "meta"), "variant");
  JsonArray* const features = json_object_get_array_member(variant, "features");
  for (guint i = 0; i < json_array_get_length(features); ++i) {
    description.features.insert(json_array_get_string_element(features, i));
  }
  return description;
}

// Parses an integer that value_text() wrote.
std::uint64_t number(const Described& record, const char* name) {
  return std::stoull(record.fields.at(name));
}
std::string list(const Described& record) {
  std::string bytes;
  const std::string& text = record.fields.at("data");
  for (std::size_t at = 0; at < text.size(); at = text.find(',', at) + 1) {
    bytes += static_cast<char>(std::stoi(text.substr(at)));
  }
  return bytes;
}
TextMap map_of(const Described& record) {
  const std::string& text = record.fields.at("metadata");
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos) return {};
  return {{text.substr(0, colon), text.substr(colon + 1, text.size() - colon - 2)}};
}

// Writes the described data section.
Bytes write_described(const Description& description) {
  const auto has = [&](const char* feature) { return description.features.count(feature) > 0; };
  constexpr std::byte kPadding[] = {std::byte{1}, std::byte{255}, std::byte{255}};
  WriterOptions options;
  options.parts = {.chunks = has("ch"),
                   .definitions_in_chunks = has("ch"),
                   .message_index = has("mx"),
                   .statistics = has("st"),
                   .repeated_schemas = has("rsh"),
                   .repeated_channels = has("rch"),
                   .metadata_index = has("mdx"),
                   .attachment_index = has("ax"),
                   .chunk_index = has("chx"),
                   .summary_offsets = has("sum"),
                   .padding = has("pad") ? ByteSpan(kPadding) : ByteSpan()};
  Disk disk;
  Definitions definitions;
  OpenChunk chunk;
  Writer writer(std::make_unique<MemoryOutput>(&disk), &definitions, options);
  EXPECT_EQ(writer.begin(), 0);
  const auto define = [&](const auto& record) {
    Bytes bytes;
    encode(record, &bytes);
    if (has("ch")) chunk.add_definition(bytes);
  };
  for (const Described& record : description.records) {
    const Fields& fields = record.fields;
    if (record.type == "DataEnd") break;
    if (record.type == "Schema") {
      define(Schema{definitions.add_schema(fields.at("name"), fields.at("encoding"), list(record)),
                    fields.at("name"), fields.at("encoding"), list(record)});
    } else if (record.type == "Channel") {
      Channel channel{0, static_cast<std::uint16_t>(number(record, "schema_id")),
                      fields.at("topic"), fields.at("message_encoding"), map_of(record)};
      channel.id = definitions.add_channel(channel);
      define(channel);
    } else if (record.type == "Message") {
      const std::string data = list(record);
      chunk.add(static_cast<std::uint16_t>(number(record, "channel_id")),
                static_cast<std::uint32_t>(number(record, "sequence")), number(record, "log_time"),
                number(record, "publish_time"), std::array{bytes_of(data)});
    } else if (record.type == "Attachment") {
      const std::string data = list(record);
      EXPECT_EQ(writer.write(Attachment{number(record, "log_time"),
                                        number(record, "create_time"),
                                        fields.at("name"),
                                        fields.at("media_type"),
                                        {bytes_of(data)}}),
                0);
    } else if (record.type == "Metadata") {
      EXPECT_EQ(writer.write(Metadata{fields.at("name"), map_of(record)}), 0);
    }
  }
  EXPECT_EQ(writer.write(chunk), 0);
  EXPECT_EQ(writer.finish(), 0);
  return disk.bytes;
}

fs::path data_folder() {
  const char* const folder = std::getenv("RDPSEGMENT_TEST_DATA");
  return folder == nullptr ? fs::path() : fs::path(folder) / "mcap";
}

struct Unpacked {
  Unpacked() {
    g_autofree gchar* made = g_dir_make_tmp("rdpsegment-XXXXXX", nullptr);
    path = made;
  }
  ~Unpacked() { fs::remove_all(path); }
  fs::path path;
};

TEST(McapConformance, FilesHaveThePeersSumsAndAreRead) {
  const fs::path folder = data_folder();
  if (!fs::exists(folder / "conformance.tar.xz")) {
    GTEST_SKIP() << "RDPSEGMENT_TEST_DATA names no folder with mcap/conformance.tar.xz";
  }
  const Unpacked unpacked;
  const std::string command = "tar -C '" + unpacked.path.string() + "' -xJf '" +
                              (folder / "conformance.tar.xz").string() + "'";
  if (std::system(command.c_str()) != 0) GTEST_SKIP() << "tar or xz is missing";
  std::ifstream sums(folder / "conformance.sha256");
  int files = 0;
  for (std::string sum, name; sums >> sum >> name; ++files) {
    const fs::path path = unpacked.path / name.substr(0, name.find('-')) / (name + ".json");
    const Description description = read_description(path);
    const Bytes file = write_described(description);
    g_autofree gchar* written = g_compute_checksum_for_data(
        G_CHECKSUM_SHA256, reinterpret_cast<const guchar*>(file.data()), file.size());
    ASSERT_EQ(written, sum) << name;
    ASSERT_EQ(read_records(file), description.records) << name;
    // Reads messages by the index or by a scan.
    std::vector<std::string> expected;
    for (const Described& record : description.records) {
      if (record.type == "Message") {
        expected.push_back("example@" + record.fields.at("log_time") + " " + list(record));
      }
    }
    std::ranges::sort(expected);  // by time, a single digit
    const Reader reader(std::make_unique<MemoryInput>(file));
    ASSERT_EQ(reader.messages(), expected.size()) << name;
    ASSERT_TRUE(reader.is_complete()) << name;
    ASSERT_EQ(messages_of(file), expected) << name;
  }
  EXPECT_EQ(files, 416);
}

// All messages arrive in order of time, as in the records.
TEST(McapConformance, Rosbag2sFilesAreRead) {
  const fs::path folder = data_folder() / "rosbag2";
  if (!fs::exists(folder)) GTEST_SKIP() << "RDPSEGMENT_TEST_DATA names no folder with mcap/rosbag2";
  int files = 0;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const Bytes file = read_file(entry.path());
    std::vector<std::pair<std::uint64_t, std::string>> expected;
    for (const Described& record : read_records(file)) {
      if (record.type == "Message") expected.emplace_back(number(record, "log_time"), list(record));
    }
    std::ranges::stable_sort(expected, {}, [](const auto& message) { return message.first; });
    auto input = std::make_unique<FileInput>();
    ASSERT_EQ(input->open(entry.path()), 0);
    const Reader reader(std::move(input));
    EXPECT_TRUE(reader.warnings().empty()) << entry.path() << reader.warnings()[0];
    EXPECT_EQ(reader.header().profile, "ros2") << entry.path();
    EXPECT_EQ(reader.messages(), expected.size()) << entry.path();
    Cursor cursor(reader);
    cursor.select(all_channels(reader));
    std::vector<std::pair<std::uint64_t, std::string>> found;
    for (Message message; cursor.next(&message);) {
      found.emplace_back(message.log_time, text_of(message.data.bytes));
      EXPECT_NE(reader.channel(message.channel_id)->schema, nullptr) << entry.path();
    }
    EXPECT_EQ(found, expected) << entry.path();
    // Again, without the summary.
    const Bytes cut(file.begin(), file.end() - 10);
    EXPECT_EQ(messages_of(cut), messages_of(file)) << entry.path();
    ++files;
  }
  EXPECT_EQ(files, 18);
}

}  // namespace
}  // namespace rdp::mcap::test
