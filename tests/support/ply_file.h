// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_SUPPORT_PLY_FILE_H_
#define RDP_TESTS_SUPPORT_PLY_FILE_H_

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

// A PLY reader that accepts rdpmetaconvert's files, as viewers do, and nothing else: each header
// line at its place, and a body of exactly the promised size. Throws std::runtime_error otherwise.
struct PlyFile {
  struct Vertex {
    float x, y, z;
    std::uint8_t red, green, blue;
  };
  struct Edge {
    std::int32_t from, to;
    std::uint8_t red, green, blue;
  };

  std::vector<std::string> comments;
  bool has_edges = false;
  std::vector<Vertex> vertices;
  std::vector<Edge> edges;
};

class PlyReader {
 public:
  explicit PlyReader(std::string_view file) : left_(file) {}

  PlyFile read() {
    PlyFile ply;
    expect({"ply", "format binary_little_endian 1.0"});
    std::string line = next_line();
    for (; line.starts_with("comment "); line = next_line()) ply.comments.push_back(line.substr(8));
    ply.vertices.resize(count_of(line, "element vertex "));
    expect({"property float x", "property float y", "property float z"});
    expect_colours();
    line = next_line();
    if (line.starts_with("element edge ")) {
      ply.has_edges = true;
      ply.edges.resize(count_of(line, "element edge "));
      expect({"property int vertex1", "property int vertex2"});
      expect_colours();
      line = next_line();
    }
    if (line != "end_header") throw std::runtime_error("not the header's end: " + line);
    for (PlyFile::Vertex& v : ply.vertices) {
      take(&v.x, &v.y, &v.z, &v.red, &v.green, &v.blue);
      if (!std::isfinite(v.x) || !std::isfinite(v.y) || !(v.z > 0.0F) || std::isinf(v.z)) {
        throw std::runtime_error("a vertex that is nowhere before the camera");
      }
    }
    for (PlyFile::Edge& e : ply.edges) {
      take(&e.from, &e.to, &e.red, &e.green, &e.blue);
      const auto most = static_cast<std::int64_t>(ply.vertices.size());
      if (e.from < 0 || e.from >= most || e.to < 0 || e.to >= most || e.from == e.to) {
        throw std::runtime_error("an edge between vertices that are not there");
      }
    }
    if (!left_.empty()) throw std::runtime_error(std::to_string(left_.size()) + " bytes too many");
    return ply;
  }

 private:
  std::string next_line() {
    const std::size_t end = left_.find('\n');
    if (end == std::string_view::npos) throw std::runtime_error("the header has no end");
    std::string line(left_.substr(0, end));
    left_.remove_prefix(end + 1);
    return line;
  }
  void expect(std::initializer_list<const char*> lines) {
    for (const char* wanted : lines) {
      const std::string line = next_line();
      if (line != wanted) throw std::runtime_error("\"" + line + "\", not \"" + wanted + "\"");
    }
  }
  void expect_colours() {
    expect({"property uchar red", "property uchar green", "property uchar blue"});
  }
  static std::size_t count_of(const std::string& line, const std::string& before) {
    if (!line.starts_with(before)) throw std::runtime_error("\"" + line + "\", not " + before);
    const std::string number = line.substr(before.size());
    if (number.empty() || number.find_first_not_of("0123456789") != std::string::npos ||
        (number.size() > 1 && number[0] == '0')) {
      throw std::runtime_error("no count: " + line);
    }
    return std::stoull(number);
  }
  // Tests run on little-endian machines.
  template <typename... T>
  void take(T*... values) {
    const auto one = [this](auto* value) {
      if (left_.size() < sizeof *value) throw std::runtime_error("the file is too short");
      std::memcpy(value, left_.data(), sizeof *value);
      left_.remove_prefix(sizeof *value);
    };
    (one(values), ...);
  }

  std::string_view left_;
};

#endif  // RDP_TESTS_SUPPORT_PLY_FILE_H_
