// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_SUPPORT_COMMAND_LINE_H_
#define RDP_TESTS_SUPPORT_COMMAND_LINE_H_

#include <glib.h>

#include <deque>
#include <functional>
#include <string>
#include <vector>

// The arguments of benchmarks and long runs. One line defines an option: its name, variable, limits
// and help. A variable keeps its value if the option is absent.
namespace rdp::test {

// Prints the fault of the arguments and a hint at --help, and exits with status 2.
[[noreturn]] void wrong_usage(const std::string& wrong);

// Exits as wrong_usage() does if the value of an option is outside of the limits.
void check_range(const char* option, gint64 value, gint64 least, gint64 most);

class CommandLine {
 public:
  // The program's purpose, and the text below the options of --help. Both must outlive this.
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
  // Sets one group of further options, such as GStreamer's. (transfer full)
  void group(GOptionGroup* group) { group_ = group; }

  // Returns the positional words, which are refused unless --help shows `words` for them. Exits
  // with status 2 for bad arguments, and with 0 for --help.
  std::vector<std::string> read(int argc, char** argv, const char* words = nullptr);

 private:
  void add(const char* name, GOptionArg type, gpointer place, const char* text, const char* unit);
  void add_text(const char* name, GOptionArg type, std::string* value, const char* text,
                const char* unit);

  const char* summary_;
  const char* description_;
  GOptionGroup* group_ = nullptr;
  std::vector<GOptionEntry> entries_;
  std::vector<std::function<void()>> taken_;  // store the parsed values
  // Targets of GOption.
  std::deque<gboolean> flags_;
  std::deque<gchar*> texts_;
  std::deque<gchar**> lists_;
};

}  // namespace rdp::test

#endif  // RDP_TESTS_SUPPORT_COMMAND_LINE_H_
