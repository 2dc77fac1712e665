// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/bench/gpu_options.h"

#include "tests/support/program_options.h"

namespace rdp::bench {

GpuOptions read_gpu_options(int argc, char** argv) {
  gboolean quick = FALSE;
  gint replays = 0;
  gint device = 0;
  gdouble epsilon = -1;
  g_autofree gchar* csv = nullptr;
  g_autofree gchar* frames = nullptr;
  g_autofree gchar* only = nullptr;
  const GOptionEntry entries[] = {
      {"quick", 0, 0, G_OPTION_ARG_NONE, &quick, "a part of the frames, one epsilon, 7 replays",
       nullptr},
      {"csv", 0, 0, G_OPTION_ARG_FILENAME, &csv, "writes all results there, too", "FILE"},
      {"frames", 0, 0, G_OPTION_ARG_STRING, &frames, "only frames whose names have this part",
       "PART"},
      {"epsilon", 0, 0, G_OPTION_ARG_DOUBLE, &epsilon, "instead of 2, 4 and 8", "PX"},
      {"only", 0, 0, G_OPTION_ARG_STRING, &only,
       "of frames, growth, batch, lanes, change, phases, layout, hard, merge, fit, median, "
       "launches",
       "LIST"},
      {"replays", 0, 0, G_OPTION_ARG_INT, &replays, "each time is their median (51)", "N"},
      {"device", 0, 0, G_OPTION_ARG_INT, &device, "which GPU (0)", "N"},
      {nullptr, 0, 0, G_OPTION_ARG_NONE, nullptr, nullptr, nullptr},
  };
  constexpr char kSummary[] = "How long the kernels take, by CUDA events over replays of graphs.";
  test::read_options(&argc, &argv, {entries, nullptr, kSummary});
  if (argc > 1) test::wrong_usage(std::string("there is no argument ") + argv[1]);
  GpuOptions options;
  options.quick = quick != FALSE;
  if (options.quick) {
    options.epsilons = {4};
    options.replays = 7;
  }
  if (epsilon >= 0) options.epsilons = {epsilon};
  if (replays > 0) options.replays = replays;
  options.device = device;
  if (csv != nullptr) options.csv = csv;
  if (frames != nullptr) options.frames = frames;
  if (only != nullptr) options.only = only;
  return options;
}

}  // namespace rdp::bench
