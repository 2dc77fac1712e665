// SPDX-License-Identifier: LGPL-2.1-or-later
// Heights in lines of JSON: how well they are known, and who stands where. Lengths are in metres.
#include <gst/rdpsegment/rdpheightskind.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "gst/elements/rdpmetaconvert/json_numbers.h"
#include "gst/elements/rdpmetaconvert/json_writer.h"

namespace rdp {

using namespace json;

namespace {

// The longest text of a head: its words, two short whole numbers, three doubles and the votes.
constexpr std::size_t kMaxHead = 60 + 2 * 6 + 4 * (kMaxNumber + 3);

char* put_head(char* out, const GstRdpHead& head) {
  out = put_list(put(out, R"({"pixel":)"), std::array{head.column, head.row}, put_u16);
  out = put_list(put(out, R"(,"ground":)"), std::array{head.x, head.y}, put_double);
  out = put_double(put(out, R"(,"height":)"), head.height);
  out = put_integer(put(out, R"(,"votes":)"), head.votes);
  *out++ = '}';
  return out;
}

char* put_grid(char* out, const GstRdpHeightsInfo& info) {
  const std::array corner = {info.ground_x, info.ground_y};
  const std::array size = {info.ground_columns, info.ground_rows};
  out = put_list(put(out, R"(,"ground-grid":{"origin":)"), corner, put_double);
  out = put_double(put(out, R"(,"cell":)"), info.ground_cell);
  out = put_list(put(out, R"(,"size":)"), size, put_u16);
  *out++ = '}';
  return out;
}

void write(JsonWriter& line, const ConvertedFrame&, GstMiniObject* object) {
  auto* of = reinterpret_cast<GstRdpHeights*>(object);
  const GstRdpHeightsInfo& info = *gst_rdp_heights_get_info(of);
  gsize n_heads = 0;
  const GstRdpHead* heads = gst_rdp_heights_peek_heads(of, &n_heads);
  char* out = line.reserve(2 * kMaxFixedPart + n_heads * kMaxHead);
  // The keys before them may be about a picture of another size.
  if (info.width != line.head().width || info.height != line.head().height) {
    out = put_integer(put(out, R"(,"heights-width":)"), info.width);
    out = put_integer(put(out, R"(,"heights-height":)"), info.height);
  }
  out = put_integer(put(out, R"(,"views":)"), info.views);
  out = put_integer(put(out, R"(,"reference":)"), info.reference);
  out = put_integer(put(out, R"(,"spread":)"), info.spread);
  out = put_integer(put(out, R"(,"energy":)"), static_cast<std::uint64_t>(info.energy));
  out = put_integer(put(out, R"(,"iterations":)"), info.iterations);
  out = put_double(put(out, R"(,"known":)"), gst_rdp_heights_get_known(of));
  if (info.ground_columns > 0) out = put_grid(out, info);
  out = put_list(put(out, R"(,"heads":)"), std::span(heads, n_heads), put_head);
  line.set_end(out);
}

}  // namespace

const ConvertKind kHeightsKind = convert_kind<meta::HeightsKind>({
    .things = "heights",
    .maker = "heightmap",
    .write = write,
});

}  // namespace rdp
