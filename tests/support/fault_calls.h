// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_SUPPORT_FAULT_CALLS_H_
#define RDP_TESTS_SUPPORT_FAULT_CALLS_H_

#include <cuda.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/standin/standin.h"
#include "tests/support/fault_rig.h"
#include "tests/support/parameters.h"

// Runs one stream through rdpsegment for each call to the stand-in driver, and lets that call fail.
namespace fault_calls {

// A recoverable error, two errors that destroy the context, and one that the calls in question
// never return.
constexpr CUresult kAnswers[] = {CUDA_ERROR_OUT_OF_MEMORY, CUDA_ERROR_LAUNCH_FAILED,
                                 CUDA_ERROR_ILLEGAL_ADDRESS, CUDA_ERROR_NOT_READY};

struct Setting {
  std::string name;
  const char* backend = "cuda";
  std::string caps;  // of the frames
  rdp::Parameters parameters;
  const char* overlay_caps = nullptr;  // caps accepted behind the overlay; null: no overlay
  bool reconstruct = false;
  // Makes at least three frames for each stream, in a working context.
  std::function<std::vector<GstBuffer*>()> frames;
  // Keeps the memory of the frames until the test frees it: its calls must not fail.
  bool hold_memory = false;
  // The fault of the samples of output frame `number`; null: not checked.
  std::function<std::string(GstBuffer*, guint64 number)> samples;
  // True if the samples are unreadable because their context is lost; null: they need no context.
  std::function<bool(GstBuffer*)> samples_lost;
};

inline void apply(GstElement* element, const Setting& setting) {
  gst_util_set_object_arg(G_OBJECT(element), "backend", setting.backend);
  set_parameters(element, setting.parameters);
  g_object_set(element, "threads", 1U, "output", setting.reconstruct ? 1 : 0, nullptr);
}

// Counts over all streams of a setting.
struct Tally {
  unsigned streams = 0;
  unsigned errors = 0;
  unsigned warnings = 0;
  guint64 frames = 0;  // output frames
  unsigned lost = 0;   // output frames whose segments the GPU lost before the first read
};

// True if a frame reports that its segments are lost, and has none.
inline bool is_lost(GstBuffer* buffer) {
  GstRdpSegmentation* segmentation = gst_rdp_buffer_get_segmentation(buffer);
  g_autoptr(GError) error = nullptr;
  if (gst_rdp_segmentation_fetch(segmentation, &error) != FALSE) return false;
  fail_unless(g_error_matches(error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_READ));
  return gst_rdp_segmentation_get_n_segments(segmentation) == 0;
}

// Runs one stream in which call `nth` returns `answer`. False: there are fewer calls.
inline bool check_call(const Setting& setting, const faults::Film& film, int nth, CUresult answer,
                       Tally* tally) {
  const std::string fault =
      setting.name + ", call " + std::to_string(nth) + " answered " + std::to_string(answer);
  GST_INFO("%s", fault.c_str());
  std::vector<GstBuffer*> frames = setting.frames();
  std::vector<GstMemory*> held;
  for (GstBuffer* frame : frames) {
    if (setting.hold_memory) held.push_back(gst_buffer_get_memory(frame, 0));
  }
  faults::Rig rig("rdpsegment", setting.overlay_caps != nullptr);
  apply(rig.element, setting);
  if (rig.overlay != nullptr) {
    rig.overlay->query = [&](GstQuery* query) {
      if (GST_QUERY_TYPE(query) != GST_QUERY_CAPS) return false;
      GstCaps* caps = gst_caps_from_string(setting.overlay_caps);
      gst_query_set_caps_result(query, caps);
      gst_caps_unref(caps);
      return true;
    };
  }
  int lost = 0;
  // Reading the segments calls the driver, too: no call fails meanwhile.
  rig.main.look = [&](GstBuffer* buffer, guint64 number) {
    const int left = standin::inject_any(0, 0);
    std::string complaint = film.complaint(buffer, number);
    // A frame is complete when it leaves the element, so it cannot fail if the context is lost
    // later. Then its segmentation reports the loss, and the next frame fails. Without such a
    // report, the frame must be right.
    const bool context_lost =
        left == 0 && answer != CUDA_ERROR_OUT_OF_MEMORY && answer != CUDA_ERROR_NOT_READY;
    if (!complaint.empty() && context_lost && is_lost(buffer)) {
      lost++;
      return std::string();
    }
    if (complaint.empty() && setting.samples != nullptr) {
      // Samples in the context's memory become unreadable in the same way, even if the segments
      // were on the host before.
      if (context_lost && setting.samples_lost != nullptr && setting.samples_lost(buffer)) {
        lost++;
        return std::string();
      }
      complaint = setting.samples(buffer, number);
    }
    standin::inject_any(left, answer);
    return complaint;
  };
  standin::inject_any(nth, answer);
  bool well = rig.start() && rig.begin(gst_caps_from_string(setting.caps.c_str()));
  guint64 taken = 0;
  for (GstBuffer*& frame : frames) {
    if (well) {
      well = rig.push(frame) == GST_FLOW_OK;
      taken += well ? 1 : 0;
    } else {
      gst_buffer_unref(frame);
    }
    frame = nullptr;
  }
  rig.stop();
  const bool reached = standin::inject_any(0, 0) == 0;
  for (GstMemory* memory : held) gst_memory_unref(memory);

  const faults::Said said = faults::listen(rig.bus);
  fail_unless(rig.main.complaint().empty(), "%s: %s", fault.c_str(), rig.main.complaint().c_str());
  fail_unless(rig.main.count() == taken, "%s: %d of %d frames", fault.c_str(),
              static_cast<int>(rig.main.count()), static_cast<int>(taken));
  fail_unless(said.errors.size() == (well ? 0 : 1), "%s: %d frames taken, and %s", fault.c_str(),
              static_cast<int>(taken), said.text().c_str());
  fail_unless(said.warnings.size() <= 1, "%s: %s", fault.c_str(), said.text().c_str());
  fail_unless(reached || (well && said.warnings.empty()));
  const bool next_failed = !well || taken == frames.size();
  fail_unless(lost <= (next_failed ? 1 : 0), "%s: %d frames lost their segments", fault.c_str(),
              lost);
  tally->lost += static_cast<unsigned>(lost);
  tally->streams += reached ? 1 : 0;
  tally->errors += static_cast<unsigned>(said.errors.size());
  tally->warnings += static_cast<unsigned>(said.warnings.size());
  tally->frames += taken;

  frames = setting.frames();
  rig.check_fresh_start(fault, gst_caps_from_string(setting.caps.c_str()),
                        [&](guint64 number) { return std::exchange(frames[number], nullptr); });
  for (GstBuffer*& frame : frames) gst_clear_buffer(&frame);
  return reached;
}

// Runs every call with RDPSEGMENT_FAULTS above 1. Otherwise every `step`th for each answer, shifted
// by one per answer, so that few calls are left out.
inline Tally check_calls(const Setting& setting, int step) {
  const faults::Film film({GST_VIDEO_FORMAT_GRAY16_LE, 24, 16}, setting.parameters);
  if (faults::factor() > 1) step = 1;
  Tally tally;
  const int before = standin::live("all");
  int first = 1;
  for (const CUresult answer : kAnswers) {
    int nth = first++;
    while (check_call(setting, film, nth, answer, &tally)) nth += step;
  }
  // Objects whose context could not be made current were destroyed with it.
  const int left = standin::live("all") - standin::live("abandoned");
  fail_unless(left <= before, "%s: %d of the driver's objects are left", setting.name.c_str(),
              left - before);
  std::printf(
      "%s: %u calls failed, %u errors, %u warnings, %d frames came out, %u lost their segments\n",
      setting.name.c_str(), tally.streams, tally.errors, tally.warnings,
      static_cast<int>(tally.frames), tally.lost);
  return tally;
}

}  // namespace fault_calls

#endif  // RDP_TESTS_SUPPORT_FAULT_CALLS_H_
