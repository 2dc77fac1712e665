// SPDX-License-Identifier: LGPL-2.1-or-later
// Colours, intensities and labels of points: headers of known writers, all encodings, round trips.
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "common/clouds/cloud_body.h"
#include "common/clouds/cloud_header.h"
#include "common/clouds/cloud_writer.h"
#include "tests/clouds/cloud_file_bytes.h"

namespace rdp::clouds {
namespace {

using namespace rdp::test;

std::string number_at(const char* at, FieldType type) {
  std::ostringstream text;
  if (type == FieldType::kF32) {
    float real;
    std::memcpy(&real, at, sizeof real);
    text << real;
  } else {
    std::uint32_t whole = 0;
    std::memcpy(&whole, at, size_of(type));
    text << whole;
  }
  return text.str();
}

// The fields of a point, as a reader of the caps sees them: "rgb 112233 intensity 0.5 label 9".
std::string seen_in(const char* point, const PointFields& fields) {
  std::string seen;
  if (fields.colour.is_there()) {
    std::string bytes(point + fields.colour.offset, size_of(fields.colour.type));
    if (fields.colour.type == FieldType::kBgra) std::swap(bytes[0], bytes[2]);
    seen = bytes.size() == 3 ? "rgb " : "rgba ";
    for (const char byte : bytes) {
      for (const int digit : {(byte >> 4) & 15, byte & 15}) seen += "0123456789abcdef"[digit];
    }
  }
  const auto add = [&](const char* name, const PointField& field) {
    if (!field.is_there()) return;
    seen += (seen.empty() ? "" : " ") + std::string(name) + " ";
    seen += number_at(point + field.offset, field.type);
  };
  add("intensity", fields.intensity);
  add("label", fields.label);
  return seen;
}

struct Cloud {
  CloudHeader header;
  CloudBody body;
  std::string points;  // body.step bytes per point

  std::string at(std::size_t i) const {
    return seen_in(points.data() + i * body.step, body.fields);
  }
  std::string xyz(std::size_t i) const { return points.substr(i * body.step + body.x, 12); }
};

Cloud read(const std::string& file, const std::string& name = "cloud", unsigned floats = 4) {
  Cloud cloud;
  const auto* data = reinterpret_cast<const std::byte*>(file.data());
  read_header(name, {data, file.size()}, file.size(), FileFormat::kAuto, &cloud.header, floats);
  cloud.body = body_of(cloud.header, file.size());
  const CloudBody& body = cloud.body;
  cloud.points.resize(cloud.header.points * body.step);
  const std::span points(reinterpret_cast<std::byte*>(cloud.points.data()), cloud.points.size());
  if (body.in_place) {
    std::memcpy(points.data(), data + body.offset, points.size());
    unpack_colours(body, points);
  } else {
    CloudDecoder().decode(name, cloud.header, body, {data + body.offset, body.size}, points.data());
  }
  return cloud;
}

// --- headers of named writers -------------------------------------------------------------------

// A property of a file, with its type as written: PLY's words, or PCD's TYPE, SIZE and COUNT.
struct Written {
  std::string type, name;
  std::size_t count = 1;

  std::size_t bytes() const {
    if (type.find_first_of("0123456789") == 1) return type[1] - '0';
    return type.find("char") != type.npos || type.ends_with("int8")     ? 1
           : type.find("short") != type.npos || type.ends_with("int16") ? 2
           : type.find("double") != type.npos || type.ends_with("64")   ? 8
                                                                        : 4;
  }
  bool is_real() const { return type[0] == 'F' || type[0] == 'f' || type[0] == 'd'; }
  // A value for each meaning; 16-bit colours are scaled by 65535, real ones by 1.
  double value() const {
    std::string small;
    for (const char c : name.substr(name.rfind('_') + 1)) {
      small += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    const double part = is_real() ? 1.0 / 255 : bytes() == 2 ? 257 : 1;
    if (small == "red" || small == "r") return 0x11 * part;
    if (small == "green" || small == "g") return 0x22 * part;
    if (small == "blue" || small == "b") return 0x33 * part;
    if (small == "alpha") return 0x44 * part;
    const std::uint32_t packed = small == "rgba" ? 0x44112233 : 0x00112233;
    if (small.starts_with("rgb")) return is_real() ? double{std::bit_cast<float>(packed)} : packed;
    if (small == "intensity" || small == "reflectance") return is_real() ? 0.5 : 200;
    if (small == "label") return 9;
    return small.size() == 1 && small != "_" ? small[0] - 'x' + 1 : 0;
  }
  std::string bytes_of_value(bool big) const {
    if (is_real() && bytes() == 8) return bytes_of(value(), big);
    if (is_real()) return bytes_of(static_cast<float>(value()), big);
    const std::string whole = bytes_of(static_cast<std::uint64_t>(value())).substr(0, bytes());
    return big ? std::string(whole.rbegin(), whole.rend()) : whole;
  }
};

// "float x y z; uchar red" or "F4 x y z; U1 _*4".
std::vector<Written> properties_of(const std::string& text) {
  std::vector<Written> all;
  std::istringstream groups(text);
  for (std::string group; std::getline(groups, group, ';');) {
    std::istringstream words(group);
    std::string type, name;
    words >> type;
    while (words >> name) {
      const std::size_t star = name.find('*');
      const std::size_t count = star == name.npos ? 1 : std::stoul(name.substr(star + 1));
      all.push_back({type, name.substr(0, star), count});
    }
  }
  return all;
}

// A file with a single point.
std::string file_of(const std::string& encoding, const std::string& begin,
                    const std::vector<Written>& properties, const std::string& behind) {
  const bool text = encoding.starts_with("ascii");
  std::string fields = "FIELDS", sizes = "\nSIZE", types = "\nTYPE", counts = "\nCOUNT";
  std::string lines, body;
  for (const Written& one : properties) {
    lines += "property " + one.type + " " + one.name + "\n";
    fields += " " + one.name;
    sizes += " " + std::to_string(one.bytes());
    types += std::string(" ") + one.type[0];
    counts += " " + std::to_string(one.count);
    std::ostringstream number;
    number.precision(17);
    number << one.value() << " ";
    for (std::size_t i = 0; i < one.count; ++i) {
      body += text ? number.str() : one.bytes_of_value(encoding == "binary_big_endian");
    }
  }
  if (text) body += '\n';
  if (encoding == "binary_compressed") {
    const std::string packed = pack_lzf(body);
    body = bytes_of(static_cast<std::uint32_t>(packed.size())) +
           bytes_of(static_cast<std::uint32_t>(body.size())) + packed;
  }
  if (begin.starts_with("ply\n")) {
    return "ply\nformat " + encoding + " 1.0\n" + begin.substr(4) + "element vertex 1\n" + lines +
           behind + "end_header\n" + body;
  }
  return begin + fields + sizes + types + counts +
         "\nWIDTH 1\nHEIGHT 1\nVIEWPOINT 0 0 0 1 0 0 0\nPOINTS 1\nDATA " + encoding + "\n" + body;
}

TEST(CloudFields, HeadersOfNamedWritersAreRead) {
  const std::string pcd = "# .PCD v0.7 - Point Cloud Data file format\nVERSION 0.7\n";
  const std::string faces = "element face 0\nproperty list uchar int vertex_indices\n";
  const std::string camera = "element camera 0\nproperty float view_px\nproperty float view_py\n";
  const std::string little = "binary_little_endian";
  const struct {
    const char* writer;
    std::string encoding, begin, properties, seen;
    bool in_place;
    std::string behind;
  } forms[] = {
      {"Open3D", little, "ply\ncomment Created by Open3D\n",
       "double x y z nx ny nz; uchar red green blue", "rgb 112233", false, ""},
      {"Open3D, tensor", "ascii", "ply\ncomment Created by Open3D\n",
       "float x y z intensity; uchar red green blue; int label", "rgb 112233 intensity 0.5 label 9",
       false, ""},
      {"Open3D", "binary", pcd, "F4 x y z normal_x normal_y normal_z rgb", "rgb 112233", true, ""},
      {"Open3D", "binary_compressed", pcd, "F4 x y z rgb intensity", "rgb 112233 intensity 0.5",
       false, ""},
      {"PCL", "ascii", pcd, "F4 x y z; U4 rgb", "rgb 112233", false, ""},
      {"PCL 1.0", "ascii", "VERSION .7\n", "F4 x y z rgb", "rgb 112233", false, ""},
      {"PCL", "binary", pcd, "F4 x y z; U4 rgba", "rgba 11223344", true, ""},
      {"PCL", "binary_compressed", pcd, "F4 x y z; U4 rgb label", "rgb 112233 label 9", false, ""},
      {"PCL, padded", "binary", pcd, "F4 x y z; U1 _*4; U4 rgb label; U1 _*8", "rgb 112233 label 9",
       true, ""},
      {"PCL", "binary", pcd, "F4 x y z intensity", "intensity 0.5", true, ""},
      {"PCL", little, "ply\ncomment PCL generated\n", "float x y z; uchar red green blue alpha",
       "rgba 11223344", true, camera},
      {"velodyne_pointcloud", "binary", pcd,
       "F4 x y z; U1 _*4; F4 intensity; U2 ring; U1 _*2; F4 time; U1 _*4", "intensity 0.5", true,
       ""},
      {"ouster_ros", "binary", pcd, "F4 x y z intensity; U4 t; U2 reflectivity; U1 ring",
       "intensity 0.5", true, ""},
      {"pypcd", "ascii", pcd, "F4 x y z; U1 intensity", "intensity 200", false, ""},
      {"MATLAB", "binary", pcd, "F4 x y z; U4 rgb", "rgb 112233", true, ""},
      {"CloudCompare 2.6", little,
       "ply\ncomment Author: CloudCompare (TELECOM PARISTECH/EDF R&D)\n"
       "obj_info Generated by CloudCompare!\n",
       "float x y z; uchar red green blue; float scalar_Intensity", "rgb 112233 intensity 0.5",
       true, ""},
      {"CloudCompare 2.13", little, "ply\ncomment Created by CloudCompare v2.13\n",
       "double x y z; float scalar_GPSTime scalar_Label scalar_Intensity", "intensity 0.5 label 9",
       false, ""},
      {"CloudCompare", "binary", pcd, "F4 x y z rgb Intensity", "rgb 112233 intensity 0.5", true,
       ""},
      {"MeshLab", little, "ply\ncomment VCGLIB generated\n",
       "float x y z; uchar red green blue alpha; float quality", "rgba 11223344", true, faces},
      {"MeshLab", "ascii", "ply\ncomment VCGLIB generated\n",
       "double x y z; uchar red green blue alpha", "rgba 11223344", false, faces},
      {"Blender 2.93", "ascii", "ply\ncomment Created by Blender 2.93.5 - www.blender.org\n",
       "float x y z nx ny nz s t; uchar red green blue", "rgb 112233", false, faces},
      {"Blender 4.2", little, "ply\ncomment Created in Blender version 4.2.0\n",
       "float x y z; uchar red green blue alpha", "rgba 11223344", true, ""},
      {"trimesh", little, "ply\ncomment https://github.com/mikedh/trimesh\n",
       "float x y z; uchar red green blue alpha", "rgba 11223344", true, faces},
      {"plyfile", "binary_big_endian", "ply\n", "float x y z; ushort red green blue intensity",
       "rgb 112233 intensity 200", false, ""},
      {"plyfile, numpy's names", little, "ply\n", "float32 x y z; uint8 r g b; int16 label",
       "rgb 112233 label 9", false, ""},
      {"meshio", little, "ply\ncomment Created by meshio v5.3.4, 2023-01-31T10:11:12\n",
       "double x y z; uint8 red green blue; uint32 label", "rgb 112233 label 9", false, ""},
      {"colours from 0 to 1", "ascii", "ply\n", "float x y z red green blue", "rgb 112233", false,
       ""},
      {"VisualSFM", "ascii", "ply\n",
       "float x y z nx ny nz; uchar diffuse_red diffuse_green diffuse_blue", "rgb 112233", false,
       ""},
      {"COLMAP", little, "ply\n", "float x y z nx ny nz; uchar red green blue", "rgb 112233", true,
       ""},
      {"RealSense Viewer", little, "ply\ncomment pointcloud saved from Realsense Viewer\n",
       "float32 x y z; uchar red green blue", "rgb 112233", true, faces},
      {"Stanford's scans", "ascii", "ply\n", "float x y z confidence intensity", "intensity 0.5",
       false, ""},
      {"Paris-Lille-3D", little, "ply\n", "float x y z; uchar reflectance; uint label class",
       "intensity 200 label 9", true, ""},
      {"the order of bitmaps", little, "ply\n", "float x y z; uchar blue green red alpha",
       "rgba 11223344", true, ""},
      {"no colour", little, "ply\n", "float x y z; uchar red intensity", "intensity 200", true, ""},
  };
  for (const auto& form : forms) {
    const std::string file =
        file_of(form.encoding, form.begin, properties_of(form.properties), form.behind);
    const Cloud cloud = read(file);
    ASSERT_EQ(cloud.header.points, 1U) << form.writer;
    EXPECT_EQ(cloud.at(0), form.seen) << form.writer;
    EXPECT_EQ(cloud.body.in_place, form.in_place) << form.writer;
    EXPECT_EQ(cloud.xyz(0), bytes_of(1.0F) + bytes_of(2.0F) + bytes_of(3.0F)) << form.writer;
  }
}

TEST(CloudFields, TheFourthFloatOfRawPointsIsTheirIntensity) {
  for (unsigned floats = 3; floats <= 8; ++floats) {
    std::string file;
    for (unsigned i = 0; i < floats; ++i) file += bytes_of(static_cast<float>(i));
    EXPECT_EQ(read(file, "scan.bin", floats).at(0), floats == 4 || floats == 5 ? "intensity 3" : "")
        << floats;
  }
}

constexpr char kText[] =
    "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty float "
    "z\nproperty uchar red\nproperty uchar green\nproperty uchar blue\nproperty ushort intensity\n"
    "property int label\nend_header\n1 2 3 ";

TEST(CloudFields, NumbersBeyondTheirTypeAreTheNearest) {
  const struct {
    const char* word;
    const char* seen;
  } cases[] = {{"-5", "rgb 000000 intensity 0 label 0"},
               {"17.0000", "rgb 111111 intensity 17 label 17"},
               {"70000", "rgb ffffff intensity 65535 label 70000"},
               {"5e9", "rgb ffffff intensity 65535 label 4294967295"},
               {"1e400", "rgb ffffff intensity 65535 label 4294967295"},
               {"nan", "rgb 000000 intensity 0 label 0"},
               {"2.5", "rgb 030303 intensity 3 label 3"}};
  for (const auto& [word, seen] : cases) {
    std::string file = kText;
    for (int i = 0; i < 5; ++i) (file += word) += ' ';
    EXPECT_EQ(read(file).at(0), seen) << word;
  }
}

TEST(CloudFields, WordsThatAreNoNumbersAreRefused) {
  try {
    read(std::string(kText) + "17 x 51 1 1\n");
    FAIL();
  } catch (const CloudError& error) {
    EXPECT_NE(std::string(error.what()).find("a colour, intensity or label: found \"x\""),
              std::string::npos)
        << error.what();
  }
}

// --- round trips --------------------------------------------------------------------------------

// Writes the cloud and reads it back: as many points, with the fields of those of its own.
void expect_round_trip(const WrittenCloud& cloud, const std::string& bytes, bool is_pcd) {
  CloudWriter writer;
  const auto [text, body] = is_pcd ? writer.pcd(cloud) : writer.ply(cloud);
  std::string file(text);
  file.append(reinterpret_cast<const char*>(body.data()), body.size());
  const Cloud back = read(file);
  EXPECT_TRUE(back.body.in_place);
  EXPECT_EQ(back.header.others, "");
  EXPECT_EQ(back.body.fields.intensity.type, cloud.fields.intensity.type);
  EXPECT_EQ(back.body.fields.label.type, cloud.fields.label.type);
  // The points in the middle of some_points() are unknown.
  ASSERT_EQ(back.header.points, cloud.known_only ? cloud.points - 3 : cloud.points);
  for (std::size_t i = 0; i < back.header.points; ++i) {
    const std::size_t from = cloud.known_only && i > 0 ? i + 3 : i;
    const char* point = bytes.data() + from * cloud.step;
    EXPECT_EQ(back.at(i), seen_in(point, cloud.fields)) << text;
    EXPECT_EQ(back.xyz(i), std::string(point + cloud.offset, 12));
  }
}

TEST(CloudFields, WhatIsWrittenIsReadBack) {
  using enum FieldType;
  const Points points = some_points(6);
  for (const FieldType colour : {kNone, kRgb, kRgba, kBgra}) {
    for (const FieldType intensity : {kNone, kF32, kU16, kU8}) {
      for (const FieldType label : {kNone, kU32, kU16, kU8}) {
        // The fields come before x, and there are bytes between them.
        WrittenCloud cloud;
        cloud.fields = {{colour, 1}, {intensity, 5}, {label, 9}};
        cloud.step = 28;
        cloud.offset = 16;
        cloud.points = points.size();
        std::string bytes(points.size() * cloud.step, '\0');
        for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(7 * i + i / 28);
        for (std::size_t i = 0; i < points.size(); ++i) {
          const float real = 0.5F + static_cast<float>(i);
          std::memcpy(bytes.data() + i * cloud.step + 5, &real, intensity == kF32 ? 4 : 0);
          std::memcpy(bytes.data() + i * cloud.step + cloud.offset, &points[i], 12);
        }
        cloud.data = reinterpret_cast<const std::byte*>(bytes.data());
        for (const bool known_only : {false, true}) {
          cloud.known_only = known_only;
          for (const bool is_pcd : {false, true}) expect_round_trip(cloud, bytes, is_pcd);
        }
      }
    }
  }
}

TEST(CloudFields, LabelsHaveTheirColours) {
  const std::uint32_t labels[] = {0, 1, 255, 256, 511};
  const int entries[] = {0, 1, 255, 1, 1};
  std::vector<Rgb> colours(256);
  for (std::size_t i = 0; i < 256; ++i) colours[i] = {static_cast<std::uint8_t>(i), 1, 2};
  std::string bytes;
  for (const std::uint32_t label : labels) bytes += std::string(12, '\0') + "abc" + bytes_of(label);
  WrittenCloud cloud;
  cloud.data = reinterpret_cast<const std::byte*>(bytes.data());
  cloud.points = std::size(labels);
  cloud.step = 19;
  cloud.fields.colour = {FieldType::kRgb, 12};
  cloud.fields.label = {FieldType::kU32, 15};
  for (const bool of_labels : {false, true}) {
    cloud.colours = of_labels ? colours.data() : nullptr;
    CloudWriter writer;
    const auto body = writer.ply(cloud).body;
    for (std::size_t i = 0; i < cloud.points; ++i) {
      const std::string own{static_cast<char>(entries[i]), 1, 2};
      EXPECT_EQ(std::string(reinterpret_cast<const char*>(body.data()) + 19 * i + 12, 7),
                (of_labels ? own : "abc") + bytes_of(labels[i]));
    }
  }
}

}  // namespace
}  // namespace rdp::clouds
