// SPDX-License-Identifier: LGPL-2.1-or-later
// The encoder and the decoder of lossless depth. The decoder's input frames are encoded.
#include <algorithm>
#include <span>

#include "common/rvl/reference.h"
#include "tests/conformance/entries.h"

namespace conformance {
namespace {

const std::vector<Shapes> kShapes = {{{GST_VIDEO_FORMAT_GRAY16_LE, 24, 16}},
                                     {{GST_VIDEO_FORMAT_GRAY16_LE, 65, 33}},
                                     {{GST_VIDEO_FORMAT_GRAY16_LE, 1, 1}},
                                     {{GST_VIDEO_FORMAT_GRAY16_LE, 31, 77}}};

Content surface(const Shape& shape, unsigned scene) {
  return frames::draw(shape, frames::Scene::kSurface, scene + 1);
}

Content code_of(const Content& frame) {
  const std::vector<std::byte> code = rdp::reference::encode_rvl(frame.view());
  Content made({GST_VIDEO_FORMAT_GRAY8, static_cast<int>(code.size()), 1});
  made.samples = code;
  return made;
}

}  // namespace

std::vector<Element> entries_of_depthrvl() {
  Element encoder;
  encoder.name = encoder.factory = "depthrvlenc";
  encoder.shapes = kShapes;
  encoder.takes = "format GRAY16_LE, up to 16384x16384";
  encoder.in_place = encoder.on_gpu = encoder.on_nvmm = false;
  encoder.src_caps = "image/x-rvl";
  encoder.codec = true;
  encoder.metas = 0;
  encoder.further_errors = 1;
  encoder.expect = [](const Contents& contents) -> Check {
    const std::vector<std::byte> expected = rdp::reference::encode_rvl(contents[0].view());
    return [=](GstBuffer* output) -> std::string {
      const std::vector<std::uint8_t> code = frames::bytes(output);
      return std::ranges::equal(std::as_bytes(std::span(code)), expected) ? "" : "another code";
    };
  };

  Element decoder = encoder;
  decoder.name = decoder.factory = "depthrvldec";
  decoder.pictures = decoder.layouts = decoder.crops = false;
  decoder.src_caps = "video/x-raw";
  decoder.further_errors = 0;
  decoder.draw = [](const Shapes& shapes, unsigned scene) {
    return Contents{code_of(surface(shapes[0], scene))};
  };
  decoder.caps = [](std::size_t, const Shape& shape) {
    return "image/x-rvl,framerate=30/1,width=" + std::to_string(shape.width) +
           ",height=" + std::to_string(shape.height);
  };
  decoder.expect = [](const Contents& contents) -> Check {
    // The frame with this code, which does not contain the size.
    for (const Shapes& shapes : kShapes) {
      for (unsigned scene = 0; scene < 8; ++scene) {
        const Content frame = surface(shapes[0], scene);
        if (code_of(frame).samples != contents[0].samples) continue;
        return [frame](GstBuffer* output) {
          return same_samples(output, frame.shape, frame.samples.data());
        };
      }
    }
    return {};
  };
  return {encoder, decoder};
}

}  // namespace conformance
