// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/bench/accuracy/recorded_table.h"

#include <cstdarg>
#include <cstdio>
#include <fstream>
#include <sstream>

namespace rdp::bench {

void RecordedTable::line(const std::string& text) {
  std::printf("%s\n", text.c_str());
  std::fflush(stdout);
  text_ += text + '\n';
}

int RecordedTable::compare(const std::string& file) const {
  if (file.empty()) return 0;
  std::ifstream recorded(file);
  if (!recorded) {
    std::fprintf(stderr, "Cannot read %s: expected a file with this program's output.\n",
                 file.c_str());
    return 2;
  }
  std::istringstream made(text_);
  std::string expected, got;
  int number = 0;
  int different = 0;
  while (true) {
    const bool more_expected = static_cast<bool>(std::getline(recorded, expected));
    const bool more_got = static_cast<bool>(std::getline(made, got));
    if (!more_expected && !more_got) break;
    ++number;
    if (more_expected && more_got && expected == got) continue;
    ++different;
    std::fprintf(stderr, "%s:%d: expected '%s', got '%s'\n", file.c_str(), number,
                 more_expected ? expected.c_str() : "no line", more_got ? got.c_str() : "no line");
  }
  if (different == 0) return 0;
  std::fprintf(stderr,
               "%d lines differ. If the definition was meant to change, and for the better, write "
               "this program's output to that file.\n",
               different);
  return 1;
}

std::string formatted(const char* format, ...) {
  char line[256];
  std::va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  return line;
}

}  // namespace rdp::bench
