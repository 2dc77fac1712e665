// SPDX-License-Identifier: LGPL-2.1-or-later
#include <algorithm>

#include "tests/klttrack/tracks_expected.h"

// After the standard library: check.h defines a macro named fail.
#include "tests/conformance/entries.h"

namespace conformance {
namespace {

// A texture that moves a little from scene to scene.
Contents draw(const Shapes& shapes, unsigned scene) {
  Contents contents{Content(shapes[0])};
  const Shape& shape = shapes[0];
  const int step = static_cast<int>(scene);
  const rdp::test::TestFrame picture = rdp::test::klt_picture(
      rdp::test::PictureKind::kTexture, shape.width, shape.height, 4, 2 * step, step);
  for (int row = 0; row < shape.height; ++row) {
    for (int column = 0; column < shape.width; ++column) {
      contents[0].view().set(row, column, picture.view().at(row, column));
    }
  }
  return contents;
}

// Which frame it was, by its time.
guint64 number_of(GstClockTime pts) { return (pts + GST_MSECOND) * 30 / GST_SECOND; }

Element entry(const std::string& name, const std::string& settings,
              const rdp::klt::Parameters& parameters) {
  Element element;
  element.name = "klttrack " + name;
  element.factory = "klttrack";
  element.settings = settings;
  element.shapes = {{{GST_VIDEO_FORMAT_GRAY8, 64, 48}},
                    {{GST_VIDEO_FORMAT_GRAY8, 65, 33}},
                    {{GST_VIDEO_FORMAT_GRAY8, 1, 1}},
                    {{GST_VIDEO_FORMAT_GRAY8, 31, 77}}};
  element.sides = {"overlay"};
  element.takes = "format GRAY8, NV12 or I420, up to 16384x16384";
  element.remedy =
      "Put a converter before it that makes one of them: videoconvert ! video/x-raw,format=GRAY8; "
      "cudaconvert ! video/x-raw(memory:CUDAMemory),format=NV12; nvvideoconvert ! "
      "video/x-raw(memory:NVMM),format=NV12. Other memory: put the element that downloads it "
      "before this one.";
  element.draw = draw;
  // What comes of a frame says which one is its template, and what was known before.
  element.expect = [parameters](const Contents& contents) -> Check {
    return [parameters, content = contents[0]](GstBuffer* output) -> std::string {
      GstRdpTracks* tracks = gst_rdp_buffer_get_tracks(output);
      if (tracks == nullptr) return "no tracks";
      const GstClockTime pts = gst_rdp_tracks_get_info(tracks)->template_pts;
      Contents of_template;
      if (GST_CLOCK_TIME_IS_VALID(pts)) {
        of_template = draw({content.shape}, static_cast<unsigned>(number_of(pts) % 3));
      }
      const rdp::DepthView before =
          of_template.empty() ? rdp::DepthView{} : rdp::DepthView(of_template[0].view());
      const std::string wrong = tracks_rig::difference_of_step(
          tracks, of_template.empty() ? nullptr : &before, content.view(), parameters);
      return wrong.empty() ? same_samples(output, content.shape, content.samples.data()) : wrong;
    };
  };
  // Which lines a picture has depends on the frames before: what is no line is the frame in grey.
  element.expect_side = [](const std::string&, const Contents& contents) -> Check {
    return [content = contents[0]](GstBuffer* output) -> std::string {
      const rdp::DepthView frame = content.view();
      const auto picture = samples_of(output, {GST_VIDEO_FORMAT_RGBA, frame.width, frame.height});
      const std::size_t pixels = content.samples.size();
      if (picture.size() != 4 * pixels) return kUnreadable;
      std::size_t lines = 0;
      for (std::size_t i = 0; i < pixels; ++i) {
        const std::uint8_t* pixel = picture.data() + 4 * i;
        const int grey = 24 + std::to_integer<int>(content.samples[i]) * 80 / 255;
        if (pixel[3] != 255) return "pixel " + std::to_string(i) + " is transparent";
        if (pixel[0] == grey && pixel[1] == grey && pixel[2] == grey) continue;
        if (*std::max_element(pixel, pixel + 3) < 200) {
          return "pixel " + std::to_string(i) + " is neither the frame's nor a line's";
        }
        ++lines;
      }
      return lines > pixels / 2 ? "more lines than frame" : "";
    };
  };
  return element;
}

}  // namespace

std::vector<Element> entries_of_klttrack() {
  rdp::klt::Parameters plain;
  plain.predict = false;
  rdp::klt::Parameters other = plain;
  other.window = 9;
  other.light = rdp::klt::Light::kGainBias;
  other.cell = 8;
  other.max_features = 20;
  other.check = 0.0;
  Element tracks = entry("plain", "threads=1 predict=false", plain);
  for (const char* settings :
       {"light=none cell=8 quality=0.01 epsilon=0.2",
        "light=gain-bias window=31 max-features=40 min-eigenvalue=3.5",
        "overlay::legend=true overlay::style=trails", "overlay::legend=true overlay::style=motion",
        "overlay::legend=true overlay::style=lost"}) {
    add_way(&tracks, settings).shapes = {{{GST_VIDEO_FORMAT_GRAY8, 160, 120}}};
  }
  return {tracks,
          entry("with threads",
                "threads=2 predict=false window=9 light=gain-bias cell=8 max-features=20 check=0",
                other)};
}

}  // namespace conformance
