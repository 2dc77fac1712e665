// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_ENDURANCE_OPTIONS_H_
#define RDP_TESTS_ENDURANCE_OPTIONS_H_

#include <cstdint>
#include <string>

namespace rdp::endurance {

// Memory of the frames.
enum class Memory { kSystem, kCuda, kNvmm };

inline constexpr const char* kRuns[] = {"stream", "many", "restart"};

struct Options {
  std::string run;              // one of kRuns
  std::uint64_t frames = 0;     // or rounds, of restart; 0: no limit
  double seconds = 0;           // 0: no limit
  std::string backend = "cpu";  // the property
  Memory memory = Memory::kSystem;
  bool small = false;          // small frames only
  int elements = 64;           // of many
  int pipelines = 4;           // of many: the elements are spread over them; of restart: at a time
  bool share_context = false;  // of many and restart: the pipelines use one CUDA context
  std::uint64_t check_every = 1;
  std::uint64_t fresh_every = 200;  // of stream; 0: never
  unsigned threads = 1;             // the property
  bool trace_objects = true;
  bool is_short = false;
};

// Exits after --help, and with status 2 on a wrong argument.
Options parse_options(int argc, char** argv);

}  // namespace rdp::endurance

#endif  // RDP_TESTS_ENDURANCE_OPTIONS_H_
