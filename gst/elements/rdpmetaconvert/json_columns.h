// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_RDPMETACONVERT_JSON_COLUMNS_H_
#define RDP_GST_ELEMENTS_RDPMETACONVERT_JSON_COLUMNS_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "gst/elements/rdpmetaconvert/json_numbers.h"
#include "gst/elements/rdpmetaconvert/json_writer.h"

namespace rdp::json {

inline constexpr std::size_t kMaxColumn = 3;  // "[],"

// A list for each column, of what `put_entry` writes of each of its segments' indices, in `most`
// characters at most; and the end of the list of them.
template <typename Put>
void add_columns(JsonWriter& line, std::span<const std::uint32_t> offsets, std::size_t most,
                 Put&& put_entry) {
  for (std::size_t c = 0; c + 1 < offsets.size(); ++c) {
    char* out = line.reserve((offsets[c + 1] - offsets[c]) * most + kMaxColumn);
    if (c > 0) *out++ = ',';
    *out++ = '[';
    for (std::uint32_t i = offsets[c]; i < offsets[c + 1]; ++i) {
      if (i > offsets[c]) *out++ = ',';
      out = put_entry(out, i);
    }
    *out++ = ']';
    line.set_end(out);
  }
  line.set_end(put(line.reserve(kMaxFixedPart), "]"));
}

}  // namespace rdp::json

#endif  // RDP_GST_ELEMENTS_RDPMETACONVERT_JSON_COLUMNS_H_
