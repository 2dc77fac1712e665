// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/image/grow_buffer.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <utility>

namespace rdp {
namespace {

TEST(GrowBuffer, KeepsItsMemoryUntilMoreIsAskedFor) {
  GrowBuffer<std::uint16_t> buffer;
  std::uint16_t* first = buffer.ensure(100);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(first) % GrowBuffer<std::uint16_t>::kAlignment, 0U);
  EXPECT_EQ(buffer.ensure(1), first);
  EXPECT_EQ(buffer.ensure(100), first);
  buffer.ensure(101);
  EXPECT_GE(buffer.capacity(), 150U);  // grows by at least half
}

TEST(GrowBuffer, CanBeUsedAfterAMove) {
  GrowBuffer<std::uint16_t> from;
  std::uint16_t* memory = from.ensure(100);
  memory[99] = 7;
  GrowBuffer<std::uint16_t> to(std::move(from));
  EXPECT_EQ(to.ensure(100), memory);
  EXPECT_EQ(to.data()[99], 7);
  ASSERT_NE(from.ensure(50), nullptr);
  to = std::move(from);
  EXPECT_EQ(from.data(), nullptr);
  ASSERT_NE(from.ensure(1), nullptr);
}

}  // namespace
}  // namespace rdp
