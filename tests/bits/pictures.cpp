// SPDX-License-Identifier: LGPL-2.1-or-later
// Blending of drawings into pictures, and pictures of segments. The reference of the latter is the
// painter with one thread; tests/rdp compares its colours with hand-made ones.
#include <algorithm>
#include <cmath>
#include <memory>

#include "common/image/blend.h"
#include "common/image/reference.h"
#include "common/rdp/engine.h"
#include "common/rdp/ground.h"
#include "common/rdp/overlay.h"
#include "common/rdp/reference.h"
#include "tests/bits/register.h"
#include "tests/bits/segment_parameters.h"
#ifdef RDP_BITS_DEVICE
#include "kernels/filters/filters.h"
#include "kernels/rdp/overlay.h"
#endif

namespace rdp::bits {
namespace {

// The images: the drawing, an RGBA picture, and luma and chroma of an NV12 picture.
struct Blend {
  static constexpr const char* kName = "Blend";
  static constexpr Counts kCounts{200, 200, 100, 0, true, Steady::kAlways, true};
  using Spec = FrameSpec;
  using Case = bits::Case;

  static std::vector<Spec> hard(Random* random, bool all) { return hard_frames(all, random); }
  static Spec any(Random* random, bool all) { return random_frame(random, all); }
  static Spec usual() { return usual_frame(); }
  static std::string text(const Spec& spec) { return text_of(spec); }
  static Case draw(const Spec& spec, Random* random) {
    const int pairs = (spec.width + 1) / 2;
    Case made{{pixels(spec.width, spec.height),
               pixels(spec.width, spec.height),
               {spec.width, spec.height},
               {2 * pairs, (spec.height + 1) / 2}}};
    for (Image& image : made.images) {
      image.draw();
      fill_any(&image.before, random);
    }
    // A third of the drawing is transparent and a third opaque.
    for (std::size_t i = 3; i < made.images[0].size(); i += 4) {
      const int kind = random->below(3);
      if (kind < 2) made.images[0].before[i] = kind == 0 ? std::byte{0} : std::byte{255};
    }
    return made;
  }
  static void reference(const Spec& spec, Case* made) {
    std::vector<Image>& images = made->images;
    std::vector<std::byte> drawing = images[0].before;
    const RgbaView over{drawing.data(), images[0].row_bytes(), spec.width, spec.height};
    rdp::reference::blend_into_rgba(over, images[1].expect_rgba());
    const MutableDepthView luma = images[2].expect();
    const MutableDepthView chroma = images[3].expect();
    rdp::reference::blend_into_nv12(
        over, matrix(spec),
        {luma.data, luma.stride, chroma.data, chroma.stride, spec.width, spec.height});
  }
  struct Host {
    explicit Host(unsigned) {}
    std::string run(const Spec& spec, const Case&, HostImages& images) {
      const RgbaView over = images[0].rgba();
      blend_into_rgba(over, images[1].rgba());
      const MutableDepthView luma = images[2].samples();
      const MutableDepthView chroma = images[3].samples();
      blend_into_nv12(
          over, matrix(spec),
          {luma.data, luma.stride, chroma.data, chroma.stride, spec.width, spec.height});
      return {};
    }
  };
#ifdef RDP_BITS_DEVICE
  struct Device {
    void start(const Spec& spec, const Case&, const DeviceJob& job, CUstream stream) {
      blender.run(job[0].rgba(), job[1].rgba(), stream);
      blender.run(
          job[0].rgba(), matrix(spec),
          {job[2].data(), job[2].pitch(), job[3].data(), job[3].pitch(), spec.width, spec.height},
          stream);
    }
    cuda::Blender blender;
  };
#endif

 private:
  static YuvMatrix matrix(const Spec& spec) {
    return yuv_matrix(0.2126, 0.0722, spec.type == SampleType::kU8);
  }
};
const bool kBlend = add<Blend>();

struct SegmentPictureSpec : FrameSpec {
  Parameters parameters;
  OverlayOptions options;
  // Streets with walls and a ground, as a camera sees them.
  bool road = false;
  bool has_camera = false;
  bool missing = false;  // a segment exceeds the list's room: nothing is painted
  int painted = 0;       // the frame to paint; the last one if there are fewer
  // The first frame has this number of known samples and values, which determine the ends of the
  // palette. 0 values: other content.
  int known = 0;
  int values = 0;
  bool slopes = false;  // a wall or floor of another slope per column: all shades
};
struct SegmentPictureCase : Case {
  MetricCamera camera;
  OverlayOptions options(const SegmentPictureSpec& spec) const {
    OverlayOptions these = spec.options;
    these.camera = spec.has_camera ? &camera : nullptr;
    return these;
  }
};

constexpr OverlayStyle kStyles[] = {OverlayStyle::kSegments, OverlayStyle::kDepth,
                                    OverlayStyle::kEdges, OverlayStyle::kClasses,
                                    OverlayStyle::kBirdsEye};

struct SegmentPictures {
  static constexpr const char* kName = "SegmentPictures";
  static constexpr Counts kCounts{200, 1200, 250, 10, false};
  using Spec = SegmentPictureSpec;
  using Case = SegmentPictureCase;

  static std::vector<Spec> hard(Random* random, bool all) {
    std::vector<Spec> specs;
    for (const OverlayStyle style : kStyles) {
      for (const bool road : {false, true}) {
        Spec spec = any(random, all);
        spec.width = 300;
        spec.height = 220;
        spec.road = road;
        spec.options.legend = true;
        of_style(style, &spec);
        specs.push_back(spec);
      }
    }
    for (const FrameSpec& frame : hard_frames(all, random)) {
      Spec spec = any(random, all);
      static_cast<FrameSpec&>(spec) = frame;
      spec.painted = random->below(spec.count);
      specs.push_back(spec);
    }
    for (int width = 1; width <= kMaxColumnWidth; ++width) {
      specs.push_back(any(random, all));
      specs.back().parameters.column_width = width;
    }
    for (const auto& [low, high] : std::initializer_list<std::pair<double, double>>{{0, 65535},
                                                                                    {65535, 0},
                                                                                    {20000, 30000},
                                                                                    {30000, 20000},
                                                                                    {500, 500},
                                                                                    {500, 500.25},
                                                                                    {-1e300, 1e300},
                                                                                    {0, 1e-300},
                                                                                    {-3, -2},
                                                                                    {1000.5, 60000},
                                                                                    {0, HUGE_VAL},
                                                                                    {1e6, 2e6}}) {
      specs.push_back(any(random, all));
      specs.back().options.palette_min = low;
      specs.back().options.palette_max = high;
    }
    for (const int known : {0, 1, 2, 3, 50, 99, 100, 101, 199, 200, 201, 4095, 4096}) {
      Spec spec = any(random, all);
      spec.width = spec.height = 64;
      spec.road = spec.missing = false;
      spec.count = 1;
      spec.painted = 0;
      of_style(random->of({OverlayStyle::kSegments, OverlayStyle::kDepth}), &spec);
      spec.known = known;
      spec.values = random->of({1, 2, 300, static_cast<int>(max_sample(spec.type))});
      spec.parameters.median = Median::kNone;
      spec.parameters.min_value = 1;
      spec.parameters.max_value = 65535;
      specs.push_back(spec);
    }
    for (const int high : {0, 1100, 2000, 5000, 20000, 62000}) {
      Spec spec{{256, 480, SampleType::kU16}, {}, {}};
      spec.slopes = true;
      spec.options.palette_min = high == 0 ? 0 : 1000;
      spec.options.palette_max = high;
      specs.push_back(spec);
    }
    // The legend barely fits, or barely does not.
    for (int i = 0; i < 12; ++i) {
      Spec spec = any(random, all);
      spec.width = 130 + random->below(250);
      spec.height = 50 + random->below(100);
      spec.options.legend = true;
      spec.options.palette_min = std::pow(10.0, random->below(9) - 4) * (random->below(200) - 100);
      spec.options.palette_max = spec.options.palette_min + std::pow(10.0, random->below(9) - 4);
      specs.push_back(spec);
    }
    for (const int count : {2, 5, 32}) {
      for (int painted = 0; painted < count; painted += 1 + painted / 2) {
        Spec spec = any(random, all);
        spec.width = 60;
        spec.height = 90;
        spec.count = count;
        spec.painted = painted;
        spec.missing = random->one_in(3);
        specs.push_back(spec);
      }
    }
    return specs;
  }
  static Spec any(Random* random, bool all) {
    Spec spec{random_frame(random, all), {}, {}};
    spec.painted = random->below(spec.count);
    if (random->one_in(10)) spec.height = 1 + random->below(all ? 1000 : 200);
    spec.parameters = random_parameters(spec.type, random);
    spec.road = random->one_in(3);
    spec.missing = random->one_in(12);
    spec.options.legend = random->one_in(2);
    spec.options.birdseye_range =
        random->one_in(2) ? 0.0 : std::pow(10.0, random->below(7) - 3) * (1 + random->below(9));
    if (random->one_in(2)) spec.options.ground = random_plane(spec, random);
    spec.has_camera = random->one_in(2);
    of_style(kStyles[random->below(5)], &spec);
    return spec;
  }
  static Spec usual() { return {usual_frame(), {}, {}}; }
  static std::string text(const Spec& spec) {
    return text_of(spec) + ", " + text_of(spec.parameters) + ", style " +
           std::to_string(static_cast<int>(spec.options.style)) + ", legend " +
           std::to_string(spec.options.legend) + ", road " + std::to_string(spec.road) +
           ", missing " + std::to_string(spec.missing) + ", painted " +
           std::to_string(spec.painted) + ", known " + std::to_string(spec.known) + " of " +
           std::to_string(spec.values) + ", slopes " + std::to_string(spec.slopes);
  }
  static Case draw(const Spec& spec, Random* random) {
    Case made{{}, random_camera(spec, random)};
    draw_frames(spec, random, &made.images);
    if (spec.road) draw_road(spec, made.images[0].draw(), random);
    if (spec.values > 0) draw_few(spec, made.images[0].draw(), random);
    if (spec.slopes) draw_slopes(made.images[0].draw());
    std::int64_t most = 0;
    for (const Image& image : made.images) {
      rdp::reference::segment_filtered(image.samples(), spec.parameters,
                                       &made.lists.emplace_back());
      most = std::max(most, static_cast<std::int64_t>(made.lists.back().segment_count()));
    }
    made.truncated = spec.missing && most > 0;
    made.room = made.truncated ? most - 1 : most;
    made.images.push_back(pixels(spec.width, spec.height));
    made.images.back().before.assign(made.images.back().size(), std::byte{0xA5});
    return made;
  }
  static void reference(const Spec& spec, Case* made) {
    const auto painted = painted_of(spec);
    Image* const picture = &made->images.back();
    Engine(1).paint(made->images[painted].samples(), made->lists[painted], spec.parameters,
                    made->options(spec), picture->expect_rgba());
  }

  struct Host {
    explicit Host(unsigned threads) : engine(threads) {}
    std::string run(const Spec& spec, const Case& made, HostImages& images) {
      const auto painted = painted_of(spec);
      engine.paint(images[painted].samples(), made.lists[painted], spec.parameters,
                   made.options(spec), images[images.size() - 1].rgba());
      return {};
    }
    Engine engine;
  };
#ifdef RDP_BITS_DEVICE
  struct Device {
    void start(const Spec& spec, const Case& made, const DeviceJob& job, CUstream stream) {
      painter.run(job[painted_of(spec)].samples(), job.segments(),
                  static_cast<int>(painted_of(spec)), spec.parameters, made.options(spec),
                  job[static_cast<std::size_t>(spec.count)].rgba(), stream);
    }
    cuda::OverlayPainter painter;
  };
#endif
 private:
  static std::size_t painted_of(const Spec& spec) {
    return static_cast<std::size_t>(std::min(spec.painted, spec.count - 1));
  }
  static void of_style(OverlayStyle style, Spec* spec) {
    spec->options.style = style;
    spec->has_camera = spec->has_camera || style == OverlayStyle::kBirdsEye;
  }
  // A ground near some of the segments, from a rolled camera.
  static GroundPlane random_plane(const FrameSpec& spec, Random* random) {
    constexpr double kOne = 4294967296.0;
    const double most = max_sample(spec.type);
    const double per_row = most * (1 + random->below(100)) / 100.0 / spec.height;
    GroundPlane plane;
    plane.per_row =
        std::clamp(static_cast<std::int64_t>(per_row * kOne), std::int64_t{1}, kMaxGroundSlope);
    plane.per_column = static_cast<std::int64_t>(static_cast<double>(plane.per_row) *
                                                 (random->below(201) - 100) / 100.0);
    plane.offset = static_cast<std::int64_t>(most * (random->below(101) - 50) / 100.0 * kOne);
    return plane;
  }
  // A camera that sees the road, if there is one. Otherwise disparity, inverse or metric depth,
  // with units from far too small to far too large.
  static MetricCamera random_camera(const Spec& spec, Random* random) {
    MetricCamera camera;
    camera.focal_x = camera.focal_y = 50.0 + random->below(1000);
    camera.principal_x = random->below(400) - 50;
    camera.principal_y = random->below(400) - 50;
    if (spec.road) {
      camera.focal_x = 0.5 * spec.width + random->below(2 * spec.width);
      camera.principal_x = random->below(spec.width + 1) + random->below(8) / 8.0;
      camera.depth = {true, 1000, 1.0 / 16, random->below(3) - 1.0};
      return camera;
    }
    camera.depth.reciprocal = random->one_in(2);
    camera.depth.factor = std::pow(10.0, random->below(9) - 6) * (1 + random->below(30));
    if (camera.depth.reciprocal) {
      camera.depth.numerator = std::pow(10.0, random->below(9) - 3) * (1 + random->below(30));
      camera.depth.offset = random->one_in(3) ? random->below(101) - 50 : 0;
    }
    return camera;
  }
  static void draw_few(const Spec& spec, const MutableDepthView& frame, Random* random) {
    const auto largest = static_cast<int>(max_sample(frame.type));
    const int base = 1 + random->below(largest);
    int left = spec.known;
    int pixels = frame.width * frame.height;
    for (int row = 0; row < frame.height; ++row) {
      for (int column = 0; column < frame.width; ++column, --pixels) {
        const bool known = random->below(pixels) < left;
        const int value = known ? 1 + (base + random->below(spec.values)) % largest : 0;
        left -= known ? 1 : 0;
        frame.set(row, column, static_cast<std::uint16_t>(value));
      }
    }
  }
  static void draw_slopes(const MutableDepthView& frame) {
    for (int column = 0; column < frame.width; ++column) {
      for (int row = 0; row < frame.height; ++row) {
        const int kink = std::min(row, frame.height - row);
        frame.set(row, column, static_cast<std::uint16_t>(1000 + column * kink));
      }
    }
  }
  // Draws all classes: slopes equal to the ground's, nearly equal, or given.
  static void draw_road(const Spec& spec, const MutableDepthView& frame, Random* random) {
    const int height = frame.height;
    const double most = max_sample(frame.type);
    const double slope = most / 1000 * (1 + random->below(400)) / 10;
    const int horizon = random->below(2 * height) - height / 2;
    const int with_ground = random->below(5);
    for (int column = 0; column < frame.width; ++column) {
      const int wall = random->below(height + 1);
      const double own = slope * (random->one_in(3) ? 0.25 + random->below(200) / 100.0 : 1.0);
      const bool ground = random->below(4) < with_ground;
      for (int row = 0; row < height; ++row) {
        const double value =
            own * ((ground ? std::max(row, wall) : wall) - horizon) + random->below(3);
        frame.set(
            row, column,
            static_cast<std::uint16_t>(random->one_in(16) ? 0 : std::clamp(value, 0.0, most)));
      }
    }
  }
};
const bool kSegmentPictures = add<SegmentPictures>();

}  // namespace
}  // namespace rdp::bits
