// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BENCH_GPU_REPORT_H_
#define RDP_TESTS_BENCH_GPU_REPORT_H_

#include <cstdio>
#include <string>
#include <vector>

namespace rdp::bench {

// One number, in the format of plot_gpu.py.
struct Record {
  std::string experiment;  // see gpu_bench.cpp
  std::string frame;
  int width = 0;
  int height = 0;
  double epsilon = 0;
  double segments_a_column = 0;
  std::string rival;
  double microseconds = 0;
  int replays = 0;
  double value = 0;  // another quantity of the experiment: lanes, % of a bandwidth, …
};

// Writes records as CSV immediately, so that an interrupted run keeps its results.
class CsvFile {
 public:
  // An empty name makes no file. Throws std::runtime_error if the file cannot be written.
  CsvFile(const std::string& name, const std::vector<std::string>& remarks);
  ~CsvFile();
  CsvFile(const CsvFile&) = delete;
  CsvFile& operator=(const CsvFile&) = delete;

  void write(const Record& record);

 private:
  std::FILE* file_ = nullptr;
};

// A Markdown table, printed line by line.
class Table {
 public:
  explicit Table(const std::vector<std::string>& head);
  void row(const std::vector<std::string>& cells) const;

 private:
  std::vector<std::size_t> widths_;
};

// A number with this many decimals; "-" for 0, which means not measured.
std::string text(double number, int digits = 1);

}  // namespace rdp::bench

#endif  // RDP_TESTS_BENCH_GPU_REPORT_H_
