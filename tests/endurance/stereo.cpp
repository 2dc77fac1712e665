// SPDX-License-Identifier: LGPL-2.1-or-later
// One depthstereo, pair by pair: each is pushed, and what comes out of every pad is looked at
// before the next.
#include <array>
#include <chrono>
#include <memory>
#include <optional>
#include <stdexcept>

#include "common/scene/hash_random.h"
#include "common/stereo/reference.h"
#include "tests/endurance/run.h"
#include "tests/endurance/taps.h"
#include "tests/stereo/stereo_patterns.h"

namespace rdp::endurance {
namespace {

// Pairs between two changes of which pads there are, and of the element's state: no multiples of
// anything else.
constexpr std::uint64_t kPadPairs = 23;
constexpr std::uint64_t kStatePairs = 131;
constexpr int kPairsOfVisit = 9;  // of a size
constexpr const char* kInputs[] = {"left", "right"};
constexpr const char* kSides[] = {"rectified", "confidence", "overlay"};

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
  PreparedPair(const Shape& shape, test::PairKind kind,
               const std::vector<stereo::Parameters>& settings, const FrameMemory& memory)
      : views{Content(shape), Content(shape)} {
    test::draw_pair(kind, {views[0].view(), views[1].view(), {}, {}}, settings[0],
                    static_cast<std::uint64_t>(shape.width));
    for (std::size_t i : {0, 1}) buffers[i] = memory.make(views[i]);
    for (const stereo::Parameters& one : settings) {
      expected.push_back(expect(views[0], views[1], one));
    }
    left.samples = checksum(views[0]);
    right.samples = checksum(views[1]);
  }
  ~PreparedPair() {
    for (GstBuffer* buffer : buffers) gst_buffer_unref(buffer);
  }
  PreparedPair(const PreparedPair&) = delete;
  PreparedPair& operator=(const PreparedPair&) = delete;

  GstBuffer* copy(std::size_t which, std::uint64_t number) const {
    GstBuffer* buffer = gst_buffer_copy(buffers[which]);
    GST_BUFFER_PTS(buffer) = pts_of(number);
    GST_BUFFER_DURATION(buffer) = GST_SECOND / 30;
    return buffer;
  }
  const Shape& shape() const { return views[0].shape; }

  std::array<Content, 2> views;
  std::array<GstBuffer*, 2> buffers{};
  std::vector<ExpectedPair> expected;
  Expected left;
  Expected right;
};

class StereoRun final : public Run {
 public:
  explicit StereoRun(const Setup& setup);
  ~StereoRun() override;
  bool batch(std::uint64_t amount, Latency* latency) override;
  std::uint64_t done() const override { return pairs_; }
  std::string report() const override;
  std::string summary() const override { return grouped(pairs_) + " pairs"; }

 private:
  struct Side {
    std::optional<Overlay> pad;
    std::uint64_t before = 0;  // that have come to it
  };

  void begin();
  void restart();
  void change_sides();
  void drop_sides();
  void push(const PreparedPair& pair, std::size_t setting, Latency* latency);
  void check(Tap* tap, std::uint64_t count, const Shape& shape, const Expected* expected,
             const char* what);
  void check_untouched();
  void complain(const std::string& what);

  const Setup& setup_;
  const std::vector<stereo::Parameters> settings_ = stereo_settings();
  std::vector<std::unique_ptr<PreparedPair>> prepared_;
  std::size_t kinds_ = 0;  // of each size
  GstElement* element_;
  GstBus* bus_;
  std::array<GstPad*, 2> inputs_{};
  std::array<GstPad*, 2> sources_{};
  Tap tap_;
  std::array<Side, 3> sides_;
  const PreparedPair* last_ = nullptr;
  bool broken_ = false;

  std::uint64_t pairs_ = 0;
  std::uint64_t visits_ = 0;
  std::uint64_t caps_ = 0;
  std::uint64_t restarts_ = 0;
  std::uint64_t requests_ = 0;
  std::uint64_t of_sides_ = 0;
  std::uint64_t compared_ = 0;
};

StereoRun::StereoRun(const Setup& setup)
    : setup_(setup),
      element_(gst_element_factory_make("depthstereo", nullptr)),
      bus_(gst_bus_new()),
      tap_(setup.memory.feature()) {
  constexpr auto k8 = GST_VIDEO_FORMAT_GRAY8;
  const Shape shapes[] = {{k8, 64, 48},       {k8, 1, 1},  {k8, 1, 37},
                          {k8, 120, 60},      {k8, 53, 1}, {k8, 101, 31, 16, 160},
                          {k8, 90, 44, 5, 96}};
  for (const Shape& shape : shapes) {
    for (int kind = 0; kind < test::kPairKinds; ++kind) {
      prepared_.push_back(std::make_unique<PreparedPair>(shape, static_cast<test::PairKind>(kind),
                                                         settings_, setup.memory));
    }
  }
  kinds_ = test::kPairKinds;

  gst_object_ref_sink(element_);
  gst_element_set_bus(element_, bus_);
  gst_util_set_object_arg(G_OBJECT(element_), "backend", setup.options.backend.c_str());
  g_object_set(element_, "threads", setup.options.threads, nullptr);
  GstPad* src = gst_element_get_static_pad(element_, "src");
  gst_pad_link(src, tap_.pad());
  gst_object_unref(src);
  for (std::size_t i : {0, 1}) {
    inputs_[i] = gst_element_request_pad_simple(element_, kInputs[i]);
    sources_[i] = gst_pad_new(nullptr, GST_PAD_SRC);
    gst_object_ref_sink(sources_[i]);
    gst_pad_link(sources_[i], inputs_[i]);
  }
  begin();
}

StereoRun::~StereoRun() {
  drop_sides();
  gst_element_set_state(element_, GST_STATE_NULL);
  for (std::size_t i : {0, 1}) {
    gst_pad_set_active(sources_[i], FALSE);
    gst_element_release_request_pad(element_, inputs_[i]);
    gst_object_unref(inputs_[i]);
    gst_object_unref(sources_[i]);
  }
  gst_element_set_bus(element_, nullptr);
  gst_object_unref(bus_);
  gst_object_unref(element_);
}

void StereoRun::begin() {
  if (gst_element_set_state(element_, GST_STATE_PLAYING) == GST_STATE_CHANGE_FAILURE) {
    throw std::runtime_error("depthstereo does not start: " + take_error(bus_));
  }
  for (std::size_t i : {0, 1}) {
    gst_pad_set_active(sources_[i], TRUE);
    gst_pad_push_event(sources_[i], gst_event_new_stream_start(kInputs[i]));
  }
  last_ = nullptr;
}

// To READY and to NULL in turn. The side pads stay, but for every third time.
void StereoRun::restart() {
  if (restarts_ % 3 == 0) drop_sides();
  gst_element_set_state(element_, restarts_ % 2 == 0 ? GST_STATE_READY : GST_STATE_NULL);
  for (GstPad* source : sources_) gst_pad_set_active(source, FALSE);
  ++restarts_;
  begin();
}

void StereoRun::drop_sides() {
  for (Side& side : sides_) {
    if (side.pad && side.pad->tap().out_of_order())
      complain("a side pad's buffers are not in order");
    side.pad.reset();
  }
}

// Some of them come, some go.
void StereoRun::change_sides() {
  for (std::size_t i = 0; i < sides_.size(); ++i) {
    Side& side = sides_[i];
    if (mix_bits(pairs_ * sides_.size() + i) % 3 == 0) continue;
    if (side.pad) {
      side.pad.reset();
      continue;
    }
    side.pad.emplace(element_, setup_.memory.feature(), static_cast<unsigned>(requests_),
                     kSides[i]);
    side.before = 0;
    ++requests_;
    complain(side.pad->complaint());
  }
}

bool StereoRun::batch(std::uint64_t amount, Latency* latency) {
  for (std::uint64_t i = 0; i < amount && !broken_; ++i) {
    if (pairs_ % kStatePairs == kStatePairs - 1) restart();
    if (i == 0 || pairs_ % kPadPairs == 0) change_sides();
    if (pairs_ % kPairsOfVisit == 0) ++visits_;
    const std::size_t size = mix_bits(visits_) % (prepared_.size() / kinds_);
    const std::size_t kind = mix_bits(pairs_ + 77) % kinds_;
    push(*prepared_[size * kinds_ + kind], mix_bits(pairs_) % settings_.size(), latency);
  }
  drop_sides();
  check_untouched();
  setup_.failures.add_if(take_error(bus_));
  return !broken_;
}

void StereoRun::push(const PreparedPair& pair, std::size_t setting, Latency* latency) {
  if (last_ == nullptr || last_->shape() != pair.shape()) {
    for (GstPad* source : sources_) {
      GstCaps* caps = frames::caps(pair.shape(), setup_.memory.feature());
      gst_pad_push_event(source, gst_event_new_caps(caps));
      gst_caps_unref(caps);
      if (last_ != nullptr) continue;
      GstSegment segment;
      gst_segment_init(&segment, GST_FORMAT_TIME);
      gst_pad_push_event(source, gst_event_new_segment(&segment));
    }
    ++caps_;
  }
  last_ = &pair;
  apply(element_, settings_[setting]);
  const auto start = std::chrono::steady_clock::now();
  for (std::size_t i : {0, 1}) {
    const std::size_t which = (pairs_ + i) % 2;  // either view may be the first
    const GstFlowReturn flow = gst_pad_push(sources_[which], pair.copy(which, pairs_));
    if (flow == GST_FLOW_OK) continue;
    complain(std::string("depthstereo returns ") + gst_flow_get_name(flow) + "; " +
             take_error(bus_));
    broken_ = true;
    return;
  }
  const ExpectedPair& expected = pair.expected[setting];
  Shape shape = pair.shape();
  const Shape disparity{GST_VIDEO_FORMAT_GRAY16_LE, shape.width, shape.height};
  if (!tap_.await(pairs_ + 1)) broken_ = true;
  latency->record(std::chrono::steady_clock::now() - start);
  check(&tap_, pairs_ + 1, disparity, &expected.disparity, "src");
  const Expected* of_sides[] = {&pair.left, &expected.confidence, nullptr};
  for (std::size_t i = 0; i < sides_.size(); ++i) {
    Side& side = sides_[i];
    if (!side.pad) continue;
    ++of_sides_;
    check(&side.pad->tap(), ++side.before, shape, of_sides[i], kSides[i]);
  }
  ++pairs_;
}

void StereoRun::check(Tap* tap, std::uint64_t count, const Shape& shape, const Expected* expected,
                      const char* what) {
  if (!tap->await(count) || tap->count() != count) {
    complain(std::string(what) + ": " + std::to_string(tap->count()) + " have come, expected " +
             std::to_string(count) + "; " + take_error(bus_));
    broken_ = true;
    return;
  }
  GstBuffer* buffer = tap->take();
  if (buffer == nullptr) return;
  if (GST_BUFFER_PTS(buffer) != pts_of(pairs_)) {
    complain(std::string(what) + ": another one came out in its place");
  }
  if (expected != nullptr && pairs_ % setup_.options.check_every == 0) {
    ++compared_;
    const std::string wrong =
        check_samples(buffer, {shape.format, shape.width, shape.height}, *expected);
    if (!wrong.empty()) complain(std::string(what) + ": " + wrong);
  }
  gst_buffer_unref(buffer);
}

void StereoRun::check_untouched() {
  for (const auto& pair : prepared_) {
    const Expected* expected[] = {&pair->left, &pair->right};
    for (std::size_t i : {0, 1}) {
      forget_host_copy(pair->buffers[i]);
      if (check_samples(pair->buffers[i], pair->shape(), *expected[i]).empty()) continue;
      complain("somebody has written to a view that others held");
    }
  }
}

void StereoRun::complain(const std::string& what) {
  if (what.empty()) return;
  setup_.failures.add("pair " + std::to_string(pairs_) +
                      (last_ == nullptr ? "" : " (" + describe(last_->shape()) + ")") + ": " +
                      what);
}

std::string StereoRun::report() const {
  return "  pairs: " + grouped(pairs_) + " in, " + grouped(tap_.count()) +
         " out\n  changes: " + grouped(caps_) + " of the caps, " + grouped(restarts_) +
         " to READY or NULL and back\n  side pads: " + grouped(requests_) +
         " times requested and released, " + grouped(of_sides_) + " buffers\n  compared with the " +
         "reference: " + grouped(compared_) + " buffers\n";
}

}  // namespace

std::unique_ptr<Run> make_stereo(const Setup& setup) { return std::make_unique<StereoRun>(setup); }

}  // namespace rdp::endurance
