// SPDX-License-Identifier: LGPL-2.1-or-later
// Control functions for tests: see standin.h.
#include <cstring>

#include "tests/standin/state.h"

using standin::state;

STANDIN_EXPORT void standin_fail(const char* function, int nth, int result) {
  const std::lock_guard lock(state().mutex);
  if (nth <= 0) {
    state().failures.erase(function);
  } else {
    state().failures[function] = {nth, static_cast<CUresult>(result)};
  }
}

STANDIN_EXPORT int standin_fail_any(int nth, int result) {
  const std::lock_guard lock(state().mutex);
  const int left = state().any_failure.countdown;
  state().any_failure = {nth > 0 ? nth : 0, static_cast<CUresult>(result)};
  return left;
}

STANDIN_EXPORT int standin_count(const char* function) {
  const std::lock_guard lock(state().mutex);
  int sum = 0;
  for (const auto& [name, count] : state().counts) {
    if (function == nullptr || name == function) sum += count;
  }
  return sum;
}

STANDIN_EXPORT unsigned long long standin_bytes_copied(const char* direction) {
  const std::lock_guard lock(state().mutex);
  unsigned long long sum = 0;
  for (const auto& [name, bytes] : state().bytes) {
    if (direction == nullptr || name == direction) sum += bytes;
  }
  return sum;
}

STANDIN_EXPORT void standin_devices(int devices) {
  const std::lock_guard lock(state().mutex);
  state().devices = devices;
}

STANDIN_EXPORT void standin_kernel_milliseconds(int milliseconds) {
  const std::lock_guard lock(state().mutex);
  state().kernel_milliseconds = milliseconds;
}

STANDIN_EXPORT void standin_lose_contexts(int result) {
  const std::lock_guard lock(state().mutex);
  for (const auto& [context, owned] : state().contexts) {
    standin::lose(context, static_cast<CUresult>(result));
  }
}

STANDIN_EXPORT int standin_inside() { return standin::depth() > 0; }

STANDIN_EXPORT int standin_live(const char* kind) {
  const std::lock_guard lock(state().mutex);
  std::size_t count = 0;
  const bool all = std::strcmp(kind, "all") == 0;
  const auto add = [&](const char* name, std::size_t number) {
    if (all || std::strcmp(kind, name) == 0) count += number;
  };
  add("contexts", state().contexts.size());
  for (const auto& [context, owned] : state().contexts) {
    add("streams", context->streams.size());
    add("events", context->events.size());
    add("modules", context->modules.size());
    add("resources", context->resources.size());
  }
  for (const auto& [address, allocation] : state().allocations) {
    add(allocation.device ? "device-memory" : "host-memory", 1);
  }
  add("abandoned", static_cast<std::size_t>(state().abandoned));
  return static_cast<int>(count);
}
