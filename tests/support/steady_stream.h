// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_SUPPORT_STEADY_STREAM_H_
#define RDP_TESTS_SUPPORT_STEADY_STREAM_H_

#include <cstdint>
#include <string>

#include "tests/support/allocation_count.h"
#include "tests/support/pipeline_rig.h"

// The number of allocations of a file source in steady state.
namespace rdp::test {

inline constexpr int kSettledBuffers = 20;  // warm-up
inline constexpr int kCountedBuffers = 40;

// True in the streaming thread. Others are not counted, since they still start the pipeline.
inline thread_local bool streaming = false;

// Allocation counts at buffer kSettledBuffers, and kCountedBuffers later. Streaming thread.
struct SteadyCounts {
  int buffers = 0;
  std::uint64_t first = 0;
  std::uint64_t last = 0;
};

inline GstPadProbeReturn count_steady(GstPad*, GstPadProbeInfo*, gpointer data) {
  auto* counts = static_cast<SteadyCounts*>(data);
  if (counts->buffers == kSettledBuffers) counts->first = allocation_count::count;
  if (counts->buffers == kSettledBuffers + kCountedBuffers) counts->last = allocation_count::count;
  ++counts->buffers;
  // GLib reuses the thread for other work afterwards.
  streaming = counts->buffers <= kSettledBuffers + kCountedBuffers;
  return GST_PAD_PROBE_OK;
}

// The allocations for kCountedBuffers buffers of a source, which needs the properties loop and
// num-buffers.
inline std::uint64_t steady_allocations(const std::string& source, const std::string& settings,
                                        const std::string& sink) {
  allocation_count::not_counted = [] { return streaming ? 0 : 1; };
  PipelineRig rig(source + " name=source loop=true num-buffers=" +
                  std::to_string(kSettledBuffers + kCountedBuffers + 5) + " " + settings + " ! " +
                  sink);
  SteadyCounts counts;
  GstPad* pad = gst_element_get_static_pad(rig.get("source"), "src");
  gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_BUFFER, count_steady, &counts, nullptr);
  gst_object_unref(pad);
  rig.play();
  const std::string error = rig.wait();
  fail_unless(error.empty(), "%s", error.c_str());
  fail_unless_equals_int(counts.buffers, kSettledBuffers + kCountedBuffers + 5);
  return counts.last - counts.first;
}

}  // namespace rdp::test

#endif  // RDP_TESTS_SUPPORT_STEADY_STREAM_H_
