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

// Costs and messages of a picture, and the steps of belief propagation on them, a row at a time.
class BeliefField {
 public:
  // Bytes that prepare() asks for.
  static std::size_t memory_of(const MessageLayout& layout);

  // `potential`: one value per pixel.
  void prepare(int width, int height, const Parameters& parameters, const std::int32_t* potential);

  // Computes jump costs between heights and `unknown` from a picture's edges, for rows [first,
  // end). Call it for each picture if parameters.edge_contrast is above 0.
  void find_jumps(const DepthView& picture, int first, int end);

  const MessageLayout& layout() const { return layout_; }
  // The caller fills these, in the order of layout().
  std::uint8_t* costs() { return field_.data(); }

  // Runs half-iteration k on a row; k = 0 starts without messages. Reads messages into the row;
  // writes messages into the row and the rows above and below.
  void half_iteration(int k, int row);

  // Writes the labels of a row after `done` half-iterations. Returns the sum of their costs.
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
  GrowBuffer<std::uint8_t> jumps_;    // laid out like rises_
  GrowBuffer<std::uint8_t> decided_;  // labels by colour, then their costs
};

}  // namespace rdp::heightmap

#endif  // RDP_COMMON_HEIGHTMAP_BELIEF_FIELD_H_
