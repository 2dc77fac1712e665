// SPDX-License-Identifier: LGPL-2.1-or-later
// In steady state an element allocates nothing per frame on host and device, and the number of
// waits for the device is as stated.
#include "tests/support/allocation_count.h"

#include <algorithm>

// Included last, because these include gst-check.
#include "tests/conformance/stream.h"
#include "tests/conformance/workplace.h"
#include "tests/standin/standin.h"
#include "tests/support/await.h"
#include "tests/support/meta_allocations.h"

namespace conformance {
namespace {

constexpr guint64 kSettled = 20;
constexpr guint64 kCounted = 30;
// The number of measurements; the smallest counts. A delayed thread may make a pool grow once.
constexpr guint64 kTries = 3;

int is_elsewhere() {
  static auto* const inside = standin::available() ? standin::inside() : nullptr;
  return faults::is_at_work() && (inside == nullptr || inside() == 0) ? 0 : 1;
}

int driver_allocations() {
  if (!standin::available()) return 0;
  int sum = 0;
  for (const char* call :
       {"cuMemAlloc_v2", "cuMemAllocPitch_v2", "cuMemHostAlloc", "cuMemFree_v2", "cuMemFreeHost",
        "cuStreamCreate", "cuEventCreate", "cuModuleLoadData", "cuModuleGetFunction"}) {
    sum += standin::count(call);
  }
  return sum;
}

void nothing_is_allocated_for(const Element& element) {
  // Shared memory would be copied before a write.
  if (element.writes && memory().make != nullptr) return;
  const Film film(element);
  for (const bool sides : {false, true}) {
    if (sides && element.sides.empty()) continue;
    Stream stream(film, sides);
    allocation_count::not_counted = is_elsewhere;
    allocation_count::looks_at_callers = true;
    const faults::AtWork now(true);
    const faults::InTest test;
    fail_unless(stream.start() && stream.begin());
    // Frames in CUDA memory reuse their memory, as from a pool.
    std::vector<std::vector<GstBuffer*>> sources(kScenes);
    const bool keeps = memory().make != nullptr;
    for (guint64 scene = 0; keeps && scene < kScenes; ++scene) {
      for (std::size_t i = 0; i < element.inputs.size(); ++i) {
        sources[scene].push_back(film.make(i, scene));
      }
    }
    std::uint64_t on_host = G_MAXUINT64;
    std::string callers;
    std::uint64_t before = 0;
    int in_driver = G_MAXINT;
    int before_in_driver = 0;
    for (guint64 number = 0; number <= kSettled + kTries * kCounted; ++number) {
      if (number >= kSettled && (number - kSettled) % kCounted == 0) {
        if (number > kSettled) {
          const std::uint64_t here = allocation_count::count - before;
          if (here > 0 && here < on_host) callers = allocation_count::last();
          on_host = std::min(on_host, here);
          in_driver = std::min(in_driver, driver_allocations() - before_in_driver);
        }
        before = allocation_count::count;
        before_in_driver = driver_allocations();
      }
      for (std::size_t i = 0; i < element.inputs.size(); ++i) {
        stream.push(i, keeps ? film.finish(gst_buffer_copy(sources[number % kScenes][i]), i, number)
                             : film.make(i, number));
      }
      fail_unless(stream.await(number + 1), "%s", stream.said.text().c_str());
      for (std::size_t i = 0; sides && i < element.sides.size(); ++i) {
        stream.side(i)->count_after(number + 1);
      }
    }
    stream.stop();
    for (const auto& scene : sources) {
      for (GstBuffer* source : scene) gst_buffer_unref(source);
    }
    // GstAggregator wakes up for each input, and then queries the latency of itself and its inputs.
    const std::uint64_t allowed =
        (element.allocations + rdp::test::meta_allocations(element.metas) +
         rdp::test::query_allocations(element.queries)) *
        kCounted;
    fail_unless(on_host <= allowed,
                "%s: %s%s: %d allocations in %d frames, %d allowed, the last by%s",
                element.name.c_str(), element.settings.c_str(), sides ? ", sides" : "",
                static_cast<int>(on_host), static_cast<int>(kCounted), static_cast<int>(allowed),
                callers.c_str());
    fail_unless(in_driver == 0, "%s%s: %d of the driver's in %d frames", element.name.c_str(),
                sides ? ", sides" : "", in_driver, static_cast<int>(kCounted));
  }
}

// On the CPU also with other settings.
void nothing_is_allocated(const Element& element) {
  nothing_is_allocated_for(element);
  if (memory().settings != "cpu" || memory().make != nullptr) return;
  const Workplace workplace;
  for (const Element& way : element.ways) nothing_is_allocated_for(way);
}

int waits_for_device() {
  return standin::count("cuStreamSynchronize") + standin::count("cuEventSynchronize");
}

// Counts the host's waits for the device per frame in CUDA memory, without a read of the results.
void waits(const Element& element) {
  const Film film(element);
  Stream stream(film);
  stream.look = [](GstBuffer*, guint64) { return std::string(); };
  fail_unless(stream.start() && stream.begin());
  constexpr guint64 kFew = 10;
  int sum = 0;
  for (guint64 number = 0; number < 2 * kFew; ++number) {
    std::vector<GstBuffer*> buffers;
    for (std::size_t i = 0; i < element.inputs.size(); ++i) buffers.push_back(film.make(i, number));
    const int before = waits_for_device();
    for (std::size_t i = 0; i < buffers.size(); ++i) stream.push(i, buffers[i]);
    fail_unless(stream.await(number + 1), "%s", stream.said.text().c_str());
    if (number >= kFew) sum += waits_for_device() - before;
  }
  fail_unless(sum == static_cast<int>(element.waits * kFew), "%s: %d waits in %d frames, not %d",
              element.name.c_str(), sum, static_cast<int>(kFew),
              static_cast<int>(element.waits * kFew));
}

bool counts(const Element& element) { return RDP_COUNTS_ALLOCATIONS && !element.is_source(); }
// Calls to a real driver cannot be counted.
bool counts_waits(const Element& element) { return standin::available() && !element.is_source(); }

}  // namespace

Rows steady_rows() {
  return {"steady",
          {{"nothing is allocated", nothing_is_allocated, counts, Row::Over::kCopied},
           {"waits", waits, counts_waits, Row::Over::kDevice}}};
}

}  // namespace conformance
