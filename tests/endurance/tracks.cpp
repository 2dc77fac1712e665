// SPDX-License-Identifier: LGPL-2.1-or-later
// One klttrack: sizes, content, properties and states change, its overlay comes and goes, and each
// step of the tracks is compared with the reference.
#include <memory>

#include "tests/endurance/element_run.h"
#include "tests/klttrack/tracks_expected.h"

namespace rdp::endurance {
namespace {

// What the element is told. Nothing is predicted, so that a frame's tracks follow from what it and
// its template show: see tests/klttrack/tracks_expected.h.
std::vector<klt::Parameters> track_settings() {
  std::vector<klt::Parameters> all(3);
  for (klt::Parameters& one : all) one.predict = false;
  all[1].window = 9;
  all[1].light = klt::Light::kGainBias;
  all[1].cell = 8;
  all[2].max_features = 7;
  all[2].check = 0.0;
  all[2].levels = 2;
  return all;
}

void apply(GstElement* element, const klt::Parameters& parameters) {
  g_object_set(element, "predict", FALSE, "window", static_cast<guint>(parameters.window), "light",
               static_cast<gint>(parameters.light), "cell", static_cast<guint>(parameters.cell),
               "max-features", static_cast<guint>(parameters.max_features), "check",
               parameters.check, "levels", static_cast<guint>(parameters.levels), nullptr);
}

class TracksRun final : public ElementRun {
 public:
  explicit TracksRun(const Setup& setup);

 private:
  void step() override;

  const std::vector<klt::Parameters> settings_ = track_settings();
  std::vector<std::vector<const Frame*>> prepared_;  // of each size, a picture that moves
  const Frame* last_ = nullptr;
  GstClockTime last_pts_ = GST_CLOCK_TIME_NONE;
};

TracksRun::TracksRun(const Setup& setup)
    : ElementRun(setup,
                 {.element = "klttrack", .feature = setup.memory.feature(), .sides = {"overlay"}}) {
  constexpr auto k8 = GST_VIDEO_FORMAT_GRAY8;
  for (const Shape& shape : {Shape{k8, 96, 72}, Shape{k8, 1, 1}, Shape{k8, 33, 17},
                             Shape{k8, 64, 48}, Shape{k8, 70, 44, 16, 160}}) {
    prepared_.emplace_back();
    for (int i = 0; i < 4; ++i) {
      const test::TestFrame picture = test::klt_picture(test::PictureKind::kTexture, shape.width,
                                                        shape.height, 4, 2 * i, i % 2 - 1);
      Content content(shape);
      for (int row = 0; row < shape.height; ++row) {
        for (int column = 0; column < shape.width; ++column) {
          content.view().set(row, column, picture.view().at(row, column));
        }
      }
      prepared_.back().push_back(&prepare(std::move(content)));
    }
  }
}

void TracksRun::step() {
  const std::vector<const Frame*>& moving = prepared_[visited(prepared_.size())];
  const Frame& frame = *moving[chosen(moving.size(), 77)];
  const klt::Parameters& parameters = settings_[chosen(settings_.size(), 0)];
  announce(0, frame.content.shape, setup().memory.feature());
  apply(element(), parameters);
  if (side(0) != nullptr) side(0)->set_style(static_cast<int>(chosen(3, 3)));
  push(0, share(frame.buffer.get(), pts()));
  const BufferRef output = take();
  take_of(0);
  const Frame* const before = std::exchange(last_, &frame);
  const GstClockTime before_pts = std::exchange(last_pts_, pts());
  if (output == nullptr || !compares()) return;
  GstRdpTracks* tracks = gst_rdp_buffer_get_tracks(output.get());
  if (tracks == nullptr) return complain("no tracks");
  const GstClockTime template_pts = gst_rdp_tracks_get_info(tracks)->template_pts;
  const bool has_template = GST_CLOCK_TIME_IS_VALID(template_pts);
  if (has_template && (before == nullptr || template_pts != before_pts)) {
    return complain("another template than the frame before");
  }
  DepthView of_template;
  if (has_template) of_template = before->content.view();
  complain(tracks_rig::difference_of_step(tracks, has_template ? &of_template : nullptr,
                                          frame.content.view(), parameters));
}

}  // namespace

std::unique_ptr<Run> make_tracks(const Setup& setup) { return std::make_unique<TracksRun>(setup); }

}  // namespace rdp::endurance
