// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/support/program_options.h"

#include <cstdio>
#include <cstdlib>

namespace rdp::test {

void wrong_usage(const std::string& wrong) {
  const char* name = g_get_prgname();
  std::fprintf(stderr, "%s: %s\nsee: %s --help\n", name, wrong.c_str(), name);
  std::exit(2);
}

void read_options(int* argc, char*** argv, const ProgramOptions& options) {
  g_autofree gchar* name = g_path_get_basename((*argv)[0]);
  g_set_prgname(name);
  g_autoptr(GOptionContext) context = g_option_context_new(options.parameters);
  if (options.entries != nullptr) {
    g_option_context_add_main_entries(context, options.entries, nullptr);
  }
  if (options.group != nullptr) g_option_context_add_group(context, options.group);
  g_option_context_set_summary(context, options.summary);
  g_option_context_set_description(context, options.description);
  g_option_context_set_ignore_unknown_options(context, options.keep_unknown ? TRUE : FALSE);
  g_autoptr(GError) error = nullptr;
  if (!g_option_context_parse(context, argc, argv, &error)) wrong_usage(error->message);
}

void check_range(const char* option, gint64 value, gint64 least, gint64 most) {
  if (value >= least && value <= most) return;
  wrong_usage(std::string(option) + " takes " + std::to_string(least) + " to " +
              std::to_string(most) + ", not " + std::to_string(value));
}

}  // namespace rdp::test
