// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_SUPPORT_DECIMAL_COMMA_H_
#define RDP_TESTS_SUPPORT_DECIMAL_COMMA_H_

#include <glib.h>

#include <clocale>
#include <cstring>

#include "tests/support/temporary_files.h"

namespace rdp::test {

// Sets a locale with a decimal comma for its lifetime: an installed one, or one that it compiles.
// No other thread may query the locale meanwhile.
class DecimalComma {
 public:
  DecimalComma() {
    for (const char* name : {"de_DE.UTF-8", "fr_FR.UTF-8", "nl_NL.UTF-8"}) {
      if (is_there()) return;
      std::setlocale(LC_NUMERIC, name);
    }
    if (is_there()) return;
    const std::string compiled = folder_.path() + "/de_DE.UTF-8";
    const gchar* const compile[] = {"localedef",      "-i",   "de_DE", "-f", "UTF-8",
                                    compiled.c_str(), nullptr};
    g_spawn_sync(nullptr, const_cast<gchar**>(compile), nullptr,
                 static_cast<GSpawnFlags>(G_SPAWN_SEARCH_PATH | G_SPAWN_STDOUT_TO_DEV_NULL |
                                          G_SPAWN_STDERR_TO_DEV_NULL),
                 nullptr, nullptr, nullptr, nullptr, nullptr, nullptr);
    g_setenv("LOCPATH", folder_.path().c_str(), TRUE);
    std::setlocale(LC_NUMERIC, "de_DE.UTF-8");
    g_unsetenv("LOCPATH");
    const gchar* const remove[] = {"rm", "-rf", compiled.c_str(), nullptr};
    g_spawn_sync(nullptr, const_cast<gchar**>(remove), nullptr, G_SPAWN_SEARCH_PATH, nullptr,
                 nullptr, nullptr, nullptr, nullptr, nullptr);
  }
  ~DecimalComma() { std::setlocale(LC_NUMERIC, "C"); }
  DecimalComma(const DecimalComma&) = delete;
  DecimalComma& operator=(const DecimalComma&) = delete;

  // False: this machine has no such locale.
  static bool is_there() { return std::strcmp(std::localeconv()->decimal_point, ",") == 0; }

 private:
  Folder folder_;
};

}  // namespace rdp::test

#endif  // RDP_TESTS_SUPPORT_DECIMAL_COMMA_H_
