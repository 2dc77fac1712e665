// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_RDPSEGMENT_PLANE_GROUNDS_H_
#define RDP_GST_ELEMENTS_RDPSEGMENT_PLANE_GROUNDS_H_

#include <gst/gst.h>

#include <atomic>
#include <cstddef>
#include <vector>

#include "common/rdp/ground_plane.h"
#include "common/rdp/parameters.h"
#include "gst/elements/base/method.h"

namespace rdp::gst {

// Counts of frames with GroundFrom::kPlanes, since the element went to PAUSED. Any thread.
struct GroundCounts {
  std::atomic<guint64> planes{0};   // frames with their ground from planes
  std::atomic<guint64> missing{0};  // frames without one, which voted
};

// Grounds of a buffer's frames, from its GstRdpPlanes.
class PlaneGrounds {
 public:
  // Sets the buffer whose frames are processed next; null: frames vote for their ground.
  void set_buffer(GstBuffer* buffer) { buffer_ = buffer; }
  bool wanted() const { return buffer_ != nullptr; }

  // Looks for the ground of each of the task's inputs.
  void find(const Task& task, const Parameters& parameters);
  // An input's ground in the last task; empty if there is none.
  const GroundPlane& of(std::size_t input) const { return grounds_[input]; }

  // The reason that frames of this kind have no ground, for the user; null: none.
  const char* problem() const { return problem_; }

 private:
  GroundPlane find_one(guint input, const Task& task, const Parameters& parameters);

  GstBuffer* buffer_ = nullptr;
  std::vector<GroundPlane> grounds_;
  const char* problem_ = nullptr;
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_RDPSEGMENT_PLANE_GROUNDS_H_
