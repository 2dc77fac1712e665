// SPDX-License-Identifier: LGPL-2.1-or-later
// The pictures of height maps. The reference is the painter with one thread; tests/heightmap
// compares its pictures with hand-made ones.
#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "common/heightmap/ground.h"
#include "common/heightmap/overlay.h"
#include "tests/bits/register.h"
#include "tests/heightmap/heightmap_cases.h"
#ifdef RDP_BITS_DEVICE
#include "kernels/heightmap/overlay.h"
#include "kernels/runtime/cuda_error.h"
#include "kernels/runtime/driver.h"
#endif

namespace rdp::bits {
namespace {

using heightmap::OverlayStyle;

struct HeightPictureSpec {
  int width = 1;
  int height = 1;
  heightmap::OverlayOptions options;
  int heads = 0;
  int corners = 0;  // corners of the area's outline
  int cell = 50;
};

struct HeightPictureCase : Case {
  test::HeightsCase set;
  std::vector<std::uint8_t> labels;
  std::vector<heightmap::Head> heads;
};

struct HeightPictures {
  static constexpr const char* kName = "HeightPictures";
  static constexpr Counts kCounts{100, 300, 60, 12, false, Steady::kRepeated};
  using Spec = HeightPictureSpec;
  using Case = HeightPictureCase;

  static std::vector<Spec> hard(Random* random, bool all) {
    std::vector<Spec> specs;
    const auto add = [&](int width, int height) -> Spec& {
      specs.push_back(any(random, all));
      specs.back().width = width;
      specs.back().height = height;
      return specs.back();
    };
    // Each style with everything that it can show, and with the minimum.
    for (const OverlayStyle style : kStyles) {
      for (const bool much : {true, false}) {
        Spec& spec = add(all ? 640 : 300, all ? 480 : 220);
        spec.options = {style, much};
        spec.heads = much ? 200 : 0;
        spec.corners = much ? 7 : 0;
        spec.cell = much ? 50 : 300;
      }
    }
    for (const OverlayStyle style : kStyles) {
      for (const FrameSpec& frame : hard_frames(false, random)) {
        if (frame.count > 1 || frame.width * frame.height < 2) continue;
        add(frame.width, frame.height).options.style = style;
      }
    }
    for (const int cell : {1, 1000, 1000000}) {
      Spec& spec = add(120, 90);
      spec.options.style = OverlayStyle::kBirdsEye;
      spec.cell = cell;
    }
    if (all) {
      add(1280, 720).heads = 3000;
      add(4096, 3).heads = 300;
      add(3, 4096).heads = 300;
    }
    return specs;
  }
  static Spec any(Random* random, bool all) {
    const int most = all ? random->of({30, 60, 250}) : 60;
    Spec spec{1 + random->below(most), 2 + random->below(most), {}};
    spec.options.style = kStyles[random->below(3)];
    spec.options.legend = random->one_in(2);
    spec.heads = random->one_in(4) ? 0 : random->below(random->of({3, 20, 200}));
    spec.corners = random->one_in(3) ? 0 : 3 + random->below(10);
    spec.cell = random->of({1, 7, 50, 50, 300, 5000, 1000000});
    return spec;
  }
  static Spec usual() { return {640, 480, {OverlayStyle::kHeads, true}, 30, 5, 50}; }
  static std::string text(const Spec& spec) {
    return std::to_string(spec.width) + " x " + std::to_string(spec.height) + ", style " +
           std::to_string(static_cast<int>(spec.options.style)) + ", legend " +
           std::to_string(spec.options.legend) + ", " + std::to_string(spec.heads) + " heads, " +
           std::to_string(spec.corners) + " corners, cells of " + std::to_string(spec.cell);
  }

  static Case draw(const Spec& spec, Random* random) {
    Case made;
    made.set = test::random_case(random->engine(), spec.width, spec.height);
    const int reach = random->of({60, 4000, 4000, 30000, 1000000000});
    const auto place = [&](int within) { return random->below(2 * within) - within; };
    for (int i = 0; i < spec.corners; ++i) {
      made.set.area.push_back({place(reach), random->one_in(20) ? 0 : place(reach)});
    }
    const heightmap::Parameters& parameters = made.set.parameters;
    for (int i = 0; i < spec.heads; ++i) {
      const int within = random->of({1000, 5000, 5000, kFarthest});
      made.heads.push_back({random->below(spec.width), random->below(spec.height), place(within),
                            place(within),
                            parameters.height_of(random->below(parameters.heights())), 1});
    }
    draw_labels(spec, random, &made);
    made.images.push_back(samples(spec.width, spec.height, SampleType::kU8));
    copy(made.set.pictures()[static_cast<std::size_t>(made.set.rig.reference)],
         made.images[0].draw());
    made.images.push_back(array(made.labels.size(), 1));
    made.images[1].draw();
    std::transform(made.labels.begin(), made.labels.end(), made.images[1].before.begin(),
                   [](std::uint8_t label) { return std::byte{label}; });
    made.images.push_back(pixels(spec.width, spec.height));
    made.images[2].before.assign(made.images[2].size(), std::byte{0xA5});
    return made;
  }
  static void reference(const Spec& spec, Case* made) {
    heightmap::OverlayPainter painter(1);
    painter.paint(scene_of(spec, *made, made->images[0].samples()), spec.options,
                  made->images[2].expect_rgba());
  }

  struct Host {
    explicit Host(unsigned threads) : painter(threads) {}
    std::string run(const Spec& spec, const Case& made, HostImages& images) {
      painter.paint(scene_of(spec, made, images[0].samples()), spec.options, images[2].rgba());
      return {};
    }
    heightmap::OverlayPainter painter;
  };
#ifdef RDP_BITS_DEVICE
  struct Device {
    void start(const Spec& spec, const Case& made, const DeviceJob& job, CUstream stream) {
      cuda::HeightOverlayScene scene;
      static_cast<heightmap::OverlaySubject&>(scene) = subject_of(spec, made);
      scene.picture = job[0].samples();
      scene.labels = job[1].data();
      // Drawn by the CPU, because the ground's kernel is no part of the painter.
      scene.draw_ground = [&](const heightmap::GroundGrid& grid,
                              const cuda::DeviceDepthView& on_device, CUstream where) {
        const auto bytes = static_cast<std::size_t>(on_device.pitch * on_device.height);
        std::vector<std::byte> ground(bytes);
        heightmap::draw_ground(
            made.set.rig, made.set.parameters, made.labels, grid,
            {ground.data(), on_device.pitch, on_device.width, on_device.height, on_device.type});
        cuda::check(
            cuda::driver().cuMemcpyHtoDAsync_v2(on_device.data, ground.data(), bytes, where),
            "copying the ground of a picture to the GPU");
      };
      painter.paint(scene, spec.options, job[2].rgba(), stream);
    }
    cuda::HeightOverlayPainter painter;
  };
#endif

 private:
  static constexpr OverlayStyle kStyles[] = {OverlayStyle::kHeights, OverlayStyle::kHeads,
                                             OverlayStyle::kBirdsEye};
  static constexpr int kFarthest = 1000000;  // mm, to heads

  // Draws squares of one known label each.
  static void draw_labels(const Spec& spec, Random* random, Case* made) {
    const int unknown = made->set.parameters.heights();
    const auto width = static_cast<std::size_t>(spec.width);
    made->labels.assign(width * static_cast<std::size_t>(spec.height),
                        static_cast<std::uint8_t>(unknown));
    constexpr int kSide = 6;
    for (int top = 0; top < spec.height; top += kSide) {
      for (int left = 0; left < spec.width; left += kSide) {
        const auto label = static_cast<std::uint8_t>(random->below(unknown + 1));
        if (random->one_in(2)) continue;
        const int end = std::min(left + kSide, spec.width);
        for (int row = top; row < std::min(top + kSide, spec.height); ++row) {
          std::fill_n(made->labels.begin() +
                          static_cast<std::ptrdiff_t>(static_cast<std::size_t>(row) * width) + left,
                      end - left, label);
        }
      }
    }
  }
  static heightmap::OverlaySubject subject_of(const Spec& spec, const Case& made) {
    return {&made.set.rig, &made.set.parameters, &made.set.area, spec.cell, made.heads};
  }
  static heightmap::OverlayScene scene_of(const Spec& spec, const Case& made,
                                          const DepthView& picture) {
    return {subject_of(spec, made), picture, made.labels};
  }
};
const bool kHeightPictures = add<HeightPictures>();

}  // namespace
}  // namespace rdp::bits
