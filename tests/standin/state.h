// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_STANDIN_STATE_H_
#define RDP_TESTS_STANDIN_STATE_H_

#include <cuda.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "tests/standin/egl_image.h"
#include "tests/standin/host_kernels.h"

#define STANDIN_EXPORT extern "C" __attribute__((visibility("default")))

// State of the stand-in driver: the objects behind CUDA's handles, and counters. One mutex, which
// every entry point holds (see Call), guards all of it.
namespace standin {

struct Context;

// A stream runs its work only when a caller waits for it, as late as CUDA allows: code that forgets
// to wait finds no result. Copies from and to pageable host memory run at once, as in CUDA.
struct Stream {
  Context* context = nullptr;
  bool blocking = true;  // with respect to the default stream
  std::deque<std::function<void()>> pending;
  std::uint64_t submitted = 0;
  std::uint64_t done = 0;
};

struct Event {
  Context* context = nullptr;
  Stream* stream = nullptr;  // null: nothing to wait for
  std::uint64_t position = 0;
};

struct Module {
  Context* context = nullptr;
};

struct Function {
  Module* module = nullptr;
  std::string name;
  HostKernel kernel = nullptr;
  unsigned shared_limit = 48 * 1024;
};

// Foreign memory that is mapped as an EGL image.
struct Resource {
  Context* context = nullptr;
  EglImage* image = nullptr;
};

struct Context {
  CUdevice device = 0;
  bool primary = false;
  int retained = 0;
  CUresult lost = CUDA_SUCCESS;  // result of every call once the context is lost
  // The default stream's pending work, which may outlast a call: copies within the device,
  // asynchronous or not.
  Stream late;
  std::map<Stream*, std::unique_ptr<Stream>> streams;
  std::map<Event*, std::unique_ptr<Event>> events;
  std::map<Module*, std::unique_ptr<Module>> modules;
  std::map<Function*, std::unique_ptr<Function>> functions;
  std::map<Resource*, std::unique_ptr<Resource>> resources;
};

struct Allocation {
  std::size_t size = 0;
  Context* owner = nullptr;
  bool device = false;  // else page-locked memory of the host
};

struct Failure {
  int countdown = 0;  // fails when it gets to 0
  CUresult result = CUDA_SUCCESS;
};

struct State {
  std::recursive_mutex mutex;
  bool initialised = false;
  int devices = 1;
  int kernel_milliseconds = 0;  // extra duration of each kernel
  std::map<Context*, std::unique_ptr<Context>> contexts;
  std::map<CUdevice, Context*> primaries;
  std::map<std::uintptr_t, Allocation> allocations;
  std::map<std::string, Failure> failures;
  Failure any_failure;  // of any entry point
  std::map<std::string, int> counts;
  std::map<std::string, std::uint64_t> bytes;  // by direction
  int abandoned = 0;                           // objects destroyed with their context
};

State& state();
std::vector<Context*>& context_stack();  // of the calling thread
int& depth();                            // nesting of calls in the calling thread

// Reports a misuse and ends the process, so that no test can miss it. On a real device the effect
// ranges from an error to wrong pixels.
[[noreturn]] void misuse(const char* format, ...) __attribute__((format(printf, 1, 2)));

// One call of an entry point: holds the mutex, counts, and checks for injected failures.
class Call {
 public:
  enum class Needs { kNothing, kInit, kContext };
  Call(const char* name, Needs needs);
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;
  CUresult result() const { return result_; }
  Context* context() const { return context_; }  // the current one
  const char* name() const { return name_; }

 private:
  // Declared first, destroyed last: the stand-in's own allocations must not count as its users'.
  struct Inside {
    Inside() { ++depth(); }
    ~Inside() { --depth(); }
  } inside_;
  std::lock_guard<std::recursive_mutex> lock_;
  const char* name_;
  Context* context_ = nullptr;
  CUresult result_ = CUDA_SUCCESS;
};

#define STANDIN_ENTER(needs)                                       \
  const standin::Call call(__func__, standin::Call::Needs::needs); \
  if (call.result() != CUDA_SUCCESS) return call.result()

// Look up handles. A handle of another context than the current one is misuse.
Context* find_context(CUcontext handle);                 // null if there is none
Stream* find_stream(const Call& call, CUstream handle);  // null: the default stream
Event* find_event(const Call& call, CUevent handle);

// Runs a stream's submitted work up to a position.
void flush(Stream* stream, std::uint64_t position);
void flush(Stream* stream);
void flush_context(Context* context);
// Runs the work that the default stream waits for: its own, and that of all blocking streams.
void flush_for_default_stream(Context* context);
// Queues work, or runs it at once in the default stream.
void submit(const Call& call, Stream* stream, std::function<void()> work);

// The allocation around an address, or none.
std::map<std::uintptr_t, Allocation>::iterator find_allocation(std::uintptr_t address);
void* allocate(std::size_t size, Context* owner, bool device);
void release(std::map<std::uintptr_t, Allocation>::iterator allocation);

void lose(Context* context, CUresult result);
bool is_sticky(CUresult result);
// Destroys a context with everything that is left in it.
void destroy_context(Context* context);

}  // namespace standin

#endif  // RDP_TESTS_STANDIN_STATE_H_
