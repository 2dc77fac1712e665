// SPDX-License-Identifier: LGPL-2.1-or-later
// One scene gives the same metres from disparity, inverse depth and depth, and from scaled and
// cropped frames. depthtestsrc renders the street; the points are read from rdpmetaconvert's PLY.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "tests/rdpmetaconvert/convert_rig.h"
#include "tests/support/crops.h"

// After the standard library: check.h defines a macro named fail.
#include <gst/check/gstcheck.h>
#include <gst/check/gstharness.h>
#include <gst/rdpsegment/rdpsegment.h>
#include <gst/video/video.h>

namespace {

// The size of the street's frames.
constexpr int kWidth = 320;
constexpr int kHeight = 240;
// The camera of the street, from docs/depthtestsrc.md.
constexpr double kFocal = 720.0 * kWidth / 1242;
constexpr double kBaseline = 0.54;
constexpr double kPrincipalX = 0.5 * (kWidth - 1);
constexpr double kPrincipalY = 0.46 * (kHeight - 1);
// Quantisation steps of depthtestsrc.
constexpr double kDisparityStep = 1.0 / 256;
constexpr double kDepthStep = 0.001;

// The distance per pixel, 0 if unknown.
struct Distances {
  int width = kWidth;
  int height = kHeight;
  std::vector<double> z = std::vector<double>(static_cast<std::size_t>(width * height));

  double& at(int column, int row) { return z[static_cast<std::size_t>(row * width + column)]; }
  double at(int column, int row) const { return z[static_cast<std::size_t>(row * width + column)]; }
};

// Maps pixels of a picture to the street's frames: `first` + `step` * pixel.
struct Grid {
  double first_column = 0.0;
  double first_row = 0.0;
  double step = 1.0;
};

// Assigns each point to the pixel of its ray.
Distances distances_of(const PlyFile& ply, int width, int height, const Grid& grid = {}) {
  Distances distances{width, height};
  for (const PlyFile::Vertex& v : ply.vertices) {
    const double z = v.z;
    const double column = (v.x / z * kFocal + kPrincipalX - grid.first_column) / grid.step;
    const double row = (v.y / z * kFocal + kPrincipalY - grid.first_row) / grid.step;
    const auto c = static_cast<int>(std::lround(column));
    const auto r = static_cast<int>(std::lround(row));
    // The rounding of three 24-bit floats, at some hundred pixels.
    fail_unless(std::fabs(column - c) < 1e-3 && std::fabs(row - r) < 1e-3,
                "a point in %g, %g of the pixels", column, row);
    fail_unless(c >= 0 && c < width && r >= 0 && r < height, "a point in %d, %d", c, r);
    fail_unless(distances.at(c, r) == 0.0, "two points in %d, %d", c, r);
    distances.at(c, r) = z;
  }
  return distances;
}

using Change = std::function<void(GstBuffer*)>;

GstPadProbeReturn change_buffer(GstPad*, GstPadProbeInfo* info, gpointer change) {
  GstBuffer* buffer = gst_buffer_make_writable(GST_PAD_PROBE_INFO_BUFFER(info));
  (*static_cast<Change*>(change))(buffer);
  GST_PAD_PROBE_INFO_DATA(info) = buffer;
  return GST_PAD_PROBE_OK;
}

std::string with_size(int width, int height) {
  return "video/x-raw,format=GRAY16_LE,width=" + std::to_string(width) +
         ",height=" + std::to_string(height);
}

// Pulls frame 3 of a harness.
GstBuffer* pull_fourth(GstHarness* harness) {
  GstBuffer* last = nullptr;
  for (int i = 0; i < 4; ++i) {
    gst_clear_buffer(&last);
    last = gst_harness_pull(harness);
    fail_unless(last != nullptr);
  }
  return last;
}

// Reads the PLY of a buffer (transfer full).
PlyFile read_ply(GstBuffer* buffer) { return convert_rig::read_ply(convert_rig::text_of(buffer)); }

std::string street(const std::string& properties) {
  return "depthtestsrc num-buffers=4 " + properties + " ! " + with_size(kWidth, kHeight);
}

// The PLY of frame 3 of the street; `change` modifies buffers at the pipeline's identity.
PlyFile run(const std::string& source, const std::string& rest, Change change = nullptr) {
  GstHarness* harness = gst_harness_new_parse(
      (street(source) + " ! " + rest + " ! rdpmetaconvert format=ply").c_str());
  if (change) {
    g_autoptr(GstElement) identity = gst_harness_find_element(harness, "identity");
    g_autoptr(GstPad) pad = gst_element_get_static_pad(identity, "src");
    gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_BUFFER, change_buffer, &change, nullptr);
  }
  gst_harness_play(harness);
  PlyFile ply = read_ply(pull_fourth(harness));
  gst_harness_teardown(harness);
  return ply;
}

// The interval of true distances for one written distance.
struct Interval {
  double nearest, farthest;
};

// A valid sample is the scene's value rounded to the nearest step, and a segment passes within
// `epsilon` steps of it. So the true value is within epsilon + 1/2 steps of the segment's. The last
// factor covers rounding to float.
struct Rendering {
  const char* name;
  std::string source;
  std::string segment;
  std::function<Interval(double z)> interval;
};

constexpr double kFloat = 1.0 / (1 << 22);

Interval widened(double nearest, double farthest) {
  return {nearest * (1.0 - kFloat), farthest * (1.0 + kFloat)};
}

std::vector<Rendering> renderings(double epsilon) {
  const std::string tolerance = "epsilon=" + std::to_string(epsilon);
  const double steps = epsilon + 0.5;
  constexpr double kInverseScale = 1e8;  // of mm: 65535 is as near as 1.53 m
  return {
      // Z = f B / d.
      {"disparity", "domain=disparity", tolerance,
       [=](double z) {
         const double disparity = kFocal * kBaseline / z;
         const double most = steps * kDisparityStep;
         return widened(kFocal * kBaseline / (disparity + most),
                        disparity > most ? kFocal * kBaseline / (disparity - most) : INFINITY);
       }},
      {"depth", "domain=depth", tolerance,
       [=](double z) { return widened(z - steps * kDepthStep, z + steps * kDepthStep); }},
      // Rounded twice: depth to millimetres, then its inverse.
      {"inverse depth", "domain=depth",
       tolerance + " domain=inverse inverse-scale=" + std::to_string(kInverseScale),
       [=](double z) {
         const double u = kInverseScale / (z / kDepthStep);
         const double nearest = kInverseScale / (u + steps) * kDepthStep;
         const double farthest =
             u > steps ? kInverseScale / (u - steps) * kDepthStep : double{INFINITY};
         return widened(nearest - 0.5 * kDepthStep, farthest + 0.5 * kDepthStep);
       }},
  };
}

}  // namespace

// The true distance lies in the interval of each rendering, so all intervals intersect.
CHECK_TEST(test_three_renderings) {
  for (const double epsilon : {0.0, 2.0}) {
    const std::vector<Rendering> all = renderings(epsilon);
    std::vector<Distances> of;
    for (const Rendering& rendering : all) {
      of.push_back(distances_of(run(rendering.source, "rdpsegment max-gap=1 " + rendering.segment),
                                kWidth, kHeight));
    }
    int compared = 0;
    double widest = 0.0;
    for (int row = 0; row < kHeight; ++row) {
      for (int column = 0; column < kWidth; ++column) {
        Interval common{0.0, INFINITY};
        int known = 0;
        for (std::size_t i = 0; i < all.size(); ++i) {
          const double z = of[i].at(column, row);
          if (z == 0.0) continue;  // depth ends at 65 m
          ++known;
          const Interval here = all[i].interval(z);
          fail_unless(here.nearest <= common.farthest && here.farthest >= common.nearest,
                      "%d, %d: %s is at %.9g m, within %.9g to %.9g, and the others between %.9g "
                      "and %.9g",
                      column, row, all[i].name, z, here.nearest, here.farthest, common.nearest,
                      common.farthest);
          common = {std::max(common.nearest, here.nearest),
                    std::min(common.farthest, here.farthest)};
        }
        if (known < 3) continue;
        ++compared;
        widest = std::max(widest, common.farthest / common.nearest - 1.0);
      }
    }
    // Almost all pixels below the sky are compared, and the intersections are narrow.
    fail_unless(compared > kWidth * kHeight / 2, "only %d pixels", compared);
    fail_unless(widest < 0.05, "%g", widest);
  }
}

// With epsilon=0 segments pass through all samples, so a cropped frame has the same points.
CHECK_TEST(test_cropped_before) {
  const Distances whole = distances_of(run("", "rdpsegment epsilon=0"), kWidth, kHeight);
  const crops::Rectangle crop{37, 51, 200, 150};
  // As videocrop crops in place: buffer unchanged, caps and metadata describe the crop.
  GstHarness* source = gst_harness_new_parse((street("") + " ! identity").c_str());
  gst_harness_play(source);
  GstBuffer* frame = gst_buffer_make_writable(pull_fourth(source));
  if (gst_buffer_get_video_meta(frame) == nullptr) {
    gst_buffer_add_video_meta(frame, GST_VIDEO_FRAME_FLAG_NONE, GST_VIDEO_FORMAT_GRAY16_LE, kWidth,
                              kHeight);
  }
  crops::add(frame, crop);
  GstHarness* rest = gst_harness_new_parse("rdpsegment epsilon=0 ! rdpmetaconvert format=ply");
  gst_harness_set_src_caps_str(rest, with_size(crop.width, crop.height).c_str());
  fail_unless_equals_int(gst_harness_push(rest, frame), GST_FLOW_OK);
  const PlyFile ply = read_ply(gst_harness_pull(rest));
  gst_harness_teardown(rest);
  gst_harness_teardown(source);
  const Distances cropped = distances_of(
      ply, crop.width, crop.height, {static_cast<double>(crop.x), static_cast<double>(crop.y)});
  int compared = 0;
  for (int row = 0; row < crop.height; ++row) {
    for (int column = 0; column < crop.width; ++column) {
      const double z = cropped.at(column, row);
      const double expected = whole.at(crop.x + column, crop.y + row);
      // Segments bridge unknown rows between known ones; a crop may start within such a gap.
      if (z == 0.0 || expected == 0.0) continue;
      fail_unless(std::fabs(z - expected) <= 1e-6 * expected, "%d, %d: %.9g, not %.9g", column, row,
                  z, expected);
      ++compared;
    }
  }
  fail_unless(compared > crop.width * crop.height / 2, "only %d pixels", compared);
}

static void check_same(const PlyFile& got, const PlyFile& expected) {
  fail_unless_equals_int(got.vertices.size(), expected.vertices.size());
  for (std::size_t i = 0; i < got.vertices.size(); ++i) {
    const PlyFile::Vertex& a = got.vertices[i];
    const PlyFile::Vertex& b = expected.vertices[i];
    const double most = 1e-6 * static_cast<double>(b.z);
    fail_unless(std::fabs(a.x - b.x) <= most && std::fabs(a.y - b.y) <= most &&
                    std::fabs(a.z - b.z) <= most,
                "point %zu is %.9g %.9g %.9g, not %.9g %.9g %.9g", i, static_cast<double>(a.x),
                static_cast<double>(a.y), static_cast<double>(a.z), static_cast<double>(b.x),
                static_cast<double>(b.y), static_cast<double>(b.z));
  }
}

// Changes to the picture after rdpsegment have no influence: segments refer to the segmented frame.
CHECK_TEST(test_changed_behind) {
  const PlyFile plain = run("", "rdpsegment");
  check_same(run("", "rdpsegment ! videoscale ! video/x-raw,width=160,height=120"), plain);
  check_same(run("", "rdpsegment ! videoscale ! video/x-raw,width=480,height=360"), plain);
  const crops::Rectangle crop{11, 7, 100, 90};
  check_same(run("", "rdpsegment ! identity", [&](GstBuffer* buffer) { crops::add(buffer, crop); }),
             plain);
}

// Scaling by integers repeats or skips samples: distances are equal, at most half a pixel of the
// larger picture aside.
CHECK_TEST(test_scaled_before) {
  const Distances plain = distances_of(run("", "rdpsegment epsilon=0"), kWidth, kHeight);
  for (const bool larger : {false, true}) {
    const double step = larger ? 0.5 : 2.0;
    const auto width = static_cast<int>(kWidth / step);
    const auto height = static_cast<int>(kHeight / step);
    const PlyFile ply =
        run("", "videoscale method=nearest-neighbour ! video/x-raw,width=" + std::to_string(width) +
                    ",height=" + std::to_string(height) + " ! rdpsegment epsilon=0");
    // The centre of pixel 0 lies at (0 + 1/2) * step - 1/2.
    const double first = 0.5 * step - 0.5;
    const Distances scaled = distances_of(ply, width, height, {first, first, step});
    int compared = 0;
    for (int row = 0; row < height; ++row) {
      for (int column = 0; column < width; ++column) {
        const double z = scaled.at(column, row);
        if (z == 0.0) continue;
        bool found = false;
        const int least_column = larger ? column / 2 : 2 * column;
        const int least_row = larger ? row / 2 : 2 * row;
        for (int dy = 0; dy <= (larger ? 0 : 1); ++dy) {
          for (int dx = 0; dx <= (larger ? 0 : 1); ++dx) {
            const double expected = plain.at(least_column + dx, least_row + dy);
            found = found || std::fabs(z - expected) <= 1e-6 * z;
          }
        }
        fail_unless(found, "%d, %d of %dx%d: %.9g m", column, row, width, height, z);
        ++compared;
      }
    }
    fail_unless(compared > width * height / 2, "only %d pixels", compared);
  }
}

CHECK_CASE(rdpmetaconvert_renderings)
