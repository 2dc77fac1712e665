// SPDX-License-Identifier: LGPL-2.1-or-later
// rdpoverlay on pictures in CUDA and NVMM memory, over the stand-in driver or a real one: the bits
// of common/image/blend.h.
#include <algorithm>
#include <memory>

#include "common/rdp/overlay_pixels.h"
#include "tests/rdpoverlay/blended_picture.h"
#include "tests/support/check_test.h"
#include "tests/support/crops.h"
#include "tests/support/cuda_frames.h"
#include "tests/support/nvds_batch.h"
#include "tests/support/nvmm_device.h"
#include "tests/support/tracks_fixture.h"

using overlay_rig::blend_planes;
using overlay_rig::depth_buffer;
using overlay_rig::depth_caps;
using overlay_rig::DepthFrame;
using overlay_rig::PictureShape;
using overlay_rig::planes;
using overlay_rig::Rig;

namespace {

const std::string kLook = "opacity=0.5 palette-min=0 palette-max=255";

DepthFrame two_columns() {
  DepthFrame frame;
  frame.columns.resize(8);
  frame.columns[3] = frame.columns[4] = {{1, 4, 100.0F, 100.0F}};
  return frame;
}

std::string with_feature(const PictureShape& shape, const char* feature) {
  std::string caps = shape.caps();
  return caps.insert(std::string("video/x-raw").size(), std::string("(") + feature + ")");
}

// What comes of a picture all of whose bytes are 128, as rows without gaps, plane after plane.
std::vector<std::uint8_t> expected(const PictureShape& shape) {
  const int width = shape.width;
  const int height = shape.height;
  std::vector<std::uint32_t> drawing(static_cast<std::size_t>(width * height), 0);
  const std::uint32_t p = rdp::make_pale_colours().level[0].entry[100];
  for (int row = height / 6; row < height * 5 / 6; ++row) {
    for (int column = width * 3 / 8; column < width * 5 / 8; ++column) {
      // A row of the frame is height / 6 rows of the picture; the ends are dark.
      const int of_frame = row * 6 / height;
      const std::uint32_t colour = of_frame == 1 || of_frame == 4 ? rdp::darkened(p) : p;
      drawing[static_cast<std::size_t>(row * width + column)] = (colour & 0xFFFFFFU) | 128U << 24;
    }
  }
  const bool nv12 = shape.format == "NV12";
  std::vector<std::uint8_t> result(
      static_cast<std::size_t>(nv12 ? width * height + (width + 1) / 2 * 2 * ((height + 1) / 2)
                                    : 4 * width * height),
      128);
  blend_planes(shape, std::move(drawing), &result);
  return result;
}

GstBuffer* cuda_picture(GstCudaContext* context, const PictureShape& shape, GstClockTime pts = 0) {
  GstBuffer* buffer = rdp::test::new_cuda_picture(context, shape.info());
  fail_unless(buffer != nullptr);
  gst_buffer_memset(buffer, 0, 128, gst_buffer_get_size(buffer));
  GST_BUFFER_PTS(buffer) = pts;
  return buffer;
}

// A camera that measures disparities; with `x` it stands aside, and is rolled.
GstRdpCamera* camera_at(guint width, guint height, double x) {
  GstRdpCameraInfo info;
  gst_rdp_camera_info_init(&info);
  info.width = width;
  info.height = height;
  info.focal_length = info.focal_length_y = width * 0.9;
  info.principal_x = width / 2.0;
  info.principal_y = height / 2.0;
  info.rectified = TRUE;
  info.baseline = 0.4;
  info.measures = GST_RDP_MEASURE_DISPARITY;
  info.disparity_unit = 0.0625;
  info.has_pose = TRUE;
  for (const int diagonal : {0, 5, 10}) info.pose[diagonal] = 1;
  if (x != 0.0) {
    info.pose[0] = info.pose[5] = 0.96;
    info.pose[4] = 0.28;
    info.pose[1] = -info.pose[4];
    info.pose[3] = x;
  }
  GstRdpCamera* const camera = gst_rdp_camera_new(&info, nullptr);
  fail_unless(camera != nullptr);
  return camera;
}

void check_has(const std::string& text, const char* part) {
  fail_unless(text.find(part) != std::string::npos, "%s, without %s", text.c_str(), part);
}

}  // namespace

CHECK_TEST(test_cuda_pictures) {
  const cuda_frames::ContextRef context = cuda_frames::new_context();
  for (const char* format : {"RGBA", "NV12"}) {
    for (const int width : {48, 1280}) {
      const PictureShape shape{format, width, 36};
      const DepthFrame frame = two_columns();
      Rig rig(kLook, with_feature(shape, "memory:CUDAMemory"), depth_caps(frame));
      // The second meets the same segments: they are not brought up again.
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

// The same input in system memory has the same bytes.
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

// The segments are painted by the GPU, where they are scaled and where they are projected; what is
// seen from above is painted by the CPU.
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

// Cropped in place: all of the picture is that of system memory, also around the crop.
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

// What others hold is not written to.
CHECK_TEST(test_cuda_pictures_that_others_hold) {
  const cuda_frames::ContextRef context = cuda_frames::new_context();
  const PictureShape shape{"NV12", 48, 36};
  const DepthFrame frame = two_columns();
  Rig rig(kLook, with_feature(shape, "memory:CUDAMemory"), depth_caps(frame));
  // Not the first buffer, which sources mark and copy for that.
  GstBuffer* picture = cuda_picture(context.get(), shape, GST_SECOND / 30);
  rig.push("video", cuda_picture(context.get(), shape));
  rig.push("video", gst_buffer_ref(picture));
  rig.push("segments", depth_buffer(frame));
  const std::string error = rig.run();
  fail_unless(error.empty(), "%s", error.c_str());
  fail_unless(rig.received.size() == 2 && planes(rig.received[1], shape) == expected(shape));
  const std::vector<std::uint8_t> before = planes(picture, shape);
  fail_unless(std::all_of(before.begin(), before.end(), [](std::uint8_t b) { return b == 128; }));
  gst_buffer_unref(picture);
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
  {  // No CUDA memory with backend=cpu.
    Rig rig(kLook + " backend=cpu", with_feature(shape, "memory:CUDAMemory"), depth_caps(frame));
    rig.push("video", cuda_picture(context.get(), shape));
    rig.push("segments", depth_buffer(frame));
    check_has(rig.run(), "With backend=cpu rdpoverlay takes no CUDA memory");
  }
}

// A GPU that fails ends the stream with an error, and the element can be started again.
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

// --- NVMM memory --------------------------------------------------------------------------------

#ifdef RDP_HAVE_NVMM
namespace {

// A picture in a surface whose rows are `pitch` bytes apart. NV12 is described as NVIDIA's elements
// do: two planes, one after the other.
std::shared_ptr<nvmm_frames::Surface> nvmm_surface(const PictureShape& shape, int type,
                                                   guint surfaces = 1) {
  using namespace nvmm_frames;
  Batch batch = nvmm_cuda_frames::batch_in(std::make_shared<nvmm_cuda_frames::Device>(), type);
  batch.size = batch.filled = surfaces;
  const bool nv12 = shape.format == "NV12";
  const int rows = nv12 ? shape.height + (shape.height + 1) / 2 : shape.height;
  auto surface = std::make_shared<Surface>(nv12 ? GST_VIDEO_FORMAT_GRAY8 : GST_VIDEO_FORMAT_RGBA,
                                           shape.width, rows, batch);
  const std::vector<std::uint8_t> grey(static_cast<std::size_t>(4 * shape.width * rows), 128);
  for (guint i = 0; i < surfaces; ++i) {
    surface->write(i, grey.data(), surface->row_bytes());
    if (!nv12) continue;
    const auto pitch = static_cast<std::uint32_t>(surface->pitch());
    const auto height = static_cast<std::uint32_t>(shape.height);
    surface->put<std::int32_t>(i, params::kColorFormat, 6);
    surface->put<std::uint32_t>(i, params::kHeight, height);
    surface->put<std::uint32_t>(i, params::kNumPlanes, 2);
    surface->put<std::uint32_t>(i, params::kPlanePitch + 4, pitch);
    surface->put<std::uint32_t>(i, params::kPlaneOffset + 4, pitch * height);
  }
  return surface;
}

}  // namespace

CHECK_TEST(test_nvmm_pictures) {
  for (const char* format : {"RGBA", "NV12"}) {
    for (const int type : {nvmm_frames::kDevice, nvmm_frames::kPinned}) {
      const PictureShape shape{format, 48, 36};
      const DepthFrame frame = two_columns();
      Rig rig(kLook, with_feature(shape, "memory:NVMM"), depth_caps(frame));
      const auto surface = nvmm_surface(shape, type);
      rig.push("video", nvmm_frames::wrap(surface));
      rig.push("segments", depth_buffer(frame));
      const std::string error = rig.run();
      fail_unless(error.empty(), "%s", error.c_str());
      fail_unless(surface->samples(0) == expected(shape), "%s in memory of type %d", format, type);
    }
  }
}

namespace {

// A frame for each place of a batch.
GstBuffer* depth_batch(const std::vector<DepthFrame>& frames, GstClockTime pts = 0) {
  GstBuffer* buffer = depth_buffer(frames[0], pts);
  for (std::size_t i = 1; i < frames.size(); ++i) {
    GstRdpSegmentation* segmentation = overlay_rig::segmentation_of(frames[i]);
    gst_buffer_add_rdp_segment_meta(buffer, segmentation)->batch_index = static_cast<guint>(i);
    gst_rdp_segmentation_unref(segmentation);
  }
  return buffer;
}

// What comes of a picture in system memory, all of whose bytes were 128.
std::vector<std::uint8_t> drawn_in_system_memory(const std::string& look, const PictureShape& shape,
                                                 const DepthFrame& frame) {
  Rig rig(look, shape.caps(), depth_caps(frame));
  rig.push("video", overlay_rig::picture_buffer(shape));
  rig.push("segments", depth_buffer(frame));
  const std::string error = rig.run();
  fail_unless(error.empty(), "%s", error.c_str());
  return planes(rig.received.back(), shape);
}

}  // namespace

// Each surface of a batch has the segments of the frame in its place. Where there is none, it stays
// as it came.
CHECK_TEST(test_nvmm_batches) {
  std::vector<DepthFrame> frames(3);
  frames[1] = two_columns();
  frames[2].columns.resize(8);
  frames[2].columns[0] = {{0, 5, 10.0F, 250.0F}};
  frames[0].columns.resize(8);
  frames[0].columns[6] = {{2, 3, 200.0F, 30.0F}};
  GstRdpCamera* const camera = camera_at(8, 6, 0.0);
  for (DepthFrame& frame : frames) frame.camera = camera;
  for (const char* format : {"RGBA", "NV12"}) {
    for (const char* style : {" style=segments", " style=classes", " style=birdseye"}) {
      const PictureShape shape{format, 48, 36};
      const std::string look = kLook + style;
      Rig rig(look, with_feature(shape, "memory:NVMM"), depth_caps(frames[0]));
      std::vector<std::shared_ptr<nvmm_frames::Surface>> surfaces;
      // The second batch is another one with the same segments, the third has fewer frames.
      for (int i = 0; i < 3; ++i) {
        surfaces.push_back(nvmm_surface(shape, nvmm_frames::kDevice, 3));
        rig.push("video", nvmm_frames::wrap(surfaces.back(), static_cast<unsigned>(i)));
      }
      rig.push("segments", depth_batch(frames));
      rig.push("segments", depth_batch({frames[1], frames[0]}, 2 * GST_SECOND / 30));
      const std::string error = rig.run();
      fail_unless(error.empty(), "%s", error.c_str());
      for (guint place = 0; place < 3; ++place) {
        const auto expected_of = drawn_in_system_memory(look, shape, frames[place]);
        fail_unless(surfaces[0]->samples(place) == expected_of, "%s %u", format, place);
        fail_unless(surfaces[1]->samples(place) == expected_of, "%s %u, once more", format, place);
      }
      fail_unless(surfaces[2]->samples(0) == drawn_in_system_memory(look, shape, frames[1]));
      fail_unless(surfaces[2]->samples(1) == drawn_in_system_memory(look, shape, frames[0]));
      const std::vector<std::uint8_t> bare = surfaces[2]->samples(2);
      fail_unless(std::all_of(bare.begin(), bare.end(), [](std::uint8_t b) { return b == 128; }));
    }
  }
  gst_rdp_camera_unref(camera);
}

// One track, `age` frames old.
GstRdpTracks* track_at(float x, float y, guint32 age) {
  TracksContent content;
  gst_rdp_tracks_info_init(&content.info);
  content.info.frame = age;
  content.info.width = 8;
  content.info.height = 6;
  content.tracks = {{1, age, x, y, 0.0F, 0.0F, 0.0F, 1.0F}};
  return new_tracks(content);
}

// A trail goes on where its camera's picture is, wherever that stands in the batch: each camera
// numbers its tracks from 1.
CHECK_TEST(test_nvmm_batches_with_trails) {
  const PictureShape shape{"RGBA", 48, 36};
  const std::string look = kLook + " style=trails";
  const DepthFrame frame;
  struct Place {
    float x, y;
  };
  // By pad, then by batch.
  const Place places[2][2] = {{{1.0F, 1.0F}, {2.0F, 1.0F}}, {{6.0F, 4.0F}, {6.0F, 3.0F}}};
  const auto with_track = [&](GstBuffer* buffer, guint pad, guint batch, guint index) {
    const Place& at = places[pad][batch];
    GstRdpTracks* tracks = track_at(at.x, at.y, batch + 1);
    gst_buffer_add_rdp_tracks_meta(buffer, tracks)->batch_index = index;
    gst_rdp_tracks_unref(tracks);
    return buffer;
  };
  const auto time = [](guint batch) { return batch * (GST_SECOND / 30); };
  const auto bare = [&](guint batch) {
    GstBuffer* buffer = gst_buffer_new_allocate(nullptr, 96, nullptr);
    GST_BUFFER_PTS(buffer) = time(batch);
    return buffer;
  };
  Rig rig(look, with_feature(shape, "memory:NVMM"), depth_caps(frame));
  std::vector<std::shared_ptr<nvmm_frames::Surface>> surfaces;
  for (guint batch = 0; batch < 2; ++batch) {
    // The second batch has its cameras in the other order.
    const guint first = batch, second = 1 - batch;
    surfaces.push_back(nvmm_surface(shape, nvmm_frames::kDevice, 2));
    GstBuffer* pictures = nvmm_frames::wrap(surfaces.back(), batch);
    nvds_batch::add(pictures, {{first, 0, 0, first}, {second, 1, 0, second}});
    GstBuffer* frames = with_track(with_track(bare(batch), first, batch, 0), second, batch, 1);
    nvds_batch::add(frames, {{first, 0, 0, first}, {second, 1, 0, second}});
    rig.push("video", pictures);
    rig.push("segments", frames);
  }
  const std::string error = rig.run();
  fail_unless(error.empty(), "%s", error.c_str());
  for (guint pad = 0; pad < 2; ++pad) {
    Rig alone(look, shape.caps(), depth_caps(frame));
    for (guint batch = 0; batch < 2; ++batch) {
      alone.push("video", overlay_rig::picture_buffer(shape, time(batch)));
      alone.push("segments", with_track(bare(batch), pad, batch, 0));
    }
    fail_unless(alone.run().empty());
    const auto before = planes(alone.received.front(), shape);
    const auto after = planes(alone.received.back(), shape);
    fail_unless(before != after);
    fail_unless(surfaces[0]->samples(pad) == before, "pad %u", pad);
    fail_unless(surfaces[1]->samples(1 - pad) == after, "pad %u, the second batch", pad);
  }
}

// A frame whose segments were taken away is one of its batch still; a batch without names has each
// frame in its place.
CHECK_TEST(test_nvmm_batches_with_frames_left_out) {
  DepthFrame frame;
  frame.columns.resize(8);
  frame.columns[2] = {{0, 5, 10.0F, 250.0F}};
  const PictureShape shape{"RGBA", 48, 36};
  Rig rig(kLook, with_feature(shape, "memory:NVMM"), depth_caps(frame));
  std::vector<std::shared_ptr<nvmm_frames::Surface>> surfaces;
  for (guint i = 0; i < 2; ++i) {
    surfaces.push_back(nvmm_surface(shape, nvmm_frames::kDevice, 2));
    GstBuffer* pictures = nvmm_frames::wrap(surfaces.back(), i);
    GstBuffer* depth = depth_buffer(frame, i * (GST_SECOND / 30));
    // The only segments are those of the second frame.
    gst_buffer_get_rdp_segment_meta(depth)->batch_index = 1;
    if (i == 1) {
      nvds_batch::add(pictures, {{0, 0, 0, 5}, {1, 1, 0, 7}});
      nvds_batch::add(depth, {{1, 0, 0, 7}, {0, 1, 0, 5}});
    }
    rig.push("video", pictures);
    rig.push("segments", depth);
  }
  const std::string error = rig.run();
  fail_unless(error.empty(), "%s", error.c_str());
  const auto drawn = drawn_in_system_memory(kLook, shape, frame);
  const std::vector<std::uint8_t> bare(drawn.size(), 128);
  fail_unless(surfaces[0]->samples(0) == bare && surfaces[0]->samples(1) == drawn);
  fail_unless(surfaces[1]->samples(0) == drawn && surfaces[1]->samples(1) == bare);
}

// Where both multiplexers say which pad each frame is of, that decides.
CHECK_TEST(test_nvmm_batches_with_names) {
  std::vector<DepthFrame> frames(3);
  for (guint i = 0; i < 3; ++i) {
    frames[i].columns.resize(8);
    frames[i].columns[i] = {{0, 5, 10.0F, 250.0F}};
  }
  const PictureShape shape{"NV12", 48, 36};
  Rig rig(kLook, with_feature(shape, "memory:NVMM"), depth_caps(frames[0]));
  const auto surface = nvmm_surface(shape, nvmm_frames::kDevice, 4);
  GstBuffer* pictures = nvmm_frames::wrap(surface);
  // Of pads 7, 5, 7 and 4; the frames are of 5, 7 and 7.
  nvds_batch::add(pictures, {{1, 0, 0, 7}, {2, 1, 0, 5}, {3, 2, 0, 7}, {4, 3, 0, 4}});
  GstBuffer* depth = depth_batch(frames);
  nvds_batch::add(depth, {{9, 0, 0, 5}, {8, 1, 0, 7}, {7, 2, 0, 7}});
  rig.push("video", pictures);
  rig.push("segments", depth);
  const std::string error = rig.run();
  fail_unless(error.empty(), "%s", error.c_str());
  fail_unless(surface->samples(0) == drawn_in_system_memory(kLook, shape, frames[1]));
  fail_unless(surface->samples(1) == drawn_in_system_memory(kLook, shape, frames[0]));
  fail_unless(surface->samples(2) == drawn_in_system_memory(kLook, shape, frames[2]));
  const std::vector<std::uint8_t> bare = surface->samples(3);
  fail_unless(std::all_of(bare.begin(), bare.end(), [](std::uint8_t b) { return b == 128; }));
}

// The surface around the crop stays as it is.
CHECK_TEST(test_nvmm_pictures_that_are_cropped) {
  for (const char* format : {"RGBA", "NV12"}) {
    for (const int type : {nvmm_frames::kDevice, nvmm_frames::kPinned}) {
      const PictureShape whole{format, 60, 44};
      const crops::Rectangle crop{6, 4, 48, 36};
      const PictureShape shape{format, crop.width, crop.height};
      const DepthFrame frame = two_columns();
      Rig rig(kLook, with_feature(shape, "memory:NVMM"), depth_caps(frame));
      const auto surface = nvmm_surface(whole, type);
      GstBuffer* picture = nvmm_frames::wrap(surface);
      crops::add(picture, crop);
      rig.push("video", picture);
      rig.push("segments", depth_buffer(frame));
      const std::string error = rig.run();
      fail_unless(error.empty(), "%s", error.c_str());
      const std::vector<std::uint8_t> part = expected(shape);
      std::vector<std::uint8_t> wanted(surface->samples(0).size(), 128);
      // Both planes: rows of luma, and of as many bytes of chroma for each two.
      const int bytes = shape.format == "NV12" ? 1 : 4;
      const int rows = bytes == 1 ? crop.height * 3 / 2 : crop.height;
      for (int row = 0; row < rows; ++row) {
        const int to =
            row < crop.height ? crop.y + row : whole.height + crop.y / 2 + row - crop.height;
        std::copy_n(part.begin() + row * crop.width * bytes, crop.width * bytes,
                    wanted.begin() + (to * whole.width + crop.x) * bytes);
      }
      fail_unless(surface->samples(0) == wanted, "%s in memory of type %d", format, type);
    }
  }
}

CHECK_TEST(test_nvmm_errors) {
  const DepthFrame frame = two_columns();
  const PictureShape shape{"NV12", 48, 36};
  const auto run = [&](GstBuffer* buffer) {
    Rig rig(kLook, with_feature(shape, "memory:NVMM"), depth_caps(frame));
    rig.push("video", buffer);
    rig.push("segments", depth_buffer(frame));
    return rig.run();
  };
  // A batch is refused as a whole.
  const auto one_is_bad = nvmm_surface(shape, nvmm_frames::kDevice, 3);
  one_is_bad->put<std::uint32_t>(2, nvmm_frames::params::kNumPlanes, 1);
  check_has(run(nvmm_frames::wrap(one_is_bad)), "surface 2 of the buffer's batch has 1 planes");
  fail_unless(one_is_bad->samples(0) == std::vector<std::uint8_t>(48 * 54, 128));
  {  // Not the first buffer, which sources mark and copy for that.
    GstBuffer* held = nvmm_frames::wrap(nvmm_surface(shape, nvmm_frames::kDevice), 1);
    Rig rig(kLook, with_feature(shape, "memory:NVMM"), depth_caps(frame));
    rig.push("video", nvmm_frames::wrap(nvmm_surface(shape, nvmm_frames::kDevice)));
    rig.push("video", gst_buffer_ref(held));
    rig.push("segments", depth_buffer(frame));
    check_has(rig.run(), "another element holds it too");
    gst_buffer_unref(held);
  }
  const auto one_plane = nvmm_surface(shape, nvmm_frames::kDevice);
  one_plane->put<std::uint32_t>(0, nvmm_frames::params::kNumPlanes, 1);
  check_has(run(nvmm_frames::wrap(one_plane)), "has 1 planes, but NV12 has two");
  const auto outside = nvmm_surface(shape, nvmm_frames::kDevice);
  outside->put<std::uint32_t>(0, nvmm_frames::params::kPlaneOffset + 4, 1U << 20);
  check_has(run(nvmm_frames::wrap(outside)), "but its dataSize is");
}
#endif

RDP_CUDA_CHECK_MAIN(rdpoverlay_cuda, 60)
