// SPDX-License-Identifier: LGPL-2.1-or-later
// Segments flagged as moving in traffic, with a camera driving straight or turning: the cars and
// almost nothing else.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/image/depth_view.h"
#include "common/scene/test_labels.h"
#include "common/scene/traffic_scene.h"
#include "tests/rdpmotion/motion_rig.h"
#include "tests/support/check_test.h"
#include "tests/support/check_text.h"

#include <gst/rdpsegment/rdpsegment.h>

namespace {

using Rig = rdp::test::MotionRig;

// Small sizes: stereo matching is slow.
struct Size {
  int width, height;
};
constexpr Size kOfTruth = {828, 252};
constexpr Size kOfPictures = {552, 168};
constexpr int kFrames = 48;
constexpr int kFirst = 30;  // cars 1 and 2 are visible and filters have settled

// Counts of segments with a known velocity.
struct Share {
  int known = 0;
  int fast = 0;  // candidates: above 3 sigma and 1 m/s
  int flagged = 0;
};
struct Shares {
  Share cars;
  Share rest;
};

// 1: the middle of a segment shows a car. 0: it is away from any car. -1: it is beside a car, whose
// disparity a matcher may give it.
int car_at(const std::vector<std::byte>& labels, int width, int column,
           const GstRdpSegment& segment) {
  constexpr int kBeside = 8;  // columns
  const auto is_car = [&](int row, int c) {
    return labels[static_cast<std::size_t>(row * width + c)] != std::byte{0};
  };
  if (is_car((segment.first_row + segment.last_row) / 2, column)) return 1;
  for (int row = segment.first_row; row <= segment.last_row; ++row) {
    for (int c = std::max(column - kBeside, 0); c <= std::min(column + kBeside, width - 1); ++c) {
      if (is_car(row, c)) return -1;
    }
  }
  return 0;
}

Shares shares_of(const std::string& settings, unsigned drive, unsigned turn, bool from_pictures) {
  const auto [width, height] = from_pictures ? kOfPictures : kOfTruth;
  const std::string more = "drive=" + std::to_string(drive) + " turn=" + std::to_string(turn);
  const auto view = [&, wide = width, high = height](const char* name,
                                                     const std::string& with = "") {
    return rdp::test::source(name, kFrames, more + with, wide, high);
  };
  const std::string text =
      from_pictures ? view("left") + "d.left " + view("right") + "d.right depthstereo name=d ! " +
                          rdp::test::kSegments + "d.rectified ! " + rdp::test::kTracks +
                          "rdpmotion name=m " + settings + " ! fakesink name=out sync=false"
                    : rdp::test::line(settings, view("depth", " noise=0.25"), view("left"));
  Rig rig(text);
  rdp::test::Received received(rig.get("out"));
  fail_unless_equals_text(rig.run(), "");
  gst_element_set_state(rig.pipeline(), GST_STATE_NULL);
  fail_unless_equals_int(static_cast<int>(received.buffers.size()), kFrames);

  Shares shares;
  rdp::TestPatternOptions options;
  options.pattern = rdp::TestPattern::kTraffic;
  options.drive = drive;
  options.turn = turn;
  rdp::TestLabelRenderer renderer;
  std::vector<std::byte> labels(static_cast<std::size_t>(width * height));
  const rdp::MutableDepthView view_of_labels = {labels.data(), width, width, height,
                                                rdp::SampleType::kU8};
  for (int number = kFirst; number < kFrames; ++number) {
    renderer.draw(static_cast<std::uint64_t>(number), options, view_of_labels);
    GstBuffer* buffer = received.buffers[static_cast<std::size_t>(number)];
    GstRdpSegmentation* segmentation = gst_rdp_buffer_get_segmentation(buffer);
    gsize n = 0;
    const GstRdpSegmentMotion* of =
        gst_rdp_motion_peek_segments(gst_rdp_buffer_get_motion(buffer), &n);
    for (guint column = 0; column < static_cast<guint>(width); ++column) {
      gsize count = 0;
      const GstRdpSegment* segments = gst_rdp_segmentation_get_column(segmentation, column, &count);
      for (gsize i = 0; i < count; ++i, ++of) {
        if ((of->flags & GST_RDP_MOTION_KNOWN) == 0) continue;
        const int car = car_at(labels, width, static_cast<int>(column), segments[i]);
        if (car < 0) continue;
        const double speed =
            std::sqrt(static_cast<double>(of->vx) * of->vx + static_cast<double>(of->vy) * of->vy +
                      static_cast<double>(of->vz) * of->vz);
        Share& share = car == 0 ? shares.rest : shares.cars;
        ++share.known;
        share.fast += speed > 3.0 * of->sigma && speed > 1.0 ? 1 : 0;
        share.flagged += (of->flags & GST_RDP_MOTION_MOVING) != 0 ? 1 : 0;
      }
    }
  }
  std::printf("%-22s drive=%u turn=%u %s: cars %d known, %d fast, %d flagged; rest %d, %d, %d\n",
              settings.c_str(), drive, turn, from_pictures ? "stereo" : "truth", shares.cars.known,
              shares.cars.fast, shares.cars.flagged, shares.rest.known, shares.rest.fast,
              shares.rest.flagged);
  std::fflush(stdout);
  return shares;
}

void check(const Shares& shares) {
  fail_unless(shares.cars.fast > 1000 && shares.rest.known > 10000);
  // Fast segments on cars keep the flag.
  fail_unless(shares.cars.flagged >= 0.95 * shares.cars.fast);
  // All other segments are static.
  fail_unless(shares.rest.flagged <= 0.002 * shares.rest.known);
}

CHECK_TEST(test_camera_that_stands) { check(shares_of("", 0, 0, false)); }

CHECK_TEST(test_straight_drive) { check(shares_of("ego-motion=estimate", 400, 0, true)); }

// 14 and 34 degrees a second.
CHECK_TEST(test_turns) {
  check(shares_of("ego-motion=estimate", 300, 8, false));
  check(shares_of("ego-motion=estimate", 200, 20, true));
}

}  // namespace

CHECK_CASE(rdpmotion_flags, .seconds = 240)
