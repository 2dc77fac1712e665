// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/emulation/warp.h"

#include <bit>
#include <cstring>

namespace emulation {

const char* name_of(Together what) {
  switch (what) {
    case Together::kShuffle:
      return "__shfl_sync";
    case Together::kShuffleUp:
      return "__shfl_up_sync";
    case Together::kShuffleDown:
      return "__shfl_down_sync";
    case Together::kShuffleXor:
      return "__shfl_xor_sync";
    case Together::kBallot:
      return "__ballot_sync";
    case Together::kAny:
      return "__any_sync";
    case Together::kAll:
      return "__all_sync";
    case Together::kAdd:
      return "__reduce_add_sync";
    case Together::kMinSigned:
    case Together::kMinUnsigned:
      return "__reduce_min_sync";
    case Together::kMaxSigned:
    case Together::kMaxUnsigned:
      return "__reduce_max_sync";
    case Together::kAnd:
      return "__reduce_and_sync";
    case Together::kOr:
      return "__reduce_or_sync";
    case Together::kXor:
      return "__reduce_xor_sync";
    case Together::kMatchAny:
      return "__match_any_sync";
    case Together::kSyncWarp:
      return "__syncwarp";
    case Together::kSyncThreads:
      return "__syncthreads";
    case Together::kSyncThreadsOr:
      return "__syncthreads_or";
    case Together::kSyncThreadsAnd:
      return "__syncthreads_and";
    case Together::kSyncThreadsCount:
      return "__syncthreads_count";
  }
  return "?";
}

bool same(Site a, Site b) {
  return a.line == b.line && (a.file == b.file || std::strcmp(a.file, b.file) == 0);
}

namespace {

template <typename T, typename Combine>
std::uint64_t reduced(const Warp& warp, unsigned mask, Combine combine) {
  bool first = true;
  T result{};
  for (unsigned rest = mask; rest != 0; rest &= rest - 1) {
    const T v = static_cast<T>(warp.lanes[std::countr_zero(rest)].value);
    result = first ? v : combine(result, v);
    first = false;
  }
  return static_cast<unsigned>(result);
}

}  // namespace

void finish(Warp* warp, const Group& group) {
  const unsigned mask = group.mask;
  std::uint64_t result = 0;
  const auto each = [&](auto function) {
    for (unsigned rest = mask; rest != 0; rest &= rest - 1) {
      function(static_cast<unsigned>(std::countr_zero(rest)));
    }
  };
  switch (group.what) {
    case Together::kShuffle:
    case Together::kShuffleUp:
    case Together::kShuffleDown:
    case Together::kShuffleXor:
      each([&](unsigned l) {
        Lane& lane = warp->lanes[l];
        if ((mask >> lane.source & 1) == 0) {
          defect(group.site, "%s: lane %u reads lane %u, which is not in the mask %08x",
                 name_of(group.what), l, lane.source, mask);
        }
        lane.result = warp->lanes[lane.source].value;
      });
      return;
    case Together::kMatchAny:
      each([&](unsigned l) {
        unsigned alike = 0;
        each([&](unsigned other) {
          if (warp->lanes[other].value == warp->lanes[l].value) alike |= 1U << other;
        });
        warp->lanes[l].result = alike;
      });
      return;
    case Together::kBallot:
    case Together::kAny:
    case Together::kAll:
      each([&](unsigned l) {
        if (warp->lanes[l].value != 0) result |= 1U << l;
      });
      if (group.what == Together::kAny) result = result != 0 ? 1 : 0;
      if (group.what == Together::kAll) result = result == mask ? 1 : 0;
      break;
    case Together::kAdd:
      result = reduced<unsigned>(*warp, mask, [](unsigned a, unsigned b) { return a + b; });
      break;
    case Together::kMinSigned:
      result = reduced<int>(*warp, mask, [](int a, int b) { return a < b ? a : b; });
      break;
    case Together::kMinUnsigned:
      result = reduced<unsigned>(*warp, mask, [](unsigned a, unsigned b) { return a < b ? a : b; });
      break;
    case Together::kMaxSigned:
      result = reduced<int>(*warp, mask, [](int a, int b) { return a > b ? a : b; });
      break;
    case Together::kMaxUnsigned:
      result = reduced<unsigned>(*warp, mask, [](unsigned a, unsigned b) { return a > b ? a : b; });
      break;
    case Together::kAnd:
      result = reduced<unsigned>(*warp, mask, [](unsigned a, unsigned b) { return a & b; });
      break;
    case Together::kOr:
      result = reduced<unsigned>(*warp, mask, [](unsigned a, unsigned b) { return a | b; });
      break;
    case Together::kXor:
      result = reduced<unsigned>(*warp, mask, [](unsigned a, unsigned b) { return a ^ b; });
      break;
    default:
      break;
  }
  each([&](unsigned l) { warp->lanes[l].result = result; });
}

}  // namespace emulation
