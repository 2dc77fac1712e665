// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/support/command_line.h"

#include <cstdio>
#include <cstdlib>

namespace rdp::test {

void wrong_usage(const std::string& wrong) {
  const char* name = g_get_prgname();
  std::fprintf(stderr, "%s: %s\nsee: %s --help\n", name, wrong.c_str(), name);
  std::exit(2);
}

void check_range(const char* option, gint64 value, gint64 least, gint64 most) {
  if (value >= least && value <= most) return;
  wrong_usage(std::string(option) + " takes " + std::to_string(least) + " to " +
              std::to_string(most) + ", not " + std::to_string(value));
}

void CommandLine::add(const char* name, GOptionArg type, gpointer place, const char* text,
                      const char* unit) {
  entries_.push_back({name, 0, 0, type, place, text, unit});
}

void CommandLine::flag(const char* name, bool* value, const char* text) {
  gboolean& given = flags_.emplace_back(FALSE);
  add(name, G_OPTION_ARG_NONE, &given, text, nullptr);
  taken_.emplace_back([&given, value] { *value = *value || given != FALSE; });
}

void CommandLine::number(const char* name, int* value, const Limits& limits, const char* text,
                         const char* unit) {
  add(name, G_OPTION_ARG_INT, value, text, unit);
  taken_.emplace_back(
      [=] { check_range(("--" + std::string(name)).c_str(), *value, limits.least, limits.most); });
}

void CommandLine::number(const char* name, gint64* value, const Limits& limits, const char* text,
                         const char* unit) {
  add(name, G_OPTION_ARG_INT64, value, text, unit);
  taken_.emplace_back(
      [=] { check_range(("--" + std::string(name)).c_str(), *value, limits.least, limits.most); });
}

void CommandLine::number(const char* name, double* value, const char* text, const char* unit) {
  add(name, G_OPTION_ARG_DOUBLE, value, text, unit);
}

void CommandLine::add_text(const char* name, GOptionArg type, std::string* value, const char* text,
                           const char* unit) {
  gchar*& given = texts_.emplace_back(nullptr);
  add(name, type, &given, text, unit);
  taken_.emplace_back([&given, value] {
    if (given != nullptr) *value = given;
    g_free(given);
  });
}

void CommandLine::word(const char* name, std::string* value, const char* text, const char* unit) {
  add_text(name, G_OPTION_ARG_STRING, value, text, unit);
}

void CommandLine::file(const char* name, std::string* value, const char* text, const char* unit) {
  add_text(name, G_OPTION_ARG_FILENAME, value, text, unit);
}

void CommandLine::files(const char* name, std::vector<std::string>* value, const char* text,
                        const char* unit) {
  gchar**& given = lists_.emplace_back(nullptr);
  add(name, G_OPTION_ARG_FILENAME_ARRAY, &given, text, unit);
  taken_.emplace_back([&given, value] {
    for (gchar** each = given; each != nullptr && *each != nullptr; ++each) value->push_back(*each);
    g_strfreev(given);
  });
}

std::vector<std::string> CommandLine::read(int argc, char** argv, const char* words) {
  entries_.push_back({nullptr, 0, 0, G_OPTION_ARG_NONE, nullptr, nullptr, nullptr});
  // A copy, because callers may still need the arguments.
  std::vector<char*> left(argv, argv + argc + 1);
  char** first = left.data();
  g_autofree gchar* name = g_path_get_basename(argv[0]);
  g_set_prgname(name);
  g_autoptr(GOptionContext) context = g_option_context_new(words);
  g_option_context_add_main_entries(context, entries_.data(), nullptr);
  if (group_ != nullptr) g_option_context_add_group(context, group_);
  g_option_context_set_summary(context, summary_);
  g_option_context_set_description(context, description_);
  g_autoptr(GError) error = nullptr;
  if (!g_option_context_parse(context, &argc, &first, &error)) wrong_usage(error->message);
  for (const auto& take : taken_) take();
  if (words == nullptr && argc > 1) wrong_usage(std::string("there is no argument ") + first[1]);
  return {first + 1, first + argc};
}

}  // namespace rdp::test
