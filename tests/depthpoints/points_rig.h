// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_DEPTHPOINTS_POINTS_RIG_H_
#define RDP_TESTS_DEPTHPOINTS_POINTS_RIG_H_

#include "tests/support/pipeline_rig.h"
// After gst/check/gstcheck.h.
#include <gst/rdpsegment/rdpcamerameta.h>
#include <gst/rdpsegment/rdpcamerametric.h>

#include <cstring>
#include <string>
#include <vector>

#include "tests/points/clouds.h"
#include "tests/support/camera_fixture.h"

// Helpers shared by the tests of depthpoints.
namespace points_rig {

using frames::Content;
using frames::Shape;

class Rig : public rdp::test::PipelineRig {
 public:
  explicit Rig(const std::string& properties, const std::string& behind = "")
      : PipelineRig("appsrc name=in format=time ! depthpoints name=p " + properties + " ! " +
                    behind + "fakesink name=out async=false sync=false"),
        received(get("out")) {}
  // Stops the pipeline before `received` is destroyed.
  ~Rig() override { gst_element_set_state(pipeline(), GST_STATE_NULL); }

  std::string run() {
    end({"in"});
    play();
    return wait();
  }

  rdp::test::Received received;
};

// The camera `info` scaled to this picture size.
inline GstRdpCameraInfo sized(const GstRdpCameraInfo& info, const Shape& shape) {
  return sized_camera(info, shape.width, shape.height);
}

inline void add_camera(GstBuffer* buffer, const GstRdpCameraInfo& info) {
  g_autoptr(GstRdpCamera) camera = new_camera(info);
  gst_buffer_add_rdp_camera_meta(buffer, camera);
}

inline Content content_of(const Shape& shape) {
  return frames::draw(shape, frames::Scene::kSurface, 1);
}

inline GstBuffer* buffer_of(const Content& content, GstClockTime pts = 0) {
  GstBuffer* buffer = frames::new_buffer(content);
  GST_BUFFER_PTS(buffer) = pts;
  GST_BUFFER_DURATION(buffer) = GST_SECOND / 30;
  return buffer;
}

inline std::vector<float> expected_cloud(const Content& content, const GstRdpCameraInfo& info,
                                         const rdp::points::Parameters& parameters = {}) {
  g_autoptr(GstRdpCamera) camera = new_camera(info);
  rdp::MetricCamera metric;
  fail_unless(rdp::meta::metric_camera(camera, nullptr, &metric, nullptr));
  return rdp::points::test::expected_cloud(content.view(), &metric, parameters);
}

inline void check_cloud(GstBuffer* cloud, const std::vector<float>& expected, const Shape& shape,
                        const std::string& what) {
  fail_unless_equals_uint64(gst_buffer_get_size(cloud), expected.size() * sizeof(float));
  std::vector<float> points(expected.size());
  gst_buffer_extract(cloud, 0, points.data(), expected.size() * sizeof(float));
  const std::string difference =
      rdp::points::test::difference(expected, points.data(), shape.width);
  fail_unless(difference.empty(), "%s: %s", what.c_str(), difference.c_str());
}

}  // namespace points_rig

#endif  // RDP_TESTS_DEPTHPOINTS_POINTS_RIG_H_
