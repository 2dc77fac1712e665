// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_RDPOVERLAY_BATCH_FRAMES_H_
#define RDP_GST_ELEMENTS_RDPOVERLAY_BATCH_FRAMES_H_

#include <gst/gst.h>

#include <cstddef>
#include <span>
#include <vector>

#include "gst/memory/batch_sources.h"

namespace rdp::gst {

// Which frame of a batch on segments belongs to which picture of a batch on video. DeepStream's
// metadata says it, where both have it, by the numbers of the multiplexers' pads; of several frames
// of one pad the first belongs to the first picture. Otherwise it is the place in the batch. A
// picture and a frame that are alone belong together. Streaming thread; allocates only for batches
// that are larger than those before. Throws std::bad_alloc.
class BatchFrames {
 public:
  static constexpr guint kNone = G_MAXUINT;

  // Looks at buffers with so many pictures and frames.
  void look(GstBuffer* pictures, std::size_t picture_count, GstBuffer* frames,
            std::size_t frame_count);
  // The place of each picture's frame in its batch; kNone: there is none.
  std::span<const guint> places() const { return places_; }

 private:
  std::vector<BatchSource> of_pictures_;
  std::vector<BatchSource> of_frames_;
  std::vector<guint> places_;
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_RDPOVERLAY_BATCH_FRAMES_H_
