// SPDX-License-Identifier: LGPL-2.1-or-later
// CUDA memory: pool of gray frames, mapping, copies, invalid buffers, page-locked memory.
#include <algorithm>

#include "gst/memory/pinned_memory.h"
#include "kernels/runtime/cuda_error.h"
#include "kernels/runtime/device_memory.h"
#include "kernels/runtime/driver.h"
#include "tests/support/check_test.h"
#include "tests/support/cuda_frames.h"

using frames::Shape;
using rdp::gst::Access;
using rdp::gst::CudaFrame;

// Skips a test case on a real driver.
#define NEEDS_STANDIN()                                        \
  if (!standin::available()) {                                 \
    std::printf("skipped: %s needs the stand-in\n", __func__); \
    return;                                                    \
  }

static GstCudaContext* context;

// The bytes of a rectangle in device memory.
static std::vector<std::uint8_t> device_bytes(GstCudaContext* where, CUdeviceptr data,
                                              std::int64_t pitch, std::size_t row_bytes, int rows) {
  const rdp::cuda::ContextScope scope(rdp::gst::cuda_handle(where));
  std::vector<std::uint8_t> result(row_bytes * static_cast<std::size_t>(rows));
  CUDA_MEMCPY2D copy{};
  copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.srcDevice = data;
  copy.srcPitch = static_cast<std::size_t>(pitch);
  copy.dstMemoryType = CU_MEMORYTYPE_HOST;
  copy.dstHost = result.data();
  copy.dstPitch = row_bytes;
  copy.WidthInBytes = row_bytes;
  copy.Height = static_cast<std::size_t>(rows);
  // On a separate stream, independent of other work.
  const rdp::cuda::Stream stream;
  rdp::cuda::check(rdp::cuda::driver().cuMemcpy2DAsync_v2(&copy, stream.get()), "reading back");
  stream.synchronize();
  return result;
}

// The samples of a frame that is mapped for the device.
static std::vector<std::uint8_t> device_samples(const CudaFrame& frame) {
  const auto& view = frame.view();
  return device_bytes(frame.context(), view.data, view.pitch,
                      static_cast<std::size_t>(view.width) *
                          static_cast<std::size_t>(rdp::bytes_per_sample(view.type)),
                      view.height);
}

static void make_context() {
  context = gst_cuda_context_new(0);
  fail_unless(context != nullptr);
}

static void drop_context() {
  gst_clear_object(&context);
  if (standin::available()) {
    for (const char* kind : {"contexts", "streams", "events", "modules", "device-memory",
                             "host-memory", "abandoned"}) {
      fail_unless(standin::live(kind) == 0, "%d %s left", standin::live(kind), kind);
    }
  }
}

static const Shape kShapes[] = {{GST_VIDEO_FORMAT_GRAY16_LE, 643, 481},
                                {GST_VIDEO_FORMAT_GRAY8, 643, 7},
                                {GST_VIDEO_FORMAT_GRAY16_LE, 1, 1},
                                {GST_VIDEO_FORMAT_GRAY8, 1, 3},
                                {GST_VIDEO_FORMAT_GRAY8, 6, 2}};

static GstBufferPool* active_pool(const Shape& shape, guint* size) {
  GstBufferPool* pool = rdp::gst::cuda_depth_pool_new(context);
  GstStructure* config = gst_buffer_pool_get_config(pool);
  GstCaps* caps = cuda_frames::caps(shape);
  gst_buffer_pool_config_set_params(config, caps, 1, 2, 3);
  gst_caps_unref(caps);
  fail_unless(gst_buffer_pool_set_config(pool, config));
  config = gst_buffer_pool_get_config(pool);
  guint min = 0;
  guint max = 0;
  fail_unless(gst_buffer_pool_config_get_params(config, nullptr, size, &min, &max));
  fail_unless_equals_int(min, 2);
  fail_unless_equals_int(max, 3);
  gst_structure_free(config);
  fail_unless(gst_buffer_pool_set_active(pool, TRUE));
  return pool;
}

static void drop_pool(GstBufferPool* pool) {
  fail_unless(gst_buffer_pool_set_active(pool, FALSE));
  gst_object_unref(pool);
}

static GstBuffer* acquire(GstBufferPool* pool) {
  GstBuffer* buffer = nullptr;
  fail_unless_equals_int(gst_buffer_pool_acquire_buffer(pool, &buffer, nullptr), GST_FLOW_OK);
  return buffer;
}

// Draws on the CPU by the buffer's own GstVideoMeta and returns the samples of frames::make().
static std::vector<std::uint8_t> draw(const Shape& shape, GstBuffer* buffer, unsigned seed) {
  const GstVideoInfo info = cuda_frames::info(shape);
  GstVideoFrame frame;
  fail_unless(gst_video_frame_map(&frame, &info, buffer, GST_MAP_WRITE));
  GstBuffer* source = frames::make(shape, seed);
  const std::vector<std::uint8_t> wanted = cuda_frames::samples(source, shape);
  gst_buffer_unref(source);
  const std::size_t row_bytes = wanted.size() / static_cast<std::size_t>(shape.height);
  for (int row = 0; row < shape.height; ++row) {
    std::copy_n(wanted.begin() + row * static_cast<std::ptrdiff_t>(row_bytes), row_bytes,
                static_cast<std::uint8_t*>(GST_VIDEO_FRAME_PLANE_DATA(&frame, 0)) +
                    row * GST_VIDEO_FRAME_PLANE_STRIDE(&frame, 0));
  }
  gst_video_frame_unmap(&frame);
  return wanted;
}

static std::vector<std::uint8_t> on_device(const Shape& shape, GstBuffer* buffer) {
  CudaFrame frame;
  std::string reason;
  fail_unless(frame.map(buffer, cuda_frames::info(shape), Access::kRead, &reason), "%s",
              reason.c_str());
  fail_unless(frame.context() == context);
  fail_unless_equals_int(frame.view().width, shape.width);
  fail_unless_equals_int(frame.view().height, shape.height);
  fail_unless(frame.view().type == frames::sample_type(shape));
  return device_samples(frame);
}

CHECK_TEST(test_pool) {
  for (const Shape& shape : kShapes) {
    guint size = 0;
    GstBufferPool* pool = active_pool(shape, &size);
    fail_unless(rdp::gst::cuda_depth_pool_context(pool) == context);
    fail_unless(gst_buffer_pool_has_option(pool, GST_BUFFER_POOL_OPTION_VIDEO_META));
    GstBuffer* buffer = acquire(pool);
    fail_unless_equals_int(size, static_cast<guint>(gst_buffer_get_size(buffer)));
    fail_unless(rdp::gst::is_cuda_buffer(buffer));
    const GstVideoMeta* meta = gst_buffer_get_video_meta(buffer);
    fail_unless(meta != nullptr && meta->format == shape.format);
    fail_unless_equals_int(meta->width, static_cast<guint>(shape.width));
    fail_unless_equals_int(meta->height, static_cast<guint>(shape.height));
    fail_unless(size >= static_cast<guint>(meta->stride[0] * shape.height));

    const auto wanted = draw(shape, buffer, 1);
    fail_unless(on_device(shape, buffer) == wanted);
    gst_buffer_unref(buffer);
    drop_pool(pool);
  }
}

CHECK_TEST(test_pool_reuses_its_memory) {
  NEEDS_STANDIN();
  guint size = 0;
  GstBufferPool* pool = active_pool(kShapes[0], &size);
  GstBuffer* taken[] = {acquire(pool), acquire(pool), acquire(pool)};
  for (GstBuffer* buffer : taken) gst_buffer_unref(buffer);
  const int allocations = standin::count("cuMemAllocPitch_v2");
  for (int i = 0; i < 20; ++i) gst_buffer_unref(acquire(pool));
  fail_unless_equals_int(standin::count("cuMemAllocPitch_v2"), allocations);
  drop_pool(pool);
}

// Other caps are refused without an abort, unlike GRAY16_LE in gst-cuda 1.22.
CHECK_TEST(test_pool_refuses_other_caps) {
  GstBufferPool* pool = rdp::gst::cuda_depth_pool_new(context);
  for (const char* text :
       {"video/x-raw(memory:CUDAMemory),format=NV12,width=8,height=8",
        "video/x-raw(memory:CUDAMemory),format=GRAY16_BE,width=8,height=8", "audio/x-raw"}) {
    GstStructure* config = gst_buffer_pool_get_config(pool);
    GstCaps* caps = gst_caps_from_string(text);
    gst_buffer_pool_config_set_params(config, caps, 64, 0, 0);
    gst_caps_unref(caps);
    fail_if(gst_buffer_pool_set_config(pool, config), "%s", text);
  }
  GstStructure* config = gst_buffer_pool_get_config(pool);
  gst_buffer_pool_config_set_params(config, nullptr, 64, 0, 0);
  fail_if(gst_buffer_pool_set_config(pool, config));
  gst_object_unref(pool);

  g_autoptr(GstBufferPool) other = gst_buffer_pool_new();
  fail_unless(rdp::gst::cuda_depth_pool_context(other) == nullptr);
}

CHECK_TEST(test_pool_changes_caps) {
  g_autoptr(GstBufferPool) pool = rdp::gst::cuda_depth_pool_new(context);
  for (const Shape& shape : kShapes) {
    GstStructure* config = gst_buffer_pool_get_config(pool);
    GstCaps* caps = cuda_frames::caps(shape);
    gst_buffer_pool_config_set_params(config, caps, 0, 0, 0);
    gst_caps_unref(caps);
    fail_unless(gst_buffer_pool_set_config(pool, config));
    fail_unless(gst_buffer_pool_set_active(pool, TRUE));
    GstBuffer* buffer = acquire(pool);
    const auto wanted = draw(shape, buffer, 2);
    fail_unless(on_device(shape, buffer) == wanted);
    gst_buffer_unref(buffer);
    fail_unless(gst_buffer_pool_set_active(pool, FALSE));
  }
}

CHECK_TEST(test_copies) {
  for (const Shape& shape : kShapes) {
    guint size = 0;
    GstBufferPool* pool = active_pool(shape, &size);
    GstBuffer* buffer = acquire(pool);
    const auto wanted = draw(shape, buffer, 3);

    GstBuffer* deep = gst_buffer_copy_deep(buffer);
    fail_unless(deep != nullptr);
    GstBuffer* shallow = gst_buffer_copy(buffer);
    fail_unless(gst_buffer_peek_memory(shallow, 0) == gst_buffer_peek_memory(buffer, 0));
    fail_unless(gst_buffer_peek_memory(deep, 0) != gst_buffer_peek_memory(buffer, 0));
    fail_unless(on_device(shape, deep) == wanted);
    fail_unless(on_device(shape, shallow) == wanted);
    // The copy is also correct on the CPU, and independent of the original.
    fail_unless(cuda_frames::samples(deep, shape) == wanted);
    gst_buffer_unref(shallow);
    const auto later = draw(shape, buffer, 4);
    fail_unless(on_device(shape, deep) == wanted);
    fail_unless(on_device(shape, buffer) == later);
    gst_buffer_unref(deep);
    gst_buffer_unref(buffer);
    drop_pool(pool);
  }
}

// Writing to shared memory must not change what other holders see.
CHECK_TEST(test_writing_to_shared_memory) {
  const Shape shape = kShapes[0];
  guint size = 0;
  GstBufferPool* pool = active_pool(shape, &size);
  GstBuffer* buffer = acquire(pool);
  const auto wanted = draw(shape, buffer, 5);
  GstBuffer* other = gst_buffer_copy(buffer);
  {
    CudaFrame frame;
    std::string reason;
    fail_unless(frame.map(other, cuda_frames::info(shape), Access::kReadWrite, &reason), "%s",
                reason.c_str());
    const rdp::cuda::ContextScope scope(rdp::gst::cuda_handle(frame.context()));
    rdp::cuda::check(rdp::cuda::driver().cuMemsetD8Async(frame.view().data, 0, 1, nullptr),
                     "clearing");
    rdp::cuda::check(rdp::cuda::driver().cuStreamSynchronize(nullptr), "clearing");
  }
  fail_unless(on_device(shape, buffer) == wanted);
  fail_unless_equals_int(cuda_frames::samples(other, shape)[0], 0);
  gst_buffer_unref(other);
  gst_buffer_unref(buffer);
  drop_pool(pool);
}

static void check_refused(GstBuffer* buffer, const Shape& shape, const char* part) {
  CudaFrame frame;
  std::string reason;
  fail_if(frame.map(buffer, cuda_frames::info(shape), Access::kRead, &reason), "%s", part);
  fail_unless(reason.find(part) != std::string::npos, "'%s' is not in: %s", part, reason.c_str());
  fail_if(frame.mapped());
}

CHECK_TEST(test_bad_buffers) {
  const Shape shape;
  guint size = 0;
  g_autoptr(GstBufferPool) pool = active_pool(shape, &size);

  GstBuffer* empty = gst_buffer_new();
  check_refused(empty, shape, "the buffer has 0");
  gst_buffer_unref(empty);

  GstBuffer* system = frames::make(shape);
  check_refused(system, shape, "SystemMemory");
  gst_buffer_unref(system);

  GstBuffer* pooled = acquire(pool);
  GstBuffer* buffer = gst_buffer_copy(pooled);
  gst_buffer_unref(pooled);
  GstVideoMeta* meta = gst_buffer_get_video_meta(buffer);
  const GstVideoMeta good = *meta;
  check_refused(buffer, {GST_VIDEO_FORMAT_GRAY16_LE, 65, 48}, "the caps say 65x48 GRAY16_LE");
  check_refused(buffer, {GST_VIDEO_FORMAT_GRAY8, 64, 48}, "the caps say 64x48 GRAY8");
  meta->stride[0] = 126;
  check_refused(buffer, shape, "stride of 126");
  meta->stride[0] = 129;
  check_refused(buffer, shape, "multiples of 2");
  meta->stride[0] = 2 * good.stride[0];
  check_refused(buffer, shape, "places");
  meta->stride[0] = -meta->stride[0];
  check_refused(buffer, shape, "stride of -");
  meta->stride[0] = good.stride[0];
  meta->offset[0] = 1;
  check_refused(buffer, shape, "multiples of 2");
  meta->offset[0] = good.offset[0] + static_cast<gsize>(good.stride[0]);
  check_refused(buffer, shape, "places");
  meta->offset[0] = G_MAXSIZE - 1;
  check_refused(buffer, shape, "places");
  meta->offset[0] = 0;
  meta->n_planes = 2;
  check_refused(buffer, shape, "2 planes");
  meta->n_planes = 1;
  gst_buffer_append_memory(buffer, gst_allocator_alloc(nullptr, 16, nullptr));
  check_refused(buffer, shape, "the buffer has 2");
  gst_buffer_remove_memory(buffer, 1);
  fail_unless_equals_int(static_cast<int>(on_device(shape, buffer).size()), 64 * 48 * 2);

  // The memory was allocated for RGBA: without the meta its content is unknown.
  gst_buffer_remove_meta(buffer, reinterpret_cast<GstMeta*>(gst_buffer_get_video_meta(buffer)));
  check_refused(buffer, shape, "no GstVideoMeta");
  gst_buffer_unref(buffer);
  gst_buffer_pool_set_active(pool, FALSE);
}

CHECK_TEST(test_pictures) {
  GstBufferPool* pool = rdp::gst::cuda_picture_pool_new(context);
  GstStructure* config = gst_buffer_pool_get_config(pool);
  GstCaps* caps =
      gst_caps_from_string("video/x-raw(memory:CUDAMemory),format=RGBA,width=33,height=5");
  GstVideoInfo info;
  fail_unless(gst_video_info_from_caps(&info, caps));
  gst_buffer_pool_config_set_params(config, caps, 0, 0, 0);
  gst_caps_unref(caps);
  fail_unless(gst_buffer_pool_set_config(pool, config));
  fail_unless(gst_buffer_pool_set_active(pool, TRUE));
  GstBuffer* buffer = acquire(pool);
  GstVideoFrame frame;
  fail_unless(gst_video_frame_map(&frame, &info, buffer, GST_MAP_WRITE));
  std::vector<std::uint8_t> wanted;
  for (int row = 0; row < 5; ++row) {
    auto* bytes = static_cast<std::uint8_t*>(GST_VIDEO_FRAME_PLANE_DATA(&frame, 0)) +
                  row * GST_VIDEO_FRAME_PLANE_STRIDE(&frame, 0);
    for (int i = 0; i < 33 * 4; ++i) {
      bytes[i] = static_cast<std::uint8_t>(row * 40 + i);
      wanted.push_back(bytes[i]);
    }
  }
  gst_video_frame_unmap(&frame);
  // GstCudaMemory stores its own layout.
  for (const bool with_meta : {true, false}) {
    if (!with_meta) {
      GstBuffer* bare = gst_buffer_copy(buffer);
      gst_buffer_unref(buffer);
      buffer = bare;
      gst_buffer_remove_meta(buffer, reinterpret_cast<GstMeta*>(gst_buffer_get_video_meta(buffer)));
    }
    rdp::gst::CudaFrame picture;
    std::string reason;
    fail_unless(picture.map(buffer, info, Access::kRead, &reason), "%s", reason.c_str());
    fail_unless(picture.context() == context);
    fail_unless(device_bytes(context, picture.view().data, picture.view().pitch, 33 * 4, 5) ==
                wanted);
  }
  gst_buffer_unref(buffer);
  drop_pool(pool);
}

CHECK_TEST(test_no_device_memory) {
  NEEDS_STANDIN();
  const Shape shape;
  GstBufferPool* pool = rdp::gst::cuda_depth_pool_new(context);
  GstCaps* caps = cuda_frames::caps(shape);
  GstStructure* config = gst_buffer_pool_get_config(pool);
  gst_buffer_pool_config_set_params(config, caps, 0, 0, 0);
  standin::inject("cuMemAllocPitch_v2", 1, CUDA_ERROR_OUT_OF_MEMORY);
  fail_if(gst_buffer_pool_set_config(pool, config));

  config = gst_buffer_pool_get_config(pool);
  gst_buffer_pool_config_set_params(config, caps, 0, 0, 0);
  fail_unless(gst_buffer_pool_set_config(pool, config));
  fail_unless(gst_buffer_pool_set_active(pool, TRUE));
  standin::inject("cuMemAllocPitch_v2", 1, CUDA_ERROR_OUT_OF_MEMORY);
  GstBuffer* buffer = nullptr;
  fail_unless_equals_int(gst_buffer_pool_acquire_buffer(pool, &buffer, nullptr), GST_FLOW_ERROR);
  // Allocation works again once memory is available.
  gst_buffer_unref(acquire(pool));
  gst_caps_unref(caps);
  drop_pool(pool);
}

CHECK_TEST(test_failed_map) {
  NEEDS_STANDIN();
  const Shape shape;
  guint size = 0;
  GstBufferPool* pool = active_pool(shape, &size);
  GstBuffer* buffer = acquire(pool);
  draw(shape, buffer, 6);
  // Mapping for the device uploads what the CPU drew.
  const char* upload = "cuMemcpy2D_v2";
#ifdef RDP_GST_CUDA_STREAMS
  upload = "cuMemcpy2DAsync_v2";
#endif
  standin::inject(upload, 1, CUDA_ERROR_ILLEGAL_ADDRESS);
  check_refused(buffer, shape, "cannot be mapped for reading");
  gst_buffer_unref(buffer);
  drop_pool(pool);
}

#ifdef RDP_GST_CUDA_STREAMS
// Mapping a frame waits for pending work of the producer on its stream.
CHECK_TEST(test_producer_with_a_stream) {
  const Shape shape;
  GstCudaStream* stream = gst_cuda_stream_new(context);
  GstBufferPool* pool = rdp::gst::cuda_depth_pool_new(context);
  GstStructure* config = gst_buffer_pool_get_config(pool);
  GstCaps* caps = cuda_frames::caps(shape);
  gst_buffer_pool_config_set_params(config, caps, 0, 0, 0);
  gst_caps_unref(caps);
  gst_buffer_pool_config_set_cuda_stream(config, stream);
  fail_unless(gst_buffer_pool_set_config(pool, config));
  fail_unless(gst_buffer_pool_set_active(pool, TRUE));
  GstBuffer* buffer = acquire(pool);
  GstMemory* memory = gst_buffer_peek_memory(buffer, 0);
  fail_unless(gst_cuda_memory_get_stream(GST_CUDA_MEMORY_CAST(memory)) == stream);
  const auto wanted = draw(shape, buffer, 7);
  // The upload by mapping is pending work on that stream, too.
  {
    CudaFrame frame;
    std::string reason;
    fail_unless(frame.map(buffer, cuda_frames::info(shape), Access::kRead, &reason), "%s",
                reason.c_str());
    fail_unless(frame.stream() == gst_cuda_stream_get_handle(stream));
    fail_if(GST_MEMORY_FLAG_IS_SET(memory, GST_CUDA_MEMORY_TRANSFER_NEED_SYNC));
    fail_unless(device_samples(frame) == wanted);
  }
  gst_buffer_unref(buffer);
  drop_pool(pool);
  gst_cuda_stream_unref(stream);
}
#endif

static GstAllocator* pinned_allocator() {
  return rdp::gst::pinned_allocator_new(rdp::gst::cuda_handle(context),
                                        rdp::gst::cuda_context_keeper(context));
}

CHECK_TEST(test_page_locked) {
  GstAllocator* allocator = pinned_allocator();
  GstAllocationParams params;
  gst_allocation_params_init(&params);
  params.prefix = 16;
  params.padding = 32;
  params.align = 63;
  params.flags =
      static_cast<GstMemoryFlags>(GST_MEMORY_FLAG_ZERO_PREFIXED | GST_MEMORY_FLAG_ZERO_PADDED);
  GstMemory* memory = gst_allocator_alloc(allocator, 1000, &params);
  gst_object_unref(allocator);  // the memory holds it
  fail_unless(gst_memory_is_type(memory, "rdp.pinned.memory"));
  GstMapInfo map;
  fail_unless(gst_memory_map(memory, &map, GST_MAP_WRITE));
  fail_unless_equals_int(static_cast<int>(map.size), 1000);
  for (int i = 0; i < 1000; ++i) map.data[i] = static_cast<guint8>(i * 7);
  for (int i = 1; i <= 16; ++i) fail_unless_equals_int(map.data[-i], 0);
  for (int i = 1000; i < 1032; ++i) fail_unless_equals_int(map.data[i], 0);
  unsigned type = 0;
  {
    const rdp::cuda::ContextScope scope(rdp::gst::cuda_handle(context));
    rdp::cuda::check(
        rdp::cuda::driver().cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                                                  reinterpret_cast<CUdeviceptr>(map.data)),
        "asking");
  }
  fail_unless_equals_int(static_cast<int>(type), CU_MEMORYTYPE_HOST);
  gst_memory_unmap(memory, &map);

  g_autoptr(GstMemory) part = gst_memory_share(memory, 100, 200);
  g_autoptr(GstMemory) smaller = gst_memory_share(part, 50, -1);
  g_autoptr(GstMemory) copy = gst_memory_copy(memory, 10, 20);
  gst_memory_unref(memory);  // the parts hold it
  fail_unless(gst_memory_map(smaller, &map, GST_MAP_READ));
  fail_unless_equals_int(static_cast<int>(map.size), 150);
  fail_unless_equals_int(map.data[0], static_cast<guint8>(150 * 7));
  gst_memory_unmap(smaller, &map);
  fail_unless(gst_memory_map(copy, &map, GST_MAP_READ));
  fail_unless_equals_int(map.data[0], static_cast<guint8>(10 * 7));
  gst_memory_unmap(copy, &map);
}

// After a failed clear, the next call must clear the memory again.
CHECK_TEST(test_zeros_after_an_error) {
  NEEDS_STANDIN();
  const rdp::cuda::ContextScope scope(rdp::gst::cuda_handle(context));
  rdp::cuda::DeviceBuffer buffer;
  for (const char* call : {"cuMemAlloc_v2", "cuMemsetD8Async", "cuStreamSynchronize"}) {
    standin::inject(call, 1, CUDA_ERROR_UNKNOWN);
    bool failed = false;
    try {
      buffer.ensure_zeros(1000);
    } catch (const rdp::cuda::CudaError&) {
      failed = true;
    }
    fail_unless(failed, "%s", call);
    fail_unless_equals_int(static_cast<int>(buffer.size()), 0);
  }
  const auto* zeros = reinterpret_cast<const unsigned char*>(buffer.ensure_zeros(1000));
  for (int i = 0; i < 1000; ++i) fail_unless_equals_int(zeros[i], 0);
}

CHECK_TEST(test_no_page_locked_memory) {
  NEEDS_STANDIN();
  g_autoptr(GstAllocator) allocator = pinned_allocator();
  standin::inject("cuMemHostAlloc", 1, CUDA_ERROR_OUT_OF_MEMORY);
  GstMemory* memory = gst_allocator_alloc(allocator, 1000, nullptr);
  fail_unless(memory != nullptr && gst_memory_is_type(memory, GST_ALLOCATOR_SYSMEM));
  gst_memory_unref(memory);
  // Memory outlives a lost context.
  memory = gst_allocator_alloc(allocator, 1000, nullptr);
  fail_unless(gst_memory_is_type(memory, "rdp.pinned.memory"));
  standin::lose_contexts(CUDA_ERROR_ILLEGAL_ADDRESS);
  gst_memory_unref(memory);
}

// A pipeline keeps its context, even after a kernel has corrupted it.
CHECK_TEST(test_lost_context_is_replaced) {
  NEEDS_STANDIN();
  GstElement* element = gst_element_factory_make("fakesink", nullptr);
  GstCudaContext* found = GST_CUDA_CONTEXT(gst_object_ref(context));
  std::string reason;
  fail_unless(rdp::gst::cuda_ensure_context(element, -1, &found, &reason));
  fail_unless(found == context);
  standin::lose_contexts(CUDA_ERROR_LAUNCH_FAILED);
  fail_unless(rdp::gst::cuda_ensure_context(element, -1, &found, &reason), "%s", reason.c_str());
  fail_unless(found != context);
  GstContext* shared = gst_element_get_context(element, GST_CUDA_CONTEXT_TYPE);
  fail_unless(shared != nullptr);
  GstCudaContext* inside = nullptr;
  fail_unless(gst_structure_get(gst_context_get_structure(shared), GST_CUDA_CONTEXT_TYPE,
                                GST_TYPE_CUDA_CONTEXT, &inside, nullptr));
  fail_unless(inside == found);
  gst_object_unref(inside);
  gst_context_unref(shared);
  gst_object_unref(found);

  // Lack of memory is no reason to create another context.
  found = gst_cuda_context_new(0);
  standin::inject("cuStreamCreate", 1, CUDA_ERROR_OUT_OF_MEMORY);
  fail_if(rdp::gst::cuda_ensure_context(element, -1, &found, &reason));
  fail_unless(reason.find("CUDA_ERROR_OUT_OF_MEMORY") != std::string::npos, "%s", reason.c_str());
  gst_object_unref(found);

  // No context at all.
  found = nullptr;
  gst_object_unref(element);
  element = gst_element_factory_make("fakesink", nullptr);
  fail_if(rdp::gst::cuda_ensure_context(element, 7, &found, &reason));
  fail_unless(reason.find("no CUDA device 7") != std::string::npos, "%s", reason.c_str());
  gst_object_unref(element);
}

CHECK_CASE(cuda_memory, .before = make_context, .after = drop_context,
           .missing = cuda_frames::missing)
