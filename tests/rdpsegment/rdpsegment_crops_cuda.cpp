// SPDX-License-Identifier: LGPL-2.1-or-later
// Frames cropped in place, on the GPU: impossible crops, depthupload and depthdownload, which copy
// only the crop, and videocrop. The row 'cropped' of tests/conformance tests the segments.
#include "tests/support/check_test.h"
#include "tests/support/crops.h"
#include "tests/support/cuda_frames.h"
#include "tests/support/play_line.h"

using crops::Cut;
using crops::Rectangle;
using cuda_frames::shared_context;
using frames::Shape;

namespace {

constexpr Shape kPictures[] = {{GST_VIDEO_FORMAT_GRAY16_LE, 64, 48},
                               {GST_VIDEO_FORMAT_GRAY16_LE, 35, 33, 6},
                               {GST_VIDEO_FORMAT_GRAY8, 37, 29, 5}};

// frames::make() in CUDA or in system memory, cropped in place.
GstBuffer* make(const Shape& picture, const Rectangle& crop, bool in_cuda, unsigned seed) {
  Shape padded = picture;
  padded.stride =
      picture.width * rdp::bytes_per_sample(frames::sample_type(picture)) + 10;  // on the host
  GstBuffer* buffer =
      in_cuda ? cuda_frames::make(shared_context(), picture, seed) : frames::make(padded, seed);
  crops::add(buffer, crop);
  return buffer;
}

std::string caps_string(const Shape& shape, bool in_cuda) {
  return in_cuda ? cuda_frames::caps_string(shape) : frames::caps_string(shape);
}

}  // namespace

static void check_refused(GstBuffer* buffer, const Shape& caps, const char* part) {
  rdp::gst::CudaFrame frame;
  std::string reason;
  fail_if(frame.map(buffer, cuda_frames::info(caps), rdp::gst::Access::kRead, &reason), "%s", part);
  fail_unless(reason.find(part) != std::string::npos, "'%s' is not in: %s", part, reason.c_str());
}

CHECK_TEST(test_bad_crops) {
  const Shape picture{GST_VIDEO_FORMAT_GRAY16_LE, 64, 48};
  const Rectangle crop{1, 3, 8, 6};
  const Shape caps = crops::shape_of(crop, picture);
  g_autoptr(GstBuffer) buffer = make(picture, crop, true, 1);
  GstVideoCropMeta* meta = gst_buffer_get_video_crop_meta(buffer);
  meta->x = 57;
  check_refused(buffer, caps,
                "8x6 from x=57, y=3 on, but the picture of its GstVideoMeta is 64x48");
  meta->x = 1;
  meta->y = G_MAXUINT;
  check_refused(buffer, caps, "from x=1, y=4294967295 on");
  meta->y = 3;
  meta->width = 9;
  check_refused(buffer, caps, "the caps say 8x6, but the buffer's GstVideoCropMeta says 9x6");
  meta->width = 8;
  // The start of the crop is aligned, but the next rows are not.
  GstVideoMeta* video = gst_buffer_get_video_meta(buffer);
  const GstVideoMeta good = *video;
  video->stride[0] -= 1;
  check_refused(buffer, caps, "multiples of 2");
  *video = good;
  video->offset[0] = 1;
  check_refused(buffer, caps, "multiples of 2");
  *video = good;
  video->height = 49;
  check_refused(buffer, caps, "places");
}

// Without a GstVideoMeta, memory allocated for a picture knows its layout.
CHECK_TEST(test_without_video_meta) {
  g_autoptr(GstBuffer) buffer = make({GST_VIDEO_FORMAT_GRAY16_LE, 64, 16}, {4, 2, 8, 9}, true, 1);
  gst_buffer_remove_meta(buffer, reinterpret_cast<GstMeta*>(gst_buffer_get_video_meta(buffer)));
  check_refused(buffer, {GST_VIDEO_FORMAT_GRAY16_LE, 8, 9}, "no GstVideoMeta");
  const Shape rgba{GST_VIDEO_FORMAT_RGBA, 8, 9};
  rdp::gst::CudaFrame picture;
  std::string reason;
  fail_unless(picture.map(buffer, cuda_frames::info(rgba), rdp::gst::Access::kRead, &reason), "%s",
              reason.c_str());
  fail_unless_equals_int(picture.picture().width, 8);
  picture.unmap();
}

// --- depthupload and depthdownload --------------------------------------------------------------

// The copy contains the crop, describes it, and carries the frame's metadata.
static void check_copy(GstBuffer* copy, const Cut& cut) {
  fail_unless(copy != nullptr);
  fail_unless(gst_buffer_get_video_crop_meta(copy) == nullptr);
  fail_unless(cuda_frames::samples(copy, cut.shape) == cut.samples);
  const GstVideoMeta* meta = gst_buffer_get_video_meta(copy);
  fail_unless(meta == nullptr || (static_cast<int>(meta->width) == cut.shape.width &&
                                  static_cast<int>(meta->height) == cut.shape.height));
  fail_unless(gst_buffer_get_video_region_of_interest_meta_id(copy, 0) != nullptr);
  fail_unless(gst_buffer_get_rdp_segment_meta(copy) != nullptr);
  fail_unless(gst_buffer_get_reference_timestamp_meta(copy, nullptr)->timestamp == 42);
}

CHECK_TEST(test_copies) {
  // Arbitrary segments.
  cuda_frames::Rig segmenter(frames::caps_string({}), "cpu");
  g_autoptr(GstBuffer) segmented = gst_harness_push_and_pull(segmenter.main, frames::make({}));
  GstRdpSegmentation* segmentation = gst_rdp_buffer_get_segmentation(segmented);
  for (const bool upload : {true, false}) {
    g_autoptr(GstHarness) harness = gst_harness_new(upload ? "depthupload" : "depthdownload");
    for (const Shape& picture : kPictures) {
      for (const Rectangle& crop : crops::of(picture)) {
        const Cut cut(crop, picture, 4);
        gst_harness_set_src_caps_str(harness, caps_string(cut.shape, !upload).c_str());
        GstBuffer* frame = make(picture, crop, !upload, 4);
        gst_buffer_add_video_region_of_interest_meta(frame, "car", 1, 2, 3, 4);
        g_autoptr(GstCaps) stamp = gst_caps_new_empty_simple("timestamp/x-test");
        gst_buffer_add_reference_timestamp_meta(frame, stamp, 42, GST_CLOCK_TIME_NONE);
        gst_buffer_add_rdp_segment_meta(frame, segmentation);
        g_autoptr(GstBuffer) copy = gst_harness_push_and_pull(harness, frame);
        check_copy(copy, cut);
      }
    }
  }
}

// Picture metadata that records the transforms of its picture.
static GType picture_meta_api() {
  static const gchar* tags[] = {GST_META_TAG_VIDEO_STR, GST_META_TAG_VIDEO_SIZE_STR, nullptr};
  static const GType type = gst_meta_api_type_register("CropsPictureMetaAPI", tags);
  return type;
}

static GQuark heard;

static const GstMetaInfo* picture_meta() {
  static const GstMetaInfo* const info = gst_meta_register(
      picture_meta_api(), "CropsPictureMeta", sizeof(GstMeta),
      [](GstMeta*, gpointer, GstBuffer*) -> gboolean { return TRUE; }, nullptr,
      [](GstBuffer* target, GstMeta*, GstBuffer* source, GQuark type, gpointer) -> gboolean {
        heard = type;
        // The crop being removed is still readable.
        fail_unless(!GST_VIDEO_META_TRANSFORM_IS_SCALE(type) ||
                    gst_buffer_get_video_crop_meta(source) != nullptr);
        return gst_buffer_add_meta(target, picture_meta(), nullptr) != nullptr;
      });
  return info;
}

// Positions have other coordinates in a copy of the crop, so metadata must be transformed, not
// copied.
CHECK_TEST(test_metadata_hears_of_the_crop) {
  const Shape picture = kPictures[0];
  for (const bool cropped : {false, true}) {
    const Rectangle crop = cropped ? Rectangle{3, 5, 20, 9} : Rectangle{0, 0, 64, 48};
    g_autoptr(GstHarness) harness = gst_harness_new("depthdownload");
    gst_harness_set_src_caps_str(harness,
                                 cuda_frames::caps_string(crops::shape_of(crop, picture)).c_str());
    GstBuffer* frame = make(picture, crop, true, 4);
    if (!cropped) {
      gst_buffer_remove_meta(frame,
                             reinterpret_cast<GstMeta*>(gst_buffer_get_video_crop_meta(frame)));
    }
    gst_buffer_add_meta(frame, picture_meta(), nullptr);
    heard = 0;
    g_autoptr(GstBuffer) copy = gst_harness_push_and_pull(harness, frame);
    fail_unless_equals_int(gst_buffer_get_n_meta(copy, picture_meta_api()), 1);
    fail_unless(cropped ? GST_VIDEO_META_TRANSFORM_IS_SCALE(heard)
                        : GST_META_TRANSFORM_IS_COPY(heard));
  }
}

// Frames passed through are unchanged.
CHECK_TEST(test_passed_through) {
  const Shape picture = kPictures[0];
  const Rectangle crop{3, 5, 20, 9};
  for (const bool upload : {true, false}) {
    g_autoptr(GstHarness) harness = gst_harness_new(upload ? "depthupload" : "depthdownload");
    gst_harness_set_src_caps_str(harness,
                                 caps_string(crops::shape_of(crop, picture), upload).c_str());
    GstBuffer* frame = make(picture, crop, upload, 4);
    g_autoptr(GstBuffer) output = gst_harness_push_and_pull(harness, frame);
    fail_unless(output == frame);
    fail_unless(gst_buffer_get_video_crop_meta(output) != nullptr);
  }
}

// Elements that copy the frame offer to take it cropped; elements that pass it through forward
// downstream's answer.
CHECK_TEST(test_offers) {
  for (const bool upload : {true, false}) {
    for (const bool passes : {false, true}) {
      g_autoptr(GstHarness) harness = gst_harness_new(upload ? "depthupload" : "depthdownload");
      const std::string text = caps_string({}, upload == passes);
      gst_harness_set_src_caps_str(harness, text.c_str());
      g_autoptr(GstCaps) caps = gst_caps_from_string(text.c_str());
      g_autoptr(GstQuery) query = gst_query_new_allocation(caps, TRUE);
      gst_pad_peer_query(harness->srcpad, query);
      fail_unless(gst_query_find_allocation_meta(query, GST_VIDEO_CROP_META_API_TYPE, nullptr) ==
                  !passes);
    }
  }
}

// --- pipelines ----------------------------------------------------------------------------------

// The frames and segments at the end of a pipeline.
static std::vector<std::vector<std::uint8_t>> play(const std::string& text, const Shape& shape) {
  std::vector<std::vector<std::uint8_t>> seen;
  const auto look = [&](GstPad*, GstBuffer* buffer) {
    seen.push_back(cuda_frames::samples(buffer, shape));
    g_autoptr(GBytes) bytes =
        gst_rdp_segmentation_to_bytes(gst_rdp_buffer_get_segmentation(buffer));
    gsize size = 0;
    const auto* data = static_cast<const std::uint8_t*>(g_bytes_get_data(bytes, &size));
    seen.emplace_back(data, data + size);
  };
  const std::string error = rdp::test::play_line(text + " ! fakesink name=sink", look, "sink");
  fail_unless(error.empty(), "%s: %s", text.c_str(), error.c_str());
  return seen;
}

// For CUDA memory, videocrop can only crop in place.
CHECK_TEST(test_pipelines) {
  GstElementFactory* factory = gst_element_factory_find("videocrop");
  if (factory == nullptr) {
    std::printf("skipped: videocrop is not installed\n");
    return;
  }
  gst_object_unref(factory);
  const Shape shape{GST_VIDEO_FORMAT_GRAY16_LE, 297, 229};
  const std::string source =
      "depthtestsrc num-buffers=5 noise=0.5 ! video/x-raw,width=320,height=240 ! ";
  const std::string crop = "videocrop left=20 top=10 right=3 bottom=1 ! ";
  for (const char* output : {"0", "1"}) {
    const std::string segment =
        std::string("rdpsegment backend=cuda epsilon=300 output=") + output + " ! ";
    const auto wanted = play(source + crop + segment + "identity", shape);
    fail_unless_equals_int(static_cast<int>(wanted.size()), 10);
    for (const std::string& way :
         {source + "depthupload ! " + crop + segment + "depthdownload",
          source + crop + "depthupload ! " + segment + "depthdownload",
          source + "depthupload ! " + crop + "depthdownload ! " + segment + "identity",
          source + "depthupload ! videocrop left=19 top=10 ! videocrop left=1 right=3 bottom=1 ! " +
              segment + "depthdownload"}) {
      fail_unless(play(way, shape) == wanted, "%s", way.c_str());
    }
  }
}

CHECK_CASE(rdpsegment_crops_cuda, .missing = cuda_frames::missing)
