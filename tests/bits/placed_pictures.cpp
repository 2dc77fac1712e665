// SPDX-License-Identifier: LGPL-2.1-or-later
// Segments painted and blended into another camera's pictures, as rdpoverlay draws them. The
// reference is the painter with one thread, which tests/rdp compares with hand-made pictures, and
// the scalar reference of blending.
#include <cmath>
#include <limits>

#include "common/image/blend.h"
#include "common/image/reference.h"
#include "common/rdp/placed_segments.h"
#include "common/rdp/reference.h"
#include "tests/bits/register.h"
#include "tests/bits/segment_parameters.h"
#ifdef RDP_BITS_DEVICE
#include "kernels/rdp/placed_painter.h"
#endif

namespace rdp::bits {
namespace {

struct PlacedSpec : FrameSpec {
  Parameters parameters;
  int picture_width = 1;
  int picture_height = 1;
  bool projected = false;
  bool any_segments = false;  // not from a frame: they lie anywhere, and may overlap
  FramePlacement placement;
  OverlayOptions options;
  int alpha = 153;
};
struct PlacedCase : Case {
  SegmentList list;
  FrameProjection projection;
};

struct PlacedPictures {
  static constexpr const char* kName = "PlacedPictures";
  static constexpr Counts kCounts{200, 1500, 120, 8, false, Steady::kAlways, true};
  using Spec = PlacedSpec;
  using Case = PlacedCase;

  static std::vector<Spec> hard(Random* random, bool all) {
    std::vector<Spec> specs;
    const auto add = [&](int width, int height) -> Spec& {
      specs.push_back(any(random, all));
      specs.back().picture_width = width;
      specs.back().picture_height = height;
      return specs.back();
    };
    for (const OverlayStyle style : {OverlayStyle::kSegments, OverlayStyle::kClasses}) {
      for (const bool projected : {false, true}) {
        for (const bool any_segments : {false, true}) {
          Spec& spec = add(200, 150);
          spec.options.style = style;
          spec.projected = projected;
          spec.any_segments = any_segments;
          if (!projected) spec.placement = fitting(spec);
        }
      }
    }
    for (const int width : {1, 2, 3, 31, 32, 33, 63, 64, 65, 127, 128, 129, 257}) {
      for (const int height : {1, 2, 31, 32, 33, 65}) add(width, height);
    }
    // A pixel of the frame covers more than a tile, or many lie within one pixel of the picture.
    for (const double scale : {100.0, 0.01, -70.0, 1e6, 1e-6, 1e300}) {
      Spec& spec = add(150, 100);
      spec.projected = false;
      spec.placement = {scale, scale, scale < 0 ? 150.0 : 0.0, 20.0};
    }
    if (!all) return specs;
    for (const int other : {1, 3, 70}) {
      add(kMaxSide, other).placement = {300, 1, 0, 0};
      add(other, kMaxSide).placement = {1, 300, 0, 0};
    }
    return specs;
  }
  static Spec any(Random* random, bool all) {
    Spec spec{random_frame(random, all)};
    spec.count = 1;
    spec.parameters = random_parameters(spec.type, random);
    spec.picture_width = 1 + random->below(all ? random->of({60, 200, 400}) : 150);
    spec.picture_height = 1 + random->below(all ? random->of({60, 200, 400}) : 100);
    spec.projected = random->one_in(2);
    spec.any_segments = random->one_in(3);
    spec.options.style = random->of({OverlayStyle::kSegments, OverlayStyle::kClasses});
    if (random->one_in(2)) {
      spec.options.palette_min = random->below(60000) - 2000;
      spec.options.palette_max = random->below(70000) - 2000;
    }
    if (random->one_in(3)) {
      spec.options.ground.per_row = (std::int64_t{1} + random->below(1 << 20)) << 20;
      spec.options.ground.per_column = std::int64_t{random->below(1 << 20) - (1 << 19)} << 16;
      spec.options.ground.offset = std::int64_t{random->below(1 << 20) - (1 << 19)} << 24;
    }
    spec.alpha = random->of({0, 1, 127, 153, 254, 255});
    spec.placement = fitting(spec);
    if (random->one_in(2)) {
      spec.placement = {std::exp2(random->below(64) / 8.0 - 4) * random->of({1, 1, -1}),
                        std::exp2(random->below(64) / 8.0 - 4) * random->of({1, 1, -1}),
                        random->below(4000) / 16.0 - 100, random->below(4000) / 16.0 - 100};
    }
    return spec;
  }
  static Spec usual() {
    Spec spec{usual_frame()};
    spec.parameters.epsilon = 2;
    spec.picture_width = 1280;
    spec.picture_height = 720;
    spec.placement = fitting(spec);
    return spec;
  }
  static std::string text(const Spec& spec) {
    return text_of(spec) + ", " + text_of(spec.parameters) + ", on " +
           std::to_string(spec.picture_width) + " x " + std::to_string(spec.picture_height) +
           ", projected " + std::to_string(spec.projected) + ", any segments " +
           std::to_string(spec.any_segments) + ", style " +
           std::to_string(static_cast<int>(spec.options.style)) + ", alpha " +
           std::to_string(spec.alpha) + ", scale " + std::to_string(spec.placement.scale_x) + " " +
           std::to_string(spec.placement.scale_y);
  }
  static Case draw(const Spec& spec, Random* random) {
    const int width = spec.picture_width;
    const int height = spec.picture_height;
    Case made;
    made.images = {pixels(width, height), {width, height}, {(width + 1) / 2 * 2, (height + 1) / 2}};
    for (Image& image : made.images) {
      image.draw();
      fill_any(&image.before, random);
    }
    if (spec.any_segments) {
      draw_segments(spec, random, &made.list);
    } else {
      std::vector<Image> frames;
      draw_frames(spec, random, &frames);
      rdp::reference::segment_filtered(frames[0].samples(), spec.parameters, &made.list);
    }
    draw_projection(spec, random, &made.projection);
    return made;
  }
  static void reference(const Spec& spec, Case* made) {
    Host host(1);
    host.look(spec, *made);
    const RgbaView drawing = host.drawing(spec);
    host.painter.paint(drawing, 0, drawing.height);
    rdp::reference::blend_into_rgba(drawing, made->images[0].expect_rgba());
    const MutableDepthView luma = made->images[1].expect();
    const MutableDepthView chroma = made->images[2].expect();
    rdp::reference::blend_into_nv12(
        drawing, matrix(spec),
        {luma.data, luma.stride, chroma.data, chroma.stride, drawing.width, drawing.height});
  }

  struct Host {
    explicit Host(unsigned number) : threads(number) {}
    std::string run(const Spec& spec, const Case& made, HostImages& images) {
      look(spec, made);
      const RgbaView all = drawing(spec);
      in_bands(threads, all.height, [&](int first, int end) { painter.paint(all, first, end); });
      blend_into_rgba(all, images[0].rgba());
      const MutableDepthView luma = images[1].samples();
      const MutableDepthView chroma = images[2].samples();
      blend_into_nv12(all, matrix(spec),
                      {luma.data, luma.stride, chroma.data, chroma.stride, all.width, all.height});
      return {};
    }
    void look(const Spec& spec, const Case& made) { look_at(spec, made, &painter); }
    RgbaView drawing(const Spec& spec) {
      const std::size_t bytes = std::size_t{4} * static_cast<std::size_t>(spec.picture_width) *
                                static_cast<std::size_t>(spec.picture_height);
      if (memory.size() < bytes) memory.resize(bytes);
      return {memory.data(), std::ptrdiff_t{4} * spec.picture_width, spec.picture_width,
              spec.picture_height};
    }
    const unsigned threads;
    PlacedSegments painter;
    std::vector<std::byte> memory;
  };
#ifdef RDP_BITS_DEVICE
  struct Device {
    void start(const Spec& spec, const Case& made, const DeviceJob& job, CUstream stream) {
      look_at(spec, made, &segments);
      arrays.take(segments, spec.picture_width, spec.picture_height, stream);
      painter.run(arrays, job[0].rgba(), stream);
      painter.run(arrays, matrix(spec),
                  {job[1].data(), job[1].pitch(), job[2].data(), job[2].pitch(), spec.picture_width,
                   spec.picture_height},
                  stream);
    }
    PlacedSegments segments;
    cuda::PlacedArrays arrays;
    cuda::PlacedPainter painter;
  };
#endif

 private:
  static YuvMatrix matrix(const Spec& spec) {
    return yuv_matrix(0.2126, 0.0722, spec.type == SampleType::kU8);
  }
  static FramePlacement fitting(const Spec& spec) {
    return {static_cast<double>(spec.picture_width) / spec.width,
            static_cast<double>(spec.picture_height) / spec.height, 0.0, 0.0};
  }
  static void look_at(const Spec& spec, const Case& made, PlacedSegments* painter) {
    PlacedLook look;
    look.options = spec.options;
    look.alpha = static_cast<std::uint8_t>(spec.alpha);
    if (spec.projected) {
      painter->project(made.list, spec.parameters, spec.width, spec.height, made.projection, look);
    } else {
      painter->place(made.list, spec.parameters, spec.width, spec.height, spec.placement, look);
    }
  }
  static void draw_segments(const Spec& spec, Random* random, SegmentList* list) {
    const int columns =
        (spec.width + spec.parameters.column_width - 1) / spec.parameters.column_width;
    const int most = random->of({1, 3, 20});
    std::uint32_t* const offsets = list->resize_columns(columns);
    offsets[0] = 0;
    for (int c = 0; c < columns; ++c) {
      offsets[c + 1] = offsets[c] + static_cast<std::uint32_t>(random->below(most + 1));
    }
    Segment* const segments = list->resize_segments();
    const auto value = [&] {
      if (random->one_in(20)) {
        return random->of({std::numeric_limits<float>::quiet_NaN(), 1e10F, -1e9F, 1e9F, 0.0F});
      }
      return static_cast<float>(random->below(70000)) * (random->one_in(8) ? -0.25F : 1.0F);
    };
    for (std::uint32_t i = 0; i < offsets[columns]; ++i) {
      const int row = random->below(spec.height);
      const int end = random->one_in(20) ? 65535 : row + random->below(spec.height - row + 1);
      segments[i] = {static_cast<std::uint16_t>(row), static_cast<std::uint16_t>(end), value(), 0};
      segments[i].last_value = random->one_in(3) ? segments[i].first_value : value();
    }
  }
  // Another camera nearby, which sees all of the frame or a part.
  static void draw_projection(const Spec& spec, Random* random, FrameProjection* projection) {
    const double most = max_sample(spec.type);
    MetricCamera& frame = projection->frame;
    frame.focal_x = frame.focal_y = spec.width * (0.5 + random->below(200) / 100.0);
    frame.principal_x = random->below(spec.width + 1);
    frame.principal_y = random->below(spec.height + 1);
    frame.depth.reciprocal = random->one_in(2);
    frame.depth.factor = frame.depth.reciprocal ? 1.0 : 10.0 / most;
    frame.depth.numerator = most;
    CameraLens& lens = projection->picture;
    lens.focal_x = frame.focal_x * spec.picture_width / spec.width;
    lens.focal_y = lens.focal_x * (0.75 + random->below(50) / 100.0);
    lens.principal_x = random->below(spec.picture_width + 1);
    lens.principal_y = random->below(spec.picture_height + 1);
    if (random->one_in(3)) {
      lens.distortion.none = false;
      lens.distortion.k1 = random->below(100) / 500.0 - 0.1;
      lens.distortion.reach = 1.0;
    }
    // Rotated about the optical axis and sideways, and shifted.
    const double turn = random->one_in(2) ? (random->below(200) - 100) / 50.0 : 0.0;
    const double side = random->one_in(2) ? (random->below(200) - 100) / 300.0 : 0.0;
    const double c = std::cos(turn), s = std::sin(turn), d = std::cos(side), t = std::sin(side);
    const double m[12] = {c * d, -s, c * t, random->below(200) / 500.0 - 0.2,
                          s * d, c,  s * t, random->below(200) / 500.0 - 0.2,
                          -t,    0,  d,     random->below(200) / 200.0 - 0.5};
    std::copy(std::begin(m), std::end(m), projection->between.m);
  }
};
const bool kPlacedPictures = add<PlacedPictures>();

}  // namespace
}  // namespace rdp::bits
