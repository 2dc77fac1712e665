// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BENCH_OVERHEAD_H_
#define RDP_TESTS_BENCH_OVERHEAD_H_

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "tests/bench/element_stream.h"

// The cost of an element beyond its engine. A row has an element, its inputs, and the equivalent
// engine calls on the same memory.
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
  double energy = 0;  // seconds per side; 0: measure times

  Repeats repeats(const Repeats& usual) const { return quick ? Repeats{1, 4, 1, 2} : usual; }
};

// Medians in microseconds.
struct Times {
  double kernels = 0;     // enqueued back to back, per frame of a batch
  double enqueueing = 0;  // the host's part of it; at least `kernels` if it is the limit
  double waited = 0;      // one frame, enqueued and waited for
  double finished = 0;    // the same, with results on the host
  double element = 0;     // see ElementStream
  double mean = 0;
  double taken = 0;
  double found = 0;
};

// The element's work without the element, on the same buffers, in a current context.
struct Engine {
  std::function<void(std::size_t)> enqueue;  // for the set with this index
  std::function<void()> wait = [] {};
  std::function<void()> take_results = [] {};
  std::function<void(std::size_t)> restore = {};  // restores overwritten samples
  std::function<std::size_t()> found = {};        // must equal the element's
  bool back_to_back = true;                       // the next may start before results are taken
};

struct Contest {
  std::string name;  // the row's first cells
  StreamSetup stream;
  std::string backend;                                          // of the element
  std::function<Engine(const ElementStream&)> engine = {};      // empty: measures the element only
  std::function<std::size_t(const ElementStream&)> found = {};  // called once, for the first frame
  const std::size_t* found_of_each = nullptr;  // written by the stream's `look` for each frame
};

// The number of wrong samples in the latest frame, which must be 0.
std::size_t different_samples(const ElementStream& stream,
                              const std::vector<std::uint16_t>& expected);

struct Column {
  std::string head;
  std::function<double(const Times&)> value;
  int digits = 1;
};
// The difference of two times.
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

// A table with its name: overhead_cpu.cpp, overhead_gpu.cpp.
struct Subject {
  const char* name;
  void (*measure)(const Run& run);
};
std::vector<Subject> cpu_subjects();
std::vector<Subject> gpu_subjects();
// The reason that GPU tables cannot be measured; empty: they can.
std::string gpu_missing();
void run_gpu_energy(double seconds, const std::string& what, std::vector<struct EnergySide>* sides);

}  // namespace rdp::bench

#endif  // RDP_TESTS_BENCH_OVERHEAD_H_
