// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_HEIGHTMAP_BELIEF_FIELD_H_
#define RDP_COMMON_HEIGHTMAP_BELIEF_FIELD_H_

#include <cstddef>
#include <cstdint>

#include "common/heightmap/message_layout.h"
#include "common/heightmap/parameters.h"
#include "common/image/depth_view.h"
#include "common/image/grow_buffer.h"

namespace rdp::heightmap {

// Costs and messages of a picture, and what belief propagation does with them, a row at a time.
class BeliefField {
 public:
  // Bytes that prepare() asks for.
  static std::size_t memory_of(const MessageLayout& layout);

  // potential: by pixel.
  void prepare(int width, int height, const Parameters& parameters, const std::int32_t* potential);

  // Finds the jumps between a height and `unknown` from the edges of a picture, for rows [first,
  // end). With parameters.edge_contrast it is to be called for each picture.
  void find_jumps(const DepthView& picture, int first, int end);

  const MessageLayout& layout() const { return layout_; }
  // To be filled, as the layout says.
  std::uint8_t* costs() { return field_.data(); }

  // Does half-iteration k in a row; k = 0 starts from no messages. It reads messages that reach the
  // row, and writes some that reach the row and those above and below.
  void half_iteration(int k, int row);

  // The labels of a row after so many half-iterations. Returns what they cost.
  std::int64_t decide(int done, int row, std::uint8_t* labels);

 private:
  std::uint8_t* message(int row, int colour, Direction from) {
    return field_.data() + layout_.messages(row, colour, from);
  }
  void make_rises(const std::int32_t* potential);
  void make_borders();

  Parameters parameters_;
  MessageLayout layout_;
  GrowBuffer<std::uint8_t> field_;    // costs and messages
  GrowBuffer<std::int8_t> rises_;     // to the neighbours
  GrowBuffer<std::uint8_t> jumps_;    // the same, as rises lie
  GrowBuffer<std::uint8_t> decided_;  // labels by colour, then what they cost
};

}  // namespace rdp::heightmap

#endif  // RDP_COMMON_HEIGHTMAP_BELIEF_FIELD_H_
