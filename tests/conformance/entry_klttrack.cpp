// SPDX-License-Identifier: LGPL-2.1-or-later
#include <algorithm>
#include <deque>
#include <memory>
#include <mutex>
#include <tuple>
#include <utility>

#include "tests/klttrack/tracks_expected.h"

// After the standard library: check.h defines a macro named fail.
#include "tests/conformance/entries.h"

namespace conformance {
namespace {

// A texture that moves slightly from scene to scene.
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

// The reference's states after the latest compared frames. With affine warps, a track's template
// belongs to a frame that no output names. The previous frame's state has it, and is found by its
// track positions.
class States {
 public:
  using State = rdp::klt::reference::State;

  void keep(GstClockTime pts, const State& state) {
    const std::lock_guard lock(mutex_);
    states_.push_front({pts, state});
    if (states_.size() > 8) states_.pop_back();
  }
  // The latest state with the tracks of `before`. False: no such frame was compared.
  bool find(GstClockTime pts, const State& before, State* state) {
    const std::lock_guard lock(mutex_);
    const auto same = [&](const auto& known) {
      const auto at = [](const rdp::klt::Track& t) { return std::tuple(t.id, t.x, t.y); };
      return known.first == pts &&
             std::ranges::equal(known.second.tracks, before.tracks, {}, at, at);
    };
    const auto found = std::ranges::find_if(states_, same);
    if (found != states_.end()) *state = found->second;
    return found != states_.end();
  }

 private:
  std::mutex mutex_;
  std::deque<std::pair<GstClockTime, State>> states_;
};

// The number of a frame, from its timestamp.
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
  // The result for a frame names its template and the earlier state.
  const auto states = std::make_shared<States>();
  element.expect = [parameters, states](const Contents& contents) -> Check {
    return [parameters, states, content = contents[0]](GstBuffer* output) -> std::string {
      GstRdpTracks* tracks = gst_rdp_buffer_get_tracks(output);
      if (tracks == nullptr) return "no tracks";
      const GstClockTime pts = gst_rdp_tracks_get_info(tracks)->template_pts;
      Contents of_template;
      if (GST_CLOCK_TIME_IS_VALID(pts)) {
        of_template = draw({content.shape}, static_cast<unsigned>(number_of(pts) % 3));
      }
      const rdp::DepthView before =
          of_template.empty() ? rdp::DepthView{} : rdp::DepthView(of_template[0].view());
      States::State state =
          tracks_rig::before(tracks_rig::found_in(tracks), of_template.empty() ? nullptr : &before);
      const bool affine = parameters.warp == rdp::klt::Warp::kAffine;
      if (affine && !of_template.empty() && !states->find(pts, state, &state)) {
        return "the frame of its template was not compared";
      }
      rdp::klt::reference::Result expected;
      state = rdp::klt::reference::advance(state, {content.view(), {}, {}}, parameters, &expected);
      if (affine) states->keep(GST_BUFFER_PTS(output), state);
      const std::string wrong = tracks_rig::difference(tracks, expected);
      return wrong.empty() ? same_samples(output, content.shape, content.samples.data()) : wrong;
    };
  };
  // The picture's lines depend on earlier frames, so any pixel may belong to one; all others must
  // show the grey frame.
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
  rdp::klt::Parameters affine = plain;
  affine.warp = rdp::klt::Warp::kAffine;
  affine.max_correction = 0.5;
  affine.template_residual = 2.0;
  rdp::klt::Parameters dark = affine;
  dark.window = 16;
  dark.light = rdp::klt::Light::kNone;
  dark.max_correction = dark.template_residual = 0.0;
  Element tracks = entry("plain", "threads=1 predict=false", plain);
  for (const char* settings :
       {"light=none cell=8 quality=0.01 epsilon=0.2",
        "light=gain-bias window=31 max-features=40 min-eigenvalue=3.5",
        "overlay::legend=true overlay::style=trails", "overlay::legend=true overlay::style=motion",
        "overlay::legend=true overlay::style=lost"}) {
    add_way(&tracks, settings).shapes = {{{GST_VIDEO_FORMAT_GRAY8, 160, 120}}};
  }
  Element warps =
      entry("affine", "threads=1 predict=false warp=affine max-correction=0.5 template-residual=2",
            affine);
  Element others = entry("affine with threads",
                         "threads=2 predict=false warp=affine window=16 light=none "
                         "max-correction=0 template-residual=0",
                         dark);
  add_way(&warps, "predict=true overlay::legend=true overlay::style=windows").shapes = {
      {{GST_VIDEO_FORMAT_GRAY8, 160, 120}}};
  return {tracks, warps, others,
          entry("with threads",
                "threads=2 predict=false window=9 light=gain-bias cell=8 max-features=20 check=0",
                other)};
}

}  // namespace conformance
