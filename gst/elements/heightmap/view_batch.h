// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_HEIGHTMAP_VIEW_BATCH_H_
#define RDP_GST_ELEMENTS_HEIGHTMAP_VIEW_BATCH_H_

#include <gst/gst.h>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "gst/memory/batch_sources.h"

namespace rdp::gst {

// All views of a set in one buffer: a batch in NVMM memory. DeepStream's metadata assigns surfaces
// to views by the multiplexer's pad number; without it, the place in the batch does. Streaming
// thread; allocates only for batches larger than any before.
class ViewBatch {
 public:
  enum class Verdict {
    kComplete,    // one surface of each view
    kIncomplete,  // a view has no surface: missing()
    kWrong,       // a surface belongs to no view: *reason, with the remedy
  };
  // Checks a batch for this number of views. A buffer that is no batch counts as complete, with
  // surfaces in order; opening it reports the fault. Throws std::bad_alloc.
  Verdict look(GstBuffer* buffer, std::size_t views, std::string* reason);

  // The place of each view's surface in a complete batch.
  std::span<const std::size_t> places() const { return places_; }
  // Time from the earliest to the latest frame of the views, in ns; 0 if the batch has no times.
  GstClockTime spread() const { return spread_; }
  std::size_t earliest() const { return earliest_; }
  std::size_t latest() const { return latest_; }
  // In an incomplete batch: the first missing view, and the number of views that are there.
  std::size_t missing() const { return missing_; }
  std::size_t there() const { return sources_.size(); }

 private:
  void find_spread(bool named);

  std::vector<BatchSource> sources_;  // by place
  std::vector<std::size_t> places_;
  GstClockTime spread_ = 0;
  std::size_t earliest_ = 0;
  std::size_t latest_ = 0;
  std::size_t missing_ = 0;
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_HEIGHTMAP_VIEW_BATCH_H_
