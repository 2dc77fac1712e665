// SPDX-License-Identifier: LGPL-2.1-or-later
// Point cloud files: all formats give bit-identical points, round trips preserve them, and errors
// name their place.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "common/clouds/cloud_body.h"
#include "common/clouds/cloud_header.h"
#include "common/clouds/cloud_writer.h"
#include "common/clouds/lzf.h"
#include "tests/clouds/cloud_file_bytes.h"

namespace rdp::clouds {
namespace {

using namespace rdp::test;

struct Read {
  CloudHeader header;
  CloudBody body;
  std::string points;  // 12 bytes each
};

Read read(const std::string& file, const std::string& name = "cloud",
          FileFormat format = FileFormat::kAuto) {
  Read result;
  const auto* data = reinterpret_cast<const std::byte*>(file.data());
  read_header(name, {data, std::min(file.size(), kMaxHeaderBytes)}, file.size(), format,
              &result.header);
  result.body = body_of(result.header, file.size());
  const CloudBody& body = result.body;
  EXPECT_LE(body.offset + body.size, file.size());
  std::string points(result.header.points * body.step, '\0');
  auto* out = reinterpret_cast<std::byte*>(points.data());
  if (body.in_place) {
    std::memcpy(out, data + body.offset, points.size());
  } else {
    CloudDecoder().decode(name, result.header, body, {data + body.offset, body.size}, out);
  }
  for (std::size_t i = 0; i < result.header.points; ++i) {
    result.points += points.substr(i * body.step + body.x, kPointBytes);
  }
  return result;
}

std::string error_of(const std::string& file, FileFormat format = FileFormat::kAuto) {
  try {
    read(file, "cloud", format);
  } catch (const CloudError& error) {
    return error.what();
  }
  return "no error";
}

// Replaces all NaNs by one: text and doubles do not preserve payloads.
std::string with_plain_nans(std::string points) {
  for (std::size_t i = 0; i < points.size(); i += sizeof(float)) {
    float value;
    std::memcpy(&value, points.data() + i, sizeof value);
    if (!std::isnan(value)) continue;
    value = std::numeric_limits<float>::quiet_NaN();
    std::memcpy(points.data() + i, &value, sizeof value);
  }
  return points;
}

TEST(CloudFiles, AllFormatsHaveTheSamePoints) {
  for (const std::size_t count : {0, 1, 2, 3, 4, 100, 5000}) {
    const Points points = some_points(count);
    const std::string expected = raw_bytes(points);
    EXPECT_EQ(read(pcd_binary(points)).points, expected);
    EXPECT_EQ(read(pcd_mixed(points)).points, expected);
    EXPECT_EQ(read(pcd_compressed(points)).points, expected);
    EXPECT_EQ(read(kitti(points), "scan.BIN").points, expected);
    EXPECT_EQ(read(kitti(points), "scan", FileFormat::kKitti).points, expected);
    for (const bool lists : {false, true}) {
      EXPECT_EQ(read(ply_binary(points, false, lists)).points, expected) << lists;
      EXPECT_EQ(read(ply_binary(points, true, lists)).points, expected) << lists;
    }
    EXPECT_EQ(with_plain_nans(read(pcd_text(points)).points), with_plain_nans(expected));
    EXPECT_EQ(with_plain_nans(read(ply_text(points)).points), with_plain_nans(expected));
  }
}

TEST(CloudFiles, BodiesAreTakenAsTheyLieWherePossible) {
  const Points points = some_points(7);
  const Read plain = read(pcd_binary(points));
  EXPECT_TRUE(plain.body.in_place);
  EXPECT_EQ(plain.body.step, 12U);
  const Read scan = read(kitti(points), "a.bin");
  EXPECT_TRUE(scan.body.in_place);
  EXPECT_EQ(scan.body.step, 16U);
  const Read vertices = read(ply_binary(points, false, false));
  EXPECT_TRUE(vertices.body.in_place);
  EXPECT_EQ(vertices.body.step, 21U);
  EXPECT_EQ(vertices.body.x, 1U);
  EXPECT_FALSE(read(ply_binary(points, true, false)).body.in_place);
  EXPECT_FALSE(read(ply_binary(points, false, true)).body.in_place);
  EXPECT_FALSE(read(pcd_mixed(points)).body.in_place);
}

TEST(CloudFiles, RowsAreKept) {
  const Read rows = read(pcd_binary(some_points(12), 3));
  EXPECT_EQ(rows.header.width, 4U);
  EXPECT_EQ(rows.header.height, 3U);
  EXPECT_EQ(read(pcd_binary(some_points(12))).header.height, 0U);
}

TEST(CloudFiles, NumbersBeyondFloatsAreUnknown) {
  const std::string header =
      "FIELDS x y z\nSIZE 8 8 4\nTYPE F F F\nWIDTH 1\nHEIGHT 1\nDATA ascii\n";
  constexpr float kInfinite = std::numeric_limits<float>::infinity();
  const struct {
    const char* line;
    float x, y, z;
  } cases[] = {
      {"1e300 -1e300 +1e-60", kInfinite, -kInfinite, 0.0F},
      // Numbers beyond doubles too, as other programs write them.
      {"1e400 -1e400 1e400", kInfinite, -kInfinite, kInfinite},
      {"1e-400 -1e-400 +1e-400", 0.0F, -0.0F, 0.0F},
      {"0.0001e404 -12345.6E+400 1e99999999999999999999", kInfinite, -kInfinite, kInfinite},
      {"10000e-404 -0.00001e-330 1e-99999999999999999999", 0.0F, -0.0F, 0.0F},
      // Many digits do not make a large number.
      {"0.0000000000000000000000000000000000000000000000000000000000001e61 -1 1e0", 1.0F, -1.0F,
       1.0F},
  };
  for (const auto& [line, x, y, z] : cases) {
    float xyz[3];
    std::memcpy(xyz, read(header + line + "\n").points.data(), sizeof xyz);
    const float expected[] = {x, y, z};
    EXPECT_EQ(std::memcmp(xyz, expected, sizeof xyz), 0)
        << line << ": " << xyz[0] << " " << xyz[1] << " " << xyz[2];
  }
  for (const char* word : {"1e400x", "1e", "--1e400", "1e400e1"}) {
    EXPECT_NE(error_of(header + word + " 0 0\n").find("expected a number"), std::string::npos)
        << word;
  }
}

std::string written(const CloudWriter::Pieces& pieces) {
  return std::string(pieces.header) +
         std::string(reinterpret_cast<const char*>(pieces.body.data()), pieces.body.size());
}

TEST(CloudFiles, WhatIsWrittenIsReadBack) {
  CloudWriter writer;
  for (const std::size_t count : {0, 1, 2, 12, 600}) {
    for (const std::size_t step : {12, 16, 21}) {
      const Points points = some_points(count);
      std::string bytes(count * step, 'e');
      const std::size_t offset = step - 12;
      for (std::size_t i = 0; i < count; ++i) {
        std::memcpy(bytes.data() + i * step + offset, &points[i], 12);
      }
      WrittenCloud cloud;
      cloud.data = reinterpret_cast<const std::byte*>(bytes.data());
      cloud.points = count;
      cloud.step = step;
      cloud.offset = offset;
      cloud.unit = 0.1;
      cloud.forward_left_up = step == 16;
      if (count % 6 == 0 && count > 0) {
        cloud.width = static_cast<std::uint32_t>(count / 6);
        cloud.height = 6;
      }
      std::vector<std::uint8_t> labels(count);
      for (std::size_t i = 0; i < count; ++i) labels[i] = static_cast<std::uint8_t>(i);
      std::vector<Rgb> colours(256, Rgb{1, 2, 3});
      for (const bool labelled : {false, true}) {
        cloud.labels = labelled ? labels.data() : nullptr;
        cloud.colours = labelled ? colours.data() : nullptr;
        for (const bool pcd : {false, true}) {
          const std::string file = written(pcd ? writer.pcd(cloud) : writer.ply(cloud));
          const Read back = read(file);
          EXPECT_EQ(back.points, raw_bytes(points));
          EXPECT_TRUE(back.body.in_place);
          EXPECT_EQ(back.header.width, cloud.width);
          EXPECT_EQ(back.header.height, cloud.height);
          EXPECT_TRUE(back.header.says_axes);
          EXPECT_EQ(back.header.forward_left_up, cloud.forward_left_up);
          EXPECT_EQ(back.header.unit, 0.1);
          if (!labelled || count < 2) continue;
          const char* second = file.data() + back.body.offset + back.body.step;
          EXPECT_EQ(std::string(second + 12, back.body.step - 12),
                    pcd ? bytes_of(0x010203U) + bytes_of(1U) : std::string("\1\2\3\1"));
        }
      }
    }
  }
}

TEST(CloudFiles, UnknownPointsAreLeftOutWhereThatIsWished) {
  const Points points = some_points(10);  // points[1] to points[3] are unknown
  Points known = points;
  known.erase(known.begin() + 1, known.begin() + 4);
  WrittenCloud cloud;
  cloud.data = reinterpret_cast<const std::byte*>(points.data());
  cloud.points = points.size();
  cloud.width = 5;
  cloud.height = 2;
  cloud.known_only = true;
  CloudWriter writer;
  for (const bool pcd : {false, true}) {
    const Read back = read(written(pcd ? writer.pcd(cloud) : writer.ply(cloud)));
    EXPECT_EQ(back.points, raw_bytes(known));
    EXPECT_EQ(back.header.height, 0U);
  }
}

// No truncated file is accepted or ends the process.
TEST(CloudFiles, FilesThatAreCutOffAreRefused) {
  const Points points = some_points(20);
  // Bytes after the points are ignored. A missing last digit of a text goes unnoticed.
  const struct {
    std::string file;
    std::size_t behind;
  } cases[] = {{pcd_binary(points), 0},
               {pcd_mixed(points), 0},
               {pcd_text(points), 16},
               {pcd_compressed(points), 0},
               {ply_binary(points, false, true), 13},
               {ply_binary(points, true, false), 13},
               {ply_text(points), 12}};
  for (const auto& [file, behind] : cases) {
    for (std::size_t size = 0; size + behind < file.size(); ++size) {
      ASSERT_NE(error_of(file.substr(0, size)), "no error") << size << " of " << file.size();
    }
  }
}

// Any line ending, a byte order mark, blanks and capitals: the same points.
TEST(CloudFiles, HeadersOfOtherProgramsAreUnderstood) {
  const Points points = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {10, 11, 12}};
  const std::string expected = raw_bytes(points);
  const auto replace_all = [](std::string text, const std::string& what, const std::string& with) {
    for (std::size_t at = 0; (at = text.find(what, at)) != text.npos; at += with.size()) {
      text.replace(at, what.size(), with);
    }
    return text;
  };
  const auto capitals = [&](const std::string& file) {
    return replace_all(replace_all(replace_all(file, " x", " X"), " y", " Y"), " z", " Z");
  };
  for (const std::string ends : {"\n", "\r\n", "\r", "\r\r\n", " \n", "\t\r\n"}) {
    for (const bool mark : {false, true}) {
      for (const bool capital : {false, true}) {
        const auto made = [&](const std::string& text, const std::string& body) {
          const std::string header = replace_all(capital ? capitals(text) : text, "\n", ends);
          return (mark ? "\xef\xbb\xbf" : "") + header + body;
        };
        const std::string pcd = pcd_header(kXyzFields, 4, 1, "ascii");
        const std::string rows = replace_all("1 2 3\n4 5 6\n\n7 8 9\n10 11 12\n", "\n", ends);
        EXPECT_EQ(read(made(pcd, rows)).points, expected);
        EXPECT_EQ(read(made(pcd, rows.substr(0, rows.size() - ends.size()))).points, expected);
        EXPECT_EQ(read(made(pcd_header(kXyzFields, 4, 1, "binary"), expected)).points, expected);
        for (const char* format : {"ascii", "binary_little_endian"}) {
          const std::string ply = std::string("ply\nformat ") + format +
                                  " 1.0\nelement vertex 4\nproperty float x\nproperty float y\n"
                                  "property float z\nend_header\n";
          EXPECT_EQ(read(made(ply, format[0] == 'a' ? rows : expected)).points, expected)
              << format << static_cast<int>(ends[0]);
        }
      }
    }
  }
  // Lower case wins over upper case. Other fields are listed, padding is not.
  const Read both = read(
      "FIELDS Z x y z X _ rgb\nSIZE 4 4 4 4 4 4 4\nTYPE F F F F F F F\nWIDTH 1\n"
      "HEIGHT 1\nDATA ascii\n9 1 2 3 9 9 9\n");
  EXPECT_EQ(both.points, raw_bytes({{1, 2, 3}}));
  EXPECT_EQ(both.header.others, "X, Z");
  EXPECT_EQ(read(ply_binary(points, false, true)).header.others, "tags, weight, red");
}

TEST(CloudFiles, RowsThatNoHeaderSpeaksOfAreRefused) {
  const auto pcd = [](int count, const std::string& rows) {
    return pcd_header(kXyzFields, static_cast<std::size_t>(count), 1, "ascii") + rows;
  };
  const auto ply = [](const std::string& count, const std::string& behind,
                      const std::string& rows) {
    return "ply\nformat ascii 1.0\nelement vertex " + count +
           "\nproperty float x\nproperty float y\nproperty float z\n" + behind + "end_header\n" +
           rows;
  };
  const std::string faces =
      "element face 2\nproperty list uchar int i\nproperty int n\n"
      "element none 7\n";
  const struct {
    std::string file;
    const char* text;  // "": it is read
  } cases[] = {
      {pcd(2, "1 2 3\n4 5 6\n\n  \n"), ""},
      {pcd(2, "1 2 3\n4 5 6\n7 8 9\n"), "cloud:14: the end: found more lines"},
      {pcd(2, "1 2 3\r4 5 6\r7 8 9\r"), "expected it after 2 points"},
      {pcd(0, "1 2 3\n"), "expected it after 0 points"},
      {ply("1", "", "1 2 3\n4 5 6\n"), "cloud:9: the end: found more lines"},
      {ply("0", "", "1 2 3\n"), "after 0 points"},
      {ply("1", faces, "1 2 3\n1 0 0\n1 0 0\n"), ""},
      {ply("1", faces, "1 2 3\n1 0 0\n"), ""},
      {ply("1", faces, "1 2 3\n4 5 6\n1 0 0\n1 0 0\n"), "after 1 points and 2 other lines"},
  };
  for (const auto& [file, text] : cases) {
    const std::string error = error_of(file);
    EXPECT_NE(error.find(*text == '\0' ? "no error" : text), std::string::npos) << file << error;
  }
}

TEST(CloudFiles, ViewpointsAreKept) {
  const auto pose_of = [](const std::string& numbers) {
    return read("FIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nWIDTH 0\nHEIGHT 1\nVIEWPOINT" + numbers +
                "\nDATA binary\n")
        .header;
  };
  EXPECT_TRUE(is_identity(pose_of(" 0 0 0 1 0 0 0").pose));
  EXPECT_EQ(pose_of("  1 -2e3 3\t0.707107 0 +0.707107 0 ").pose,
            (Pose{1, -2000, 3, 0.707107, 0, 0.707107, 0}));
  EXPECT_EQ(pose_of(" 0 0 0 3 0 0 4").pose, (Pose{0, 0, 0, 0.6, 0, 0, 0.8}));
  EXPECT_EQ(pose_of(" 1 2 3 0 0 0 0").pose, (Pose{1, 2, 3, 1, 0, 0, 0}));
  EXPECT_TRUE(pose_of(" 1 2 3 0 0 0 0").no_rotation);
  EXPECT_FALSE(pose_of(" 1 2 3 1 0 0 0").no_rotation);
  for (const char* wrong : {"", " 1 2 3", " 0 0 0 1 0 0", " 0 0 0 1 0 0 0 0", " 0 0 0 1 0 0 nan",
                            " 0 inf 0 1 0 0 0", " 0 0 0 one 0 0 0", " 1e999 0 0 1 0 0 0"}) {
    try {
      pose_of(wrong);
      ADD_FAILURE() << wrong;
    } catch (const CloudError& error) {
      EXPECT_NE(std::string(error.what()).find("cloud:6: VIEWPOINT: found"), std::string::npos);
    }
  }
}

TEST(CloudFiles, ErrorsSayWhereAndWhat) {
  const auto pcd = [](const std::string& lines) { return "# .PCD v0.7\nVERSION 0.7\n" + lines; };
  const std::string sizes = "WIDTH 2\nHEIGHT 1\nPOINTS 2\n";
  const std::string xyz = kXyzFields;
  const struct {
    std::string file;
    const char* text;
  } cases[] = {
      {"hello", "cloud: offset 0: the file: found \"hello\", expected PCD"},
      {pcd(xyz + sizes),
       "cloud:9: DATA: found no such line up to the end of the file, in 97 bytes"},
      {pcd(xyz + "# " + std::string(70000, 'c')),
       "found no such line in the first 65536 bytes, which are the most that a header may have"},
      {"ply\r", "cloud:1: end_header: found no such line up to the end of the file, in 4 bytes"},
      {pcd(xyz + sizes + "DATA gzip\n"), "cloud:10: DATA: found \"gzip\""},
      {pcd("FEILDS x y z\n"), "cloud:3: the header: found \"FEILDS\""},
      {pcd("FIELDS x y\nSIZE 4 4\nTYPE F F\n" + sizes + "DATA ascii\n"),
       "cloud:3: FIELDS: found no z"},
      {pcd("FIELDS x y z x\nSIZE 4 4 4 4\nTYPE F F F F\n" + sizes + "DATA ascii\n"),
       "field x: found it twice"},
      {pcd("FIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nCOUNT 1 2 1\n" + sizes + "DATA ascii\n"),
       "field y: found a COUNT of 2"},
      {pcd("FIELDS x y z\nSIZE 4 4 2\nTYPE F F F\n" + sizes + "DATA ascii\n"), "TYPE of \"z\""},
      {pcd(xyz + "WIDTH -2\n"), "cloud:7: WIDTH: found \"-2\", expected a number from 0"},
      {pcd(xyz + "WIDTH 2\nHEIGHT 1\nPOINTS 3\nDATA ascii\n"),
       "POINTS: found 3, expected WIDTH times HEIGHT, 2"},
      {pcd(xyz + "WIDTH 2147483647\nHEIGHT 2\nDATA ascii\n"), "at most 2147483647 points"},
      {pcd(xyz + "WIDTH 2147483647\nHEIGHT 1\nDATA binary\n"),
       "room for 2147483647 records of 12 bytes"},
      {pcd(xyz + "WIDTH 2147483647\nHEIGHT 1\nDATA binary_compressed\n12345678"), "an 88th"},
      {pcd(xyz + sizes + "DATA ascii\n1 2 3\n4 five 6\n"), "cloud:12: y: found \"five\""},
      {pcd(xyz + sizes + "DATA ascii\n1 2 3\n4 5\n     "), "cloud:12: a point: found the end"},
      {pcd(xyz + sizes + "DATA ascii\n1 2 3 4\n4 5 6\n"), "cloud:11: a point: found \"4\""},
      {pcd(xyz + sizes + "DATA ascii\n1 2 3     \n"), "cloud:12: the end: found it after 1 lines"},
      {pcd(xyz + sizes + "DATA binary_compressed\n" + bytes_of(9U) + bytes_of(24U) + "abc"),
       "the compressed size: found 9, expected at most the 3"},
      {pcd(xyz + sizes + "DATA binary_compressed\n" + bytes_of(3U) + bytes_of(25U) + "abc"),
       "the uncompressed size: found 25, expected 24"},
      {pcd(xyz + sizes + "DATA binary_compressed\n" + bytes_of(3U) + bytes_of(24U) + "abc"),
       "are no LZF"},
      {"ply\nformat ascii 1.0\nelement vertex many\n", "cloud:3: element \"vertex\": found"},
      {"ply\nformat binary 1.0\n", "cloud:2: format: found \"binary\""},
      {"ply\nelement vertex 0\nproperty float x\nproperty float y\nproperty float z\nend_header\n",
       "cloud:6: format: found no such line"},
      {"ply\nformat ascii 1.0\nelement face 0\nend_header\n", "element: found no vertex"},
      {"ply\nformat ascii 1.0\nelement vertex 0\nproperty float x\nend_header\n",
       "cloud:5: element vertex: found no property y"},
      {"ply\nformat ascii 1.0\nproperty float x\n", "cloud:3: property: found it before"},
      {"ply\nformat ascii 1.0\nelement vertex 1\nproperty list float int x\n", "an integer type"},
      {"ply\nformat ascii 1.0\nelement vertex 1\nproperty list int float x\n", "found a list"},
      {"ply\nformat ascii 1.0\nelement vertex 1\nproperty quad x\n", "the type \"quad\""},
      {"ply\nformat binary_little_endian 1.0\nelement vertex 1\nproperty float x\nproperty float "
       "y\nproperty float z\nproperty list char int l\nend_header\n" +
           std::string(12, 'f') + "\xff",
       "the length of a list: found -1"},
  };
  for (const auto& [file, text] : cases) {
    const std::string error = error_of(file);
    EXPECT_NE(error.find(text), std::string::npos) << error << "\nis without\n" << text;
    EXPECT_NE(error.find("expected"), std::string::npos) << error;
  }
  EXPECT_NE(
      error_of(std::string(17, '\0'), FileFormat::kKitti).find("offset 16: the end: found 17"),
      std::string::npos);
}

TEST(Lzf, UnpacksWhatFitsAlone) {
  const auto unpack = [](const std::string& packed, std::size_t size) {
    std::string out(size, 'x');
    return unpack_lzf({reinterpret_cast<const std::byte*>(packed.data()), packed.size()},
                      {reinterpret_cast<std::byte*>(out.data()), out.size()})
               ? out
               : "no";
  };
  using namespace std::string_literals;
  EXPECT_EQ(unpack("\2abc"s, 3), "abc");
  EXPECT_EQ(unpack("\0a\xe0\x05\0"s, 15), std::string(15, 'a'));
  EXPECT_EQ(unpack("\1ab\x20\1"s, 5), "ababa");
  EXPECT_EQ(unpack("\2abc"s, 2), "no");
  EXPECT_EQ(unpack("\2abc"s, 4), "no");
  EXPECT_EQ(unpack("\2ab"s, 3), "no");
  EXPECT_EQ(unpack("\1ab\x20\2"s, 5), "no");
  EXPECT_EQ(unpack("\1ab\x20"s, 5), "no");
  EXPECT_EQ(unpack("\1ab\xe0"s, 5), "no");
  EXPECT_EQ(unpack(""s, 0), "");
}

}  // namespace
}  // namespace rdp::clouds
