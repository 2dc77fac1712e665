// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/endurance/options.h"

#include <algorithm>
#include <vector>

#include "tests/support/program_options.h"

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
    "  stereo    one depthstereo: sizes, content, properties and states change, its pads come and "
    "go\n"
    "  planes    one depthplanes: the same, planes and labels are compared\n"
    "  points    one depthpoints: the same, and cameras change; clouds are compared\n"
    "  overlay   one rdpoverlay: the same; pictures come with segments and without, and are "
    "compared\n"
    "            with those that an element makes that has seen nothing else\n"
    "  tracks    one klttrack: the same as planes; each step of the tracks is compared\n"
    "  motion    one rdpmotion: the same; frames come with tracks and without\n"
    "  heights   one heightmap: the same, heights, heads and the ground are compared\n"
    "\n"
    "stream, many and restart are of rdpsegment.";
constexpr char kDescription[] =
    "Exit status: 0, 1 where something is wrong, 2 for wrong arguments, 77 where there is no GPU "
    "to\n"
    "run on.";

// Which of the words `value` is; the first where nothing is said.
std::size_t choose(const char* option, const char* value, const std::vector<std::string>& words) {
  if (value == nullptr) return 0;
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
  gint seconds = 0;
  gint threads = 1;
  gint elements = options.elements;
  gint pipelines = options.pipelines;
  gboolean share_context = FALSE;
  gboolean no_leaks_tracer = FALSE;
  gboolean is_short = FALSE;
  g_autofree gchar* backend = nullptr;
  g_autofree gchar* memory = nullptr;
  g_autofree gchar* sizes = nullptr;
  const GOptionEntry entries[] = {
      {"frames", 0, 0, G_OPTION_ARG_INT64, &frames,
       "how many frames go in, of restart: how many pipelines are made", "N"},
      {"seconds", 0, 0, G_OPTION_ARG_INT, &seconds, "ends the run earlier, or decides alone", "N"},
      {"backend", 0, 0, G_OPTION_ARG_STRING, &backend,
       "the property of the element: cpu (the default), cuda, auto", "NAME"},
      {"memory", 0, 0, G_OPTION_ARG_STRING, &memory,
       "where the frames are: system (the default), cuda, nvmm", "KIND"},
      {"threads", 0, 0, G_OPTION_ARG_INT, &threads, "the property of the element (1)", "N"},
      {"sizes", 0, 0, G_OPTION_ARG_STRING, &sizes, "mixed (the default), small: for a quick run",
       "KIND"},
      {"check-every", 0, 0, G_OPTION_ARG_INT64, &check_every,
       "compares every Nth frame with the reference (1); all are counted", "N"},
      {"fresh-every", 0, 0, G_OPTION_ARG_INT64, &fresh_every,
       "stream: every Nth frame was never seen before (200; 0: none)", "N"},
      {"elements", 0, 0, G_OPTION_ARG_INT, &elements, "many: how many (64)", "N"},
      {"pipelines", 0, 0, G_OPTION_ARG_INT, &pipelines,
       "many: which the elements are spread over; restart: side by side (4)", "N"},
      {"share-context", 0, 0, G_OPTION_ARG_NONE, &share_context,
       "many, restart: all pipelines get one CUDA context from the application", nullptr},
      {"no-leaks-tracer", 0, 0, G_OPTION_ARG_NONE, &no_leaks_tracer,
       "does not count objects by GStreamer's leaks tracer", nullptr},
      {"short", 0, 0, G_OPTION_ARG_NONE, &is_short,
       "says how much memory is resident and how long frames took, and does not judge it: for runs "
       "of seconds, and emulators",
       nullptr},
      {nullptr, 0, 0, G_OPTION_ARG_NONE, nullptr, nullptr, nullptr},
  };
  // The arguments themselves are needed once more: see endurance.cpp.
  std::vector<char*> words(argv, argv + argc + 1);
  char** left = words.data();
  test::read_options(&argc, &left,
                     {entries,
                      "stream|many|restart|stereo|planes|points|overlay|tracks|motion|"
                      "heights",
                      kSummary, kDescription});
  options.run =
      kRuns[choose("the run", argc == 2 ? left[1] : "", {std::begin(kRuns), std::end(kRuns)})];
  if (frames == 0 && seconds == 0) test::wrong_usage("say --frames or --seconds");
  test::check_range("--frames", frames, 0, G_MAXINT64);
  test::check_range("--seconds", seconds, 0, 1000000);
  test::check_range("--check-every", check_every, 1, G_MAXINT64);
  test::check_range("--fresh-every", fresh_every, 0, G_MAXINT64);
  test::check_range("--elements", elements, 1, 1024);
  test::check_range("--pipelines", pipelines, 1, 1024);
  test::check_range("--threads", threads, 0, 256);
  options.frames = static_cast<std::uint64_t>(frames);
  options.seconds = seconds;
  options.check_every = static_cast<std::uint64_t>(check_every);
  options.fresh_every = static_cast<std::uint64_t>(fresh_every);
  options.elements = elements;
  options.pipelines = pipelines;
  options.threads = static_cast<unsigned>(threads);
  const char* const backends[] = {"cpu", "cuda", "auto"};
  options.backend = backends[choose("--backend", backend, {"cpu", "cuda", "auto"})];
  options.memory = static_cast<Memory>(choose("--memory", memory, {"system", "cuda", "nvmm"}));
  options.small = choose("--sizes", sizes, {"mixed", "small"}) == 1;
  options.share_context = share_context != FALSE;
  options.trace_objects = no_leaks_tracer == FALSE;
  options.is_short = is_short != FALSE;
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
