// SPDX-License-Identifier: LGPL-2.1-or-later
// Messages of other programs: encodings, cameras and point clouds, two topics in sync, seeks.
#include <cmath>
#include <cstring>

#include "common/rvl/rvl.h"
#include "tests/mcap/mcap_rig.h"
#include "tests/support/check_test.h"

using namespace rdp::test;
namespace ros = rdp::ros;

namespace {

ros::Blob blob(const std::string& bytes) { return ros::Blob::of(std::as_bytes(std::span(bytes))); }

template <typename Number>
std::string bytes_of(std::initializer_list<Number> numbers) {
  std::string bytes(numbers.size() * sizeof(Number), '\0');
  std::memcpy(bytes.data(), std::data(numbers), bytes.size());
  return bytes;
}

ros::Image image(guint64 stamp, const char* encoding, guint width, guint height,
                 const std::string& data, guint step) {
  return {.header = header_at(stamp),
          .height = height,
          .width = width,
          .encoding = encoding,
          .step = step,
          .data = blob(data)};
}

// The data of a CompressedImage.
std::string rvl_message(const std::string& samples, int width, int height, float a, float b) {
  const rdp::DepthView view{reinterpret_cast<const std::byte*>(samples.data()), 2 * width, width,
                            height, rdp::SampleType::kU16};
  std::string data(rdp::rvl::kRosHeaderBytes + rdp::rvl::max_bytes(width, height), '\0');
  const auto out = std::as_writable_bytes(std::span(data));
  rdp::rvl::write_ros_header({a, b, width, height}, out.first<rdp::rvl::kRosHeaderBytes>());
  data.resize(rdp::rvl::kRosHeaderBytes +
              rdp::rvl::encode(view, out.subspan(rdp::rvl::kRosHeaderBytes)));
  return data;
}

ros::CameraInfo camera(guint64 stamp, guint width, guint height, double f) {
  return {.header = header_at(stamp),
          .height = height,
          .width = width,
          .distortion_model = "plumb_bob",
          .k = {f, 0, 2, 0, f, 1, 0, 0, 1},
          .p = {f, 0, 2, 0, 0, f, 1, 0, 0, 0, 1, 0}};
}

const GstRdpCameraInfo* camera_of(GstBuffer* buffer) {
  const GstRdpCameraMeta* meta = gst_buffer_get_rdp_camera_meta(buffer);
  return meta != nullptr ? gst_rdp_camera_get_info(meta->camera) : nullptr;
}

}  // namespace

CHECK_TEST(test_encodings_of_images) {
  McapFolder folder;
  const struct {
    const char* encoding;
    const char* format;
    std::string in;  // a row of 2 pixels
    std::string out;
    bool big = false;
  } rows[] = {
      {"16UC1", "GRAY16_LE", bytes_of<guint16>({1, 258}), bytes_of<guint16>({1, 258})},
      {"16UC1", "GRAY16_LE", std::string("\0\1\1\2", 4), bytes_of<guint16>({1, 258}), true},
      {"mono16", "GRAY16_LE", bytes_of<guint16>({7, 65535}), bytes_of<guint16>({7, 65535})},
      {"32FC1", "GRAY16_LE", bytes_of<float>({1.2346F, NAN}), bytes_of<guint16>({1235, 0})},
      {"32FC1", "GRAY16_LE", bytes_of<float>({-1.0F, 70.0F}), bytes_of<guint16>({0, 0})},
      {"32FC1", "GRAY16_LE", std::string("\x3f\x80\0\0\0\0\0\0", 8), bytes_of<guint16>({1000, 0}),
       true},
      {"mono8", "GRAY8", "ab", std::string("ab\0\0", 4)},
      {"8UC1", "GRAY8", "ab", std::string("ab\0\0", 4)},
      {"rgb8", "RGB", "abcdef", std::string("abcdef\0\0", 8)},
      {"bgr8", "BGR", "abcdef", std::string("abcdef\0\0", 8)},
      {"rgba8", "RGBA", "abcdefgh", "abcdefgh"},
      {"bgra8", "BGRA", "abcdefgh", "abcdefgh"},
  };
  for (const auto& row : rows) {
    RosFile file(folder.file());
    // Two rows with 3 bytes of padding.
    const std::string data = row.in + "???" + row.in;
    ros::Image message =
        image(kStart, row.encoding, 2, 2, data, static_cast<guint>(row.in.size() + 3));
    message.is_bigendian = row.big ? 1 : 0;
    file.add("/image", kStart, message);
    file.finish();
    const auto played = play(folder.file());
    fail_unless(played->error.empty(), "%s: %s", row.encoding, played->error.c_str());
    fail_unless_equals_int(played->buffers.size(), 1);
    fail_unless(bytes_in(played->buffers[0]) == row.out + row.out, "%s", row.encoding);
    check_has(played->caps, (std::string("format=(string)") + row.format).c_str());
  }
}

CHECK_TEST(test_compressed_depth) {
  McapFolder folder;
  const std::string samples = bytes_of<guint16>({0, 1, 2, 65535, 500, 501});
  for (const char* format : {"16UC1; compressedDepth rvl", "32FC1; compressedDepth rvl"}) {
    const bool inverse = format[0] == '3';
    const std::string data =
        rvl_message(samples, 3, 2, inverse ? 10100.0F : 0.0F, inverse ? -1009.0F : 0.0F);
    RosFile file(folder.file());
    file.add("/c/depth/compressedDepth", kStart,
             ros::CompressedImage{header_at(kStart), format, blob(data)});
    file.add("/c/camera_info", kStart, camera(kStart, 3, 2, 525));
    file.finish();
    const auto played = play(folder.file());
    fail_unless(played->error.empty(), "%s", played->error.c_str());
    const std::string came = bytes_in(played->buffers.at(0));  // rows of 8 bytes
    fail_unless(came.substr(0, 6) == samples.substr(0, 6) &&
                came.substr(8, 6) == samples.substr(6));
    const GstRdpCameraInfo* info = camera_of(played->buffers[0]);
    fail_unless(info != nullptr);
    if (!inverse) {
      fail_unless(info->measures == GST_RDP_MEASURE_DEPTH && info->depth_unit == 0.001);
      continue;
    }
    g_autoptr(GstRdpCamera) of = new_camera(*info);
    const double z = gst_rdp_camera_get_depth(of, 500);
    fail_unless(std::fabs(z - 10100.0 / (500 + 1009)) < 1e-9, "%g", z);
  }
}

CHECK_TEST(test_cameras) {
  McapFolder folder;
  RosFile file(folder.file());
  const std::string data = bytes_of<guint16>({1, 2, 3, 4, 5, 6, 7, 8});
  // Stamps come from headers: matching messages may arrive in any order.
  const auto add_image = [&](guint64 log, guint64 stamp) {
    file.add("/c/image_raw", kStart + log, image(kStart + stamp, "16UC1", 4, 2, data, 8));
  };
  const auto add_camera = [&](guint64 log, guint64 stamp, double f) {
    file.add("/c/camera_info", kStart + log, camera(kStart + stamp, 4, 2, f));
  };
  add_image(0, 100);
  add_camera(1, 100, 300);  // after its picture
  add_camera(2, 200, 301);
  add_image(3, 200);  // after its camera
  add_image(4, 300);  // no camera of its own: the previous one applies
  add_camera(5, 400, 302);
  add_image(6, 400);
  file.finish();
  const double focal[] = {300, 301, 301, 302};
  const auto played = play(folder.file());
  fail_unless(played->error.empty(), "%s", played->error.c_str());
  fail_unless_equals_int(played->buffers.size(), 4);
  for (std::size_t i = 0; i < 4; ++i) {
    const GstRdpCameraInfo* info = camera_of(played->buffers[i]);
    fail_unless(info != nullptr && info->focal_length == focal[i], "frame %zu: %g", i,
                info != nullptr ? info->focal_length : 0.0);
    fail_unless(info->measures == GST_RDP_MEASURE_DEPTH && info->depth_unit == 0.001);
  }
}

namespace {

// A picture topic and its camera topic.
struct Placed {
  const char* topic;
  const char* camera_topic;
  const char* format;   // of a CompressedImage; null for an Image
  double focal_length;  // 0: the frame comes without a camera
  const char* warning = "";
  float a = 10100.0F, b = -1009.0F;  // of 32FC1 in compressedDepth
  guint camera_width = 4;
};

constexpr const char* kInverse = "32FC1; compressedDepth rvl";
constexpr double kOfK = 300.0;
constexpr double kOfP = 200.0;
constexpr Placed kPlaced[] = {
    {"/c/image_raw", "/c/camera_info", nullptr, kOfK},
    {"/image_raw", "/camera_info", nullptr, kOfK},
    {"/c/image_rect_color", "/c/camera_info", nullptr, kOfP},
    {"/direct/image_raw", "/direct/camera_info", nullptr, kOfK},
    {"/rectangle/image_raw", "/rectangle/camera_info", nullptr, kOfK},
    {"/c/image_raw", "/c/camera_info", nullptr, 0, "of 8x2 pixels, expected 4x2", 0, 0, 8},
    // Pictures in formats that are not decoded.
    {"/c/image/compressed", "/c/camera_info", "jpeg", kOfK},
    {"/c/image_rect/compressed", "/c/camera_info", "jpeg", kOfP},
    {"/image/compressed", "/camera_info", "jpeg", kOfK},
    {"/c/compressed", "/c/camera_info", "jpeg", kOfK},
    {"/image/compressedDepth", "/camera_info", "16UC1; compressedDepth rvl", kOfK},
    {"/c/depth/compressedDepth", "/c/camera_info", kInverse, kOfK},
    {"/c/depth/compressedDepth", "/other", kInverse, 0, "set camera-info-topic"},
    {"/c/depth/compressedDepth", "/c/camera_info", kInverse, 0, "baseline is nan", NAN},
};

}  // namespace

// Pictures of other programs use the camera topic beside them. A missing camera causes one warning.
CHECK_TEST(test_places_of_cameras) {
  McapFolder folder;
  const std::string samples = bytes_of<guint16>({1, 2, 3, 4, 5, 6, 7, 8});
  for (const Placed& row : kPlaced) {
    RosFile file(folder.file());
    const std::string format = row.format != nullptr ? row.format : "";
    std::string data = format == "jpeg" ? "\xff\xd8\xff\xe0" : samples;
    if (format.ends_with("rvl")) {
      const bool inverse = format == kInverse;
      data = rvl_message(samples, 4, 2, inverse ? row.a : 0.0F, inverse ? row.b : 0.0F);
    }
    for (guint64 i = 0; i < 3; ++i) {
      ros::CameraInfo info = camera(kStart + i, row.camera_width, 2, kOfK);
      info.p[0] = info.p[5] = kOfP;
      file.add(row.camera_topic, kStart + i, info);
      if (row.format == nullptr) {
        file.add(row.topic, kStart + i, image(kStart + i, "16UC1", 4, 2, samples, 8));
      } else {
        file.add(row.topic, kStart + i,
                 ros::CompressedImage{header_at(kStart + i), row.format, blob(data)});
      }
    }
    file.finish();
    const auto played = play(folder.file());
    fail_unless(played->error.empty(), "%s: %s", row.topic, played->error.c_str());
    fail_unless_equals_int(played->buffers.size(), 3);
    const bool warns = row.warning[0] != '\0';
    fail_unless(played->warnings.size() == (warns ? 1 : 0), "%s: %zu warnings", row.topic,
                played->warnings.size());
    if (warns) check_has(played->warnings[0], row.warning);
    for (GstBuffer* buffer : played->buffers) {
      const GstRdpCameraInfo* info = camera_of(buffer);
      const double found = info != nullptr ? info->focal_length : 0.0;
      fail_unless(found == row.focal_length, "%s: focal length %g", row.topic, found);
    }
  }
}

CHECK_TEST(test_clouds) {
  McapFolder folder;
  const struct {
    const char* name;
    std::vector<ros::PointField> fields;
    guint step;
    std::string data;
    std::string out;
    const char* caps;
  } rows[] = {
      {"as they lie",
       {{"x", 4, 7, 1}, {"y", 8, 7, 1}, {"z", 12, 7, 1}, {"rgb", 0, 7, 1}},
       16,
       std::string("BGRA") + bytes_of<float>({1, 2, 3}),
       std::string("BGRA") + bytes_of<float>({1, 2, 3}),
       "color-format=(string)BGRA"},
      {"another order",
       {{"z", 0, 7, 1}, {"y", 4, 7, 1}, {"x", 8, 7, 1}},
       12,
       bytes_of<float>({3, 2, 1}),
       bytes_of<float>({1, 2, 3}),
       "point-step=(int)12"},
      {"doubles",
       {{"x", 0, 8, 1}, {"y", 8, 8, 1}, {"z", 16, 8, 1}},
       24,
       bytes_of<double>({1, 2, 3}),
       bytes_of<float>({1, 2, 3}),
       "point-step=(int)12"},
  };
  for (const auto& row : rows) {
    RosFile file(folder.file());
    ros::PointCloud2 cloud{.header = header_at(kStart, "lidar"),
                           .height = 1,
                           .width = 2,
                           .point_fields = row.fields,
                           .point_step = row.step,
                           .row_step = 2 * row.step};
    const std::string data = row.data + row.data;
    cloud.data = blob(data);
    file.add("/points", kStart, cloud);
    file.finish();
    const auto played = play(folder.file());
    fail_unless(played->error.empty(), "%s: %s", row.name, played->error.c_str());
    fail_unless(bytes_in(played->buffers.at(0)) == row.out + row.out, "%s", row.name);
    check_has(played->caps, row.caps);
    check_has(played->caps, "axes=(string)forward-left-up");
  }
}

// Two sources on one file share the time of the file; a seek is exact to the message.
CHECK_TEST(test_two_topics_in_step) {
  McapFolder folder;
  RosFile file(folder.file(), rdp::mcap::Compression::kNone);
  const std::string data = bytes_of<guint16>({1, 2});
  for (guint64 i = 0; i < 50; ++i) {
    const guint64 time = kStart + i * 40 * GST_MSECOND;
    file.add("/a/image", time, image(time, "16UC1", 2, 1, data, 4));
    file.add("/b/image", time + 5 * GST_MSECOND, image(time, "16UC1", 2, 1, data, 4));
  }
  file.finish();
  const auto a = play(folder.file(), "topic=/a/image");
  const auto b = play(folder.file(), "topic=/b/image");
  fail_unless_equals_int(a->buffers.size(), 50);
  fail_unless_equals_int(b->buffers.size(), 50);
  for (std::size_t i = 0; i < 50; ++i) {
    fail_unless_equals_uint64(GST_BUFFER_PTS(a->buffers[i]), i * 40 * GST_MSECOND);
    fail_unless_equals_uint64(GST_BUFFER_PTS(b->buffers[i]), (i * 40 + 5) * GST_MSECOND);
  }
  const PlayedPart part =
      play_part(folder.file(), "topic=/b/image", 1001 * GST_MSECOND, 1200 * GST_MSECOND);
  fail_unless_equals_uint64(static_cast<guint64>(part.duration), (49 * 40 + 5) * GST_MSECOND);
  fail_unless_equals_int(part.times.size(), 5);
  fail_unless_equals_uint64(part.times.front(), 1005 * GST_MSECOND);
  fail_unless_equals_uint64(part.times.back(), 1165 * GST_MSECOND);
}

CHECK_CASE(mcap_messages, .seconds = 60)
