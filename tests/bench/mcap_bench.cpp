// SPDX-License-Identifier: LGPL-2.1-or-later
// The cost of recording depth, for the waiting streaming thread and the whole process.
#include <gst/gst.h>
#include <gst/rdpsegment/rdpsegment.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/support/camera_infos.h"
#include "tests/support/command_line.h"

namespace {

constexpr int kWidth = 640;
constexpr int kHeight = 480;

double microseconds(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) / 1e3;
}

// A floor and a wall in mm, with a camera's noise and holes.
GstBuffer* new_frame(GstRdpCamera* camera) {
  std::vector<std::uint16_t> samples;
  std::uint32_t seed = 1;
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x) {
      seed = seed * 1664525 + 1013904223;
      const int depth = std::min(4000 - x, 400000 / (1 + std::max(y - 200, 0)));
      const bool hole = (x / 40 + y / 30) % 9 == 0;
      samples.push_back(static_cast<std::uint16_t>(
          hole ? 0
               : depth + static_cast<int>((seed >> 24) % static_cast<unsigned>(1 + depth / 500))));
    }
  }
  const gsize size = samples.size() * sizeof samples[0];
  GstBuffer* buffer = gst_buffer_new_allocate(nullptr, size, nullptr);
  gst_buffer_fill(buffer, 0, samples.data(), size);
  gst_buffer_add_rdp_camera_meta(buffer, camera);
  return buffer;
}

struct Pace {
  int frames = 120;
  double rate = 30.0;  // frames per second; 0: as fast as possible
};

void measure(GstBuffer* frame, const char* encoding, const char* compression, const Pace& pace,
             const std::string& file) {
  GError* error = nullptr;
  const std::string line = std::string("pipeline.( mcapsink name=s compression=") + compression +
                           " location=" + file + " )";
  GstElement* pipeline = gst_parse_launch(line.c_str(), &error);
  if (pipeline == nullptr) throw std::runtime_error(error->message);
  g_autoptr(GstElement) sink = gst_bin_get_by_name(GST_BIN(pipeline), "s");
  g_autoptr(GstPad) to = gst_element_request_pad_simple(sink, "depth_0");
  gst_util_set_object_arg(G_OBJECT(to), "depth-encoding", encoding);
  GstPad* pad = gst_pad_new(nullptr, GST_PAD_SRC);
  gst_pad_set_active(pad, TRUE);
  gst_pad_link(pad, to);
  gst_element_set_state(pipeline, GST_STATE_PLAYING);
  gst_pad_push_event(pad, gst_event_new_stream_start("depth"));
  g_autoptr(GstCaps) caps =
      gst_caps_from_string("video/x-raw,format=GRAY16_LE,width=640,height=480,framerate=30/1");
  gst_pad_push_event(pad, gst_event_new_caps(caps));
  GstSegment segment;
  gst_segment_init(&segment, GST_FORMAT_TIME);
  gst_pad_push_event(pad, gst_event_new_segment(&segment));

  std::vector<double> waits;
  double thread = 0.0, process = 0.0;
  constexpr int kWarmUps = 5;
  for (int i = 0; i < kWarmUps + pace.frames; ++i) {
    if (i == kWarmUps) process = microseconds(CLOCK_PROCESS_CPUTIME_ID);
    GstBuffer* buffer = gst_buffer_copy(frame);
    GST_BUFFER_PTS(buffer) = static_cast<GstClockTime>(i) * GST_SECOND / 30;
    const double start = microseconds(CLOCK_MONOTONIC);
    const double thread_start = microseconds(CLOCK_THREAD_CPUTIME_ID);
    if (gst_pad_push(pad, buffer) != GST_FLOW_OK) throw std::runtime_error("no frame is taken");
    if (i >= kWarmUps) thread += microseconds(CLOCK_THREAD_CPUTIME_ID) - thread_start;
    if (i >= kWarmUps) waits.push_back(microseconds(CLOCK_MONOTONIC) - start);
    const double left =
        pace.rate > 0.0 ? start + 1e6 / pace.rate - microseconds(CLOCK_MONOTONIC) : 0;
    if (left > 0.0) g_usleep(static_cast<gulong>(left));
  }
  gst_pad_push_event(pad, gst_event_new_eos());
  process = microseconds(CLOCK_PROCESS_CPUTIME_ID) - process;
  gst_element_set_state(pipeline, GST_STATE_NULL);
  gst_object_unref(pad);
  gst_object_unref(pipeline);
  std::ranges::sort(waits);
  const double frames = pace.frames;
  std::printf("| %s | %s | %.3f | %.3f | %.3f | %.1f | %.0f |\n", encoding, compression,
              waits[waits.size() / 2] / 1e3, waits[waits.size() * 95 / 100] / 1e3,
              thread / frames / 1e3, process / frames * 30.0 / 1e4,
              static_cast<double>(std::filesystem::file_size(file)) / (frames + kWarmUps) / 1e3);
  std::fflush(stdout);
  std::filesystem::remove(file);
}

}  // namespace

int main(int argc, char** argv) {
  bool quick = false;
  std::string folder = std::filesystem::temp_directory_path();
  rdp::test::CommandLine line("What mcapsink costs for depth frames of 640x480 in mm.");
  line.flag("quick", &quick, "a few frames, whose times mean nothing");
  line.file("folder", &folder, "where files of some 100 MB are written, and removed", "FOLDER");
  line.group(gst_init_get_option_group());
  line.read(argc, argv);
  try {
    const GstRdpCameraInfo info = sized_camera(depth_camera_info(), kWidth, kHeight);
    g_autoptr(GstRdpCamera) camera = gst_rdp_camera_new(&info, nullptr);
    g_autoptr(GstBuffer) frame = new_frame(camera);
    const std::string file = folder + "/rdpsegment-bench-" + std::to_string(getpid()) + ".mcap";
    std::printf(
        "| encoding | compression | push, ms, median | 95 %% | CPU of its thread, ms | %% of a "
        "core "
        "at 30 frames/s | KB a frame |\n|---|---|---|---|---|---|---|\n");
    for (const auto& [encoding, compression] : {std::pair<const char*, const char*>{"raw", "none"},
                                                {"raw", "auto"},
                                                {"rvl", "none"},
                                                {"png", "none"}}) {
      measure(frame, encoding, compression, quick ? Pace{5, 0.0} : Pace{}, file);
    }
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "mcap_bench: %s\n", error.what());
    return 1;
  }
}
