// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_SUPPORT_DE_BRUIJN_H_
#define RDP_TESTS_SUPPORT_DE_BRUIJN_H_

#include <cstdint>
#include <vector>

namespace rdp::test {

// A de Bruijn sequence: every word of `length` symbols below `symbols` occurs in it once, the last
// ones around its end (H. Fredricksen, J. Maiorana and I. J. Kessler).
class DeBruijn {
 public:
  DeBruijn(int symbols, int length) : symbols_(symbols), length_(length), word_(length + 1) {
    extend(1, 1);
    for (int i = 0; i < length; ++i) sequence_.push_back(sequence_[i]);
  }
  const std::vector<std::uint8_t>& sequence() const { return sequence_; }

 private:
  void extend(int t, int period) {
    if (t > length_) {
      if (length_ % period == 0)
        sequence_.insert(sequence_.end(), word_.begin() + 1, word_.begin() + 1 + period);
      return;
    }
    word_[t] = word_[t - period];
    extend(t + 1, period);
    for (int symbol = word_[t - period] + 1; symbol < symbols_; ++symbol) {
      word_[t] = static_cast<std::uint8_t>(symbol);
      extend(t + 1, t);
    }
  }

  int symbols_;
  int length_;
  std::vector<std::uint8_t> word_;
  std::vector<std::uint8_t> sequence_;
};

}  // namespace rdp::test

#endif  // RDP_TESTS_SUPPORT_DE_BRUIJN_H_
