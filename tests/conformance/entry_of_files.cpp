// SPDX-License-Identifier: LGPL-2.1-or-later
// Elements that only move samples: sources, the sink, depthupload and depthdownload.
#include <cstring>
#include <memory>

#include "common/scene/test_pattern.h"
#include "tests/clouds/cloud_file_bytes.h"
#include "tests/conformance/entries.h"
#include "tests/support/planes_fixture.h"
#include "tests/support/temporary_files.h"

namespace conformance {

std::vector<Element> entries_of_transfers() {
  Element up;
  up.name = up.factory = "depthupload";
  up.in_place = false;
  up.gpu_only = true;
  up.further_errors = 1;  // GstBaseTransform's, with the next frame
  up.src_caps = "video/x-raw(memory:CUDAMemory)";
  up.shapes = {{{GST_VIDEO_FORMAT_GRAY16_LE, 40, 24}},
               {{GST_VIDEO_FORMAT_GRAY8, 65, 33}},
               {{GST_VIDEO_FORMAT_GRAY16_LE, 1, 1}}};
  up.remedy =
      "for GRAY16_BE or colour, put videoconvert before it; for other memory, the element that "
      "downloads it";
  up.expect = [](const Contents& contents) -> Check {
    return [content = contents[0]](GstBuffer* output) {
      return same_samples(output, content.shape, content.samples.data());
    };
  };
  Element down = up;
  down.name = down.factory = "depthdownload";
  down.src_caps = "video/x-raw";
  return {up, down};
}

std::vector<Element> entries_of_sources() {
  Element test;
  test.name = test.factory = "depthtestsrc";
  test.settings = "num-buffers=3";
  test.inputs.clear();
  test.in_place = test.pictures = test.crops = test.on_gpu = false;
  test.src_caps = "video/x-raw,format=GRAY16_LE,width=24,height=16,framerate=30/1";
  test.further_errors = 1;
  test.expect_made = [](guint64 number) -> Check {
    const auto content = std::make_shared<Content>(Shape{GST_VIDEO_FORMAT_GRAY16_LE, 24, 16});
    rdp::TestPatternRenderer().draw(number, {}, content->view());
    return [content](GstBuffer* output) {
      return same_samples(output, content->shape, content->samples.data());
    };
  };
  const auto add_source = [&test](const std::string& settings, const char* format) {
    add_way(&test, settings).src_caps =
        std::string("video/x-raw,width=64,height=48,framerate=30/1") + format;
  };
  for (const char* pattern : {"street", "ramp", "steps", "noise", "unknown", "room", "traffic"}) {
    const std::string noisy =
        std::string("noise=0.03 unknown-ratio=0.1 seed=3 pattern=") + pattern + " ";
    for (const char* view : {"left", "right", "side-by-side"}) {
      add_source(noisy + "view=" + view, ",format=GRAY8");
    }
    for (const char* format : {",format=GRAY16_LE", ",format=GRAY8"}) {
      add_source(noisy + "domain=disparity", format);
      add_source(noisy + "domain=depth", format);
    }
    add_source(noisy + "view=flow", "");
  }
  for (const char* pattern : {"ramp", "steps", "room", "traffic"}) {
    add_source(std::string("view=labels pattern=") + pattern, ",format=GRAY8");
  }
  const std::string crowd = "pattern=crowd seed=3 noise=2 view-index=1 calibration-error=0.5 ";
  for (const char* format : {",format=GRAY16_LE", ",format=GRAY8"}) add_source(crowd, format);
  add_source(crowd + "view=left", ",format=GRAY8");
  for (const char* pattern : {"pattern=room ", "pattern=crowd view-index=1 "}) {
    const std::string color = std::string(pattern) + "seed=3 noise=2 color-angle=-3 ";
    add_source(color + "view=color", ",format=RGB");
    add_source(color + "view=color-depth rig-pose=true", ",format=GRAY16_LE");
  }
  for (const char* settings :
       {"pattern=room view=side-by-side noise=0.5", "pattern=traffic view=flow",
        "pattern=room view=labels", "pattern=crowd view=heights view-index=2"}) {
    add_source(settings, "");
    test.ways.back().tries_properties = true;
  }
  Element clouds = test;
  clouds.ways.clear();
  clouds.name = clouds.factory = "pointcloudsrc";
  const auto points = [](guint64 number) {
    rdp::test::Points made = rdp::test::some_points(20);
    made[0][0] = static_cast<float>(number);
    return made;
  };
  clouds.prepare = [points](GstElement* made) {
    // Deleted when the process ends.
    static rdp::test::Folder folder;
    for (guint64 number = 0; number < 3; ++number) {
      folder.write(std::to_string(number) + ".pcd", rdp::test::pcd_binary(points(number)));
    }
    g_object_set(made, "location", (folder.path() + "/%d.pcd").c_str(), nullptr);
  };
  clouds.settings.clear();
  clouds.src_caps = "application/x-points,framerate=30/1";
  clouds.expect_made = [points](guint64 number) -> Check {
    return [expected = rdp::test::raw_bytes(points(number))](GstBuffer* output) {
      const std::vector<std::uint8_t> got = frames::bytes(output);
      return std::string(got.begin(), got.end()) == expected ? "" : "another cloud";
    };
  };
  Element files = clouds;
  files.prepare = nullptr;
  for (const char* name : {"cloud.pcd", "numbers.pcd", "mixed.pcd", "compressed.pcd", "text.pcd",
                           "big.ply", "lists.ply", "text.ply", "scan.bin"}) {
    add_way(&files, std::string("location=") + name);
  }
  files.ways.front().tries_properties = true;
  clouds.ways = files.ways;

  Element sink;
  sink.name = sink.factory = "pointcloudsink";
  sink.settings = "location=written%d.ply";
  sink.ends_here = true;
  sink.pictures = sink.crops = sink.on_gpu = false;
  sink.shapes = {{{GST_VIDEO_FORMAT_GRAY8, 12 * 5, 1}}};
  sink.draw = [](const Shapes& shapes, unsigned scene) {
    const std::string bytes = rdp::test::raw_bytes(rdp::test::some_points(5 + scene));
    Content content(shapes[0]);
    std::memcpy(content.samples.data(), bytes.data() + 12 * scene, content.samples.size());
    return Contents{content};
  };
  sink.caps = [](std::size_t, const Shape&) { return std::string(kCloudCaps); };
  sink.expect = [](const Contents&) { return [](GstBuffer*) { return std::string(); }; };
  add_way(&sink, "location=written.pcd");
  Element& labels = add_way(&sink, "labels=true location=written%d.pcd");
  labels.tries_properties = true;
  labels.describe = [](std::size_t, const Content&, GstBuffer* buffer) {
    g_autoptr(GstRdpPlanes) planes = new_planes(triangle_in_cloud());
    gst_buffer_add_rdp_planes_meta(buffer, planes);
  };
  return {test, clouds, sink};
}

}  // namespace conformance
