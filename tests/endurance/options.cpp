// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/endurance/options.h"

#include <cerrno>
#include <cstdlib>
#include <limits>

namespace rdp::endurance {

const char kUsage[] = R"(Usage: endurance stream|many|restart [OPTION...]

Runs rdpsegment for long, compares what it makes of frames with the scalar reference, and watches
what the process takes. It ends with a row for a table and fails if anything was lost, wrong or left
behind, or if something grows.

  stream    one element: size, format, layout, content and properties change, the overlay comes and
            goes
  many      elements in several pipelines, at the same time; properties and overlays are changed by
            other threads meanwhile
  restart   pipelines side by side that are made, started, stopped and thrown away

  --frames=N            how many frames go in, of restart: how many pipelines are made
  --seconds=N           ends the run earlier, or decides alone
  --backend=NAME        the property of rdpsegment: cpu (the default), cuda, auto
  --memory=KIND         where the frames are: system (the default), cuda, nvmm
  --threads=N           the property of rdpsegment (1)
  --sizes=KIND          mixed (the default), small: for a quick run
  --check-every=N       compares every Nth frame with the reference (1); all are counted
  --fresh-every=N       stream: every Nth frame was never seen before (200; 0: none)
  --elements=N          many: how many (64)
  --pipelines=N         many: which the elements are spread over; restart: side by side (4)
  --share-context       many, restart: all pipelines get one CUDA context from the application
  --no-leaks-tracer     does not count objects by GStreamer's leaks tracer
  --short               says how much memory is resident and how long frames took, and does not
                        judge it: for runs of seconds, and emulators

Exit status: 0, 1 where something is wrong, 2 for wrong arguments, 77 where there is no GPU to run on.
)";

namespace {

bool to_number(const std::string& text, std::uint64_t least, std::uint64_t most,
               std::uint64_t* value) {
  if (text.empty() || text.find_first_not_of("0123456789") != std::string::npos) return false;
  errno = 0;
  const unsigned long long number = std::strtoull(text.c_str(), nullptr, 10);
  if (errno != 0 || number < least || number > most) return false;
  *value = number;
  return true;
}

// What is wrong with an option that takes a value.
std::string set_value(const std::string& name, const std::string& value, Options* options) {
  constexpr std::uint64_t kAny = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t number = 0;
  const auto whole = [&](std::uint64_t least, std::uint64_t most) {
    return to_number(value, least, most, &number);
  };
  const std::string wrong = name + " cannot be '" + value + "'";
  if (name == "--frames") {
    if (!whole(1, kAny)) return wrong;
    options->frames = number;
  } else if (name == "--seconds") {
    if (!whole(1, 1000000)) return wrong;
    options->seconds = static_cast<double>(number);
  } else if (name == "--check-every") {
    if (!whole(1, kAny)) return wrong;
    options->check_every = number;
  } else if (name == "--fresh-every") {
    if (!whole(0, kAny)) return wrong;
    options->fresh_every = number;
  } else if (name == "--elements") {
    if (!whole(1, 1024)) return wrong;
    options->elements = static_cast<int>(number);
  } else if (name == "--pipelines") {
    if (!whole(1, 1024)) return wrong;
    options->pipelines = static_cast<int>(number);
  } else if (name == "--threads") {
    if (!whole(0, 256)) return wrong;
    options->threads = static_cast<unsigned>(number);
  } else if (name == "--backend") {
    if (value != "cpu" && value != "cuda" && value != "auto") return wrong;
    options->backend = value;
  } else if (name == "--memory") {
    if (value != "system" && value != "cuda" && value != "nvmm") return wrong;
    options->memory = value == "system" ? Memory::kSystem
                      : value == "cuda" ? Memory::kCuda
                                        : Memory::kNvmm;
  } else if (name == "--sizes") {
    if (value != "small" && value != "mixed") return wrong;
    options->small = value == "small";
  } else {
    return "there is no option " + name;
  }
  return {};
}

}  // namespace

std::string parse_options(int argc, char** argv, Options* options) {
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    const std::size_t equals = argument.find('=');
    std::string wrong;
    if (argument == "--help" || argument == "-h") return "--help";
    if (argument == "--share-context") {
      options->share_context = true;
    } else if (argument == "--short") {
      options->is_short = true;
    } else if (argument == "--no-leaks-tracer") {
      options->trace_objects = false;
    } else if (equals != std::string::npos) {
      wrong = set_value(argument.substr(0, equals), argument.substr(equals + 1), options);
    } else if (options->run.empty() && argument[0] != '-') {
      options->run = argument;
    } else {
      wrong = "there is no argument " + argument;
    }
    if (!wrong.empty()) return wrong;
  }
  if (options->run != "stream" && options->run != "many" && options->run != "restart") {
    return "say which: stream, many or restart";
  }
  if (options->frames == 0 && options->seconds == 0) return "say --frames or --seconds";
  if (options->memory == Memory::kCuda && options->backend == "cpu") {
    return "--memory=cuda needs --backend=cuda or --backend=auto";
  }
  if (options->memory == Memory::kNvmm && options->run != "stream") {
    return "--memory=nvmm is for stream: where several pipelines write, they need frames of their "
           "own";
  }
  if (options->run == "many" && options->pipelines > options->elements) {
    return "--pipelines is more than --elements";
  }
  return {};
}

}  // namespace rdp::endurance
