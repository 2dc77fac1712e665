// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BENCH_OVERHEAD_H_
#define RDP_TESTS_BENCH_OVERHEAD_H_

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "tests/bench/element_stream.h"

// The cost of an element beyond its engine: rows of elements, their inputs, and the engine's calls
// that do the same on the same memory.
namespace rdp::bench {

struct Repeats {
  int warm_ups = 100;
  int frames = 1000;
  int batches = 25;     // of the engine alone
  int batch_size = 50;  // frames enqueued back to back
};

struct Run {
  bool gpu = false;
  bool quick = false;
  double energy = 0;  // seconds of each side; 0: times are measured

  Repeats repeats(const Repeats& usual) const { return quick ? Repeats{1, 4, 1, 2} : usual; }
};

// Medians in microseconds.
struct Times {
  double kernels = 0;     // enqueued back to back, for as many frames as a batch has
  double enqueueing = 0;  // the host's part in that; no less than `kernels` where it is what limits
  double waited = 0;      // a frame enqueued, then waited for
  double finished = 0;    // and its results on the host
  double element = 0;     // see ElementStream
  double mean = 0;
  double taken = 0;
  double found = 0;
};

// The work of the element without the element, on the same buffers. In a context that is current.
struct Engine {
  std::function<void(std::size_t)> enqueue;  // of the set with this number
  std::function<void()> wait = [] {};
  std::function<void()> take_results = [] {};
  std::function<void(std::size_t)> restore = {};  // brings samples back that were overwritten
  std::function<std::size_t()> found = {};        // has to be what the element finds
  bool back_to_back = true;                       // a frame may start before its results are taken
};

struct Contest {
  std::string name;  // the first cells of its row
  StreamSetup stream;
  std::string backend;                                          // of the element
  std::function<Engine(const ElementStream&)> engine = {};      // empty: the element alone
  std::function<std::size_t(const ElementStream&)> found = {};  // once, of the first frame
  const std::size_t* found_of_each = nullptr;  // where the stream's `look` puts it, frame by frame
};

// The number of samples of the frame that came last that are others. There are to be none.
std::size_t different_samples(const ElementStream& stream,
                              const std::vector<std::uint16_t>& expected);

struct Column {
  std::string head;
  std::function<double(const Times&)> value;
  int digits = 1;
};
// The difference of two of them.
std::function<double(const Times&)> less(double Times::*value, double Times::*other);

// Prints contests as they are measured.
class Table {
 public:
  Table(const Run& run, const Repeats& repeats, const std::string& caption,
        const std::string& first, std::vector<Column> columns);
  void add(const Contest& contest);
  void end(const char* goal) const;

 private:
  Run run_;
  Repeats repeats_;
  std::vector<Column> columns_;
};

// Tables by their names: overhead_cpu.cpp, overhead_gpu.cpp.
struct Subject {
  const char* name;
  void (*measure)(const Run& run);
};
std::vector<Subject> cpu_subjects();
std::vector<Subject> gpu_subjects();
// Empty, or why the GPU's subjects cannot be measured.
std::string gpu_missing();
void run_gpu_energy(double seconds, const std::string& what, std::vector<struct EnergySide>* sides);

}  // namespace rdp::bench

#endif  // RDP_TESTS_BENCH_OVERHEAD_H_
