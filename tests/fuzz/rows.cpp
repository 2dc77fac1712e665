// SPDX-License-Identifier: LGPL-2.1-or-later
// Rows from untrusted bytes, and as JSON.
#include "tests/fuzz/kind_check.h"
#include "tests/third_kind/rows_json.h"

static void check(GstRdpRows* rows) {
  gsize n = 0;
  const guint32* counts = gst_rdp_rows_peek_counts(rows, &n);
  JsonArray* read =
      json_object_get_array_member(rdp::fuzz::line_of<rdp::meta::RowsKind>(rows), "known-rows");
  FUZZ_CHECK(json_array_get_length(read) == n, "%u numbers", json_array_get_length(read));
  for (guint i = 0; i < n; ++i) {
    FUZZ_CHECK(json_array_get_int_element(read, i) == counts[i], "row %u is another", i);
  }
}

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  rdp::add_convert_kind(kRowsKind);
  return rdp::fuzz::start();
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  rdp::fuzz::damage_read<rdp::meta::RowsKind>({data, size}, check);
  return 0;
}
