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

// Matches frames of a batch on segments with pictures of a batch on video, and pictures with those
// of earlier batches. If both batches have DeepStream's metadata, the multiplexers' pad numbers
// decide; several frames of one pad match in order. Otherwise the place in the batch decides. A
// lone picture and a lone frame belong together. Streaming thread; allocates only for batches
// larger than any before, and for new pads. Throws std::bad_alloc.
class BatchFrames {
 public:
  static constexpr guint kNone = G_MAXUINT;

  // Matches the buffers' pictures and frames. True: too many pads have come, so slots are
  // reassigned, and data kept by slot is of other pictures.
  bool look(GstBuffer* pictures, std::size_t picture_count, GstBuffer* frames);
  // The place of each picture's frame in its batch; kNone: there is none.
  std::span<const guint> places() const { return places_; }
  // The slot of each picture: a pad's pictures keep theirs in every batch.
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
