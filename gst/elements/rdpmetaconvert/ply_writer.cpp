// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/rdpmetaconvert/ply_writer.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <new>
#include <span>

#include "common/image/palette.h"
#include "common/rdp/overlay_pixels.h"
#include "gst/elements/rdpmetaconvert/segment_frame.h"
#include "gst/rdpsegment/private/hull_ply.h"

namespace rdp {
namespace {

constexpr std::size_t kHeaderRoom = 640;
constexpr std::size_t kVertexSize = 3 * sizeof(float) + 3;
constexpr std::size_t kEdgeSize = 2 * sizeof(std::int32_t) + 3;
// Indices are ints.
constexpr std::size_t kMaxVertices = std::numeric_limits<std::int32_t>::max();

// The classes' colours at their brightest, in the order of SegmentClass.
constexpr std::array<Pixel, kSegmentClasses> make_class_pixels() {
  constexpr ClassColours kColours = make_class_colours();
  std::array<Pixel, kSegmentClasses> pixels{};
  for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i] = kColours.of[i].entry[255];
  return pixels;
}
constexpr std::array<Pixel, kSegmentClasses> kClassPixels = make_class_pixels();
Pixel class_pixel(guint8 c) { return kClassPixels[c % kClassPixels.size()]; }

char* put_word(char* out, std::uint32_t word) {
  const std::uint32_t little = GUINT32_TO_LE(word);
  std::memcpy(out, &little, sizeof little);
  return out + sizeof little;
}

char* put_colour(char* out, Pixel colour) {
  *out++ = static_cast<char>(colour & 0xFF);
  *out++ = static_cast<char>(colour >> 8 & 0xFF);
  *out++ = static_cast<char>(colour >> 16 & 0xFF);
  return out;
}

// The colour at a position in the palette, which may be a little beyond its ends.
Pixel palette_pixel(float position) {
  const Rgb& colour = kPalette[static_cast<std::size_t>(palette_entry(position))];
  return pixel(colour.r, colour.g, colour.b);
}

char* put_vertex(char* out, const float* xyz, Pixel colour) {
  for (int i = 0; i < 3; ++i) out = put_word(out, std::bit_cast<std::uint32_t>(xyz[i]));
  return put_colour(out, colour);
}

}  // namespace

// Writes the header directly before the body, at the end of its reserved room.
std::string_view PlyWriter::with_header(const SegmentFrame& of, GstClockTime pts,
                                        std::size_t vertices, const std::size_t* edges,
                                        std::size_t body_size) {
  constexpr const char* kColour = "property uchar red\nproperty uchar green\nproperty uchar blue\n";
  header_ =
      "ply\nformat binary_little_endian 1.0\n"
      "comment rdpsegment: metres, x to the right, y down, z forward\n";
  const auto add = [this](const char* before, std::uint64_t number) {
    std::array<char, 20> digits;
    char* const begin = digits.data();
    const char* const end = std::to_chars(begin, begin + digits.size(), number).ptr;
    header_.append(before).append(begin, static_cast<std::size_t>(end - begin)).append("\n");
  };
  add("comment frame ", of.info.frame);
  if (GST_CLOCK_TIME_IS_VALID(pts)) add("comment pts ", pts);
  if (of.frame.of_batch) add("comment batch-index ", of.frame.batch_index);
  add("element vertex ", vertices);
  header_.append("property float x\nproperty float y\nproperty float z\n").append(kColour);
  // Colours once more: MeshLab shows those of the vertices, Open3D those of the edges.
  if (edges != nullptr) {
    add("element edge ", *edges);
    header_.append("property int vertex1\nproperty int vertex2\n").append(kColour);
  }
  header_.append("end_header\n");
  char* const begin = bytes_.data() + (kHeaderRoom - header_.size());
  std::memcpy(begin, header_.data(), header_.size());
  return {begin, header_.size() + body_size};
}

// The frame's own palette scale, from its farthest end to its nearest.
PlyWriter::Scale PlyWriter::scale_of(std::span<const float> points) {
  double least = std::numeric_limits<double>::infinity();
  double largest = 0.0;
  for (std::size_t i = 0; i < points.size(); i += 3) {
    const double z = points[i + 2];
    if (std::isnan(z)) continue;
    least = std::min(least, 1.0 / z);
    largest = std::max(largest, 1.0 / z);
  }
  return largest > least ? Scale{least, 255.0 / (largest - least)} : Scale{};
}

// Caches the rays: the camera seldom changes, and undistorting is slow.
void PlyWriter::prepare_rays(const SegmentFrame& of) {
  const GstRdpSegmentationInfo& info = of.info;
  const MetricCamera& metric = of.frame.metric;
  const auto columns = static_cast<std::size_t>(of.segments.columns());
  if (rays_camera_.get() == of.frame.camera.get() && columns_ == columns && rows_ == info.height &&
      column_width_ == info.column_width) {
    return;
  }
  rays_camera_.reset();
  distorted_ = !metric.distortion.none;
  columns_ = columns;
  rows_ = info.height;
  column_width_ = info.column_width;
  Ray* out = rays_.ensure(distorted_ ? columns_ * rows_ : columns_ + rows_);
  const auto add = [&](double column, double row) {
    if (!ray_of_pixel(column, row, metric, &out->x, &out->y)) {
      out->x = out->y = std::numeric_limits<double>::quiet_NaN();
    }
    ++out;
  };
  const auto add_columns = [&](std::size_t row) {
    for (std::size_t c = 0; c < columns_; ++c) {
      add(centre_of_column(static_cast<int>(c), static_cast<int>(column_width_),
                           static_cast<int>(info.width)),
          static_cast<double>(row));
    }
  };
  if (distorted_) {
    for (std::size_t row = 0; row < rows_; ++row) add_columns(row);
  } else {
    add_columns(0);
    for (std::size_t row = 0; row < rows_; ++row) add(0.0, static_cast<double>(row));
  }
  rays_camera_.reset(gst_rdp_camera_ref(of.frame.camera.get()));
}

// Returns the number of vertices.
std::size_t PlyWriter::add_cloud(const SegmentFrame& of, const Scale& scale,
                                 char* const begin) const {
  const guint8* classes = of.classes();
  char* out = begin;
  const auto add = [&](std::size_t column, int row, double value, std::size_t i) {
    const double z = depth_of_value(value, of.frame.metric.depth);
    if (!(z > 0.0)) return;
    const Ray through = ray(column, static_cast<std::size_t>(row));
    const std::array<float, 3> point = {static_cast<float>(through.x * z),
                                        static_cast<float>(through.y * z), static_cast<float>(z)};
    if (!(point[2] > 0.0F)) return;  // as in the points
    for (const float coordinate : point) {
      if (!std::isfinite(coordinate)) return;
    }
    out = put_vertex(
        out, point.data(),
        classes != nullptr ? class_pixel(classes[i]) : palette_pixel(scale.position(1.0 / z)));
  };
  const std::span offsets = of.segments.offsets();
  for (std::size_t c = 0; c + 1 < offsets.size(); ++c) {
    int next_row = 0;
    for (std::size_t i = offsets[c]; i < offsets[c + 1]; ++i) {
      const Segment& segment = of.segments.segments()[i];
      const double first = segment.first_value;
      const double rise = segment.last_value - first;
      const int rows = std::max(segment.last_row - segment.first_row, 1);
      // The end that two segments share is one point.
      for (int row = std::max<int>(segment.first_row, next_row); row <= segment.last_row; ++row) {
        const double value = row == segment.last_row
                                 ? segment.last_value
                                 : first + rise * (row - segment.first_row) / rows;
        add(c, row, value, i);
      }
      next_row = segment.last_row + 1;
    }
  }
  return static_cast<std::size_t>(out - begin) / kVertexSize;
}

// Returns the number of edges; there are two vertices for each.
std::size_t PlyWriter::add_lines(const SegmentFrame& of, std::span<const float> points,
                                 const Scale& scale, char* out) {
  const guint8* classes = of.classes();
  char* const edges = edges_.ensure(of.segments.segment_count() * kEdgeSize);
  char* edge = edges;
  std::uint32_t vertex = 0;
  for (std::size_t i = 0; i < of.segments.segment_count(); ++i) {
    const float* upper = &points[6 * i];
    const float* lower = upper + 3;
    if (std::isnan(upper[2]) || std::isnan(lower[2])) continue;
    const auto colour = [&](double near) {
      return classes != nullptr ? class_pixel(classes[i]) : palette_pixel(scale.position(near));
    };
    out = put_vertex(out, upper, colour(1.0 / upper[2]));
    out = put_vertex(out, lower, colour(1.0 / lower[2]));
    edge = put_word(put_word(edge, vertex), vertex + 1);
    edge = put_colour(edge, colour(0.5 / upper[2] + 0.5 / lower[2]));
    vertex += 2;
  }
  std::copy(edges, edge, out);  // there is no room for edges where there are none
  return static_cast<std::size_t>(edge - edges) / kEdgeSize;
}

std::string_view PlyWriter::hulls(const ConvertedFrame& frame, GstClockTime pts) {
  gsize n_planes = 0;
  gsize n_corners = 0;
  auto* of = reinterpret_cast<GstRdpPlanes*>(frame.objects[kPlanes]);
  const GstRdpPlane* planes = gst_rdp_planes_peek_planes(of, &n_planes);
  const GstRdpPlaneCorner* corners = gst_rdp_planes_peek_corners(of, &n_corners);
  const meta::HullPly ply({.info = gst_rdp_planes_get_info(of),
                           .planes = {planes, n_planes},
                           .corners = {corners, n_corners},
                           .pts = pts,
                           .of_batch = frame.of_batch,
                           .batch_index = frame.batch_index});
  if (ply.size() == 0) throw std::bad_alloc();
  char* const out = bytes_.ensure(ply.size());
  ply.write(out);
  return {out, ply.size()};
}

std::string_view PlyWriter::file(const ConvertedFrame& frame, GstRdpPlyContent content,
                                 GstClockTime pts) {
  if (frame.objects[kSegments] == nullptr) return hulls(frame, pts);
  const SegmentFrame of(frame);
  const std::span points = of.points(&points_);
  const Scale scale = scale_of(points);
  const std::size_t segments = of.segments.segment_count();
  if (content == GST_RDP_PLY_LINES) {
    if (2 * segments > kMaxVertices) throw std::bad_alloc();
    bytes_.ensure(kHeaderRoom + segments * (2 * kVertexSize + kEdgeSize));
    const std::size_t edges = add_lines(of, points, scale, bytes_.data() + kHeaderRoom);
    return with_header(of, pts, 2 * edges, &edges, edges * (2 * kVertexSize + kEdgeSize));
  }
  std::size_t rows = 0;
  for (const Segment& segment : of.segments.segments()) {
    rows += static_cast<std::size_t>(segment.last_row - segment.first_row) + 1;
  }
  if (rows > kMaxVertices) throw std::bad_alloc();
  prepare_rays(of);
  bytes_.ensure(kHeaderRoom + rows * kVertexSize);
  const std::size_t vertices = add_cloud(of, scale, bytes_.data() + kHeaderRoom);
  return with_header(of, pts, vertices, nullptr, vertices * kVertexSize);
}

}  // namespace rdp
