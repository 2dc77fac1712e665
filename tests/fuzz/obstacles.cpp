// SPDX-License-Identifier: LGPL-2.1-or-later
// Obstacles from untrusted bytes, and as JSON.
#include <gst/rdpsegment/rdpobstacleskind.h>

#include <cmath>
#include <cstring>

#include "tests/fuzz/kind_check.h"
#include "tests/support/obstacles_fixture.h"

using namespace rdp::fuzz;

static void check(GstRdpObstacles* self) {
  JsonObject* line =
      json_object_get_object_member(line_of<rdp::meta::ObstaclesKind>(self), "obstacles");
  gsize n = 0;
  const gfloat* ranges = gst_rdp_obstacles_peek_ranges(self, &n);
  JsonObject* scan = json_object_get_object_member(line, "scan");
  const gchar* states = json_object_get_string_member(scan, "states");
  FUZZ_CHECK(std::strlen(states) == n, "%zu bearings and the states %s", n, states);
  for (guint i = 0; i < n; ++i) {
    check_float(json_object_get_array_member(scan, "ranges"), i, ranges[i]);
    FUZZ_CHECK((states[i] == 'o') == std::isfinite(ranges[i]), "bearing %u is %c", i, states[i]);
  }
  const gfloat* free = gst_rdp_obstacles_peek_free(self, &n);
  for (guint i = 0; i < n; ++i) {
    check_float(json_object_get_array_member(scan, "free"), i, free[i]);
  }
  gst_rdp_obstacles_peek_objects(self, &n);
  FUZZ_CHECK(json_array_get_length(json_object_get_array_member(line, "objects")) == n, "objects");
}

extern "C" int LLVMFuzzerInitialize(int*, char***) { return start(); }

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using Kind = rdp::meta::ObstaclesKind;
  const auto make = [](Input* input) {
    return Ref<Kind>(new_obstacles(input->flag() ? two_obstacles() : no_obstacles()));
  };
  check_kind<Kind>({data, size}, make, check);
  return 0;
}
