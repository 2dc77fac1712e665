// SPDX-License-Identifier: LGPL-2.1-or-later
// Roots and quotients as devices round them (common/planes/device_rounding.h), against the host's.
// Neither the stand-in nor the emulator has that code.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>
#include <vector>

#include "kernels/runtime/device_memory.h"
#include "kernels/runtime/kernel_module.h"
#include "tests/gpu/gpu_test.h"
#include "tests/gpu/rounding_arguments.h"
#include "tests/gpu/test_scale.h"

extern "C" const unsigned char rdp_test_rounding_fatbin[];

namespace rdp {
namespace {

using test::Rounded;
using test::RoundingCase;

constexpr int kBatch = 1 << 20;

class GpuRounding : public test::GpuTest {
 protected:
  // Compares at least one batch of cases from `next` with the host.
  void compare(int batches, const std::function<RoundingCase()>& next) {
    cases_.resize(kBatch);
    results_.resize(kBatch);
    const std::size_t bytes_of_cases = sizeof(RoundingCase) * kBatch;
    const std::size_t bytes_of_results = sizeof(Rounded) * kBatch;
    device_cases_.ensure(bytes_of_cases);
    device_results_.ensure(bytes_of_results);
    for (int batch = 0; batch < std::max(1.0, batches * test::test_scale()); ++batch) {
      for (RoundingCase& c : cases_) c = next();
      test::copy_to_device(device_cases_.get(), cases_.data(), bytes_of_cases);
      kernel_.start({kBatch / test::kRoundingThreads, 1, test::kRoundingThreads}, stream(),
                    test::RoundingArguments{device_cases_.as<RoundingCase>(),
                                            device_results_.as<Rounded>(), kBatch});
      synchronize();
      test::copy_from_device(results_.data(), device_results_.get(), bytes_of_results);
      for (std::size_t i = 0; i < kBatch; ++i) ASSERT_NO_FATAL_FAILURE(check(i));
    }
  }

  std::uint64_t bits(int count) { return random_() >> (64 - count); }
  // A random integer below 2^most, with a random number of bits.
  std::int64_t integer(int most) {
    const int count = 1 + static_cast<int>(random_() % static_cast<unsigned>(most));
    return static_cast<std::int64_t>(bits(count));
  }
  std::int64_t points() { return std::max<std::int64_t>(integer(32), 1); }
  // A double at most `most_steps` representable values away from a positive one.
  double beside(double value, int most_steps) {
    const auto steps = static_cast<std::int64_t>(random_() % (2U * most_steps + 1)) - most_steps;
    return std::bit_cast<double>(std::bit_cast<std::int64_t>(value) + steps);
  }
  // A cotangent from 2^-30 to the maximum.
  double cotangent() {
    const double value = std::ldexp(1.0 + std::ldexp(static_cast<double>(bits(52)), -52),
                                    static_cast<int>(random_() % 57) - 30);
    return std::min(value, kMaxCotangent);
  }

  static constexpr double kMaxCotangent = 134217728.0;  // 2^27
  std::mt19937_64 random_{test::case_seed()};

 private:
  void check(std::size_t i) const {
    const RoundingCase& c = cases_[i];
    const Rounded expected = test::round_case(c);
    const Rounded& got = results_[i];
    ASSERT_EQ(got.quotient, expected.quotient) << std::hexfloat << c.dividend << " / " << c.points;
    ASSERT_EQ(got.middle, expected.middle) << c.sum << " / " << c.points;
    ASSERT_EQ(got.tangent, expected.tangent) << std::hexfloat << "of cotangent " << c.cotangent;
    ASSERT_EQ(got.cosine, expected.cosine) << std::hexfloat << "of cotangent " << c.cotangent;
  }

  cuda::KernelModule module_{rdp_test_rounding_fatbin};
  cuda::Kernel kernel_{module_, "rdp_test_rounding"};
  std::vector<RoundingCase> cases_;
  std::vector<Rounded> results_;
  cuda::DeviceBuffer device_cases_;
  cuda::DeviceBuffer device_results_;
};

// Dividends as in statistics_of(): an integer, a product of two integers below the number of
// points, or the difference of both.
TEST_F(GpuRounding, AsOfPoints) {
  compare(16, [&] {
    RoundingCase c{0.0, integer(62), points(), cotangent()};
    if (bits(1) != 0) c.sum = -c.sum;
    const auto below_points = [&] {
      return static_cast<double>(static_cast<std::int64_t>(random_() >> 1) % c.points);
    };
    switch (bits(2)) {
      case 0:
        c.dividend = below_points();
        break;
      case 1:
        c.dividend = below_points() * below_points();
        break;
      case 2:
        c.dividend = static_cast<double>(integer(63));
        break;
      default:
        c.dividend = static_cast<double>(integer(32)) -
                     below_points() * below_points() / static_cast<double>(c.points);
    }
    // Exclude -0: statistics_of() subtracts it from an integer.
    if (c.dividend != 0.0 && bits(1) != 0) c.dividend = -c.dividend;
    return c;
  });
}

// Arbitrary bit patterns within the domains of the functions.
TEST_F(GpuRounding, AnyBits) {
  compare(16, [&] {
    RoundingCase c{0.0, static_cast<std::int64_t>(random_()), points(), 0.0};
    c.dividend = std::ldexp(static_cast<double>(static_cast<std::int64_t>(random_()) | 1),
                            static_cast<int>(random_() % 65) - 64);
    c.cotangent = std::bit_cast<double>(random_() % std::bit_cast<std::uint64_t>(kMaxCotangent));
    return c;
  });
}

// Hard cases: quotients next to the midpoint of two doubles, sums next to multiples, and roots and
// inverses next to doubles or midpoints.
TEST_F(GpuRounding, NearTheMiddle) {
  compare(16, [&] {
    RoundingCase c{};
    // dividend * 2^k = points * Q + (points +- 1) / 2, where Q has 53 bits.
    c.points = points() | 1;
    const auto n = static_cast<std::uint64_t>(c.points);
    const int k = std::bit_width(n) + static_cast<int>(bits(1));
    std::uint64_t dividend = ((n + 1) / 2 - bits(1)) % n;
    for (int i = 0; i < k; ++i) dividend = (dividend + dividend % 2 * n) / 2;  // half of it, mod n
    const std::uint64_t least = (std::uint64_t{1} << 52) + bits(51);
    dividend += (least / n + 1) * n;
    c.dividend = static_cast<double>(dividend);

    const std::int64_t middle = integer(52 - std::bit_width(n));
    c.sum = middle * c.points + static_cast<std::int64_t>(bits(2)) - 2;
    if (bits(1) != 0) c.sum = -c.sum;

    const double small = std::sqrt(std::ldexp(static_cast<double>(1 + bits(10)), -52));
    const double all_set = std::ldexp(2.0, static_cast<int>(random_() % 28)) *
                           (1.0 - std::ldexp(static_cast<double>(1 + bits(2)), -53));
    const double short_root = 1.0 + std::ldexp(static_cast<double>(bits(26)), -20);
    switch (bits(2)) {
      case 0:  // cotangent^2 + 1 is just above 1
        c.cotangent = small;
        break;
      case 1:  // tangent^2 + 1 is just above 1
        c.cotangent = 0.5 / small - 0.5 * small;
        break;
      case 2:  // cotangent + root has (nearly) all bits set
        c.cotangent = 0.5 * all_set - 0.5 / all_set;
        break;
      default:  // the root is near a double with few bits
        c.cotangent = std::sqrt(short_root * short_root - 1.0);
    }
    c.cotangent = beside(c.cotangent, 4);
    c.cotangent = std::clamp(c.cotangent, 0.0, kMaxCotangent);
    return c;
  });
}

}  // namespace
}  // namespace rdp
