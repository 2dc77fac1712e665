// SPDX-License-Identifier: LGPL-2.1-or-later
// Errors and warnings of rdpmotion: links, poses, and frames.
#include <gst/rdpsegment/rdpcamerametric.h>

#include "tests/rdpmotion/motion_rig.h"
#include "tests/support/check_test.h"
#include "tests/support/check_text.h"
#include "tests/support/temporary_files.h"

using namespace rdp::test;
using Rig = rdp::test::MotionRig;

CHECK_TEST(test_errors) {
  rdp::test::Folder folder;
  const auto file = [&](const std::string& text) {
    static int number = 0;
    return line("ego-motion=given poses=" +
                folder.write("poses" + std::to_string(number++) + ".txt", text));
  };
  const std::string row = "1 0 0 0 0 1 0 0 0 0 1 0\n";
  const struct {
    std::string line;
    const char* error;
  } cases[] = {
      {source("depth") + kSegments + "rdpmotion name=m ! fakesink",
       "Nothing is linked to the pad video: link the frames with tracks of klttrack to it"},
      {source("left") + kTracks + "rdpmotion name=m ! fakesink",
       "Nothing is linked to the pad depth: link the frames with segments of rdpsegment to it"},
      {source("depth") + "m.depth " + source("left") + kTracks + "rdpmotion name=m ! fakesink",
       "A frame on depth carries no segments: put rdpsegment before that pad"},
      {source("depth") + kSegments + source("left") + "m.video rdpmotion name=m ! fakesink",
       "A frame on video carries no tracks: put klttrack before that pad"},
      {line("", source("depth"), source("left", 12, "", kWidth, kHeight / 2)),
       "(320x120) and on video (320x60) have different shapes"},
      {source("depth") + "rdpsegment ! videoscale ! video/x-raw,width=160,height=60 ! m.depth " +
           source("left") + kTracks + "rdpmotion name=m ! fakesink",
       "were scaled or cropped between rdpsegment"},
      {line("ego-motion=given"), "ego-motion=given needs the camera's pose"},
      {line("ego-motion=given poses=/nonexistent/poses.txt"), "/nonexistent/poses.txt"},
      {line("ego-motion=given poses=/dev/zero"), "/dev/zero is no regular file"},
      {file(""), "found no poses, expected a line of 12"},
      {file("1 2 3\n"), ".txt:1: found 3 numbers, expected 12"},
      {file(row + "\n# more\n1 0 0 0 0 1 0 0 0 0 1\n"), ".txt:4: found 11 numbers, expected 12"},
      {file("-1 0 0 0 0 1 0 0 0 0 1 0\n"), ".txt:1: found three rows that are no rotation"},
  };
  for (const auto& one : cases) {
    Rig rig(one.line);
    gst_element_set_state(rig.pipeline(), GST_STATE_PLAYING);
    check_has(rig.wait(), one.error);
  }
}

// Frames as other elements might produce them: with two cameras, or in batches.
CHECK_TEST(test_other_metadata) {
  const struct {
    const char* element;
    Rig::Change change;
    const char* error;
  } cases[] = {
      {"k",
       [](GstBuffer* buffer, int) {
         g_autoptr(GstRdpCamera) camera = gst_rdp_buffer_get_camera(buffer, nullptr);
         GstRdpCameraInfo info = *gst_rdp_camera_get_info(camera);
         info.focal_length *= 1.01;
         g_autoptr(GstRdpCamera) other = gst_rdp_camera_new(&info, nullptr);
         remove_metas(buffer, GST_RDP_CAMERA_META_API_TYPE);
         gst_buffer_add_rdp_camera_meta(buffer, other);
         return true;
       },
       "carry different cameras: the focal lengths"},
      {"k",
       [](GstBuffer* buffer, int) {
         g_autoptr(GstRdpCamera) camera = gst_rdp_buffer_get_camera(buffer, nullptr);
         GstRdpCameraInfo info = *gst_rdp_camera_get_info(camera);
         info.principal_y += 1.0;
         g_autoptr(GstRdpCamera) other = gst_rdp_camera_new(&info, nullptr);
         remove_metas(buffer, GST_RDP_CAMERA_META_API_TYPE);
         gst_buffer_add_rdp_camera_meta(buffer, other);
         return true;
       },
       "carry different cameras: the principal point"},
      {"k",
       [](GstBuffer* buffer, int) {
         gst_buffer_add_rdp_tracks_meta(buffer, gst_rdp_buffer_get_tracks(buffer))->batch_index = 1;
         return true;
       },
       "A buffer on video is a batch of frames"},
      {"s",
       [](GstBuffer* buffer, int) {
         gst_buffer_add_rdp_segment_meta(buffer, gst_rdp_buffer_get_segmentation(buffer))
             ->batch_index = 1;
         return true;
       },
       "A buffer on depth is a batch of frames"},
  };
  for (const auto& one : cases) {
    Rig rig(line(""));
    rig.change(one.element, one.change);
    check_has(rig.run(), one.error);
  }
  // A pose file shorter than the stream causes one warning; the stream continues.
  rdp::test::Folder folder;
  Rig rig(line("ego-motion=given poses=" + folder.write("poses.txt", poses(7, 0.4))));
  rdp::test::Received received(rig.get("out"));
  fail_unless_equals_text(rig.run(), "");
  fail_unless_equals_int(static_cast<int>(rig.warnings.size()), 1);
  check_has(rig.warnings[0], "has no pose for");
  for (std::size_t i = 0; i < 12; ++i) {
    const GstRdpMotionInfo* info =
        gst_rdp_motion_get_info(gst_rdp_buffer_get_motion(received.buffers[i]));
    fail_unless((info->ego_known != FALSE) == (i > 0 && i < 7), "frame %d", static_cast<int>(i));
  }
  gst_element_set_state(rig.pipeline(), GST_STATE_NULL);

  // A time mismatch names the time of the frame, the times of the file, and the property to set.
  Rig epoch(
      line("ego-motion=given poses=" +
           folder.write("epoch.txt", "1700000000.0 0 0 0 0 0 0 1\n1700000001.5 0 0 0 0 0 0 1\n")));
  fail_unless_equals_text(epoch.run(), "");
  fail_unless_equals_int(static_cast<int>(epoch.warnings.size()), 1);
  for (const char* text : {"a frame at 0.000 s", "from 1700000000.000 s to 1700000001.500 s",
                           "Set time-origin", "timestamps=names"}) {
    check_has(epoch.warnings[0], text);
  }
  gst_element_set_state(epoch.pipeline(), GST_STATE_NULL);
  Rig sparse(line("ego-motion=given poses=" +
                  folder.write("sparse.txt", "0 0 0 0 0 0 0 1\n1.5 0 0 0 0 0 0 1\n")));
  fail_unless_equals_text(sparse.run(), "");
  check_has(sparse.warnings[0], "those around it are more than 0.25 s apart");
  gst_element_set_state(sparse.pipeline(), GST_STATE_NULL);
}

CHECK_CASE(rdpmotion_errors, .seconds = 120)
