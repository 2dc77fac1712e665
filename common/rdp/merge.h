// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_RDP_MERGE_H_
#define RDP_COMMON_RDP_MERGE_H_

#include <cstdint>

#include "common/image/grow_buffer.h"
#include "common/rdp/fitted_line.h"
#include "common/rdp/parameters.h"
#include "common/rdp/segment_list.h"
#include "common/rdp/split_columns.h"

namespace rdp {

// The steps after the split of a column, if SegmentRules ask for max_gap, refine or merge.
// Bit-identical to reference::fit_pieces() and SegmentRules::max_gap. Linear in the rows, in time
// and memory. One for each thread, kept between frames.
class ColumnMerger {
 public:
  // Makes room for columns of `rows` rows. Throws std::bad_alloc.
  void prepare(int rows);

  // Writes the segments of one column to `out` and returns their number. `samples` are its known
  // samples and `vertices` those of them at which it was split, the ends of each run among them.
  // `out` has room for as many segments as there are vertices.
  std::uint32_t fit(const PackedSample* samples, const PackedSample* vertices,
                    std::uint32_t vertex_count, const SegmentRules& rules, Segment* out);

 private:
  struct Run;
  Segment* fit_run(const Run& run, const SegmentRules& rules, Segment* out);
  std::uint32_t cut_at_vertices(const Run& run);
  void sum_pieces(const Run& run, std::uint32_t pieces, bool merge, float truncation2);
  void find_ranges(const Run& run, std::uint32_t pieces);
  std::uint32_t join(const Run& run, std::uint32_t segments, const SegmentRules& rules);

  GrowBuffer<std::uint32_t> places_;  // of the vertices among the samples
  GrowBuffer<std::uint32_t> starts_;  // of the pieces among the samples
  GrowBuffer<SampleSums> sums_;       // of all samples before a piece
  GrowBuffer<Piece> pieces_;
  GrowBuffer<EndRange> ranges_;  // of the line ends of a segment's pieces, with a finite margin
  GrowBuffer<std::uint32_t> segments_;  // their starts among the pieces
  GrowBuffer<float> totals_;            // up to a segment's start
  GrowBuffer<std::uint32_t> before_;    // the start of the segment that ends at a cut
};

}  // namespace rdp

#endif  // RDP_COMMON_RDP_MERGE_H_
