// SPDX-License-Identifier: LGPL-2.1-or-later
// Elements that only move samples: the sources, depthupload and depthdownload.
#include <memory>

#include "common/scene/test_pattern.h"
#include "tests/clouds/cloud_file_bytes.h"
#include "tests/conformance/entries.h"
#include "tests/support/temporary_files.h"

namespace conformance {

std::vector<Element> entries_of_transfers() {
  Element up;
  up.name = up.factory = "depthupload";
  up.in_place = false;
  up.gpu_only = true;
  up.tries_again = 1;  // GstBaseTransform, with the next frame
  up.src_caps = "video/x-raw(memory:CUDAMemory)";
  up.shapes = {{{GST_VIDEO_FORMAT_GRAY16_LE, 40, 24}},
               {{GST_VIDEO_FORMAT_GRAY8, 65, 33}},
               {{GST_VIDEO_FORMAT_GRAY16_LE, 1, 1}}};
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
  test.tries_again = 1;
  test.expect_made = [](guint64 number) -> Check {
    const auto content = std::make_shared<Content>(Shape{GST_VIDEO_FORMAT_GRAY16_LE, 24, 16});
    rdp::TestPatternRenderer().draw(number, {}, content->view());
    return [content](GstBuffer* output) {
      return same_samples(output, content->shape, content->samples.data());
    };
  };
  Element clouds = test;
  clouds.name = clouds.factory = "pointcloudsrc";
  const auto points = [](guint64 number) {
    rdp::test::Points made = rdp::test::some_points(20);
    made[0][0] = static_cast<float>(number);
    return made;
  };
  clouds.prepare = [points](GstElement* made) {
    // Gone when the process ends.
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
  return {test, clouds};
}

}  // namespace conformance
