// SPDX-License-Identifier: LGPL-2.1-or-later
// rdpoverlay style=planes: labels, outlines and numbers as in depthplanes' own picture, on pictures
// of the same camera; errors.
#include "common/image/index_colour.h"
#include "common/rdp/legend.h"
#include "tests/rdpoverlay/overlay_rig.h"
#include "tests/support/check_test.h"
#include "tests/support/planes_fixture.h"

using namespace overlay_rig;
using rdp::test::PipelineRig;
using rdp::test::Received;

namespace {

const PictureShape kShape{"RGBA", 160, 120};

// A pipeline of a room with a black picture on video; `words` are rdpoverlay's properties.
std::string room(const std::string& words, const std::string& picture = kShape.caps()) {
  return "rdpoverlay name=o style=planes " + words +
         " ! fakesink name=out async=false sync=false depthtestsrc pattern=room domain=depth "
         "num-buffers=1 ! " +
         "video/x-raw,width=160,height=120,framerate=30/1 ! depthplanes name=p p.src ! queue ! "
         "o.segments p.overlay ! queue ! fakesink name=own async=false sync=false "
         "videotestsrc pattern=black num-buffers=1 ! " +
         picture + " ! queue ! o.video ";
}

GstBuffer* buffer_with_planes(GstRdpPlanes* planes) {
  GstBuffer* buffer = gst_buffer_new_allocate(nullptr, 96, nullptr);
  GST_BUFFER_PTS(buffer) = 0;
  gst_buffer_add_rdp_planes_meta(buffer, planes);
  return buffer;
}

// Adds the camera of the fixture's planes with these focal lengths and distance.
void add_camera(GstBuffer* buffer, double focal_length, double focal_length_y, double left,
                double distortion = 0.0) {
  GstRdpCameraInfo info;
  gst_rdp_camera_info_init(&info);
  info.width = 8;
  info.height = 6;
  info.focal_length = focal_length;
  info.focal_length_y = focal_length_y;
  info.principal_x = 3.5;
  info.principal_y = 2.5;
  info.distortion[0] = distortion;
  info.has_pose = TRUE;
  for (const int diagonal : {0, 5, 10}) info.pose[diagonal] = 1.0;
  info.pose[3] = left;
  g_autoptr(GstRdpCamera) camera = gst_rdp_camera_new(&info, nullptr);
  fail_unless(camera != nullptr);
  gst_buffer_add_rdp_camera_meta(buffer, camera);
}

}  // namespace

// Each pixel of a plane has its colour, unless depthplanes' picture has an outline or a number
// there too.
CHECK_TEST(test_picture) {
  PipelineRig rig(room("opacity=1"));
  Received drawn(rig.get("out")), own(rig.get("own"));
  rig.play();
  const std::string error = rig.wait();
  fail_unless(error.empty(), "%s", error.c_str());
  gst_element_set_state(rig.pipeline(), GST_STATE_NULL);
  GstBuffer* ours = drawn.buffers.at(0);
  GstBuffer* theirs = own.buffers.at(0);
  std::size_t outlines = 0, planes = 0;
  for (int row = 0; row < kShape.height; ++row) {
    for (int column = 0; column < kShape.width; ++column) {
      const std::uint32_t at = pixel(ours, kShape, row, column);
      const bool mark = at == rdp::kLegendInk || at == rdp::kLegendPaper;
      if (mark) {
        ++outlines;
        fail_unless(pixel(theirs, kShape, row, column) == at, "row %d, column %d", row, column);
        continue;
      }
      bool known = at == 0xFF000000U;
      for (int i = 0; i < 32 && !known; ++i) {
        const rdp::Rgb c = rdp::index_colour(i);
        known = at == rdp::pixel(c.r, c.g, c.b);
        planes += known ? 1 : 0;
      }
      fail_unless(known, "row %d, column %d: %08x", row, column, at);
    }
  }
  fail_unless(outlines > 500 && planes > 10000, "%d, %d", static_cast<int>(outlines),
              static_cast<int>(planes));
}

// Opacity of areas and outlines: drawn twice it is 1 - (1 - opacity)^2.
CHECK_TEST(test_opacity) {
  g_autoptr(GstRdpPlanes) planes = new_planes(wall_and_floor());
  const PictureShape shape;
  for (const char* opacity : {"0", "0.5"}) {
    Rig rig(std::string("style=planes opacity=") + opacity, shape.caps(),
            "video/x-raw,format=GRAY16_LE,width=8,height=6,framerate=30/1");
    rig.push("video", overlay_rig::picture_buffer(shape, 0, 0));
    rig.push("segments", buffer_with_planes(planes));
    overlay_rig::check(rig.run(), "");
    // The first pixel is of the wall's outline.
    const std::uint32_t at = pixel(rig.received.at(0), shape, 0, 0);
    fail_unless(opacity[1] == '\0' ? at == 0 : (at & 255) > 170 && (at & 255) < 182, "%s: %08x",
                opacity, at);
  }
}

// Pictures of another size, or of another camera.
CHECK_TEST(test_refused) {
  PipelineRig larger(room("", "video/x-raw,format=RGBA,width=320,height=240,framerate=30/1"));
  larger.play();
  const std::string error = larger.wait();
  check_has(error, "frames of 160x120, but the pictures on video are 320x240");
  check_has(error, "put depthalign before depthplanes");
  gst_element_set_state(larger.pipeline(), GST_STATE_NULL);

  GstRdpPlanes* planes = new_planes(wall_and_floor());
  const PictureShape shape;
  const struct {
    double focal, focal_y, left, distortion;
    const char* says;
  } cases[] = {
      {4.0, 4.0, 0.0, 0.0, ""},
      {5.0, 5.0, 0.0, 0.0,
       "focal lengths (4.00, 4.00) and centre (3.50, 2.50) px, but the pictures on video"},
      {4.0, 5.0, 0.0, 0.0, "are of one with (4.00, 5.00) and (3.50, 2.50): put depthalign before"},
      {4.0, 4.0, 0.0, 0.1, "whose lens distorts: put depthalign before"},
      {4.0, 4.0, 0.025, 0.0, "in another place than that of video: put depthalign before"},
  };
  for (const auto& one : cases) {
    Rig rig("style=planes", shape.caps(),
            "video/x-raw,format=GRAY16_LE,width=8,height=6,framerate=30/1");
    GstBuffer* picture = overlay_rig::picture_buffer(shape);
    add_camera(picture, one.focal, one.focal_y, one.left, one.distortion);
    GstBuffer* frame = buffer_with_planes(planes);
    add_camera(frame, 4.0, 4.0, 0.0);
    rig.push("video", picture);
    rig.push("segments", frame);
    const std::string said = rig.run();
    fail_unless(said.empty() == (one.says[0] == '\0'), "%s", said.c_str());
    check_has(said, one.says);
  }
  gst_rdp_planes_unref(planes);

  Rig without("style=planes", shape.caps(),
              "video/x-raw,format=GRAY16_LE,width=8,height=6,framerate=30/1");
  without.push("video", overlay_rig::picture_buffer(shape));
  without.push("segments", gst_buffer_new_allocate(nullptr, 96, nullptr));
  check_has(without.run(), "no planes, which style=planes needs: put depthplanes before that pad");
}

CHECK_CASE(rdpoverlay_planes, .seconds = 60)
