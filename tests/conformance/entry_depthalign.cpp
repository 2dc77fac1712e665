// SPDX-License-Identifier: LGPL-2.1-or-later
#include <gst/rdpsegment/rdpsegment.h>

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <tuple>

#include "common/align/reference.h"
#include "gst/rdpsegment/rdpcamerametric.h"
#include "tests/conformance/entries.h"
#include "tests/support/camera_fixture.h"

namespace conformance {
namespace {

// The target camera stands to the right of the depth camera, and is turned a little to the left.
constexpr double kPose[12] = {0.8, 0, -0.6, 0.4, 0, 1, 0, -0.1, 0.6, 0, 0.8, 0.2};

// Lens distortion, for pictures with an odd width: the source's coefficients, then the target's.
constexpr double kDistortion[2][5] = {{0.04, -0.02, 0.0005, 0.001, 0.01},
                                      {-0.05, 0.0625, 0.0005, -0.00025, -0.02}};

GstRdpCameraInfo camera_of(std::size_t input, const Shape& shape) {
  GstRdpCameraInfo info;
  gst_rdp_camera_info_init(&info);
  info.width = static_cast<guint>(shape.width);
  info.height = static_cast<guint>(shape.height);
  info.focal_length = info.focal_length_y = (input == 0 ? 0.8 : 0.7) * shape.width;
  info.principal_x = 0.45 * shape.width;
  info.principal_y = 0.55 * shape.height;
  info.rectified = shape.width % 2 == 0;
  if (!info.rectified) std::copy_n(kDistortion[input], 5, info.distortion);
  info.has_pose = TRUE;
  for (const int diagonal : {0, 5, 10}) info.pose[diagonal] = 1.0;
  if (input == 0) {
    info.measures = GST_RDP_MEASURE_DEPTH;
    info.depth_unit = 0.001;
  } else {
    info.baseline = 0.06;
    info.disparity_offset = 1.5;
    std::copy(std::begin(kPose), std::end(kPose), info.pose);
  }
  return info;
}

// `parameters`: from the element's settings.
rdp::align::Parameters with_cameras(rdp::align::Parameters parameters, const Contents& contents) {
  const GstRdpCameraInfo depth = camera_of(0, contents[0].shape);
  parameters.source = {rdp::meta::camera_lens(depth), {.factor = depth.depth_unit}};
  parameters.target = rdp::meta::camera_lens(camera_of(1, contents[1].shape));
  rdp::Pose source;
  rdp::Pose target;
  std::copy(std::begin(kPose), std::end(kPose), target.m);
  parameters.movement = rdp::pose_between(source, target);
  return parameters;
}

Content aligned(const Contents& contents, const rdp::align::Parameters& parameters) {
  Content result({GST_VIDEO_FORMAT_GRAY16_LE, contents[1].shape.width, contents[1].shape.height});
  rdp::align::reference::align(contents[0].view(), parameters, result.view());
  return result;
}

rdp::align::Picture picture_of(const Content& content) {
  using enum rdp::align::PictureFormat;
  static const std::map<GstVideoFormat, rdp::align::PictureFormat> formats = {
      {GST_VIDEO_FORMAT_RGB, kRgb},
      {GST_VIDEO_FORMAT_BGR, kBgr},
      {GST_VIDEO_FORMAT_RGBA, kRgba},
      {GST_VIDEO_FORMAT_BGRA, kBgra},
      {GST_VIDEO_FORMAT_GRAY8, kGray8}};
  rdp::align::Picture picture;
  picture.width = content.shape.width;
  picture.height = content.shape.height;
  picture.format = formats.at(content.shape.format);
  picture.data = reinterpret_cast<const unsigned char*>(content.samples.data());
  picture.stride = static_cast<std::ptrdiff_t>(frames::row_bytes(content.shape));
  return picture;
}

// Checks the samples and the camera.
Check is_picture(const Content& content, const GstRdpCameraInfo& info) {
  const std::shared_ptr<GstRdpCamera> camera(gst_rdp_camera_new(&info, nullptr),
                                             gst_rdp_camera_unref);
  return [=](GstBuffer* output) -> std::string {
    const GstRdpCameraMeta* meta = gst_buffer_get_rdp_camera_meta(output);
    if (meta == nullptr || meta->camera == nullptr || !same_camera(meta->camera, camera.get())) {
      return "another camera";
    }
    return same_samples(output, content.shape, content.samples.data());
  };
}

// `settings`: parameters without the cameras.
void compare_with_reference(Element* element, const rdp::align::Parameters& settings) {
  element->expect = [=](const Contents& contents) -> Check {
    GstRdpCameraInfo target = camera_of(1, contents[1].shape);
    target.measures = GST_RDP_MEASURE_DEPTH;
    target.depth_unit = 0.001;
    target.baseline = target.disparity_offset = 0.0;
    return is_picture(aligned(contents, with_cameras(settings, contents)), target);
  };
  element->expect_side = [=](const std::string&, const Contents& contents) -> Check {
    const rdp::align::Parameters parameters = with_cameras(settings, contents);
    Content color({GST_VIDEO_FORMAT_RGBA, contents[0].shape.width, contents[0].shape.height});
    const Content depth_there = aligned(contents, parameters);
    rdp::align::reference::colour(
        contents[0].view(), parameters, depth_there.view(), picture_of(contents[1]),
        {color.samples.data(), 4 * color.shape.width, color.shape.width, color.shape.height});
    GstRdpCameraInfo source = camera_of(0, contents[0].shape);
    source.measures = GST_RDP_MEASURE_UNKNOWN;
    source.depth_unit = 0.0;
    return is_picture(color, source);
  };
}

}  // namespace

std::vector<Element> entries_of_depthalign() {
  Element element;
  element.name = element.factory = "depthalign";
  element.settings = "threads=1";
  element.inputs = {"depth", "video"};
  element.sides = {"color"};
  element.in_place = false;
  element.side_of_pairs = true;
  element.queries = 6;
  element.waits = 2;
  element.metas = 4;  // the input's cameras and the output's
  // A buffer with a wrong picture size loses its camera, and a crop changes it.
  element.layouts = element.crops = false;
  const Shape depth{GST_VIDEO_FORMAT_GRAY16_LE, 24, 16};
  // The target keeps its size: depth before the first frame of another size would still be aligned
  // to the previous view.
  element.shapes = {{depth, {GST_VIDEO_FORMAT_RGBA, 40, 24}},
                    {depth, {GST_VIDEO_FORMAT_GRAY8, 40, 24}},
                    {{GST_VIDEO_FORMAT_GRAY8, 33, 17}, {GST_VIDEO_FORMAT_RGBA, 40, 24}}};
  element.draw = [](const Shapes& shapes, unsigned scene) {
    Contents contents{frames::draw(shapes[0], frames::Scene::kSurface, scene + 1),
                      Content(shapes[1])};
    for (std::size_t i = 0; i < contents[1].samples.size(); ++i) {
      contents[1].samples[i] = static_cast<std::byte>(i * 37 + i / 251 + scene);
    }
    return contents;
  };
  element.describe = [](std::size_t input, const Content& content, GstBuffer* buffer) {
    // One camera object for all frames, as from a source. It lives as long as the process.
    static std::mutex mutex;
    const std::lock_guard lock(mutex);
    static std::map<std::tuple<std::size_t, int, int>, std::shared_ptr<GstRdpCamera>> cameras;
    auto& camera = cameras[{input, content.shape.width, content.shape.height}];
    if (camera == nullptr) {
      const GstRdpCameraInfo info = camera_of(input, content.shape);
      camera = {gst_rdp_camera_new(&info, nullptr), gst_rdp_camera_unref};
    }
    gst_buffer_add_rdp_camera_meta(buffer, camera.get());
  };
  compare_with_reference(&element, {});
  compare_with_reference(&add_way(&element, "threads=3"), {});
  compare_with_reference(&add_way(&element, "tolerance=500"), {.tolerance = 500.0});
  compare_with_reference(&add_way(&element, "fill-cracks=false"), {.fill_cracks = false});
  // Formats in system memory; both lenses distort.
  for (const GstVideoFormat format :
       {GST_VIDEO_FORMAT_RGB, GST_VIDEO_FORMAT_BGR, GST_VIDEO_FORMAT_BGRA}) {
    Element& way = add_way(&element, "");
    way.shapes = {{{GST_VIDEO_FORMAT_GRAY16_LE, 25, 16}, {format, 41, 24}}};
    compare_with_reference(&way, {});
  }
  return {element};
}

}  // namespace conformance
