// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/endurance/case_table.h"

#include <utility>

namespace rdp::endurance {

FrameMemory::FrameMemory(Memory memory, bool on_device)
    : on_device_(on_device && memory != Memory::kSystem) {
  if (memory == Memory::kCuda) context_ = new_device_context();
  if (memory == Memory::kNvmm) nvmm_maker_ = make_nvmm_maker(on_device);
}

FrameMemory::~FrameMemory() { gst_clear_object(&context_); }

GstBuffer* FrameMemory::make(const Content& content) const {
  if (nvmm_maker_ != nullptr) return nvmm_maker_(content);
  return context_ == nullptr ? make_buffer(content) : make_device_buffer(context_, content);
}

const char* FrameMemory::feature() const {
  return nvmm_maker_ != nullptr ? kNvmmFeature : context_ != nullptr ? kCudaFeature : nullptr;
}

GstBuffer* share(GstBuffer* buffer, GstClockTime pts) {
  GstBuffer* shared = share_nvmm(buffer);
  if (shared == nullptr) shared = gst_buffer_copy(buffer);
  GST_BUFFER_PTS(shared) = pts;
  GST_BUFFER_DURATION(shared) = GST_SECOND / 30;
  return shared;
}

std::string Frame::check_untouched() const {
  Expected as_made;
  as_made.samples = checksum(content);
  forget_host_copy(buffer.get());
  if (check_samples(buffer.get(), content.shape, as_made).empty()) return {};
  return "somebody has written to a frame of " + describe(content.shape) + " that others held";
}

std::vector<Setting> settings_for(const Shape& shape) {
  Parameters plain;
  if (shape.format == GST_VIDEO_FORMAT_GRAY16_LE) plain.sample_scale = 1.0 / 256;
  std::vector<Setting> result;
  const auto add = [&](bool writes, const auto& change) {
    Setting setting;
    setting.parameters = plain;
    setting.reconstruct = writes;
    setting.style = static_cast<OverlayStyle>(result.size() % 4);
    change(setting.parameters);
    setting.parameters.classify = setting.style == OverlayStyle::kClasses;
    result.push_back(setting);
  };
  add(false, [](Parameters&) {});
  add(false, [](Parameters& p) { p.merge = true; });
  add(false, [](Parameters& p) {
    p.merge = true;
    p.median = Median::k3x3;
    p.column_width = 2;
  });
  add(true, [](Parameters&) {});
  add(false, [](Parameters& p) {
    p.refine = true;
    p.max_gap = 8;
  });
  add(false, [](Parameters& p) {
    p.domain = Domain::kInverse;
    p.sample_scale = 1;
    p.epsilon = 10;
  });
  add(false, [](Parameters& p) {
    p.median = Median::k5x5;
    p.epsilon = 8;
  });
  add(true, [](Parameters& p) {
    p.merge = true;
    p.column_width = 3;
  });
  add(false, [](Parameters& p) {
    p.merge = true;
    p.column_width = 16;
    p.max_gap = 3;
    p.merge_cost = 5;
  });
  add(false, [](Parameters& p) {
    p.epsilon = 0;
    p.min_value = 20;
    p.max_value = 200;
  });
  add(true, [](Parameters& p) {
    p.domain = Domain::kInverse;
    p.sample_scale = 1;
    p.epsilon = 10;
    p.median = Median::k3x3;
  });
  return result;
}

namespace {

std::vector<Setting> combinations_for(const Shape& shape) {
  std::vector<Setting> result;
  for (unsigned bits = 0; bits < 16; ++bits) {
    Setting setting = settings_for(shape).front();
    Parameters& p = setting.parameters;
    p.merge = (bits & 1) != 0;
    p.median = (bits & 2) != 0 ? Median::k3x3 : Median::kNone;
    p.column_width = (bits & 4) != 0 ? 3 : 1;
    p.max_gap = (bits & 8) != 0 ? 4 : 0;
    result.push_back(setting);
  }
  return result;
}

}  // namespace

CaseGroup::CaseGroup(const Shape& shape, const std::vector<Scene>& scenes,
                     std::vector<Setting> settings, const FrameMemory& memory)
    : shape_(shape), settings_(std::move(settings)) {
  std::uint32_t seed = static_cast<std::uint32_t>(shape.width * 31 + shape.height);
  for (const Scene scene : scenes) {
    Content content = frames::draw(shape, scene, ++seed);
    for (const Setting& setting : settings_) expected_.push_back(expect(content, setting));
    frames_.emplace_back(std::move(content), memory);
  }
}

std::string CaseGroup::check_untouched() const {
  for (const Frame& frame : frames_) {
    const std::string wrong = frame.check_untouched();
    if (!wrong.empty()) return wrong;
  }
  return {};
}

CaseTable make_stream_cases(bool small, const FrameMemory& memory) {
  constexpr auto k16 = GST_VIDEO_FORMAT_GRAY16_LE;
  constexpr auto k8 = GST_VIDEO_FORMAT_GRAY8;
  constexpr std::size_t kSmall = 9;
  constexpr int kNoisyArea = 100000;  // above it, noise gives more segments than needed
  const Shape shapes[] = {
      {k16, 64, 48},     {k8, 160, 120},         {k16, 1, 1},           {k8, 1, 97},
      {k16, 333, 1},     {k16, 53, 40, 16, 128}, {k8, 161, 90, 5, 200}, {k16, 160, 120},
      {k8, 3, 500},      {k16, 320, 240},        {k8, 320, 240},        {k16, 639, 200, 64, 1400},
      {k16, 7, 3000},    {k16, 640, 480},        {k16, 1242, 375},      {k8, 2000, 16},
      {k16, 1242, 1024},
  };
  CaseTable table;
  for (const Shape& shape : shapes) {
    if (small && table.size() == kSmall) break;
    std::vector<Scene> scenes;
    const bool large = shape.width * shape.height > kNoisyArea;
    const int step = large ? 2 : 1;
    for (int i = 0; i < kScenes; i += step) {
      if (!large || static_cast<Scene>(i) != Scene::kNoise) scenes.push_back(static_cast<Scene>(i));
    }
    table.push_back(std::make_unique<CaseGroup>(shape, scenes, settings_for(shape), memory));
  }
  return table;
}

CaseTable make_side_by_side_cases(bool combinations, const FrameMemory& memory) {
  const Shape shapes[] = {{GST_VIDEO_FORMAT_GRAY16_LE, 160, 120},
                          {GST_VIDEO_FORMAT_GRAY8, 128, 96},
                          {GST_VIDEO_FORMAT_GRAY16_LE, 131, 100, 32, 300}};
  CaseTable table;
  for (const Shape& shape : shapes) {
    table.push_back(std::make_unique<CaseGroup>(
        shape, std::vector<Scene>{Scene::kStreet, Scene::kSteps, Scene::kSparse},
        combinations ? combinations_for(shape) : settings_for(shape), memory));
  }
  return table;
}

}  // namespace rdp::endurance
