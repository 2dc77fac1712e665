// SPDX-License-Identifier: LGPL-2.1-or-later
// rdpsegment among GStreamer's own CUDA elements. They exist only where NVIDIA's video libraries
// do, hence not over the stand-in.
#include <gst/check/gstcheck.h>
#include <gst/video/video.h>

#include <cstdio>
#include <string>
#include <vector>

#include "tests/support/check_test.h"
#include "tests/support/play_line.h"

namespace {

constexpr const char* kSource =
    "depthtestsrc num-buffers=4 noise=0.3 unknown-ratio=0.1 ! video/x-raw,width=203,height=117 ! ";
constexpr const char* kSegment = "rdpsegment name=s epsilon=2 sample-scale=0.00390625 ";

// The pixels of every picture that reaches the element `pictures`, row after row.
std::vector<std::string> pictures_of(const std::string& launch) {
  std::vector<std::string> pictures;
  const auto take = [&](GstPad* pad, GstBuffer* buffer) {
    g_autoptr(GstCaps) caps = gst_pad_get_current_caps(pad);
    GstVideoInfo info;
    GstVideoFrame frame;
    fail_unless(gst_video_info_from_caps(&info, caps));
    fail_unless(gst_video_frame_map(&frame, &info, buffer, GST_MAP_READ));
    std::string pixels;
    for (int row = 0; row < info.height; ++row) {
      const auto* data = static_cast<const char*>(GST_VIDEO_FRAME_PLANE_DATA(&frame, 0));
      pixels.append(data + row * GST_VIDEO_FRAME_PLANE_STRIDE(&frame, 0),
                    static_cast<std::size_t>(info.width) * 4);
    }
    gst_video_frame_unmap(&frame);
    pictures.push_back(pixels);
  };
  const std::string error = rdp::test::play_line(launch, take, "pictures");
  fail_unless(error.empty(), "%s: %s", launch.c_str(), error.c_str());
  return pictures;
}

std::string pipeline(const char* to_memory, const char* backend, const char* to_sink) {
  return std::string(kSource) + to_memory + kSegment + backend +
         " s.src ! queue ! fakesink s.overlay ! queue ! " + to_sink + " fakesink name=pictures";
}

}  // namespace

// The overlay's pictures in CUDA memory equal the CPU's, also through GStreamer's elements.
CHECK_TEST(test_overlay_through_cudadownload) {
  const std::vector<std::string> expected = pictures_of(pipeline("", "backend=cpu", ""));
  fail_unless_equals_int(expected.size(), 4);
  fail_unless(pictures_of(pipeline(
                  "depthupload ! ", "",
                  "video/x-raw(memory:CUDAMemory),format=RGBA ! cudadownload ! video/x-raw !")) ==
              expected);
}

// Pictures in system memory go up to the GPU and come back.
CHECK_TEST(test_overlay_through_cudaupload) {
  const std::vector<std::string> expected = pictures_of(pipeline("", "backend=cpu", ""));
  fail_unless(pictures_of(pipeline(
                  "", "backend=cuda",
                  "video/x-raw,format=RGBA ! cudaupload ! video/x-raw(memory:CUDAMemory) ! "
                  "cudadownload ! video/x-raw !")) == expected);
}

static std::string missing() {
  for (const char* name : {"depthupload", "cudaupload", "cudadownload"}) {
    GstElementFactory* factory = gst_element_factory_find(name);
    if (factory == nullptr) return "there is no " + std::string(name) + " here";
    gst_object_unref(factory);
  }
  return "";
}

CHECK_CASE(rdpsegment_cuda_neighbours, .missing = missing)
