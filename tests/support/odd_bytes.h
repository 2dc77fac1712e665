// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_SUPPORT_ODD_BYTES_H_
#define RDP_TESTS_SUPPORT_ODD_BYTES_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace rdp::test {

// A copy of bytes at an odd address, as input from elsewhere may be, up to the end of its
// allocation. Sanitizers detect reads beyond it, and unaligned reads of words.
class OddBytes {
 public:
  explicit OddBytes(const std::vector<std::uint8_t>& bytes) {
    memory_.reserve(bytes.size() + 1);
    memory_.push_back(0);
    memory_.insert(memory_.end(), bytes.begin(), bytes.end());
  }
  const std::uint8_t* data() const { return memory_.data() + 1; }
  std::size_t size() const { return memory_.size() - 1; }

 private:
  std::vector<std::uint8_t> memory_;
};

}  // namespace rdp::test

#endif  // RDP_TESTS_SUPPORT_ODD_BYTES_H_
