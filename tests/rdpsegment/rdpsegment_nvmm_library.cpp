// SPDX-License-Identifier: LGPL-2.1-or-later
// rdpsegment with NVIDIA's buffer library, as far as the stand-in emulates it. Covers surface
// arrays through EGL images, on GPU and CPU, and pictures in NVMM memory. Runs with both library
// generations, as on a Jetson and as on other machines; the latter also on a real GPU.
#include "tests/support/check_test.h"
#include "tests/support/crops.h"
#include "tests/support/nvmm_cuda_frames.h"
#include "tests/support/nvmm_rig.h"

using frames::Shape;
using nvmm_cuda_frames::batch_in;
using nvmm_cuda_frames::content_of;
using nvmm_cuda_frames::Device;
using nvmm_cuda_frames::make_of_library;
using namespace nvmm_frames;

namespace {

bool is_jetson() { return g_strcmp0(g_getenv("STANDIN_NVMM_PLATFORM"), "dgpu") != 0; }

// Numbers of calls so far that register, unregister, map and unmap images.
struct Registrations {
  int registered = standin::count("cuGraphicsEGLRegisterImage");
  int unregistered = standin::count("cuGraphicsUnregisterResource");
  int mapped = standin_nvmm::count("NvBufSurfaceMapEglImage");
  int unmapped = standin_nvmm::count("NvBufSurfaceUnMapEglImage");
};

// Fails if resources of surface arrays are left.
void check_nothing_left() {
  fail_unless_equals_int(standin::live("resources"), 0);
  fail_unless_equals_int(standin_nvmm::live("images"), 0);
  fail_unless_equals_int(standin_nvmm::live("surfaces"), 0);
  fail_unless_equals_int(standin_nvmm::live("maps"), 0);
}

GstBuffer* make_array(const Shape& shape, guint surfaces = 1, unsigned seed = 1) {
  return make_of_library(shape, nvmm_frames::kSurfaceArray, surfaces, seed);
}

std::vector<std::uint8_t> samples_of(GstBuffer* buffer, const Shape& shape, guint index) {
  std::uint8_t* surface = nvmm_cuda_frames::surface_of(buffer);
  const auto* list = nvmm_cuda_frames::field<std::uint8_t*>(surface, nvmm_abi::surface::kList);
  const auto pitch = nvmm_cuda_frames::field<std::uint32_t>(
      list + index * standin_nvmm::params_size(), nvmm_abi::params::kPlanePitch);
  const auto* data =
      static_cast<std::uint8_t*>(standin_nvmm::data(surface, static_cast<int>(index)));
  return rdp::test::tight_samples({reinterpret_cast<const std::byte*>(data),
                                   static_cast<std::ptrdiff_t>(pitch), shape.width, shape.height,
                                   frames::sample_type(shape)});
}

}  // namespace

// --- surface arrays -----------------------------------------------------------------------------

CHECK_TEST(test_surface_arrays, is_jetson()) {
  const Shape shapes[] = {{GST_VIDEO_FORMAT_GRAY16_LE, 64, 48}, {GST_VIDEO_FORMAT_GRAY8, 33, 31}};
  for (const Shape& shape : shapes) {
    for (const char* backend : {"auto", "cuda", "cpu"}) {
      for (const bool reconstruct : {false, true}) {
        Rig rig(shape, backend, reconstruct);
        GstBuffer* input = make_array(shape, 3, 4);
        GstMemory* memory = memory_of(input);
        const int written = standin_nvmm::count("NvBufSurfaceSyncForDevice");
        g_autoptr(GstBuffer) output = gst_harness_push_and_pull(rig.main, input);
        fail_unless(output != nullptr);
        // Only the CPU's writes must be synchronised to the device.
        fail_unless_equals_int(standin_nvmm::count("NvBufSurfaceSyncForDevice") - written,
                               reconstruct && g_str_equal(backend, "cpu") ? 3 : 0);
        fail_unless(memory_of(output) == memory);
        check_batch(output, shape, 3, 4);
        fail_unless(nvmm_frames::backend_in_use(rig.element) ==
                    (g_str_equal(backend, "cpu") ? "cpu" : "cuda"));
        for (guint i = 0; i < 3; ++i) {
          const auto expected = expect(shape, 4 + i);
          fail_unless(samples_of(output, shape, i) ==
                      (reconstruct ? expected.reconstructed : expected.samples));
        }
      }
      check_nothing_left();
    }
  }
}

// Cropped in place, through the EGL image and through the library's mapping for the CPU.
CHECK_TEST(test_crops_of_surface_arrays, is_jetson()) {
  const Shape picture{GST_VIDEO_FORMAT_GRAY16_LE, 64, 48};
  for (const char* backend : {"cuda", "cpu"}) {
    Rig rig(picture, backend, true);
    for (const crops::Rectangle& crop : crops::of(picture)) {
      const std::string caps = nvmm_frames::caps_string(crops::shape_of(crop, picture));
      gst_harness_set_src_caps_str(rig.main, caps.c_str());
      GstBuffer* input = make_array(picture, 2, 4);
      crops::add(input, crop);
      g_autoptr(GstBuffer) output = gst_harness_push_and_pull(rig.main, input);
      fail_unless(output != nullptr);
      for (guint i = 0; i < 2; ++i) {
        const crops::Cut cut(crop, picture, 4 + i);
        frames::check_segmentation(gst_rdp_buffer_get_batch_segmentation(output, i), cut.shape,
                                   cut.samples, nvmm_frames::test_parameters());
        // Everything outside the crop is unchanged.
        std::vector<std::uint8_t> wanted = expect(picture, 4 + i).samples;
        const std::vector<std::uint8_t> lines = cut.reconstructed(nvmm_frames::test_parameters());
        const auto row_bytes = static_cast<gsize>(cut.shape.stride);
        for (int row = 0; row < crop.height; ++row) {
          std::memcpy(wanted.data() + static_cast<gsize>(((crop.y + row) * 64 + crop.x) * 2),
                      lines.data() + static_cast<gsize>(row) * row_bytes, row_bytes);
        }
        fail_unless(samples_of(output, picture, i) == wanted);
      }
    }
    check_nothing_left();
  }
}

// One registration per surface of the pool, however long the stream, for two elements together; all
// of them end with the pool.
CHECK_TEST(test_registrations_are_bounded, is_jetson()) {
  constexpr guint kBuffers = 4;
  constexpr guint kSurfaces = 2;
  constexpr int kFrames = 10000;
  const Shape shape{GST_VIDEO_FORMAT_GRAY16_LE, 8, 8};
  const Registrations before;
  int made = 0;
  GstBufferPool* pool = nvmm_frames::new_pool(
      kBuffers,
      [&] {
        ++made;
        return make_array(shape, kSurfaces);
      },
      standin_nvmm::surface_size());
  {
    Rig upstream(shape, "auto");
    Rig downstream(shape, "auto");
    std::vector<GstBuffer*> queue;  // so that all buffers of the pool are used
    for (int i = 0; i < kFrames; ++i) {
      GstBuffer* input = nullptr;
      fail_unless_equals_int(gst_buffer_pool_acquire_buffer(pool, &input, nullptr), GST_FLOW_OK);
      GstBuffer* output = gst_harness_push_and_pull(
          downstream.main, gst_harness_push_and_pull(upstream.main, input));
      fail_unless(output != nullptr);
      if (i % 1000 == 0) check_batch(output, shape, kSurfaces, 1);
      queue.push_back(output);
      if (queue.size() < kBuffers) continue;
      gst_buffer_unref(queue.front());
      queue.erase(queue.begin());
    }
    for (GstBuffer* buffer : queue) gst_buffer_unref(buffer);
  }
  fail_unless_equals_int(made, kBuffers);
  const Registrations after;
  fail_unless_equals_int(after.registered - before.registered, kBuffers * kSurfaces);
  fail_unless_equals_int(after.mapped - before.mapped, kBuffers * kSurfaces);
  fail_unless_equals_int(after.unregistered - before.unregistered, 0);
  fail_unless_equals_int(standin::live("resources"), kBuffers * kSurfaces);
  gst_buffer_pool_set_active(pool, FALSE);
  gst_object_unref(pool);
  const Registrations end;
  fail_unless_equals_int(end.unregistered - before.unregistered, kBuffers * kSurfaces);
  fail_unless_equals_int(end.unmapped - before.unmapped, kBuffers * kSurfaces);
  check_nothing_left();
  fail_unless_equals_int(standin_nvmm::live("early"), 0);
}

// A pool that is replaced in mid-stream takes its registrations with it.
CHECK_TEST(test_replaced_pools, is_jetson()) {
  const Shape shapes[] = {{GST_VIDEO_FORMAT_GRAY16_LE, 16, 8}, {GST_VIDEO_FORMAT_GRAY8, 40, 9}};
  Rig rig(shapes[0], "auto");
  for (int i = 0; i < 6; ++i) {
    const Shape& shape = shapes[i % 2];
    gst_harness_set_src_caps_str(rig.main, nvmm_frames::caps_string(shape).c_str());
    GstBufferPool* pool = nvmm_frames::new_pool(
        2, [&] { return make_array(shape); }, standin_nvmm::surface_size());
    for (int frame = 0; frame < 5; ++frame) {
      GstBuffer* input = nullptr;
      fail_unless_equals_int(gst_buffer_pool_acquire_buffer(pool, &input, nullptr), GST_FLOW_OK);
      g_autoptr(GstBuffer) output = gst_harness_push_and_pull(rig.main, input);
      check_batch(output, shape, 1, 1);
    }
    fail_unless_equals_int(standin::live("resources"), 1);
    gst_buffer_pool_set_active(pool, FALSE);
    gst_object_unref(pool);
    check_nothing_left();
  }
}

// The element is stopped and started again while the producer keeps its surfaces.
CHECK_TEST(test_restart, is_jetson()) {
  const Shape shape;
  GstBufferPool* pool = nvmm_frames::new_pool(
      1, [&] { return make_array(shape); }, standin_nvmm::surface_size());
  for (int i = 0; i < 3; ++i) {
    Rig rig(shape, "auto");
    GstBuffer* input = nullptr;
    fail_unless_equals_int(gst_buffer_pool_acquire_buffer(pool, &input, nullptr), GST_FLOW_OK);
    GstBuffer* output = gst_harness_push_and_pull(rig.main, input);
    check_batch(output, shape, 1, 1);
    gst_buffer_unref(output);
    fail_unless_equals_int(standin::live("resources"), 1);
  }
  gst_buffer_pool_set_active(pool, FALSE);
  gst_object_unref(pool);
  check_nothing_left();
}

// Images made by another element are used and left to it; an image that it removes is replaced.
CHECK_TEST(test_images_of_others, is_jetson()) {
  auto& map = standin_nvmm::need<int(void*, int)>("NvBufSurfaceMapEglImage");
  auto& unmap = standin_nvmm::need<int(void*, int)>("NvBufSurfaceUnMapEglImage");
  const Shape shape;
  Rig rig(shape, "auto");
  GstBuffer* buffer = make_array(shape);
  void* surface = nvmm_cuda_frames::surface_of(buffer);
  fail_unless_equals_int(map(surface, 0), 0);
  const Registrations before;
  buffer = gst_harness_push_and_pull(rig.main, buffer);
  check_batch(buffer, shape, 1, 1);
  fail_unless_equals_int(Registrations().mapped - before.mapped, 0);
  // Removed while registered, which the other element cannot know.
  fail_unless_equals_int(unmap(surface, 0), 0);
  fail_unless_equals_int(standin_nvmm::live("early"), 1);
  buffer = gst_harness_push_and_pull(rig.main, buffer);
  check_batch(buffer, shape, 1, 1);
  fail_unless_equals_int(Registrations().mapped - before.mapped, 1);
  fail_unless_equals_int(Registrations().registered - before.registered, 2);
  fail_unless_equals_int(standin::live("resources"), 1);
  // Another buffer behind the same structure.
  std::uint8_t* list = nvmm_cuda_frames::field<std::uint8_t*>(static_cast<std::uint8_t*>(surface),
                                                              nvmm_abi::surface::kList);
  list[nvmm_abi::params::kBufferDesc] ^= 1;
  buffer = gst_harness_push_and_pull(rig.main, buffer);
  fail_unless_equals_int(Registrations().registered - before.registered, 3);
  gst_buffer_unref(buffer);
  fail_unless_equals_int(standin_nvmm::live("images"), 0);
  fail_unless_equals_int(standin::live("resources"), 0);
  fail_unless_equals_int(standin_nvmm::live("surfaces"), 0);
}

// A failure costs only its frame, and nothing leaks.
CHECK_TEST(test_failures, is_jetson()) {
  const Shape shape;
  Rig rig(shape, "auto");
  const auto good = [&] {
    g_autoptr(GstBuffer) output = gst_harness_push_and_pull(rig.main, make_array(shape, 2, 5));
    fail_unless(output != nullptr);
    check_batch(output, shape, 2, 5);
  };
  good();
  const int alive = standin::live("all");
  standin_nvmm::inject("NvBufSurfaceMapEglImage", 2);
  fail_unless_equals_int(gst_harness_push(rig.main, make_array(shape, 2)), GST_FLOW_ERROR);
  frames::check_error(rig.bus, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT,
                      "NvBufSurfaceMapEglImage() fails for surface 1");
  good();
  for (const char* call : {"cuGraphicsEGLRegisterImage", "cuGraphicsResourceGetMappedEglFrame"}) {
    GstBuffer* bad = make_array(shape, 2);
    standin::inject(call, 2, CUDA_ERROR_UNKNOWN);
    fail_unless_equals_int(gst_harness_push(rig.main, bad), GST_FLOW_ERROR);
    frames::check_error(rig.bus, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_FAILED,
                        "CUDA_ERROR_UNKNOWN");
    good();
  }
  fail_unless(standin::live("all") <= alive);
  check_nothing_left();
}

CHECK_TEST(test_block_linear, is_jetson()) {
  const Shape shape;
  Rig rig(shape, "auto");
  GstBuffer* input = make_of_library(shape, nvmm_frames::kSurfaceArray, 1, 1, 1);
  fail_unless_equals_int(gst_harness_push(rig.main, input), GST_FLOW_ERROR);
  frames::check_error(rig.bus, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT, "block linear");
}

// The CPU maps surface arrays through the library.
CHECK_TEST(test_cpu_failures, is_jetson()) {
  const Shape shape;
  Rig rig(shape, "cpu", true);
  for (const char* call : {"NvBufSurfaceMap", "NvBufSurfaceSyncForCpu"}) {
    standin_nvmm::inject(call, 1);
    fail_unless_equals_int(gst_harness_push(rig.main, make_array(shape)), GST_FLOW_ERROR);
    frames::check_error(rig.bus, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT, call);
    g_autoptr(GstBuffer) output = gst_harness_push_and_pull(rig.main, make_array(shape));
    check_batch(output, shape, 1, 1);
    fail_unless(samples_of(output, shape, 0) == expect(shape, 1).reconstructed);
  }
  check_nothing_left();
}

namespace {

// Sends a buffer through another element.
struct Interruption {
  Rig* other;
  GstBuffer* buffer;
  GstBuffer* output;
};

GstPadProbeReturn interrupt(GstPad*, GstPadProbeInfo* info, gpointer data) {
  auto* now = static_cast<Interruption*>(data);
  if (GST_QUERY_TYPE(GST_PAD_PROBE_INFO_QUERY(info)) != GST_QUERY_ALLOCATION) {
    return GST_PAD_PROBE_OK;
  }
  fail_unless_equals_int(standin_nvmm::live("maps"), 1);
  now->output = gst_harness_push_and_pull(now->other->main, now->buffer);
  return GST_PAD_PROBE_REMOVE;
}

}  // namespace

// Two branches of a tee read the same surfaces concurrently: the second starts and ends while the
// first requests memory for its picture.
CHECK_TEST(test_two_readers_on_the_cpu, is_jetson()) {
  const Shape shape{GST_VIDEO_FORMAT_GRAY16_LE, 52, 40};
  const int mapped = standin_nvmm::count("NvBufSurfaceMap");
  Rig reader(shape, "cpu", false, "video/x-raw,format=RGBA");
  Rig other(shape, "cpu");
  GstBuffer* input = make_array(shape, 1, 6);
  Interruption interruption{&other, gst_buffer_ref(input), nullptr};
  gst_pad_add_probe(reader.overlay->sinkpad, GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM, interrupt,
                    &interruption, nullptr);
  GstBuffer* output = gst_harness_push_and_pull(reader.main, input);
  check_batch(output, shape, 1, 6);
  check_batch(interruption.output, shape, 1, 6);
  GstBuffer* picture = gst_harness_pull(reader.overlay);
  fail_unless(frames::bytes(picture) == expect(shape, 6).picture);
  fail_unless_equals_int(standin_nvmm::count("NvBufSurfaceMap") - mapped, 1);
  gst_buffer_unref(picture);
  gst_buffer_unref(output);
  gst_buffer_unref(interruption.output);
  check_nothing_left();
}

// --- the layout of batches ----------------------------------------------------------------------

// If the memory's size does not give the distance of surfaces, the library does.
CHECK_TEST(test_layout_of_library) {
  const Shape shape;
  Rig rig(shape, "cpu");
  Batch batch{{standin_nvmm::surface_size(), standin_nvmm::params_size()}};
  batch.size = batch.filled = 3;
  const auto surface = nvmm_frames::make_surface(shape, batch, 2);
  std::vector<std::uint64_t> padded(512, 0);
  std::memcpy(padded.data(), surface->bytes(), surface->size());
  GstBuffer* input = gst_buffer_new();
  gst_buffer_append_memory(input, gst_memory_new_wrapped(GST_MEMORY_FLAG_NO_SHARE, padded.data(),
                                                         4096, 0, 4096, nullptr, nullptr));
  GstBuffer* output = gst_harness_push_and_pull(rig.main, input);
  check_batch(output, shape, 3, 2);
  gst_buffer_unref(output);
  // A producer of the other generation is still recognised by its memory size.
  for (const auto& abi : {nvmm_frames::kClassic, nvmm_frames::kExtended}) {
    batch.abi = abi;
    output = gst_harness_push_and_pull(rig.main, nvmm_frames::make(shape, batch, 2));
    check_batch(output, shape, 3, 2);
    gst_buffer_unref(output);
  }
}

// --- pictures -----------------------------------------------------------------------------------

namespace {

// Streams through an element whose overlay sink takes `pictures`. Checks each picture; returns
// their NVMM memory type, or -1 for other memory.
int stream_pictures(Rig* rig, const Shape& shape, const std::shared_ptr<Device>& device,
                    const std::function<GstBuffer*()>& make) {
  const auto expected = expect(shape, 6).picture;
  int type = -1;
  for (int i = 0; i < 6; ++i) {
    g_autoptr(GstBuffer) output = gst_harness_push_and_pull(rig->main, make());
    fail_unless(output != nullptr);
    g_autoptr(GstBuffer) picture = gst_harness_pull(rig->overlay);
    GstCaps* caps = gst_pad_get_current_caps(rig->overlay->sinkpad);
    const bool nvmm = gst_caps_features_contains(gst_caps_get_features(caps, 0), "memory:NVMM");
    gst_caps_unref(caps);
    if (nvmm) {
      std::uint8_t* surface = nvmm_cuda_frames::surface_of(picture);
      fail_unless_equals_uint64(gst_buffer_get_size(picture), standin_nvmm::surface_size());
      fail_unless_equals_int(
          nvmm_cuda_frames::field<std::uint32_t>(surface, nvmm_abi::surface::kNumFilled), 1);
      type = nvmm_cuda_frames::field<std::int32_t>(surface, nvmm_abi::surface::kMemType);
      fail_unless(content_of(device, picture, static_cast<gsize>(4 * shape.width), shape.height) ==
                      expected,
                  "picture %d is wrong", i);
    } else {
      fail_unless(frames::bytes(picture) == expected, "picture %d is wrong", i);
    }
    fail_unless(GST_BUFFER_PTS(picture) == GST_BUFFER_PTS(output));
  }
  return type;
}

constexpr const char* kNvmmPictures = "video/x-raw(memory:NVMM),format=RGBA";

}  // namespace

// Pictures of NVMM frames on the GPU use the platform's preferred memory.
CHECK_TEST(test_pictures_of_nvmm_frames) {
  const auto device = std::make_shared<Device>();
  const Shape shape{GST_VIDEO_FORMAT_GRAY16_LE, 52, 40};
  const int preferred = is_jetson() ? nvmm_frames::kSurfaceArray : nvmm_frames::kDevice;
  const int created = standin_nvmm::count("NvBufSurfaceCreate");
  for (const int type : {nvmm_frames::kDevice, nvmm_frames::kPinned, nvmm_frames::kUnified}) {
    Rig rig(shape, "auto", true, kNvmmPictures);
    fail_unless_equals_int(
        stream_pictures(&rig, shape, device,
                        [&] { return nvmm_frames::make(shape, batch_in(device, type), 6); }),
        preferred);
  }
  // One surface per stream: a pool of one is enough if pictures are returned.
  fail_unless_equals_int(standin_nvmm::count("NvBufSurfaceCreate") - created, 3);
  check_nothing_left();
}

// Pictures of frames processed on the CPU, or by the GPU outside the primary context, are in memory
// that both reach.
CHECK_TEST(test_pictures_of_other_frames) {
  const auto device = std::make_shared<Device>();
  const Shape shape{GST_VIDEO_FORMAT_GRAY16_LE, 52, 40};
  const int reachable = is_jetson() ? nvmm_frames::kSurfaceArray : nvmm_frames::kPinned;
  for (const char* backend : {"auto", "cpu", "cuda"}) {
    Rig rig(shape, backend, false, kNvmmPictures, frames::caps_string(shape));
    fail_unless_equals_int(
        stream_pictures(&rig, shape, device, [&] { return frames::make(shape, 6); }), reachable);
  }
  Rig rig(shape, "cpu", false, kNvmmPictures);
  fail_unless_equals_int(
      stream_pictures(&rig, shape, device, [&] { return nvmm_frames::make(shape, {}, 6); }),
      reachable);
}

// Host memory belongs to no device: the user may select one, and the pictures are on that device.
CHECK_TEST(test_pictures_of_the_users_device) {
  if (is_jetson() || !standin::available()) return;
  standin::set_devices(2);
  const auto device = std::make_shared<Device>();
  const Shape shape{GST_VIDEO_FORMAT_GRAY16_LE, 52, 40};
  for (const int chosen : {-1, 0, 1}) {
    Rig rig(shape, "cuda", false, kNvmmPictures);
    g_object_set(rig.element, "cuda-device-id", chosen, nullptr);
    gst_element_set_state(rig.element, GST_STATE_NULL);
    gst_element_set_state(rig.element, GST_STATE_PLAYING);
    gst_harness_set_src_caps_str(rig.main, nvmm_frames::caps_string(shape).c_str());
    const auto of_pictures = std::make_shared<Device>(std::max(chosen, 0));
    for (const int type : {nvmm_frames::kPinned, nvmm_frames::kSystem}) {
      fail_unless_equals_int(
          stream_pictures(&rig, shape, of_pictures,
                          [&] { return nvmm_frames::make(shape, batch_in(device, type), 6); }),
          nvmm_frames::kDevice);
    }
  }
  standin::set_devices(1);
}

// Frames in CUDA memory, where there is such.
CHECK_TEST(test_pictures_of_cuda_frames) {
  GstElementFactory* upload = gst_element_factory_find("depthupload");
  if (upload == nullptr) return;
  gst_object_unref(upload);
  const auto device = std::make_shared<Device>();
  const Shape shape{GST_VIDEO_FORMAT_GRAY16_LE, 52, 40};
  g_autoptr(GstHarness) uploader = gst_harness_new("depthupload");
  gst_harness_set_src_caps_str(uploader, frames::caps_string(shape).c_str());
  std::string caps = frames::caps_string(shape);
  caps.insert(std::strlen("video/x-raw"), "(memory:CUDAMemory)");
  Rig rig(shape, "auto", false, kNvmmPictures, caps);
  fail_unless_equals_int(
      stream_pictures(&rig, shape, device,
                      [&] { return gst_harness_push_and_pull(uploader, frames::make(shape, 6)); }),
      is_jetson() ? nvmm_frames::kSurfaceArray : nvmm_frames::kPinned);
}

// Downstream gets system memory unless its caps name NVMM memory; if they name both, it gets NVMM.
CHECK_TEST(test_who_gets_nvmm_pictures) {
  const auto device = std::make_shared<Device>();
  const Shape shape{GST_VIDEO_FORMAT_GRAY16_LE, 52, 40};
  const auto make = [&] {
    return nvmm_frames::make(shape, batch_in(device, nvmm_frames::kDevice), 6);
  };
  {
    Rig rig(shape, "auto", false, "video/x-raw");
    fail_unless_equals_int(stream_pictures(&rig, shape, device, make), -1);
  }
  {
    Rig rig(shape, "auto", false, "video/x-raw;video/x-raw(memory:NVMM)");
    fail_unless(stream_pictures(&rig, shape, device, make) > 0);
  }
  {
    Rig rig(shape, "auto", false, "video/x-raw(memory:CUDAMemory);video/x-raw(memory:NVMM)");
    fail_unless(stream_pictures(&rig, shape, device, make) > 0);
  }
}

// The library creates no surface: one error that says so.
CHECK_TEST(test_no_memory_for_pictures) {
  const auto device = std::make_shared<Device>();
  const Shape shape;
  Rig rig(shape, "auto", false, kNvmmPictures);
  GstBuffer* input = nvmm_frames::make(shape, batch_in(device, nvmm_frames::kDevice));
  standin_nvmm::inject("NvBufSurfaceCreate", 1);
  fail_unless_equals_int(gst_harness_push(rig.main, input), GST_FLOW_ERROR);
  frames::check_error(rig.bus, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NO_SPACE_LEFT,
                      "No memory for the overlay's pictures");
}

static std::string missing() {
  if (!standin_nvmm::available()) return "needs the stand-in for libnvbufsurface";
  if (is_jetson() && !standin::available()) return "a Jetson's EGL images need the stand-in driver";
  return nvmm_cuda_frames::missing();
}

CHECK_CASE(rdpsegment_nvmm_library, .missing = missing)
