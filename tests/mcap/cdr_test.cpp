// SPDX-License-Identifier: LGPL-2.1-or-later
// ROS 2 messages: schema texts and bytes equal other implementations', and messages survive a round
// trip. Truncated data and wrong lengths cause errors that name the field.
#include <glib.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "common/mcap/marker_messages.h"
#include "common/mcap/messages.h"
#include "common/mcap/schema_text.h"
#include "tests/support/odd_bytes.h"

namespace rdp::ros {
namespace {

using Bytes = std::vector<std::byte>;

// The first 16 hexadecimal digits.
std::string sha256(const void* bytes, std::size_t size) {
  g_autofree gchar* text =
      g_compute_checksum_for_data(G_CHECKSUM_SHA256, static_cast<const guchar*>(bytes), size);
  return std::string(text, 16);
}

template <typename Message>
Bytes bytes_of(const Message& message) {
  CdrWriter writer;
  writer.write(message);
  Bytes bytes;
  for (const auto& piece : writer.pieces()) bytes.insert(bytes.end(), piece.begin(), piece.end());
  EXPECT_EQ(bytes.size(), writer.size());
  return bytes;
}

Blob blob(std::string_view text) { return Blob::of(std::as_bytes(std::span(text))); }

const Header kHeader = {.stamp = {1, 2}, .frame_id = "d"};

Image image() {
  return {.header = kHeader,
          .height = 1,
          .width = 2,
          .encoding = "16UC1",
          .step = 4,
          .data = blob(std::string_view("\1\0\2\1", 4))};
}

CameraInfo camera_info(std::span<const double> d, double tx) {
  return {.header = kHeader,
          .height = 3,
          .width = 4,
          .distortion_model = "plumb_bob",
          .d = Packed<double>(d),
          .k = {2, 0, 1.5, 0, 2, 1, 0, 0, 1},
          .r = {1, 0, 0, 0, 1, 0, 0, 0, 1},
          .p = {2, 0, 1.5, tx, 0, 2, 1, 0, 0, 0, 1, 0}};
}
constexpr std::array<double, 5> kD = {0.1, 0.2, 0.3, 0.4, 0.5};

constexpr std::array<float, 3> kPoint = {1, 2, 3};
PointCloud2 cloud() {
  return {.header = kHeader,
          .height = 1,
          .width = 1,
          .point_fields = {{"x", 0, 7, 1}, {"y", 4, 7, 1}, {"z", 8, 7, 1}},
          .point_step = 12,
          .row_step = 12,
          .data = Blob::of(std::as_bytes(std::span(kPoint))),
          .is_dense = true};
}

constexpr std::array<Point, 2> kLine = {Point{0, 0, 1}, Point{1, 0, 1}};
MarkerArray markers(std::span<const Point> points) {
  return {{Marker{.header = kHeader,
                  .ns = "segments",
                  .type = Marker::kLineList,
                  .scale = {0.01, 0, 0},
                  .color = {1, 1, 1, 1},
                  .points = Packed<Point>(points)}}};
}

TFMessage transforms() {
  return {{{.header = {{1, 2}, "w"}, .child_frame_id = "d", .transform = {{1, 2, 3}, {}}}}};
}

struct Case {
  const char* name;
  Bytes bytes;
  const char* digest;
  std::function<Bytes(std::span<const std::byte>)> again;  // serialises the parsed message again
};

template <typename Message>
Case make(const char* name, const Message& message, const char* digest) {
  return {name, bytes_of(message), digest, [](std::span<const std::byte> bytes) {
            return bytes_of(CdrReader::read<Message>(bytes));
          }};
}

std::vector<Case> cases() {
  static const std::array<float, 3> kRanges = {1.5F, INFINITY, 2.0F};
  return {
      make("Image", image(), "c99e6060f01a82b5"),
      make("CameraInfo", camera_info({}, -0.0), "5667d4e650bad5b0"),
      make("CameraInfo5", camera_info(kD, -0.5), "ef8a9318ae8117f0"),
      make("PointCloud2", cloud(), "3207e7a4c1990314"),
      make("CompressedImage", CompressedImage{kHeader, "png", blob("\x89PN")}, "fcf7c6a63135e2e5"),
      make("UInt8MultiArray", UInt8MultiArray{{}, blob("abc")}, "e1227d393c62527e"),
      make("String", String{"{}"}, "1d15d122afdeac72"),
      make("TFMessage", transforms(), "0be88f091e513079"),
      make("MarkerArray", markers(kLine), "cc49315105a4d698"),
      make("MarkerEmpty", markers({}), "8c60e12611fe0922"),
      make("LaserScan",
           LaserScan{.header = kHeader, .range_max = 3.0F, .ranges = Packed<float>(kRanges)},
           nullptr),
      make("Layout", UInt8MultiArray{{{{"rows", 2, 6}}, 1}, blob("abcdefg")}, nullptr),
  };
}

TEST(Cdr, SchemaTextsAreThoseOfRos) {
  const auto expect = [](const std::string& name, const std::string& text, std::size_t size,
                         const char* digest) {
    EXPECT_EQ(text.size(), size) << name;
    EXPECT_EQ(sha256(text.data(), text.size()).substr(0, 8), digest) << name << "\n" << text;
  };
  expect("Image", schema_text<Image>(), 393, "a8761262");
  expect("CompressedImage", schema_text<CompressedImage>(), 333, "807b0566");
  expect("CameraInfo", schema_text<CameraInfo>(), 666, "9ac568fd");
  expect("PointCloud2", schema_text<PointCloud2>(), 607, "6b1257be");
  expect("String", schema_text<String>(), 12, "8d7bb56b");
  expect("UInt8MultiArray", schema_text<UInt8MultiArray>(), 366, "5a1fd26b");
  expect("TFMessage", schema_text<TFMessage>(), 990, "82751e47");
  expect("MarkerArray", schema_text<MarkerArray>(), 2224, "aec94769");
  expect("LaserScan", schema_text<LaserScan>(), 482, "7e2c1b7f");
  EXPECT_EQ(schema_name<MarkerArray>(), "visualization_msgs/msg/MarkerArray");
}

TEST(Cdr, BytesAreThoseOfAnotherImplementation) {
  for (const Case& one : cases()) {
    if (one.digest == nullptr) continue;
    EXPECT_EQ(sha256(one.bytes.data(), one.bytes.size()), one.digest) << one.name;
  }
}

TEST(Cdr, ReadsAtAnyAddressWhatItWrote) {
  for (const Case& one : cases()) {
    std::vector<std::uint8_t> copy(one.bytes.size());
    std::memcpy(copy.data(), one.bytes.data(), copy.size());
    copy.resize(copy.size() + 3);  // trailing bytes are ignored
    const test::OddBytes odd(copy);
    EXPECT_EQ(one.again(std::as_bytes(std::span(odd.data(), odd.size()))), one.bytes) << one.name;
  }
}

TEST(Cdr, RowsAreWrittenWithoutWhatIsBetweenThem) {
  const std::string_view rows = "ab..cd..ef";
  Blob apart = blob(rows);
  apart = {.data = apart.data, .row_bytes = 2, .rows = 3, .stride = 4};
  EXPECT_EQ(bytes_of(UInt8MultiArray{{}, apart}), bytes_of(UInt8MultiArray{{}, blob("abcdef")}));
}

TEST(Cdr, EveryCutIsAnErrorThatNamesTheField) {
  for (const Case& one : cases()) {
    for (std::size_t size = 0; size < one.bytes.size(); ++size) {
      const Bytes cut(one.bytes.begin(), one.bytes.begin() + static_cast<std::ptrdiff_t>(size));
      try {
        one.again(cut);
        ADD_FAILURE() << one.name << " cut at " << size << " is read";
      } catch (const CdrError& error) {
        const std::string text = error.what();
        EXPECT_TRUE(text.find(size < 4 ? "expected a head" : "field ") != std::string::npos)
            << text;
      }
    }
  }
}

TEST(Cdr, AnyFourBytesAsALengthNeitherReadBeyondNorAllocate) {
  for (const Case& one : cases()) {
    for (std::size_t at = 4; at + 4 <= one.bytes.size(); at += 4) {
      for (const std::uint32_t length : {0xffffffffU, 0x7fffffffU, 0x20000000U, 1000U}) {
        Bytes bytes = one.bytes;
        std::memcpy(bytes.data() + at, &length, 4);
        try {
          one.again(bytes);
        } catch (const CdrError&) {
        }  // std::bad_alloc and std::length_error fail the test
      }
    }
  }
}

TEST(Cdr, ALengthBeyondTheMessageIsNamed) {
  Bytes bytes = bytes_of(image());
  const std::uint32_t length = 0x40000000;
  std::memcpy(bytes.data() + 44, &length, 4);
  try {
    CdrReader::read<Image>(bytes);
    FAIL();
  } catch (const CdrError& error) {
    EXPECT_STREQ(error.what(), "field data needs 1073741824 bytes at byte 48, but 4 are left");
  }
}

TEST(Cdr, OtherEncodingsAreRefusedByName) {
  const std::pair<std::array<int, 2>, const char*> kinds[] = {
      {{0, 0}, "big-endian CDR (00 00)"},
      {{0, 6}, "XCDR2 (00 06)"},
      {{0, 11}, "XCDR2 (00 0b)"},
      {{0, 3}, "an unknown encoding (00 03)"},
      {{18, 1}, "an unknown encoding (12 01)"}};
  for (const auto& [id, words] : kinds) {
    Bytes bytes = bytes_of(String{"text"});
    bytes[0] = std::byte(id[0]);
    bytes[1] = std::byte(id[1]);
    try {
      CdrReader::read<String>(bytes);
      FAIL() << words;
    } catch (const CdrError& error) {
      EXPECT_EQ(error.what(),
                std::string("it is ") + words + ", expected little-endian XCDR1 (00 01)");
    }
  }
}

TEST(Cdr, TimesBeforeTheEpochKeepNanosecondsAboveZero) {
  EXPECT_EQ(Time::of_nanoseconds(-1).sec, -1);
  for (const std::int64_t ns : {Time::kLast + 1, INT64_MAX}) {
    EXPECT_EQ(Time::of_nanoseconds(ns).nanoseconds(), Time::kLast);
    EXPECT_EQ(Time::of_nanoseconds(-ns - 1).nanoseconds(), -Time::kLast - 1);
  }
  EXPECT_EQ(Time::of_nanoseconds(-1).nanosec, 999999999U);
  for (const std::int64_t ns : {0LL, -1LL, 1'700'000'000'123'456'789LL, -2'000'000'000LL}) {
    EXPECT_EQ(Time::of_nanoseconds(ns).nanoseconds(), ns);
  }
}

}  // namespace
}  // namespace rdp::ros
