// SPDX-License-Identifier: LGPL-2.1-or-later
// The luma of NV12 and I420 in place, in system memory and CPU-readable NVMM memory. Invalid metas
// cause errors. tests/memory/luma_cuda.cpp has the same for the device.
#include <climits>

#include "tests/support/check_test.h"
#include "tests/support/luma_frames.h"
#include "tests/support/nvmm_surface.h"
#include "tests/support/unmappable_memory.h"

using namespace luma_frames;
using namespace rdp::gst;

namespace {

constexpr GstVideoFormat kFormats[] = {GST_VIDEO_FORMAT_NV12, GST_VIDEO_FORMAT_I420};
constexpr int kSizes[][2] = {{64, 48}, {37, 29}, {1, 1}, {1, 9}, {9, 1}, {2, 2}, {640, 3}};

// Possible layouts: as the caps say, padded, at an odd offset, luma last; each in one memory and in
// several.
std::vector<Shape> layouts_of(GstVideoFormat format, int width, int height) {
  std::vector<Shape> result;
  for (const bool cut_planes : {false, true}) {
    result.push_back({format, width, height, 0, 0, false, {}, cut_planes});
    for (const bool last : {false, true}) {
      result.push_back({format, width, height, 0, width, last, {}, cut_planes});
      result.push_back({format, width, height, 13, width + 11, last, {}, cut_planes});
    }
  }
  return result;
}

// The address of the luma in the memory of a buffer that contains `offset`.
const std::uint8_t* luma_in_place(GstBuffer* buffer, gsize offset) {
  guint index = 0;
  guint count = 0;
  gsize skipped = 0;
  fail_unless(gst_buffer_find_memory(buffer, offset, 1, &index, &count, &skipped));
  GstMapInfo map;
  GstMemory* memory = gst_buffer_peek_memory(buffer, index);
  fail_unless(gst_memory_map(memory, &map, GST_MAP_READ));
  const std::uint8_t* result = map.data + skipped;
  gst_memory_unmap(memory, &map);
  return result;
}

}  // namespace

CHECK_TEST(test_system) {
  FrameMapper mapper;
  for (const GstVideoFormat format : kFormats) {
    for (const auto& size : kSizes) {
      for (const Shape& shape : layouts_of(format, size[0], size[1])) {
        g_autoptr(GstBuffer) buffer = luma_frames::make(shape, 7);
        const luma_frames::Planes planes(shape);
        const auto* in_place = luma_in_place(buffer, planes.offset[0]);
        std::string reason;
        fail_unless(
            mapper.open(buffer, info_of(shape), MemoryKind::kSystem, Access::kRead, &reason) &&
                mapper.map_host(&reason),
            "%s", reason.c_str());
        fail_unless(mapper.host_reaches() && !mapper.device_reaches());
        fail_unless_equals_int(static_cast<int>(mapper.surfaces().size()), 1);
        const rdp::MutableDepthView& view = mapper.surfaces()[0].host;
        fail_unless(view.type == rdp::SampleType::kU8);
        fail_unless_equals_int(view.width, shape.width);
        fail_unless_equals_int(view.height, shape.height);
        fail_unless_equals_int(static_cast<int>(view.stride), planes.stride[0]);
        fail_unless(reinterpret_cast<const std::uint8_t*>(view.data) == in_place);
        fail_unless(luma_frames::samples(view) == luma_frames::noise(shape.width, shape.height, 7));
        mapper.close();
      }
    }
  }
}

// Replaces one memory of a buffer by memory that cannot be mapped.
static void make_unmappable(GstBuffer* buffer, guint index) {
  const gsize size = gst_buffer_peek_memory(buffer, index)->size;
  gst_buffer_replace_memory(buffer, index, new_unmappable_memory(size));
}

// Mapping does not touch chroma in a separate memory.
CHECK_TEST(test_luma_alone_is_mapped) {
  for (const GstVideoFormat format : kFormats) {
    for (const bool last : {false, true}) {
      const Shape shape{format, 33, 21, 0, 40, last, {}, true};
      g_autoptr(GstBuffer) buffer = luma_frames::make(shape);
      const guint memories = gst_buffer_n_memory(buffer);
      fail_unless_equals_int(memories, format == GST_VIDEO_FORMAT_NV12 ? 2 : 3);
      const guint luma = last ? memories - 1 : 0;
      for (guint i = 0; i < memories; ++i) {
        if (i != luma) make_unmappable(buffer, i);
      }
      FrameMapper mapper;
      std::string reason;
      fail_unless(mapper.open(buffer, info_of(shape), MemoryKind::kSystem, Access::kRead, &reason),
                  "%s", reason.c_str());
      fail_unless(luma_frames::samples(mapper.surfaces()[0].host) == luma_frames::noise(33, 21, 1));
      mapper.close();
      make_unmappable(buffer, luma);
      check_refused(buffer, info_of(shape), MemoryKind::kSystem, "cannot be mapped for reading");
    }
  }
}

// If the luma spans several memories, GStreamer merges them.
CHECK_TEST(test_luma_in_pieces) {
  for (const GstVideoFormat format : kFormats) {
    const Shape shape{format, 33, 21, 5, 40, false, {3, 6, 400, 401, 845, 850}};
    g_autoptr(GstBuffer) buffer = luma_frames::make(shape);
    FrameMapper mapper;
    std::string reason;
    fail_unless(mapper.open(buffer, info_of(shape), MemoryKind::kSystem, Access::kRead, &reason),
                "%s", reason.c_str());
    fail_unless(luma_frames::samples(mapper.surfaces()[0].host) == luma_frames::noise(33, 21, 1));
    mapper.close();
  }
}

CHECK_TEST(test_crops) {
  for (const GstVideoFormat format : kFormats) {
    const Shape shape{format, 37, 29, 3, 41, false, {}, true};
    const auto picture = luma_frames::noise(37, 29, 1);
    for (const crops::Rectangle& crop : crops::of({format, 37, 29})) {
      g_autoptr(GstBuffer) buffer = luma_frames::make(shape);
      crops::add(buffer, crop);
      FrameMapper mapper;
      std::string reason;
      const GstVideoInfo info = info_of(format, crop.width, crop.height);
      fail_unless(mapper.open(buffer, info, MemoryKind::kSystem, Access::kRead, &reason), "%s",
                  reason.c_str());
      fail_unless(luma_frames::samples(mapper.surfaces()[0].host) ==
                  luma_frames::cut(picture, 37, crop));
      mapper.close();
      gst_buffer_get_video_crop_meta(buffer)->x = static_cast<guint>(38 - crop.width);
      check_refused(buffer, info, MemoryKind::kSystem, "has to stay inside of it");
    }
  }
}

CHECK_TEST(test_bad_metas) {
  for (const GstVideoFormat format : kFormats) {
    const Shape shape{format, 64, 48, 0, 70, false, {}, true};
    const GstVideoInfo info = info_of(shape);
    const auto refused = [&](GstBuffer* buffer, const char* part) {
      check_refused(buffer, info, MemoryKind::kSystem, part);
    };
    GstBuffer* buffer = luma_frames::make(shape);
    GstVideoMeta* meta = gst_buffer_get_video_meta(buffer);
    const GstVideoMeta good = *meta;
    const gsize size = gst_buffer_get_size(buffer);
    meta->stride[0] = 63;
    refused(buffer, "has a stride of 63 bytes, but a row of 64 samples takes 64");
    meta->stride[0] = 0;
    refused(buffer, "stride of 0");
    meta->stride[0] = -70;
    refused(buffer, "stride of -70");
    meta->stride[0] = INT_MAX;
    refused(buffer, "stride 2147483647");
    *meta = good;
    // The last byte of luma lies one byte beyond the buffer.
    meta->offset[0] = size - (47 * 70 + 64) + 1;
    refused(buffer, "places 3354 bytes at offset");
    for (const gsize offset : {size, size + 1, G_MAXSIZE, G_MAXSIZE - 3000}) {
      meta->offset[0] = offset;
      refused(buffer, "places 3354 bytes at offset");
    }
    *meta = good;
    meta->n_planes = 1;
    refused(buffer, "with 1 planes");
    meta->n_planes = 4;
    refused(buffer, "with 4 planes");
    *meta = good;
    meta->format = GST_VIDEO_FORMAT_GRAY8;
    refused(buffer, "but the buffer's GstVideoMeta says 64x48 GRAY8");
    meta->format = format == GST_VIDEO_FORMAT_NV12 ? GST_VIDEO_FORMAT_I420 : GST_VIDEO_FORMAT_NV12;
    refused(buffer, "but the buffer's GstVideoMeta says 64x48");
    *meta = good;
    meta->width = 63;
    refused(buffer, "says 63x48");
    meta->width = 64;
    meta->height = 49;
    refused(buffer, "says 64x49");
    // Offsets and strides of the chroma do not matter.
    *meta = good;
    for (guint p = 1; p < good.n_planes; ++p) {
      meta->offset[p] = G_MAXSIZE;
      meta->stride[p] = -1;
    }
    // Luma that ends exactly at the end of the buffer is valid.
    meta->offset[0] = size - (47 * 70 + 64);
    FrameMapper mapper;
    std::string reason;
    fail_unless(mapper.open(buffer, info, MemoryKind::kSystem, Access::kRead, &reason), "%s",
                reason.c_str());
    luma_frames::samples(mapper.surfaces()[0].host);
    mapper.close();
    *meta = good;
    check_refused(buffer, info, MemoryKind::kSystem,
                  "whose luma is read in place and not written to", Access::kReadWrite);
    check_refused(buffer, info_of(GST_VIDEO_FORMAT_GRAY8, 64, 48), MemoryKind::kSystem,
                  "the caps say 64x48 GRAY8, but the buffer's GstVideoMeta says 64x48");
    // Memories shorter than the meta says.
    gst_buffer_resize_range(buffer, 1, -1, 0, 0);
    gst_buffer_resize_range(buffer, 0, 1, 0, 3353);
    refused(buffer, "but the buffer has 3353");
    gst_buffer_unref(buffer);

    // Without a GstVideoMeta the buffer must contain the whole frame.
    buffer = luma_frames::make({format, 64, 48});
    gst_buffer_resize(buffer, 0, 64 * 48 * 3 / 2 - 1);
    refused(buffer, "which takes 4608 bytes (64 a row), but the buffer has 4607");
    gst_buffer_remove_all_memory(buffer);
    refused(buffer, "the buffer has 0");
    gst_buffer_unref(buffer);
  }
}

// --- NVMM ---------------------------------------------------------------------------------------

static const int kNv12Colors[] = {nvmm_abi::kNv12, nvmm_abi::kNv12FullRange, nvmm_abi::kNv12Bt709,
                                  nvmm_abi::kNv12Bt709FullRange, nvmm_abi::kNv12Bt2020};
static const int kYuv420Colors[] = {nvmm_abi::kYuv420, nvmm_abi::kYuv420FullRange,
                                    nvmm_abi::kYuv420Bt709, nvmm_abi::kYuv420Bt709FullRange,
                                    nvmm_abi::kYuv420Bt2020};

static std::shared_ptr<nvmm_frames::Surface> surface_of(GstVideoFormat format, int width,
                                                        int height,
                                                        const nvmm_frames::Batch& batch) {
  auto surface = std::make_shared<nvmm_frames::Surface>(format, width, height, batch);
  for (guint i = 0; i < batch.size; ++i) {
    surface->write(i, luma_frames::noise(width, height, 20 + i).data(), static_cast<gsize>(width));
  }
  return surface;
}

CHECK_TEST(test_nvmm) {
  for (const GstVideoFormat format : kFormats) {
    for (const auto& size : kSizes) {
      for (const nvmm_frames::Abi& abi : {nvmm_abi::kClassic, nvmm_abi::kExtended}) {
        for (const guint surfaces : {1U, 2U, 3U}) {
          nvmm_frames::Batch batch;
          batch.abi = abi;
          batch.size = batch.filled = surfaces;
          batch.offset = 12;
          const auto surface = surface_of(format, size[0], size[1], batch);
          for (const int color : format == GST_VIDEO_FORMAT_NV12 ? kNv12Colors : kYuv420Colors) {
            for (guint i = 0; i < surfaces; ++i) {
              surface->put<std::int32_t>(i, nvmm_frames::params::kColorFormat, color);
            }
            g_autoptr(GstBuffer) buffer = nvmm_frames::wrap(surface);
            FrameMapper mapper;
            std::string reason;
            const GstVideoInfo info = info_of(format, size[0], size[1]);
            fail_unless(mapper.open(buffer, info, MemoryKind::kNvmm, Access::kRead, &reason) &&
                            mapper.map_host(&reason),
                        "%s", reason.c_str());
            // A batch of another number than two is seen here.
            fail_unless_equals_int(static_cast<int>(mapper.surfaces().size()),
                                   static_cast<int>(surfaces));
            for (guint i = 0; i < surfaces; ++i) {
              const rdp::MutableDepthView& view = mapper.surfaces()[i].host;
              fail_unless(view.type == rdp::SampleType::kU8);
              fail_unless(reinterpret_cast<std::uint8_t*>(view.data) ==
                          surface->block(i).get() + 12);
              fail_unless(luma_frames::samples(view) ==
                          luma_frames::noise(size[0], size[1], 20 + i));
            }
            mapper.close();
          }
        }
      }
    }
  }
}

CHECK_TEST(test_nvmm_crops) {
  for (const GstVideoFormat format : kFormats) {
    const auto surface = surface_of(format, 37, 29, {});
    const auto picture = luma_frames::noise(37, 29, 20);
    for (const crops::Rectangle& crop : crops::of({format, 37, 29})) {
      g_autoptr(GstBuffer) buffer = nvmm_frames::wrap(surface);
      crops::add(buffer, crop);
      FrameMapper mapper;
      std::string reason;
      fail_unless(mapper.open(buffer, info_of(format, crop.width, crop.height), MemoryKind::kNvmm,
                              Access::kRead, &reason) &&
                      mapper.map_host(&reason),
                  "%s", reason.c_str());
      fail_unless(luma_frames::samples(mapper.surfaces()[0].host) ==
                  luma_frames::cut(picture, 37, crop));
      mapper.close();
    }
  }
}

CHECK_TEST(test_bad_nvmm) {
  namespace params = nvmm_frames::params;
  for (const GstVideoFormat format : kFormats) {
    const bool nv12 = format == GST_VIDEO_FORMAT_NV12;
    const auto surface = surface_of(format, 64, 48, {});
    g_autoptr(GstBuffer) buffer = nvmm_frames::wrap(surface);
    const GstVideoInfo info = info_of(format, 64, 48);
    const auto bad = [&](gsize field, std::uint32_t value, const char* part) {
      const auto good = surface->get<std::uint32_t>(0, field);
      surface->put<std::uint32_t>(0, field, value);
      check_refused(buffer, info, MemoryKind::kNvmm, part);
      surface->put<std::uint32_t>(0, field, good);
    };
    bad(params::kColorFormat, nvmm_abi::kGray8, "has colorFormat 1 (GRAY8)");
    bad(params::kColorFormat, nvmm_abi::kRgba, "has colorFormat 19 (RGBA)");
    bad(params::kColorFormat, 3, "has colorFormat 3 (another format)");
    for (const int color : nv12 ? kYuv420Colors : kNv12Colors) {
      bad(params::kColorFormat, static_cast<std::uint32_t>(color), nv12 ? "(YUV420" : "(NV12");
    }
    bad(params::kNumPlanes, 1, nv12 ? "NV12 has two" : "I420 has three");
    bad(params::kNumPlanes, 4, nv12 ? "NV12 has two" : "I420 has three");
    bad(params::kLayout, 1, "NVBUF_LAYOUT_PITCH");
    bad(params::kPlanePitch, 63, "has a pitch of 63 bytes, but a row of 64 samples takes 64");
    bad(params::kPlanePitch, 0xFFFFFFFFU, "but its dataSize is");
    bad(params::kPlaneOffset, static_cast<std::uint32_t>(surface->data_size()),
        "but its dataSize is");
    bad(params::kDataSize, 47 * 256 + 63, "ends at byte 12096 (offset 0, 48 rows of pitch 256)");
    bad(params::kWidth, 65, "is 65x48");
    // The chroma is ignored here.
    surface->put<std::uint32_t>(0, params::kPlanePitch + 4, 0);
    surface->put<std::uint32_t>(0, params::kPlaneOffset + 4, 0xFFFFFFFFU);
    surface->put<std::uint32_t>(0, params::kDataSize, 47 * 256 + 64);
    FrameMapper mapper;
    std::string reason;
    fail_unless(mapper.open(buffer, info, MemoryKind::kNvmm, Access::kRead, &reason), "%s",
                reason.c_str());
    mapper.close();
    check_refused(buffer, info, MemoryKind::kNvmm, "is read in place and not written to",
                  Access::kReadWrite);
  }
  // Painting on NV12 needs both planes and a known colour matrix.
  const auto surface = surface_of(GST_VIDEO_FORMAT_NV12, 64, 48, {});
  g_autoptr(GstBuffer) buffer = nvmm_frames::wrap(surface);
  const GstVideoInfo info = info_of(GST_VIDEO_FORMAT_NV12, 64, 48);
  rdp::gst::NvmmFrame frame;
  std::string reason;
  fail_unless(frame.map(buffer, info, Access::kReadWrite, &reason), "%s", reason.c_str());
  frame.unmap();
  surface->put<std::int32_t>(0, params::kColorFormat, nvmm_abi::kNv12Bt709);
  fail_if(frame.map(buffer, info, Access::kReadWrite, &reason));
  surface->put<std::int32_t>(0, params::kColorFormat, nvmm_abi::kNv12);
  surface->put<std::uint32_t>(0, params::kPlanePitch + 4, 63);
  fail_if(frame.map(buffer, info, Access::kReadWrite, &reason));
  fail_unless(reason.find("has a pitch of 63 bytes") != std::string::npos, "%s", reason.c_str());
}

CHECK_CASE(luma)
