// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BENCH_ACCURACY_RECORDED_TABLE_H_
#define RDP_TESTS_BENCH_ACCURACY_RECORDED_TABLE_H_

#include <string>

namespace rdp::bench {

// Lines that a program prints, and that a file recorded before. Integers decide what is found, so
// that every machine prints the same: a line that differs is a change of the definition.
class RecordedTable {
 public:
  // Prints a line and keeps it.
  void line(const std::string& text);

  // The program's exit status. file: what was recorded; empty: nothing is compared. Says which
  // lines differ, and how to record what is meant.
  int compare(const std::string& file) const;

 private:
  std::string text_;
};

// As printf would write it.
__attribute__((format(printf, 1, 2))) std::string formatted(const char* format, ...);

}  // namespace rdp::bench

#endif  // RDP_TESTS_BENCH_ACCURACY_RECORDED_TABLE_H_
