// SPDX-License-Identifier: LGPL-2.1-or-later
// Inputs of rdpoverlay: frames cropped before or after segmentation, and pictures without colours.
#include <memory>

#include "tests/rdpoverlay/blended_picture.h"
#include "tests/support/check_test.h"
#include "tests/support/crops.h"

using namespace overlay_rig;
using rdp::test::check_has;

namespace {

constexpr int kWidth = 160;
constexpr int kHeight = 120;
constexpr const char* kSegment = "rdpsegment epsilon=2 sample-scale=0.00390625";

// The second picture of a two-frame pipeline, drawn on black of this size.
struct Drawn {
  PictureShape shape;
  std::vector<std::uint8_t> bytes;
  std::uint32_t at(int row, int column) const {
    std::uint32_t result = 0;
    std::copy_n(bytes.data() + 4 * (row * shape.width + column), 4,
                reinterpret_cast<std::uint8_t*>(&result));
    return result;
  }
};

Drawn draw(const std::string& elements, const std::string& properties, int width, int height) {
  Drawn result{{"RGBA", width, height}, {}};
  rdp::test::PipelineRig rig(
      "videotestsrc num-buffers=2 pattern=black ! " + result.shape.caps() +
      " ! o.video rdpoverlay name=o opacity=1 palette-min=1 palette-max=20000 " + properties +
      " ! fakesink name=out sync=false depthtestsrc num-buffers=2 ! video/x-raw,width=" +
      std::to_string(kWidth) + ",height=" + std::to_string(kHeight) + ",framerate=30/1 ! " +
      elements + " ! o.segments");
  auto received = std::make_unique<rdp::test::Received>(rig.get("out"));
  rig.play();
  const std::string error = rig.wait();
  fail_unless(error.empty(), "%s: %s", elements.c_str(), error.c_str());
  fail_unless(rig.warnings.empty(), "%s: %s", elements.c_str(), rig.warnings[0].c_str());
  fail_unless_equals_int(static_cast<int>(received->count), 2);
  gst_element_set_state(rig.pipeline(), GST_STATE_NULL);
  result.bytes = frames::bytes(received->buffers[1]);
  return result;
}

}  // namespace

// A cropped frame's segments stay at their place in the whole frame, with videocrop before or
// behind rdpsegment.
CHECK_TEST(test_cropped_frames) {
  const Drawn whole = draw(kSegment, "", kWidth, kHeight);
  const std::string segment = kSegment;
  const struct {
    std::string elements;
    int left, top, right, bottom;
  } cases[] = {
      {segment + " ! videocrop left=7", 7, 0, 0, 0},
      {segment + " ! videocrop left=11 top=40 right=5 bottom=13", 11, 40, 5, 13},
      {segment + " ! queue ! videocrop right=30 ! videocrop left=4", 4, 0, 30, 0},
      {"videocrop left=7 ! " + segment, 7, 0, 0, 0},
      {"videocrop left=7 ! " + segment + " ! videocrop left=6", 13, 0, 0, 0},
  };
  for (const auto& one : cases) {
    const int width = kWidth - one.left - one.right;
    const int height = kHeight - one.top - one.bottom;
    const Drawn cropped = draw(one.elements, "", width, height);
    bool something = false;
    for (int row = 0; row < height; ++row) {
      for (int column = 0; column < width; ++column) {
        const std::uint32_t p = cropped.at(row, column);
        fail_unless(p == whole.at(row + one.top, column + one.left), "%s: row %d, column %d",
                    one.elements.c_str(), row, column);
        something = something || (p & 0xFFFFFF) != 0;
      }
    }
    fail_unless(something, "%s", one.elements.c_str());
  }
}

// The crop moves between frames; the segments stay the same.
CHECK_TEST(test_crop_that_moves) {
  DepthFrame frame;
  frame.columns.resize(8);
  frame.columns[3] = frame.columns[4] = {{1, 4, 100.0F, 100.0F}};
  DepthFrame shown = frame;
  shown.width = 6;
  const PictureShape shape{"RGBA", 6, 6};
  Rig rig("opacity=1", shape.caps(), depth_caps(shown));
  const GstClockTime times[] = {0, GST_SECOND / 30};
  GstBuffer* first = depth_buffer(frame, times[0]);
  for (const int i : {0, 1}) {
    GstBuffer* depth = gst_buffer_copy(first);
    GST_BUFFER_PTS(depth) = times[i];
    crops::add(depth, {2 * i, 0, 6, 6});
    rig.push("segments", depth);
    rig.push("video", picture_buffer(shape, times[i]));
  }
  gst_buffer_unref(first);
  const std::string error = rig.run();
  fail_unless(error.empty(), "%s", error.c_str());
  const char* const expected[] = {"...... ...##. ...##. ...##. ...##. ...... ",
                                  "...... .##... .##... .##... .##... ...... "};
  for (const int i : {0, 1}) {
    const std::string text = overlay_rig::drawing(rig.received[static_cast<std::size_t>(i)], shape);
    fail_unless(text == expected[i], "%s, not %s", text.c_str(), expected[i]);
  }
}

// Bird's-eye view: the camera follows a cropped frame.
CHECK_TEST(test_cropped_frames_from_above) {
  const std::string segment = kSegment;
  const char* const above = "style=birdseye inset-size=1";
  const Drawn whole = draw(segment, above, kWidth, kHeight);
  // The view shows the whole segmented frame.
  fail_unless(draw(segment + " ! videocrop left=7", above, kWidth, kHeight).bytes == whole.bytes);
  const Drawn cropped = draw("videocrop left=60 ! " + segment, above, kWidth, kHeight);
  fail_unless(cropped.bytes != whole.bytes);
  const auto coloured = [](const Drawn& drawn) {
    int count = 0;
    for (int i = 0; i < kWidth * kHeight; ++i) count += (drawn.at(0, i) & 0xFFFFFF) != 0;
    return count;
  };
  fail_unless(coloured(cropped) > 1000, "%d", coloured(cropped));
}

// On a grey picture all colours become grey. One warning says so if this element draws.
CHECK_TEST(test_grey_pictures) {
  const DepthFrame frame;
  for (const char* format : {"GRAY8", "GRAY16_LE", "GRAY16_BE", "I420", "NV12", "RGBA", "BGRx"}) {
    for (const bool blends : {false, true}) {
      const PictureShape shape{format};
      const PictureShape wide{format, 16, 6};
      Rig rig("", shape.caps(), depth_caps(frame));
      rig.downstream_blends = blends;
      rig.push("video", picture_buffer(shape));
      rig.push("segments", depth_buffer(frame));
      rig.set_caps("video", wide.caps());
      rig.push("video", picture_buffer(wide, GST_SECOND / 30));
      rig.push("segments", depth_buffer(frame, GST_SECOND / 30));
      const std::string error = rig.run();
      fail_unless(error.empty(), "%s: %s", format, error.c_str());
      const bool grey = std::string(format).starts_with("GRAY") && !blends;
      fail_unless(rig.warnings.size() == (grey ? 1U : 0U), "%s: %zu warnings", format,
                  rig.warnings.size());
      if (!grey) continue;
      for (const char* word :
           {"its colours cannot be told apart", format, "videoconvert ! video/x-raw,format=I420"}) {
        check_has(rig.warnings[0], word);
      }
    }
  }
}

CHECK_CASE(rdpoverlay_inputs, .seconds = 60)
