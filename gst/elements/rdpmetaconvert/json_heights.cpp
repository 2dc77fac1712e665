// SPDX-License-Identifier: LGPL-2.1-or-later
// Heights in lines of JSON: how well they are known, and who stands where. Lengths are in metres.
#include <gst/rdpsegment/rdpheightskind.h>

#include <cmath>
#include <span>

#include "gst/elements/rdpmetaconvert/json_writer.h"

namespace rdp {

using namespace json;

namespace {

using Head = GstRdpHead;
using Track = GstRdpHeadTrack;
using Info = GstRdpHeightsInfo;

constexpr Row<Info> kInfo[] = {
    {"views", print_member<&Info::views>},           {"reference", print_member<&Info::reference>},
    {"spread", print_member<&Info::spread>},         {"energy", print_member<&Info::energy>},
    {"iterations", print_member<&Info::iterations>},
};
constexpr Row<Info> kGrid[] = {
    {"origin", print_members<&Info::ground_x, &Info::ground_y>},
    {"cell", print_member<&Info::ground_cell>},
    {"size", print_members<&Info::ground_columns, &Info::ground_rows>},
};
constexpr Row<Head> kHead[] = {
    {"pixel", print_members<&Head::column, &Head::row>},
    {"ground", print_members<&Head::x, &Head::y>},
    {"height", print_member<&Head::height>},
    {"votes", print_member<&Head::votes>},
};

char* print_velocity(char* out, const Track& track) {
  const bool known = !std::isnan(track.vx);
  return known ? print_members<&Track::vx, &Track::vy>(out, track) : print(out, "null");
}

constexpr Row<Track> kTrack[] = {
    {"id", print_member<&Track::id>},
    {"age", print_member<&Track::age>},
    {"velocity", print_velocity},
};

// `track`: null: the head has none.
char* print_head(char* out, const Head& head, const Track* track) {
  out = print_object(out, head, kHead);
  if (track == nullptr) return out;
  // Joins the track's keys to the head's object.
  char* const joint = out - 1;
  out = print_object(joint, *track, kTrack);
  *joint = ',';
  return out;
}

void write(JsonWriter& line, const ConvertedFrame&, GstMiniObject* object) {
  auto* of = reinterpret_cast<GstRdpHeights*>(object);
  const Info& info = *gst_rdp_heights_get_info(of);
  line.add_size("heights", info.width, info.height);
  line.add_keys(info, kInfo);
  line.add_key("known", gst_rdp_heights_get_known(of));
  if (info.ground_columns > 0) {
    line.add_key("ground-grid");
    line.add_printed([&](char* out) { return print_object(out, info, kGrid); });
  }
  gsize n_heads = 0;
  gsize n_tracks = 0;
  gsize n_lost = 0;
  const Head* heads = gst_rdp_heights_peek_heads(of, &n_heads);
  const Track* tracks = gst_rdp_heights_peek_head_tracks(of, &n_tracks);
  const guint32* lost = gst_rdp_heights_peek_lost_heads(of, &n_lost);
  line.add_list("heads", std::span(heads, n_heads), [&](char* out, const Head& head) {
    return print_head(out, head, n_tracks > 0 ? &tracks[&head - heads] : nullptr);
  });
  if (n_tracks == 0 && n_lost == 0) return;
  line.add_list("lost-heads", std::span(lost, n_lost),
                [](char* out, guint32 id) { return print(out, id); });
}

}  // namespace

const ConvertKind kHeightsKind = convert_kind<meta::HeightsKind>({
    .things = "heights",
    .maker = "heightmap",
    .write = write,
});

}  // namespace rdp
