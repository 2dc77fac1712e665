// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_THIRD_KIND_ROWS_JSON_H_
#define RDP_TESTS_THIRD_KIND_ROWS_JSON_H_

#include <tests/third_kind/rdprowskind.h>

#include "gst/elements/rdpmetaconvert/json_writer.h"

inline constexpr rdp::ConvertKind kRowsKind = rdp::convert_kind<rdp::meta::RowsKind>(
    {.things = "rows",
     .maker = "what counts rows",
     .write = [](rdp::JsonWriter& line, const rdp::ConvertedFrame&, GstMiniObject* object) {
       gsize n = 0;
       const guint32* counts = gst_rdp_rows_peek_counts(GST_RDP_ROWS(object), &n);
       line.add_list("known-rows", std::span(counts, n), rdp::json::print<guint32>);
     }});

#endif  // RDP_TESTS_THIRD_KIND_ROWS_JSON_H_
