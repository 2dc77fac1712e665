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

// Data shared by all runs. It outlives them.
struct Setup {
  const Options& options;
  const FrameMemory& memory;
  const CaseTable& cases;
  Failures& failures;
};

// One of the runs. Its constructor makes everything that lives as long as the run.
class Run {
 public:
  virtual ~Run() = default;
  // Processes `amount` frames or rounds and becomes idle: the same objects exist after each batch.
  // Returns false if the run cannot go on.
  virtual bool batch(std::uint64_t amount, Latency* latency) = 0;
  // Frames or rounds so far.
  virtual std::uint64_t done() const = 0;
  // The work done and compared, as lines, and as a table cell.
  virtual std::string report() const = 0;
  virtual std::string summary() const = 0;
};

std::unique_ptr<Run> make_stream(const Setup& setup);
std::unique_ptr<Run> make_many(const Setup& setup);
std::unique_ptr<Run> make_restart(const Setup& setup);

// The CUDA context that all pipelines are to use: the frames' context if they have one (transfer
// full).
GstObject* shared_device_context(const Setup& setup);

// 1234567 as "1,234,567".
std::string grouped(std::uint64_t number);

}  // namespace rdp::endurance

#endif  // RDP_TESTS_ENDURANCE_RUN_H_
