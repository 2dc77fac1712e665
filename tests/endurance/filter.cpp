// SPDX-License-Identifier: LGPL-2.1-or-later
// One depthfilter: sizes, content, properties and states change, its overlay comes and goes, and
// filtered samples are compared with the reference, which sees the same frames.
#include <memory>

#include "common/filter/reference.h"
#include "tests/endurance/element_run.h"

namespace rdp::endurance {
namespace {

using filter::HoleFilling;
using filter::Parameters;

std::vector<Parameters> filter_settings() {
  std::vector<Parameters> all(4);
  for (Parameters& p : all) p.tolerance = filter::inverse_tolerance(6.0, 1e6);
  all[1].flying = false;
  all[1].temporal_frames = 4;
  all[1].hole_filling = HoleFilling::kGap;
  all[2].median = 3;
  all[2].speckle_size = 20;
  all[2].temporal_frames = 2;
  all[2].persistence = filter::Persistence::kAlways;
  all[2].motion_check = false;
  all[3].known = {20, 60000};
  all[3].spatial_radius = 8;
  all[3].hole_filling = HoleFilling::kFarthest;
  all[3].hole_size = 40;
  return all;
}

void apply(GstElement* element, const Parameters& p) {
  g_object_set(
      element, "domain", 2, "min-value", guint{p.known.first}, "max-value", guint{p.known.last},
      "median", p.median, "flying", gboolean{p.flying}, "speckle-size",
      static_cast<guint>(p.speckle_size), "spatial-radius", static_cast<guint>(p.spatial_radius),
      "temporal-frames", static_cast<guint>(p.temporal_frames), "persistence",
      static_cast<gint>(p.persistence), "motion-check", gboolean{p.motion_check}, "hole-filling",
      static_cast<gint>(p.hole_filling), "hole-size", static_cast<guint>(p.hole_size), nullptr);
}

class FilterRun final : public ElementRun {
 public:
  explicit FilterRun(const Setup& setup);

 private:
  void step() override;
  void stopped() override;

  const std::vector<Parameters> settings_ = filter_settings();
  std::vector<std::vector<const Frame*>> prepared_;  // of each size, all scenes
  int decimation_ = 1;
  // The stream that the reference's state is of.
  filter::reference::State state_;
  std::size_t size_ = 0;
  std::size_t setting_ = 0;
};

FilterRun::FilterRun(const Setup& setup)
    : ElementRun(
          setup,
          {.element = "depthfilter", .feature = setup.memory.feature(), .sides = {"overlay"}}) {
  constexpr auto k8 = GST_VIDEO_FORMAT_GRAY8;
  constexpr auto k16 = GST_VIDEO_FORMAT_GRAY16_LE;
  for (const Shape& shape : {Shape{k16, 96, 72}, Shape{k8, 33, 17}, Shape{k16, 64, 48},
                             Shape{k16, 5, 90}, Shape{k16, 70, 44, 16, 160}, Shape{k16, 1, 1}}) {
    prepared_.emplace_back();
    for (int scene = 0; scene < kScenes; ++scene) {
      prepared_.back().push_back(&prepare(frames::draw(shape, static_cast<Scene>(scene), 1)));
    }
  }
}

void FilterRun::stopped() {
  state_ = {};
  decimation_ = decimation_ == 1 ? 3 : 1;
  g_object_set(element(), "decimation", static_cast<guint>(decimation_), nullptr);
}

// Sizes and settings stay for some frames. The last size is smaller than a block.
void FilterRun::step() {
  const std::size_t size = visited(prepared_.size() - (decimation_ > 1 ? 1 : 0));
  const std::size_t setting = visited(7 * settings_.size()) / 7;
  const Frame& in = *prepared_[size][chosen(prepared_[size].size(), 77)];
  const Shape& shape = in.content.shape;
  if (size != size_ || setting != setting_) state_ = {};
  size_ = size;
  setting_ = setting;
  announce(0, shape, setup().memory.feature());
  apply(element(), settings_[setting]);
  push(0, share(in.buffer.get(), pts()));
  Parameters p = settings_[setting];
  p.decimation = decimation_;
  filter::Counts counts;
  const auto filtered = filter::reference::filter(in.content.view(), p, &state_, &counts);
  Content out({shape.format, filtered.width, filtered.height});
  for (int row = 0; row < filtered.height; ++row) {
    for (int column = 0; column < filtered.width; ++column) {
      out.view().set(row, column, filtered.at(row, column));
    }
  }
  const BufferRef output = take();
  take_of(0);
  if (output == nullptr || !compares()) return;
  Expected expected;
  expected.samples = checksum(out);
  complain(check_samples(output.get(), out.shape, expected));
}

}  // namespace

std::unique_ptr<Run> make_filter(const Setup& setup) { return std::make_unique<FilterRun>(setup); }

}  // namespace rdp::endurance
