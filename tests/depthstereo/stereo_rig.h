// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_DEPTHSTEREO_STEREO_RIG_H_
#define RDP_TESTS_DEPTHSTEREO_STEREO_RIG_H_

#include <gst/rdpsegment/rdpsegment.h>
#include <gst/video/video.h>

#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "common/stereo/reference.h"
#include "tests/stereo/stereo_patterns.h"
#include "tests/support/await.h"
#include "tests/support/element_stats.h"
#include "tests/support/pipeline_rig.h"

// depthstereo between sources that tests push to and sinks that keep the received buffers; pairs,
// and the reference's results for them.
namespace stereo_rig {

using rdp::test::check_has;
using rdp::test::PairKind;

// An 8-bit picture without row padding.
struct Picture {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> samples;

  rdp::MutableDepthView view() {
    return {reinterpret_cast<std::byte*>(samples.data()), width, width, height,
            rdp::SampleType::kU8};
  }
  rdp::DepthView view() const {
    return {reinterpret_cast<const std::byte*>(samples.data()), width, width, height,
            rdp::SampleType::kU8};
  }
};
inline Picture picture(int width, int height, std::uint8_t fill = 0) {
  return {width, height,
          std::vector<std::uint8_t>(
              static_cast<std::size_t>(width) * static_cast<std::size_t>(height), fill)};
}

struct Views {
  Picture left;
  Picture right;
};
inline Views draw(int width, int height, const rdp::stereo::Parameters& parameters,
                  std::uint64_t seed = 1, PairKind kind = PairKind::kTextured) {
  Views views{picture(width, height), picture(width, height)};
  rdp::test::draw_pair(kind, {views.left.view(), views.right.view(), {}, {}}, parameters, seed);
  return views;
}

// The scalar reference's result for the views.
struct Expected {
  std::vector<std::uint16_t> disparity;
  std::vector<std::uint8_t> confidence;
  rdp::stereo::Counts counts;
};
inline Expected match(const Views& views, const rdp::stereo::Parameters& parameters) {
  const int width = views.left.width;
  const int height = views.left.height;
  Expected result;
  result.disparity.resize(views.left.samples.size());
  result.confidence.resize(views.left.samples.size());
  const rdp::MutableDepthView disparity{reinterpret_cast<std::byte*>(result.disparity.data()),
                                        2 * width, width, height, rdp::SampleType::kU16};
  const rdp::MutableDepthView confidence{reinterpret_cast<std::byte*>(result.confidence.data()),
                                         width, width, height, rdp::SampleType::kU8};
  result.counts = rdp::stereo::reference::match({views.left.view(), views.right.view(), {}, {}},
                                                parameters, {disparity, confidence});
  return result;
}

inline std::string caps(const std::string& format, int width, int height,
                        const std::string& more = "") {
  return "video/x-raw,format=" + format + ",width=" + std::to_string(width) +
         ",height=" + std::to_string(height) + ",framerate=30/1" + more;
}

// A GRAY8, NV12 or I420 frame whose luma is the picture.
inline GstBuffer* buffer(const Picture& picture, GstClockTime pts = 0,
                         const char* format = "GRAY8") {
  GstVideoInfo info;
  gst_video_info_set_format(&info, gst_video_format_from_string(format),
                            static_cast<guint>(picture.width), static_cast<guint>(picture.height));
  GstBuffer* result = gst_buffer_new_allocate(nullptr, GST_VIDEO_INFO_SIZE(&info), nullptr);
  gst_buffer_memset(result, 0, 0x5A, GST_VIDEO_INFO_SIZE(&info));
  for (int row = 0; row < picture.height; ++row) {
    gst_buffer_fill(result, static_cast<gsize>(row) * static_cast<gsize>(info.stride[0]),
                    picture.samples.data() + row * picture.width,
                    static_cast<gsize>(picture.width));
  }
  GST_BUFFER_PTS(result) = pts;
  GST_BUFFER_DURATION(result) = GST_SECOND / 30;
  return result;
}

// The samples of a received frame without row padding. Its GstVideoMeta, or else the caps, define
// the layout.
template <typename Sample>
std::vector<Sample> samples(GstBuffer* from, int width, int height) {
  const GstVideoMeta* meta = gst_buffer_get_video_meta(from);
  const gsize row_bytes = sizeof(Sample) * static_cast<gsize>(width);
  const gsize stride =
      meta != nullptr ? static_cast<gsize>(meta->stride[0]) : GST_ROUND_UP_4(row_bytes);
  const gsize offset = meta != nullptr ? meta->offset[0] : 0;
  std::vector<Sample> result(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
  for (int row = 0; row < height; ++row) {
    const gsize got = gst_buffer_extract(from, offset + static_cast<gsize>(row) * stride,
                                         result.data() + row * width, row_bytes);
    fail_unless_equals_int(got, row_bytes);
  }
  return result;
}

template <typename Sample>
void check_same(const std::vector<Sample>& got, const std::vector<Sample>& expected, int width,
                const std::string& what) {
  fail_unless_equals_int(got.size(), expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    fail_unless(got[i] == expected[i], "%s: %d, not %d, at row %d, column %d", what.c_str(),
                int{got[i]}, int{expected[i]}, static_cast<int>(i) / width,
                static_cast<int>(i) % width);
  }
}

// `pads`: the request pads to use, with a blank before each: " left right overlay".
class Rig : public rdp::test::PipelineRig {
 public:
  explicit Rig(const std::string& properties, const std::string& pads = " left right")
      : PipelineRig(line(properties, pads)) {
    received_["src"] = std::make_unique<rdp::test::Received>(get("out_src"));
    for (const char* pad : {"overlay", "rectified", "confidence"}) {
      if (pads.find(std::string(" ") + pad) == std::string::npos) continue;
      received_[pad] =
          std::make_unique<rdp::test::Received>(get((std::string("out_") + pad).c_str()));
    }
    for (const char* pad : {"left", "right"}) {
      if (pads.find(std::string(" ") + pad) != std::string::npos) inputs_.push_back(pad);
    }
  }
  ~Rig() override { gst_element_set_state(pipeline(), GST_STATE_NULL); }

  GstElement* element() const { return get("d"); }
  rdp::test::Received& received(const char* pad = "src") { return *received_.at(pad); }
  void set_all_caps(const std::string& text) const {
    for (const char* input : inputs_) set_caps(input, text);
  }
  void push_pair(const Views& views, GstClockTime pts = 0, const char* format = "GRAY8") const {
    push("left", buffer(views.left, pts, format));
    push("right", buffer(views.right, pts, format));
  }
  // Plays to end of stream, or to an error. Returns the error's text and debug text.
  std::string run() {
    for (const char* input : inputs_) end({input});
    if (gst_element_set_state(pipeline(), GST_STATE_PLAYING) == GST_STATE_CHANGE_FAILURE) {
      return wait();
    }
    return wait();
  }
  void check_runs() {
    const std::string error = run();
    fail_unless(error.empty(), "%s", error.c_str());
  }
  GstStructure* stats() const { return rdp::test::stats_of(element()); }
  guint64 stat(const char* name) const { return rdp::test::stat_of(element(), name); }
  double share(const char* name) const { return rdp::test::share_of(element(), name); }

 private:
  static std::string line(const std::string& properties, const std::string& pads) {
    std::string result = "depthstereo name=d " + properties;
    for (const char* pad : {"left", "right"}) {
      if (pads.find(std::string(" ") + pad) == std::string::npos) continue;
      result += std::string(" appsrc name=") + pad + " format=time ! d." + pad;
    }
    for (const char* pad : {"src", "overlay", "rectified", "confidence"}) {
      if (!g_str_equal(pad, "src") && pads.find(std::string(" ") + pad) == std::string::npos) {
        continue;
      }
      result +=
          std::string(" d.") + pad + " ! fakesink name=out_" + pad + " sync=false async=false";
    }
    return result;
  }

  std::vector<const char*> inputs_;
  std::map<std::string, std::unique_ptr<rdp::test::Received>> received_;
};

}  // namespace stereo_rig

#endif  // RDP_TESTS_DEPTHSTEREO_STEREO_RIG_H_
