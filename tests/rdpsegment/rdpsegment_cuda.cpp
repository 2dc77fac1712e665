// SPDX-License-Identifier: LGPL-2.1-or-later
// rdpsegment on the GPU equals the reference, from CUDA and system memory, in every combination of
// properties, without unnecessary copies of samples.
#include "kernels/runtime/cuda_error.h"
#include "kernels/runtime/driver.h"
#include "tests/support/check_test.h"
#include "tests/support/cuda_frames.h"

using namespace cuda_frames;
using frames::Shape;

// Memory of a frame.
enum class Place { kCuda, kSystem, kPageLocked };

namespace {

const char* kSystemPictures = "video/x-raw";
const char* kCudaPictures = "video/x-raw(memory:CUDAMemory)";

struct Case {
  Shape shape;
  rdp::Parameters parameters;
  Place place = Place::kCuda;
  bool reconstruct = false;
  const char* pictures = nullptr;  // the caps of the overlay's sink, or null
  rdp::OverlayOptions options;
};

std::string describe(const Case& test) {
  const rdp::Parameters& p = test.parameters;
  return std::string(gst_video_format_to_string(test.shape.format)) + " " +
         std::to_string(test.shape.width) + "x" + std::to_string(test.shape.height) +
         (test.place == Place::kCuda     ? " in CUDA memory"
          : test.place == Place::kSystem ? " in system memory"
                                         : " in page-locked memory") +
         ", epsilon " + std::to_string(p.epsilon) + ", median " +
         std::to_string(static_cast<int>(p.median)) + ", domain " +
         std::to_string(static_cast<int>(p.domain)) + ", column-width " +
         std::to_string(p.column_width) + (test.reconstruct ? ", reconstruct" : "") +
         (test.pictures == nullptr ? "" : ", pictures in ") +
         (test.pictures == nullptr ? "" : test.pictures);
}

// frames::make() in page-locked memory.
GstBuffer* make_page_locked(const Shape& shape, unsigned seed) {
  struct Locked {
    CUcontext context;
    rdp::cuda::PinnedBuffer memory;
  };
  const CUcontext context = rdp::gst::cuda_handle(shared_context());
  GstBuffer* ordinary = frames::make(shape, seed);
  const gsize size = gst_buffer_get_size(ordinary);
  auto* locked = new Locked{context, {}};
  const rdp::cuda::ContextScope scope(context);
  std::byte* data = locked->memory.ensure(size);
  gst_buffer_extract(ordinary, 0, data, size);
  GstBuffer* buffer = gst_buffer_new_wrapped_full(
      static_cast<GstMemoryFlags>(0), data, size, 0, size, locked, [](gpointer user_data) {
        auto* gone = static_cast<Locked*>(user_data);
        const rdp::cuda::ContextScope freeing(gone->context);
        delete gone;
      });
  gst_buffer_copy_into(buffer, ordinary, GST_BUFFER_COPY_TIMESTAMPS, 0, static_cast<gsize>(-1));
  // Metas that describe memory must not be copied to other memory, so only timestamps are. The
  // video meta is added anew.
  if (GstVideoMeta* meta = gst_buffer_get_video_meta(ordinary)) {
    gst_buffer_add_video_meta_full(buffer, meta->flags, meta->format, meta->width, meta->height,
                                   meta->n_planes, meta->offset, meta->stride);
  }
  gst_buffer_unref(ordinary);
  return buffer;
}

GstBuffer* make(const Case& test, unsigned seed) {
  switch (test.place) {
    case Place::kCuda:
      return cuda_frames::make(shared_context(), test.shape, seed);
    case Place::kPageLocked:
      return make_page_locked(test.shape, seed);
    default:
      return frames::make(test.shape, seed);
  }
}

// Exact numbers: 0.5 m between two cameras, a step of 1/16 px or 1/1024 m.
rdp::MetricCamera camera_of(const Case& test) {
  const bool inverse = test.parameters.domain == rdp::Domain::kInverse;
  return {{64.0, 64.0, 30.0, 20.0, {}},
          inverse ? rdp::DepthOfValue{true, test.parameters.inverse_scale / 1024, 1.0, 0.0}
                  : rdp::DepthOfValue{true, 32.0, 1.0 / 16, 0.0}};
}
void set_camera(GstElement* element, const Case& test) {
  const bool inverse = test.parameters.domain == rdp::Domain::kInverse;
  g_object_set(element, "focal-length", 64.0, "principal-x", 30.0, "principal-y", 20.0, nullptr);
  if (inverse) {
    g_object_set(element, "depth-unit", 1.0 / 1024, nullptr);
  } else {
    g_object_set(element, "baseline", 0.5, "disparity-unit", 1.0 / 16, nullptr);
  }
}

void check(const Case& test) {
  const std::string text = describe(test);
  const bool in_cuda = test.place == Place::kCuda;
  Rig rig(in_cuda ? cuda_frames::caps_string(test.shape) : frames::caps_string(test.shape),
          in_cuda ? "auto" : "cuda", test.pictures);
  cuda_frames::set_parameters(rig.element, test.parameters);
  g_object_set(rig.element, "output", test.reconstruct ? 1 : 0, nullptr);
  if (test.pictures != nullptr) {
    GstPad* pad = gst_element_get_static_pad(rig.element, "overlay");
    g_object_set(pad, "style", static_cast<int>(test.options.style), "palette-min",
                 test.options.palette_min, "palette-max", test.options.palette_max, "legend",
                 test.options.legend, "birdseye-range", test.options.birdseye_range, nullptr);
    gst_object_unref(pad);
    if (test.options.camera != nullptr) set_camera(rig.element, test);
  }
  // Twice: the second frame differs, and reuses the first one's memory.
  for (unsigned seed : {1U, 2U}) {
    const Expected expected = cuda_frames::expect(test.shape, test.parameters, test.options, seed);
    GstBuffer* input = make(test, seed);
    GstMemory* memory = gst_buffer_peek_memory(input, 0);
    fail_unless_equals_int(gst_harness_push(rig.main, input), GST_FLOW_OK);
    GstBuffer* output = gst_harness_pull(rig.main);
    fail_unless(gst_buffer_peek_memory(output, 0) == memory, "%s: copied", text.c_str());
    frames::check_segmentation(gst_rdp_buffer_get_segmentation(output),
                               cuda_frames::tight(test.shape), expected.samples, test.parameters);
    fail_unless(cuda_frames::samples(output, test.shape) ==
                    (test.reconstruct ? expected.reconstructed : expected.samples),
                "%s: wrong samples on src", text.c_str());
    gst_buffer_unref(output);
    if (test.pictures != nullptr) {
      g_autoptr(GstBuffer) picture = gst_harness_pull(rig.overlay);
      fail_unless(rdp::gst::is_cuda_buffer(picture) == (test.pictures == kCudaPictures),
                  "%s: in the wrong memory", text.c_str());
      fail_unless(cuda_frames::pixels(picture, test.shape) == expected.picture, "%s: wrong picture",
                  text.c_str());
    }
  }
  fail_unless(cuda_frames::backend_in_use(rig.element) == "cuda");
}

}  // namespace

CHECK_TEST(test_formats_and_sizes) {
  for (Place place : {Place::kCuda, Place::kSystem, Place::kPageLocked}) {
    for (GstVideoFormat format : {GST_VIDEO_FORMAT_GRAY16_LE, GST_VIDEO_FORMAT_GRAY8}) {
      for (int width : {1, 2, 3, 17, 101}) {
        for (int height : {1, 2, 31, 233}) {
          Case test;
          test.shape = {format, width, height};
          test.place = place;
          check(test);
        }
      }
    }
  }
}

// Frames of several bands, with a partial last one.
CHECK_TEST(test_large_frames) {
  for (Place place : {Place::kCuda, Place::kSystem, Place::kPageLocked}) {
    for (const Shape& shape :
         {Shape{GST_VIDEO_FORMAT_GRAY16_LE, 1242, 375}, Shape{GST_VIDEO_FORMAT_GRAY8, 16384, 70},
          Shape{GST_VIDEO_FORMAT_GRAY16_LE, 3, 16384}}) {
      Case test;
      test.shape = shape;
      test.place = place;
      test.reconstruct = true;
      test.pictures = place == Place::kCuda ? kCudaPictures : kSystemPictures;
      test.parameters.epsilon = 300;
      check(test);
    }
  }
}

CHECK_TEST(test_strides) {
  for (Place place : {Place::kSystem, Place::kPageLocked}) {
    for (int extra : {1, 2, 7, 1000}) {
      for (gsize offset : {gsize{0}, gsize{1}, gsize{33}}) {
        for (bool reconstruct : {false, true}) {
          Case test;
          test.shape = {GST_VIDEO_FORMAT_GRAY16_LE, 33, 21, offset, 66 + extra};
          test.place = place;
          test.reconstruct = reconstruct;
          check(test);
        }
      }
    }
  }
  // In CUDA memory the stride is the device's, and samples lie at multiples of their size.
  for (gsize offset : {gsize{2}, gsize{16}, gsize{34}}) {
    Case test;
    test.shape = {GST_VIDEO_FORMAT_GRAY16_LE, 33, 21, offset};
    test.reconstruct = offset == 34;
    check(test);
  }
}

CHECK_TEST(test_every_property) {
  unsigned turn = 0;
  for (GstVideoFormat format : {GST_VIDEO_FORMAT_GRAY16_LE, GST_VIDEO_FORMAT_GRAY8}) {
    for (auto median : {rdp::Median::kNone, rdp::Median::k3x3, rdp::Median::k5x5}) {
      for (auto domain : {rdp::Domain::kLinear, rdp::Domain::kInverse}) {
        for (int column_width : {1, 3, 16}) {
          for (bool reconstruct : {false, true}) {
            for (Place place : {Place::kCuda, Place::kSystem}) {
              Case test;
              test.shape = {format, 53, 40};
              test.place = place;
              test.reconstruct = reconstruct;
              const bool bytes = format == GST_VIDEO_FORMAT_GRAY8;
              test.parameters.epsilon = turn % 3 == 0 ? 0.0 : bytes ? 3.5 : 400.0;
              test.parameters.min_value = turn % 4 == 0 ? 0 : 1;
              test.parameters.max_value = turn % 5 == 0 ? 180 : 65535;
              test.parameters.inverse_scale = bytes ? 1e4 : 1e6;
              test.parameters.median = median;
              test.parameters.domain = domain;
              test.parameters.column_width = column_width;
              const char* const pictures[] = {nullptr, kSystemPictures, kCudaPictures};
              test.pictures = pictures[turn % 3];
              test.options.style = static_cast<rdp::OverlayStyle>(turn / 3 % 5);
              if (turn % 2 == 0) test.options.palette_max = 9000;
              // Sometimes large enough for a legend.
              if (turn % 7 == 0) test.shape = {format, 200, 110};
              test.options.legend = turn % 3 > 0;
              if (turn % 4 == 0) test.options.birdseye_range = 20;
              const rdp::MetricCamera camera = camera_of(test);
              if (turn % 2 > 0 || test.options.style == rdp::OverlayStyle::kBirdsEye) {
                test.options.camera = &camera;
              }
              check(test);
              ++turn;
            }
          }
        }
      }
    }
  }
}

// More segments than the initial capacity of a list.
CHECK_TEST(test_truncated) {
  for (Place place : {Place::kCuda, Place::kSystem}) {
    Case test;
    test.shape = {GST_VIDEO_FORMAT_GRAY16_LE, 64, 700};
    test.parameters.epsilon = 0;
    test.place = place;
    test.reconstruct = true;
    test.pictures = kSystemPictures;
    check(test);
  }
}

// In passthrough on CUDA memory, only segments that someone reads are copied, and only once. They
// are copied on reading or, after a frame's segments were read, along with each frame. After
// sixteen unread frames the latter stops.
CHECK_TEST(test_no_copies) {
  if (!standin::available()) return;
  const Shape shape{GST_VIDEO_FORMAT_GRAY16_LE, 320, 240};
  Rig rig(cuda_frames::caps_string(shape), "auto", kCudaPictures);
  constexpr unsigned kRead = 5;
  constexpr unsigned kLastAhead = kRead + 16;
  for (unsigned number = 0; number < kLastAhead + 3; ++number) {
    GstBuffer* input = cuda_frames::make(shared_context(), shape, number, number);
    const auto before = standin::bytes_copied(nullptr);
    fail_unless_equals_int(gst_harness_push(rig.main, input), GST_FLOW_OK);
    const auto pushed = standin::bytes_copied(nullptr);
    gst_buffer_unref(gst_harness_pull(rig.overlay));
    g_autoptr(GstBuffer) output = gst_harness_pull(rig.main);
    GstRdpSegmentation* segmentation = gst_rdp_buffer_get_segmentation(output);
    const gsize segments = gst_rdp_segmentation_get_n_segments(segmentation);
    fail_unless_equals_int(gst_rdp_segmentation_get_n_columns(segmentation), 320);
    const auto all = before + 321 * 4 + segments * 12;
    fail_unless_equals_uint64(pushed, number >= 1 && number < kLastAhead ? all : before);
    fail_unless_equals_uint64(standin::bytes_copied(nullptr), pushed);
    for (int reader = 0; reader < 2 && number < kRead; ++reader) {
      gsize count = 0;
      gst_rdp_segmentation_peek_segments(segmentation, &count);
      fail_unless_equals_uint64(count, segments);
      fail_unless_equals_uint64(standin::bytes_copied(nullptr), all);
    }
  }
}

#ifndef RDP_GST_CUDA_STREAMS
// A producer on the default stream that pushes frames before they are complete.
CHECK_TEST(test_producer_on_the_default_stream) {
  const Shape shape{GST_VIDEO_FORMAT_GRAY16_LE, 256, 100};
  Rig rig(cuda_frames::caps_string(shape), "auto");
  g_autoptr(GstBuffer) frame = cuda_frames::make(shared_context(), shape);
  for (unsigned seed = 0; seed < 4; ++seed) {
    g_autoptr(GstBuffer) source = cuda_frames::make(shared_context(), shape, seed);
    GstMapInfo from;
    GstMapInfo to;
    const auto access = static_cast<GstMapFlags>(GST_MAP_READWRITE | GST_MAP_CUDA);
    fail_unless(gst_buffer_map(source, &from, access) && gst_buffer_map(frame, &to, access));
    {
      const rdp::cuda::ContextScope scope(rdp::gst::cuda_handle(shared_context()));
      CUDA_MEMCPY2D copy{};
      copy.srcMemoryType = copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
      copy.srcDevice = reinterpret_cast<CUdeviceptr>(from.data);
      copy.dstDevice = reinterpret_cast<CUdeviceptr>(to.data);
      copy.srcPitch = copy.dstPitch = copy.WidthInBytes = from.size;
      copy.Height = 1;
      rdp::cuda::check(rdp::cuda::driver().cuMemcpy2DAsync_v2(&copy, nullptr), "copying");
    }
    gst_buffer_unmap(source, &from);
    gst_buffer_unmap(frame, &to);
    g_autoptr(GstBuffer) output = gst_harness_push_and_pull(rig.main, gst_buffer_ref(frame));
    const Expected expected = cuda_frames::expect(shape, {}, {}, seed);
    const std::string wrong =
        frames::difference(expected.segments, gst_rdp_buffer_get_segmentation(output));
    fail_unless(wrong.empty(), "frame %u: %s", seed, wrong.c_str());
  }
}
#endif

// Segments copied with their frame, while their number changes: the part beyond the capacity is
// copied on reading. Without page-locked memory, all are copied on reading, and that memory is not
// requested again. The first frame read after many unread ones is copied on reading, too.
CHECK_TEST(test_read_frames_that_change) {
  const Shape shape{GST_VIDEO_FORMAT_GRAY16_LE, 64, 300};
  for (bool memory_is_short : {false, true}) {
    if (memory_is_short && !standin::available()) continue;
    Rig rig(cuda_frames::caps_string(shape), "auto");
    int page_locked = 0;
    for (unsigned number = 0; number < 46; ++number) {
      rdp::Parameters parameters;
      parameters.epsilon = number % 4 == 3 ? 0 : 400;
      parameters.column_width = number < 12 ? 1 : 3;
      set_parameters(rig.element, parameters);
      if (memory_is_short && number == 2) {
        standin::inject("cuMemHostAlloc", 1, CUDA_ERROR_OUT_OF_MEMORY);
      }
      GstBuffer* output = gst_harness_push_and_pull(
          rig.main, cuda_frames::make(shared_context(), shape, number % 3, number));
      fail_unless(output != nullptr);
      if (memory_is_short && number == 4) page_locked = standin::count("cuMemHostAlloc");
      if (number >= 24 && number < 45) {
        gst_buffer_unref(output);
        continue;
      }
      const Expected expected = cuda_frames::expect(shape, parameters, {}, number % 3);
      const std::string wrong =
          frames::difference(expected.segments, gst_rdp_buffer_get_segmentation(output));
      fail_unless(wrong.empty(), "frame %u: %s", number, wrong.c_str());
      gst_buffer_unref(output);
    }
    if (memory_is_short) {
      fail_unless_equals_int(standin::count("cuMemHostAlloc"), page_locked);
      standin::inject("cuMemHostAlloc", 0, 0);
    }
  }
}

// A frame of noise with merge runs a second time with other kernels, including the output and the
// reader's copy. The next frame of noise does not.
CHECK_TEST(test_done_again) {
  if (!standin::available()) return;
  const Shape shape{GST_VIDEO_FORMAT_GRAY16_LE, 40, 300};
  rdp::Parameters parameters;
  parameters.epsilon = 1500;
  parameters.refine = parameters.merge = true;
  Rig rig(cuda_frames::caps_string(shape), "auto");
  set_parameters(rig.element, parameters);
  g_object_set(rig.element, "output", 1, nullptr);
  // The fit by warps, or by two kernels; the output; the copy, once a frame has been read.
  constexpr int kWarps = 3;
  constexpr int kQueues = 4;
  const int launches[] = {kWarps - 1, kWarps, kWarps + kQueues, kQueues, kQueues, kQueues, kWarps};
  for (unsigned number = 0; number < std::size(launches); ++number) {
    const bool is_noise = number >= 2 && number < 5;
    const frames::Content content =
        frames::draw(shape, is_noise ? frames::Scene::kNoise : frames::Scene::kSurface, number);
    std::string reason;
    GstBuffer* input = rdp::test::new_cuda_buffer(shared_context(), content, &reason);
    fail_unless(input != nullptr, "%s", reason.c_str());
    const int before = standin::count("cuLaunchKernel");
    g_autoptr(GstBuffer) output = gst_harness_push_and_pull(rig.main, input);
    fail_unless(output != nullptr);
    fail_unless_equals_int(standin::count("cuLaunchKernel") - before, launches[number]);
    const Expected expected = rdp::test::expect(content.view(), parameters);
    const std::string wrong =
        frames::difference(expected.segments, gst_rdp_buffer_get_segmentation(output));
    fail_unless(wrong.empty(), "frame %u: %s", number, wrong.c_str());
    fail_unless(cuda_frames::samples(output, shape) == expected.reconstructed, "frame %u", number);
  }
}

// After 14, 15 or 16 unread frames, a frame's segments exceed their list at first. The copies along
// with frames end with the sixteenth unread frame. A copy of the first run, when copies were still
// expected, is not taken for the segments.
CHECK_TEST(test_last_copy_of_a_frame_done_again) {
  const Shape shape{GST_VIDEO_FORMAT_GRAY16_LE, 64, 300};
  constexpr std::size_t kRoom = 64 * 48;  // of a list at first
  const auto segments_at = [&](double epsilon) {
    rdp::Parameters parameters;
    parameters.epsilon = epsilon;
    return cuda_frames::expect(shape, parameters).segments.segment_count();
  };
  // Just below the capacity, and above it by less than the extra room of a copy.
  double fits = 4000;
  while (fits > 1 && segments_at(fits / 1.05) <= kRoom) fits /= 1.05;
  const double exceeds = fits / 1.05;
  fail_unless(segments_at(exceeds) > kRoom);
  fail_unless(segments_at(exceeds) < segments_at(fits) * 3 / 2);
  for (const unsigned unread : {14U, 15U, 16U}) {
    Rig rig(cuda_frames::caps_string(shape), "auto");
    for (unsigned number = 0; number <= 1 + unread; ++number) {
      rdp::Parameters parameters;
      parameters.epsilon = number <= unread ? fits : exceeds;
      set_parameters(rig.element, parameters);
      g_autoptr(GstBuffer) output = gst_harness_push_and_pull(
          rig.main, cuda_frames::make(shared_context(), shape, 1, number));
      fail_unless(output != nullptr);
      if (number == 0 || number > unread) {
        const std::string wrong =
            frames::difference(cuda_frames::expect(shape, parameters).segments,
                               gst_rdp_buffer_get_segmentation(output));
        fail_unless(wrong.empty(), "%u unread frames: frame %u: %s", unread, number, wrong.c_str());
      }
    }
  }
}

// Each sample in system memory is uploaded once, and downloaded if it was written.
CHECK_TEST(test_copies_of_system_memory) {
  if (!standin::available()) return;
  const Shape shape{GST_VIDEO_FORMAT_GRAY16_LE, 320, 240};
  for (bool reconstruct : {false, true}) {
    Rig rig(frames::caps_string(shape), "cuda");
    g_object_set(rig.element, "output", reconstruct ? 1 : 0, nullptr);
    for (unsigned number = 0; number < 3; ++number) {
      GstBuffer* input = frames::make(shape, number, number);
      const auto up = standin::bytes_copied("HtoD");
      const auto down = standin::bytes_copied("DtoH");
      gst_buffer_unref(gst_harness_push_and_pull(rig.main, input));
      // Rows of 640 bytes, which follow each other here and there.
      fail_unless_equals_uint64(standin::bytes_copied("HtoD") - up, 640 * 240);
      fail_unless_equals_uint64(standin::bytes_copied("DtoH") - down, reconstruct ? 640 * 240 : 0);
    }
  }
}

// A shared buffer is never written: it is copied first, and the copy is complete before it is read.
// The first frame waits for much; the later ones wait only for this copy.
CHECK_TEST(test_shared_buffer) {
  rdp::Parameters parameters;
  parameters.epsilon = 500;
  for (const Shape& shape :
       {Shape{GST_VIDEO_FORMAT_GRAY16_LE, 53, 40}, Shape{GST_VIDEO_FORMAT_GRAY16_LE, 1242, 375}}) {
    const Expected expected = cuda_frames::expect(shape, parameters);
    for (bool in_cuda : {true, false}) {
      Rig rig(in_cuda ? cuda_frames::caps_string(shape) : frames::caps_string(shape),
              in_cuda ? "auto" : "cuda");
      cuda_frames::set_parameters(rig.element, parameters);
      g_object_set(rig.element, "output", 1, nullptr);
      g_autoptr(GstBuffer) input =
          in_cuda ? cuda_frames::make(shared_context(), shape) : frames::make(shape);
      for (int frame = 0; frame < 10; ++frame) {
        g_autoptr(GstBuffer) output = gst_harness_push_and_pull(rig.main, gst_buffer_ref(input));
        fail_unless(cuda_frames::samples(output, shape) == expected.reconstructed, "frame %d",
                    frame);
      }
      fail_unless(cuda_frames::samples(input, shape) == expected.samples);
    }
  }
}

// Segments outlive the element that made them, and its context.
CHECK_TEST(test_segments_outlive_the_element) {
  const Shape shape{GST_VIDEO_FORMAT_GRAY16_LE, 53, 40};
  const Expected expected = cuda_frames::expect(shape, {});
  g_autoptr(GstRdpSegmentation) kept = nullptr;
  {
    Rig rig(frames::caps_string(shape), "cuda");
    g_autoptr(GstBuffer) output = gst_harness_push_and_pull(rig.main, frames::make(shape));
    kept = gst_rdp_segmentation_ref(gst_rdp_buffer_get_segmentation(output));
  }
  frames::check_segmentation(kept, cuda_frames::tight(shape), expected.samples, {});
}

// The steps after the split, in all memories and with every engine, alternating with frames without
// them.
CHECK_TEST(test_beyond_the_split) {
  const Shape shape;
  rdp::Parameters parameters;
  parameters.epsilon = 200;
  for (int what = 0; what < 4; ++what) {
    parameters.max_gap = what == 0 || what == 3 ? 1 : 0;
    parameters.refine = what == 1;
    parameters.merge = what >= 2;
    for (const char* backend : {"auto", "cuda", "in CUDA memory"}) {
      const bool in_cuda = g_str_equal(backend, "in CUDA memory");
      Rig rig(in_cuda ? cuda_frames::caps_string(shape) : frames::caps_string(shape),
              in_cuda ? "auto" : backend);
      for (unsigned number = 0; number < 12; ++number) {
        const rdp::Parameters now = number % 2 == 0 ? rdp::Parameters() : parameters;
        cuda_frames::set_parameters(rig.element, now);
        GstBuffer* input = in_cuda ? cuda_frames::make(shared_context(), shape, number)
                                   : frames::make(shape, number, number);
        const std::vector<std::uint8_t> content = cuda_frames::samples(input, shape);
        g_autoptr(GstBuffer) output = gst_harness_push_and_pull(rig.main, input);
        frames::check_segmentation(gst_rdp_buffer_get_segmentation(output),
                                   cuda_frames::tight(shape), content, now);
        if (!g_str_equal(backend, "auto")) {
          fail_unless(cuda_frames::backend_in_use(rig.element) == "cuda");
        }
      }
    }
  }
}

CHECK_CASE(rdpsegment_cuda, .missing = cuda_frames::missing)
