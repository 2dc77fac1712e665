// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_BASE_BATCH_CAMERAS_H_
#define RDP_GST_ELEMENTS_BASE_BATCH_CAMERAS_H_

#include <gst/gst.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "gst/memory/batch_sources.h"

namespace rdp::gst {

// The part of a camera's state that BatchCameras keeps between frames; methods derive theirs.
struct BatchCamera {
  std::uint32_t source = 0;  // the number of the camera
  // The camera has stopped delivering: its state may be freed. If it comes back, its ids continue.
  bool is_gone = false;
  GstClockTime last_seen = GST_CLOCK_TIME_NONE;
};

// Finds the camera of each frame of a batch. DeepStream's metadata identifies it by source id.
// Without metadata the frame's index identifies it, as long as the batch size stays the same.
// `Camera` derives from BatchCamera; let_go() is called once it is gone. Streaming thread only.
template <typename Camera>
class BatchCameras {
 public:
  // A camera without frames for this long is gone.
  static constexpr GstClockTime kPatience = 10 * GST_SECOND;

  struct Frame {
    std::size_t camera;
    std::size_t turn;  // number of earlier frames of this camera in the batch
    GstClockTime pts;
  };

  // Reads a batch of `frames` frames. False, after a warning: frames can no longer be assigned to
  // cameras, and all tracks must end. Throws std::bad_alloc.
  bool look(GstElement* element, GstBuffer* buffer, std::size_t frames);

  // Frame `place` of the last batch. Cameras keep their address.
  const Frame& of_frame(std::size_t place) const { return frames_[place]; }

  Camera& operator[](std::size_t camera) { return cameras_[camera]; }
  auto begin() { return cameras_.begin(); }
  auto end() { return cameras_.end(); }

 private:
  std::size_t find(std::uint32_t source);
  void drop_absent(GstClockTime now);

  std::deque<Camera> cameras_;
  std::vector<Frame> frames_;
  std::vector<BatchSource> sources_;
  bool named_ = false;  // by metadata
};

// A linear search, for few cameras: a batch has up to some hundred frames.
template <typename Camera>
std::size_t BatchCameras<Camera>::find(std::uint32_t source) {
  for (std::size_t i = 0; i < cameras_.size(); ++i) {
    if (cameras_[i].source == source) return i;
  }
  cameras_.emplace_back().source = source;
  return cameras_.size() - 1;
}

template <typename Camera>
void BatchCameras<Camera>::drop_absent(GstClockTime now) {
  if (!GST_CLOCK_TIME_IS_VALID(now)) return;
  for (Camera& camera : cameras_) {
    if (!camera.is_gone && GST_CLOCK_TIME_IS_VALID(camera.last_seen) && camera.last_seen < now &&
        now - camera.last_seen > kPatience) {
      camera.let_go();
    }
  }
}

template <typename Camera>
bool BatchCameras<Camera>::look(GstElement* element, GstBuffer* buffer, std::size_t frames) {
  const std::size_t before = frames_.size();
  frames_.clear();
  sources_.resize(frames);
  const bool named = read_batch_sources(buffer, sources_);
  const bool other_names = before != 0 && named != named_;
  const bool other_number = before != 0 && !named && before != frames;
  named_ = named;
  const GstClockTime now = GST_BUFFER_PTS(buffer);
  for (std::size_t place = 0; place < frames; ++place) {
    const auto number = named ? sources_[place].id : static_cast<std::uint32_t>(place);
    const std::size_t camera = find(number);
    std::size_t turn = 0;
    for (const Frame& other : frames_) turn += other.camera == camera ? 1U : 0U;
    const GstClockTime pts = named ? sources_[place].pts : now;
    frames_.push_back({camera, turn, GST_CLOCK_TIME_IS_VALID(pts) ? pts : now});
    cameras_[camera].is_gone = false;
    cameras_[camera].last_seen = now;
  }
  drop_absent(now);
  if (other_names) {
    GST_ELEMENT_WARNING(element, STREAM, FORMAT,
                        ("Only some batches carry NvDsBatchMeta, which assigns frames to cameras: "
                         "all tracks end whenever it appears or disappears."),
                        ("on %" GST_PTR_FORMAT, buffer));
  } else if (other_number) {
    GST_ELEMENT_WARNING(
        element, STREAM, FORMAT,
        ("A batch has %" G_GSIZE_FORMAT " frames, the previous one had %" G_GSIZE_FORMAT
         ": all tracks end, since nothing assigns frames to cameras.",
         frames, before),
        ("expected NvDsBatchMeta, as nvstreammux puts it on batches; on %" GST_PTR_FORMAT, buffer));
  }
  return !other_names && !other_number;
}

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_BASE_BATCH_CAMERAS_H_
