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

// All views of a set in one buffer: a batch in NVMM memory. Which surface is of which view says
// DeepStream's metadata, by the number of the multiplexer's pad; where there is none, its place in
// the batch. Streaming thread; allocates only for batches that are larger than those before.
class ViewBatch {
 public:
  enum class Verdict {
    kComplete,    // one surface of each view
    kIncomplete,  // there is a view without one: missing()
    kWrong,       // more than the views: *reason, with the remedy
  };
  // Looks at a batch that is to have so many views. What is no batch at all is complete, with the
  // surfaces in their order: whoever opens it says what is wrong. Throws std::bad_alloc.
  Verdict look(GstBuffer* buffer, std::size_t views, std::string* reason);

  // The place of each view's surface in a complete batch.
  std::span<const std::size_t> places() const { return places_; }
  // The spread of the views' frames, from the earliest to the latest, in ns. 0 if the batch says no
  // times.
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
