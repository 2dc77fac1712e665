// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/bench/stereo_stream.h"

#include "common/stereo/engine.h"
#include "tests/stereo/stereo_patterns.h"

namespace rdp::bench {

StereoViews::StereoViews(int width, int height, const stereo::Parameters& parameters)
    : left({GST_VIDEO_FORMAT_GRAY8, width, height}),
      right({GST_VIDEO_FORMAT_GRAY8, width, height}) {
  test::draw_pair(test::PairKind::kTextured, {left.view(), right.view(), {}, {}}, parameters, 1);
}

std::vector<std::uint16_t> match_views(const StereoViews& views,
                                       const stereo::Parameters& parameters) {
  const DepthView left = views.left.view();
  std::vector<std::uint16_t> samples(views.left.samples.size());
  stereo::Engine matcher(1);
  matcher.match({left, views.right.view(), {}, {}}, parameters,
                {{reinterpret_cast<std::byte*>(samples.data()), std::ptrdiff_t{2} * left.width,
                  left.width, left.height, SampleType::kU16},
                 {}});
  return samples;
}

StereoStream::StereoStream(const StereoViews& views, const stereo::Parameters& parameters,
                           const StereoSetup& setup, const NewBuffer& new_buffer)
    : stream_({"depthstereo",
               [&](GstElement* element) {
                 gst_util_set_object_arg(G_OBJECT(element), "backend", setup.backend);
                 g_object_set(element, "threads", setup.threads, "disparities",
                              static_cast<guint>(parameters.disparities), nullptr);
                 gst_util_set_object_arg(G_OBJECT(element), "paths",
                                         std::to_string(parameters.paths).c_str());
               },
               {{"left", views.left.shape, new_buffer(views.left)},
                {"right", views.right.shape, new_buffer(views.right)}},
               setup.feature,
               setup.output_feature,
               setup.data_pads ? std::vector<const char*>{"rectified", "confidence"}
                               : std::vector<const char*>{}}) {}

}  // namespace rdp::bench
