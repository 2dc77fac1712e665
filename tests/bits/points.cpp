// SPDX-License-Identifier: LGPL-2.1-or-later
// Point clouds from depth frames.
#include <optional>
#include <utility>

#include "common/points/engine.h"
#include "tests/bits/register.h"
#include "tests/points/clouds.h"
#ifdef RDP_BITS_DEVICE
#include "kernels/points/engine.h"
#endif

namespace rdp::bits {
namespace {

struct PointsSpec : FrameSpec {
  int camera = 0;  // index into cameras(), or none
  points::Parameters parameters;
  int value = -1;     // the value of all samples; -1: random
  int changed = -1;   // the camera's number that differs; -1: none
  bool same = false;  // the camera of 50 x 20, for any size
};
struct PointsCase : Case {
  std::optional<MetricCamera> camera;
  const MetricCamera* view() const { return camera ? &*camera : nullptr; }
};
constexpr int kCameras = 8;

struct Points {
  static constexpr const char* kName = "Points";
  static constexpr Counts kCounts{600, 400, 200, 4, false};
  using Spec = PointsSpec;
  using Case = PointsCase;

  static std::vector<Spec> hard(Random* random, bool all) {
    std::vector<Spec> specs;
    // Widths near a thread block's number of columns.
    for (const int width : {511, 512, 513, 1025}) {
      Spec spec = any(random, all);
      static_cast<FrameSpec&>(spec) = {width, 2, spec.type};
      specs.push_back(spec);
    }
    for (const FrameSpec& frame : hard_frames(all, random)) {
      Spec spec = any(random, all);
      static_cast<FrameSpec&>(spec) = frame;
      spec.count = 1;
      specs.push_back(spec);
    }
    for (const int value : {0, 1, 255, 65535}) {
      for (int camera = 0; camera <= kCameras; ++camera) {
        specs.push_back({{37, 11, SampleType::kU16}, camera, {}, value});
      }
    }
    // Changes each number of a camera in turn, and back: only what depends on it is recomputed.
    for (int changed = 0; changed < 12; ++changed) {
      for (const int now : {changed, -1}) {
        specs.push_back({{50, 20, SampleType::kU16}, 6, {}, -1, now});
      }
    }
    // The size changes with the same camera, as often as there are engines.
    for (const int camera : {0, 6}) {
      for (const auto& [width, height] : {std::pair{50, 20}, {50, 31}, {64, 31}, {64, 20}}) {
        for (int i = 0; i < 4; ++i) {
          specs.push_back({{width, height, SampleType::kU16}, camera, {}, -1, -1, true});
        }
      }
    }
    return specs;
  }
  static Spec any(Random* random, bool all) {
    Spec spec{random_frame(random, all), random->below(kCameras + 1), {}};
    spec.count = 1;
    spec.parameters.known =
        random->of({KnownRange{1, 65535}, KnownRange{1, 65535}, KnownRange{0, 65535},
                    KnownRange{100, 200}, KnownRange{300, 20000}, KnownRange{70000, 80000},
                    KnownRange{5, 4}, KnownRange{1, 0xFFFFFFFF}});
    spec.parameters.forward_left_up = random->one_in(2);
    return spec;
  }
  static Spec usual() { return {usual_frame(), 0, {}}; }
  static std::string text(const Spec& spec) {
    return text_of(spec) + ", camera " + std::to_string(spec.camera) + ", known " +
           std::to_string(spec.parameters.known.first) + " to " +
           std::to_string(spec.parameters.known.last) + ", value " + std::to_string(spec.value) +
           ", changed " + std::to_string(spec.changed);
  }
  static Case draw(const Spec& spec, Random* random) {
    Case made{
        {{samples(spec.width, spec.height, spec.type),
          array(3 * static_cast<std::size_t>(spec.width) * static_cast<std::size_t>(spec.height),
                4)}},
        {}};
    const MutableDepthView frame = made.images[0].draw();
    const auto most = static_cast<int>(max_sample(spec.type));
    for (int row = 0; row < spec.height; ++row) {
      for (int column = 0; column < spec.width; ++column) {
        // Often unknown, and often the largest value.
        const int kind = random->below(8);
        const int any = kind == 0 ? 0 : kind == 1 ? most : random->below(most + 1);
        frame.set(row, column, static_cast<std::uint16_t>(spec.value < 0 ? any : spec.value));
      }
    }
    if (spec.camera < kCameras) {
      made.camera =
          points::test::cameras(spec.same ? 50 : spec.width,
                                spec.same ? 20 : spec.height)[static_cast<std::size_t>(spec.camera)]
              .camera;
      if (spec.changed >= 0) change(spec.changed, &*made.camera);
    }
    return made;
  }
  static void reference(const Spec& spec, Case* made) {
    made->images[1].expect();
    points::reference::make_points(made->images[0].samples(), made->view(), spec.parameters,
                                   reinterpret_cast<float*>(made->images[1].after.data()));
  }

  struct Host {
    explicit Host(unsigned threads) { engine.set_threads(threads); }
    std::string run(const Spec& spec, const Case& made, HostImages& images) {
      engine.make_points(images[0].samples(), made.view(), spec.parameters,
                         reinterpret_cast<float*>(images[1].data()));
      return {};
    }
    points::Engine engine;
  };
#ifdef RDP_BITS_DEVICE
  struct Device {
    void start(const Spec& spec, const Case& made, const DeviceJob& job, CUstream stream) {
      engine.make_points(job[0].samples(), made.view(), spec.parameters, job[1].data(), stream);
    }
    cuda::PointsEngine engine;
  };
#endif

 private:
  static void change(int number, MetricCamera* camera) {
    double* const places[] = {
        &camera->focal_x,       &camera->focal_y,       &camera->principal_x,
        &camera->principal_y,   &camera->distortion.k1, &camera->distortion.k2,
        &camera->distortion.p1, &camera->distortion.p2, &camera->distortion.k3,
        &camera->distortion.k4, &camera->distortion.k5, &camera->distortion.k6};
    *places[number] += number < 4 ? 1.5 : 0.01;
    find_reach(&camera->distortion);
  }
};
const bool kPoints = add<Points>();

}  // namespace
}  // namespace rdp::bits
