// SPDX-License-Identifier: LGPL-2.1-or-later
// heightmap's settings: whole millimetres, areas, and excessive memory.
#include "gst/elements/heightmap/height_settings.h"

#include <string>

// After the standard library: check.h defines a macro named fail.
#include "tests/support/check_test.h"
#include "tests/support/pipeline_rig.h"

using namespace rdp::gst;
using namespace rdp::heightmap;
using rdp::test::check_has;

namespace {

// In double, 26 * 0.05 m exceeds 1.4 m - 0.1 m.
CHECK_TEST(test_millimetres) {
  fail_unless(parameters_of({}) == Parameters());
  fail_unless_equals_int(parameters_of({}).heights(), 24);
  fail_unless_equals_int(parameters_of({}).low_heights(), 27);
  HeightSearch search;
  search.min_height = 0.0004;
  search.max_height = 0.0005;
  search.height_step = 0.0015;
  fail_unless_equals_int(parameters_of(search).min_height, 0);
  fail_unless_equals_int(parameters_of(search).max_height, 1);
  fail_unless_equals_int(parameters_of(search).height_step, 2);
  fail_unless(explain_settings(search).empty());
}

CHECK_TEST(test_areas) {
  Area area = {{1, 2}};
  std::string reason;
  fail_unless(read_area(nullptr, &area, &reason) && area.empty());
  fail_unless(read_area(" -0.0004,1e1\t2.0005,-3\n.5,+7 ", &area, &reason), "%s", reason.c_str());
  fail_unless(area == Area({{0, 10000}, {2001, -3000}, {500, 7000}}));
  for (const char* text : {"", "1", "1,2 3,4", "1,2 3,4 5,", "1,2 3,4 ,5", "1,2 3,4 5,6,7",
                           "1,2 3,4 5 ,6", "1,2 3,4 5,6x", "1,2 3,4 5,inf", "1,2 3,4 1000.1,0",
                           "0x1,0 3,4 5,7", "0,0 1,0 2,0", "3,1 3,5 3,9", "0,0 0,0 0,0"}) {
    fail_if(read_area(text, &area, &reason), "%s", text);
    fail_unless(area.empty());
    check_has(reason, "expected corners in metres on the ground, \"x,y x,y x,y\"");
    check_has(reason, "in area=\"");
  }
}

// The message about excessive memory gives numbers and remedies.
CHECK_TEST(test_memory) {
  Rig rig;
  rig.views.resize(3);
  for (auto& view : rig.views) {
    view.width = 1920;
    view.height = 1080;
  }
  const Memory memory{1200000000, 846028800};
  fail_unless(explain_memory(memory, 2046028800, Processor::kCpu, rig, {}).empty());
  const std::string text = explain_memory(memory, 2046028799, Processor::kCpu, rig, {});
  for (const char* part : {"3 views, labelled in 1920x1080 with 24 heights, need 2047 MB",
                           "846 MB of them for the projection table", "there are 2046 MB",
                           "videoscale", "height-step", "table-memory=0"}) {
    check_has(text, part);
  }
  // On a GPU there is no table.
  const std::string gpu = explain_memory({1200000000, 0}, 1000000000, Processor::kGpu, rig, {});
  for (const char* part : {"need 1201 MB, and the GPU has 1000 MB", "videoscale", "height-step",
                           "backend=cpu, with frames in system memory"}) {
    check_has(gpu, part);
  }
  // Plausible size of this machine's memory.
  fail_unless(rdp::gst::most_memory() > (1U << 24));
}

}  // namespace

CHECK_CASE(height_settings)
