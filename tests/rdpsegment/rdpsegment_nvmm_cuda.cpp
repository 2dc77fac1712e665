// SPDX-License-Identifier: LGPL-2.1-or-later
// rdpsegment on NVMM frames, on the GPU: all memory types that a device reads directly. The program
// runs on the stand-in driver and on a real one.
#include "tests/support/check_test.h"
#include "tests/support/crops.h"
#include "tests/support/nvmm_cuda_frames.h"
#include "tests/support/overlay_surface.h"

using frames::Shape;
using nvmm_cuda_frames::batch_in;
using nvmm_cuda_frames::Device;
using namespace nvmm_frames;

namespace {

constexpr int kTypes[] = {nvmm_frames::kDevice, nvmm_frames::kUnified, nvmm_frames::kPinned,
                          nvmm_frames::kSystem};

std::shared_ptr<Device> new_device() { return std::make_shared<Device>(); }

// The serialized segmentation of a buffer's frame.
std::string serialized(GstBuffer* buffer, guint index = 0) {
  GBytes* bytes =
      gst_rdp_segmentation_to_bytes(gst_rdp_buffer_get_batch_segmentation(buffer, index));
  gsize size = 0;
  const auto* data = static_cast<const char*>(g_bytes_get_data(bytes, &size));
  const std::string result(data, size);
  g_bytes_unref(bytes);
  return result;
}

}  // namespace

CHECK_TEST(test_memory_types) {
  const auto device = new_device();
  const Shape shapes[] = {{GST_VIDEO_FORMAT_GRAY16_LE, 64, 48},
                          {GST_VIDEO_FORMAT_GRAY8, 31, 33},
                          {GST_VIDEO_FORMAT_GRAY16_LE, 1, 1}};
  for (const Shape& shape : shapes) {
    for (const auto& abi : {nvmm_frames::kClassic, nvmm_frames::kExtended}) {
      for (const int type : kTypes) {
        for (const char* backend : {"auto", "cuda"}) {
          for (const bool reconstruct : {false, true}) {
            Batch batch = batch_in(device, type, abi);
            batch.size = 4;
            batch.filled = 3;
            // Odd in samples of 16 bits, odd in bytes for those of 8.
            const gsize sample = shape.format == GST_VIDEO_FORMAT_GRAY8 ? 1 : 2;
            batch.pitch = static_cast<gsize>(shape.width) * sample + 7 * sample;
            batch.offset = 3 * sample;
            Rig rig(shape, backend, reconstruct);
            const auto surface = nvmm_frames::make_surface(shape, batch, 20);
            std::vector<std::vector<std::uint8_t>> before;
            for (guint i = 0; i < batch.size; ++i) before.push_back(surface->content(i));
            GstBuffer* input = nvmm_frames::wrap(surface);
            GstMemory* memory = memory_of(input);
            g_autoptr(GstBuffer) output = gst_harness_push_and_pull(rig.main, input);
            fail_unless(output != nullptr);
            fail_unless(memory_of(output) == memory);
            const bool on_cpu = type == nvmm_frames::kSystem && g_str_equal(backend, "auto");
            fail_unless(nvmm_frames::backend_in_use(rig.element) == (on_cpu ? "cpu" : "cuda"));
            check_batch(output, shape, batch.filled, 20);
            for (guint i = 0; i < batch.size; ++i) {
              if (reconstruct && i < batch.filled) {
                fail_unless(surface->samples(i) == expect(shape, 20 + i).reconstructed);
              } else {
                fail_unless(surface->content(i) == before[i], "surface %u was written to", i);
              }
            }
          }
        }
      }
    }
  }
}

// Frames cropped in place, at odd positions: nothing outside the crop is written.
CHECK_TEST(test_crops) {
  const auto device = new_device();
  const Shape pictures[] = {{GST_VIDEO_FORMAT_GRAY16_LE, 64, 48}, {GST_VIDEO_FORMAT_GRAY8, 31, 33}};
  for (const int type : kTypes) {
    Rig rig({}, "cuda", true);
    for (const Shape& picture : pictures) {
      for (const crops::Rectangle& crop : crops::of(picture)) {
        Batch batch = batch_in(device, type);
        batch.size = batch.filled = 2;
        const std::string caps = nvmm_frames::caps_string(crops::shape_of(crop, picture));
        gst_harness_set_src_caps_str(rig.main, caps.c_str());
        const auto surface = nvmm_frames::make_surface(picture, batch, 20);
        const std::vector<std::uint8_t> before[] = {surface->content(0), surface->content(1)};
        GstBuffer* input = nvmm_frames::wrap(surface);
        crops::add(input, crop);
        g_autoptr(GstBuffer) output = gst_harness_push_and_pull(rig.main, input);
        fail_unless(output != nullptr);
        for (guint i = 0; i < batch.filled; ++i) {
          const crops::Cut cut(crop, picture, 20 + i);
          frames::check_segmentation(gst_rdp_buffer_get_batch_segmentation(output, i), cut.shape,
                                     cut.samples, nvmm_frames::test_parameters());
          const std::vector<std::uint8_t> after = surface->content(i);
          fail_unless(crops::cut(crop, picture, surface->pitch(), after.data()) ==
                      cut.reconstructed(nvmm_frames::test_parameters()));
          for (gsize byte = 0; byte < after.size(); ++byte) {
            fail_unless(crops::contains(crop, picture, surface->pitch(), byte) ||
                        after[byte] == before[i][byte]);
          }
        }
      }
    }
  }
}

// NVMM, CUDA and system memory give the same segmentations, byte for byte.
CHECK_TEST(test_same_bits) {
  const auto device = new_device();
  const Shape shape{GST_VIDEO_FORMAT_GRAY16_LE, 320, 200};
  Rig plain(shape, "cpu", false, nullptr, frames::caps_string(shape));
  GstBuffer* reference = gst_harness_push_and_pull(plain.main, frames::make(shape, 9));
  const std::string expected = serialized(reference);
  gst_buffer_unref(reference);

  Rig system(shape, "cuda", false, nullptr, frames::caps_string(shape));
  GstBuffer* output = gst_harness_push_and_pull(system.main, frames::make(shape, 9));
  fail_unless(serialized(output) == expected);
  gst_buffer_unref(output);

  for (const int type : kTypes) {
    for (const char* backend : {"auto", "cuda"}) {
      Rig rig(shape, backend);
      output =
          gst_harness_push_and_pull(rig.main, nvmm_frames::make(shape, batch_in(device, type), 9));
      fail_unless(serialized(output) == expected, "memory type %d, backend %s", type, backend);
      gst_buffer_unref(output);
    }
  }

  GstElementFactory* upload = gst_element_factory_find("depthupload");
  if (upload == nullptr) return;  // a build without memory:CUDAMemory
  gst_object_unref(upload);
  g_autoptr(GstHarness) cuda = gst_harness_new_parse("depthupload ! rdpsegment epsilon=300");
  gst_harness_set_src_caps_str(cuda, frames::caps_string(shape).c_str());
  output = gst_harness_push_and_pull(cuda, frames::make(shape, 9));
  fail_unless(serialized(output) == expected);
  gst_buffer_unref(output);
}

// The first frame's segments exceed the capacity: later surfaces of the batch, overwritten earlier,
// are segmented only once.
CHECK_TEST(test_growing_batch) {
  const auto device = new_device();
  const Shape shape{GST_VIDEO_FORMAT_GRAY16_LE, 32, 256};
  for (const int type : kTypes) {
    Rig rig(shape, "cuda", true);
    // Lines that differ from the samples: segmenting them gives other segments.
    rdp::Parameters parameters = nvmm_frames::test_parameters();
    parameters.refine = true;
    g_object_set(rig.element, "refine", TRUE, nullptr);
    Batch batch = batch_in(device, type);
    batch.size = batch.filled = 3;
    const auto surface = nvmm_frames::make_surface(shape, batch, 20);
    const frames::Content contents[] = {frames::draw(shape, frames::Scene::kNoise, 1),
                                        frames::draw(shape, frames::Scene::kStreet, 2),
                                        frames::draw(shape, frames::Scene::kSurface, 3)};
    for (guint i = 0; i < batch.filled; ++i) {
      surface->write(i, contents[i].samples.data(), frames::row_bytes(shape));
    }
    g_autoptr(GstBuffer) output = gst_harness_push_and_pull(rig.main, nvmm_frames::wrap(surface));
    fail_unless(output != nullptr);
    for (guint i = 0; i < batch.filled; ++i) {
      const Expected expected = rdp::test::expect(contents[i].view(), parameters);
      const std::string wrong =
          frames::difference(expected.segments, gst_rdp_buffer_get_batch_segmentation(output, i));
      fail_unless(wrong.empty(), "memory type %d, surface %u: %s", type, i, wrong.c_str());
      fail_unless(surface->samples(i) == expected.reconstructed, "memory type %d, surface %u", type,
                  i);
    }
  }
}

// The samples are not copied: neither to the device nor from it, nor on it.
CHECK_TEST(test_no_copies) {
  if (!standin::available()) return;
  const auto device = new_device();
  const Shape shape{GST_VIDEO_FORMAT_GRAY16_LE, 200, 150};
  for (const int type : {nvmm_frames::kDevice, nvmm_frames::kUnified, nvmm_frames::kPinned}) {
    for (const bool reconstruct : {false, true}) {
      Rig rig(shape, "auto", reconstruct);
      for (unsigned seed = 1; seed < 5; ++seed) {
        GstBuffer* input = nvmm_frames::make(shape, batch_in(device, type), seed);
        const auto before = standin::bytes_copied(nullptr);
        g_autoptr(GstBuffer) output = gst_harness_push_and_pull(rig.main, input);
        // These segments are unread. The previous frame's were read, if there was one, so these
        // were copied along.
        std::uint64_t segments = 0;
        for (guint i = 0; seed > 1; ++i) {
          GstRdpSegmentation* of = gst_rdp_buffer_get_batch_segmentation(output, i);
          if (of == nullptr) break;
          segments += (gst_rdp_segmentation_get_n_columns(of) + 1) * sizeof(guint32) +
                      gst_rdp_segmentation_get_n_segments(of) * sizeof(GstRdpSegment);
        }
        fail_unless_equals_uint64(standin::bytes_copied(nullptr) - before, segments);
        check_batch(output, shape, 1, seed);
      }
    }
  }
}

// A shared buffer from a pool.
CHECK_TEST(test_shared_buffers_of_a_pool) {
  const auto device = new_device();
  const Shape shape;
  int made = 0;
  g_autoptr(GstBufferPool) pool = nvmm_frames::new_pool(2, [&] {
    ++made;
    return nvmm_frames::make(shape, batch_in(device, nvmm_frames::kDevice));
  });
  {
    Rig rig(shape, "auto");
    for (int i = 0; i < 20; ++i) {
      GstBuffer* input = nullptr;
      fail_unless_equals_int(gst_buffer_pool_acquire_buffer(pool, &input, nullptr), GST_FLOW_OK);
      g_autoptr(GstBuffer) held = gst_buffer_ref(input);
      g_autoptr(GstBuffer) output = gst_harness_push_and_pull(rig.main, input);
      fail_unless(memory_of(output) == memory_of(held));
      check_batch(output, shape, 1, 1);
    }
    fail_unless_equals_int(made, 1);
  }
  gst_buffer_pool_set_active(pool, FALSE);
}

// Input fatal to the device is refused before any launch: the next frame works in the same context.
CHECK_TEST(test_malformed) {
  const auto device = new_device();
  const Shape shape;
  Batch batch = batch_in(device, nvmm_frames::kDevice);
  batch.size = batch.filled = 2;
  Rig rig(shape, "auto");
  const auto refuse = [&](const std::shared_ptr<Surface>& surface, const char* part) {
    fail_unless_equals_int(gst_harness_push(rig.main, nvmm_frames::wrap(surface)), GST_FLOW_ERROR);
    frames::check_error(rig.bus, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT, part);
    fail_unless(gst_harness_try_pull(rig.main) == nullptr);
    g_autoptr(GstBuffer) good =
        gst_harness_push_and_pull(rig.main, nvmm_frames::make(shape, batch, 3));
    check_batch(good, shape, 2, 3);
  };
  const auto make = [&] { return nvmm_frames::make_surface(shape, batch); };

  auto surface = make();
  std::vector<std::uint8_t> ordinary(surface->data_size());
  surface->put<void*>(1, nvmm_frames::params::kData, ordinary.data());
  refuse(surface, "NVBUF_MEM_CUDA_DEVICE, but CUDA knows no memory at its address");

  for (const int type : {nvmm_frames::kPinned, nvmm_frames::kUnified}) {
    surface = make();
    surface->put<std::int32_t>(nvmm_frames::surface::kMemType, type);
    surface->put<void*>(0, nvmm_frames::params::kData, ordinary.data());
    refuse(surface, "CUDA knows no memory at its address");
  }

  surface = make();
  surface->put<std::uint32_t>(nvmm_frames::surface::kGpuId, 99);
  refuse(surface, "gpuId 99, but the driver has");
  surface = make();
  surface->put<std::uint32_t>(nvmm_frames::surface::kGpuId, 0xFFFFFFFF);
  refuse(surface, "gpuId 4294967295");

  // 16-bit samples at odd addresses.
  surface = make();
  surface->put<std::uint32_t>(0, nvmm_frames::params::kPlanePitch, 255);
  refuse(surface, "has a pitch of 255 bytes, but samples of 2 bytes need multiples of 2");
  surface = make();
  surface->put<std::uint32_t>(0, nvmm_frames::params::kPlaneOffset, 1);
  surface->put<std::uint32_t>(0, nvmm_frames::params::kDataSize, 1U << 20);
  refuse(surface, "need multiples of 2 on the GPU");

  // A surface array without its library, or one that the library did not create.
  if (!standin_nvmm::available()) {
    surface = make();
    surface->put<std::int32_t>(nvmm_frames::surface::kMemType, nvmm_frames::kSurfaceArray);
    refuse(surface, "no NVIDIA buffer library");
  }
}

// NVBUF_MEM_DEFAULT with an address is device memory.
CHECK_TEST(test_default_type) {
  const auto device = new_device();
  const Shape shape;
  Rig rig(shape, "auto");
  const auto surface = nvmm_frames::make_surface(shape, batch_in(device, nvmm_frames::kDevice));
  surface->put<std::int32_t>(nvmm_frames::surface::kMemType, nvmm_frames::kDefault);
  g_autoptr(GstBuffer) output = gst_harness_push_and_pull(rig.main, nvmm_frames::wrap(surface));
  check_batch(output, shape, 1, 1);
}

// Memory of another context of the same device cannot be reached by kernels in the primary one.
CHECK_TEST(test_other_context) {
  using Create = CUresult(CUcontext*, unsigned, CUdevice);
  using Destroy = CUresult(CUcontext);
  auto& create = standin::need<Create>("cuCtxCreate_v2");
  auto& destroy = standin::need<Destroy>("cuCtxDestroy_v2");
  CUcontext other = nullptr;
  fail_unless(create(&other, 0, 0) == CUDA_SUCCESS);
  CUcontext popped = nullptr;
  rdp::cuda::driver().cuCtxPopCurrent_v2(&popped);
  CUdeviceptr memory = 0;
  {
    const rdp::cuda::ContextScope scope(other);
    fail_unless(rdp::cuda::driver().cuMemAlloc_v2(&memory, 1 << 16) == CUDA_SUCCESS);
  }
  const auto device = new_device();
  const Shape shape;
  Rig rig(shape, "auto");
  const auto surface = nvmm_frames::make_surface(shape, batch_in(device, nvmm_frames::kDevice));
  surface->put<CUdeviceptr>(0, nvmm_frames::params::kData, memory);
  fail_unless_equals_int(gst_harness_push(rig.main, nvmm_frames::wrap(surface)), GST_FLOW_ERROR);
  frames::check_error(rig.bus, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT,
                      "not of that device's primary CUDA context");
  {
    const rdp::cuda::ContextScope scope(other);
    rdp::cuda::driver().cuMemFree_v2(memory);
  }
  destroy(other);
}

CHECK_TEST(test_other_device) {
  const auto device = new_device();
  const Shape shape;
  if (!standin::available()) return;
  standin::set_devices(2);
  // gpuId 0, but the user selects 1. Host memory belongs to neither.
  for (const int type : kTypes) {
    Rig rig(shape, "cuda");
    g_object_set(rig.element, "cuda-device-id", 1, nullptr);
    gst_element_set_state(rig.element, GST_STATE_NULL);
    gst_element_set_state(rig.element, GST_STATE_PLAYING);
    gst_harness_set_src_caps_str(rig.main, nvmm_frames::caps_string(shape).c_str());
    GstBuffer* input = nvmm_frames::make(shape, batch_in(device, type));
    const GstFlowReturn flow = gst_harness_push(rig.main, input);
    if (type == nvmm_frames::kPinned || type == nvmm_frames::kSystem) {
      fail_unless_equals_int(flow, GST_FLOW_OK);
      GstBuffer* output = gst_harness_pull(rig.main);
      check_batch(output, shape, 1, 1);
      gst_buffer_unref(output);
      fail_unless(nvmm_frames::backend_in_use(rig.element) == "cuda");
      continue;
    }
    fail_unless_equals_int(flow, GST_FLOW_ERROR);
    frames::check_error(rig.bus, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_FAILED,
                        "in NVMM memory of CUDA device 0, but cuda-device-id is 1");
  }
  standin::set_devices(1);
}

// Without a device the CPU processes the memory it can read, and explains the rest.
CHECK_TEST(test_no_device) {
  if (!standin::available()) return;
  const auto device = new_device();
  const Shape shape;
  GstBuffer* pinned = nvmm_frames::make(shape, batch_in(device, nvmm_frames::kPinned));
  GstBuffer* in_device = nvmm_frames::make(shape, batch_in(device, nvmm_frames::kDevice));
  standin::set_devices(0);
  {
    Rig rig(shape, "auto");
    GstBuffer* output = gst_harness_push_and_pull(rig.main, pinned);
    check_batch(output, shape, 1, 1);
    fail_unless(nvmm_frames::backend_in_use(rig.element) == "cpu");
    gst_buffer_unref(output);
    fail_unless_equals_int(gst_harness_push(rig.main, in_device), GST_FLOW_ERROR);
    frames::check_error(rig.bus, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT,
                        "which the CPU cannot read, and the NVIDIA driver finds no CUDA device");
  }
  standin::set_devices(1);
}

// A call that fails costs one frame; the element goes on with the next.
CHECK_TEST(test_failing_calls) {
  if (!standin::available()) return;
  const auto device = new_device();
  const Shape shape;
  for (const char* call : {"cuLaunchKernel", "cuStreamSynchronize", "cuCtxPushCurrent_v2"}) {
    Rig rig(shape, "auto");
    for (int i = 0; i < 3; ++i) {
      GstBuffer* good = gst_harness_push_and_pull(
          rig.main, nvmm_frames::make(shape, batch_in(device, nvmm_frames::kDevice), 2));
      check_batch(good, shape, 1, 2);
      gst_buffer_unref(good);
      GstBuffer* bad = nvmm_frames::make(shape, batch_in(device, nvmm_frames::kDevice));
      standin::inject(call, 1, CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES);
      fail_unless_equals_int(gst_harness_push(rig.main, bad), GST_FLOW_ERROR);
      standin::inject(call, 0, 0);
      frames::check_error(rig.bus, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_FAILED,
                          "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES");
    }
  }
}

// The engine follows the frames from system memory, in any context, to NVMM memory and back.
CHECK_TEST(test_memory_changes) {
  const auto device = new_device();
  const Shape shape;
  Rig rig(shape, "cuda");
  for (int i = 0; i < 3; ++i) {
    gst_harness_set_src_caps_str(rig.main, nvmm_frames::caps_string(shape).c_str());
    GstBuffer* output = gst_harness_push_and_pull(
        rig.main, nvmm_frames::make(shape, batch_in(device, nvmm_frames::kDevice)));
    check_batch(output, shape, 1, 1);
    gst_buffer_unref(output);
    gst_harness_set_src_caps_str(rig.main, frames::caps_string(shape).c_str());
    output = gst_harness_push_and_pull(rig.main, frames::make(shape, 2));
    check_batch(output, shape, 1, 2);
    gst_buffer_unref(output);
  }
}

// Unread segments, and their context, outlive the element and the frame.
CHECK_TEST(test_segments_outlive_the_element) {
  const Shape shape;
  GstBuffer* output = nullptr;
  {
    const auto device = new_device();
    Rig rig(shape, "auto");
    output = gst_harness_push_and_pull(
        rig.main, nvmm_frames::make(shape, batch_in(device, nvmm_frames::kDevice)));
  }
  g_autoptr(GstRdpSegmentation) segmentation =
      gst_rdp_segmentation_ref(gst_rdp_buffer_get_segmentation(output));
  gst_buffer_unref(output);
  g_autoptr(GstBuffer) source = frames::make(shape);
  frames::check_segmentation(segmentation, shape, frames::bytes(source),
                             nvmm_frames::test_parameters());
}

// Pictures of NVMM frames: in system memory, or in CUDA memory on request.
CHECK_TEST(test_overlay) {
  const auto device = new_device();
  const Shape shape{GST_VIDEO_FORMAT_GRAY16_LE, 52, 40};
  const auto expected = expect(shape, 6);
  GstElementFactory* upload = gst_element_factory_find("depthupload");
  const bool have_cuda_memory = upload != nullptr;
  gst_clear_object(&upload);
  for (const char* caps : {"video/x-raw", "video/x-raw(memory:CUDAMemory)"}) {
    const bool in_cuda = strstr(caps, "CUDA") != nullptr;
    if (in_cuda && !have_cuda_memory) continue;
    for (const int type : kTypes) {
      // backend=auto leaves system memory to the CPU, which has no CUDA memory.
      Rig rig(shape, "cuda", true, caps);
      for (int i = 0; i < 2; ++i) {
        Batch batch = batch_in(device, type);
        batch.size = batch.filled = 2;
        g_autoptr(GstBuffer) output =
            gst_harness_push_and_pull(rig.main, nvmm_frames::make(shape, batch, 6));
        fail_unless(output != nullptr);
        g_autoptr(GstBuffer) picture = gst_harness_pull(rig.overlay);
        fail_unless(gst_harness_try_pull(rig.overlay) == nullptr);
        nvmm_frames::check_picture(picture, shape, expected.picture, 0);
      }
    }
  }
}

CHECK_CASE(rdpsegment_nvmm_cuda, .missing = nvmm_cuda_frames::missing)
