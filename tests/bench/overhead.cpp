// SPDX-License-Identifier: LGPL-2.1-or-later
// The cost of elements beyond their engines. The same buffers go through the element and the bare
// engine in turns; each comes second in half of them. CPU rows have names like cpu/rdpsegment, GPU
// rows like gpu/rdpsegment.
#include "tests/bench/overhead.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <numeric>
#include <stdexcept>

#include "tests/bench/energy.h"
#include "tests/bench/median.h"
#include "tests/support/command_line.h"

namespace rdp::bench {
namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) {
  return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}

// Runs a batch of the bare engine; `work` false: only restores its frames.
double batch(const Engine& engine, const Repeats& repeats, bool work, double* host) {
  const auto start = Clock::now();
  for (int i = 0; i < repeats.batch_size; ++i) {
    if (engine.restore) engine.restore(static_cast<std::size_t>(i));
    if (work) engine.enqueue(static_cast<std::size_t>(i));
  }
  *host = since(start);
  engine.wait();
  return since(start);
}

void time_batches(const Engine& engine, const Repeats& repeats, Times* times) {
  constexpr int kWarmUps = 3;
  std::vector<double> all, enqueueing;
  for (int i = -kWarmUps; i < repeats.batches; ++i) {
    double host = 0, restoring = 0;
    double total = batch(engine, repeats, true, &host);
    if (engine.restore) total -= batch(engine, repeats, false, &restoring);
    if (i < 0) continue;
    all.push_back(total / repeats.batch_size);
    enqueueing.push_back((host - restoring) / repeats.batch_size);
  }
  times->kernels = median_of(all);
  times->enqueueing = median_of(enqueueing);
}

void check_found(std::size_t element, std::size_t engine) {
  if (element == engine) return;
  throw std::runtime_error("the element finds " + std::to_string(element) + ", the engine " +
                           std::to_string(engine) + ": nothing is timed");
}

void time_turns(ElementStream* stream, const Engine& engine, const Contest& contest,
                const Repeats& repeats, Times* times) {
  std::vector<double> waited, finished, element, taken;
  for (int i = -repeats.warm_ups; i < repeats.frames; ++i) {
    const std::size_t number = stream->next();
    const auto restore = [&] {
      if (!engine.restore) return;
      engine.restore(number);
      engine.wait();
    };
    const auto run_engine = [&] {
      if (!engine.enqueue) return;
      restore();
      const auto start = Clock::now();
      engine.enqueue(number);
      engine.wait();
      waited.push_back(since(start));
      engine.take_results();
      finished.push_back(since(start));
    };
    if (i % 2 == 0) run_engine();
    restore();
    stream->push();
    element.push_back(stream->pushed_us());
    taken.push_back(stream->taken_us());
    if (i % 2 != 0) run_engine();
    if (contest.found_of_each != nullptr) check_found(*contest.found_of_each, engine.found());
  }
  for (auto* all : {&waited, &finished, &element, &taken}) {
    if (!all->empty()) all->erase(all->begin(), all->begin() + repeats.warm_ups);
  }
  times->waited = median_of(waited);
  times->finished = median_of(finished);
  times->element = median_of(element);
  times->taken = median_of(taken);
  times->mean = std::accumulate(element.begin(), element.end(), 0.0) / repeats.frames;
}

// Energy per frame of the engine, back to back if possible, and of the element.
void measure_energy(const Run& run, const Contest& contest, ElementStream* stream,
                    const Engine& engine) {
  const long frames = run.gpu ? 16 : 1;
  const std::string& element = contest.stream.element;
  std::string name = element.substr(0, element.find(' ')) + ", " + contest.name;
  std::replace(name.begin(), name.end(), '|', ',');
  std::vector<EnergySide> sides(2);
  sides[0].name = run.gpu ? "kernels" : "engine";
  sides[0].work = [&] {
    for (long i = 0; i < frames; ++i) {
      engine.enqueue(static_cast<std::size_t>(i));
      if (engine.back_to_back) continue;
      engine.wait();
      engine.take_results();
    }
    engine.wait();
    return frames;
  };
  sides[1].name = "element";
  sides[1].work = [&] {
    for (long i = 0; i < frames; ++i) stream->push();
    return frames;
  };
  if (run.gpu) return run_gpu_energy(run.energy, name, &sides);
  run_energy(cpu_energy(), run.energy, name, &sides);
}

}  // namespace

std::size_t different_samples(const ElementStream& stream,
                              const std::vector<std::uint16_t>& expected) {
  const std::vector<std::uint16_t> samples = stream.samples();
  std::size_t different = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) different += samples[i] != expected[i] ? 1 : 0;
  return different;
}

std::function<double(const Times&)> less(double Times::*value, double Times::*other) {
  return [=](const Times& times) { return times.*value - times.*other; };
}

Table::Table(const Run& run, const Repeats& repeats, const std::string& caption,
             const std::string& first, std::vector<Column> columns)
    : run_(run), repeats_(repeats), columns_(std::move(columns)) {
  std::string line;
  for (char c : first) line += c == '|' ? "|---" : "";
  std::printf("\n%s\n\n", caption.c_str());
  if (run.energy > 0) return;
  std::printf("| %s |", first.c_str());
  for (const Column& column : columns_) std::printf(" %s |", column.head.c_str());
  std::printf("\n%s|---|", line.c_str());
  for (std::size_t i = 0; i < columns_.size(); ++i) std::printf("---|");
  std::printf("\n");
}

void Table::add(const Contest& contest) {
  if (run_.energy > 0 && !contest.engine) return;
  ElementStream stream(contest.stream);
  Engine engine;
  if (contest.engine) engine = contest.engine(stream);
  Times times;
  if (contest.found) {
    stream.push();
    check_found(contest.found(stream), engine.found ? engine.found() : 0);
  }
  if (run_.energy > 0) {
    measure_energy(run_, contest, &stream, engine);
  } else {
    if (engine.enqueue && engine.back_to_back) time_batches(engine, repeats_, &times);
    time_turns(&stream, engine, contest, repeats_, &times);
    if (engine.found) times.found = static_cast<double>(engine.found());
    std::printf("| %s |", contest.name.c_str());
    for (const Column& column : columns_) {
      std::printf(" %.*f |", column.digits, column.value(times));
    }
    std::printf("\n");
  }
  std::fflush(stdout);
  if (stream.backend() != contest.backend) {
    throw std::runtime_error(contest.stream.element + " works with backend=" + stream.backend());
  }
}

void Table::end(const char* goal) const {
  if (run_.energy <= 0) std::printf("\n%s\n", goal);
}

#ifndef RDP_OVERHEAD_GPU
std::vector<Subject> gpu_subjects() { return {}; }
std::string gpu_missing() { return ""; }
void run_gpu_energy(double, const std::string&, std::vector<EnergySide>*) {}
#endif

namespace {

int measure(Run run, const std::vector<std::string>& words) {
  const auto wanted = [&](const Subject& subject) {
    const std::string name = subject.name;
    return words.empty() || std::any_of(words.begin(), words.end(), [&](const std::string& word) {
             return name.find(word) != std::string::npos;
           });
  };
  const std::string missing = gpu_missing();
  int measured = 0;
  for (run.gpu = false;; run.gpu = true) {
    for (const Subject& subject : run.gpu ? gpu_subjects() : cpu_subjects()) {
      if (!wanted(subject)) continue;
      if (run.gpu && !missing.empty()) {
        std::printf("\n%s: skipped: %s\n", subject.name, missing.c_str());
        continue;
      }
      subject.measure(run);
      ++measured;
    }
    if (run.gpu) break;
  }
  if (measured == 0) std::printf("\nskipped: no such table can be measured here\n");
  return measured == 0 ? 77 : 0;
}

}  // namespace
}  // namespace rdp::bench

int main(int argc, char** argv) {
  rdp::bench::Run run;
  rdp::test::CommandLine line(
      "What elements cost beyond their engines.",
      "NAME: only tables whose names have it, like cpu, gpu/rdpsegment, klttrack.");
  line.flag("quick", &run.quick, "a few small frames, whose times mean nothing");
  line.number("energy", &run.energy,
              "joules a frame instead of times: for so long each side, 20 or more", "SECONDS");
  line.group(gst_init_get_option_group());
  const std::vector<std::string> words = line.read(argc, argv, "[NAME...]");
  try {
    return rdp::bench::measure(run, words);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "overhead: %s\n", error.what());
    return 1;
  }
}
