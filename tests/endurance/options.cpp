// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/endurance/options.h"

#include <algorithm>
#include <vector>

#include "tests/support/command_line.h"

namespace rdp::endurance {
namespace {

constexpr char kSummary[] =
    "Runs elements for long, compares what they make of frames with the scalar reference, and\n"
    "watches what the process takes. It ends with a row for a table and fails if anything was "
    "lost,\n"
    "wrong or left behind, or if something grows.\n"
    "\n"
    "  stream    one element: size, format, layout, content and properties change, the overlay "
    "comes\n"
    "            and goes\n"
    "  many      elements in several pipelines, at the same time; properties and overlays are\n"
    "            changed by other threads meanwhile\n"
    "  restart   pipelines side by side that are made, started, stopped and thrown away\n"
    "\n"
    "They are of rdpsegment. All elements endure in tests/conformance.";
constexpr char kDescription[] =
    "Exit status: 0, 1 where something is wrong, 2 for wrong arguments, 77 where there is no GPU "
    "to\n"
    "run on.";

// Index of `value` in `words`.
std::size_t choose(const char* option, const std::string& value,
                   const std::vector<std::string>& words) {
  const auto found = std::ranges::find(words, value);
  if (found != words.end()) return static_cast<std::size_t>(found - words.begin());
  std::string wrong = std::string(option) + " cannot be '" + value + "', only one of";
  for (const std::string& word : words) wrong += " " + word;
  test::wrong_usage(wrong);
}

}  // namespace

Options parse_options(int argc, char** argv) {
  Options options;
  gint64 frames = 0;
  gint64 check_every = 1;
  gint64 fresh_every = 200;
  int seconds = 0;
  int threads = 1;
  bool no_leaks_tracer = false;
  std::string backend = "cpu";
  std::string memory = "system";
  std::string sizes = "mixed";
  test::CommandLine line(kSummary, kDescription);
  line.number("frames", &frames, {0, G_MAXINT64},
              "how many frames go in, of restart: how many pipelines are made");
  line.number("seconds", &seconds, {0, 1000000}, "ends the run earlier, or decides alone");
  line.word("backend", &backend, "the property of the element: cpu (the default), cuda, auto",
            "NAME");
  line.word("memory", &memory, "where the frames are: system (the default), cuda, nvmm", "KIND");
  line.number("threads", &threads, {0, 256}, "the property of the element (1)");
  line.word("sizes", &sizes, "mixed (the default), small: for a quick run", "KIND");
  line.number("check-every", &check_every, {1, G_MAXINT64},
              "compares every Nth frame with the reference (1); all are counted");
  line.number("fresh-every", &fresh_every, {0, G_MAXINT64},
              "stream: every Nth frame was never seen before (200; 0: none)");
  line.number("elements", &options.elements, {1, 1024}, "many: how many (64)");
  line.number("pipelines", &options.pipelines, {1, 1024},
              "many: which the elements are spread over; restart: side by side (4)");
  line.flag("share-context", &options.share_context,
            "many, restart: all pipelines get one CUDA context from the application");
  line.flag("no-leaks-tracer", &no_leaks_tracer,
            "does not count objects by GStreamer's leaks tracer");
  line.flag("short", &options.is_short,
            "says how much memory is resident and how long frames took, and does not judge it: for "
            "runs of seconds, and emulators");
  const std::vector<std::string> runs = line.read(argc, argv, "stream|many|restart");
  options.run = kRuns[choose("the run", runs.size() == 1 ? runs[0] : "",
                             {std::begin(kRuns), std::end(kRuns)})];
  if (frames == 0 && seconds == 0) test::wrong_usage("say --frames or --seconds");
  options.frames = static_cast<std::uint64_t>(frames);
  options.seconds = seconds;
  options.check_every = static_cast<std::uint64_t>(check_every);
  options.fresh_every = static_cast<std::uint64_t>(fresh_every);
  options.threads = static_cast<unsigned>(threads);
  const char* const backends[] = {"cpu", "cuda", "auto"};
  options.backend = backends[choose("--backend", backend, {"cpu", "cuda", "auto"})];
  options.memory = static_cast<Memory>(choose("--memory", memory, {"system", "cuda", "nvmm"}));
  options.small = choose("--sizes", sizes, {"mixed", "small"}) == 1;
  options.trace_objects = !no_leaks_tracer;
  if (options.memory == Memory::kCuda && options.backend == "cpu") {
    test::wrong_usage("--memory=cuda needs --backend=cuda or --backend=auto");
  }
  if (options.memory == Memory::kNvmm && options.run != "stream") {
    test::wrong_usage(
        "--memory=nvmm is for stream: where several pipelines write, they need frames of their "
        "own");
  }
  if (options.run == "many" && options.pipelines > options.elements) {
    test::wrong_usage("--pipelines is more than --elements");
  }
  return options;
}

}  // namespace rdp::endurance
