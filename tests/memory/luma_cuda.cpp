// SPDX-License-Identifier: LGPL-2.1-or-later
// The luma of NV12 and I420 in place, in CUDA memory and in NVMM memory accessible to the device.
// Also the pools for its results: gray frames in CUDA memory and in page-locked memory. Surface
// arrays need the stand-in for NVIDIA's buffer library.
#include "gst/memory/pinned_memory.h"
#include "gst/memory/pool_negotiation.h"
#include "tests/standin/nvbufsurface.h"
#include "tests/support/check_test.h"
#include "tests/support/cuda_frames.h"
#include "tests/support/luma_frames.h"
#include "tests/support/nvmm_device.h"

using luma_frames::check_refused;
using luma_frames::info_of;
using nvmm_cuda_frames::Device;
using namespace rdp::gst;

namespace {

GstCudaContext* context;

constexpr GstVideoFormat kFormats[] = {GST_VIDEO_FORMAT_NV12, GST_VIDEO_FORMAT_I420};
constexpr int kSizes[][2] = {{64, 48}, {38, 30}, {37, 29}, {2, 2}, {1, 1}, {643, 3}};

void make_context() {
  context = gst_cuda_context_new(0);
  fail_unless(context != nullptr);
}

void drop_context() {
  gst_clear_object(&context);
  if (!standin::available()) return;
  for (const char* kind : {"contexts", "device-memory", "host-memory", "resources"}) {
    fail_unless(standin::live(kind) == 0, "%d %s left", standin::live(kind), kind);
  }
}

// The samples of a device view, read in the current context.
std::vector<std::uint8_t> read_view(const rdp::cuda::DeviceDepthView& view) {
  const auto row_bytes = static_cast<gsize>(view.width);
  std::vector<std::uint8_t> result(row_bytes * static_cast<gsize>(view.height));
  // Page-locked memory and the stand-in's surface arrays are host memory.
  CUmemorytype type{};
  const bool on_device = rdp::cuda::driver().cuPointerGetAttribute(
                             &type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, view.data) == CUDA_SUCCESS &&
                         type == CU_MEMORYTYPE_DEVICE;
  const rdp::cuda::Stream stream;
  for (int row = 0; row < view.height; ++row) {
    std::uint8_t* to = result.data() + static_cast<gsize>(row) * row_bytes;
    const CUdeviceptr from = view.data + static_cast<CUdeviceptr>(row * view.pitch);
    if (!on_device) {
      std::memcpy(to, reinterpret_cast<const void*>(from), row_bytes);
    } else {
      rdp::cuda::check(rdp::cuda::driver().cuMemcpyDtoHAsync_v2(to, from, row_bytes, stream.get()),
                       "reading back");
    }
  }
  stream.synchronize();
  return result;
}

// A frame of GStreamer's own pool, with luma of noise.
GstBuffer* make_cuda(GstVideoFormat format, int width, int height) {
  const GstVideoInfo info = info_of(format, width, height);
  GstBufferPool* pool = gst_cuda_buffer_pool_new(context);
  GstStructure* config = gst_buffer_pool_get_config(pool);
  GstVideoInfo copy = info;
  GstCaps* caps = gst_video_info_to_caps(&copy);
  gst_caps_set_features_simple(caps, gst_caps_features_new("memory:CUDAMemory", nullptr));
  gst_buffer_pool_config_set_params(config, caps, 0, 0, 0);
  gst_caps_unref(caps);
  fail_unless(gst_buffer_pool_set_config(pool, config));
  fail_unless(gst_buffer_pool_set_active(pool, TRUE));
  GstBuffer* pooled = nullptr;
  fail_unless_equals_int(gst_buffer_pool_acquire_buffer(pool, &pooled, nullptr), GST_FLOW_OK);
  GstVideoFrame frame;
  fail_unless(gst_video_frame_map(&frame, &info, pooled, GST_MAP_WRITE));
  const std::vector<std::uint8_t> luma = luma_frames::noise(width, height, 3);
  for (int row = 0; row < height; ++row) {
    std::memcpy(static_cast<std::uint8_t*>(GST_VIDEO_FRAME_PLANE_DATA(&frame, 0)) +
                    row * GST_VIDEO_FRAME_PLANE_STRIDE(&frame, 0),
                luma.data() + row * width, static_cast<gsize>(width));
  }
  gst_video_frame_unmap(&frame);
  // Metas of a pool cannot be removed from its own buffers, so copy the buffer.
  GstBuffer* buffer = gst_buffer_copy(pooled);
  gst_buffer_unref(pooled);
  gst_buffer_pool_set_active(pool, FALSE);
  gst_object_unref(pool);
  return buffer;
}

void remove_video_meta(GstBuffer* buffer) {
  gst_buffer_remove_meta(buffer, reinterpret_cast<GstMeta*>(gst_buffer_get_video_meta(buffer)));
}

std::vector<std::uint8_t> on_device(GstBuffer* buffer, const GstVideoInfo& info) {
  FrameMapper mapper;
  std::string reason;
  fail_unless(mapper.open(buffer, info, MemoryKind::kCuda, Access::kRead, &reason), "%s",
              reason.c_str());
  fail_unless(mapper.device_reaches() && !mapper.host_reaches());
  fail_unless(mapper.context(-1).gst == GST_OBJECT_CAST(context));
  const rdp::cuda::ContextScope scope(rdp::gst::cuda_handle(context));
  fail_unless(mapper.map_device(rdp::gst::cuda_handle(context), nullptr, &reason), "%s",
              reason.c_str());
  fail_unless_equals_int(static_cast<int>(mapper.surfaces().size()), 1);
  const rdp::cuda::DeviceDepthView& view = mapper.surfaces()[0].device;
  fail_unless(view.type == rdp::SampleType::kU8);
  fail_unless_equals_int(view.width, GST_VIDEO_INFO_WIDTH(&info));
  fail_unless_equals_int(view.height, GST_VIDEO_INFO_HEIGHT(&info));
  // In place.
  GstMapInfo map;
  fail_unless(gst_buffer_map(buffer, &map, static_cast<GstMapFlags>(GST_MAP_READ | GST_MAP_CUDA)));
  const auto start = reinterpret_cast<CUdeviceptr>(map.data);
  fail_unless(view.data >= start && view.data < start + map.size);
  gst_buffer_unmap(buffer, &map);
  return read_view(view);
}

}  // namespace

CHECK_TEST(test_cuda) {
  for (const GstVideoFormat format : kFormats) {
    for (const auto& size : kSizes) {
      g_autoptr(GstBuffer) buffer = make_cuda(format, size[0], size[1]);
      const GstVideoInfo info = info_of(format, size[0], size[1]);
      const auto wanted = luma_frames::noise(size[0], size[1], 3);
      fail_unless(on_device(buffer, info) == wanted);
      for (const crops::Rectangle& crop : crops::of({format, size[0], size[1]})) {
        if (crop.width < 1 || crop.height < 1 || crop.x + crop.width > size[0] ||
            crop.y + crop.height > size[1]) {
          continue;
        }
        g_autoptr(GstBuffer) cropped = gst_buffer_copy(buffer);
        crops::add(cropped, crop);
        fail_unless(on_device(cropped, info_of(format, crop.width, crop.height)) ==
                    luma_frames::cut(wanted, size[0], crop));
      }
      // GstCudaMemory stores its own layout.
      remove_video_meta(buffer);
      fail_unless(on_device(buffer, info) == wanted);
    }
  }
}

CHECK_TEST(test_bad_cuda) {
  for (const GstVideoFormat format : kFormats) {
    GstBuffer* buffer = make_cuda(format, 64, 48);
    const GstVideoInfo info = info_of(format, 64, 48);
    GstVideoMeta* meta = gst_buffer_get_video_meta(buffer);
    const GstVideoMeta good = *meta;
    const gsize size = gst_buffer_get_size(buffer);
    const auto refused = [&](const char* part) {
      check_refused(buffer, info, MemoryKind::kCuda, part);
      *meta = good;
    };
    meta->stride[0] = 63;
    refused("has a stride of 63 bytes, but a row of 64 samples takes 64");
    meta->stride[0] = -good.stride[0];
    refused("stride of -");
    meta->stride[0] = G_MAXINT;
    refused("places");
    meta->offset[0] = size;
    refused("places");
    meta->offset[0] = G_MAXSIZE - 10;
    refused("places");
    meta->n_planes = 1;
    refused("with 1 planes");
    meta->format = GST_VIDEO_FORMAT_GRAY8;
    refused("says 64x48 GRAY8");
    check_refused(buffer, info_of(GST_VIDEO_FORMAT_GRAY8, 64, 48), MemoryKind::kCuda,
                  "the caps say 64x48 GRAY8");
    check_refused(buffer, info, MemoryKind::kCuda, "is read in place and not written to",
                  Access::kReadWrite);
    gst_buffer_append_memory(buffer, gst_allocator_alloc(nullptr, 16, nullptr));
    refused("the buffer has 2");
    gst_buffer_remove_memory(buffer, 1);
    remove_video_meta(buffer);
    const GstVideoFormat other =
        format == GST_VIDEO_FORMAT_NV12 ? GST_VIDEO_FORMAT_I420 : GST_VIDEO_FORMAT_NV12;
    check_refused(buffer, info_of(other, 64, 48), MemoryKind::kCuda,
                  "the buffer has no GstVideoMeta");
    gst_buffer_unref(buffer);
    buffer = luma_frames::make({format, 64, 48});
    check_refused(buffer, info, MemoryKind::kCuda, "the buffer's memory is SystemMemory");
    gst_buffer_unref(buffer);
  }
}

// --- NVMM ---------------------------------------------------------------------------------------

// Maps the buffer and compares each surface with noise, from seed 20 on.
static void check_nvmm(const std::shared_ptr<Device>& device, GstBuffer* buffer,
                       GstVideoFormat format, int width, int height, int surfaces,
                       const crops::Rectangle& crop, bool host) {
  FrameMapper mapper;
  std::string reason;
  fail_unless(mapper.open(buffer, info_of(format, crop.width, crop.height), MemoryKind::kNvmm,
                          Access::kRead, &reason),
              "%s", reason.c_str());
  device->run([&] {
    fail_unless(
        host ? mapper.map_host(&reason) : mapper.map_device(device->context(), device, &reason),
        "%s", reason.c_str());
    fail_unless_equals_int(static_cast<int>(mapper.surfaces().size()), surfaces);
    for (int i = 0; i < surfaces; ++i) {
      const rdp::gst::FrameSurface& surface = mapper.surfaces()[static_cast<gsize>(i)];
      const auto wanted = luma_frames::cut(
          luma_frames::noise(width, height, static_cast<unsigned>(20 + i)), width, crop);
      if (host) {
        fail_unless(surface.host.type == rdp::SampleType::kU8);
        fail_unless(luma_frames::samples(surface.host) == wanted);
      } else {
        fail_unless(surface.device.type == rdp::SampleType::kU8);
        fail_unless(read_view(surface.device) == wanted);
      }
    }
  });
  mapper.close();
}

CHECK_TEST(test_nvmm) {
  const auto device = std::make_shared<Device>();
  for (const GstVideoFormat format : kFormats) {
    for (const auto& [w, h] : kSizes) {
      for (const int type : {nvmm_abi::kDevice, nvmm_abi::kUnified, nvmm_abi::kPinned}) {
        nvmm_frames::Batch batch = nvmm_cuda_frames::batch_in(device, type);
        batch.size = batch.filled = 2;
        batch.offset = 24;
        auto surface = std::make_shared<nvmm_frames::Surface>(format, w, h, batch);
        for (guint i = 0; i < 2; ++i) {
          surface->write(i, luma_frames::noise(w, h, 20 + i).data(), static_cast<gsize>(w));
        }
        g_autoptr(GstBuffer) buffer = nvmm_frames::wrap(surface);
        check_nvmm(device, buffer, format, w, h, 2, {0, 0, w, h}, false);
        if (w > 2 && h > 2) {
          crops::add(buffer, {1, 1, w - 2, h - 2});
          check_nvmm(device, buffer, format, w, h, 2, {1, 1, w - 2, h - 2}, false);
        }
      }
    }
  }
}

// Surface arrays are allocated as gray with room for the chroma, then declared as colour.
CHECK_TEST(test_surface_arrays) {
  if (!standin_nvmm::available() || g_strcmp0(g_getenv("STANDIN_NVMM_PLATFORM"), "dgpu") == 0) {
    std::printf("skipped: %s needs the stand-in for libnvbufsurface, as on a Jetson\n", __func__);
    return;
  }
  const auto device = std::make_shared<Device>();
  const auto put = [](void* at, gsize offset, auto value) {
    std::memcpy(static_cast<std::uint8_t*>(at) + offset, &value, sizeof value);
  };
  constexpr int kWidth = 37;
  constexpr int kHeight = 29;
  constexpr std::uint32_t kPitch = 256;
  constexpr std::uint32_t kChromaRows = (kHeight + 1) / 2;
  for (const GstVideoFormat format : kFormats) {
    const bool nv12 = format == GST_VIDEO_FORMAT_NV12;
    const std::uint32_t planes = nv12 ? 2 : 3;
    std::uint64_t parameters[16] = {};
    put(parameters, nvmm_abi::create::kWidth, std::uint32_t{kWidth});
    put(parameters, nvmm_abi::create::kHeight, kHeight + (planes - 1) * kChromaRows);
    put(parameters, nvmm_abi::create::kColorFormat, std::int32_t{nvmm_abi::kGray8});
    put(parameters, nvmm_abi::create::kMemType, std::int32_t{nvmm_abi::kSurfaceArray});
    void* batch = nullptr;
    fail_unless_equals_int(standin_nvmm::need<int(void**, std::uint32_t, void*)>(
                               "NvBufSurfaceCreate")(&batch, 2, parameters),
                           0);
    put(batch, nvmm_abi::surface::kNumFilled, std::uint32_t{2});
    std::uint8_t* list = nullptr;
    std::memcpy(&list, static_cast<std::uint8_t*>(batch) + nvmm_abi::surface::kList, sizeof list);
    for (int i = 0; i < 2; ++i) {
      std::uint8_t* params = list + static_cast<gsize>(i) * standin_nvmm::params_size();
      put(params, nvmm_abi::params::kHeight, std::uint32_t{kHeight});
      put(params, nvmm_abi::params::kColorFormat,
          std::int32_t{nv12 ? nvmm_abi::kNv12Bt709 : nvmm_abi::kYuv420FullRange});
      put(params, nvmm_abi::params::kNumPlanes, planes);
      for (std::uint32_t p = 1; p < planes; ++p) {
        put(params, nvmm_abi::params::kPlanePitch + 4 * p, kPitch);
        put(params, nvmm_abi::params::kPlaneOffset + 4 * p,
            kPitch * (kHeight + (p - 1) * kChromaRows));
      }
      auto* data = static_cast<std::uint8_t*>(standin_nvmm::data(batch, i));
      const auto luma = luma_frames::noise(kWidth, kHeight, static_cast<unsigned>(20 + i));
      for (int row = 0; row < kHeight; ++row) {
        std::memcpy(data + static_cast<gsize>(row) * kPitch, luma.data() + row * kWidth, kWidth);
      }
    }
    const gsize size = standin_nvmm::surface_size();
    GstBuffer* buffer = gst_buffer_new();
    gst_buffer_append_memory(
        buffer, gst_memory_new_wrapped(
                    GST_MEMORY_FLAG_NO_SHARE, batch, size, 0, size, batch, [](gpointer gone) {
                      standin_nvmm::need<int(void*)>("NvBufSurfaceDestroy")(gone);
                    }));
    for (const bool host : {false, true}) {
      check_nvmm(device, buffer, format, kWidth, kHeight, 2, {0, 0, kWidth, kHeight}, host);
    }
    crops::add(buffer, {3, 5, 11, 7});
    for (const bool host : {false, true}) {
      check_nvmm(device, buffer, format, kWidth, kHeight, 2, {3, 5, 11, 7}, host);
    }
    gst_buffer_unref(buffer);
    for (const char* kind : {"images", "surfaces", "maps"}) {
      fail_unless_equals_int(standin_nvmm::live(kind), 0);
    }
  }
}

// --- the pools of what is made ------------------------------------------------------------------

static const frames::Shape kOutputs[] = {{GST_VIDEO_FORMAT_GRAY16_LE, 643, 5},
                                         {GST_VIDEO_FORMAT_GRAY8, 643, 5},
                                         {GST_VIDEO_FORMAT_GRAY8, 1, 1},
                                         {GST_VIDEO_FORMAT_GRAY16_LE, 1, 7},
                                         {GST_VIDEO_FORMAT_GRAY8, 33, 1}};

// A buffer of the decided pool; its size is taken from the query.
static GstBuffer* acquire(GstCaps* caps, const rdp::gst::PoolNeeds& needs) {
  GstQuery* query = gst_query_new_allocation(caps, TRUE);
  gst_query_add_allocation_meta(query, GST_VIDEO_META_API_TYPE, nullptr);
  std::string reason;
  GstBufferPool* pool = rdp::gst::decide_pool(query, needs, &reason);
  fail_unless(pool != nullptr, "%s", reason.c_str());
  guint size = 0;
  gst_query_parse_nth_allocation_pool(query, 0, nullptr, &size, nullptr, nullptr);
  gst_query_unref(query);
  fail_unless(gst_buffer_pool_set_active(pool, TRUE));
  GstBuffer* buffer = nullptr;
  fail_unless_equals_int(gst_buffer_pool_acquire_buffer(pool, &buffer, nullptr), GST_FLOW_OK);
  fail_unless_equals_int(size, static_cast<guint>(gst_buffer_get_size(buffer)));
  GstBuffer* kept = gst_buffer_copy(buffer);
  gst_buffer_unref(buffer);
  gst_buffer_pool_set_active(pool, FALSE);
  gst_object_unref(pool);
  return kept;
}

CHECK_TEST(test_cuda_outputs) {
  for (const frames::Shape& shape : kOutputs) {
    g_autoptr(GstCaps) caps = cuda_frames::caps(shape);
    rdp::gst::PoolNeeds needs;
    needs.kind = rdp::gst::cuda_depth_pools(context);
    g_autoptr(GstBuffer) buffer = acquire(caps, needs);
    const GstVideoMeta* meta = gst_buffer_get_video_meta(buffer);
    fail_unless(meta != nullptr && meta->format == shape.format && meta->n_planes == 1);
    FrameMapper mapper;
    std::string reason;
    fail_unless(mapper.open(buffer, cuda_frames::info(shape), MemoryKind::kCuda, Access::kReadWrite,
                            &reason),
                "%s", reason.c_str());
    const rdp::cuda::DeviceDepthView& view = mapper.surfaces()[0].device;
    fail_unless(view.type == frames::sample_type(shape));
    fail_unless(view.width == shape.width && view.height == shape.height);
    {
      // The whole buffer is writable.
      const rdp::cuda::ContextScope scope(rdp::gst::cuda_handle(context));
      const rdp::cuda::Stream stream;
      for (int row = 0; row < shape.height; ++row) {
        rdp::cuda::check(
            rdp::cuda::driver().cuMemsetD8Async(
                view.data + static_cast<CUdeviceptr>(row * view.pitch),
                static_cast<unsigned char>(row + 1), frames::row_bytes(shape), stream.get()),
            "writing");
      }
      stream.synchronize();
    }
    mapper.close();
    // The CPU reads what the GPU wrote.
    const std::vector<std::uint8_t> written = cuda_frames::samples(buffer, shape);
    for (gsize i = 0; i < written.size(); ++i) {
      fail_unless_equals_int(written[i], static_cast<int>(i / frames::row_bytes(shape)) + 1);
    }
  }
}

CHECK_TEST(test_page_locked_outputs) {
  g_autoptr(GstAllocator) allocator = rdp::gst::pinned_allocator_new(
      rdp::gst::cuda_handle(context), rdp::gst::cuda_context_keeper(context));
  for (const frames::Shape& shape : kOutputs) {
    g_autoptr(GstCaps) caps = frames::caps(shape);
    rdp::gst::PoolNeeds needs;
    needs.allocator = allocator;
    g_autoptr(GstBuffer) buffer = acquire(caps, needs);
    fail_unless_equals_int(gst_buffer_n_memory(buffer), 1);
    fail_unless(gst_memory_is_type(gst_buffer_peek_memory(buffer, 0), "rdp.pinned.memory"));
    FrameMapper mapper;
    std::string reason;
    fail_unless(mapper.open(buffer, frames::video_info(shape), MemoryKind::kSystem,
                            Access::kReadWrite, &reason),
                "%s", reason.c_str());
    const rdp::MutableDepthView& view = mapper.surfaces()[0].host;
    fail_unless(view.type == frames::sample_type(shape));
    unsigned type = 0;
    {
      const rdp::cuda::ContextScope scope(rdp::gst::cuda_handle(context));
      rdp::cuda::check(
          rdp::cuda::driver().cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                                                    reinterpret_cast<CUdeviceptr>(view.data)),
          "asking");
    }
    fail_unless_equals_int(static_cast<int>(type), CU_MEMORYTYPE_HOST);
    mapper.close();
  }
}

CHECK_CASE(luma_cuda, .before = make_context, .after = drop_context,
           .missing = cuda_frames::missing)
