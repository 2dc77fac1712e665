// SPDX-License-Identifier: LGPL-2.1-or-later
// In steady state rdpsegment on the CPU allocates nothing: after the tenth frame a stream through
// it makes as many allocations as the same stream through `identity`.
#include "gst/rdpsegment/rdpcamerameta.h"
#include "tests/support/allocation_count.h"
#include "tests/support/check_test.h"
#include "tests/support/frames.h"
#include "tests/support/meta_allocations.h"

static constexpr frames::Shape kShape{GST_VIDEO_FORMAT_GRAY16_LE, 320, 240};
static constexpr int kFrames = 40;

// Buffers from a pool, as a source would push them; each with new content.
static GstBufferPool* make_pool() {
  GstBufferPool* pool = gst_video_buffer_pool_new();
  GstStructure* config = gst_buffer_pool_get_config(pool);
  GstCaps* caps = frames::caps(kShape);
  gst_buffer_pool_config_set_params(config, caps, 320 * 240 * 2, 3, 0);
  gst_caps_unref(caps);
  fail_unless(gst_buffer_pool_set_config(pool, config));
  fail_unless(gst_buffer_pool_set_active(pool, TRUE));
  return pool;
}

static void fill(GstBuffer* buffer, unsigned seed) {
  GstMapInfo map;
  fail_unless(gst_buffer_map(buffer, &map, GST_MAP_WRITE));
  const rdp::MutableDepthView view{reinterpret_cast<std::byte*>(map.data), 640, 320, 240,
                                   rdp::SampleType::kU16};
  rdp::test::draw_scene(view, frames::Scene::kSurface, seed);
  gst_buffer_unmap(buffer, &map);
}

// A camera of the frames, or of a picture that they are not.
static GstRdpCamera* make_camera(guint width) {
  GstRdpCameraInfo info;
  gst_rdp_camera_info_init(&info);
  info.width = width;
  info.height = 240;
  info.focal_length = info.focal_length_y = 200;
  info.measures = GST_RDP_MEASURE_DEPTH;
  info.depth_unit = 0.001;
  return gst_rdp_camera_new(&info, nullptr);
}

// How many allocations the frames after the tenth took. They come with `camera`, if there is one.
static std::uint64_t allocations_of(const char* launch, bool with_overlay = false,
                                    bool classify = false, GstRdpCamera* camera = nullptr) {
  GstElement* element =
      with_overlay ? gst_element_factory_make_full(launch, "backend", 1, nullptr) : nullptr;
  if (classify) {
    g_object_set(element, "classify", TRUE, nullptr);
    gst_util_set_object_arg(G_OBJECT(element), "overlay-style", "classes");
  }
  GstHarness* harness = with_overlay ? gst_harness_new_with_element(element, "sink", "src")
                                     : gst_harness_new_parse(launch);
  gst_clear_object(&element);
  gst_harness_set_live(harness, FALSE);
  GstHarness* overlay =
      with_overlay ? gst_harness_new_with_element(harness->element, nullptr, "overlay") : nullptr;
  gst_harness_set_src_caps(harness, frames::caps(kShape));
  GstBufferPool* pool = make_pool();
  std::uint64_t total = 0;
  for (int number = 0; number < kFrames; ++number) {
    GstBuffer* buffer = nullptr;
    fail_unless_equals_int(gst_buffer_pool_acquire_buffer(pool, &buffer, nullptr), GST_FLOW_OK);
    fill(buffer, static_cast<unsigned>(number) % 3);
    if (camera != nullptr) gst_buffer_add_rdp_camera_meta(buffer, camera);
    const std::uint64_t before = allocation_count::count;
    GstFlowReturn flow = gst_harness_push(harness, buffer);
    buffer = gst_harness_try_pull(harness);
    if (buffer != nullptr) gst_buffer_unref(buffer);
    if (overlay != nullptr) {
      buffer = gst_harness_pull(overlay);
      if (buffer != nullptr) gst_buffer_unref(buffer);
    }
    if (number >= 10) total += allocation_count::count - before;
    fail_unless_equals_int(flow, GST_FLOW_OK);
    fail_unless(buffer != nullptr);
  }
  gst_buffer_pool_set_active(pool, FALSE);
  gst_object_unref(pool);
  if (overlay != nullptr) gst_harness_teardown(overlay);
  gst_harness_teardown(harness);
  return total;
}

CHECK_TEST(test_no_allocation, RDP_COUNTS_ALLOCATIONS != 0) {
  const std::uint64_t metas = rdp::test::meta_allocations(kFrames - 10);
  const std::uint64_t allowed = allocations_of("identity") + metas;
  for (const char* launch :
       {"rdpsegment backend=cpu threads=1", "rdpsegment backend=cpu threads=2",
        "rdpsegment backend=cpu median=3x3 column-width=3",
        "rdpsegment backend=cpu domain=inverse median=5x5",
        "rdpsegment backend=cpu output=reconstruct", "rdpsegment backend=cpu refine=true",
        "rdpsegment backend=cpu merge=true max-gap=3",
        "rdpsegment backend=cpu merge=true fit=absolute",
        "rdpsegment backend=cpu merge=true classify=true threads=2"}) {
    const std::uint64_t without = allocations_of(launch);
    fail_unless(without <= allowed,
                "%s: %" G_GUINT64_FORMAT " allocations, %" G_GUINT64_FORMAT " allowed", launch,
                without, allowed);
  }
}

// A camera that passes, one that is replaced, one that was lost, and one that the element puts on
// frames that have none, which is one more meta.
CHECK_TEST(test_no_allocation_for_cameras, RDP_COUNTS_ALLOCATIONS != 0) {
  const std::uint64_t metas = rdp::test::meta_allocations(kFrames - 10);
  const std::uint64_t allowed = allocations_of("identity") + metas;
  g_autoptr(GstRdpCamera) camera = make_camera(320);
  g_autoptr(GstRdpCamera) other = make_camera(321);
  const struct {
    const char* launch;
    GstRdpCamera* camera;
    bool adds;
  } cases[] = {
      {"rdpsegment backend=cpu", camera, false},
      {"rdpsegment backend=cpu focal-length=300 baseline=0.5 measures=depth", camera, false},
      {"rdpsegment backend=cpu depth-unit=0.01", camera, false},
      {"rdpsegment backend=cpu", other, false},
      {"rdpsegment backend=cpu focal-length=300 baseline=0.5", nullptr, true}};
  for (const auto& it : cases) {
    const std::uint64_t made = allocations_of(it.launch, false, false, it.camera);
    fail_unless(made <= allowed + (it.adds ? metas : 0),
                "%s: %" G_GUINT64_FORMAT " allocations, %" G_GUINT64_FORMAT " allowed", it.launch,
                made, allowed);
  }
}

CHECK_TEST(test_no_allocation_for_pictures, RDP_COUNTS_ALLOCATIONS != 0) {
  const std::uint64_t metas = rdp::test::meta_allocations(kFrames - 10);
  const std::uint64_t allowed = 2 * allocations_of("identity") + metas;
  for (const bool classify : {false, true}) {
    const std::uint64_t with = allocations_of("rdpsegment", true, classify);
    fail_unless(with <= allowed, "%" G_GUINT64_FORMAT " allocations, %" G_GUINT64_FORMAT " allowed",
                with, allowed);
  }
}

CHECK_CASE(rdpsegment_allocations)
