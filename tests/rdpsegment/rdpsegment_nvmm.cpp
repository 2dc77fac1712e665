// SPDX-License-Identifier: LGPL-2.1-or-later
// rdpsegment on NVMM frames that the CPU reads: both structure layouts, batches, shared buffers,
// and malformed structures. Needs neither CUDA nor NVIDIA's libraries; backend=cpu, so that
// machines with a GPU test the same.
#include <dlfcn.h>

#include "tests/support/check_test.h"
#include "tests/support/overlay_surface.h"

using frames::Shape;
using namespace nvmm_frames;

// Formats, sizes, pitches and offsets, in both layouts; the output has the input's memory.
CHECK_TEST(test_frames) {
  const Shape shapes[] = {{GST_VIDEO_FORMAT_GRAY16_LE, 64, 48},
                          {GST_VIDEO_FORMAT_GRAY8, 64, 48},
                          {GST_VIDEO_FORMAT_GRAY16_LE, 1, 1},
                          {GST_VIDEO_FORMAT_GRAY16_LE, 33, 17},
                          {GST_VIDEO_FORMAT_GRAY8, 31, 1}};
  for (const Shape& shape : shapes) {
    for (const Abi& abi : {nvmm_frames::kClassic, nvmm_frames::kExtended}) {
      for (const int mem_type : {nvmm_frames::kSystem, nvmm_frames::kPinned}) {
        for (const gsize more : {0, 2, 7, 64}) {
          for (const gsize offset : {0, 6, 1024}) {
            Batch batch{abi, mem_type};
            batch.pitch = Surface(shape.format, shape.width, shape.height, {}).row_bytes() + more;
            batch.offset = offset;
            Rig rig(shape);
            const auto surface = nvmm_frames::make_surface(shape, batch);
            const std::vector<std::uint8_t> before = surface->content(0);
            GstBuffer* input = nvmm_frames::wrap(surface);
            GstMemory* memory = memory_of(input);
            g_autoptr(GstBuffer) output = gst_harness_push_and_pull(rig.main, input);
            fail_unless(output != nullptr);
            fail_unless(memory_of(output) == memory);
            check_batch(output, shape, 1, 1);
            fail_unless(surface->content(0) == before, "the frame was written to");
          }
        }
      }
    }
  }
}

CHECK_TEST(test_batches) {
  const Shape shape{GST_VIDEO_FORMAT_GRAY16_LE, 40, 30};
  for (const Abi& abi : {nvmm_frames::kClassic, nvmm_frames::kExtended}) {
    Rig rig(shape, "cpu", true);
    unsigned number = 0;
    guint surfaces = 0;
    for (const guint filled : {1, 4, 2, 7}) {
      Batch batch{abi};
      batch.size = 7;
      batch.filled = filled;
      const auto surface = nvmm_frames::make_surface(shape, batch, 10);
      GstBuffer* output = gst_harness_push_and_pull(rig.main, nvmm_frames::wrap(surface, number++));
      check_batch(output, shape, filled, 10);
      for (guint i = 0; i < batch.size; ++i) {
        const auto expected = expect(shape, 10 + i);
        fail_unless(surface->samples(i) ==
                    (i < filled ? expected.reconstructed : expected.samples));
      }
      // One frame of the stream, several frames of depth.
      fail_unless_equals_uint64(
          gst_rdp_segmentation_get_info(gst_rdp_buffer_get_batch_segmentation(output, filled - 1))
              ->frame,
          number - 1);
      gst_buffer_unref(output);
      surfaces += filled;
    }
    g_autoptr(GstStructure) stats = nullptr;
    g_object_get(rig.element, "stats", &stats, nullptr);
    guint64 counted = 0;
    fail_unless(gst_structure_get_uint64(stats, "frames", &counted));
    fail_unless_equals_uint64(counted, surfaces);
  }
}

// Some producers of single surfaces leave numFilled at 0.
CHECK_TEST(test_single_surface_without_number) {
  const Shape shape;
  Rig rig(shape);
  Batch batch;
  batch.filled = 0;
  g_autoptr(GstBuffer) output =
      gst_harness_push_and_pull(rig.main, nvmm_frames::make(shape, batch));
  check_batch(output, shape, 1, 1);
}

// Full range gray is gray.
CHECK_TEST(test_full_range) {
  const Shape shape{GST_VIDEO_FORMAT_GRAY8, 64, 48};
  Rig rig(shape);
  const auto surface = nvmm_frames::make_surface(shape);
  surface->put<std::int32_t>(0, nvmm_frames::params::kColorFormat, nvmm_frames::kGray8FullRange);
  g_autoptr(GstBuffer) output = gst_harness_push_and_pull(rig.main, nvmm_frames::wrap(surface));
  check_batch(output, shape, 1, 1);
}

CHECK_TEST(test_reconstruct_in_place) {
  const Shape shape{GST_VIDEO_FORMAT_GRAY16_LE, 50, 40};
  Rig rig(shape, "cpu", true);
  const auto surface = nvmm_frames::make_surface(shape);
  std::vector<std::uint8_t> between = surface->content(0);
  GstBuffer* input = nvmm_frames::wrap(surface);
  GstMemory* memory = memory_of(input);
  g_autoptr(GstBuffer) output = gst_harness_push_and_pull(rig.main, input);
  fail_unless(memory_of(output) == memory);
  fail_unless(surface->samples(0) == expect(shape, 1).reconstructed);
  // Row padding is unchanged.
  const std::vector<std::uint8_t> after = surface->content(0);
  for (gsize i = 0; i < after.size(); ++i) {
    if (i % surface->pitch() >= surface->row_bytes()) fail_unless(after[i] == between[i]);
  }
}

// A shared buffer: the output is another buffer around the same memory, never a copy of the
// structure, and keeps the input alive.
CHECK_TEST(test_shared_buffer) {
  const Shape shape;
  Rig rig(shape);
  const auto surface = nvmm_frames::make_surface(shape);
  GstBuffer* input = nvmm_frames::wrap(surface, 3);
  GST_BUFFER_FLAG_SET(input, GST_BUFFER_FLAG_DISCONT);
  gst_buffer_add_reference_timestamp_meta(input, gst_caps_new_empty_simple("timestamp/x-test"), 7,
                                          GST_CLOCK_TIME_NONE);
  GstCaps* reference = gst_buffer_get_reference_timestamp_meta(input, nullptr)->reference;
  gst_caps_unref(reference);  // the meta has its own
  gst_buffer_add_video_meta(input, GST_VIDEO_FRAME_FLAG_TFF, shape.format,
                            static_cast<guint>(shape.width), static_cast<guint>(shape.height));
  GstMemory* memory = memory_of(input);
  GstBuffer* held = gst_buffer_ref(input);
  GstBuffer* output = gst_harness_push_and_pull(rig.main, input);
  fail_unless(output != held);
  fail_unless(memory_of(output) == memory);
  fail_unless_equals_int(gst_buffer_n_memory(output), 1);
  check_batch(output, shape, 1, 1);
  fail_unless(gst_buffer_get_rdp_segment_meta(held) == nullptr);
  fail_unless(GST_BUFFER_PTS(output) == GST_BUFFER_PTS(held));
  fail_unless(GST_BUFFER_DURATION(output) == GST_BUFFER_DURATION(held));
  fail_unless(GST_BUFFER_FLAG_IS_SET(output, GST_BUFFER_FLAG_DISCONT));
  fail_unless(!GST_BUFFER_FLAG_IS_SET(output, GST_BUFFER_FLAG_TAG_MEMORY));
  fail_unless(gst_buffer_get_reference_timestamp_meta(output, nullptr)->timestamp == 7);
  // Metadata about the memory as well, since the memory is the same; each meta once.
  fail_unless_equals_int(gst_buffer_get_n_meta(output, GST_VIDEO_META_API_TYPE), 1);
  fail_unless_equals_int(gst_buffer_get_video_meta(output)->flags, GST_VIDEO_FRAME_FLAG_TFF);
  // The other holder lets go: the output still has the frame.
  ASSERT_BUFFER_REFCOUNT(held, "held", 2);
  gst_buffer_unref(held);
  ASSERT_BUFFER_REFCOUNT(held, "held", 1);
  gst_buffer_unref(output);
  fail_unless_equals_int(static_cast<int>(surface.use_count()), 1);
}

// A pool's buffers return to it, even if shared on the way.
CHECK_TEST(test_shared_buffers_of_a_pool) {
  const Shape shape;
  int made = 0;
  g_autoptr(GstBufferPool) pool = nvmm_frames::new_pool(3, [&] {
    ++made;
    return nvmm_frames::make(shape);
  });
  {
    Rig rig(shape);
    for (int i = 0; i < 50; ++i) {
      GstBuffer* input = nullptr;
      fail_unless_equals_int(gst_buffer_pool_acquire_buffer(pool, &input, nullptr), GST_FLOW_OK);
      GstMemory* memory = memory_of(input);
      GstBuffer* held = gst_buffer_ref(input);
      GstBuffer* output = gst_harness_push_and_pull(rig.main, input);
      fail_unless(memory_of(output) == memory);
      check_batch(output, shape, 1, 1);
      // In either order.
      gst_buffer_unref(i % 2 == 0 ? held : output);
      gst_buffer_unref(i % 2 == 0 ? output : held);
    }
    fail_unless_equals_int(made, 1);
  }
  gst_buffer_pool_set_active(pool, FALSE);
}

// A shared frame is never changed: writing is refused, and the next frame works.
CHECK_TEST(test_reconstruct_shared) {
  const Shape shape;
  Rig rig(shape, "cpu", true);
  const auto surface = nvmm_frames::make_surface(shape);
  const std::vector<std::uint8_t> before = surface->content(0);
  GstBuffer* input = nvmm_frames::wrap(surface);
  GstBuffer* held = gst_buffer_ref(input);
  fail_unless_equals_int(gst_harness_push(rig.main, input), GST_FLOW_ERROR);
  frames::check_error(rig.bus, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT,
                      "another element holds it too");
  fail_unless(surface->content(0) == before);
  // The buffer is not shared, but its memory also belongs to another buffer.
  GstBuffer* other = gst_buffer_new();
  gst_buffer_append_memory(other, gst_buffer_get_memory(held, 0));
  fail_unless_equals_int(gst_harness_push(rig.main, other), GST_FLOW_ERROR);
  frames::check_error(rig.bus, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT,
                      "another element holds it too");
  fail_unless(surface->content(0) == before);
  g_autoptr(GstBuffer) output = gst_harness_push_and_pull(rig.main, held);
  fail_unless(surface->samples(0) == expect(shape, 1).reconstructed);
}

namespace {

struct Malformed {
  const char* what;
  std::function<void(Surface*)> spoil;
  const char* part;  // of the error's text
};

const Malformed kMalformed[] = {
    {"format", [](Surface* s) { s->put<std::int32_t>(1, nvmm_frames::params::kColorFormat, 6); },
     "the caps say GRAY16_LE, but surface 1 of the buffer's batch has colorFormat 6"},
    {"gray of the other depth",
     [](Surface* s) { s->put<std::int32_t>(0, nvmm_frames::params::kColorFormat, 1); },
     "colorFormat 1 (GRAY8)"},
    {"width", [](Surface* s) { s->put<std::uint32_t>(2, nvmm_frames::params::kWidth, 65); },
     "the caps say 64x48, but surface 2 of the buffer's batch is 65x48"},
    {"height", [](Surface* s) { s->put<std::uint32_t>(0, nvmm_frames::params::kHeight, 0); },
     "is 64x0"},
    {"planes", [](Surface* s) { s->put<std::uint32_t>(0, nvmm_frames::params::kNumPlanes, 2); },
     "has 2 planes"},
    {"block linear", [](Surface* s) { s->put<std::int32_t>(0, nvmm_frames::params::kLayout, 1); },
     "has layout 1 in NVBUF_MEM_SYSTEM"},
    {"pitch", [](Surface* s) { s->put<std::uint32_t>(1, nvmm_frames::params::kPlanePitch, 127); },
     "surface 1 of the buffer's batch has a pitch of 127 bytes, but a row of 64 samples takes 128"},
    {"pitch beyond the memory",
     [](Surface* s) { s->put<std::uint32_t>(0, nvmm_frames::params::kPlanePitch, 0xFFFFFFFF); },
     "its dataSize is"},
    {"offset", [](Surface* s) { s->put<std::uint32_t>(0, nvmm_frames::params::kPlaneOffset, 129); },
     "(offset 129, 48 rows of pitch 256), but its dataSize is 12288"},
    {"offset that wraps",
     [](Surface* s) { s->put<std::uint32_t>(0, nvmm_frames::params::kPlaneOffset, 0xFFFFFF00); },
     "its dataSize is 12288"},
    {"data size", [](Surface* s) { s->put<std::uint32_t>(0, nvmm_frames::params::kDataSize, 0); },
     "its dataSize is 0"},
    {"null data", [](Surface* s) { s->put<void*>(0, nvmm_frames::params::kData, nullptr); },
     "its dataPtr is null"},
    {"null list", [](Surface* s) { s->put<void*>(nvmm_frames::surface::kList, nullptr); },
     "a null surfaceList"},
    {"list that is none",
     [](Surface* s) {
       s->put<void*>(nvmm_frames::surface::kList, reinterpret_cast<void*>(0x1003));
     },
     "starts at an odd address"},
    {"too many filled",
     [](Surface* s) { s->put<std::uint32_t>(nvmm_frames::surface::kNumFilled, 4); },
     "has numFilled 4 and batchSize 3"},
    {"none filled", [](Surface* s) { s->put<std::uint32_t>(nvmm_frames::surface::kNumFilled, 0); },
     "has numFilled 0 and batchSize 3"},
    {"garbage numbers",
     [](Surface* s) {
       s->put<std::uint32_t>(nvmm_frames::surface::kNumFilled, 0xFFFFFFFF);
       s->put<std::uint32_t>(nvmm_frames::surface::kBatchSize, 0xFFFFFFFF);
     },
     "has numFilled 4294967295"},
    {"handle memory",
     [](Surface* s) { s->put<std::int32_t>(nvmm_frames::surface::kMemType, nvmm_frames::kHandle); },
     "memType 5 (NVBUF_MEM_HANDLE)"},
    {"unknown memory", [](Surface* s) { s->put<std::int32_t>(nvmm_frames::surface::kMemType, 77); },
     "memType 77"},
    {"device memory, for the CPU",
     [](Surface* s) { s->put<std::int32_t>(nvmm_frames::surface::kMemType, nvmm_frames::kDevice); },
     "NVBUF_MEM_CUDA_DEVICE, which the CPU cannot read, and backend is cpu"},
    {"a surface array, for the CPU",
     [](Surface* s) {
       s->put<std::int32_t>(nvmm_frames::surface::kMemType, nvmm_frames::kSurfaceArray);
     },
     "NVBUF_MEM_SURFACE_ARRAY"},
};

}  // namespace

// Each malformed buffer gives its error; frames before and after pass.
CHECK_TEST(test_malformed) {
  const Shape shape;
  for (const Abi& abi : {nvmm_frames::kClassic, nvmm_frames::kExtended}) {
    Batch batch{abi};
    batch.size = batch.filled = 3;
    Rig rig(shape);
    unsigned number = 0;
    for (const Malformed& one : kMalformed) {
      GstBuffer* good =
          gst_harness_push_and_pull(rig.main, nvmm_frames::make(shape, batch, 5, number++));
      check_batch(good, shape, 3, 5);
      gst_buffer_unref(good);
      const auto surface = nvmm_frames::make_surface(shape, batch);
      one.spoil(surface.get());
      fail_unless_equals_int(gst_harness_push(rig.main, nvmm_frames::wrap(surface, number)),
                             GST_FLOW_ERROR);
      frames::check_error(rig.bus, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT, one.part);
      fail_unless(gst_harness_try_pull(rig.main) == nullptr);
      fail_unless_equals_int(static_cast<int>(surface.use_count()), 1);
    }
  }
}

// The library is missing, so no other backend would help.
CHECK_TEST(test_surface_array_without_library) {
  if (dlopen("libnvbufsurface.so.1.0.0", RTLD_LAZY) != nullptr) return;
  if (dlopen("libnvbufsurface.so", RTLD_LAZY) != nullptr) return;
  const Shape shape;
  Rig rig(shape);
  const auto surface = nvmm_frames::make_surface(shape);
  surface->put<std::int32_t>(nvmm_frames::surface::kMemType, nvmm_frames::kSurfaceArray);
  fail_unless_equals_int(gst_harness_push(rig.main, nvmm_frames::wrap(surface)), GST_FLOW_ERROR);
  frames::check_error(
      rig.bus, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT,
      "NVBUF_MEM_SURFACE_ARRAY, which the CPU cannot read: no NVIDIA buffer library");
}

// Buffers whose memory is no structure at all.
CHECK_TEST(test_no_structure) {
  const Shape shape;
  Rig rig(shape);
  const auto surface = nvmm_frames::make_surface(shape);
  const auto refuse = [&](GstBuffer* buffer, const char* part) {
    fail_unless_equals_int(gst_harness_push(rig.main, buffer), GST_FLOW_ERROR);
    frames::check_error(rig.bus, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT, part);
    g_autoptr(GstBuffer) good = gst_harness_push_and_pull(rig.main, nvmm_frames::make(shape));
    check_batch(good, shape, 1, 1);
  };
  refuse(nvmm_frames::wrap(surface, 0, 63), "has 63 bytes, and an NvBufSurface has at least 64");
  refuse(nvmm_frames::wrap(surface, 0, 1), "has 1 bytes");
  refuse(gst_buffer_new(), "the buffer has 0");
  GstBuffer* two = nvmm_frames::wrap(surface);
  gst_buffer_append_memory(two, gst_allocator_alloc(nullptr, 64, nullptr));
  refuse(two, "one memory a buffer, but the buffer has 2");
  GstBuffer* odd = gst_buffer_new();
  static std::uint8_t bytes[128];
  gst_buffer_append_memory(
      odd, gst_memory_new_wrapped(GST_MEMORY_FLAG_NO_SHARE, bytes, 128,
                                  1 + (-reinterpret_cast<gsize>(bytes) & 7), 64, nullptr, nullptr));
  refuse(odd, "is no NvBufSurface");
}

// The memory's size gives the distance of surfaces. If it is ambiguous, a single surface is
// accepted and a batch refused.
CHECK_TEST(test_unknown_layout) {
  const Shape shape;
  Rig rig(shape);
  for (const gsize size : {65, 80, 4096}) {
    auto surface = nvmm_frames::make_surface(shape);
    std::vector<std::uint64_t> padded(size / 8 + 1, 0);
    std::memcpy(padded.data(), surface->bytes(), surface->size());
    const auto wrap = [&] {
      GstBuffer* buffer = gst_buffer_new();
      gst_buffer_append_memory(
          buffer, gst_memory_new_wrapped(GST_MEMORY_FLAG_NO_SHARE, padded.data(), size, 0, size,
                                         nullptr, nullptr));
      return buffer;
    };
    GstBuffer* output = gst_harness_push_and_pull(rig.main, wrap());
    check_batch(output, shape, 1, 1);
    gst_buffer_unref(output);
    Batch batch;
    batch.size = batch.filled = 2;
    surface = nvmm_frames::make_surface(shape, batch);
    std::memcpy(padded.data(), surface->bytes(), surface->size());
    fail_unless_equals_int(gst_harness_push(rig.main, wrap()), GST_FLOW_ERROR);
    frames::check_error(rig.bus, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT,
                        "how far apart its 2 surfaces are cannot be told");
  }
}

// Two elements in a row: the segments of the second replace those of the first, all of them.
CHECK_TEST(test_second_element) {
  const Shape shape;
  Rig first(shape);
  g_object_set(first.element, "epsilon", 2000.0, nullptr);
  Rig second(shape);
  Batch batch;
  batch.size = batch.filled = 3;
  GstBuffer* between = gst_harness_push_and_pull(first.main, nvmm_frames::make(shape, batch, 4));
  fail_unless(
      gst_rdp_segmentation_get_info(gst_rdp_buffer_get_batch_segmentation(between, 2))->epsilon ==
      2000);
  g_autoptr(GstBuffer) held = gst_buffer_ref(between);
  g_autoptr(GstBuffer) output = gst_harness_push_and_pull(second.main, between);
  check_batch(output, shape, 3, 4);
}

// For frames processed on the CPU, pictures are in system memory and show the first surface.
CHECK_TEST(test_overlay_surface) {
  for (const Abi& abi : {nvmm_frames::kClassic, nvmm_frames::kExtended}) {
    for (const bool reconstruct : {false, true}) {
      nvmm_frames::check_overlay_surface({abi}, "cpu", reconstruct);
    }
    nvmm_frames::check_overlay_without_surface({abi}, "cpu");
  }
}

CHECK_TEST(test_overlay) {
  const Shape shape{GST_VIDEO_FORMAT_GRAY16_LE, 50, 40};
  Rig rig(shape, "cpu", false, "video/x-raw,format=RGBA");
  Batch batch;
  batch.size = batch.filled = 2;
  g_autoptr(GstBuffer) output =
      gst_harness_push_and_pull(rig.main, nvmm_frames::make(shape, batch, 3));
  g_autoptr(GstBuffer) picture = gst_harness_pull(rig.overlay);
  fail_unless(gst_harness_try_pull(rig.overlay) == nullptr);
  fail_unless(frames::bytes(picture) == expect(shape, 3).picture);
}

// Caps change from one memory to another in mid-stream.
CHECK_TEST(test_memory_changes) {
  const Shape shape;
  Rig rig(shape);
  for (int i = 0; i < 3; ++i) {
    gst_harness_set_src_caps_str(rig.main, nvmm_frames::caps_string(shape).c_str());
    GstBuffer* output = gst_harness_push_and_pull(rig.main, nvmm_frames::make(shape));
    check_batch(output, shape, 1, 1);
    gst_buffer_unref(output);
    gst_harness_set_src_caps_str(rig.main, frames::caps_string(shape).c_str());
    output = gst_harness_push_and_pull(rig.main, frames::make(shape, 2));
    check_batch(output, shape, 1, 2);
    gst_buffer_unref(output);
  }
}

CHECK_TEST(test_caps) {
  g_autoptr(GstElement) element = gst_element_factory_make("rdpsegment", nullptr);
  for (const char* pad_name : {"sink", "src"}) {
    g_autoptr(GstPad) pad = gst_element_get_static_pad(element, pad_name);
    for (const char* backend : {"auto", "cpu", "cuda"}) {
      gst_util_set_object_arg(G_OBJECT(element), "backend", backend);
      g_autoptr(GstCaps) caps = gst_pad_query_caps(pad, nullptr);
      for (const char* format : {"GRAY16_LE", "GRAY8"}) {
        const std::string text = std::string("video/x-raw(memory:NVMM),format=") + format +
                                 ",width=8,height=8,framerate=30/1";
        g_autoptr(GstCaps) wanted = gst_caps_from_string(text.c_str());
        fail_unless(gst_caps_is_subset(wanted, caps), "%s, backend %s", text.c_str(), backend);
      }
    }
  }
}

CHECK_CASE(rdpsegment_nvmm)
