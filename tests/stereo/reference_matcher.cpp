// SPDX-License-Identifier: LGPL-2.1-or-later
// The matcher's interface over the reference, for tests of what works through it.
#include "common/stereo/matcher.h"
#include "common/stereo/reference.h"

namespace rdp::stereo {

struct Matcher::Impl {};

Matcher::Matcher(unsigned) {}
Matcher::~Matcher() = default;
void Matcher::set_threads(unsigned) {}
unsigned Matcher::threads() const { return 1; }
Counts Matcher::match(const Pair& pair, const Parameters& parameters, const Result& result) {
  return reference::match(pair, parameters, result);
}
std::size_t Matcher::memory_for(int, int, const Parameters&) { return 0; }

}  // namespace rdp::stereo
