// SPDX-License-Identifier: LGPL-2.1-or-later
// klttrack on batches in NVMM memory that the CPU reads: each place is a camera with ids and
// metadata of its own, until a batch has another number of frames.
#include "tests/klttrack/track_rig.h"
#include "tests/support/bus_texts.h"
#include "tests/support/nvmm_surface.h"

using namespace tracks_rig;
using nvmm_frames::Batch;
using nvmm_frames::Surface;

// Batches of NV12, as nvstreammux makes them, in which the cameras move in different ways.
GST_START_TEST(test_batches) {
  Stream stream;
  gst_harness_set_src_caps(stream.harness,
                           frames::caps({GST_VIDEO_FORMAT_NV12, kWidth, kHeight}, "memory:NVMM"));
  std::vector<reference::State> cameras;
  GstClockTime before = GST_CLOCK_TIME_NONE;
  for (int number = 0; number < 8; ++number) {
    const guint count = number < 4 ? 3 : 2;
    if (number == 4) {
      before = GST_CLOCK_TIME_NONE;
      for (reference::State& camera : cameras) {
        camera.picture.clear();
        camera.tracks.clear();
        camera.starts.clear();
      }
    }
    cameras.resize(3);
    Batch batch;
    batch.size = 4;
    batch.filled = count;
    auto surface = std::make_shared<Surface>(GST_VIDEO_FORMAT_NV12, kWidth, kHeight, batch);
    std::vector<TestFrame> pictures;
    for (guint i = 0; i < count; ++i) {
      const int step = static_cast<int>(i) + 1;
      pictures.push_back(
          klt_picture(PictureKind::kTexture, kWidth, kHeight, i + 3, step * number, 2 - number));
      std::vector<std::uint8_t> luma;
      for (int row = 0; row < kHeight; ++row) {
        for (int column = 0; column < kWidth; ++column) {
          luma.push_back(static_cast<std::uint8_t>(pictures[i].view().at(row, column)));
        }
      }
      surface->write(i, luma.data(), kWidth);
    }
    GstBuffer* buffer = nvmm_frames::wrap(surface);
    GST_BUFFER_PTS(buffer) = static_cast<GstClockTime>(number) * GST_MSECOND;
    std::vector<rdp::klt::Point> points;
    if (number == 2) {
      points = {{33, 44, 0, 0}};
      add_points(buffer, points)->batch_index = 1;
    }
    fail_unless_equals_int(gst_harness_push(stream.harness, buffer), GST_FLOW_OK);
    g_autoptr(GstBuffer) output = gst_harness_pull(stream.harness);
    fail_unless_equals_int(gst_buffer_get_n_meta(output, GST_RDP_TRACKS_META_API_TYPE), count);
    for (guint i = 0; i < count; ++i) {
      GstRdpTracks* tracks = gst_rdp_buffer_get_batch_tracks(output, i);
      reference::Result expected;
      const std::vector<rdp::klt::Point> none;
      const rdp::klt::Input input = {pictures[i].view(), {}, i == 1 ? points : none};
      cameras[i] = reference::advance(cameras[i], input, {}, &expected);
      const std::string wrong = difference(tracks, expected);
      fail_unless(wrong.empty(), "batch %d, frame %u: %s", number, i, wrong.c_str());
      fail_unless_equals_uint64(gst_rdp_tracks_get_info(tracks)->template_pts, before);
    }
    before = static_cast<GstClockTime>(number) * GST_MSECOND;
    const std::string said = rdp::test::bus_texts(stream.bus);
    const bool told =
        said.find("A batch has 2 frames and the one before had 3") != std::string::npos;
    fail_unless(told == (number == 4), "%d: %s", number, said.c_str());
  }
  fail_unless_equals_uint64(stream.stat("frames"), 4 * 3 + 4 * 2);
}
GST_END_TEST;

static Suite* klttrack_nvmm_suite() {
  Suite* suite = suite_create("klttrack_nvmm");
  TCase* tests = tcase_create("all");
  suite_add_tcase(suite, tests);
  tcase_add_test(tests, test_batches);
  return suite;
}

GST_CHECK_MAIN(klttrack_nvmm)
