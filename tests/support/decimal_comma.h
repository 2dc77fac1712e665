// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_SUPPORT_DECIMAL_COMMA_H_
#define RDP_TESTS_SUPPORT_DECIMAL_COMMA_H_

#include <glib.h>

#include <clocale>
#include <cstring>
#include <initializer_list>

#include "tests/support/temporary_files.h"

namespace rdp::test {

// Sets a locale with a decimal comma for its lifetime, which it compiles: one with nothing else, as
// a whole one takes a second. No other thread may query the locale meanwhile.
class DecimalComma {
 public:
  DecimalComma() {
    const std::string source = folder_.write("source",
                                             "LC_NUMERIC\ndecimal_point \",\"\n"
                                             "thousands_sep \".\"\ngrouping 3;3\n"
                                             "END LC_NUMERIC\n");
    const std::string compiled = folder_.path() + "/comma";
    // Without the other categories it warns, and goes on because of -c.
    run({"localedef", "-c", "-i", source.c_str(), compiled.c_str(), nullptr});
    g_setenv("LOCPATH", folder_.path().c_str(), TRUE);
    std::setlocale(LC_NUMERIC, "comma");
    g_unsetenv("LOCPATH");
    run({"rm", "-rf", compiled.c_str(), nullptr});
  }
  ~DecimalComma() { std::setlocale(LC_NUMERIC, "C"); }
  DecimalComma(const DecimalComma&) = delete;
  DecimalComma& operator=(const DecimalComma&) = delete;

  // False: this machine has no such locale.
  static bool is_there() { return std::strcmp(std::localeconv()->decimal_point, ",") == 0; }

 private:
  static void run(std::initializer_list<const gchar*> command) {
    g_spawn_sync(nullptr, const_cast<gchar**>(std::data(command)), nullptr,
                 static_cast<GSpawnFlags>(G_SPAWN_SEARCH_PATH | G_SPAWN_STDOUT_TO_DEV_NULL |
                                          G_SPAWN_STDERR_TO_DEV_NULL),
                 nullptr, nullptr, nullptr, nullptr, nullptr, nullptr);
  }

  Folder folder_;
};

}  // namespace rdp::test

#endif  // RDP_TESTS_SUPPORT_DECIMAL_COMMA_H_
