// SPDX-License-Identifier: LGPL-2.1-or-later
// Runs a harness without libFuzzer, on all seeds of a folder and on a fixed number of inputs
// derived from them. These are identical in every run and on every machine.
//
//   fuzz_TARGET SEED-FOLDER INPUTS     the test
//   fuzz_TARGET FILE...                these inputs only
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "common/scene/hash_random.h"
#include "tests/fuzz/fuzz_input.h"

extern "C" __attribute__((weak)) void __sanitizer_set_death_callback(void (*callback)());

namespace {

using Bytes = std::vector<std::uint8_t>;
namespace fs = std::filesystem;

constexpr std::size_t kMaxSize = 1024;

Bytes read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  FUZZ_CHECK(file.good(), "%s cannot be read", path.c_str());
  return {std::istreambuf_iterator<char>(file), {}};
}

// If the process ends for any reason while processing an input, that input is written to a file.
char last_path[256];
const Bytes* last_input = nullptr;

void save_last_input() {
  if (last_input == nullptr) return;
  const int file = open(last_path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (file < 0) return;
  const auto written = write(file, last_input->data(), last_input->size());
  close(file);
  if (written < 0) return;
  constexpr char kText[] = "The input that did it: ";
  (void)!write(STDERR_FILENO, kText, sizeof kText - 1);
  (void)!write(STDERR_FILENO, last_path, std::strlen(last_path));
  (void)!write(STDERR_FILENO, "\n", 1);
}

void save_and_die(int number) {
  save_last_input();
  std::signal(number, SIG_DFL);
  raise(number);
}

void watch(const char* program) {
  const fs::path path = fs::current_path() / (fs::path(program).filename().string() + ".failed");
  std::snprintf(last_path, sizeof last_path, "%s", path.c_str());
  // A sanitizer has its own handlers, and ends the process without a signal.
  if (__sanitizer_set_death_callback != nullptr) {
    __sanitizer_set_death_callback(save_last_input);
    std::signal(SIGABRT, save_and_die);
    return;
  }
  for (const int number : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL}) {
    std::signal(number, save_and_die);
  }
}

// Runs one input in an allocation of exactly its size, so that sanitizers detect reads past it.
void run(const Bytes& bytes) {
  const std::vector<std::uint8_t> copy(bytes.begin(), bytes.end());
  last_input = &bytes;
  LLVMFuzzerTestOneInput(copy.data(), copy.size());
  last_input = nullptr;
}

// Derives a new input from old ones, as libFuzzer does, but without coverage feedback.
Bytes mutate(const std::vector<Bytes>& seeds, rdp::HashSequence* random) {
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random->bits() % n); };
  Bytes bytes = seeds[below(seeds.size())];
  for (std::size_t steps = 1 + below(8); steps > 0; --steps) {
    if (bytes.empty()) bytes.push_back(static_cast<std::uint8_t>(random->bits()));
    const std::size_t at = below(bytes.size());
    const auto from = bytes.begin() + static_cast<std::ptrdiff_t>(at);
    switch (below(8)) {
      case 0:
        bytes[at] ^= static_cast<std::uint8_t>(1U << below(8));
        break;
      case 1:
      case 2:
        bytes[at] = static_cast<std::uint8_t>(random->bits());
        break;
      case 3: {
        constexpr std::uint8_t kEdges[] = {0, 1, 0x7F, 0x80, 0xFF, 0x10, 0x40};
        for (std::size_t i = at; i < std::min(bytes.size(), at + 1 + below(4)); ++i) {
          bytes[i] = kEdges[below(std::size(kEdges))];
        }
        break;
      }
      case 4:
        bytes.insert(from, static_cast<std::uint8_t>(random->bits()));
        break;
      case 5:
        bytes.erase(from, from + static_cast<std::ptrdiff_t>(1 + below(bytes.size() - at)));
        break;
      case 6: {  // part of another seed
        const Bytes& other = seeds[below(seeds.size())];
        if (other.empty()) break;
        const auto first = other.begin() + static_cast<std::ptrdiff_t>(below(other.size()));
        const auto left = static_cast<std::size_t>(other.end() - first);
        bytes.insert(from, first, first + static_cast<std::ptrdiff_t>(1 + below(left)));
        break;
      }
      default:
        for (std::size_t n = 1 + below(32); n > 0; --n) {
          bytes.push_back(static_cast<std::uint8_t>(random->bits()));
        }
    }
  }
  if (bytes.size() > kMaxSize) bytes.resize(kMaxSize);
  return bytes;
}

int replay(const fs::path& folder, unsigned long count) {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(folder)) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  FUZZ_CHECK(!paths.empty(), "%s has no seeds", folder.c_str());
  std::vector<Bytes> seeds;
  for (const fs::path& path : paths) {
    seeds.push_back(read(path));
    run(seeds.back());
  }
  rdp::HashSequence random(1);
  for (unsigned long i = 0; i < count; ++i) {
    run(mutate(seeds, &random));
  }
  std::printf("%zu seeds and %lu inputs made of them\n", seeds.size(), count);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: %s SEED-FOLDER INPUTS | FILE...\n", argv[0]);
    return 2;
  }
  LLVMFuzzerInitialize(&argc, &argv);
  watch(argv[0]);
  if (argc == 3 && fs::is_directory(argv[1])) {
    return replay(argv[1], std::stoul(argv[2]));
  }
  for (int i = 1; i < argc; ++i) {
    std::printf("%s\n", argv[i]);
    std::fflush(stdout);
    run(read(argv[i]));
  }
  return 0;
}
