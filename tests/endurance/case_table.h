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

// Allocator of frames in system, CUDA or NVMM memory.
class FrameMemory {
 public:
  // CUDA memory gets its own context. With `on_device`, NVMM memory is on the device, too.
  // Throws std::runtime_error.
  FrameMemory(Memory memory, bool on_device);
  ~FrameMemory();
  FrameMemory(const FrameMemory&) = delete;
  FrameMemory& operator=(const FrameMemory&) = delete;

  GstBuffer* make(const Content& content) const;
  // Caps feature (nullable: system memory).
  const char* feature() const;
  // Caps feature of pictures that may be in device memory (nullable: system memory).
  const char* picture_feature() const { return on_device_ ? kCudaFeature : nullptr; }
  // Context of frames in CUDA memory (nullable).
  GstObject* context() const { return context_; }
  // True if output=reconstruct writes into the pushed frames, not into a copy.
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

// Returns another buffer of the same memory, to which nobody may write; in NVMM memory, of the same
// surface (transfer full).
GstBuffer* share(GstBuffer* buffer, GstClockTime pts);

// A frame prepared in advance and pushed repeatedly: the pushed buffers share its memory.
struct Frame {
  Frame(Content of, const FrameMemory& memory)
      : content(std::move(of)), buffer(memory.make(content)) {}
  // Error text if anybody wrote to its memory; empty: untouched.
  std::string check_untouched() const;

  Content content;
  BufferRef buffer;
};

// Settings to apply in turn; the tolerance fits the samples.
std::vector<Setting> settings_for(const Shape& shape);

// Frames of one shape, settings, and the reference's result for each pair of them.
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
  // A buffer to push (transfer full).
  GstBuffer* copy(std::size_t frame, GstClockTime pts) const {
    return share(frames_[frame].buffer.get(), pts);
  }
  // Error text if anybody wrote to the memory of the frames; empty: untouched.
  std::string check_untouched() const;

 private:
  Shape shape_;
  std::vector<Frame> frames_;
  std::vector<Setting> settings_;
  std::vector<Expected> expected_;
};

using CaseTable = std::vector<std::unique_ptr<CaseGroup>>;

// All kinds and sizes of shapes, all scenes, all settings, for one element that gets them in turn.
CaseTable make_stream_cases(bool small, const FrameMemory& memory);
// A few shapes of similar size, for many elements at a time. All settings, or all combinations of
// some properties, in which each combination differs from another one in a single property.
CaseTable make_side_by_side_cases(bool combinations, const FrameMemory& memory);

}  // namespace rdp::endurance

#endif  // RDP_TESTS_ENDURANCE_CASE_TABLE_H_
