// SPDX-License-Identifier: LGPL-2.1-or-later
// Planes of frames and of clouds, and their pictures.
#include <cmath>
#include <memory>
#include <utility>

#include "common/planes/clouds/engine.h"
#include "common/planes/clouds/reference.h"
#include "common/planes/frames/engine.h"
#include "common/planes/frames/reference.h"
#include "common/planes/limits.h"
#include "common/planes/pictures/overlay.h"
#include "tests/bits/register.h"
#include "tests/planes/cloud_cases.h"
#include "tests/planes/plane_differences.h"
#include "tests/planes/plane_patterns.h"
#include "tests/support/plane_scene.h"
#ifdef RDP_BITS_DEVICE
#include "kernels/planes/cloud_engine.h"
#include "kernels/planes/frame_engine.h"
#include "kernels/planes/overlay.h"
#endif

namespace rdp::bits {
namespace {

using test::CloudCase;
using test::CloudKind;
using test::PlaneCase;
using test::PlaneKind;

struct FramePlanesCase : Case {
  MetricCamera camera;
  planes::PlaneSet expected;
};

struct FramePlanes {
  static constexpr const char* kName = "FramePlanes";
  static constexpr Counts kCounts{60, 60, 20, 21, true, Steady::kRepeated};
  using Spec = PlaneCase;
  using Case = FramePlanesCase;

  static std::vector<Spec> hard(Random*, bool all) {
    std::vector<Spec> specs;
    // Planes behind each other, some of which merge. The widest frame has rows of more than 32
    // cells.
    for (const auto& [width, height] : {std::pair{96, 72}, {161, 121}, {340, 100}}) {
      specs.push_back(spec_of(PlaneKind::kRoom, width, height));
    }
    // More planes than the GPU's merge expects, some of which merge.
    specs.push_back(spec_of(PlaneKind::kTiles, 480, 400));
    specs.back().seed = 6;
    specs.back().parameters.bend = 0.5;
    // Frames smaller than any kernel's tile, and single lines.
    for (const auto& [width, height] :
         {std::pair{1, 1}, {2, 1}, {1, 40}, {40, 1}, {9, 7}, {17, 33}}) {
      for (const PlaneKind kind : {PlaneKind::kRoom, PlaneKind::kSlanted, PlaneKind::kUnknown}) {
        specs.push_back(spec_of(kind, width, height));
        specs.back().parameters.min_inliers = 1;
      }
    }
    for (const Spec& spec : test::plane_cases(all)) specs.push_back(spec);
    if (!has_device() || !all) return specs;
    for (const auto& [width, height] :
         {std::pair{1280, 720}, {kMaxSide, 40}, {40, kMaxSide}, {2500, 1700}}) {
      specs.push_back(spec_of(PlaneKind::kRoom, width, height));
      specs.push_back(spec_of(PlaneKind::kTiles, width, height));
    }
    return specs;
  }
  static Spec any(Random* random, bool all) {
    Spec spec = spec_of(static_cast<PlaneKind>(random->below(test::kPlaneKinds)),
                        1 + random->below(all ? 200 : 100), 1 + random->below(all ? 150 : 80));
    spec.seed = (*random->engine())();
    spec.type = random->of({SampleType::kU8, SampleType::kU16, SampleType::kU16});
    spec.disparity = random->one_in(3);
    spec.parameters.min_inliers = random->of({1, 20, 200});
    spec.parameters.connected = random->one_in(2);
    return spec;
  }
  static Spec usual() { return spec_of(PlaneKind::kRoom, 640, 480); }
  static std::string text(const Spec& spec) {
    return spec.name + ", " + std::to_string(spec.width) + " x " + std::to_string(spec.height);
  }
  static Case draw(const Spec& spec, Random*) {
    Case made{{{samples(spec.width, spec.height, spec.type),
                samples(spec.width, spec.height, SampleType::kU8)}},
              test::plane_camera(spec.width, spec.height, spec.type, spec.disparity),
              {}};
    test::draw_planes(made.images[0].draw(), spec.kind, spec.seed);
    return made;
  }
  static void reference(const Spec& spec, Case* made) {
    made->expected = planes::reference::find(made->images[0].samples(), made->camera,
                                             spec.parameters, made->images[1].expect());
  }

  struct Host {
    explicit Host(unsigned threads) : engine(threads) {}
    std::string run(const Spec& spec, const Case& made, HostImages& images) {
      return test::differences(made.expected, engine.find(images[0].samples(), made.camera,
                                                          spec.parameters, images[1].samples()));
    }
    planes::FrameEngine engine;
  };
#ifdef RDP_BITS_DEVICE
  struct Device {
    void prepare(const Spec& spec, const Case& made) {
      engine.prepare(spec.width, spec.height, spec.type, made.camera, spec.parameters);
    }
    void start(const Spec& spec, const Case& made, const DeviceJob& job, CUstream stream) {
      engine.find(job[0].samples(), made.camera, spec.parameters, job[1].samples(), stream);
    }
    std::string wrong(const Spec&, const Case& made) {
      return test::differences(made.expected, engine.planes());
    }
    cuda::FramePlanesEngine engine;
  };
#endif

 private:
  static Spec spec_of(PlaneKind kind, int width, int height) {
    return {test::name_of(kind), width, height, SampleType::kU16, kind, 5, false, {}};
  }
};
const bool kFramePlanes = add<FramePlanes>();

// The images are the cloud's bytes and the labels.
struct CloudPlanesCase : Case {
  planes::CloudView view;  // without data
  std::ptrdiff_t start = 0;
  planes::PlaneSet expected;

  planes::CloudView at(const std::byte* bytes) const {
    planes::CloudView there = view;
    there.data = bytes + start;
    return there;
  }
};

struct CloudPlanes {
  static constexpr const char* kName = "CloudPlanes";
  static constexpr Counts kCounts{40, 60, 30, 2, false};
  using Spec = CloudCase;
  using Case = CloudPlanesCase;

  static std::vector<Spec> hard(Random* random, bool all) {
    std::vector<Spec> specs{spec_of(CloudKind::kRoom, all ? 100000 : 10000, 1),
                            spec_of(CloudKind::kStrewn, all ? 30000 : 3000, 1)};
    for (const Spec& spec : test::cloud_cases(all)) {
      if (all || spec.points <= 3000 || random->one_in(12)) specs.push_back(spec);
    }
    if (!has_device() || !all) return specs;
    for (int kind = 0; kind < test::kCloudKinds; ++kind) {
      specs.push_back(spec_of(static_cast<CloudKind>(kind), 1500000, 4));
    }
    specs.push_back(spec_of(CloudKind::kEqual, std::size_t{1} << 25, 1));
    specs.push_back(spec_of(CloudKind::kRoom, std::size_t{1} << 25, 1));
    return specs;
  }
  static Spec any(Random* random, bool all) {
    Spec spec =
        spec_of(static_cast<CloudKind>(random->below(test::kCloudKinds)),
                static_cast<std::size_t>(random->below(all ? 20000 : 3000)), (*random->engine())());
    spec.step = 12 + static_cast<std::size_t>(random->below(9));
    spec.shift = static_cast<std::size_t>(random->below(4));
    spec.forward_left_up = random->one_in(2);
    return spec;
  }
  static Spec usual() { return spec_of(CloudKind::kRoom, 120000, 1); }
  static std::string text(const Spec& spec) {
    return spec.name + ", seed " + std::to_string(spec.seed) + ", step " +
           std::to_string(spec.step);
  }
  static Case draw(const Spec& spec, Random*) {
    const test::PaddedCloud cloud = spec.draw();
    Case made{{{array(cloud.bytes.size() + 1, 1), array(cloud.view.points + 1, 1)}},
              cloud.view,
              cloud.view.data - cloud.bytes.data(),
              {}};
    made.images[0].before = cloud.bytes;
    made.images[0].before.resize(made.images[0].size());
    // One byte after the labels must not be written.
    made.images[1].before.assign(made.images[1].size(), std::byte{0x5A});
    return made;
  }
  static void reference(const Spec& spec, Case* made) {
    made->images[1].expect();
    made->expected = planes::reference::find_in_cloud(
        made->at(made->images[0].before.data()), spec.parameters,
        reinterpret_cast<std::uint8_t*>(made->images[1].after.data()));
  }

  struct Host {
    explicit Host(unsigned threads) : engine(threads) {}
    std::string run(const Spec& spec, const Case& made, HostImages& images) {
      return test::differences(made.expected,
                               engine.find(made.at(images[0].data()), spec.parameters,
                                           reinterpret_cast<std::uint8_t*>(images[1].data())));
    }
    planes::CloudEngine engine;
  };
#ifdef RDP_BITS_DEVICE
  struct Device {
    void prepare(const Spec& spec, const Case& made) {
      engine.prepare(made.view.points, spec.parameters);
    }
    void start(const Spec& spec, const Case& made, const DeviceJob& job, CUstream stream) {
      engine.find(made.at(reinterpret_cast<const std::byte*>(job[0].data())), spec.parameters,
                  job[1].data(), stream);
    }
    std::string wrong(const Spec&, const Case& made) {
      return test::differences(made.expected, engine.planes());
    }
    cuda::CloudPlanesEngine engine;
  };
#endif

 private:
  static Spec spec_of(CloudKind kind, std::size_t points, std::uint32_t seed) {
    return {std::string(test::name_of(kind)) + " " + std::to_string(points),
            kind,
            points,
            seed,
            12,
            0,
            0,
            1.0,
            false,
            {}};
  }
};
const bool kCloudPlanes = add<CloudPlanes>();

#ifdef RDP_BITS_DEVICE
// A cloud with more points than cell numbers allow is refused.
void test_too_many_points() {
  on_device([] {
    cuda::CloudPlanesEngine engine;
    EXPECT_THROW(engine.prepare((std::size_t{1} << 25) + 1, {}), cuda::CudaError);
  });
}
const bool kTooMany = add_on_device("CloudPlanes", "DeviceTooManyPoints", test_too_many_points);
#endif

struct PictureSpec : FrameSpec {
  planes::OverlayStyle style = planes::OverlayStyle::kPlanes;
  bool legend = false;
  int planes = -1;  // -1: random
};
struct PictureCase : Case {
  std::shared_ptr<test::PlaneScene> scene;
  planes::OverlayOptions options;
};

// Pictures of planes. The reference is the painter with one thread; its own tests compare colours
// with hand-made ones.
struct PlanePictures {
  static constexpr const char* kName = "PlanePictures";
  static constexpr Counts kCounts{100, 200, 60, 10, false};
  using Spec = PictureSpec;
  using Case = PictureCase;

  static std::vector<Spec> hard(Random* random, bool all) {
    std::vector<Spec> specs;
    for (const planes::OverlayStyle style : kStyles) {
      for (const int planes : {0, planes::kMaxPlanes}) {
        specs.push_back({{all ? 640 : 160, all ? 480 : 120}, style, true, planes});
      }
    }
    for (const FrameSpec& frame : hard_frames(false, random)) {
      specs.push_back({frame, kStyles[random->below(5)], random->one_in(2)});
    }
    if (all) specs.push_back({{1280, 720}, planes::OverlayStyle::kPlanes, true});
    return specs;
  }
  static Spec any(Random* random, bool all) {
    return {random_frame(random, all), kStyles[random->below(5)], random->one_in(2)};
  }
  static Spec usual() { return {usual_frame(), planes::OverlayStyle::kPlanes, true}; }
  static std::string text(const Spec& spec) {
    return text_of(spec) + ", style " + std::to_string(static_cast<int>(spec.style)) + ", legend " +
           std::to_string(spec.legend) + ", planes " + std::to_string(spec.planes);
  }
  static Case draw(const Spec& spec, Random* random) {
    Case made{
        {{samples(spec.width, spec.height, spec.type),
          samples(spec.width, spec.height, SampleType::kU8), pixels(spec.width, spec.height)}},
        std::make_shared<test::PlaneScene>(spec.width, spec.height, spec.type, random->engine(),
                                           spec.planes),
        {}};
    copy(made.scene->frame.view(), made.images[0].draw());
    copy(made.scene->labels.view(), made.images[1].draw());
    made.options = made.scene->options;
    made.options.style = spec.style;
    made.options.legend = spec.legend;
    return made;
  }
  static void reference(const Spec&, Case* made) {
    planes::OverlayPainter painter(1);
    painter.paint(made->images[0].samples(), made->images[1].samples(), made->scene->view(),
                  made->options, made->images[2].expect_rgba());
  }
  struct Host {
    explicit Host(unsigned threads) : painter(threads) {}
    std::string run(const Spec&, const Case& made, HostImages& images) {
      painter.paint(images[0].samples(), images[1].samples(), made.scene->view(), made.options,
                    images[2].rgba());
      return {};
    }
    planes::OverlayPainter painter;
  };
#ifdef RDP_BITS_DEVICE
  struct Device {
    void start(const Spec&, const Case& made, const DeviceJob& job, CUstream stream) {
      painter.run(job[0].samples(), job[1].samples(), made.scene->view(), made.options,
                  job[2].rgba(), stream);
    }
    cuda::PlaneOverlayPainter painter;
  };
#endif

 private:
  static constexpr planes::OverlayStyle kStyles[] = {
      planes::OverlayStyle::kPlanes, planes::OverlayStyle::kNormals, planes::OverlayStyle::kNodes,
      planes::OverlayStyle::kResidual, planes::OverlayStyle::kDepth};
};
const bool kPlanePictures = add<PlanePictures>();

}  // namespace
}  // namespace rdp::bits
