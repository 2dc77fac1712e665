// SPDX-License-Identifier: LGPL-2.1-or-later
// One depthstereo: sizes, content, properties and states change, its pads come and go.
#include <array>
#include <memory>

#include "common/stereo/reference.h"
#include "tests/endurance/element_run.h"
#include "tests/stereo/stereo_patterns.h"

namespace rdp::endurance {
namespace {

// What the element is told, and the reference.
std::vector<stereo::Parameters> stereo_settings() {
  std::vector<stereo::Parameters> all(4);
  all[0].disparities = 32;
  all[1].disparities = 16;
  all[1].paths = 8;
  all[1].median = 5;
  all[2].disparities = 48;
  all[2].min_confidence = 10;
  all[2].median = 0;
  all[3].disparities = 32;
  all[3].uniqueness = 0;
  all[3].max_left_right = -1;
  all[3].speckle_size = 0;
  return all;
}

void apply(GstElement* element, const stereo::Parameters& parameters) {
  const auto enumeration = [&](const char* name, const std::string& value) {
    gst_util_set_object_arg(G_OBJECT(element), name, value.c_str());
  };
  enumeration("paths", std::to_string(parameters.paths));
  const std::string side = std::to_string(parameters.median);
  enumeration("median", parameters.median == 0 ? "none" : side + "x" + side);
  g_object_set(element, "disparities", static_cast<guint>(parameters.disparities), "min-confidence",
               static_cast<guint>(parameters.min_confidence), "uniqueness",
               static_cast<guint>(parameters.uniqueness), "max-left-right",
               static_cast<gint>(parameters.max_left_right), "speckle-size",
               static_cast<guint>(parameters.speckle_size), nullptr);
}

// What the reference makes of a pair.
struct ExpectedPair {
  Expected disparity;
  Expected confidence;
};

ExpectedPair expect(const Content& left, const Content& right,
                    const stereo::Parameters& parameters) {
  Content disparity({GST_VIDEO_FORMAT_GRAY16_LE, left.shape.width, left.shape.height});
  Content confidence({GST_VIDEO_FORMAT_GRAY8, left.shape.width, left.shape.height});
  stereo::reference::match({left.view(), right.view(), {}, {}}, parameters,
                           {disparity.view(), confidence.view()});
  ExpectedPair expected;
  expected.disparity.samples = checksum(disparity);
  expected.confidence.samples = checksum(confidence);
  return expected;
}

// A pair that goes round, and what comes of it with each of the settings.
struct PreparedPair {
  PreparedPair(const Frame& left, const Frame& right,
               const std::vector<stereo::Parameters>& settings)
      : views{&left, &right} {
    for (const stereo::Parameters& one : settings) {
      expected.push_back(expect(left.content, right.content, one));
    }
    rectified.samples = checksum(left.content);
  }

  std::array<const Frame*, 2> views;
  std::vector<ExpectedPair> expected;
  Expected rectified;
};

class StereoRun final : public ElementRun {
 public:
  explicit StereoRun(const Setup& setup);

 private:
  void step() override;

  const std::vector<stereo::Parameters> settings_ = stereo_settings();
  std::vector<std::vector<PreparedPair>> prepared_;  // of each size, its kinds
};

StereoRun::StereoRun(const Setup& setup)
    : ElementRun(setup, {.element = "depthstereo",
                         .feature = setup.memory.feature(),
                         .noun = "pair",
                         .inputs = {"left", "right"},
                         .sides = {"rectified", "confidence", "overlay"}}) {
  constexpr auto k8 = GST_VIDEO_FORMAT_GRAY8;
  for (const Shape& shape :
       {Shape{k8, 64, 48}, Shape{k8, 1, 1}, Shape{k8, 1, 37}, Shape{k8, 120, 60}, Shape{k8, 53, 1},
        Shape{k8, 101, 31, 16, 160}, Shape{k8, 90, 44, 5, 96}}) {
    prepared_.emplace_back();
    for (int kind = 0; kind < test::kPairKinds; ++kind) {
      Content left(shape);
      Content right(shape);
      test::draw_pair(static_cast<test::PairKind>(kind), {left.view(), right.view(), {}, {}},
                      settings_[0], static_cast<std::uint64_t>(shape.width));
      prepared_.back().emplace_back(prepare(left), prepare(right), settings_);
    }
  }
}

void StereoRun::step() {
  const std::vector<PreparedPair>& kinds = prepared_[visited(prepared_.size())];
  const PreparedPair& pair = kinds[chosen(kinds.size(), 77)];
  const std::size_t setting = chosen(settings_.size(), 0);
  const Shape& shape = pair.views[0]->content.shape;
  for (const std::size_t i : {0, 1}) announce(i, shape, setup().memory.feature());
  apply(element(), settings_[setting]);
  for (const std::size_t i : {0, 1}) {
    const std::size_t which = (frame() + i) % 2;  // either view may be the first
    push(which, share(pair.views[which]->buffer.get(), pts()));
  }
  const ExpectedPair& expected = pair.expected[setting];
  const auto check = [&](const BufferRef& buffer, GstVideoFormat format, const Expected& wanted) {
    if (buffer == nullptr || !compares()) return;
    complain(check_samples(buffer.get(), {format, shape.width, shape.height}, wanted));
  };
  check(take(), GST_VIDEO_FORMAT_GRAY16_LE, expected.disparity);
  check(take_of(0), GST_VIDEO_FORMAT_GRAY8, pair.rectified);
  check(take_of(1), GST_VIDEO_FORMAT_GRAY8, expected.confidence);
  take_of(2);
}

}  // namespace

std::unique_ptr<Run> make_stereo(const Setup& setup) { return std::make_unique<StereoRun>(setup); }

}  // namespace rdp::endurance
