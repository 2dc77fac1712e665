// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_SUPPORT_COMMAND_LINE_H_
#define RDP_TESTS_SUPPORT_COMMAND_LINE_H_

#include <glib.h>

#include <deque>
#include <functional>
#include <string>
#include <vector>

// The arguments of benchmarks and long runs. An option is one line: its name, what it sets, what it
// may be, what --help says. What is not given keeps its value.
namespace rdp::test {

// Says what is wrong with the arguments and how to get help, and ends the program with status 2.
[[noreturn]] void wrong_usage(const std::string& wrong);

// Ends the program as wrong_usage() does, unless the value of this option is within the limits.
void check_range(const char* option, gint64 value, gint64 least, gint64 most);

class CommandLine {
 public:
  // What the program does, and what --help shows below the options. Texts live longer.
  explicit CommandLine(const char* summary, const char* description = nullptr)
      : summary_(summary), description_(description) {}
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  struct Limits {
    gint64 least = G_MININT64;
    gint64 most = G_MAXINT64;
  };
  void flag(const char* name, bool* value, const char* text);
  void number(const char* name, int* value, const Limits& limits, const char* text,
              const char* unit = "N");
  void number(const char* name, gint64* value, const Limits& limits, const char* text,
              const char* unit = "N");
  void number(const char* name, double* value, const char* text, const char* unit);
  void word(const char* name, std::string* value, const char* text, const char* unit);
  void file(const char* name, std::string* value, const char* text, const char* unit = "FILE");
  void files(const char* name, std::vector<std::string>* value, const char* text, const char* unit);
  // Further options, GStreamer's for example. (transfer full)
  void group(GOptionGroup* group) { group_ = group; }

  // Gives the words that are no options. There may be none, unless --help is to show `words` for
  // them. What is wrong ends the program with status 2, --help with 0.
  std::vector<std::string> read(int argc, char** argv, const char* words = nullptr);

 private:
  void add(const char* name, GOptionArg type, gpointer place, const char* text, const char* unit);
  void add_text(const char* name, GOptionArg type, std::string* value, const char* text,
                const char* unit);

  const char* summary_;
  const char* description_;
  GOptionGroup* group_ = nullptr;
  std::vector<GOptionEntry> entries_;
  std::vector<std::function<void()>> taken_;  // what is done with what was read
  // What GOption writes to.
  std::deque<gboolean> flags_;
  std::deque<gchar*> texts_;
  std::deque<gchar**> lists_;
};

}  // namespace rdp::test

#endif  // RDP_TESTS_SUPPORT_COMMAND_LINE_H_
