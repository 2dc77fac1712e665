// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_RDPOVERLAY_BATCH_FRAMES_H_
#define RDP_GST_ELEMENTS_RDPOVERLAY_BATCH_FRAMES_H_

#include <gst/gst.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gst/memory/batch_sources.h"

namespace rdp::gst {

// Matches the frames of a batch on segments with the pictures of a batch on video, and these with
// those of earlier batches. DeepStream's metadata says it, where both have it, by the numbers of
// the multiplexers' pads; of several frames of one pad the first belongs to the first picture.
// Otherwise it is the place in the batch. A picture and a frame that are alone belong together.
// Streaming thread; allocates only for batches that are larger than those before, and for pads that
// are new. Throws std::bad_alloc.
class BatchFrames {
 public:
  static constexpr guint kNone = G_MAXUINT;

  // Looks at buffers with so many pictures. True: there were so many pads that slots are given
  // anew, and what was kept for them is of other pictures.
  bool look(GstBuffer* pictures, std::size_t picture_count, GstBuffer* frames);
  // The place of each picture's frame in its batch; kNone: there is none.
  std::span<const guint> places() const { return places_; }
  // A number for each picture, the same for those of one pad in every batch.
  std::span<const guint> slots() const { return slots_; }

 private:
  static constexpr std::size_t kMaxKnown = 1024;

  // One of the pictures of a pad.
  struct OfPad {
    std::uint32_t pad;
    std::size_t turn;

    bool operator==(const OfPad&) const = default;
  };
  guint find_slot(const OfPad& picture);
  guint find_place(const OfPad& picture) const;

  std::vector<BatchSource> of_pictures_;
  std::vector<BatchSource> of_frames_;
  std::vector<guint> places_;
  std::vector<guint> slots_;
  std::vector<OfPad> known_;  // by their slots
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_RDPOVERLAY_BATCH_FRAMES_H_
