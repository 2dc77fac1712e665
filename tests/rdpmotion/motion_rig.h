// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_RDPMOTION_MOTION_RIG_H_
#define RDP_TESTS_RDPMOTION_MOTION_RIG_H_

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/element_stats.h"
#include "tests/support/pipeline_rig.h"

// Pipelines with rdpmotion behind depthtestsrc, and hooks that modify their buffers.
namespace rdp::test {

inline constexpr int kWidth = 320;
inline constexpr int kHeight = 120;

inline std::string source(const std::string& view, int frames = 12, const std::string& more = "",
                          int width = kWidth, int height = kHeight) {
  return "depthtestsrc pattern=traffic view=" + view + " num-buffers=" + std::to_string(frames) +
         " " + more + " ! video/x-raw,width=" + std::to_string(width) +
         ",height=" + std::to_string(height) + " ! ";
}

inline const std::string kSegments =
    "rdpsegment epsilon=2 sample-scale=0.00390625 merge=true name=s ! m.depth ";
inline const std::string kTracks = "klttrack cell=8 threads=1 name=k ! m.video ";

inline std::string line(const std::string& settings, const std::string& depth = source("depth"),
                        const std::string& video = source("left")) {
  return depth + kSegments + video + kTracks + "rdpmotion name=m " + settings +
         " ! fakesink name=out sync=false async=false ";
}

// A pose file for a camera that drives `step` metres ahead per frame.
inline std::string poses(int frames, double step) {
  std::string text;
  for (int i = 0; i < frames; ++i) {
    text += "1 0 0 0 0 1 0 0 0 0 1 " + std::to_string(i * step) + "\n";
  }
  return text;
}

class MotionRig : public PipelineRig {
 public:
  using PipelineRig::PipelineRig;
  ~MotionRig() override { gst_element_set_state(pipeline(), GST_STATE_NULL); }

  // Called for each buffer of a pad; `number` counts from 0. False drops the buffer.
  using Change = std::function<bool(GstBuffer* buffer, int number)>;
  void change(const char* element, Change change) {
    changes_.push_back(std::make_unique<Changed>(std::move(change)));
    g_autoptr(GstPad) pad = gst_element_get_static_pad(get(element), "src");
    gst_pad_add_probe(
        pad, GST_PAD_PROBE_TYPE_BUFFER,
        [](GstPad*, GstPadProbeInfo* info, gpointer data) -> GstPadProbeReturn {
          auto* changed = static_cast<Changed*>(data);
          GST_PAD_PROBE_INFO_DATA(info) = gst_buffer_make_writable(GST_PAD_PROBE_INFO_BUFFER(info));
          return changed->change(GST_PAD_PROBE_INFO_BUFFER(info), changed->number++)
                     ? GST_PAD_PROBE_OK
                     : GST_PAD_PROBE_DROP;
        },
        changes_.back().get(), nullptr);
  }
  std::string run() {
    play();
    return wait();
  }
  GstStructure* stats() const { return rdp::test::stats_of(get("m")); }
  guint64 stat(const char* name) const { return rdp::test::stat_of(get("m"), name); }

 private:
  struct Changed {
    explicit Changed(Change to) : change(std::move(to)) {}
    Change change;
    int number = 0;
  };
  std::vector<std::unique_ptr<Changed>> changes_;
};

inline gboolean remove_meta(GstBuffer*, GstMeta** meta, gpointer api) {
  if ((*meta)->info->api == *static_cast<GType*>(api)) *meta = nullptr;
  return TRUE;
}
inline void remove_metas(GstBuffer* buffer, GType api) {
  gst_buffer_foreach_meta(buffer, remove_meta, &api);
}

}  // namespace rdp::test

#endif  // RDP_TESTS_RDPMOTION_MOTION_RIG_H_
