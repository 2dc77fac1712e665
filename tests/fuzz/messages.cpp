// SPDX-License-Identifier: LGPL-2.1-or-later
// ROS 2 messages of arbitrary bytes: buffers that fit their caps, or errors that name the field.
// The first byte is the type.
#include <gst/rdpsegment/rdpsegment.h>
#include <gst/video/video.h>

#include <cstring>
#include <string>

#include "gst/elements/base/points_caps.h"
#include "gst/elements/mcap/camera_message.h"
#include "gst/elements/mcap/frame_items.h"
#include "gst/elements/mcap/message_frames.h"
#include "tests/fuzz/fuzz_input.h"

namespace {

using namespace rdp::gst;
namespace ros = rdp::ros;

void check_frame(const MessageFrame& frame) {
  const GstStructure* caps = gst_caps_get_structure(frame.caps.get(), 0);
  const gsize size = gst_buffer_get_size(frame.buffer.get());
  GstVideoInfo info;
  if (gst_structure_has_name(caps, "video/x-raw")) {
    FUZZ_CHECK(
        gst_video_info_from_caps(&info, frame.caps.get()) && GST_VIDEO_INFO_SIZE(&info) == size,
        "a frame of %zu bytes", size);
  }
  PointsFormat format;
  std::string problem;
  gsize points = 0;
  if (gst_structure_has_name(caps, "application/x-points")) {
    FUZZ_CHECK(read_points_caps(frame.caps.get(), &format, &problem) &&
                   count_points(format, size, &points, &problem),
               "%s", problem.c_str());
  }
}

void read_camera(std::span<const std::byte> bytes) {
  const auto message = ros::CdrReader::read<ros::CameraInfo>(bytes);
  std::string warning;
  for (const bool rectified : {false, true}) {
    const auto info = camera_of_message(message, rectified, &warning);
    if (!info.has_value()) continue;
    g_autoptr(GError) error = nullptr;
    GstRdpCamera* camera = gst_rdp_camera_new(&*info, &error);
    FUZZ_CHECK((camera != nullptr) != (error != nullptr), "a camera and an error, or neither");
    if (camera != nullptr) gst_rdp_camera_unref(camera);
  }
}

void read(unsigned type, std::span<const std::byte> bytes) {
  constexpr MessageType kTypes[] = {MessageType::kImage, MessageType::kCompressedImage,
                                    MessageType::kPointCloud, MessageType::kString};
  if (type < std::size(kTypes)) {
    std::uint64_t too_far = 0;
    check_frame(frame_of_message(kTypes[type], bytes, nullptr, {}, {}, &too_far));
  } else if (type == 4) {
    read_camera(bytes);
  } else {
    const BufferRef buffer = new_buffer({});
    restore_items(bytes, buffer.get());
  }
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  gst_init(argc, argv);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // Frames of 16384x16384 legitimately need half a GiB.
  if (size < 1 || size > 20000) return 0;
  const char* text = nullptr;
  std::string what;
  try {
    read(data[0] % 6, std::as_bytes(std::span(data + 1, size - 1)));
    return 0;
  } catch (const MessageError& error) {
    what = error.what();
    text = "field";
  } catch (const ItemError& error) {
    what = error.what();
    text = "item";
  } catch (const ros::CdrError& error) {
    what = error.what();
    text = "";
  }
  FUZZ_CHECK(what.find(text) != std::string::npos, "%s", what.c_str());
  return 0;
}
