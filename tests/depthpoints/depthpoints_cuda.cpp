// SPDX-License-Identifier: LGPL-2.1-or-later
// depthpoints on the GPU: point clouds equal the CPU's, from frames in system and in CUDA memory.
#include "tests/support/check_text.h"
#include "tests/support/cuda_frames.h"
// After it.
#include "tests/depthpoints/points_rig.h"
#include "tests/support/check_test.h"

using namespace points_rig;

namespace {

void check_frames(const std::string& properties, bool in_cuda_memory, const char* backend) {
  const cuda_frames::ContextRef context = cuda_frames::new_context();
  for (const GstVideoFormat format : {GST_VIDEO_FORMAT_GRAY16_LE, GST_VIDEO_FORMAT_GRAY8}) {
    const Shape shape{format, 161, 120};
    GstRdpCameraInfo cameras[] = {sized(depth_camera_info(), shape),
                                  sized(disparity_camera_info(), shape),
                                  sized(depth_camera_info(), shape)};
    cameras[2].distortion[0] = -0.15;
    const Content content = content_of(shape);
    Rig rig(properties + " axes=forward-left-up");
    rig.set_caps("in",
                 in_cuda_memory ? cuda_frames::caps_string(shape) : frames::caps_string(shape));
    constexpr guint kFrames = 12;
    for (guint i = 0; i < kFrames; ++i) {
      GstBuffer* frame;
      if (in_cuda_memory) {
        std::string reason;
        frame = rdp::test::new_cuda_buffer(context.get(), content, &reason);
        fail_unless(frame != nullptr, "%s", reason.c_str());
        GST_BUFFER_PTS(frame) = i * GST_SECOND / 30;
      } else {
        frame = buffer_of(content, i * GST_SECOND / 30);
      }
      add_camera(frame, cameras[i / 2 % 3]);
      rig.push("in", frame);
    }
    const std::string error = rig.run();
    fail_unless(error.empty(), "%s", error.c_str());
    fail_unless_equals_int(rig.received.buffers.size(), kFrames);
    for (guint i = 0; i < kFrames; ++i) {
      check_cloud(rig.received.buffers[i],
                  expected_cloud(content, cameras[i / 2 % 3], {{1, 65535}, true}), shape,
                  "frame " + std::to_string(i));
    }
    if (backend != nullptr) {
      fail_unless_equals_text(frames::backend_in_use(rig.get("p")), backend);
    }
  }
}

}  // namespace

CHECK_TEST(test_system_memory) {
  check_frames("backend=cuda", false, "cuda");
  check_frames("backend=cpu", false, "cpu");
}

CHECK_TEST(test_cuda_memory) {
  check_frames("backend=cuda", true, "cuda");
  check_frames("", true, "cuda");
}

// backend=auto runs both engines in turn to find the faster one.
CHECK_TEST(test_backend_trial) { check_frames("", false, nullptr); }

// A frame with unknown points only.
CHECK_TEST(test_lost_camera) {
  const Shape shape{GST_VIDEO_FORMAT_GRAY16_LE, 40, 30};
  GstBuffer* frame = buffer_of(content_of(shape));
  add_camera(frame, sized(depth_camera_info(), {GST_VIDEO_FORMAT_GRAY16_LE, 80, 60}));
  Rig rig("backend=cuda");
  rig.set_caps("in", frames::caps_string(shape));
  rig.push("in", frame);
  const std::string error = rig.run();
  fail_unless(error.empty(), "%s", error.c_str());
  check_cloud(rig.received.buffers.at(0),
              rdp::points::test::expected_cloud(content_of(shape).view(), nullptr, {}), shape,
              "lost");
}

CHECK_CASE(depthpoints_cuda, .missing = cuda_frames::missing)
