// SPDX-License-Identifier: LGPL-2.1-or-later
// rdpoverlay on pictures in CUDA memory, over the stand-in driver or a real one: the bits
// of common/image/blend.h.
#include <algorithm>
#include <memory>

#include "tests/rdpoverlay/gpu_pictures.h"
#include "tests/support/check_test.h"
#include "tests/support/crops.h"
#include "tests/support/cuda_frames.h"

using namespace overlay_rig;

namespace {

GstBuffer* cuda_picture(GstCudaContext* context, const PictureShape& shape, GstClockTime pts = 0) {
  GstBuffer* buffer = rdp::test::new_cuda_picture(context, shape.info());
  fail_unless(buffer != nullptr);
  gst_buffer_memset(buffer, 0, 128, gst_buffer_get_size(buffer));
  GST_BUFFER_PTS(buffer) = pts;
  return buffer;
}

}  // namespace

CHECK_TEST(test_cuda_pictures) {
  const cuda_frames::ContextRef context = cuda_frames::new_context();
  for (const char* format : {"RGBA", "NV12"}) {
    for (const int width : {48, 1280}) {
      const PictureShape shape{format, width, 36};
      const DepthFrame frame = two_columns();
      Rig rig(kLook, with_feature(shape, "memory:CUDAMemory"), depth_caps(frame));
      // The second picture has the same segments: they are not uploaded again.
      rig.push("video", cuda_picture(context.get(), shape));
      rig.push("video", cuda_picture(context.get(), shape, GST_SECOND / 30));
      rig.push("segments", depth_buffer(frame));
      const std::string error = rig.run();
      fail_unless(error.empty(), "%s", error.c_str());
      fail_unless_equals_int(static_cast<int>(rig.received.size()), 2);
      for (GstBuffer* buffer : rig.received) {
        fail_unless(rdp::gst::is_cuda_buffer(buffer));
        fail_unless(planes(buffer, shape) == expected(shape), "%s %d", format, width);
      }
    }
  }
}

// Equal input in system memory gives bit-identical pictures.
CHECK_TEST(test_cuda_pictures_as_in_system_memory) {
  const cuda_frames::ContextRef context = cuda_frames::new_context();
  for (const char* format : {"RGBA", "NV12"}) {
    for (const int width : {48, 37}) {
      const PictureShape shape{format, width, 27};
      const DepthFrame frame = two_columns();
      std::vector<std::uint8_t> results[2];
      for (const bool cuda : {false, true}) {
        Rig rig(kLook, cuda ? with_feature(shape, "memory:CUDAMemory") : shape.caps(),
                depth_caps(frame));
        rig.push("video",
                 cuda ? cuda_picture(context.get(), shape) : overlay_rig::picture_buffer(shape));
        rig.push("segments", depth_buffer(frame));
        const std::string error = rig.run();
        fail_unless(error.empty(), "%s", error.c_str());
        results[cuda ? 1 : 0] = planes(rig.received.back(), shape);
      }
      fail_unless(results[0] == results[1], "%s %d", format, width);
    }
  }
}

// The GPU paints scaled and projected segments; the CPU paints the bird's-eye view.
CHECK_TEST(test_cuda_styles_as_in_system_memory) {
  const cuda_frames::ContextRef context = cuda_frames::new_context();
  DepthFrame frame = overlay_rig::many_segments();
  GstRdpCamera* const of_depth = camera_at(frame.width, frame.height, 0.0);
  for (const PictureShape& shape : {PictureShape{"RGBA", 131, 83}, PictureShape{"NV12", 131, 83}}) {
    GstRdpCamera* const of_picture = camera_at(131, 83, 0.05);
    for (const char* style : {"segments", "classes", "birdseye"}) {
      for (const bool projected : {false, true}) {
        frame.camera = projected || std::string(style) == "birdseye" ? of_depth : nullptr;
        std::vector<std::uint8_t> results[2];
        for (const bool cuda : {false, true}) {
          Rig rig("opacity=0.7 style=" + std::string(style),
                  cuda ? with_feature(shape, "memory:CUDAMemory") : shape.caps(),
                  depth_caps(frame));
          GstBuffer* const picture =
              cuda ? cuda_picture(context.get(), shape) : overlay_rig::picture_buffer(shape);
          if (projected) gst_buffer_add_rdp_camera_meta(picture, of_picture);
          rig.push("video", picture);
          rig.push("segments", depth_buffer(frame));
          const std::string error = rig.run();
          fail_unless(error.empty(), "%s", error.c_str());
          fail_unless(rig.warnings.empty(), "%s",
                      rig.warnings.empty() ? "" : rig.warnings[0].c_str());
          results[cuda ? 1 : 0] = planes(rig.received.back(), shape);
        }
        fail_unless(results[0] == results[1], "%s %s %d", shape.format.c_str(), style, projected);
        const std::vector<std::uint8_t>& one = results[0];
        fail_if(std::all_of(one.begin(), one.end(), [](std::uint8_t b) { return b == 128; }));
      }
    }
    gst_rdp_camera_unref(of_picture);
  }
  gst_rdp_camera_unref(of_depth);
}

// Crops in place: the whole picture, also around the crop, equals that in system memory.
CHECK_TEST(test_cuda_pictures_that_are_cropped) {
  const cuda_frames::ContextRef context = cuda_frames::new_context();
  for (const char* format : {"RGBA", "NV12"}) {
    const PictureShape whole{format, 61, 43};
    for (const crops::Rectangle& crop :
         std::initializer_list<crops::Rectangle>{{0, 0, 61, 43}, {4, 6, 48, 36}, {7, 5, 53, 31}}) {
      const PictureShape shape{format, crop.width, crop.height};
      const DepthFrame frame = two_columns();
      std::vector<std::uint8_t> results[2];
      for (const bool cuda : {false, true}) {
        Rig rig(kLook, cuda ? with_feature(shape, "memory:CUDAMemory") : shape.caps(),
                depth_caps(frame));
        GstBuffer* picture =
            cuda ? cuda_picture(context.get(), whole) : overlay_rig::picture_buffer(whole);
        if (!cuda) {
          GstVideoInfo info = whole.info();
          gst_buffer_add_video_meta_full(picture, GST_VIDEO_FRAME_FLAG_NONE,
                                         GST_VIDEO_INFO_FORMAT(&info), 61, 43,
                                         GST_VIDEO_INFO_N_PLANES(&info), info.offset, info.stride);
        }
        crops::add(picture, crop);
        rig.push("video", picture);
        rig.push("segments", depth_buffer(frame));
        const std::string error = rig.run();
        fail_unless(error.empty(), "%s", error.c_str());
        results[cuda ? 1 : 0] = planes(rig.received.back(), whole);
      }
      fail_unless(results[0] == results[1], "%s %d", format, crop.x);
    }
  }
}

// rdpoverlay does not write to buffers with other references.
CHECK_TEST(test_cuda_pictures_that_others_hold) {
  const cuda_frames::ContextRef context = cuda_frames::new_context();
  const PictureShape shape{"NV12", 48, 36};
  const DepthFrame frame = two_columns();
  Rig rig(kLook, with_feature(shape, "memory:CUDAMemory"), depth_caps(frame));
  // Not the first buffer: sources mark it and copy it to do so.
  g_autoptr(GstBuffer) picture = cuda_picture(context.get(), shape, GST_SECOND / 30);
  rig.push("video", cuda_picture(context.get(), shape));
  rig.push("video", gst_buffer_ref(picture));
  rig.push("segments", depth_buffer(frame));
  const std::string error = rig.run();
  fail_unless(error.empty(), "%s", error.c_str());
  fail_unless(rig.received.size() == 2 && planes(rig.received[1], shape) == expected(shape));
  const std::vector<std::uint8_t> before = planes(picture, shape);
  fail_unless(std::all_of(before.begin(), before.end(), [](std::uint8_t b) { return b == 128; }));
}

CHECK_TEST(test_cuda_errors) {
  const cuda_frames::ContextRef context = cuda_frames::new_context();
  const DepthFrame frame = two_columns();
  const PictureShape shape{"NV12", 48, 36};
  {  // The planes do not lie within the memory.
    Rig rig(kLook, with_feature(shape, "memory:CUDAMemory"), depth_caps(frame));
    GstBuffer* picture = cuda_picture(context.get(), shape);
    gst_buffer_get_video_meta(picture)->offset[1] = 1U << 20;
    rig.push("video", picture);
    rig.push("segments", depth_buffer(frame));
    check_has(rig.run(), "plane 1 at byte 1048576");
  }
  {  // Another format than the caps say.
    Rig rig(kLook, with_feature(shape, "memory:CUDAMemory"), depth_caps(frame));
    rig.push("video", cuda_picture(context.get(), {"RGBA", 48, 36}));
    rig.push("segments", depth_buffer(frame));
    check_has(rig.run(), "says 48x36 RGBA, while the caps say 48x36 NV12");
  }
  {  // A crop that leaves its picture.
    const PictureShape part{"NV12", 40, 30};
    Rig rig(kLook, with_feature(part, "memory:CUDAMemory"), depth_caps(frame));
    GstBuffer* picture = cuda_picture(context.get(), shape);
    crops::add(picture, {9, 0, 40, 30});
    rig.push("video", picture);
    rig.push("segments", depth_buffer(frame));
    check_has(rig.run(), "40x30 from x=9, y=0 on, but the picture of its GstVideoMeta is 48x36");
  }
  {  // Memory of the host.
    Rig rig(kLook, with_feature(shape, "memory:CUDAMemory"), depth_caps(frame));
    rig.push("video", overlay_rig::picture_buffer(shape));
    rig.push("segments", depth_buffer(frame));
    check_has(rig.run(), "its memory is another one");
  }
  {  // A format that is not blended.
    Rig rig(kLook, with_feature({"I420", 48, 36}, "memory:CUDAMemory"), depth_caps(frame));
    rig.push("video", cuda_picture(context.get(), {"I420", 48, 36}));
    rig.push("segments", depth_buffer(frame));
    check_has(rig.run(), "RGBA and NV12");
  }
}

// A GPU failure ends the stream with an error; the element can be started again.
CHECK_TEST(test_cuda_failure) {
  if (!standin::available()) return;
  const cuda_frames::ContextRef context = cuda_frames::new_context();
  const PictureShape shape{"NV12", 48, 36};
  const DepthFrame frame = two_columns();
  Rig rig(kLook, with_feature(shape, "memory:CUDAMemory"), depth_caps(frame));
  rig.push("video", cuda_picture(context.get(), shape));
  rig.push("segments", depth_buffer(frame));
  standin::inject("cuLaunchKernel", 1, CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES);
  const std::string error = rig.run();
  standin::inject("cuLaunchKernel", 0, 0);
  check_has(error, "The GPU cannot draw on a picture");
  check_has(error, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES");
  gst_element_set_state(rig.pipeline(), GST_STATE_NULL);
  rig.play();
  rig.push("video", cuda_picture(context.get(), shape));
  rig.push("segments", depth_buffer(frame));
  rig.end();
  const std::string again = rig.wait();
  fail_unless(again.empty(), "%s", again.c_str());
  fail_unless(planes(rig.received.back(), shape) == expected(shape));
}

CHECK_CASE(rdpoverlay_cuda, .seconds = 60, .missing = cuda_frames::missing)
