// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_DEPTHPLANES_CLOUD_RIG_H_
#define RDP_TESTS_DEPTHPLANES_CLOUD_RIG_H_

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "common/planes/clouds/reference.h"
#include "gst/elements/base/points_caps.h"
#include "tests/depthplanes/planes_rig.h"
#include "tests/support/bus_texts.h"

// Point clouds for depthplanes and the results that its definition demands.
namespace cloud_rig {

using planes_rig::Expected;
using planes_rig::Rig;
using rdp::gst::PointsFormat;

// Caps as points_caps.h makes them; that header is internal to the plugin.
inline std::string caps_text(const PointsFormat& format) {
  std::string text =
      "application/x-points,format=XYZ32F,point-step=" + std::to_string(format.point_step) +
      ",offset=" + std::to_string(format.offset) + ",unit=(double)" +
      (format.unit == 1.0 ? "1.0" : "0.001") +
      ",axes=" + (format.forward_left_up ? "forward-left-up" : "camera") + ",framerate=10/1";
  if (format.width > 0) {
    text += ",width=" + std::to_string(format.width) + ",height=" + std::to_string(format.height);
  }
  if (const auto& label = format.fields.label; label.is_there()) {
    text += ",label-offset=" + std::to_string(label.offset) + ",label-format=U" +
            std::to_string(8 * size_of(label.type));
  }
  return text;
}

// A corner of a room, a table and random points, in metres and camera axes.
inline std::vector<float> draw(std::size_t points, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> anywhere(-1.5F, 1.5F);
  std::normal_distribution<float> noise(0.0F, 0.004F);
  std::vector<float> all;
  for (std::size_t i = 0; i < points; ++i) {
    const float a = anywhere(random);
    const float b = anywhere(random);
    float p[3] = {a, b, 0.0F};
    switch (i % 8) {
      case 0:
      case 1:
      case 2:
        p[0] = a, p[1] = 1.5F + noise(random), p[2] = 3.0F + b;
        break;
      case 3:
      case 4:
        p[0] = a, p[1] = b, p[2] = 4.5F + noise(random);
        break;
      case 5:
        p[0] = 1.5F + noise(random), p[1] = a, p[2] = 3.0F + b;
        break;
      case 6:
        p[0] = 0.4F * a, p[1] = 0.6F + noise(random), p[2] = 3.0F + 0.4F * b;
        break;
      default:
        p[0] = a, p[1] = b, p[2] = 3.0F + anywhere(random);
    }
    if (i % 97 == 0) p[1] = std::nanf("");
    if (i % 89 == 0) p[0] = p[1] = p[2] = 0.0F;
    all.insert(all.end(), p, p + 3);
  }
  return all;
}

inline GstBuffer* buffer(const std::vector<float>& points, const PointsFormat& format) {
  const gsize count = points.size() / 3;
  const auto step = static_cast<gsize>(format.point_step);
  std::vector<std::uint8_t> bytes(count * step, 0xA5);
  const float scale = static_cast<float>(1.0 / format.unit);
  for (gsize i = 0; i < count; ++i) {
    float p[3] = {points[3 * i] * scale, points[3 * i + 1] * scale, points[3 * i + 2] * scale};
    if (format.forward_left_up) {
      const float camera[3] = {p[0], p[1], p[2]};
      p[0] = camera[2];
      p[1] = -camera[0];
      p[2] = -camera[1];
    }
    std::memcpy(bytes.data() + i * step + format.offset, p, sizeof p);
  }
  GstBuffer* made = gst_buffer_new_allocate(nullptr, bytes.size(), nullptr);
  gst_buffer_fill(made, 0, bytes.data(), bytes.size());
  GST_BUFFER_PTS(made) = 0;
  return made;
}

inline Expected expect(GstBuffer* cloud, const PointsFormat& format,
                       const rdp::planes::Parameters& parameters = {}) {
  const std::vector<std::uint8_t> bytes = frames::bytes(cloud);
  rdp::planes::CloudView view;
  view.data = reinterpret_cast<const std::byte*>(bytes.data());
  view.step = static_cast<std::size_t>(format.point_step);
  view.offset = static_cast<std::size_t>(format.offset);
  view.points = bytes.size() / view.step;
  view.unit = format.unit;
  view.forward_left_up = format.forward_left_up;
  Expected expected;
  expected.labels.resize(view.points);
  expected.set = rdp::planes::reference::find_in_cloud(view, parameters, expected.labels.data());
  return expected;
}

inline void begin(Rig* rig, const PointsFormat& format) {
  gst_harness_set_src_caps_str(rig->main, caps_text(format).c_str());
}

// Checks output=labels: each point gains a label field, or its existing label is overwritten. Point
// clouds grow and shrink.
inline void check_labels_of_points(const char* backend) {
  using rdp::clouds::FieldType;
  PointsFormat rows;
  rows.width = 20;
  rows.height = 25;
  PointsFormat labelled{.point_step = 23, .offset = 5};
  labelled.fields.label = {FieldType::kU16, 18};
  for (const PointsFormat& format :
       {PointsFormat{}, PointsFormat{.point_step = 19, .offset = 5}, rows, labelled}) {
    Rig rig(backend);
    rig.set("output", "labels");
    begin(&rig, format);
    PointsFormat grown = format;
    if (!format.fields.label.is_there()) {
      grown.fields.label = {FieldType::kU32, format.point_step};
      grown.point_step += 4;
    }
    for (const std::size_t points : {500, 0, 700, 3, 1400}) {
      if (format.width > 0 && points != 500) continue;
      GstBuffer* input = buffer(draw(points, 1), format);
      const std::vector<std::uint8_t> before = frames::bytes(input);
      const Expected expected = expect(input, format);
      g_autoptr(GstBuffer) output = gst_harness_push_and_pull(rig.main, input);
      planes_rig::check_planes(output, expected, "labels");
      fail_unless_equals_uint64(GST_BUFFER_PTS(output), 0);
      std::vector<std::uint8_t> wanted;
      for (std::size_t i = 0; i < points; ++i) {
        const auto from = before.begin() + static_cast<std::ptrdiff_t>(i) * format.point_step;
        wanted.insert(wanted.end(), from, from + format.point_step);
        wanted.resize((i + 1) * static_cast<std::size_t>(grown.point_step));
        std::uint8_t* label = wanted.data() + i * static_cast<std::size_t>(grown.point_step) +
                              grown.fields.label.offset;
        std::fill_n(label, size_of(grown.fields.label.type), std::uint8_t{0});
        *label = expected.labels[i];
      }
      fail_unless(frames::bytes(output) == wanted, "%d points of %d bytes",
                  static_cast<int>(points), format.point_step);
    }
    g_autoptr(GstCaps) made = gst_pad_get_current_caps(rig.main->sinkpad);
    g_autoptr(GstCaps) caps = gst_caps_from_string(caps_text(grown).c_str());
    fail_unless(gst_caps_is_equal(made, caps), "%s", gst_caps_to_string(made));
    const std::string said = rdp::test::bus_texts(rig.bus);
    fail_unless(said.empty() || said.find("No plane found") != said.npos, "%s", said.c_str());
  }
}

}  // namespace cloud_rig

#endif  // RDP_TESTS_DEPTHPLANES_CLOUD_RIG_H_
