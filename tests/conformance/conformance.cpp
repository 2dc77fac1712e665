// SPDX-License-Identifier: LGPL-2.1-or-later
// The program of the suite: every row that applies to an element of the table is a test. Each group
// of rows is a case of gst-check: CK_RUN_CASE=faults runs one. ELEMENT=… and ROW=… select entries
// and rows by the beginning of their names. It prints TAP; failures name the command that repeats
// them.
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <random>
#include <regex>
#include <set>
#include <utility>

#include "tests/conformance/nvmm.h"
#include "tests/support/await.h"

namespace conformance {

bool is_wanted(const char* variable, const std::string& name) {
  const char* wanted = std::getenv(variable);
  return wanted == nullptr || name.starts_with(wanted);
}

namespace {

struct Trial {
  const Element* element;
  const Row* row;
  const Memory* memory;
};

bool goes_over(Row::Over over, const Memory& memory, const Element& element) {
  const bool over_driver = memory.settings == "cuda" || memory.settings == "auto";
  if (memory.feature == kNvmm) {
    const bool of_gpu = over == Row::Over::kDriver || over == Row::Over::kInDevice;
    return over == Row::Over::kAll || (of_gpu && over_driver);
  }
  switch (over) {
    case Row::Over::kSystem:
      return memory.feature.empty();
    case Row::Over::kCpu:
      return !over_driver || element.gpu_only;
    case Row::Over::kDriver:
      return over_driver;
    case Row::Over::kInDevice:
    case Row::Over::kDevice:
      return over_driver && !memory.feature.empty();
    default:
      return true;
  }
}

// The trials of a group, which live as long as the program.
const std::vector<Trial>& trials_of(std::size_t group, const std::vector<Rows>& all) {
  static std::vector<std::vector<Trial>> trials(all.size());
  std::vector<Trial>& made = trials[group];
  if (!made.empty()) return made;
  for (const Element& element : elements()) {
    for (const Memory* memory : memories_of(element)) {
      for (const Row& row : all[group].rows) {
        if (!goes_over(row.over, *memory, element)) continue;
        if (element.ends_here && !row.of_sinks) continue;
        if (!row.applies(element) || !is_wanted("ELEMENT", element.name)) continue;
        if (is_wanted("ROW", row.name)) made.push_back({&element, &row, memory});
      }
    }
  }
  return made;
}

// The settings of GStreamer's leaks tracer: the objects of streams.
constexpr char kTraced[] = "leaks(filters=\"GstBuffer,GstMemory,GstBufferPool,GstPad,GstElement\")";

// The leaks tracer; null if there is none.
GstTracer* leaks_tracer() {
  static GstTracer* const tracer = [] {
    GstTracer* found = nullptr;
    GList* all = gst_tracing_get_active_tracers();
    for (const GList* item = all; item != nullptr; item = item->next) {
      if (g_str_has_prefix(G_OBJECT_TYPE_NAME(item->data), "GstLeaks")) {
        found = GST_TRACER(item->data);
      }
    }
    g_list_free(all);  // tracers live as long as the program
    return found;
  }();
  return tracer;
}

template <typename Body>
void for_each_live(const Body& body) {
  if (leaks_tracer() == nullptr) return;
  g_autoptr(GstStructure) live = nullptr;
  g_signal_emit_by_name(leaks_tracer(), "get-live-objects", &live);
  const GValue* list = gst_structure_get_value(live, "live-objects-list");
  for (guint i = 0; i < gst_value_list_get_size(list); ++i) {
    body(static_cast<const GstStructure*>(g_value_get_boxed(gst_value_list_get_value(list, i))));
  }
}

std::size_t live_objects() {
  std::size_t count = 0;
  for_each_live([&](const GstStructure*) { ++count; });
  return count;
}

std::string live_names() {
  std::string names;
  for_each_live([&](const GstStructure* one) {
    g_autofree gchar* text = gst_structure_to_string(one);
    if (names.size() < 2000) names += std::string("\n  ") + text;
  });
  return names;
}

const std::vector<Rows>& groups() {
  static const std::vector<Rows> all = {
      stream_rows(), layout_rows(), refusal_rows(),  side_rows(),  preroll_rows(),  cuda_rows(),
      fault_rows(),  steady_rows(), property_rows(), float_rows(), endurance_rows()};
  return all;
}

void run(std::size_t group, std::size_t index) {
  const Trial& trial = trials_of(group, groups())[index];
  set_memory(trial.memory);
  std::printf("%s, %s: %s\n", trial.element->name.c_str(), trial.memory->name.c_str(),
              trial.row->name);
  std::fflush(stdout);
  // Without a fork, a failed trial leaves its pipeline behind, and threads whose data was on the
  // stack.
  static bool all_ended = true;
  fail_unless(std::exchange(all_ended, false), "not run: a trial before this one has failed");
  const std::size_t before = live_objects();
  trial.row->run(*trial.element);
  // Waits until the last threads release their objects.
  const bool gone = rdp::test::await([&] { return live_objects() <= before; });
  fail_unless(gone, "%s: %s leaves %d objects more than there were:%s", trial.element->name.c_str(),
              trial.row->name, static_cast<int>(live_objects() - before), live_names().c_str());
  all_ended = true;
}

// The group of a trial and its index there. `index` counts the trials of all groups.
std::pair<std::size_t, std::size_t> place_of(std::size_t index) {
  std::size_t group = 0;
  while (index >= trials_of(group, groups()).size()) index -= trials_of(group++, groups()).size();
  return {group, index};
}

GST_START_TEST(test_row) {
  const auto [group, index] = place_of(static_cast<std::size_t>(__i__));
  run(group, index);
}
GST_END_TEST

// Every element, and every pad of one, needs an entry.
GST_START_TEST(test_all_have_entries) {
  std::map<std::string, std::set<std::string>> pads;  // by element
  for (const Element& element : elements()) {
    std::set<std::string>& own = pads[element.factory];
    for (const std::string& input : element.inputs) {
      own.insert(input);
      // A pad of a template: "sink_2" belongs to "sink_%u".
      const std::size_t name = input.find_last_not_of("0123456789") + 1;
      if (name < input.size()) own.insert(input.substr(0, name) + "%u");
    }
    own.insert(element.sides.begin(), element.sides.end());
    if (!element.ends_here) own.insert("src");
  }
  GList* features = gst_registry_get_feature_list_by_plugin(gst_registry_get(), "rdpsegment");
  fail_unless(features != nullptr);
  for (const GList* item = features; item != nullptr; item = item->next) {
    if (!GST_IS_ELEMENT_FACTORY(item->data)) continue;
    const std::string name = GST_OBJECT_NAME(item->data);
    const GList* of = gst_element_factory_get_static_pad_templates(GST_ELEMENT_FACTORY(item->data));
    for (; of != nullptr; of = of->next) {
      const char* pad = static_cast<const GstStaticPadTemplate*>(of->data)->name_template;
      fail_unless(pads[name].count(pad) == 1, "no entry of %s has the pad %s", name.c_str(), pad);
    }
  }
  gst_plugin_feature_list_free(features);
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
    if (count > 0) tcase_add_loop_test(tests, test_row, first, first + count);
    first += count;
    if (group == 0) tcase_add_test(tests, test_all_have_entries);
  }
  return suite;
}

// A line of gst-check's log: file and line, P for passed, case, test, loop index, message.
const std::regex kLogged("(.*):([PFE]):([^:]*):([^:]*):(\\d+): (.*)");

// Prints a log of gst-check as TAP. Returns the number of failures.
int print_tap(const std::string& log, std::FILE* tap) {
  int tests = 0;
  int failed = 0;
  std::ifstream lines(log);
  for (std::string line; std::getline(lines, line);) {
    std::smatch found;
    if (!std::regex_match(line, found, kLogged)) {
      if (tests > 0) std::fprintf(tap, "# %s\n", line.c_str());
      continue;
    }
    std::string name = found[3].str() + ": " + found[4].str();
    std::string again = "CK_RUN_CASE=" + found[3].str();
    if (found[4] == "test_row") {
      const auto [group, index] = place_of(std::stoul(found[5].str()));
      const Trial& trial = trials_of(group, groups())[index];
      name = found[3].str() + ": " + trial.element->name + ", " + trial.memory->name + ": " +
             trial.row->name;
      again += " ELEMENT='" + trial.element->name + "' ROW='" + trial.row->name + "'";
    }
    const bool passed = found[2] == "P";
    std::fprintf(tap, "%s %d - %s\n", passed ? "ok" : "not ok", ++tests, name.c_str());
    if (passed) continue;
    ++failed;
    std::fprintf(stderr, "%s: %s: %s; again: SEED=%s %s conformance\n", name.c_str(),
                 found[1].str().c_str(), found[6].str().c_str(), std::getenv("SEED"),
                 again.c_str());
  }
  std::fprintf(tap, "1..%d%s\n", tests, tests == 0 ? " # SKIP nothing here has such rows" : "");
  return failed;
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  // No tracer for `steady`, which would count its allocation for each object.
  const char* group = std::getenv("CK_RUN_CASE");
  if (group != nullptr && std::strcmp(group, "steady") != 0) {
    g_setenv("GST_TRACERS", conformance::kTraced, FALSE);
  }
  // One seed for all tests, whose processes would each draw their own.
  g_setenv("SEED", std::to_string(std::random_device{}()).c_str(), FALSE);
  gst_check_init(&argc, &argv);
  // The tests' own output is no TAP, so it goes to stderr.
  std::FILE* tap = fdopen(dup(STDOUT_FILENO), "w");
  dup2(STDERR_FILENO, STDOUT_FILENO);
  g_autofree gchar* log = nullptr;
  close(g_file_open_tmp("conformance-XXXXXX", &log, nullptr));
  SRunner* runner = srunner_create(conformance::conformance_suite());
  srunner_set_log(runner, log);
  srunner_run_all(runner, CK_SILENT);
  srunner_free(runner);
  const int failed = conformance::print_tap(log, tap);
  unlink(log);
  std::fclose(tap);
  return failed == 0 ? 0 : 1;
}
