// SPDX-License-Identifier: LGPL-2.1-or-later
// Heights from untrusted bytes, and as JSON.
#include <gst/rdpsegment/rdpheightskind.h>

#include <cmath>
#include <initializer_list>

#include "tests/fuzz/kind_check.h"

using namespace rdp::fuzz;

static void check_number(JsonObject* object, const char* key, double wanted) {
  JsonNode* node = json_object_get_member(object, key);
  FUZZ_CHECK(node != nullptr && JSON_NODE_HOLDS_VALUE(node) && json_node_get_double(node) == wanted,
             "%s is not %.17g", key, wanted);
}

static void check_numbers(JsonObject* object, const char* key,
                          std::initializer_list<double> wanted) {
  JsonArray* list = json_object_get_array_member(object, key);
  FUZZ_CHECK(json_array_get_length(list) == wanted.size(), "%u numbers",
             json_array_get_length(list));
  guint i = 0;
  for (const double number : wanted) {
    FUZZ_CHECK(json_array_get_double_element(list, i) == number, "%s, %u is not %.17g", key, i,
               number);
    ++i;
  }
}

static void check_info(JsonObject* line, const GstRdpHeightsInfo& info) {
  FUZZ_CHECK(info.width >= 1 && info.width <= 16384 && info.height >= 1 && info.height <= 16384,
             "a picture of %ux%u", info.width, info.height);
  FUZZ_CHECK(info.views >= 2 && info.views <= 16 && info.reference < info.views,
             "reference %u of %u views", info.reference, info.views);
  check_number(line, "views", info.views);
  check_number(line, "reference", info.reference);
  FUZZ_CHECK(info.energy >= 0 && json_object_get_int_member(line, "energy") == info.energy,
             "another energy");
  check_number(line, "iterations", info.iterations);
  // The fraction must give back the count.
  const guint64 pixels = guint64{info.width} * info.height;
  const double known = json_object_get_double_member(line, "known");
  FUZZ_CHECK(info.known_pixels <= pixels && std::llround(known * static_cast<double>(pixels)) ==
                                                static_cast<long long>(info.known_pixels),
             "%.17g of %" G_GUINT64_FORMAT " are not %" G_GUINT64_FORMAT, known, pixels,
             info.known_pixels);
  // JSON-GLib has no integers from 2^63 on.
  if (info.spread <= G_MAXINT64) {
    FUZZ_CHECK(json_object_get_int_member(line, "spread") == static_cast<gint64>(info.spread),
               "another spread");
  }
  const bool ground = json_object_has_member(line, "ground-grid") != FALSE;
  FUZZ_CHECK(ground == (info.ground_columns > 0) && ground == (info.ground_rows > 0) &&
                 ground == (info.ground_cell > 0),
             "ground?");
  if (!ground) {
    FUZZ_CHECK(info.ground_x == 0 && info.ground_y == 0, "a corner of no ground");
    return;
  }
  JsonObject* grid = json_object_get_object_member(line, "ground-grid");
  check_numbers(grid, "origin", {info.ground_x, info.ground_y});
  check_number(grid, "cell", info.ground_cell);
  check_numbers(grid, "size",
                {static_cast<double>(info.ground_columns), static_cast<double>(info.ground_rows)});
}

static void check_track(JsonObject* head, const GstRdpHeadTrack& track) {
  FUZZ_CHECK(track.id > 0, "no id");
  check_number(head, "id", track.id);
  check_number(head, "age", track.age);
  const bool known = !json_object_get_null_member(head, "velocity");
  FUZZ_CHECK(known == std::isfinite(track.vx) && known == std::isfinite(track.vy), "a velocity?");
  if (!known) return;
  JsonArray* velocity = json_object_get_array_member(head, "velocity");
  FUZZ_CHECK(static_cast<float>(json_array_get_double_element(velocity, 0)) == track.vx &&
                 static_cast<float>(json_array_get_double_element(velocity, 1)) == track.vy,
             "another velocity");
}

// The keys exist if heads have ids, or if there are lost ones.
static void check_tracks(JsonObject* line, JsonArray* heads, GstRdpHeights* self) {
  gsize n = 0;
  gsize n_lost = 0;
  const GstRdpHeadTrack* tracks = gst_rdp_heights_peek_head_tracks(self, &n);
  const guint32* lost = gst_rdp_heights_peek_lost_heads(self, &n_lost);
  FUZZ_CHECK(n == 0 || n == json_array_get_length(heads), "%zu tracks", n);
  for (guint i = 0; i < n; ++i) check_track(json_array_get_object_element(heads, i), tracks[i]);
  const bool any = json_object_has_member(line, "lost-heads") != FALSE;
  FUZZ_CHECK(any == (n > 0 || n_lost > 0), "lost heads?");
  if (!any) return;
  JsonArray* ids = json_object_get_array_member(line, "lost-heads");
  FUZZ_CHECK(json_array_get_length(ids) == n_lost, "%u lost heads", json_array_get_length(ids));
  for (guint i = 0; i < n_lost; ++i) {
    FUZZ_CHECK(json_array_get_int_element(ids, i) == lost[i], "another lost head");
  }
}

static void check(GstRdpHeights* self) {
  const GstRdpHeightsInfo& info = *gst_rdp_heights_get_info(self);
  JsonObject* line = line_of<rdp::meta::HeightsKind>(self);
  check_info(line, info);
  gsize n = 0;
  const GstRdpHead* heads = gst_rdp_heights_peek_heads(self, &n);
  JsonArray* read = json_object_get_array_member(line, "heads");
  FUZZ_CHECK(json_array_get_length(read) == n, "%u heads", json_array_get_length(read));
  for (guint i = 0; i < n; ++i) {
    const GstRdpHead& head = heads[i];
    FUZZ_CHECK(head.column < info.width && head.row < info.height && head.votes >= 1 &&
                   head.votes <= info.known_pixels && head.height >= 0,
               "a head that is not in order");
    JsonObject* one = json_array_get_object_element(read, i);
    check_numbers(one, "pixel", {static_cast<double>(head.column), static_cast<double>(head.row)});
    check_numbers(one, "ground", {head.x, head.y});
    check_number(one, "height", head.height);
    check_number(one, "votes", head.votes);
  }
  check_tracks(line, read, self);
}

extern "C" int LLVMFuzzerInitialize(int*, char***) { return start(); }

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  damage_read<rdp::meta::HeightsKind>({data, size}, check, true);
  return 0;
}
