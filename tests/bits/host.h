// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BITS_HOST_H_
#define RDP_TESTS_BITS_HOST_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "common/image/simd.h"
#include "tests/bits/operation.h"
#include "tests/support/guarded_frame.h"

// Runs the CPU engines on every SIMD target, with several numbers of threads.
namespace rdp::bits {

// The number of allocations of this process, in any library; 0 if nothing counts them.
std::uint64_t host_allocations();

// An image in host memory.
class HostImage {
 public:
  HostImage(const Image& image, Random* random)
      : image_(&image),
        rows_(image.row_bytes(), image.height,
              image.fixed ? test::Layout{} : layout(image.unit, random)) {
    for (int row = 0; row < image.height && !image.before.empty(); ++row) {
      std::memcpy(rows_.row(row), image.before.data() + row * image.row_bytes(),
                  static_cast<std::size_t>(image.row_bytes()));
    }
  }

  MutableDepthView samples() const {
    return {data(), rows_.stride(), image_->width, image_->height, image_->type()};
  }
  RgbaView rgba() const { return {data(), rows_.stride(), image_->width, image_->height}; }
  std::byte* data() const { return const_cast<std::byte*>(rows_.row(0)); }
  std::ptrdiff_t stride() const { return rows_.stride(); }

  // The fault after an engine has run; empty: none.
  std::string wrong() const {
    const auto bytes = static_cast<std::size_t>(image_->row_bytes());
    for (int row = 0; row < image_->height; ++row) {
      const std::byte* const want = image_->expected() + row * image_->row_bytes();
      const std::byte* const got = rows_.row(row);
      if (std::memcmp(want, got, bytes) == 0) continue;
      std::size_t i = 0;
      while (want[i] == got[i]) ++i;
      const auto unit = static_cast<std::size_t>(image_->unit);
      i -= i % unit;
      std::uint32_t expected = 0;
      std::uint32_t actual = 0;
      std::memcpy(&expected, want + i, unit);
      std::memcpy(&actual, got + i, unit);
      return "row " + std::to_string(row) + ", column " + std::to_string(i / unit) + ": expected " +
             std::to_string(expected) + ", got " + std::to_string(actual) +
             (image_->after.empty() ? ", which is only to be read" : "");
    }
    return rows_.intact() ? "" : "bytes outside of the rows were written";
  }

 private:
  // The layout: samples may be unaligned, pixels are aligned.
  static test::Layout layout(int unit, Random* random) {
    const int step = unit < 4 ? 1 : unit;
    return {random->one_in(3) ? 0 : random->below(70) * step, random->below(4) * step,
            random->one_in(2) ? 0 : 64};
  }

  const Image* image_;
  test::GuardedRows rows_;
};

// The images of a case.
class HostImages {
 public:
  HostImages(const std::vector<Image>& images, Random* random) {
    for (const Image& image : images) {
      images_.push_back(std::make_unique<HostImage>(image, random));
    }
  }
  HostImage& operator[](std::size_t i) { return *images_[i]; }
  std::size_t size() const { return images_.size(); }

  std::string wrong() const {
    for (std::size_t i = 0; i < images_.size(); ++i) {
      const std::string text = images_[i]->wrong();
      if (!text.empty()) return "image " + std::to_string(i) + ", " + text;
    }
    return {};
  }

 private:
  std::vector<std::unique_ptr<HostImage>> images_;
};

// Calls rows(begin, end) for one band per thread, the last band first.
template <typename Rows>
void in_bands(unsigned threads, int height, const Rows& rows) {
  for (unsigned i = threads; i-- > 0;) {
    const auto edge = [&](unsigned of) {
      return static_cast<int>(static_cast<std::int64_t>(height) * of / threads);
    };
    if (edge(i) < edge(i + 1)) rows(edge(i), edge(i + 1));
  }
}

inline constexpr unsigned kThreads[] = {1, 2, 3, 5};

// One engine per number of threads runs all cases, so that it reuses memory from cases of other
// sizes.
template <typename Operation>
void test_host() {
  std::vector<std::unique_ptr<typename Operation::Host>> engines;
  for (const unsigned threads : kThreads) {
    engines.push_back(std::make_unique<typename Operation::Host>(threads));
  }
  for (const NumberedSpec<Operation>& chosen : choose<Operation>(Operation::kCounts.host)) {
    const typename Operation::Case made = make<Operation>(chosen);
    Random random(seed_of(Operation::kName, chosen.number) ^ 2);
    // Usually one number of threads per target; sometimes all of them.
    const bool every = random.one_in(8);
    std::size_t turn = static_cast<std::size_t>(chosen.number);
    for (const std::string& target : simd_targets()) {
      ASSERT_TRUE(use_simd_target(target));
      ++turn;
      for (std::size_t i = 0; i < engines.size(); ++i) {
        if (!every && i != turn % engines.size()) continue;
        HostImages images(made.images, &random);
        std::string wrong = engines[i]->run(chosen.spec, made, images);
        if (wrong.empty()) wrong = images.wrong();
        use_simd_target(wrong.empty() ? target : "");
        ASSERT_EQ(wrong, "") << target << ", " << kThreads[i]
                             << " threads: " << words<Operation>(chosen);
      }
    }
    use_simd_target("");
  }
}

// Four random cases and two large ones.
template <typename Operation>
struct SmallAndLarge {
  SmallAndLarge() : chosen(a_few<Operation>(4)) {
    for (int i = 0; i < 2; ++i) chosen.push_back(a_large_one<Operation>(i));
    for (const auto& each : chosen) made.push_back(make<Operation>(each));
  }
  // Runs case `i` in any layout, and counts the engine's allocations.
  void run(typename Operation::Host* engine, std::size_t i, std::uint64_t* allocations) {
    HostImages images(made[i].images, &random);
    const std::uint64_t before = host_allocations();
    std::string wrong = engine->run(chosen[i].spec, made[i], images);
    *allocations = host_allocations() - before;
    if (wrong.empty()) wrong = images.wrong();
    ASSERT_EQ(wrong, "") << words<Operation>(chosen[i]);
  }

  std::vector<NumberedSpec<Operation>> chosen;
  std::vector<typename Operation::Case> made;
  Random random{seed_of(Operation::kName, -2)};
};

template <typename Operation>
void test_host_steady_state() {
  SmallAndLarge<Operation> cases;
  const bool always = Operation::kCounts.steady == Steady::kAlways;
  // Buffers that are swapped have all grown after some turns.
  const int turns = always ? 4 : 8;
  for (const unsigned threads : kThreads) {
    typename Operation::Host engine(threads);
    for (int round = 0; round < 2; ++round) {
      for (std::size_t i = 0; i < cases.made.size(); ++i) {
        for (int turn = 0; turn < turns; ++turn) {
          std::uint64_t allocations = 0;
          cases.run(&engine, i, &allocations);
          if (::testing::Test::HasFatalFailure()) return;
          // No count with a GPU, whose driver's threads allocate at any time.
          if (has_device()) continue;
          if (turn >= turns - 2 || (round > 0 && always)) {
            ASSERT_EQ(allocations, 0U)
                << threads << " threads: " << words<Operation>(cases.chosen[i]);
          }
        }
      }
    }
  }
}

// The owner of the operation's thread pool; null: none.
template <typename Host>
auto* pool_of(Host* host) {
  if constexpr (requires { host->engine.set_threads(1U); }) {
    return &host->engine;
  } else if constexpr (requires { host->painter.set_threads(1U); }) {
    return &host->painter;
  } else {
    return static_cast<void*>(nullptr);
  }
}

// One engine, whose number of threads changes from case to case, up and down.
template <typename Operation>
void test_host_threads_change() {
  SmallAndLarge<Operation> cases;
  typename Operation::Host host(1);
  auto* const engine = pool_of(&host);
  std::size_t turn = 0;
  for (const unsigned threads : {1U, 5U, 2U, 9U, 1U, 3U, 0U}) {
    engine->set_threads(threads);
    if constexpr (requires { engine->threads(); }) {
      // 0: one thread per processor.
      ASSERT_TRUE(threads == 0 ? engine->threads() >= 1 : engine->threads() == threads);
    }
    for (const std::size_t i : {cases.made.size() - 1, turn % cases.made.size()}) {
      std::uint64_t ignored = 0;
      SCOPED_TRACE(std::to_string(threads) + " threads");
      cases.run(&host, i, &ignored);
      if (::testing::Test::HasFatalFailure()) return;
    }
    ++turn;
  }
}

template <typename Operation>
void bench_host() {
  const NumberedSpec<Operation> usual{-2, Operation::usual()};
  typename Operation::Case made = make<Operation>(usual);
  const double reference = time_of([&] { Operation::reference(usual.spec, &made); });
  print_time(Operation::kName, "reference", reference, reference);
  for (const std::string& target : simd_targets()) {
    use_simd_target(target);
    typename Operation::Host engine(1);
    // Drawn again before each call in the same layout, since some operations overwrite their input.
    std::unique_ptr<HostImages> images;
    std::string wrong;
    const auto draw = [&] {
      Random random(1);
      images = std::make_unique<HostImages>(made.images, &random);
    };
    const double seconds = time_of([&] { wrong = engine.run(usual.spec, made, *images); }, draw);
    if (wrong.empty()) wrong = images->wrong();
    EXPECT_EQ(wrong, "") << target;
    print_time(Operation::kName, target, seconds, reference);
  }
  use_simd_target("");
}

template <typename Operation>
bool add_host() {
  if (benchmarks()) {
    add_test(Operation::kName, "Bench", bench_host<Operation>);
    return true;
  }
  add_test(Operation::kName, "Host", test_host<Operation>);
  if (Operation::kCounts.steady != Steady::kNever) {
    add_test(Operation::kName, "HostSteadyState", test_host_steady_state<Operation>);
  }
  using Host = typename Operation::Host;
  if constexpr (!std::is_void_v<std::remove_pointer_t<decltype(pool_of<Host>(nullptr))>>) {
    add_test(Operation::kName, "HostThreadsChange", test_host_threads_change<Operation>);
  }
  return true;
}

}  // namespace rdp::bits

#endif  // RDP_TESTS_BITS_HOST_H_
