// SPDX-License-Identifier: LGPL-2.1-or-later
// The lossless depth code, encoded and decoded. tests/fuzz/rvl.cpp tests damaged codes.
#include <cstring>

#include "common/image/grow_buffer.h"
#include "common/rvl/reference.h"
#include "tests/bits/register.h"

namespace rdp::bits {
namespace {

struct RvlSpec : FrameSpec {
  int zeros = 0;  // percent of the samples; 100: all
};

template <bool to_code>
struct Rvl {
  static constexpr const char* kName = to_code ? "RvlEncode" : "RvlDecode";
  static constexpr Counts kCounts{600, 0, 250};
  struct Case : bits::Case {
    std::vector<std::byte> code;
  };
  using Spec = RvlSpec;

  static std::vector<Spec> hard(Random* random, bool all) {
    std::vector<Spec> specs;
    for (FrameSpec frame : hard_frames(all, random)) {
      frame.type = SampleType::kU16;
      frame.count = 1;
      specs.push_back({frame, random->of({0, 1, 30, 50, 99, 100})});
    }
    return specs;
  }
  static Spec any(Random* random, bool all) {
    Spec spec{random_frame(random, all), random->of({0, 1, 30, 50, 99, 100})};
    spec.type = SampleType::kU16;
    spec.count = 1;
    return spec;
  }
  static Spec usual() { return {usual_frame(), 1}; }
  static std::string text(const Spec& spec) {
    return text_of(spec) + ", " + std::to_string(spec.zeros) + " % zeros";
  }
  static Case draw(const Spec& spec, Random* random) {
    Case made;
    draw_frames(spec, random, &made.images);
    const MutableDepthView frame{made.images[0].before.data(), 2 * spec.width, spec.width,
                                 spec.height, SampleType::kU16};
    for (int row = 0; row < spec.height; ++row) {
      for (int column = 0; column < spec.width; ++column) {
        if (random->below(100) < spec.zeros) frame.set(row, column, 0);
      }
    }
    if (!to_code) made.images.push_back(samples(spec.width, spec.height, spec.type));
    return made;
  }
  static void reference(const Spec&, Case* made) {
    if (to_code || made->code.empty()) {
      made->code = rdp::reference::encode_rvl(made->images[0].samples());
    }
    if (!to_code) rdp::reference::decode_rvl(made->code, made->images[1].expect());
  }

  struct Host {
    explicit Host(unsigned) {}
    std::string run(const Spec& spec, const Case& made, HostImages& images) {
      if constexpr (to_code) {
        const std::size_t room = rvl::max_bytes(spec.width, spec.height);
        std::byte* const code = memory.ensure(room);
        const std::size_t size = rvl::encode(images[0].samples(), {code, room});
        const bool same =
            size == made.code.size() && std::memcmp(code, made.code.data(), size) == 0;
        return same ? "" : "another code";
      } else {
        rvl::decode(made.code, images[1].samples());
        return {};
      }
    }
    GrowBuffer<std::byte> memory;
  };
};
const bool kEncode = add<Rvl<true>>();
const bool kDecode = add<Rvl<false>>();

}  // namespace
}  // namespace rdp::bits
