// SPDX-License-Identifier: LGPL-2.1-or-later
// RVL codes of arbitrary bytes: both decoders give the same frame or error, and write nothing
// beyond the frame. The frame survives encoding and decoding. The first two bytes are the frame's
// size.
#include <string>
#include <vector>

#include "common/rvl/reference.h"
#include "tests/fuzz/fuzz_input.h"
#include "tests/support/guarded_frame.h"

namespace {

using namespace rdp;

struct Decoded {
  test::GuardedRows rows;
  std::string fault;

  MutableDepthView view(int width, int height) {
    return {rows.row(0), rows.stride(), width, height, SampleType::kU16};
  }
};

template <typename Decode>
Decoded decoded(std::span<const std::byte> code, int width, int height, int padding,
                Decode decode) {
  Decoded made{{2 * width, height, {padding, padding % 3, padding}, std::byte{0}}, {}};
  try {
    decode(code, made.view(width, height));
  } catch (const rvl::RvlError& error) {
    made.fault = error.what();
    FUZZ_CHECK(error.offset() <= code.size(), "%s", error.what());
    FUZZ_CHECK(made.fault.find("expected") != std::string::npos, "%s", error.what());
  }
  FUZZ_CHECK(made.rows.intact(), "%dx%d", width, height);
  return made;
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) { return 0; }

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  rdp::fuzz::Input input(data, size);
  const int width = 1 + input.byte();
  const int height = 1 + input.byte() % 32;
  // In an allocation of exactly its size.
  const auto rest = std::as_bytes(input.rest());
  const std::vector<std::byte> code(rest.begin(), rest.end());
  Decoded fast = decoded(code, width, height, width % 5, rvl::decode);
  const Decoded slow = decoded(code, width, height, 0, reference::decode_rvl);
  FUZZ_CHECK(fast.fault == slow.fault, "'%s', by the reference '%s'", fast.fault.c_str(),
             slow.fault.c_str());
  if (!fast.fault.empty()) return 0;
  FUZZ_CHECK(fast.rows.same_rows(slow.rows), "another frame, %dx%d", width, height);
  std::vector<std::byte> again(rvl::max_bytes(width, height));
  again.resize(rvl::encode(fast.view(width, height), again));
  FUZZ_CHECK(again == reference::encode_rvl(fast.view(width, height)), "another code");
  FUZZ_CHECK(decoded(again, width, height, 1, rvl::decode).rows.same_rows(fast.rows),
             "another frame comes back");
  return 0;
}
