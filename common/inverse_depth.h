// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_INVERSE_DEPTH_H_
#define RDP_COMMON_INVERSE_DEPTH_H_

#include <cstddef>
#include <cstdint>

#include "common/depth_view.h"
#include "common/grow_buffer.h"
#include "common/parameters.h"

namespace rdp {

// inverse_of_depth() of every sample value. Division is dear and there are few values, so that a
// table is both faster than computing and the same bits on every machine.
class InverseDepthTable {
 public:
  // Makes the table fit the parameters and the frames' sample type; only compares them where
  // nothing has changed, and returns false. Not while another thread reads the table. Throws
  // std::bad_alloc.
  bool update(const Parameters& parameters, SampleType type);

  // 256 (8 bit) or 65536 (16 bit) entries of the last update().
  const std::uint16_t* data() const { return values_.data(); }
  std::size_t size() const { return size_; }

 private:
  GrowBuffer<std::uint16_t> values_;
  std::uint32_t size_ = 0;
  double inverse_scale_ = 0.0;
  KnownRange known_{};
};

// Writes the inverse depth of rows [first_row, end_row) of `in` into the same rows of `out`, which
// has the size of `in` and 16-bit samples; it may be `in` itself if that is 16 bit too. The rows
// may be spread over threads. `table` was updated for the sample type of `in`.
void inverse_depth_rows(const DepthView& in, const InverseDepthTable& table, int first_row,
                        int end_row, const MutableDepthView& out);

}  // namespace rdp

#endif  // RDP_COMMON_INVERSE_DEPTH_H_
