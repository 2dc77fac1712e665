// SPDX-License-Identifier: LGPL-2.1-or-later
// Runs the operations' cases, measures them with --bench, or only draws them with --draw=N.
// --gtest_filter chooses: Median.*, *.Host, *.Device*. SEED=N repeats a run, CASE=N a case of it,
// RDP_GPU_TEST_SCALE=0.1 runs a part.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>

#include "tests/bits/host.h"
#include "tests/bits/register.h"
#include "tests/support/allocation_count.h"
#ifdef RDP_BITS_DEVICE
#include "tests/bits/device.h"
#endif

namespace rdp::bits {
namespace {

bool benchmarks_wanted = false;
int draws_wanted = 0;

}  // namespace

std::vector<std::function<void()>>& registrations() {
  static std::vector<std::function<void()>> all;
  return all;
}

bool benchmarks() { return benchmarks_wanted; }
int draws() { return draws_wanted; }

std::uint32_t seed() {
  static const std::uint32_t value = [] {
    const char* text = std::getenv("SEED");
    return text == nullptr ? std::random_device{}()
                           : static_cast<std::uint32_t>(std::strtoul(text, nullptr, 10));
  }();
  return value;
}

int only_case() {
  static const int number = [] {
    const char* text = std::getenv("CASE");
    return text == nullptr ? -1 : std::atoi(text);
  }();
  return number;
}

std::uint32_t seed_of(const char* name, int number) {
  std::uint32_t value = seed();
  for (const char* c = name; *c != 0; ++c) value = value * 16777619U ^ static_cast<unsigned>(*c);
  value = (value ^ static_cast<std::uint32_t>(number)) * 2654435761U;
  return value ^ value >> 15;
}

double scale() {
  static const double value = [] {
    const char* text = std::getenv("RDP_GPU_TEST_SCALE");
    return text == nullptr ? 1 : std::clamp(std::atof(text), 0.0, 1.0);
  }();
  return value;
}

std::uint64_t host_allocations() { return allocation_count::count; }

double time_of(const std::function<void()>& call, const std::function<void()>& prepare) {
  using Clock = std::chrono::steady_clock;
  double least = 1e9;
  double all = 0;
  for (int i = 0; i < 1000 && (i < 3 || all < 0.2); ++i) {
    prepare();
    const Clock::time_point start = Clock::now();
    call();
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    least = std::min(least, seconds);
    all += seconds;
  }
  return least;
}

void print_time(const char* name, const std::string& target, double seconds, double reference) {
  std::printf("%-24s %-12s %12.1f us %10.1f times as fast as the reference\n", name, target.c_str(),
              seconds * 1e6, reference / seconds);
}

}  // namespace rdp::bits

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  rdp::bits::benchmarks_wanted = argc > 1 && std::strcmp(argv[1], "--bench") == 0;
  for (int i = 1; i < argc; ++i) {
    if (std::sscanf(argv[i], "--draw=%d", &rdp::bits::draws_wanted) == 1) continue;
    // --known: always uses the known case instead of random ones.
    if (std::strcmp(argv[i], "--known") == 0) rdp::test::draw_counts().most_tries = 0;
  }
  std::printf("SEED=%u\n", rdp::bits::seed());
#ifdef RDP_BITS_DEVICE
  rdp::bits::has_device() = rdp::test::have_gpu();
  if (rdp::bits::has_device()) rdp::test::guard_device_memory();
#endif
  for (const auto& add : rdp::bits::registrations()) add();
  const int status = RUN_ALL_TESTS();
  if (rdp::bits::draws() > 0) {
    for (const std::string& row : rdp::bits::draw_rows()) std::printf("%s\n", row.c_str());
  }
  // Skipped (77) if no test ran, such as a device's test without a device.
  return status == 0 && ::testing::UnitTest::GetInstance()->test_to_run_count() == 0 ? 77 : status;
}
