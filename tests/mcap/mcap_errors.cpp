// SPDX-License-Identifier: LGPL-2.1-or-later
// Errors of mcapsink and mcapsrc: expected, got, remedy.
#include <cstring>

#include "tests/mcap/mcap_rig.h"
#include "tests/support/check_test.h"
#include "tests/support/check_text.h"

using namespace rdp::test;
namespace ros = rdp::ros;

namespace {

std::string run(const std::string& line) {
  PipelineRig rig(line);
  gst_element_set_state(rig.pipeline(), GST_STATE_PLAYING);
  return rig.wait();
}

std::string depth_line(const std::string& words, const char* pad = "depth_0") {
  return "videotestsrc num-buffers=2 ! video/x-raw,format=GRAY16_LE,width=8,height=4 ! s." +
         std::string(pad) + " mcapsink name=s " + words;
}

}  // namespace

CHECK_TEST(test_errors_of_the_sink) {
  McapFolder folder;
  const std::string at = "location=" + folder.file() + " ";
  const struct {
    std::string line;
    const char* words;
  } rows[] = {
      {depth_line(""), "location is not set"},
      {depth_line("location=/no/such/folder/a.mcap"), "No such file or directory"},
      {depth_line("location=/tmp/%s.mcap"), "%s"},
      {depth_line(at + "max-size=1000"), "expected a name with a number such as %05d"},
      {depth_line(at + "depth_0::depth-encoding=rvl"),
       "frames without a camera came: set "
       "depth-encoding=raw on the pad depth_0, or depth-unit=0.001"},
      {"depthtestsrc num-buffers=1 ! s.depth_0 mcapsink name=s " + at +
           "depth_0::depth-encoding=rvl",
       "disparity came: set depth-encoding=raw on the pad depth_0, or send depth in mm."},
      {depth_line(at + "depth_0::topic=9/a"), "The topic of the pad depth_0 is \"9/a\""},
      {depth_line(at + "depth_0::topic=/a//b"), "letters, digits and _ behind slashes"},
      {depth_line(at + "depth_0::topic=/a depth_1::topic=/a videotestsrc ! "
                       "video/x-raw,format=GRAY16_LE,width=8,height=4 ! s.depth_1"),
       "The topics of the pads depth_0 and depth_1 are \"/a\" and \"/a\""},
      {depth_line(at + "depth_0::topic=/a depth_1::topic=/a/rdp videotestsrc ! "
                       "video/x-raw,format=GRAY16_LE,width=8,height=4 ! s.depth_1"),
       "expected topics of which none is or begins the other"},
  };
  for (const auto& row : rows) check_has(run(row.line), row.words);
  // Times that no clock can wait for.
  fail_unless_equals_text(
      run(depth_line(at + "chunk-time=18446744073709551615 fsync-interval=18446744073709551615")),
      "");
}

CHECK_TEST(test_errors_of_the_source) {
  McapFolder folder;
  const std::string bad = folder.file("bad.mcap");
  g_file_set_contents(bad.c_str(), "no MCAP at all", -1, nullptr);
  const std::string good = folder.file("good.mcap");
  const std::string many = folder.file("many.mcap");
  const std::string none = folder.file("none.mcap");
  {
    RosFile file(good);
    const std::string data(8, 'x');
    const ros::Blob bytes = ros::Blob::of(std::as_bytes(std::span(data)));
    ros::Image image{.header = header_at(kStart),
                     .height = 2,
                     .width = 2,
                     .encoding = "16UC1",
                     .step = 4,
                     .data = bytes};
    file.add("/good", kStart, image);
    image.encoding = "bayer_rggb8";
    file.add("/encoding", kStart, image);
    image.encoding = "16UC1";
    image.height = 3;
    file.add("/rows", kStart, image);
    image.height = 2;
    image.step = 3;
    file.add("/step", kStart, image);
    image.step = 4;
    image.width = 0;
    file.add("/width", kStart, image);
    file.add("/picture", kStart, ros::CompressedImage{header_at(kStart), "jpeg", bytes});
    file.add("/depth/compressedDepth", kStart,
             ros::CompressedImage{header_at(kStart), "16UC1; compressedDepth png", bytes});
    file.add("/cloud", kStart,
             ros::PointCloud2{.header = header_at(kStart),
                              .height = 1,
                              .width = 9,
                              .point_fields = {{"x", 0, 7, 1}, {"y", 4, 7, 1}, {"z", 8, 7, 1}},
                              .point_step = 12,
                              .row_step = 108,
                              .data = bytes});
    file.add("/scan", kStart, ros::LaserScan{});
    // Our own caps, whose buffers are too small for the frame.
    image.width = 2;
    file.add("/fields", kStart, image,
             {{"rdp.caps",
               "video/x-raw(format:Interlaced),format=GRAY16_LE,width=2,height=2,"
               "interlace-mode=alternate,framerate=30/1"}});
    // Our own frames without metadata in the topic rdp.
    const rdp::mcap::TextMap caps = {
        {"rdp.caps", "video/x-raw,format=GRAY16_LE,width=2,height=2,framerate=30/1"}};
    file.add("/alone/image_raw", kStart, image, caps);
    file.add("/alone/image_raw", kStart + 1, image, caps);
    file.add("/alone/rdp", kStart + 2, ros::UInt8MultiArray{});
    const char zeros[] = "\0\0\0\0\0\0\0\0\0\0\0\0\2\0\0\0\2\0\0\0\0\0\0\x40";
    file.add("/narrow/compressedDepth", kStart,
             ros::CompressedImage{
                 header_at(kStart), "16UC1; compressedDepth rvl",
                 ros::Blob::of(std::as_bytes(std::span(zeros).first(sizeof zeros - 1)))},
             {{"rdp.caps", "video/x-raw,format=GRAY8,width=2,height=2,framerate=30/1"}});
    file.finish();
    // A foreign file: a picture of an unknown encoding, a readable one, and texts.
    RosFile others(many);
    image.encoding = "bayer_rggb8";
    others.add("/a_picture", kStart, image);
    image.encoding = "16UC1";
    others.add("/depth", kStart, image);
    others.add("/picture", kStart, ros::CompressedImage{header_at(kStart), "jpeg", bytes});
    others.add("/json", kStart, ros::String{"{}"});
    for (int i = 0; i < 30; ++i) {
      others.add("/text_" + std::to_string(i), kStart, ros::String{"text"});
    }
    others.finish();
    RosFile scans(none);
    scans.add("/scan", kStart, ros::LaserScan{});
    scans.finish();
  }
  const struct {
    std::string words;
    const char* text;
  } rows[] = {
      {"", "location is not set"},
      {"location=/no/such/file.mcap", "No such file or directory"},
      {"location=/tmp", "regular file"},
      {"location=" + bad, "expected those that a file of MCAP begins with"},
      {"location=" + good + " topic=/other", "There is no topic \"/other\""},
      {"location=" + good + " topic=/other", "/good (sensor_msgs/msg/Image, 1 messages)"},
      {"location=" + good + " topic=/scan",
       "PointCloud2, or std_msgs/msg/String, in cdr. Set topic to one of /good ("},
      {"location=" + good + " topic=/encoding",
       "field encoding is \"bayer_rggb8\", expected one of 16UC1"},
      {"location=" + good + " topic=/rows", "field data has 8 bytes, expected 12"},
      {"location=" + good + " topic=/step", "field step is 3, expected at least 4"},
      {"location=" + good + " topic=/width", "field width is 0, expected 1 to 16384"},
      {"location=" + good + " topic=/picture", "neither as JPEG nor as PNG"},
      {"location=" + good + " topic=/depth/compressedDepth", "field data has 8 bytes, expected 12"},
      {"location=" + good + " topic=/fields", "expected those of a frame of 2x2"},
      {"location=" + good + " topic=/narrow/compressedDepth", "format GRAY8, expected GRAY16_LE"},
      {"location=" + good + " topic=/cloud", "field data has 8 bytes, expected 108"},
      {"location=" + good + " topic=/good ! video/x-raw,format=RGB", "Not negotiated"},
      // Unreadable topics and topics of other types beside the matching one.
      {"location=" + many + " ! application/x-json", ""},
      {"location=" + many + " ! video/x-raw,format=GRAY16_LE", ""},
      {"location=" + many + " ! image/png", "neither as JPEG nor as PNG"},
      {"location=" + many + " ! text/x-raw",
       "The element after mcapsrc accepts more than one topic of"},
      {"location=" + good + " ! application/x-json",
       "The element after mcapsrc accepts no topic of"},
      {"location=" + many + " ! text/x-raw", "std_msgs/msg/String, 1 messages) and 14 others."},
      {"location=" + none, "It has /scan (sensor_msgs/msg/LaserScan, 1 messages)."},
  };
  for (const auto& row : rows) {
    const std::string error = run("mcapsrc " + row.words + " ! fakesink");
    check_has(error, row.text);
    fail_unless(error.empty() == (row.text[0] == '\0'), "%s: %s", row.words.c_str(), error.c_str());
  }
  // One warning: for the damaged message, or for all frames without their metadata.
  for (const auto& [topic, text] : {std::pair("/rows", "field data has 8 bytes, expected 12"),
                                    {"/alone/image_raw", "that the topic rdp beside it says"}}) {
    const auto played = play(good, std::string("skip-damaged=true topic=") + topic);
    fail_unless_equals_text(played->error, "");
    fail_unless_equals_int(played->warnings.size(), 1);
    check_has(played->warnings[0], text);
  }
}

// A changed byte in a chunk, and truncation at any offset.
CHECK_TEST(test_damage) {
  McapFolder folder;
  const char* caps = "video/x-raw,format=GRAY16_LE,width=64,height=48,framerate=100/1";
  std::vector<GstBuffer*> sent;
  for (unsigned i = 0; i < 12; ++i) {
    sent.push_back(buffer_of(some_frame(caps, i), i * 10 * GST_MSECOND));
  }
  fail_unless_equals_text(
      record(folder.file(), "depth_0", caps, sent, "compression=none chunk-size=20000"), "");
  gchar* content = nullptr;
  gsize size = 0;
  fail_unless(g_file_get_contents(folder.file().c_str(), &content, &size, nullptr));
  const std::string whole(content, size);
  g_free(content);
  const std::string other = folder.file("b.mcap");
  std::string damaged = whole;
  damaged[size / 2] ^= 1;
  g_file_set_contents(other.c_str(), damaged.data(), static_cast<gssize>(size), nullptr);
  check_has(play(other)->error, "found the CRC");
  const auto skipped = play(other, "skip-damaged=true");
  fail_unless(skipped->error.empty(), "%s", skipped->error.c_str());
  fail_unless(skipped->buffers.size() >= 8 && skipped->buffers.size() < 12, "%zu",
              skipped->buffers.size());
  for (gsize cut = 0; cut < size; cut += 977) {
    g_file_set_contents(other.c_str(), whole.data(), static_cast<gssize>(cut), nullptr);
    const auto played = play(other);
    fail_unless(played->buffers.size() <= 12);
    if (cut > 40000)
      fail_unless(played->error.empty(), "cut at %zu: %s", cut, played->error.c_str());
  }
  for (GstBuffer* buffer : sent) gst_buffer_unref(buffer);
}

CHECK_CASE(mcap_errors, .seconds = 120)
