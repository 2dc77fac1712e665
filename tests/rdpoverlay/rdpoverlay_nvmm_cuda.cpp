// SPDX-License-Identifier: LGPL-2.1-or-later
// rdpoverlay on pictures and batches in NVMM memory accessible to a GPU, over the stand-in driver
// or a real one: bit-identical to system memory.
#include <algorithm>
#include <memory>

#include "tests/rdpoverlay/gpu_pictures.h"
#include "tests/support/check_test.h"
#include "tests/support/crops.h"
#include "tests/support/nvds_batch.h"
#include "tests/support/nvmm_device.h"
#include "tests/support/tracks_fixture.h"

using namespace overlay_rig;

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

// A batch with a frame per batch index.
GstBuffer* depth_batch(const std::vector<DepthFrame>& frames, GstClockTime pts = 0) {
  GstBuffer* buffer = depth_buffer(frames[0], pts);
  for (std::size_t i = 1; i < frames.size(); ++i) {
    g_autoptr(GstRdpSegmentation) segmentation = overlay_rig::segmentation_of(frames[i]);
    gst_buffer_add_rdp_segment_meta(buffer, segmentation)->batch_index = static_cast<guint>(i);
  }
  return buffer;
}

// The output for a picture of bytes 128 in system memory.
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

// Each surface gets the segments of the frame with its batch index. Surfaces without a frame stay
// unchanged.
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
      // The second batch is new but has the same segments; the third has fewer frames.
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

// A trail follows its camera to any batch index. Each camera numbers its tracks from 1.
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
    // The second batch has the cameras in reverse order.
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

// A frame without segments still counts in its batch. Without names, the batch index identifies
// frames.
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
    // Only the second frame has segments.
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

// If both batches name the pad of each frame, the names decide.
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
  // Pictures of pads 7, 5, 7 and 4; frames of pads 5, 7 and 7.
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

// Pads come and go: the state of a removed pad is dropped and never reused for another pad.
CHECK_TEST(test_nvmm_batches_of_many_pads) {
  const PictureShape shape{"RGBA", 48, 36};
  const std::string look = kLook + " style=trails";
  const auto with_track = [](guint pad, GstClockTime pts) {
    GstBuffer* buffer = gst_buffer_new_allocate(nullptr, 96, nullptr);
    GST_BUFFER_PTS(buffer) = pts;
    GstRdpTracks* tracks = track_at(1.0F + pad % 6, 1.0F + pad % 4, pad);
    gst_buffer_add_rdp_tracks_meta(buffer, tracks);
    gst_rdp_tracks_unref(tracks);
    return buffer;
  };
  Rig rig(look, with_feature(shape, "memory:NVMM"), depth_caps({}));
  std::vector<std::shared_ptr<nvmm_frames::Surface>> surfaces;
  for (guint pad = 0; pad < 1100; ++pad) {
    surfaces.push_back(nvmm_surface(shape, nvmm_frames::kDevice));
    GstBuffer* picture = nvmm_frames::wrap(surfaces.back(), pad);
    nvds_batch::add(picture, {{pad, 0, 0, pad}});
    rig.push("segments", with_track(pad, GST_BUFFER_PTS(picture)));
    rig.push("video", picture);
  }
  const std::string error = rig.run();
  fail_unless(error.empty(), "%s", error.c_str());
  for (guint pad = 0; pad < surfaces.size(); pad += pad < 1000 ? 100 : 1) {
    Rig alone(look, shape.caps(), depth_caps({}));
    alone.push("video", overlay_rig::picture_buffer(shape));
    alone.push("segments", with_track(pad, 0));
    fail_unless(alone.run().empty());
    fail_unless(surfaces[pad]->samples(0) == planes(alone.received.front(), shape), "pad %u", pad);
  }
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
      // Both planes: luma rows, and half as many chroma rows of equal size.
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
  // One bad surface makes the whole batch fail.
  const auto one_is_bad = nvmm_surface(shape, nvmm_frames::kDevice, 3);
  one_is_bad->put<std::uint32_t>(2, nvmm_frames::params::kNumPlanes, 1);
  check_has(run(nvmm_frames::wrap(one_is_bad)), "surface 2 of the buffer's batch has 1 planes");
  fail_unless(one_is_bad->samples(0) == std::vector<std::uint8_t>(48 * 54, 128));
  {  // Not the first buffer, which sources mark and copy for that.
    g_autoptr(GstBuffer) held = nvmm_frames::wrap(nvmm_surface(shape, nvmm_frames::kDevice), 1);
    Rig rig(kLook, with_feature(shape, "memory:NVMM"), depth_caps(frame));
    rig.push("video", nvmm_frames::wrap(nvmm_surface(shape, nvmm_frames::kDevice)));
    rig.push("video", gst_buffer_ref(held));
    rig.push("segments", depth_buffer(frame));
    check_has(rig.run(), "another element holds it too");
  }
  const auto one_plane = nvmm_surface(shape, nvmm_frames::kDevice);
  one_plane->put<std::uint32_t>(0, nvmm_frames::params::kNumPlanes, 1);
  check_has(run(nvmm_frames::wrap(one_plane)), "has 1 planes, but NV12 has two");
  const auto outside = nvmm_surface(shape, nvmm_frames::kDevice);
  outside->put<std::uint32_t>(0, nvmm_frames::params::kPlaneOffset + 4, 1U << 20);
  check_has(run(nvmm_frames::wrap(outside)), "but its dataSize is");
}
CHECK_CASE(rdpoverlay_nvmm_cuda, .seconds = 60)
