// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_ENDURANCE_CASE_TABLE_H_
#define RDP_TESTS_ENDURANCE_CASE_TABLE_H_

#include <gst/gst.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/endurance/content.h"
#include "tests/endurance/device.h"
#include "tests/endurance/nvmm.h"
#include "tests/endurance/options.h"
#include "tests/endurance/reference_check.h"

namespace rdp::endurance {

// Where frames are made.
class FrameMemory {
 public:
  // CUDA memory is of a context of its own; NVMM memory is on the device, too, if `on_device`.
  // Throws std::runtime_error.
  FrameMemory(Memory memory, bool on_device);
  ~FrameMemory();
  FrameMemory(const FrameMemory&) = delete;
  FrameMemory& operator=(const FrameMemory&) = delete;

  GstBuffer* make(const Content& content) const;
  // Of the caps; null for system memory.
  const char* feature() const;
  // The same for pictures that need not be in system memory.
  const char* picture_feature() const { return on_device_ ? kCudaFeature : nullptr; }
  // Of frames in CUDA memory, else null.
  GstObject* context() const { return context_; }
  // Whether output=reconstruct writes into the frames that were pushed, and not into a copy.
  bool written_in_place() const { return nvmm_maker_ != nullptr; }

 private:
  GstObject* context_ = nullptr;
  NvmmMaker nvmm_maker_;
  bool on_device_;
};

struct UnrefBuffer {
  void operator()(GstBuffer* buffer) const { gst_buffer_unref(buffer); }
};
using BufferRef = std::unique_ptr<GstBuffer, UnrefBuffer>;

inline GstClockTime pts_of(std::uint64_t frame) { return frame * GST_SECOND / 30; }

// Another buffer of the same memory, which nobody may write to; in NVMM memory, of the same
// surface. The caller's.
GstBuffer* share(GstBuffer* buffer, GstClockTime pts);

// A frame that is prepared in advance and goes round: what is pushed shares its memory.
struct Frame {
  Frame(Content of, const FrameMemory& memory)
      : content(std::move(of)), buffer(memory.make(content)) {}
  // What is wrong with its memory, which nobody should have written to.
  std::string check_untouched() const;

  Content content;
  BufferRef buffer;
};

// What is set in turn; the tolerance fits the samples.
std::vector<Setting> settings_for(const Shape& shape);

// Some frames of one shape, some settings, and what the reference makes of each with each.
class CaseGroup {
 public:
  CaseGroup(const Shape& shape, const std::vector<Scene>& scenes, std::vector<Setting> settings,
            const FrameMemory& memory);

  const Shape& shape() const { return shape_; }
  const std::vector<Frame>& frames() const { return frames_; }
  const std::vector<Setting>& settings() const { return settings_; }
  const Expected& expected(std::size_t frame, std::size_t setting) const {
    return expected_[frame * settings_.size() + setting];
  }
  // A buffer to push; the caller's.
  GstBuffer* copy(std::size_t frame, GstClockTime pts) const {
    return share(frames_[frame].buffer.get(), pts);
  }
  // What is wrong with the memory of the frames, which nobody should have written to.
  std::string check_untouched() const;

 private:
  Shape shape_;
  std::vector<Frame> frames_;
  std::vector<Setting> settings_;
  std::vector<Expected> expected_;
};

using CaseTable = std::vector<std::unique_ptr<CaseGroup>>;

// Shapes of all kinds and sizes, all scenes, all settings: for one element that gets them in turn.
CaseTable make_stream_cases(bool small, const FrameMemory& memory);
// A few shapes of similar size: for many elements at a time. All settings, or all combinations of
// some properties: each differs from another one in a single property.
CaseTable make_side_by_side_cases(bool combinations, const FrameMemory& memory);

}  // namespace rdp::endurance

#endif  // RDP_TESTS_ENDURANCE_CASE_TABLE_H_
