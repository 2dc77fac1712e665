// SPDX-License-Identifier: LGPL-2.1-or-later
// Truncated, bit-flipped and concatenated calibration files give a camera or an error, never a
// crash.
#include <sys/mman.h>
#include <unistd.h>

#include <random>

#include "tests/library/camera_files_support.h"
#include "tests/support/check_test.h"

namespace {

using namespace camera_files;

// Reads the text, with and without a size. GstRdpCamera must accept the cameras read.
void read_any(const std::string& text) {
  // A file in memory, because thousands are read.
  const int file = memfd_create("calibration", MFD_CLOEXEC);
  fail_unless(file >= 0);
  fail_unless(write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size()));
  const std::string path = "/proc/self/fd/" + std::to_string(file);
  for (const guint width : {0U, 1920U}) {
    const Read result = read(path, 0.001, width, width * 9 / 16);
    for (const GstRdpCameraInfo& info : result.views) {
      fail_unless(info.focal_length > 0 && info.focal_length_y > 0);
      fail_unless(info.baseline == 0 || (info.baseline >= 0.001 && info.baseline <= 10) ||
                  info.measures != GST_RDP_MEASURE_UNKNOWN);
    }
  }
  close(file);
}

}  // namespace

CHECK_TEST(test_cut_off) {
  for (const std::string& name : kExamples) {
    const std::string text = example(name);
    for (std::size_t size = 0; size < text.size(); size += 5) read_any(text.substr(0, size));
  }
}

CHECK_TEST(test_changed) {
  std::mt19937 random(1);
  const auto below = [&](std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(random);
  };
  std::vector<std::string> texts;
  for (const std::string& name : kExamples) texts.push_back(example(name));
  const std::string marks = "[]{}:,-#&*!|>'\"%@`\n\t =.e09xN";
  for (int round = 0; round < 4000; ++round) {
    std::string text = texts[below(texts.size())];
    for (std::size_t changes = 1 + below(4); changes > 0; --changes) {
      const std::size_t at = below(text.size());
      switch (below(5)) {
        case 0:
          text[at] = static_cast<char>(text[at] ^ (1 << below(8)));
          break;
        case 1:
          text[at] = marks[below(marks.size())];
          break;
        case 2:
          text.erase(at, 1 + below(40));
          break;
        case 3:
          text.insert(at, text.substr(below(text.size()), below(60)));
          break;
        default: {
          const std::string& other = texts[below(texts.size())];
          text.insert(at, other.substr(below(other.size()), below(200)));
        }
      }
      if (text.empty()) text = " ";
    }
    read_any(text);
  }
}

CHECK_CASE(camera_files_fuzz)
