// SPDX-License-Identifier: LGPL-2.1-or-later
// The program of the suite: every row that applies to an element of the table is a test. The name
// of a group of rows is a case of gst-check: CK_RUN_CASE=faults runs that one. ELEMENT=… runs the
// entries whose name begins like that, ROW=… the rows.
#include <cstdlib>

#include "tests/conformance/stream.h"

namespace conformance {
namespace {

struct Trial {
  const Element* element;
  const Row* row;
  const Memory* memory;
};

bool is_wanted(const char* variable, const std::string& name) {
  const char* wanted = std::getenv(variable);
  return wanted == nullptr || name.starts_with(wanted);
}

// Of a group; they live as long as the program.
const std::vector<Trial>& trials_of(std::size_t group, const std::vector<Rows>& all) {
  static std::vector<std::vector<Trial>> trials(all.size());
  std::vector<Trial>& made = trials[group];
  if (!made.empty()) return made;
  for (const Element& element : elements()) {
    for (const Memory* memory : memories_of(element)) {
      for (const Row& row : all[group].rows) {
        const bool over_driver = memory->settings == "cuda" || memory->settings == "auto";
        if (row.over == Row::Over::kSystem && over_driver && !element.gpu_only) continue;
        if (row.over == Row::Over::kDriver && !over_driver) continue;
        if (!row.applies(element) || !is_wanted("ELEMENT", element.name)) continue;
        if (is_wanted("ROW", row.name)) made.push_back({&element, &row, memory});
      }
    }
  }
  return made;
}

const std::vector<Rows>& groups() {
  static const std::vector<Rows> all = {stream_rows(), layout_rows(), refusal_rows(), side_rows(),
                                        cuda_rows(),   fault_rows(),  steady_rows()};
  return all;
}

void run(std::size_t group, int index) {
  const Trial& trial = trials_of(group, groups())[static_cast<std::size_t>(index)];
  set_memory(trial.memory);
  std::printf("%s, %s: %s\n", trial.element->name.c_str(), trial.memory->name.c_str(),
              trial.row->name);
  std::fflush(stdout);
  trial.row->run(*trial.element);
}

GST_START_TEST(test_trial) {
  // Those of all groups are counted through.
  auto index = static_cast<std::size_t>(__i__);
  std::size_t group = 0;
  while (index >= trials_of(group, groups()).size()) index -= trials_of(group++, groups()).size();
  run(group, static_cast<int>(index));
}
GST_END_TEST

Suite* conformance_suite() {
  Suite* suite = suite_create("conformance");
  int first = 0;
  for (std::size_t group = 0; group < groups().size(); ++group) {
    TCase* tests = tcase_create(groups()[group].group);
    tcase_set_timeout(tests, 240);
    suite_add_tcase(suite, tests);
    const int count = static_cast<int>(trials_of(group, groups()).size());
    if (count > 0) tcase_add_loop_test(tests, test_trial, first, first + count);
    first += count;
  }
  return suite;
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  gst_check_init(&argc, &argv);
  return gst_check_run_suite(conformance::conformance_suite(), "conformance", __FILE__);
}
