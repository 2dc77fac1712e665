// SPDX-License-Identifier: LGPL-2.1-or-later
// One depthpoints: sizes, content, cameras, properties and states change, and clouds are compared
// with the reference.
#include <gst/rdpsegment/rdpcamerametric.h>

#include <array>
#include <memory>
#include <stdexcept>

#include "tests/endurance/element_run.h"
#include "tests/points/clouds.h"
#include "tests/support/camera_infos.h"

namespace rdp::endurance {
namespace {

constexpr std::array<KnownRange, 3> kKnown = {{{1, 65535}, {5, 20000}, {200, 201}}};

// A frame that goes round, and the clouds of it.
struct PreparedFrame {
  PreparedFrame(const Frame& of, const GstRdpCameraInfo& info, bool told)
      : frame(of), camera(info) {
    g_autoptr(GstRdpCamera) made = gst_rdp_camera_new(&info, nullptr);
    MetricCamera metric;
    if (made == nullptr || !meta::metric_camera(made, nullptr, &metric, nullptr)) {
      throw std::runtime_error("no camera for " + describe(frame.content.shape));
    }
    if (!told) gst_buffer_add_rdp_camera_meta(frame.buffer.get(), made);
    comes_with_camera = !told;
    for (const bool turned : {false, true}) {
      for (const KnownRange& known : kKnown) {
        const std::vector<float> cloud =
            points::test::expected_cloud(frame.content.view(), &metric, {known, turned});
        clouds[turned ? 1 : 0].push_back(
            checksum(cloud.data(), 0, cloud.size() * sizeof(float), 1));
      }
    }
  }

  const Frame& frame;
  GstRdpCameraInfo camera;
  bool comes_with_camera;                            // else it is in properties
  std::array<std::vector<std::uint64_t>, 2> clouds;  // by axes, of each range
};

// What the camera's properties say; their defaults where the frames have it.
void apply(GstElement* element, const PreparedFrame& prepared) {
  GstRdpCameraInfo info{};
  info.principal_x = info.principal_y = -1;
  if (!prepared.comes_with_camera) info = prepared.camera;
  g_object_set(element, "focal-length", info.focal_length, "focal-length-y", info.focal_length_y,
               "principal-x", info.principal_x, "principal-y", info.principal_y, "baseline",
               info.baseline, "disparity-unit", info.disparity_unit, "depth-unit", info.depth_unit,
               nullptr);
}

class PointsRun final : public ElementRun {
 public:
  explicit PointsRun(const Setup& setup);

 private:
  void step() override;
  void stopped() override;

  std::vector<std::vector<PreparedFrame>> prepared_;  // of each size
  bool turned_ = false;                               // axes=forward-left-up
};

PointsRun::PointsRun(const Setup& setup)
    : ElementRun(setup, {.element = "depthpoints", .feature = "ANY"}) {
  constexpr auto k8 = GST_VIDEO_FORMAT_GRAY8;
  constexpr auto k16 = GST_VIDEO_FORMAT_GRAY16_LE;
  for (const Shape& shape :
       {Shape{k16, 160, 120}, Shape{k16, 1, 1}, Shape{k8, 33, 17}, Shape{k16, 64, 48},
        Shape{k8, 1, 97}, Shape{k8, 101, 31, 5, 160}, Shape{k16, 70, 44, 16, 160}}) {
    const auto sized = [&](const GstRdpCameraInfo& info) {
      return sized_camera(info, shape.width, shape.height);
    };
    std::array<GstRdpCameraInfo, 4> cameras = {
        sized(depth_camera_info()), sized(disparity_camera_info()), sized(depth_camera_info()),
        sized(disparity_camera_info())};
    cameras[2].distortion[0] = -0.2;
    cameras[3].disparity_offset = 3.5;
    prepared_.emplace_back();
    for (int scene = 0; scene < kScenes; ++scene) {
      for (std::size_t i = 0; i < cameras.size(); ++i) {
        prepared_.back().emplace_back(prepare(frames::draw(shape, static_cast<Scene>(scene), 1)),
                                      cameras[i], i < 2 && scene % 2 == 0);
      }
    }
  }
}

void PointsRun::stopped() {
  turned_ = !turned_;
  gst_util_set_object_arg(G_OBJECT(element()), "axes", turned_ ? "forward-left-up" : "camera");
}

void PointsRun::step() {
  const std::vector<PreparedFrame>& of_size = prepared_[visited(prepared_.size())];
  const PreparedFrame& prepared = of_size[chosen(of_size.size(), 77)];
  const std::size_t known = chosen(kKnown.size(), 0);
  announce(0, prepared.frame.content.shape, setup().memory.feature());
  apply(element(), prepared);
  g_object_set(element(), "min-value", guint{kKnown[known].first}, "max-value",
               guint{kKnown[known].last}, nullptr);
  push(0, share(prepared.frame.buffer.get(), pts()));
  const BufferRef output = take();
  if (output == nullptr || !compares()) return;
  if (gst_buffer_get_rdp_camera_meta(output.get()) == nullptr) complain("it has no camera");
  GstMapInfo map;
  if (!gst_buffer_map(output.get(), &map, GST_MAP_READ)) {
    complain("its points cannot be read");
    return;
  }
  const Shape& shape = prepared.frame.content.shape;
  const std::size_t bytes =
      points::kPointBytes * static_cast<std::size_t>(shape.width * shape.height);
  if (map.size != bytes ||
      checksum(map.data, 0, bytes, 1) != prepared.clouds[turned_ ? 1 : 0][known]) {
    complain("its points are not what they should be");
  }
  gst_buffer_unmap(output.get(), &map);
}

}  // namespace

std::unique_ptr<Run> make_points(const Setup& setup) { return std::make_unique<PointsRun>(setup); }

}  // namespace rdp::endurance
