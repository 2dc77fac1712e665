// SPDX-License-Identifier: LGPL-2.1-or-later
// pngfoldersrc with generated files.
#include <memory>

#include "tests/conformance/entries.h"
#include "tests/pngfolder/png_bytes.h"
#include "tests/support/temporary_files.h"

namespace conformance {

std::vector<Element> entries_of_pngfoldersrc() {
  const auto picture = [](guint64 number) {
    return rdp::test::PngPicture{
        .width = 24, .height = 16, .seed = static_cast<std::uint32_t>(number + 5)};
  };
  Element pictures;
  pictures.name = pictures.factory = "pngfoldersrc";
  pictures.settings = "framerate=30/1";
  pictures.inputs.clear();
  pictures.in_place = pictures.pictures = pictures.crops = pictures.on_gpu = false;
  pictures.further_errors = 1;
  pictures.prepare = [picture](GstElement* made) {
    // Deleted when the process ends. File names are the timestamps in seconds at 30 pictures per
    // second.
    static rdp::test::Folder folder;
    const char* const names[] = {"0.0.png", "0.033333334.png", "0.066666668.png"};
    for (guint64 number = 0; number < 3; ++number) {
      folder.write(names[number], picture(number).file());
    }
    g_object_set(made, "location", folder.path().c_str(), nullptr);
  };
  pictures.expect_made = [picture](guint64 number) -> Check {
    const auto content = std::make_shared<Content>(Shape{GST_VIDEO_FORMAT_GRAY16_LE, 24, 16});
    const std::vector<std::uint8_t> samples = picture(number).samples();
    return [content, samples](GstBuffer* output) {
      return same_samples(output, content->shape, samples.data());
    };
  };
  Element& named = add_way(&pictures, "timestamps=names loop=true num-buffers=7 start=1");
  named.tries_properties = true;
  return {pictures};
}

}  // namespace conformance
