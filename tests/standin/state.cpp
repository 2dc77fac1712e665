// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/standin/state.h"

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

namespace standin {
namespace {

// Fill bytes, so that unwritten memory is not zero: 0xCD if fresh, 0xDD if freed.
constexpr int kFresh = 0xCD;
constexpr std::align_val_t kAlignment{512};

// STANDIN_FAIL=function:nth:result,…
void read_failures(State* fresh) {
  const char* text = std::getenv("STANDIN_FAIL");
  if (text == nullptr) return;
  const std::string all = text;
  std::size_t begin = 0;
  while (begin < all.size()) {
    const std::size_t end = std::min(all.find(',', begin), all.size());
    const std::string one = all.substr(begin, end - begin);
    const std::size_t nth = one.find(':');
    const std::size_t result = nth == std::string::npos ? nth : one.find(':', nth + 1);
    if (result == std::string::npos)
      misuse("STANDIN_FAIL: '%s' is no function:nth:result", one.c_str());
    fresh->failures[one.substr(0, nth)] = {
        std::atoi(one.c_str() + nth + 1),
        static_cast<CUresult>(std::atoi(one.c_str() + result + 1))};
    begin = end + 1;
  }
}

State* new_state() {
  auto* fresh = new State;
  const char* devices = std::getenv("STANDIN_DEVICES");
  if (devices != nullptr) fresh->devices = std::atoi(devices);
  read_failures(fresh);
  return fresh;
}

// True for calls that only release something. They succeed in a context that works, even if an
// injection into any call (any_failure) is due. A sticky result has lost the context by then.
bool lets_go(const char* name) {
  for (const char* word : {"Free", "Destroy", "Unload", "Release", "PopCurrent"}) {
    if (std::strstr(name, word) != nullptr) return true;
  }
  return false;
}

}  // namespace

State& state() {
  // Never destroyed: static objects of the program may still free memory.
  static State* only = new_state();
  return *only;
}

std::vector<Context*>& context_stack() {
  static thread_local std::vector<Context*> stack;
  return stack;
}

int& depth() {
  static thread_local int calls = 0;
  return calls;
}

void misuse(const char* format, ...) {
  std::fputs("stand-in libcuda: ", stderr);
  va_list args;
  va_start(args, format);
  std::vfprintf(stderr, format, args);
  va_end(args);
  std::fputc('\n', stderr);
  std::abort();
}

bool is_sticky(CUresult result) {
  switch (result) {
    case CUDA_ERROR_ECC_UNCORRECTABLE:
    case CUDA_ERROR_ILLEGAL_ADDRESS:
    case CUDA_ERROR_LAUNCH_TIMEOUT:
    case CUDA_ERROR_HARDWARE_STACK_ERROR:
    case CUDA_ERROR_ILLEGAL_INSTRUCTION:
    case CUDA_ERROR_MISALIGNED_ADDRESS:
    case CUDA_ERROR_INVALID_ADDRESS_SPACE:
    case CUDA_ERROR_INVALID_PC:
    case CUDA_ERROR_LAUNCH_FAILED:
      return true;
    default:
      return false;
  }
}

Call::Call(const char* name, Needs needs) : lock_(state().mutex), name_(name) {
  State& s = state();
  ++s.counts[name];
  if (needs != Needs::kNothing && !s.initialised) {
    result_ = CUDA_ERROR_NOT_INITIALIZED;
    return;
  }
  if (!context_stack().empty()) context_ = context_stack().back();
  if (context_ != nullptr && !s.contexts.contains(context_)) {
    misuse("%s: the current context has been destroyed", name);
  }
  Failure& any = s.any_failure;
  const bool next = any.countdown > 0 && --any.countdown == 0;
  if (next && is_sticky(any.result) && context_ != nullptr) lose(context_, any.result);
  if (needs == Needs::kContext) {
    result_ = context_ == nullptr ? CUDA_ERROR_INVALID_CONTEXT : context_->lost;
    if (result_ != CUDA_SUCCESS) return;
  }
  if (next && !lets_go(name)) {
    result_ = any.result;
    return;
  }
  const auto failure = s.failures.find(name);
  if (failure == s.failures.end() || --failure->second.countdown > 0) return;
  result_ = failure->second.result;
  s.failures.erase(failure);
  if (is_sticky(result_) && context_ != nullptr) lose(context_, result_);
}

Context* find_context(CUcontext handle) {
  auto* context = reinterpret_cast<Context*>(handle);
  return state().contexts.contains(context) ? context : nullptr;
}

Stream* find_stream(const Call& call, CUstream handle) {
  if (handle == nullptr || handle == CU_STREAM_LEGACY) return nullptr;
  if (call.context() == nullptr) misuse("%s: a stream, but no current context", call.name());
  const auto found = call.context()->streams.find(reinterpret_cast<Stream*>(handle));
  if (found == call.context()->streams.end()) {
    misuse("%s: the stream is none of the current context", call.name());
  }
  return found->first;
}

Event* find_event(const Call& call, CUevent handle) {
  if (call.context() == nullptr) misuse("%s: an event, but no current context", call.name());
  const auto found = call.context()->events.find(reinterpret_cast<Event*>(handle));
  if (found == call.context()->events.end()) {
    misuse("%s: the event is none of the current context", call.name());
  }
  return found->first;
}

void flush(Stream* stream, std::uint64_t position) {
  // Blocking streams wait for the default stream.
  if (stream->blocking && stream != &stream->context->late) flush(&stream->context->late);
  while (stream->done < position && !stream->pending.empty()) {
    const std::function<void()> work = std::move(stream->pending.front());
    stream->pending.pop_front();
    work();
    ++stream->done;
  }
}

void flush(Stream* stream) { flush(stream, stream->submitted); }

void flush_context(Context* context) {
  flush(&context->late);
  for (const auto& [stream, owned] : context->streams) flush(stream);
}

void flush_for_default_stream(Context* context) {
  flush(&context->late);
  for (const auto& [stream, owned] : context->streams) {
    if (stream->blocking) flush(stream);
  }
}

void submit(const Call& call, Stream* stream, std::function<void()> work) {
  if (stream == nullptr) {
    flush_for_default_stream(call.context());
    work();
    return;
  }
  stream->pending.push_back(std::move(work));
  ++stream->submitted;
}

std::map<std::uintptr_t, Allocation>::iterator find_allocation(std::uintptr_t address) {
  auto& all = state().allocations;
  auto after = all.upper_bound(address);
  if (after == all.begin()) return all.end();
  --after;
  return address - after->first < after->second.size ? after : all.end();
}

void* allocate(std::size_t size, Context* owner, bool device) {
  void* memory = ::operator new(size, kAlignment, std::nothrow);
  if (memory == nullptr) return nullptr;
  std::memset(memory, kFresh, size);
  state().allocations[reinterpret_cast<std::uintptr_t>(memory)] = {size, owner, device};
  return memory;
}

void release(std::map<std::uintptr_t, Allocation>::iterator allocation) {
  ::operator delete(reinterpret_cast<void*>(allocation->first), kAlignment);
  state().allocations.erase(allocation);
}

void lose(Context* context, CUresult result) {
  context->lost = result;
  context->late.pending.clear();
  context->late.done = context->late.submitted;
  for (const auto& [stream, owned] : context->streams) {
    stream->pending.clear();
    stream->done = stream->submitted;
  }
}

void destroy_context(Context* context) {
  State& s = state();
  if (context->lost == CUDA_SUCCESS) flush_context(context);
  if (context->lost == CUDA_SUCCESS) {
    s.abandoned += static_cast<int>(context->streams.size() + context->events.size() +
                                    context->modules.size() + context->resources.size());
  }
  for (auto it = s.allocations.begin(); it != s.allocations.end();) {
    const auto next = std::next(it);
    if (it->second.owner == context) {
      if (context->lost == CUDA_SUCCESS) ++s.abandoned;
      release(it);
    }
    it = next;
  }
  s.contexts.erase(context);
}

}  // namespace standin
