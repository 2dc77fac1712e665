// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_SUPPORT_PROGRAM_OPTIONS_H_
#define RDP_TESTS_SUPPORT_PROGRAM_OPTIONS_H_

#include <glib.h>

#include <string>

// The arguments of benchmarks and long runs, read by GOption.
namespace rdp::test {

struct ProgramOptions {
  const GOptionEntry* entries = nullptr;
  const char* parameters = nullptr;   // what --help shows behind the program's name
  const char* summary = nullptr;      // what the program does
  const char* description = nullptr;  // shown below the options
  GOptionGroup* group = nullptr;      // (transfer full) further options, GStreamer's for example
  bool keep_unknown = false;          // options that another library reads later
};

// Takes the options out of the arguments; what is left is the program's name and what is no option.
// --help prints the options and ends the program. So does a wrong option, with exit status 2.
void read_options(int* argc, char*** argv, const ProgramOptions& options);

// Says what is wrong with the arguments and how to get help, and ends the program with status 2.
[[noreturn]] void wrong_usage(const std::string& wrong);

// Ends the program as wrong_usage() does, unless the value of this option is within the limits.
void check_range(const char* option, gint64 value, gint64 least, gint64 most);

}  // namespace rdp::test

#endif  // RDP_TESTS_SUPPORT_PROGRAM_OPTIONS_H_
