// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_HEIGHTMAP_HEIGHTS_RIG_H_
#define RDP_TESTS_HEIGHTMAP_HEIGHTS_RIG_H_

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "common/image/lens_reach.h"
#include "common/image/rectification_map.h"
#include "common/image/reference.h"
#include "tests/heightmap/heights_expected.h"

// After the standard library: check.h defines a macro named fail.
#include "tests/support/await.h"
#include "tests/support/element_stats.h"
#include "tests/support/pipeline_rig.h"
#include "tests/support/temporary_files.h"

// heightmap between sources that tests push to and a sink that keeps the received buffers.
namespace heights_rig {

using frames::Content;
using frames::Shape;
using rdp::test::BlockCamera;
using rdp::test::check_has;
using rdp::test::ExpectedHeights;

inline constexpr GstClockTime kFrame = GST_SECOND / 30;

// Settings that are fast and whose height range includes the block.
inline const std::string kQuick =
    "min-height=0.4 max-height=0.8 height-step=0.05 window=3 speckle=4 iterations=6 threads=1 ";
inline rdp::heightmap::Parameters quick() {
  rdp::heightmap::Parameters parameters;
  parameters.min_height = 400;
  parameters.max_height = 800;
  parameters.height_step = 50;
  parameters.window = 3;
  parameters.speckle = 4;
  parameters.iterations = 6;
  return parameters;
}

// Cameras with pictures of these sizes.
struct Size {
  int width;
  int height;
};
inline std::vector<BlockCamera> cameras(const std::vector<Size>& sizes) {
  std::vector<BlockCamera> all;
  for (const Size& size : sizes) {
    all.push_back(rdp::test::block_camera(static_cast<int>(all.size()), size.width, size.height));
  }
  return all;
}
inline std::vector<BlockCamera> two() { return cameras({{48, 36}, {48, 36}}); }
inline std::vector<BlockCamera> three() { return cameras({{48, 36}, {40, 30}, {45, 33}}); }

inline std::vector<Content> draw(const std::vector<BlockCamera>& of, unsigned scene = 0) {
  std::vector<Content> pictures;
  for (const BlockCamera& camera : of) {
    pictures.emplace_back(Shape{GST_VIDEO_FORMAT_GRAY8, camera.view.width, camera.view.height});
    rdp::test::draw_block(camera, scene, pictures.back().view());
  }
  return pictures;
}

inline ExpectedHeights expected(const std::vector<BlockCamera>& of,
                                const std::vector<Content>& pictures, int reference = 0,
                                const rdp::heightmap::Parameters& parameters = quick(),
                                const rdp::heightmap::Area& area = {}) {
  rdp::heightmap::Rig rig;
  rig.reference = reference;
  for (const BlockCamera& camera : of) rig.views.push_back(camera.view);
  std::vector<rdp::DepthView> views;
  for (const Content& picture : pictures) views.push_back(picture.view());
  return rdp::test::expected_heights(rig, parameters, area, views);
}

inline GstBuffer* timed(GstBuffer* buffer, GstClockTime pts) {
  GST_BUFFER_PTS(buffer) = pts;
  GST_BUFFER_DURATION(buffer) = kFrame;
  return buffer;
}
// Adds the frame's camera.
inline GstBuffer* with_camera(GstBuffer* buffer, const BlockCamera& camera,
                              bool with_projection = false) {
  GstRdpCamera* described = rdp::test::new_camera(camera, with_projection);
  gst_buffer_add_rdp_camera_meta(buffer, described);
  gst_rdp_camera_unref(described);
  return buffer;
}

// The picture with the lens distortion k1 removed.
inline Content straightened(const BlockCamera& camera, const Content& picture, double k1) {
  rdp::ViewRectification lens;
  lens.camera.focal_x = lens.camera.focal_y = camera.focal;
  lens.camera.principal_x = camera.principal_x;
  lens.camera.principal_y = camera.principal_y;
  lens.rectified = lens.camera;
  lens.camera.distortion.none = false;
  lens.camera.distortion.k1 = k1;
  rdp::find_reach(&lens.camera.distortion);
  Content straight(picture.shape);
  rdp::reference::rectify(picture.view(),
                          rdp::rectification_map(lens, picture.shape.width, picture.shape.height),
                          straight.view());
  return straight;
}
// Adds the frame's camera, with lens distortion k1.
inline GstBuffer* with_lens(GstBuffer* buffer, const BlockCamera& camera, double k1) {
  g_autoptr(GstRdpCamera) plain = rdp::test::new_camera(camera);
  GstRdpCameraInfo info = *gst_rdp_camera_get_info(plain);
  info.distortion[0] = k1;
  g_autoptr(GstRdpCamera) bent = gst_rdp_camera_new(&info, nullptr);
  gst_buffer_add_rdp_camera_meta(buffer, bent);
  return buffer;
}

// The samples of a received frame.
inline std::vector<std::uint16_t> samples(GstBuffer* from, int width, int height) {
  const GstVideoMeta* meta = gst_buffer_get_video_meta(from);
  const gsize row_bytes = 2 * static_cast<gsize>(width);
  const gsize stride =
      meta != nullptr ? static_cast<gsize>(meta->stride[0]) : GST_ROUND_UP_4(row_bytes);
  const gsize offset = meta != nullptr ? meta->offset[0] : 0;
  std::vector<std::uint16_t> result(static_cast<std::size_t>(width) *
                                    static_cast<std::size_t>(height));
  for (int row = 0; row < height; ++row) {
    const gsize got = gst_buffer_extract(from, offset + static_cast<gsize>(row) * stride,
                                         result.data() + row * width, row_bytes);
    fail_unless_equals_int(got, row_bytes);
  }
  return result;
}

// Fails unless samples and metadata are as expected.
inline void check_heights(GstBuffer* got, const ExpectedHeights& of, const std::string& what,
                          bool depths = false) {
  const int width = of.rig.seen().width;
  fail_unless(samples(got, width, of.rig.seen().height) == (depths ? of.depths : of.heights), "%s",
              what.c_str());
  const std::string wrong = rdp::test::difference_of_metadata(of, got);
  fail_unless(wrong.empty(), "%s: %s", what.c_str(), wrong.c_str());
}

// `pads`: pad numbers in the order of the requests. `more`: elements after src. `sources`: further
// properties of each appsrc.
class Rig : public rdp::test::PipelineRig {
 public:
  explicit Rig(const std::string& properties, const std::vector<int>& pads,
               const std::string& more = "", const std::string& sources = "")
      : PipelineRig(line(properties, pads, more, sources)),
        pads_(pads),
        received_(std::make_unique<rdp::test::Received>(get("out"))) {}
  ~Rig() override { gst_element_set_state(pipeline(), GST_STATE_NULL); }

  static std::string source(int pad) { return "view" + std::to_string(pad); }
  GstElement* element() const { return get("h"); }
  rdp::test::Received& received() { return *received_; }
  void set_caps_of(const std::vector<Content>& pictures) const {
    for (std::size_t i = 0; i < pictures.size(); ++i) {
      set_caps(source(static_cast<int>(i)).c_str(), frames::caps_string(pictures[i].shape));
    }
  }
  void push_view(int pad, const Content& picture, GstClockTime pts) const {
    push(source(pad).c_str(), timed(frames::new_buffer(picture), pts));
  }
  void push_set(const std::vector<Content>& pictures, GstClockTime pts,
                const std::vector<GstClockTimeDiff>& later = {}) const {
    for (std::size_t i = 0; i < pictures.size(); ++i) {
      const GstClockTimeDiff by = i < later.size() ? later[i] : 0;
      push_view(static_cast<int>(i), pictures[i],
                static_cast<GstClockTime>(static_cast<GstClockTimeDiff>(pts) + by));
    }
  }
  void end_all() const {
    for (const int pad : pads_) end({source(pad).c_str()});
  }
  // Plays to end of stream, or to an error. Returns the error's text and debug text.
  std::string run() {
    end_all();
    gst_element_set_state(pipeline(), GST_STATE_PLAYING);
    return wait();
  }
  void check_runs() {
    const std::string error = run();
    fail_unless(error.empty(), "%s", error.c_str());
  }
  GstStructure* stats() const { return rdp::test::stats_of(element()); }
  guint64 stat(const char* name) const { return rdp::test::stat_of(element(), name); }
  // Statistic of one pad: "used" or "dropped".
  guint64 stat_of(int pad, const char* name) const {
    GstStructure* all = stats();
    GstStructure* inputs = nullptr;
    GstStructure* of = nullptr;
    guint64 value = 0;
    fail_unless(gst_structure_get(all, "inputs", GST_TYPE_STRUCTURE, &inputs, nullptr));
    fail_unless(gst_structure_get(inputs, ("sink_" + std::to_string(pad)).c_str(),
                                  GST_TYPE_STRUCTURE, &of, nullptr));
    fail_unless(gst_structure_get_uint64(of, name, &value), "no %s", name);
    for (GstStructure* each : {of, inputs, all}) gst_structure_free(each);
    return value;
  }

 private:
  static std::string line(const std::string& properties, const std::vector<int>& pads,
                          const std::string& more, const std::string& sources) {
    std::string result = "heightmap name=h " + properties;
    for (const int pad : pads) {
      result += " appsrc name=" + source(pad) + " format=time " + sources + " ! h.sink_" +
                std::to_string(pad);
    }
    return result + " h.src " + (more.empty() ? "" : more) +
           " ! fakesink name=out sync=false async=false";
  }

  std::vector<int> pads_;
  std::unique_ptr<rdp::test::Received> received_;
};

// Counts GAP events at a pad, and keeps the time of the last one.
class Gaps {
 public:
  explicit Gaps(GstPad* pad) : pad_(GST_PAD(gst_object_ref(pad))) {
    probe_ = gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, note, this, nullptr);
  }
  ~Gaps() {
    gst_pad_remove_probe(pad_, probe_);
    gst_object_unref(pad_);
  }
  std::atomic<guint> count{0};
  std::atomic<GstClockTime> last{GST_CLOCK_TIME_NONE};

 private:
  static GstPadProbeReturn note(GstPad*, GstPadProbeInfo* info, gpointer data) {
    auto* self = static_cast<Gaps*>(data);
    if (GST_EVENT_TYPE(GST_PAD_PROBE_INFO_EVENT(info)) == GST_EVENT_GAP) {
      GstClockTime time;
      gst_event_parse_gap(GST_PAD_PROBE_INFO_EVENT(info), &time, nullptr);
      self->last = time;
      ++self->count;
    }
    return GST_PAD_PROBE_OK;
  }
  GstPad* pad_;
  gulong probe_;
};

inline std::string calibration_of(rdp::test::Folder* folder, const std::vector<BlockCamera>& of) {
  return "calibration=" + folder->write("views.json", rdp::test::block_calibration(of)) + " ";
}

// Fails unless the text contains all parts.
inline void check_says(const std::string& text, std::initializer_list<const char*> parts) {
  for (const char* part : parts) check_has(text, part);
}

}  // namespace heights_rig

#endif  // RDP_TESTS_HEIGHTMAP_HEIGHTS_RIG_H_
