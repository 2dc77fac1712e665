// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/bench/gpu_report.h"

#include <algorithm>
#include <stdexcept>

namespace rdp::bench {

CsvFile::CsvFile(const std::string& name, const std::vector<std::string>& remarks) {
  if (name.empty()) return;
  file_ = std::fopen(name.c_str(), "w");
  if (file_ == nullptr) throw std::runtime_error("cannot write " + name);
  for (const std::string& remark : remarks) std::fprintf(file_, "# %s\n", remark.c_str());
  std::fprintf(file_,
               "experiment,frame,width,height,epsilon,segments_a_column,rival,microseconds,"
               "replays,value\n");
}

CsvFile::~CsvFile() {
  if (file_ != nullptr) std::fclose(file_);
}

void CsvFile::write(const Record& r) {
  if (file_ == nullptr || r.replays == 0) return;
  std::fprintf(file_, "%s,\"%s\",%d,%d,%g,%.3f,\"%s\",%.4f,%d,%g\n", r.experiment.c_str(),
               r.frame.c_str(), r.width, r.height, r.epsilon, r.segments_a_column, r.rival.c_str(),
               r.microseconds, r.replays, r.value);
  std::fflush(file_);
}

Table::Table(const std::vector<std::string>& head) {
  std::vector<std::string> rule;
  for (std::size_t i = 0; i < head.size(); ++i) {
    widths_.push_back(std::max<std::size_t>(head[i].size(), i == 0 ? 38 : 9));
    rule.push_back(i == 0 ? std::string(widths_.back(), '-')
                          : std::string(widths_.back() - 1, '-') + ":");
  }
  std::printf("\n");
  row(head);
  row(rule);
}

void Table::row(const std::vector<std::string>& cells) const {
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const int width = static_cast<int>(widths_[i]);
    std::printf(i == 0 ? "| %-*s |" : " %*s |", width, cells[i].c_str());
  }
  std::printf("\n");
  std::fflush(stdout);
}

std::string text(double number, int digits) {
  if (number == 0) return "-";
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, "%.*f", digits, number);
  return buffer;
}

}  // namespace rdp::bench
