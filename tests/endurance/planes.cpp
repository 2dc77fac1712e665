// SPDX-License-Identifier: LGPL-2.1-or-later
// One depthplanes, frame by frame: sizes, content, properties and states change, its overlay comes
// and goes, and planes and labels are compared with the definition.
#include <chrono>
#include <memory>
#include <optional>
#include <stdexcept>

#include "common/scene/hash_random.h"
#include "tests/depthplanes/planes_expected.h"
#include "tests/endurance/run.h"
#include "tests/endurance/taps.h"

namespace rdp::endurance {
namespace {

// Frames between two changes of the overlay, and of the element's state: no multiples of anything
// else.
constexpr std::uint64_t kPadFrames = 23;
constexpr std::uint64_t kStateFrames = 131;
constexpr int kFramesOfVisit = 9;  // of a size

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
  PreparedFrame(const Shape& shape, test::PlaneKind kind,
                const std::vector<planes::Parameters>& settings, const FrameMemory& memory)
      : drawn(shape, kind, static_cast<unsigned>(shape.width)), buffer(memory.make(drawn.content)) {
    samples.samples = checksum(drawn.content);
    for (const planes::Parameters& one : settings) {
      expected.push_back(planes_rig::expect(drawn, one));
      labels.emplace_back();
      labels.back().samples = checksum(expected.back().labels.data(), shape.width,
                                       static_cast<std::size_t>(shape.width), shape.height);
    }
  }
  ~PreparedFrame() { gst_buffer_unref(buffer); }
  PreparedFrame(const PreparedFrame&) = delete;
  PreparedFrame& operator=(const PreparedFrame&) = delete;

  GstBuffer* copy(std::uint64_t number) const {
    GstBuffer* made = gst_buffer_copy(buffer);
    GST_BUFFER_PTS(made) = pts_of(number);
    GST_BUFFER_DURATION(made) = GST_SECOND / 30;
    return made;
  }
  const Shape& shape() const { return drawn.content.shape; }

  planes_rig::Drawn drawn;
  GstBuffer* buffer;
  std::vector<planes_rig::Expected> expected;
  Expected samples;
  std::vector<Expected> labels;
};

class PlanesRun final : public Run {
 public:
  explicit PlanesRun(const Setup& setup);
  ~PlanesRun() override;
  bool batch(std::uint64_t amount, Latency* latency) override;
  std::uint64_t done() const override { return frames_; }
  std::string report() const override;
  std::string summary() const override { return grouped(frames_) + " frames of planes"; }

 private:
  void begin();
  void restart();
  void change_overlay();
  void drop_overlay();
  void push(const PreparedFrame& frame, std::size_t setting, Latency* latency);
  void check(const PreparedFrame& frame, std::size_t setting, GstBuffer* output);
  void check_untouched();
  void complain(const std::string& what);

  const Setup& setup_;
  const std::vector<planes::Parameters> settings_ = planes_settings();
  std::vector<std::unique_ptr<PreparedFrame>> prepared_;
  std::size_t kinds_ = 0;  // of each size
  GstElement* element_;
  GstBus* bus_;
  GstPad* source_;
  Tap tap_;
  std::optional<Overlay> overlay_;
  std::uint64_t of_overlay_ = 0;  // since it was requested
  const PreparedFrame* last_ = nullptr;
  bool labels_ = false;  // what src carries
  bool broken_ = false;

  std::uint64_t frames_ = 0;
  std::uint64_t visits_ = 0;
  std::uint64_t caps_ = 0;
  std::uint64_t restarts_ = 0;
  std::uint64_t requests_ = 0;
  std::uint64_t pictures_ = 0;
  std::uint64_t compared_ = 0;
};

PlanesRun::PlanesRun(const Setup& setup)
    : setup_(setup),
      element_(gst_element_factory_make("depthplanes", nullptr)),
      bus_(gst_bus_new()),
      source_(gst_pad_new(nullptr, GST_PAD_SRC)),
      tap_(setup.memory.feature()) {
  constexpr auto k8 = GST_VIDEO_FORMAT_GRAY8;
  constexpr auto k16 = GST_VIDEO_FORMAT_GRAY16_LE;
  const Shape shapes[] = {{k16, 96, 72}, {k16, 1, 1},  {k8, 33, 17},
                          {k16, 64, 48}, {k8, 80, 60}, {k16, 70, 44, 16, 160}};
  const test::PlaneKind kinds[] = {test::PlaneKind::kRoom, test::PlaneKind::kTiles,
                                   test::PlaneKind::kNoise, test::PlaneKind::kUnknown};
  for (const Shape& shape : shapes) {
    for (const test::PlaneKind kind : kinds) {
      prepared_.push_back(std::make_unique<PreparedFrame>(shape, kind, settings_, setup.memory));
    }
  }
  kinds_ = std::size(kinds);

  gst_object_ref_sink(element_);
  gst_object_ref_sink(source_);
  gst_element_set_bus(element_, bus_);
  gst_util_set_object_arg(G_OBJECT(element_), "backend", setup.options.backend.c_str());
  g_object_set(element_, "threads", setup.options.threads, nullptr);
  GstPad* src = gst_element_get_static_pad(element_, "src");
  gst_pad_link(src, tap_.pad());
  gst_object_unref(src);
  GstPad* sink = gst_element_get_static_pad(element_, "sink");
  gst_pad_link(source_, sink);
  gst_object_unref(sink);
  begin();
}

PlanesRun::~PlanesRun() {
  drop_overlay();
  gst_element_set_state(element_, GST_STATE_NULL);
  gst_pad_set_active(source_, FALSE);
  gst_element_set_bus(element_, nullptr);
  gst_object_unref(source_);
  gst_object_unref(bus_);
  gst_object_unref(element_);
}

void PlanesRun::begin() {
  if (gst_element_set_state(element_, GST_STATE_PLAYING) == GST_STATE_CHANGE_FAILURE) {
    throw std::runtime_error("depthplanes does not start: " + take_error(bus_));
  }
  gst_pad_set_active(source_, TRUE);
  gst_pad_push_event(source_, gst_event_new_stream_start("planes"));
  last_ = nullptr;
}

// To READY and to NULL in turn; src carries depth and labels in turn.
void PlanesRun::restart() {
  if (restarts_ % 3 == 0) drop_overlay();
  gst_element_set_state(element_, restarts_ % 2 == 0 ? GST_STATE_READY : GST_STATE_NULL);
  gst_pad_set_active(source_, FALSE);
  ++restarts_;
  labels_ = !labels_;
  gst_util_set_object_arg(G_OBJECT(element_), "output", labels_ ? "labels" : "passthrough");
  begin();
}

void PlanesRun::drop_overlay() {
  if (overlay_ && overlay_->tap().out_of_order()) complain("pictures are not in order");
  overlay_.reset();
}

void PlanesRun::change_overlay() {
  if (overlay_) {
    drop_overlay();
    return;
  }
  overlay_.emplace(element_, setup_.memory.picture_feature(), static_cast<unsigned>(requests_));
  overlay_->set_style(static_cast<int>(requests_ % 5));
  of_overlay_ = 0;
  ++requests_;
  complain(overlay_->complaint());
}

bool PlanesRun::batch(std::uint64_t amount, Latency* latency) {
  for (std::uint64_t i = 0; i < amount && !broken_; ++i) {
    if (frames_ % kStateFrames == kStateFrames - 1) restart();
    if (i == 0 || frames_ % kPadFrames == 0) change_overlay();
    if (frames_ % kFramesOfVisit == 0) ++visits_;
    const std::size_t size = mix_bits(visits_) % (prepared_.size() / kinds_);
    const std::size_t kind = mix_bits(frames_ + 77) % kinds_;
    push(*prepared_[size * kinds_ + kind], mix_bits(frames_) % settings_.size(), latency);
  }
  drop_overlay();
  check_untouched();
  setup_.failures.add_if(take_error(bus_));
  return !broken_;
}

void PlanesRun::push(const PreparedFrame& frame, std::size_t setting, Latency* latency) {
  if (last_ == nullptr || last_->shape() != frame.shape()) {
    GstCaps* caps = frames::caps(frame.shape(), setup_.memory.feature());
    gst_pad_push_event(source_, gst_event_new_caps(caps));
    gst_caps_unref(caps);
    if (last_ == nullptr) {
      GstSegment segment;
      gst_segment_init(&segment, GST_FORMAT_TIME);
      gst_pad_push_event(source_, gst_event_new_segment(&segment));
    }
    ++caps_;
  }
  last_ = &frame;
  apply(element_, settings_[setting]);
  planes_rig::set_camera(element_, frame.drawn.camera);
  const auto start = std::chrono::steady_clock::now();
  const GstFlowReturn flow = gst_pad_push(source_, frame.copy(frames_));
  latency->record(std::chrono::steady_clock::now() - start);
  GstBuffer* output = tap_.take();
  if (flow != GST_FLOW_OK || output == nullptr || tap_.count() != frames_ + 1) {
    complain(std::string("depthplanes returns ") + gst_flow_get_name(flow) + "; " +
             take_error(bus_));
    gst_clear_buffer(&output);
    broken_ = true;
    return;
  }
  check(frame, setting, output);
  gst_buffer_unref(output);
  if (overlay_) {
    ++pictures_;
    if (!overlay_->tap().await(++of_overlay_)) {
      complain("a picture does not come");
      broken_ = true;
    }
    if (GstBuffer* picture = overlay_->tap().take()) gst_buffer_unref(picture);
  }
  ++frames_;
}

void PlanesRun::check(const PreparedFrame& frame, std::size_t setting, GstBuffer* output) {
  if (GST_BUFFER_PTS(output) != pts_of(frames_)) complain("another one came out in its place");
  if (frames_ % setup_.options.check_every != 0) return;
  ++compared_;
  complain(planes_rig::difference(gst_rdp_buffer_get_planes(output), frame.expected[setting]));
  if (!labels_) return;
  const Shape shape{GST_VIDEO_FORMAT_GRAY8, frame.shape().width, frame.shape().height};
  complain(check_samples(output, shape, frame.labels[setting]));
}

void PlanesRun::check_untouched() {
  for (const auto& frame : prepared_) {
    forget_host_copy(frame->buffer);
    if (check_samples(frame->buffer, frame->shape(), frame->samples).empty()) continue;
    complain("somebody has written to a frame that others held");
  }
}

void PlanesRun::complain(const std::string& what) {
  if (what.empty()) return;
  setup_.failures.add("frame " + std::to_string(frames_) +
                      (last_ == nullptr ? "" : " (" + describe(last_->shape()) + ")") + ": " +
                      what);
}

std::string PlanesRun::report() const {
  return "  frames: " + grouped(frames_) + " in, " + grouped(tap_.count()) +
         " out\n  changes: " + grouped(caps_) + " of the caps, " + grouped(restarts_) +
         " to READY or NULL and back\n  overlay: " + grouped(requests_) +
         " times requested and released, " + grouped(pictures_) +
         " pictures\n  compared with the definition: " + grouped(compared_) + " frames\n";
}

}  // namespace

std::unique_ptr<Run> make_planes(const Setup& setup) { return std::make_unique<PlanesRun>(setup); }

}  // namespace rdp::endurance
