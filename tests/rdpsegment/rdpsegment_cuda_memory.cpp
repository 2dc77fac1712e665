// SPDX-License-Identifier: LGPL-2.1-or-later
// Memory negotiation of rdpsegment on machines with a GPU: of its pictures, of upstream's frames,
// and the engine chosen by backend=auto.
#include <tuple>

#include "tests/support/await.h"
#include "tests/support/check_test.h"
#include "tests/support/cuda_frames.h"

using namespace cuda_frames;
using frames::Shape;

// The overlay's memory follows its peer: CUDA memory if the peer accepts only that, or accepts both
// and supports GstVideoMeta; otherwise system memory.
CHECK_TEST(test_overlay_memory) {
  const Shape shape;
  const char* const both = "video/x-raw; video/x-raw(memory:CUDAMemory)";
  for (const auto& [accepted, reads, in_cuda] :
       {std::tuple{"ANY", true, false},
        {"video/x-raw", true, false},
        {"video/x-raw(memory:CUDAMemory)", false, true},
        {both, true, true},
        {both, false, false},
        {"video/x-raw(memory:CUDAMemory),format=NV12; video/x-raw", true, false}}) {
    for (const std::string& input : {frames::caps_string(shape), cuda_frames::caps_string(shape)}) {
      const bool from_cuda = input == cuda_frames::caps_string(shape);
      Rig rig(input, "cuda", accepted);
      if (reads) {
        gst_harness_add_propose_allocation_meta(rig.overlay, GST_VIDEO_META_API_TYPE, nullptr);
      }
      GstBuffer* frame =
          from_cuda ? cuda_frames::make(shared_context(), shape) : frames::make(shape);
      fail_unless_equals_int(gst_harness_push(rig.main, frame), GST_FLOW_OK);
      g_autoptr(GstBuffer) picture = gst_harness_pull(rig.overlay);
      fail_unless(rdp::gst::is_cuda_buffer(picture) == in_cuda, "%s", accepted);
      fail_unless(cuda_frames::pixels(picture, shape) == cuda_frames::expect(shape, {}).picture);
    }
  }
}

// A peer that accepts only CUDA memory can be linked, although the unlinked pad had continued with
// system memory.
CHECK_TEST(test_overlay_is_linked_late) {
  const Shape shape;
  Rig rig(cuda_frames::caps_string(shape), "cuda");
  g_autoptr(GstPad) overlay = gst_element_request_pad_simple(rig.element, "overlay");
  gst_buffer_unref(gst_harness_push_and_pull(rig.main, cuda_frames::make(shared_context(), shape)));
  fail_unless(rdp::test::await([&] { return gst_pad_has_current_caps(overlay) != FALSE; }));
  g_autoptr(GstElement) identity = gst_element_factory_make("identity", nullptr);
  g_autoptr(GstHarness) sink = gst_harness_new_with_element(identity, "sink", "src");
  gst_harness_set_sink_caps_str(sink, "video/x-raw(memory:CUDAMemory)");
  g_autoptr(GstPad) sinkpad = gst_element_get_static_pad(identity, "sink");
  gst_pad_unlink(sink->srcpad, sinkpad);
  fail_unless_equals_int(gst_pad_link(overlay, sinkpad), GST_PAD_LINK_OK);
  gst_buffer_unref(gst_harness_push_and_pull(rig.main, cuda_frames::make(shared_context(), shape)));
  GstBuffer* picture = gst_harness_pull(sink);
  fail_unless(rdp::gst::is_cuda_buffer(picture));
  fail_unless(cuda_frames::pixels(picture, shape) == cuda_frames::expect(shape, {}).picture);
  gst_buffer_unref(picture);

  // Pictures of another size are still refused before data flow.
  gst_pad_unlink(overlay, sinkpad);
  gst_harness_set_sink_caps_str(sink, "video/x-raw(memory:CUDAMemory),width=7");
  fail_if(gst_pad_link(overlay, sinkpad) == GST_PAD_LINK_OK);
  gst_element_release_request_pad(rig.element, overlay);
}

// Upstream is offered CUDA memory to write into.
CHECK_TEST(test_allocation_query) {
  const Shape shape{GST_VIDEO_FORMAT_GRAY8, 53, 40};
  Rig rig(cuda_frames::caps_string(shape), "auto");
  g_autoptr(GstCaps) caps = cuda_frames::caps(shape);
  g_autoptr(GstQuery) query = gst_query_new_allocation(caps, TRUE);
  fail_unless(gst_pad_peer_query(rig.main->srcpad, query));
  // The downstream element does not state that it reads padded rows.
  fail_if(gst_query_find_allocation_meta(query, GST_VIDEO_META_API_TYPE, nullptr));
  fail_unless_equals_int(gst_query_get_n_allocation_pools(query), 1);
  g_autoptr(GstBufferPool) pool = nullptr;
  guint size = 0;
  guint min = 0;
  guint max = 0;
  gst_query_parse_nth_allocation_pool(query, 0, &pool, &size, &min, &max);
  GstStructure* config = gst_buffer_pool_get_config(pool);
  gst_buffer_pool_config_set_params(config, caps, size, min, max);
  fail_unless(gst_buffer_pool_set_config(pool, config));
  fail_unless(gst_buffer_pool_set_active(pool, TRUE));
  GstBuffer* buffer = nullptr;
  fail_unless_equals_int(gst_buffer_pool_acquire_buffer(pool, &buffer, nullptr), GST_FLOW_OK);
  GstBuffer* source = frames::make(shape);
  cuda_frames::fill(buffer, shape, source);
  gst_buffer_unref(source);
  GstBuffer* output = gst_harness_push_and_pull(rig.main, buffer);
  frames::check_segmentation(gst_rdp_buffer_get_segmentation(output), cuda_frames::tight(shape),
                             cuda_frames::expect(shape, {}).samples, {});
  gst_buffer_unref(output);
  gst_buffer_pool_set_active(pool, FALSE);
}

// A pool that cannot hold the frames, or would abort the process, is not forwarded.
CHECK_TEST(test_useless_pools) {
  const Shape shape;
  GstBufferPool* const pools[] = {gst_buffer_pool_new(), gst_video_buffer_pool_new(),
                                  gst_cuda_buffer_pool_new(shared_context())};
  for (GstBufferPool* useless : pools) {
    Rig rig(cuda_frames::caps_string(shape), "auto");
    gst_pad_add_probe(
        rig.main->sinkpad, GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM,
        [](GstPad*, GstPadProbeInfo* info, gpointer pool) {
          GstQuery* query = GST_PAD_PROBE_INFO_QUERY(info);
          if (GST_QUERY_TYPE(query) != GST_QUERY_ALLOCATION) return GST_PAD_PROBE_OK;
          gst_query_add_allocation_pool(query, static_cast<GstBufferPool*>(pool), 6144, 5, 9);
          return GST_PAD_PROBE_HANDLED;
        },
        useless, nullptr);
    g_autoptr(GstCaps) caps = cuda_frames::caps(shape);
    g_autoptr(GstQuery) query = gst_query_new_allocation(caps, TRUE);
    fail_unless(gst_pad_peer_query(rig.main->srcpad, query));
    g_autoptr(GstBufferPool) pool = nullptr;
    guint min = 0;
    guint max = 0;
    gst_query_parse_nth_allocation_pool(query, 0, &pool, nullptr, &min, &max);
    fail_unless(pool != nullptr && G_OBJECT_TYPE(pool) != G_OBJECT_TYPE(useless));
    fail_unless_equals_int(min, 5);
    fail_unless_equals_int(max, 9);
  }
  for (GstBufferPool* useless : pools) gst_object_unref(useless);
}

// With backend=cuda, upstream is offered memory that the device reads directly; a preference of
// downstream has priority.
CHECK_TEST(test_page_locked_allocation) {
  const Shape shape{GST_VIDEO_FORMAT_GRAY16_LE, 320, 240};
  for (const char* backend : {"cuda", "cpu"}) {
    for (bool downstream_cares : {false, true}) {
      Rig rig(frames::caps_string(shape), backend);
      if (downstream_cares) {
        gst_harness_set_propose_allocator(rig.main, gst_allocator_find(GST_ALLOCATOR_SYSMEM),
                                          nullptr);
      }
      g_autoptr(GstCaps) caps = frames::caps(shape);
      g_autoptr(GstQuery) query = gst_query_new_allocation(caps, TRUE);
      gst_pad_peer_query(rig.main->srcpad, query);
      GstAllocator* allocator = nullptr;
      if (gst_query_get_n_allocation_params(query) > 0) {
        gst_query_parse_nth_allocation_param(query, 0, &allocator, nullptr);
      }
      const bool offered =
          allocator != nullptr && !g_str_equal(allocator->mem_type, GST_ALLOCATOR_SYSMEM);
      fail_unless(offered == (!downstream_cares && g_str_equal(backend, "cuda")));
      if (offered) {
        g_autoptr(GstBuffer) source = frames::make(shape);
        GstBuffer* buffer =
            gst_buffer_new_allocate(allocator, gst_buffer_get_size(source), nullptr);
        const std::vector<std::uint8_t> content = frames::bytes(source);
        gst_buffer_fill(buffer, 0, content.data(), content.size());
        const int direct = standin::available() ? standin::count("cuMemcpy2DAsync_v2") : 0;
        g_autoptr(GstBuffer) output = gst_harness_push_and_pull(rig.main, buffer);
        if (standin::available()) {
          fail_unless_equals_int(standin::count("cuMemcpy2DAsync_v2"), direct + 1);
        }
        frames::check_segmentation(gst_rdp_buffer_get_segmentation(output), shape, content, {});
      }
      gst_clear_object(&allocator);
    }
  }
}

// backend=auto tries both engines on system memory; the output does not depend on the engine.
CHECK_TEST(test_auto) {
  const Shape shape;
  Rig rig(frames::caps_string(shape), "auto", "video/x-raw");
  g_object_set(rig.element, "output", 1, nullptr);
  bool cpu = false;
  bool cuda = false;
  for (unsigned number = 0; number < 40; ++number) {
    const Expected expected = cuda_frames::expect(shape, {}, {}, number);
    GstBuffer* output = gst_harness_push_and_pull(rig.main, frames::make(shape, number, number));
    frames::check_segmentation(gst_rdp_buffer_get_segmentation(output), cuda_frames::tight(shape),
                               expected.samples, {});
    fail_unless(cuda_frames::samples(output, shape) == expected.reconstructed);
    gst_buffer_unref(output);
    GstBuffer* picture = gst_harness_pull(rig.overlay);
    fail_unless(cuda_frames::pixels(picture, shape) == expected.picture);
    gst_buffer_unref(picture);
    (cuda_frames::backend_in_use(rig.element) == "cuda" ? cuda : cpu) = true;
  }
  fail_unless(cpu && cuda);
}

// The faster engine stays. On a large frame a GPU beats one core; the stand-in is made slow.
CHECK_TEST(test_auto_stays_with_the_faster) {
  const bool slow = standin::available();
  const Shape shape{GST_VIDEO_FORMAT_GRAY16_LE, 1242, slow ? 64 : 1024};
  const char* faster = slow ? "cpu" : "cuda";
  if (slow) standin::set_kernel_milliseconds(20);
  Rig rig(frames::caps_string(shape), "auto");
  g_object_set(rig.element, "threads", 1, nullptr);
  GstBuffer* input = frames::make(shape);
  const std::vector<std::uint8_t> content = frames::bytes(input);
  for (int number = 0; number < 25; ++number) {
    g_autoptr(GstBuffer) output = gst_harness_push_and_pull(rig.main, gst_buffer_ref(input));
    if (number >= 20) {
      fail_unless(cuda_frames::backend_in_use(rig.element) == faster);
    }
    if (number == 24) {
      frames::check_segmentation(gst_rdp_buffer_get_segmentation(output), shape, content, {});
    }
  }
  gst_buffer_unref(input);
  if (slow) standin::set_kernel_milliseconds(0);
}

CHECK_CASE(rdpsegment_cuda_memory, .missing = cuda_frames::missing)
