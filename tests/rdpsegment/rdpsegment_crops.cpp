// SPDX-License-Identifier: LGPL-2.1-or-later
// Frames cropped in place are segmented in place, with the results of the same frame cut out;
// nothing outside the crop is written. In NVMM memory on the CPU, and from cropping elements.
// rdpsegment_crops_cuda.cpp tests the GPU; rdpsegment_nvmm_cuda.cpp and rdpsegment_nvmm_library.cpp
// the rest of NVMM memory.
#include <cstdio>
#include <utility>

#include "tests/support/check_test.h"
#include "tests/support/crops.h"
#include "tests/support/nvmm_frames.h"
#include "tests/support/play_line.h"

using crops::Cut;
using crops::Rectangle;
using frames::Shape;

namespace {

rdp::Parameters parameters() {
  rdp::Parameters result;
  result.epsilon = 300;
  return result;
}

class Rig : public frames::Rig {
 public:
  explicit Rig(const std::string& caps, bool reconstruct = false) : frames::Rig("cpu") {
    g_object_set(element, "epsilon", parameters().epsilon, "output", reconstruct ? 1 : 0, nullptr);
    gst_harness_set_src_caps_str(main, caps.c_str());
  }
};

}  // namespace

// True if the build supports NVMM memory.
static bool takes_nvmm() {
  GstElementFactory* factory = gst_element_factory_find("rdpsegment");
  g_autoptr(GstCaps) caps = gst_caps_from_string(nvmm_frames::caps_string({}).c_str());
  const bool taken = gst_element_factory_can_sink_any_caps(factory, caps) != FALSE;
  gst_object_unref(factory);
  if (!taken) std::printf("skipped: a build without memory:NVMM\n");
  return taken;
}

// The crop meta holds for all surfaces of a batch.
CHECK_TEST(test_nvmm_memory) {
  if (!takes_nvmm()) return;
  const Shape picture{GST_VIDEO_FORMAT_GRAY16_LE, 40, 30};
  for (const Rectangle& crop : crops::of(picture)) {
    const Shape shape = crops::shape_of(crop, picture);
    Rig rig(nvmm_frames::caps_string(shape), true);
    nvmm_frames::Batch batch;
    batch.size = batch.filled = 2;
    const auto surface = nvmm_frames::make_surface(picture, batch, 5);
    const std::vector<std::uint8_t> before[] = {surface->content(0), surface->content(1)};
    GstBuffer* input = nvmm_frames::wrap(surface);
    crops::add(input, crop);
    g_autoptr(GstBuffer) output = gst_harness_push_and_pull(rig.main, input);
    fail_unless(output != nullptr);
    for (guint i = 0; i < 2; ++i) {
      const Cut cut(crop, picture, 5 + i);
      frames::check_segmentation(gst_rdp_buffer_get_batch_segmentation(output, i), cut.shape,
                                 cut.samples, parameters());
      const std::vector<std::uint8_t> after = surface->content(i);
      fail_unless(crops::cut(crop, picture, surface->pitch(), after.data()) ==
                  cut.reconstructed(parameters()));
      for (gsize byte = 0; byte < after.size(); ++byte) {
        fail_unless(crops::contains(crop, picture, surface->pitch(), byte) ||
                    after[byte] == before[i][byte]);
      }
    }
  }
}

// A shared buffer keeps its crop when its copy gets metadata.
CHECK_TEST(test_shared_nvmm_buffer) {
  if (!takes_nvmm()) return;
  const Shape picture{GST_VIDEO_FORMAT_GRAY16_LE, 40, 30};
  const Rectangle crop{3, 5, 20, 11};
  Rig first(nvmm_frames::caps_string(crops::shape_of(crop, picture)));
  Rig second(nvmm_frames::caps_string(crops::shape_of(crop, picture)));
  const Cut cut(crop, picture, 5);
  g_autoptr(GstBuffer) shared = nvmm_frames::make(picture, {}, 5);
  crops::add(shared, crop);
  for (Rig* rig : {&first, &second}) {
    g_autoptr(GstBuffer) output = gst_harness_push_and_pull(rig->main, gst_buffer_ref(shared));
    fail_unless(output != nullptr && output != shared);
    frames::check_segmentation(gst_rdp_buffer_get_segmentation(output), cut.shape, cut.samples,
                               parameters());
    fail_unless(gst_buffer_get_video_crop_meta(output) != nullptr);
  }
}

// --- pipelines ----------------------------------------------------------------------------------

namespace {

bool have(const char* element) {
  GstElementFactory* factory = gst_element_factory_find(element);
  if (factory == nullptr) {
    std::printf("skipped: %s is not installed\n", element);
    return false;
  }
  gst_object_unref(factory);
  return true;
}

// The output of a pipeline.
struct Seen {
  std::vector<std::string> segmentations;
  std::vector<std::vector<std::uint8_t>> samples;  // of the crop only
  guint cropped = 0;                               // buffers with a GstVideoCropMeta
};

void see(GstPad* pad, GstBuffer* buffer, Seen* seen) {
  g_autoptr(GBytes) bytes = gst_rdp_segmentation_to_bytes(gst_rdp_buffer_get_segmentation(buffer));
  gsize size = 0;
  const auto* data = static_cast<const char*>(g_bytes_get_data(bytes, &size));
  seen->segmentations.emplace_back(data, size);
  g_autoptr(GstCaps) caps = gst_pad_get_current_caps(pad);
  GstVideoInfo info;
  fail_unless(gst_video_info_from_caps(&info, caps));
  Shape picture{GST_VIDEO_INFO_FORMAT(&info), GST_VIDEO_INFO_WIDTH(&info),
                GST_VIDEO_INFO_HEIGHT(&info)};
  Rectangle crop{0, 0, picture.width, picture.height};
  gint stride = GST_VIDEO_INFO_PLANE_STRIDE(&info, 0);
  if (const GstVideoCropMeta* meta = gst_buffer_get_video_crop_meta(buffer)) {
    ++seen->cropped;
    crop.x = static_cast<int>(meta->x);
    crop.y = static_cast<int>(meta->y);
  }
  if (const GstVideoMeta* meta = gst_buffer_get_video_meta(buffer)) stride = meta->stride[0];
  const std::vector<std::uint8_t> all = frames::bytes(buffer);
  seen->samples.push_back(crops::cut(crop, picture, static_cast<gsize>(stride), all.data()));
}

// Plays `text`, whose last rdpsegment is called "segment", to its end.
Seen play(const std::string& text) {
  Seen seen;
  const std::string error = rdp::test::play_line(
      text, [&](GstPad* pad, GstBuffer* buffer) { see(pad, buffer, &seen); }, "segment", "src");
  fail_unless(error.empty(), "%s: %s", text.c_str(), error.c_str());
  return seen;
}

constexpr char kSource[] =
    "depthtestsrc num-buffers=5 noise=0.5 ! video/x-raw,format=GRAY16_LE,width=320,height=240 ! ";

}  // namespace

// Elements crop in place if downstream of rdpsegment supports it, and copy otherwise: the results
// are the same.
CHECK_TEST(test_pipelines) {
  if (!have("videocrop") || !have("aspectratiocrop") || !have("fakevideosink")) return;
  for (const char* crop :
       {"videocrop left=20 top=10", "videocrop left=3 top=7 right=9 bottom=1", "videocrop top=239",
        "aspectratiocrop aspect-ratio=1/1", "aspectratiocrop aspect-ratio=16/9"}) {
    for (const char* output : {"passthrough", "reconstruct"}) {
      const std::string start =
          std::string(kSource) + crop +
          " ! rdpsegment name=segment backend=cpu epsilon=300 output=" + output + " ! ";
      // Not every sink supports GstVideoMeta, which crops in place need.
      const Seen copied = play(start + "fakesink");
      fail_unless_equals_int(static_cast<int>(copied.samples.size()), 5);
      fail_unless_equals_int(copied.cropped, 0);
      // A late sink would skip frames.
      for (const char* end : {"fakevideosink sync=false", "rdpmetaconvert ! fakesink"}) {
        const Seen in_place = play(start + end);
        fail_unless_equals_int(in_place.cropped, 5);
        fail_unless(in_place.segmentations == copied.segmentations, "%s to %s", crop, end);
        fail_unless(in_place.samples == copied.samples, "%s to %s", crop, end);
      }
    }
  }
}

// Successive crops give a smaller crop.
CHECK_TEST(test_crops_of_crops) {
  if (!have("videocrop") || !have("fakevideosink")) return;
  const char* const segment = " ! rdpsegment name=segment backend=cpu epsilon=300 ! ";
  const Seen once =
      play(std::string(kSource) + "videocrop left=23 top=17 right=5" + segment + "fakesink");
  const Seen twice =
      play(std::string(kSource) + "videocrop left=20 top=10 ! videocrop left=3 top=7 right=5" +
           segment + "fakevideosink sync=false");
  fail_unless_equals_int(twice.cropped, 5);
  fail_unless(twice.segmentations == once.segmentations && twice.samples == once.samples);
}

// Downstream decides about the offer: rdpsegment neither adds nor removes it.
CHECK_TEST(test_offer) {
  const Shape shape;
  for (const bool offered : {false, true}) {
    Rig rig(frames::caps_string(shape));
    gst_harness_add_propose_allocation_meta(rig.main, GST_VIDEO_META_API_TYPE, nullptr);
    if (offered) {
      gst_harness_add_propose_allocation_meta(rig.main, GST_VIDEO_CROP_META_API_TYPE, nullptr);
    }
    g_autoptr(GstCaps) caps = frames::caps(shape);
    g_autoptr(GstQuery) query = gst_query_new_allocation(caps, TRUE);
    fail_unless(gst_pad_peer_query(rig.main->srcpad, query));
    fail_unless(gst_query_find_allocation_meta(query, GST_VIDEO_CROP_META_API_TYPE, nullptr) ==
                offered);
  }
}

CHECK_CASE(rdpsegment_crops)
