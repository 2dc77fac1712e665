// SPDX-License-Identifier: LGPL-2.1-or-later
// One element, frame by frame: each is pushed, and what comes out is looked at before the next.
#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <stdexcept>

#include "common/scene/hash_random.h"
#include "tests/endurance/run.h"
#include "tests/endurance/taps.h"

namespace rdp::endurance {
namespace {

// Frames between two changes of whether there is an overlay: no multiple of anything else.
constexpr std::uint64_t kOverlayFrames = 37;
// How long a shape stays: the larger, the shorter.
constexpr int kAreaOfVisit = 160000;
constexpr int kLongestVisit = 48;
constexpr int kShortestVisit = 1;

// Of frames that are drawn for the occasion.
constexpr int kFreshWidth = 200;
constexpr int kFreshHeight = 150;

class Stream final : public Run {
 public:
  explicit Stream(const Setup& setup);
  ~Stream() override;
  bool batch(std::uint64_t amount, Latency* latency) override;
  std::uint64_t done() const override { return frames_; }
  std::string report() const override;
  std::string summary() const override { return grouped(frames_) + " frames"; }

 private:
  struct Work {
    const Content* content;
    const Setting* setting;
    const Expected* expected;
    GstBuffer* buffer;  // the caller's
  };

  void next_shape();
  void push_prepared(Latency* latency);
  void push_fresh(Latency* latency);
  void push(const Work& work, Latency* latency);
  void set_shape(const Shape& shape);
  void set_setting(const Setting& setting);
  void change_overlay();
  void check(const Work& work, GstMemory* pushed, GstBuffer* output);
  void check_picture_of(const Work& work, bool compare);
  void complain(const Work& work, const std::string& what);

  const Setup& setup_;
  GstElement* element_;
  GstBus* bus_;
  GstPad* source_;  // what pushes into the element
  Tap tap_;         // what the element pushes into
  std::optional<Overlay> overlay_;
  std::vector<std::size_t> cursors_;  // which frame and setting of a group is next
  std::size_t group_ = 0;
  int left_of_visit_ = 0;
  std::optional<Shape> shape_;
  bool broken_ = false;

  std::uint64_t frames_ = 0;
  std::uint64_t compared_ = 0;
  std::uint64_t fresh_ = 0;
  std::uint64_t caps_ = 0;
  std::uint64_t settings_ = 0;
  std::uint64_t overlays_ = 0;
  std::uint64_t pictures_ = 0;
  std::uint64_t pictures_before_ = 0;  // of the overlay there is now
  std::uint64_t pictures_compared_ = 0;
};

Stream::Stream(const Setup& setup)
    : setup_(setup),
      element_(gst_element_factory_make("rdpsegment", nullptr)),
      bus_(gst_bus_new()),
      source_(gst_pad_new("src", GST_PAD_SRC)),
      tap_("ANY"),
      cursors_(setup.cases.size(), 0) {
  gst_object_ref_sink(element_);
  gst_object_ref_sink(source_);
  gst_element_set_bus(element_, bus_);
  gst_util_set_object_arg(G_OBJECT(element_), "backend", setup.options.backend.c_str());
  g_object_set(element_, "threads", setup.options.threads, nullptr);
  GstPad* sink = gst_element_get_static_pad(element_, "sink");
  GstPad* src = gst_element_get_static_pad(element_, "src");
  gst_pad_link(source_, sink);
  gst_pad_link(src, tap_.pad());
  gst_object_unref(sink);
  gst_object_unref(src);
  gst_pad_set_active(source_, TRUE);
  if (gst_element_set_state(element_, GST_STATE_PLAYING) == GST_STATE_CHANGE_FAILURE) {
    throw std::runtime_error("rdpsegment does not start: " + take_error(bus_));
  }
  gst_pad_push_event(source_, gst_event_new_stream_start("endurance"));
}

Stream::~Stream() {
  overlay_.reset();
  gst_pad_set_active(source_, FALSE);
  gst_element_set_state(element_, GST_STATE_NULL);
  gst_element_set_bus(element_, nullptr);
  gst_object_unref(bus_);
  gst_object_unref(source_);
  gst_object_unref(element_);
}

bool Stream::batch(std::uint64_t amount, Latency* latency) {
  for (std::uint64_t i = 0; i < amount && !broken_; ++i) {
    if (frames_ % kOverlayFrames == 0) change_overlay();
    const std::uint64_t every = setup_.options.fresh_every;
    if (every != 0 && frames_ % every == every - 1) {
      push_fresh(latency);
    } else {
      push_prepared(latency);
    }
  }
  // The samples of prepared frames stay for the whole run.
  if (overlay_) change_overlay();
  for (const auto& group : setup_.cases) setup_.failures.add_if(group->check_untouched());
  setup_.failures.add_if(take_error(bus_));
  return !broken_;
}

// No two visits in a row are to the same shape, and each shape follows each other one.
void Stream::next_shape() {
  const std::size_t groups = setup_.cases.size();
  group_ = (group_ + 1 + mix_bits(caps_ + 1) % (groups - 1)) % groups;
  const Shape& shape = setup_.cases[group_]->shape();
  left_of_visit_ =
      std::clamp(kAreaOfVisit / (shape.width * shape.height), kShortestVisit, kLongestVisit);
}

void Stream::push_prepared(Latency* latency) {
  if (left_of_visit_-- <= 0) next_shape();
  const CaseGroup& group = *setup_.cases[group_];
  const std::size_t cursor = cursors_[group_]++;
  const std::size_t setting = cursor % group.settings().size();
  const std::size_t frame = cursor / group.settings().size() % group.frames().size();
  push({&group.frames()[frame].content, &group.settings()[setting], &group.expected(frame, setting),
        group.copy(frame, pts_of(frames_))},
       latency);
}

void Stream::push_fresh(Latency* latency) {
  HashSequence random(sub_key(7, frames_));
  Shape shape;
  shape.format = random.happens(0.5) ? GST_VIDEO_FORMAT_GRAY8 : GST_VIDEO_FORMAT_GRAY16_LE;
  shape.width = 1 + static_cast<int>(random.bits() % kFreshWidth);
  shape.height = 1 + static_cast<int>(random.bits() % kFreshHeight);
  if (random.happens(0.5)) {
    shape.offset = 2 * (random.bits() % 40);
    shape.stride = GST_ROUND_UP_4(static_cast<gint>(row_bytes(shape))) +
                   2 * static_cast<gint>(random.bits() % 40);
  }
  const Content content = frames::draw(shape, static_cast<Scene>(random.bits() % kScenes),
                                       static_cast<std::uint32_t>(frames_));
  const std::vector<Setting> settings = settings_for(shape);
  Setting setting = settings[random.bits() % settings.size()];
  setting.parameters.epsilon = random.uniform(0, 20);
  const Expected expected = expect(content, setting);
  GstBuffer* buffer = setup_.memory.make(content);
  GST_BUFFER_PTS(buffer) = pts_of(frames_);
  GST_BUFFER_DURATION(buffer) = GST_SECOND / 30;
  push({&content, &setting, &expected, buffer}, latency);
  ++fresh_;
}

void Stream::push(const Work& work, Latency* latency) {
  set_shape(work.content->shape);
  set_setting(*work.setting);
  GstMemory* memory = gst_buffer_peek_memory(work.buffer, 0);
  const auto start = std::chrono::steady_clock::now();
  const GstFlowReturn flow = gst_pad_push(source_, work.buffer);
  latency->record(std::chrono::steady_clock::now() - start);
  GstBuffer* output = tap_.take();
  if (flow != GST_FLOW_OK) {
    complain(work, std::string("the flow is ") + gst_flow_get_name(flow) + "; " + take_error(bus_));
    broken_ = true;
  } else if (output == nullptr || tap_.count() != frames_ + 1) {
    complain(work, std::to_string(tap_.count()) + " frames have come out by now");
    broken_ = true;
  } else if (GST_BUFFER_PTS(output) != pts_of(frames_)) {
    complain(work, "another frame came out in its place");
  } else {
    check(work, memory, output);
  }
  gst_clear_buffer(&output);
  ++frames_;
}

void Stream::set_shape(const Shape& shape) {
  if (shape_ == shape) return;
  GstCaps* caps = frames::caps(shape, setup_.memory.feature());
  gst_pad_push_event(source_, gst_event_new_caps(caps));
  gst_caps_unref(caps);
  if (!shape_) {
    GstSegment segment;
    gst_segment_init(&segment, GST_FORMAT_TIME);
    gst_pad_push_event(source_, gst_event_new_segment(&segment));
  }
  shape_ = shape;
  ++caps_;
}

void Stream::set_setting(const Setting& setting) {
  apply(element_, setting);
  if (overlay_) overlay_->set_style(static_cast<int>(setting.style));
  ++settings_;
}

void Stream::change_overlay() {
  if (overlay_) {
    if (overlay_->tap().out_of_order()) setup_.failures.add("pictures came out of order");
    pictures_ += overlay_->tap().count();
    overlay_.reset();
    return;
  }
  // In CUDA memory half of the time, where that is to be had.
  overlay_.emplace(element_, overlays_ % 2 == 0 ? setup_.memory.picture_feature() : nullptr,
                   static_cast<unsigned>(overlays_ / 2));
  setup_.failures.add_if(overlay_->complaint());
  pictures_before_ = 0;
  ++overlays_;
}

void Stream::check(const Work& work, GstMemory* pushed, GstBuffer* output) {
  const bool compare = frames_ % setup_.options.check_every == 0;
  const bool may_be_copied = work.setting->reconstruct && !setup_.memory.written_in_place();
  if (!may_be_copied && gst_buffer_peek_memory(output, 0) != pushed) {
    complain(work, "it was copied");
  }
  if (compare) {
    const std::string wrong =
        check_segments(output, *work.content, *work.setting, *work.expected, frames_);
    complain(work,
             wrong.empty() ? check_samples(output, work.content->shape, *work.expected) : wrong);
    ++compared_;
  }
  if (overlay_) check_picture_of(work, compare);
  if (work.setting->reconstruct) restore_nvmm(output, *work.content);
}

void Stream::check_picture_of(const Work& work, bool compare) {
  overlay_->tap().await(++pictures_before_);
  if (overlay_->tap().count() != pictures_before_) {
    complain(work, std::to_string(overlay_->tap().count()) + " pictures have come, expected " +
                       std::to_string(pictures_before_));
    pictures_before_ = overlay_->tap().count();
  }
  GstBuffer* picture = overlay_->tap().take();
  if (picture == nullptr) return;
  if (GST_BUFFER_PTS(picture) != pts_of(frames_)) complain(work, "its picture has another time");
  if (compare) {
    complain(work, check_picture(picture, work.content->shape, *work.expected));
    ++pictures_compared_;
  }
  gst_buffer_unref(picture);
}

void Stream::complain(const Work& work, const std::string& what) {
  if (what.empty()) return;
  setup_.failures.add("frame " + std::to_string(frames_) + " (" + describe(work.content->shape) +
                      "): " + what);
}

std::string Stream::report() const {
  return "  frames: " + grouped(frames_) + " in, " + grouped(tap_.count()) + " out, " +
         grouped(compared_) + " compared with the reference, " + grouped(fresh_) +
         " of them drawn for the occasion\n  changes: " + grouped(caps_) + " of the caps, " +
         grouped(settings_) + " of the properties\n  overlay: " + grouped(overlays_) +
         " times requested and released, " + grouped(pictures_) + " pictures, " +
         grouped(pictures_compared_) + " compared\n";
}

}  // namespace

std::unique_ptr<Run> make_stream(const Setup& setup) { return std::make_unique<Stream>(setup); }

}  // namespace rdp::endurance
