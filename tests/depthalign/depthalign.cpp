// SPDX-License-Identifier: LGPL-2.1-or-later
// depthalign beyond the rows of all elements: aligned rooms against the truth, inputs that lack
// something, and what it says then.
#include <cmath>
#include <fstream>
#include <iterator>

#include "tests/support/check_text.h"
#include "tests/support/pipeline_rig.h"
#include "tests/support/temporary_files.h"

using rdp::test::check_has;
using Rig = rdp::test::PipelineRig;

namespace {

const std::string kRoom = "depthtestsrc pattern=room seed=3 ";
const std::string kSmall = "! video/x-raw,width=320,height=240 ";

std::string depth(const std::string& settings = "rig-pose=true num-buffers=12 ") {
  return " " + kRoom + "domain=depth " + settings + kSmall + "! a.depth ";
}
std::string video(const std::string& settings = "num-buffers=12 ") {
  return " " + kRoom + "view=color " + settings + "! video/x-raw,width=640,height=360 ! a.video ";
}
std::string align(const std::string& settings = "") {
  return "depthalign name=a " + settings + " ! fakesink ";
}

std::vector<std::uint16_t> samples_in(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(stream)), {});
  std::vector<std::uint16_t> samples(bytes.size() / 2);
  std::memcpy(samples.data(), bytes.data(), 2 * samples.size());
  return samples;
}

}  // namespace

// The colour camera sees beyond the depth camera's image at its sides, and some of what that one
// does not; all else has its depth.
CHECK_TEST(test_truth) {
  const rdp::test::Folder folder;
  const std::string aligned = folder.path() + "/aligned";
  const std::string truth = folder.path() + "/truth";
  const std::string size = "! video/x-raw,width=640,height=360 ";
  Rig rig("depthalign name=a ! filesink location=" + aligned + " " + kRoom +
          "domain=depth rig-pose=true num-buffers=2 ! video/x-raw,width=640,height=480 ! a.depth " +
          kRoom + "view=color num-buffers=2 " + size + "! a.video " + kRoom +
          "view=color-depth num-buffers=2 " + size + "! filesink location=" + truth);
  rig.play();
  fail_unless_equals_text(rig.wait(), "");
  gst_element_set_state(rig.pipeline(), GST_STATE_NULL);
  const std::vector<std::uint16_t> got = samples_in(aligned);
  const std::vector<std::uint16_t> wanted = samples_in(truth);
  fail_unless(got.size() == std::size_t{2 * 640 * 360} && wanted.size() == got.size());
  std::size_t known = 0;
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (got[i] == 0 || wanted[i] == 0) continue;
    ++known;
    wrong += std::abs(1e6 / got[i] - 1e6 / wanted[i]) > 10.0 ? 1 : 0;
  }
  fail_unless(known > got.size() * 8 / 10, "%zu of %zu known", known, got.size());
  fail_unless(wrong < known / 300, "%zu of %zu wrong", wrong, known);
}

CHECK_TEST(test_errors) {
  const std::string far = "extrinsics=\"<1.0,0.0,0.0,-15.0,0.0,1.0,0.0,0.0,0.0,0.0,1.0,0.0>\"";
  const struct {
    std::string line;
    const char* error;
  } cases[] = {
      {align() + depth(), "nothing has come on video; link the colour camera's frames"},
      {align() + depth() + " fakesrc num-buffers=0 ! a.video", "nothing has come on video"},
      {align() + depth() + " videotestsrc num-buffers=9 ! video/x-raw,format=RGB ! a.video",
       "the frames on video carry no camera; set target-calibration"},
      {align() + depth("num-buffers=12 ") + video(), "the depth camera has no pose"},
      {align(far) + depth() + video(), "15 m apart by extrinsics, expected at most 10 m"},
      {align("target-calibration=/nonexistent.json") + depth(), "/nonexistent.json"},
      {align() + video() +
           " filesrc location=/dev/zero num-buffers=9 blocksize=153600 ! rawvideoparse width=320 "
           "height=240 format=gray16-le ! a.depth",
       "Alignment needs metres"},
      {align() + depth() +
           " filesrc location=/dev/zero num-buffers=9 blocksize=153600 ! rawvideoparse width=320 "
           "height=240 format=yuy2 ! a.video",
       "put videoconvert before the pad video"},
  };
  for (const auto& one : cases) {
    Rig rig(one.line);
    gst_element_set_state(rig.pipeline(), GST_STATE_PLAYING);
    check_has(rig.wait(), one.error);
  }
}

CHECK_TEST(test_nothing_inside) {
  Rig rig(align("extrinsics=\"<-1.0,0.0,0.0,0.0,0.0,1.0,0.0,0.0,0.0,0.0,-1.0,0.0>\"") + depth() +
          video());
  rig.play();
  fail_unless_equals_text(rig.wait(), "");
  fail_unless_equals_int(static_cast<int>(rig.warnings.size()), 1);
  check_has(rig.warnings[0], "Less than 1 % of the valid depth of 10 frames is inside");
}

// Without pairs, one frame on video is enough, and its upstream never waits.
CHECK_TEST(test_video_of_another_rate) {
  for (const char* settings : {"num-buffers=1 ", "num-buffers=200 "}) {
    Rig rig(align() + depth() + video(settings));
    rig.play();
    fail_unless_equals_text(rig.wait(), "");
    fail_unless(rig.warnings.empty());
  }
}

CHECK_TEST(test_live_without_video) {
  Rig rig(align() + depth("is-live=true rig-pose=true ") + kRoom +
          "view=color is-live=true ! valve drop=true ! a.video");
  gst_element_set_state(rig.pipeline(), GST_STATE_PLAYING);
  check_has(rig.wait(), "No frame has come on video for 5 s");
  fail_unless(!rig.warnings.empty());
  check_has(rig.warnings[0], "Depth frames are dropped until the first frame on video");
}

CHECK_CASE(depthalign, .seconds = 120)
