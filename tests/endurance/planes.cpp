// SPDX-License-Identifier: LGPL-2.1-or-later
// One depthplanes: sizes, content, properties and states change, its overlay comes and goes, and
// planes and labels are compared with the definition.
#include <memory>

#include "tests/depthplanes/planes_expected.h"
#include "tests/endurance/element_run.h"

namespace rdp::endurance {
namespace {

// What the element is told, and the definition.
std::vector<planes::Parameters> planes_settings() {
  std::vector<planes::Parameters> all(3);
  all[1].max_planes = 2;
  all[1].connected = false;
  all[1].rounds = 2;
  all[2].min_inliers = 60;
  all[2].noise = 0.001;
  all[2].hull = false;
  return all;
}

void apply(GstElement* element, const planes::Parameters& parameters) {
  g_object_set(element, "max-planes", static_cast<guint>(parameters.max_planes), "connected",
               parameters.connected ? TRUE : FALSE, "rounds", static_cast<guint>(parameters.rounds),
               "min-inliers", static_cast<guint>(parameters.min_inliers), "noise", parameters.noise,
               "hull", parameters.hull ? TRUE : FALSE, nullptr);
}

// A frame that goes round, and what comes of it with each of the settings.
struct PreparedFrame {
  PreparedFrame(const Frame& of, const planes_rig::Drawn& drawn,
                const std::vector<planes::Parameters>& settings)
      : frame(of), camera(drawn.camera) {
    const Shape& shape = frame.content.shape;
    for (const planes::Parameters& one : settings) {
      expected.push_back(planes_rig::expect(drawn, one));
      labels.emplace_back();
      labels.back().samples = checksum(expected.back().labels.data(), shape.width,
                                       static_cast<std::size_t>(shape.width), shape.height);
    }
  }

  const Frame& frame;
  MetricCamera camera;
  std::vector<planes_rig::Expected> expected;
  std::vector<Expected> labels;
};

class PlanesRun final : public ElementRun {
 public:
  explicit PlanesRun(const Setup& setup);

 private:
  void step() override;
  void stopped() override;

  const std::vector<planes::Parameters> settings_ = planes_settings();
  std::vector<std::vector<PreparedFrame>> prepared_;  // of each size, its kinds
  bool labels_ = false;                               // what src carries
};

PlanesRun::PlanesRun(const Setup& setup)
    : ElementRun(
          setup,
          {.element = "depthplanes", .feature = setup.memory.feature(), .sides = {"overlay"}}) {
  constexpr auto k8 = GST_VIDEO_FORMAT_GRAY8;
  constexpr auto k16 = GST_VIDEO_FORMAT_GRAY16_LE;
  for (const Shape& shape : {Shape{k16, 96, 72}, Shape{k16, 1, 1}, Shape{k8, 33, 17},
                             Shape{k16, 64, 48}, Shape{k8, 80, 60}, Shape{k16, 70, 44, 16, 160}}) {
    prepared_.emplace_back();
    for (const test::PlaneKind kind : {test::PlaneKind::kRoom, test::PlaneKind::kTiles,
                                       test::PlaneKind::kNoise, test::PlaneKind::kUnknown}) {
      const planes_rig::Drawn drawn(shape, kind, static_cast<unsigned>(shape.width));
      prepared_.back().emplace_back(prepare(drawn.content), drawn, settings_);
    }
  }
}

// src carries depth and labels in turn.
void PlanesRun::stopped() {
  labels_ = !labels_;
  gst_util_set_object_arg(G_OBJECT(element()), "output", labels_ ? "labels" : "passthrough");
}

void PlanesRun::step() {
  const std::vector<PreparedFrame>& kinds = prepared_[visited(prepared_.size())];
  const PreparedFrame& prepared = kinds[chosen(kinds.size(), 77)];
  const std::size_t setting = chosen(settings_.size(), 0);
  const Shape& shape = prepared.frame.content.shape;
  announce(0, shape, setup().memory.feature());
  apply(element(), settings_[setting]);
  planes_rig::set_camera(element(), prepared.camera);
  if (side(0) != nullptr) side(0)->set_style(static_cast<int>(chosen(5, 3)));
  push(0, share(prepared.frame.buffer.get(), pts()));
  const BufferRef output = take();
  take_of(0);
  if (output == nullptr || !compares()) return;
  complain(
      planes_rig::difference(gst_rdp_buffer_get_planes(output.get()), prepared.expected[setting]));
  if (!labels_) return;
  complain(check_samples(output.get(), {GST_VIDEO_FORMAT_GRAY8, shape.width, shape.height},
                         prepared.labels[setting]));
}

}  // namespace

std::unique_ptr<Run> make_planes(const Setup& setup) { return std::make_unique<PlanesRun>(setup); }

}  // namespace rdp::endurance
