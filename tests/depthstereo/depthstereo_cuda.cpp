// SPDX-License-Identifier: LGPL-2.1-or-later
// depthstereo on the GPU, over the stand-in driver or a real one: bit-identical to the CPU, from
// and to system and CUDA memory.
#include "common/stereo/depth_table.h"
#include "tests/depthstereo/stereo_rig.h"
#include "tests/support/check_test.h"
#include "tests/support/cuda_frames.h"
#include "tests/support/temporary_files.h"

using rdp::stereo::Parameters;
using namespace stereo_rig;

namespace {

constexpr int kWidth = 101;
constexpr int kHeight = 47;
constexpr const char* kCuda = "(memory:CUDAMemory)";

Parameters small_range() {
  Parameters parameters;
  parameters.disparities = 32;
  return parameters;
}

std::string cuda_caps(const std::string& format, int width, int height) {
  std::string text = caps(format, width, height);
  return text.insert(std::string("video/x-raw").size(), kCuda);
}

// A view in CUDA memory.
GstBuffer* cuda_buffer(GstCudaContext* context, const Picture& picture, GstClockTime pts,
                       const char* format) {
  if (g_str_equal(format, "GRAY8")) {  // which GStreamer's own allocator does not know
    frames::Content content({GST_VIDEO_FORMAT_GRAY8, picture.width, picture.height});
    std::memcpy(content.samples.data(), picture.samples.data(), picture.samples.size());
    std::string reason;
    GstBuffer* result = rdp::test::new_cuda_buffer(context, content, &reason);
    fail_unless(result != nullptr, "%s", reason.c_str());
    GST_BUFFER_PTS(result) = pts;
    return result;
  }
  GstVideoInfo info;
  gst_video_info_set_format(&info, gst_video_format_from_string(format),
                            static_cast<guint>(picture.width), static_cast<guint>(picture.height));
  GstAllocator* allocator = gst_allocator_find(GST_CUDA_MEMORY_TYPE_NAME);
#ifdef RDP_GST_CUDA_STREAMS
  GstMemory* memory =
      gst_cuda_allocator_alloc(GST_CUDA_ALLOCATOR_CAST(allocator), context, nullptr, &info);
#else
  GstMemory* memory = gst_cuda_allocator_alloc(GST_CUDA_ALLOCATOR_CAST(allocator), context, &info);
#endif
  gst_object_unref(allocator);
  fail_unless(memory != nullptr);
  GstVideoInfo own = GST_CUDA_MEMORY_CAST(memory)->info;
  GstBuffer* result = gst_buffer_new();
  gst_buffer_append_memory(result, memory);
  gst_buffer_add_video_meta_full(result, GST_VIDEO_FRAME_FLAG_NONE, GST_VIDEO_INFO_FORMAT(&info),
                                 static_cast<guint>(picture.width),
                                 static_cast<guint>(picture.height), GST_VIDEO_INFO_N_PLANES(&info),
                                 own.offset, own.stride);
  for (int row = 0; row < picture.height; ++row) {
    gst_buffer_fill(result, own.offset[0] + static_cast<gsize>(row * own.stride[0]),
                    picture.samples.data() + row * picture.width,
                    static_cast<gsize>(picture.width));
  }
  GST_BUFFER_PTS(result) = pts;
  return result;
}

// Checks the output of all pads for a pair.
void check_all(Rig* rig, const Views& views, const Expected& expected, const std::string& what) {
  const int width = views.left.width;
  const int height = views.left.height;
  for (GstBuffer* got : rig->received().buffers) {
    check_same(samples<std::uint16_t>(got, width, height), expected.disparity, width, what);
  }
  check_same(samples<std::uint8_t>(rig->received("rectified").buffers.back(), width, height),
             views.left.samples, width, what + " rectified");
  check_same(samples<std::uint8_t>(rig->received("confidence").buffers.back(), width, height),
             expected.confidence, width, what + " confidence");
}

void check_on_gpu(const Rig& rig) {
  g_autoptr(GstStructure) stats = rig.stats();
  fail_unless_equals_string(gst_structure_get_string(stats, "backend"), "cuda");
}

}  // namespace

CHECK_TEST(test_system_memory) {
  const Views views = draw(kWidth, kHeight, small_range());
  const Expected expected = match(views, small_range());
  for (const char* format : {"GRAY8", "NV12"}) {
    Rig rig("disparities=32 backend=cuda", " left right rectified confidence overlay");
    rig.set_all_caps(caps(format, kWidth, kHeight));
    for (guint i = 0; i < 3; ++i) rig.push_pair(views, i * GST_SECOND / 30, format);
    rig.check_runs();
    fail_unless_equals_int(rig.received().buffers.size(), 3);
    check_all(&rig, views, expected, format);
    check_on_gpu(rig);
    const double known = static_cast<double>(expected.counts.known) / (kWidth * kHeight);
    fail_unless_equals_float(rig.share("known"), known);
  }
}

// backend=auto tries both backends on frames in system memory: the results are bit-identical.
CHECK_TEST(test_backend_trial) {
  const Views views = draw(kWidth, kHeight, small_range());
  const Expected expected = match(views, small_range());
  Rig rig("disparities=32", " left right rectified confidence");
  rig.set_all_caps(caps("GRAY8", kWidth, kHeight));
  for (guint i = 0; i < 30; ++i) rig.push_pair(views, i * GST_SECOND / 30);
  rig.check_runs();
  fail_unless_equals_int(rig.received().buffers.size(), 30);
  check_all(&rig, views, expected, "trial");
}

CHECK_TEST(test_cuda_memory) {
  const cuda_frames::ContextRef context = cuda_frames::new_context();
  const Views views = draw(kWidth + 1, kHeight + 1, small_range());
  const Expected expected = match(views, small_range());
  const int width = views.left.width;
  const int height = views.left.height;
  for (const char* format : {"GRAY8", "NV12", "I420"}) {
    Rig rig("disparities=32", " left right rectified confidence overlay");
    rig.set_all_caps(cuda_caps(format, width, height));
    for (guint i = 0; i < 3; ++i) {
      const GstClockTime pts = i * GST_SECOND / 30;
      rig.push("left", cuda_buffer(context.get(), views.left, pts, format));
      rig.push("right", cuda_buffer(context.get(), views.right, pts, format));
    }
    rig.check_runs();
    fail_unless_equals_int(rig.received().buffers.size(), 3);
    check_all(&rig, views, expected, format);
    check_on_gpu(rig);
  }
}

// One view on the GPU and one in system memory.
CHECK_TEST(test_mixed_memory) {
  const cuda_frames::ContextRef context = cuda_frames::new_context();
  const Views views = draw(kWidth, kHeight, small_range());
  Rig rig("disparities=32", " left right rectified confidence");
  rig.set_caps("left", caps("GRAY8", kWidth, kHeight));
  rig.set_caps("right", cuda_caps("GRAY8", kWidth, kHeight));
  rig.push("left", buffer(views.left));
  rig.push("right", cuda_buffer(context.get(), views.right, 0, "GRAY8"));
  rig.check_runs();
  check_all(&rig, views, match(views, small_range()), "mixed");
}

// Downstream caps name CUDA memory: the disparity stays on the GPU.
CHECK_TEST(test_to_cuda_memory) {
  const cuda_frames::ContextRef context = cuda_frames::new_context();
  const Views views = draw(kWidth, kHeight, small_range());
  const std::string gray16 = std::string("video/x-raw") + kCuda + ",format=GRAY16_LE";
  rdp::test::PipelineRig rig(
      "appsrc name=left format=time ! d.left appsrc name=right format=time ! d.right "
      "depthstereo name=d disparities=32 ! " +
      gray16 + " ! fakesink name=out async=false");
  rdp::test::Received received(rig.get("out"));
  for (const bool of_left : {true, false}) {
    const char* name = of_left ? "left" : "right";
    rig.set_caps(name, cuda_caps("GRAY8", kWidth, kHeight));
    for (guint i = 0; i < 3; ++i) {
      rig.push(name, cuda_buffer(context.get(), of_left ? views.left : views.right,
                                 i * GST_SECOND / 30, "GRAY8"));
    }
  }
  rig.end({"left", "right"});
  rig.play();
  const std::string error = rig.wait();
  fail_unless(error.empty(), "%s", error.c_str());
  fail_unless_equals_int(received.buffers.size(), 3);
  for (GstBuffer* got : received.buffers) {
    fail_unless(rdp::gst::is_cuda_buffer(got));
    check_same(samples<std::uint16_t>(got, kWidth, kHeight), match(views, small_range()).disparity,
               kWidth, "CUDA");
  }
  gst_element_set_state(rig.pipeline(), GST_STATE_NULL);
}

CHECK_TEST(test_packed_and_depth) {
  const Views views = draw(96, 40, small_range());
  Picture packed = stereo_rig::picture(192, 40);
  for (int row = 0; row < 40; ++row) {
    std::copy_n(views.left.samples.data() + row * 96, 96, packed.samples.data() + row * 192);
    std::copy_n(views.right.samples.data() + row * 96, 96, packed.samples.data() + row * 192 + 96);
  }
  const cuda_frames::ContextRef context = cuda_frames::new_context();
  Rig rig("disparities=32 packing=side-by-side output=depth-mm focal-length=200 baseline=0.5",
          " left rectified confidence");
  rig.set_all_caps(cuda_caps("GRAY8", 192, 40));
  rig.push("left", cuda_buffer(context.get(), packed, 0, "GRAY8"));
  rig.check_runs();
  Expected expected = match(views, small_range());
  const rdp::stereo::DepthScale scale = rdp::stereo::depth_scale(200, 0.5, 0);
  for (std::uint16_t& sample : expected.disparity) {
    sample = rdp::stereo::depth_of_disparity(sample, scale);
  }
  check_all(&rig, views, expected, "packed");
}

// Frames alternate between system memory and two contexts: output in CUDA memory stays in the
// context of its pair.
CHECK_TEST(test_renegotiation) {
  const cuda_frames::ContextRef contexts[] = {cuda_frames::new_context(),
                                              cuda_frames::new_context()};
  const Views views = draw(kWidth, kHeight, small_range());
  const Expected expected = match(views, small_range());
  for (const std::string follows :
       {"video/x-raw", "video/x-raw(memory:CUDAMemory)",
        "video/x-raw(memory:CUDAMemory),format=%s;video/x-raw,format=%s"}) {
    const auto of = [&](const char* format) {
      std::string text = follows.find(';') == std::string::npos ? follows + ",format=%s" : follows;
      for (std::size_t at; (at = text.find("%s")) != std::string::npos;)
        text.replace(at, 2, format);
      return text;
    };
    rdp::test::PipelineRig rig(
        "appsrc name=left format=time ! d.left appsrc name=right format=time ! d.right "
        "depthstereo name=d disparities=32 ! " +
        of("GRAY16_LE") + " ! fakesink name=out async=false sync=false d.rectified ! " +
        of("GRAY8") + " ! fakesink name=view async=false sync=false");
    rdp::test::Received out(rig.get("out"));
    rdp::test::Received view(rig.get("view"));
    const int order[] = {0, 1, 1, 0, 2, 0, 2, 2, 1, 0};
    for (const bool of_left : {true, false}) {
      const char* name = of_left ? "left" : "right";
      const Picture& picture = of_left ? views.left : views.right;
      GstClockTime pts = 0;
      for (const int where : order) {
        GstBuffer* frame = where == 0
                               ? buffer(picture, pts)
                               : cuda_buffer(contexts[where - 1].get(), picture, pts, "GRAY8");
        GstCaps* of_frame = gst_caps_from_string(
            (where == 0 ? caps("GRAY8", kWidth, kHeight) : cuda_caps("GRAY8", kWidth, kHeight))
                .c_str());
        GstSample* sample = gst_sample_new(frame, of_frame, nullptr, nullptr);
        GstFlowReturn flow;
        g_signal_emit_by_name(rig.get(name), "push-sample", sample, &flow);
        gst_sample_unref(sample);
        gst_caps_unref(of_frame);
        gst_buffer_unref(frame);
        pts += GST_SECOND / 30;
      }
    }
    rig.end({"left", "right"});
    rig.play();
    const std::string error = rig.wait();
    fail_unless(error.empty(), "%s: %s", follows.c_str(), error.c_str());
    fail_unless_equals_int(out.buffers.size(), G_N_ELEMENTS(order));
    fail_unless_equals_int(view.buffers.size(), G_N_ELEMENTS(order));
    for (std::size_t i = 0; i < out.buffers.size(); ++i) {
      check_same(samples<std::uint16_t>(out.buffers[i], kWidth, kHeight), expected.disparity,
                 kWidth, follows + " " + std::to_string(i));
      check_same(samples<std::uint8_t>(view.buffers[i], kWidth, kHeight), views.left.samples,
                 kWidth, follows + " rectified " + std::to_string(i));
      if (order[i] == 0 || !rdp::gst::is_cuda_buffer(out.buffers[i])) continue;
      GstMemory* memory = gst_buffer_peek_memory(out.buffers[i], 0);
      fail_unless(GST_CUDA_MEMORY_CAST(memory)->context == contexts[order[i] - 1].get());
    }
    gst_element_set_state(rig.pipeline(), GST_STATE_NULL);
  }
}

// Rectified views are bit-identical on all pads, too, even if the maps and the depth table change
// while playing.
CHECK_TEST(test_rectified) {
  using rdp::test::opencv_matrix;
  const std::string text =
      "%YAML:1.0\n---\n" + opencv_matrix("M1", 3, 3, "90., 0., 50., 0., 91., 22., 0., 0., 1.") +
      opencv_matrix("D1", 1, 4, "-0.2, 0.03, 0.001, 0.") +
      opencv_matrix("M2", 3, 3, "92., 0., 49., 0., 90., 24., 0., 0., 1.") +
      opencv_matrix("D2", 1, 4, "-0.1, 0.02, 0., 0.001") +
      opencv_matrix("R", 3, 3, "0.9996079231, 0., 0.028, 0., 1., 0., -0.028, 0., 0.9996079231") +
      opencv_matrix("T", 3, 1, "-0.1, 0.001, 0.");
  rdp::test::Folder folder;
  const std::string name = folder.write("stereo.yml", text);
  const Views views = draw(kWidth, kHeight, small_range());
  constexpr unsigned kPairs = 6;
  std::vector<std::vector<std::uint16_t>> distances[2];
  std::vector<std::vector<std::uint8_t>> pictures[2];
  for (const bool gpu : {false, true}) {
    Rig rig(std::string("disparities=32 output=depth-mm calibration=") + name +
                " backend=" + (gpu ? "cuda" : "cpu"),
            " left right rectified confidence");
    // Before each pair.
    GstPad* sink = gst_element_get_static_pad(rig.get("out_src"), "sink");
    gst_pad_add_probe(
        sink, GST_PAD_PROBE_TYPE_BUFFER,
        [](GstPad*, GstPadProbeInfo* info, gpointer element) {
          const auto count =
              static_cast<int>(GST_BUFFER_PTS(GST_PAD_PROBE_INFO_BUFFER(info)) / (GST_SECOND / 30));
          if (count == 0) g_object_set(element, "baseline", 0.05, nullptr);
          if (count == 1)
            g_object_set(element, "calibration", nullptr, "focal-length", 90.0, nullptr);
          if (count == 2) g_object_set(element, "baseline", 0.3, nullptr);
          return GST_PAD_PROBE_OK;
        },
        rig.element(), nullptr);
    gst_object_unref(sink);
    rig.set_all_caps(caps("GRAY8", kWidth, kHeight));
    for (unsigned i = 0; i < kPairs; ++i) rig.push_pair(views, i * (GST_SECOND / 30));
    rig.check_runs();
    fail_unless_equals_int(rig.received().buffers.size(), kPairs);
    for (unsigned i = 0; i < kPairs; ++i) {
      distances[gpu].push_back(samples<std::uint16_t>(rig.received().buffers[i], kWidth, kHeight));
      for (const char* pad : {"rectified", "confidence"}) {
        pictures[gpu].push_back(
            samples<std::uint8_t>(rig.received(pad).buffers[i], kWidth, kHeight));
      }
    }
  }
  fail_unless(distances[0] == distances[1] && pictures[0] == pictures[1]);
  fail_unless(pictures[0][0] != views.left.samples && pictures[0][2 * 2] == views.left.samples);
  fail_unless(distances[0][0] != distances[0][1] && distances[0][1] != distances[0][2] &&
              distances[0][2] != distances[0][3] && distances[0][3] == distances[0][4]);
}

// The views are downloaded once for diagnosis.
CHECK_TEST(test_diagnosis) {
  Parameters apart = small_range();
  apart.disparities = 16;
  apart.min_disparity = 8;
  const Views views = draw(240, 80, apart);
  Rig rig("disparities=32 backend=cuda");
  rig.set_all_caps(caps("GRAY8", 240, 80));
  for (guint i = 0; i < 12; ++i) {
    rig.push_pair({views.right, views.left}, i * GST_SECOND / 30);
  }
  rig.check_runs();
  fail_unless_equals_int(rig.warnings.size(), 1);
  stereo_rig::check_has(rig.warnings[0], "swapped");
}

CHECK_CASE(depthstereo_cuda, .missing = cuda_frames::missing)
