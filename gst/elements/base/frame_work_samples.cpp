// SPDX-License-Identifier: LGPL-2.1-or-later
// Warnings for samples that look wrong, each posted once. The frames are worked on all the same.
#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "gst/elements/base/frame_work.h"
#include "gst/memory/frame_layout.h"

#define GST_CAT_DEFAULT (words_.category)

namespace rdp::gst {
namespace {

// Below the range of depth cameras.
constexpr double kNearest = 0.01;  // m

// Counts of an examined frame: known samples, and implausible ones among them.
struct SampleCounts {
  std::size_t samples = 0;
  std::size_t largest = 0;  // 65535, known or not
  std::size_t known = 0;
  std::size_t near = 0;
  std::size_t far = 0;
};

KnownRange known_samples(const Plan& plan) {
  return {std::max<guint>({plan.known.first, plan.least_known, 1}), plan.known.last};
}

// Calls look(sample) for all inputs on the host; copies nothing. Skips pictures beside 16-bit
// depth.
template <typename Look>
void for_each_sample(const Task& task, Look look) {
  for (const FrameSurface& input : task.inputs) {
    const DepthView& frame = input.host;
    if (frame.data == nullptr || frame.type != task.inputs[0].host.type) continue;
    for (int row = 0; row < frame.height; ++row) {
      for (int column = 0; column < frame.width; ++column) look(frame.at(row, column));
    }
  }
}

// Returns the rule from a sample to metres. None: there are no metres, or the element needs none.
std::optional<DepthOfValue> rule_of_samples(const Task& task, const CameraUse& use,
                                            double depth_unit) {
  if (depth_unit > 0.0) return DepthOfValue{.factor = depth_unit};
  if (task.camera == nullptr || use.inverse) return {};
  return task.camera->depth;
}

SampleCounts count_samples(const Task& task, const Plan& plan,
                           const std::optional<DepthOfValue>& rule) {
  const KnownRange known = known_samples(plan);
  SampleCounts counts;
  for_each_sample(task, [&](std::uint16_t sample) {
    ++counts.samples;
    if (sample == 65535) ++counts.largest;
    if (!known.contains(sample)) return;
    ++counts.known;
    const double depth = rule ? depth_of_value(sample, *rule) : 0.0;
    if (!(depth > 0.0)) return;
    if (depth < kNearest) ++counts.near;
    if (depth > plan.farthest) ++counts.far;
  });
  return counts;
}

// The median of the known samples.
std::uint16_t middle_sample(const Task& task, const Plan& plan) {
  const KnownRange known = known_samples(plan);
  std::vector<std::uint16_t> samples;
  for_each_sample(task, [&](std::uint16_t sample) {
    if (known.contains(sample)) samples.push_back(sample);
  });
  const auto middle = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2);
  std::nth_element(samples.begin(), middle, samples.end());
  return *middle;
}

}  // namespace

// Warns once that no sample of such frames can be known, which looks like a broken camera.
void FrameWork::warn_of_empty_range() {
  if (frame_.plan.finds == nullptr || !frame_.main().is_video) return;
  const bool bytes = GST_VIDEO_INFO_FORMAT(frame_.main().info) == GST_VIDEO_FORMAT_GRAY8;
  const guint largest = bytes ? 255 : 65535;
  const KnownRange& known = frame_.plan.known;
  const bool empty = std::max(known.first, frame_.plan.least_known) > std::min(known.last, largest);
  if (empty && !warned_of_empty_range_) {
    GST_ELEMENT_WARNING(
        element_, LIBRARY, SETTINGS,
        ("No sample is valid with min-value=%u and max-value=%u: frames will have no %s.",
         known.first, known.last, frame_.plan.finds),
        ("the samples of %s go up to %u", bytes ? "GRAY8" : "GRAY16_LE", largest));
  }
  warned_of_empty_range_ = empty;
}

// Examines the first frame of each caps that has known samples, and only on the host: copies
// nothing.
void FrameWork::look_at_samples(const Task& task) {
  if (frames_to_look_at_ == 0) return;
  --frames_to_look_at_;
  const CameraSource& camera = *frame_.camera;
  const bool depth = task.meaning.measures == GST_RDP_MEASURE_DEPTH || camera.guessed();
  const auto rule = rule_of_samples(task, frame_.plan.camera, camera.depth_unit());
  if (!depth && !rule) return;
  const SampleCounts counts = count_samples(task, frame_.plan, rule);
  // Enough known samples: this many, or one in 20 of a small frame.
  constexpr std::size_t kEnough = 1000;
  if (counts.known == 0 || counts.known < std::min(kEnough, counts.samples / 20)) return;
  frames_to_look_at_ = 0;
  if (depth && frame_.plan.known.last >= 65535) warn_of_largest(counts.largest, counts.samples);
  const auto nearly_all = [&](std::size_t count) { return 10 * count >= 9 * counts.known; };
  if (nearly_all(counts.near)) warn_of_distance(task, *rule, true);
  if (nearly_all(counts.far)) warn_of_distance(task, *rule, false);
}

// Depth cameras that write 65535 for unknown pixels would cause planes at 65 m and wrong metres.
void FrameWork::warn_of_largest(std::size_t largest, std::size_t samples) {
  constexpr std::size_t kMost = 100;  // at most one sample in this many is no fault
  if (said_largest_ || largest * kMost <= samples) return;
  said_largest_ = true;
  const bool has_range =
      g_object_class_find_property(G_OBJECT_GET_CLASS(element_), "max-value") != nullptr;
  GST_ELEMENT_WARNING(
      element_, LIBRARY, SETTINGS,
      ("%.0f %% of the samples of a depth frame are 65535, which many cameras write for invalid "
       "pixels, but here they count as valid: %s max-value=65534, or the largest valid sample.",
       100.0 * static_cast<double>(largest) / static_cast<double>(samples),
       has_range ? "set" : "put depthfilter before, with"),
      ("counted in the first frame of each caps; max-value is 65535"));
}

// Metres that are wrong by a large factor.
void FrameWork::warn_of_distance(const Task& task, const DepthOfValue& rule, bool too_near) {
  if (std::exchange(said_distance_, true)) return;
  const double middle = depth_of_value(middle_sample(task, frame_.plan), rule);
  const double limit = too_near ? kNearest : frame_.plan.farthest;
  const std::string remedy =
      rule.reciprocal
          ? "Check disparity-unit (pixels per sample step), focal-length (pixels) and baseline "
            "(metres)."
          : format_text(
                "Check depth-unit=%g, metres per sample step: 0.001 for millimetres, 0.0002 "
                "for TUM.",
                rule.factor);
  GST_ELEMENT_WARNING(
      element_, LIBRARY, SETTINGS,
      ("Nearly all valid samples are %s than %.4g m; the middle one is at %.4g m. %s",
       too_near ? "nearer" : "farther", limit, middle, remedy.c_str()),
      (nullptr));
}

// Warns of a picture in another format than its caps say, as programs push it from arrays.
void FrameWork::warn_of_large_buffer(const FrameBuffer& input) {
  if (said_large_buffer_ || !input.is_video || input.memory != MemoryKind::kSystem) return;
  const int times = times_too_large(input.buffer, *input.info);
  if (times == 0) return;
  said_large_buffer_ = true;
  const char* likely = nullptr;
  switch (times * GST_VIDEO_INFO_COMP_PSTRIDE(input.info, 0)) {
    case 2:
      likely = "GRAY16_LE";
      break;
    case 3:
      likely = "BGR";
      break;
    case 4:
      likely = "BGRA, or 32-bit floats";
      break;
    case 6:
      likely = "BGR with 16 bits";
      break;
    default:
      likely = "64-bit floats";
      break;
  }
  const bool named = input.pad != nullptr;
  GST_ELEMENT_WARNING(
      element_, STREAM, FORMAT,
      ("A frame%s%s has %d times the bytes that its caps say (%dx%d %s): is it %s? Convert it "
       "before it is pushed, or send its own caps and convert with videoconvert.",
       named ? " of " : "", named ? input.pad : "", times, GST_VIDEO_INFO_WIDTH(input.info),
       GST_VIDEO_INFO_HEIGHT(input.info),
       gst_video_format_to_string(GST_VIDEO_INFO_FORMAT(input.info)), likely),
      ("the buffer has %" G_GSIZE_FORMAT " bytes, its caps say %" G_GSIZE_FORMAT,
       gst_buffer_get_size(input.buffer), GST_VIDEO_INFO_SIZE(input.info)));
}

}  // namespace rdp::gst
