// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_ENDURANCE_RUN_H_
#define RDP_TESTS_ENDURANCE_RUN_H_

#include <cstdint>
#include <memory>
#include <string>

#include "tests/endurance/case_table.h"
#include "tests/endurance/failures.h"
#include "tests/endurance/latency.h"
#include "tests/endurance/options.h"

namespace rdp::endurance {

// What all runs work with. It outlives them.
struct Setup {
  const Options& options;
  const FrameMemory& memory;
  const CaseTable& cases;
  Failures& failures;
};

// One of the runs. Making it makes all that lives as long as the run does.
class Run {
 public:
  virtual ~Run() = default;
  // Does `amount` of work, frames or rounds, and comes to rest: the same things exist after each
  // batch. Returns false where it makes no sense to go on.
  virtual bool batch(std::uint64_t amount, Latency* latency) = 0;
  // Frames, or rounds, so far.
  virtual std::uint64_t done() const = 0;
  // What was done and compared, in lines; and in a cell of a table.
  virtual std::string report() const = 0;
  virtual std::string summary() const = 0;
};

std::unique_ptr<Run> make_stream(const Setup& setup);
std::unique_ptr<Run> make_many(const Setup& setup);
std::unique_ptr<Run> make_restart(const Setup& setup);

// A reference to the CUDA context that all pipelines are to use: that of the frames, if they have
// one.
GstObject* shared_device_context(const Setup& setup);

// 1234567 as "1,234,567".
std::string grouped(std::uint64_t number);

}  // namespace rdp::endurance

#endif  // RDP_TESTS_ENDURANCE_RUN_H_
