// SPDX-License-Identifier: LGPL-2.1-or-later
// One rdpsegment: size, format, layout, content and properties change, the overlay comes and goes.
#include <algorithm>
#include <memory>

#include "common/scene/hash_random.h"
#include "tests/endurance/element_run.h"

namespace rdp::endurance {
namespace {

// Duration of a visit to a shape: shorter for larger ones.
constexpr int kAreaOfVisit = 160000;
constexpr int kLongestVisit = 48;
constexpr int kShortestVisit = 1;

// Size of freshly drawn frames.
constexpr int kFreshWidth = 200;
constexpr int kFreshHeight = 150;

class Stream final : public ElementRun {
 public:
  // No state changes: each start on a GPU may make a context, which takes half a second.
  explicit Stream(const Setup& setup)
      : ElementRun(setup, {.element = "rdpsegment",
                           .feature = "ANY",
                           .sides = {"overlay"},
                           .side_frames = 37,
                           .state_frames = 0}),
        cursors_(setup.cases.size(), 0) {}

 private:
  struct Work {
    const Content& content;
    const Setting& setting;
    const Expected& expected;
  };

  void step() override;
  std::string check_untouched() const override;
  std::string details() const override {
    return "  drawn for the occasion: " + grouped(fresh_) + " frames\n";
  }
  void next_shape();
  void push_prepared();
  void push_fresh();
  void pass(const Work& work, GstBuffer* buffer);
  void check(const Work& work, GstMemory* pushed, GstBuffer* output);

  std::vector<std::size_t> cursors_;  // next frame and setting of each group
  std::size_t group_ = 0;
  int left_of_visit_ = 0;
  std::uint64_t fresh_ = 0;
};

void Stream::step() {
  const std::uint64_t every = setup().options.fresh_every;
  if (every != 0 && frame() % every == every - 1) {
    push_fresh();
  } else {
    push_prepared();
  }
}

std::string Stream::check_untouched() const {
  for (const auto& group : setup().cases) {
    const std::string wrong = group->check_untouched();
    if (!wrong.empty()) return wrong;
  }
  return {};
}

// Consecutive visits have different shapes, and each shape follows every other one at some time.
void Stream::next_shape() {
  const std::size_t groups = setup().cases.size();
  group_ = (group_ + 1 + mix_bits(announced() + 1) % (groups - 1)) % groups;
  const Shape& shape = setup().cases[group_]->shape();
  left_of_visit_ =
      std::clamp(kAreaOfVisit / (shape.width * shape.height), kShortestVisit, kLongestVisit);
}

void Stream::push_prepared() {
  if (left_of_visit_-- <= 0) next_shape();
  const CaseGroup& group = *setup().cases[group_];
  const std::size_t cursor = cursors_[group_]++;
  const std::size_t setting = cursor % group.settings().size();
  const std::size_t frame = cursor / group.settings().size() % group.frames().size();
  pass({group.frames()[frame].content, group.settings()[setting], group.expected(frame, setting)},
       group.copy(frame, pts()));
}

void Stream::push_fresh() {
  HashSequence random(sub_key(7, frame()));
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
                                       static_cast<std::uint32_t>(frame()));
  const std::vector<Setting> settings = settings_for(shape);
  Setting setting = settings[random.bits() % settings.size()];
  setting.parameters.epsilon = random.uniform(0, 20);
  const Expected expected = expect(content, setting);
  GstBuffer* buffer = setup().memory.make(content);
  GST_BUFFER_PTS(buffer) = pts();
  GST_BUFFER_DURATION(buffer) = GST_SECOND / 30;
  pass({content, setting, expected}, buffer);
  ++fresh_;
}

void Stream::pass(const Work& work, GstBuffer* buffer) {
  announce(0, work.content.shape, setup().memory.feature());
  apply(element(), work.setting);
  if (side(0) != nullptr) side(0)->set_style(static_cast<int>(work.setting.style));
  GstMemory* memory = gst_buffer_peek_memory(buffer, 0);
  push(0, buffer);
  const BufferRef output = take();
  if (output != nullptr) check(work, memory, output.get());
  const BufferRef picture = take_of(0);
  if (picture != nullptr && compares()) {
    complain(check_picture(picture.get(), work.content.shape, work.expected));
  }
}

void Stream::check(const Work& work, GstMemory* pushed, GstBuffer* output) {
  const bool may_be_copied = work.setting.reconstruct && !setup().memory.written_in_place();
  if (!may_be_copied && gst_buffer_peek_memory(output, 0) != pushed) complain("it was copied");
  if (compares()) {
    const std::string wrong =
        check_segments(output, work.content, work.setting, work.expected, frame());
    complain(wrong.empty() ? check_samples(output, work.content.shape, work.expected) : wrong);
  }
  if (work.setting.reconstruct) restore_nvmm(output, work.content);
}

}  // namespace

std::unique_ptr<Run> make_stream(const Setup& setup) { return std::make_unique<Stream>(setup); }

}  // namespace rdp::endurance
