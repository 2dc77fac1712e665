// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_SUPPORT_HULL_FILE_H_
#define RDP_TESTS_SUPPORT_HULL_FILE_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

// A PLY of hulls, parsed as viewers do: a header in the order of the writer, and a body of exactly
// the promised size. Throws std::runtime_error for anything else.
struct HullFile {
  struct Vertex {
    float x, y, z, nx, ny, nz;
    std::uint8_t colour[3];
  };
  struct Face {
    std::vector<std::int32_t> vertices;
    std::uint8_t colour[3];
  };

  std::vector<std::string> comments;
  std::vector<Vertex> vertices;
  std::vector<Face> faces;

  explicit HullFile(std::string_view file) : left_(file) {
    expect("ply\nformat binary_little_endian 1.0\n");
    while (left_.starts_with("comment ")) comments.push_back(next_line().substr(8));
    vertices.resize(count("element vertex "));
    expect(
        "property float x\nproperty float y\nproperty float z\n"
        "property float nx\nproperty float ny\nproperty float nz\n"
        "property uchar red\nproperty uchar green\nproperty uchar blue\n");
    faces.resize(count("element face "));
    expect(
        "property list uchar int vertex_indices\n"
        "property uchar red\nproperty uchar green\nproperty uchar blue\nend_header\n");
    for (Vertex& v : vertices) {
      for (float* number : {&v.x, &v.y, &v.z, &v.nx, &v.ny, &v.nz}) take(number);
      take(&v.colour);
    }
    for (Face& face : faces) {
      std::uint8_t corners = 0;
      take(&corners);
      if (corners < 3) throw std::runtime_error("a face without area");
      face.vertices.resize(corners);
      for (std::int32_t& vertex : face.vertices) {
        take(&vertex);
        if (vertex < 0 || static_cast<std::size_t>(vertex) >= vertices.size()) {
          throw std::runtime_error("a face of a vertex that is not there");
        }
      }
      take(&face.colour);
    }
    if (!left_.empty()) throw std::runtime_error(std::to_string(left_.size()) + " bytes too many");
  }

 private:
  void expect(std::string_view text) {
    if (!left_.starts_with(text)) {
      throw std::runtime_error("\"" + std::string(left_.substr(0, 40)) + "\", not \"" +
                               std::string(text) + "\"");
    }
    left_.remove_prefix(text.size());
  }
  std::string next_line() {
    const std::size_t end = left_.find('\n');
    if (end == std::string_view::npos) throw std::runtime_error("the header has no end");
    std::string line(left_.substr(0, end));
    left_.remove_prefix(end + 1);
    return line;
  }
  std::size_t count(std::string_view before) {
    expect(before);
    return std::stoull(next_line());
  }
  // Tests run on little-endian machines.
  template <typename T>
  void take(T* value) {
    if (left_.size() < sizeof *value) throw std::runtime_error("the file is too short");
    std::memcpy(value, left_.data(), sizeof *value);
    left_.remove_prefix(sizeof *value);
  }

  std::string_view left_;
};

#endif  // RDP_TESTS_SUPPORT_HULL_FILE_H_
