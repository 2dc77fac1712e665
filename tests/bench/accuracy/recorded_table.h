// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BENCH_ACCURACY_RECORDED_TABLE_H_
#define RDP_TESTS_BENCH_ACCURACY_RECORDED_TABLE_H_

#include <string>

namespace rdp::bench {

// The lines that a program prints, to compare with a recorded file. Results come from integers, so
// they are equal on all machines: a different line means a changed algorithm.
class RecordedTable {
 public:
  // Prints and keeps a line.
  void line(const std::string& text);

  // The program's exit status, after a comparison with the recorded `file`; empty: none. Names
  // different lines, and how to record the new ones.
  int compare(const std::string& file) const;

 private:
  std::string text_;
};

// Formats like printf.
__attribute__((format(printf, 1, 2))) std::string formatted(const char* format, ...);

}  // namespace rdp::bench

#endif  // RDP_TESTS_BENCH_ACCURACY_RECORDED_TABLE_H_
