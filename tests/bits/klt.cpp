// SPDX-License-Identifier: LGPL-2.1-or-later
// Feature tracking over several frames of one or more cameras.
#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

#include "common/klt/engine.h"
#include "common/klt/reference.h"
#include "tests/bits/register.h"
#include "tests/klt/klt_frames.h"
#ifdef RDP_BITS_DEVICE
#include "kernels/klt/engine.h"
#include "kernels/klt/track_copy.h"
#endif

namespace rdp::bits {
namespace {

using klt::Light;
using test::PictureKind;

// The random variations of a case from frame to frame.
struct KltSpec {
  int width = 1;
  int height = 1;
  int cameras = 1;
  int frames = 3;
  PictureKind kind = PictureKind::kTexture;
  unsigned seed = 0;
  klt::Parameters parameters;
  bool points = false;   // given by the caller
  bool mask = false;     // allows nearly everything, or nearly nothing
  bool changes = false;  // parameters change between frames
  bool resized = false;  // the last frame is of another size
  int last_cell = 0;     // the last frame's cell size; 0: unchanged
  bool broken = false;   // lost, failed and repeated frames; flushed cameras
};

// A frame of all cameras, with its events.
struct KltStep {
  int width = 1;
  int height = 1;
  std::size_t first_image = 0;  // index of the first camera's image
  klt::Parameters parameters;
  std::vector<std::vector<klt::Point>> points;  // per camera
  bool masked = false;
  bool discontinuity = false;  // before the frame
  int flushed = -1;            // the camera that is flushed before the frame; -1: none
  bool again = false;          // the frame is tracked twice, then committed
  bool fails = false;          // another picture is tracked before, and discarded
  std::vector<klt::reference::Result> expected = {};
};

struct KltCase : Case {
  std::vector<KltStep> steps;
  std::size_t mask = 0;  // index of the mask's image
};

template <typename Row>
bool same_bytes(std::span<const Row> a, std::span<const Row> b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0);
}

// Describes the first difference; "": none. Allocates only if there is one.
std::string difference(const klt::reference::Result& expected, const klt::Result& result) {
  if (same_bytes<klt::Track>(result.tracks, expected.tracks) &&
      same_bytes<klt::Lost>(result.lost, expected.lost) &&
      same_bytes<klt::TrackWarp>(result.warps, expected.warps) &&
      result.templates == expected.templates) {
    return {};
  }
  const std::string text =
      test::first_difference(expected, {result.tracks.begin(), result.tracks.end()},
                             {result.lost.begin(), result.lost.end()});
  if (!text.empty()) return text;
  for (std::size_t i = 0; i < std::min(result.warps.size(), expected.warps.size()); ++i) {
    const klt::TrackWarp& is = result.warps[i];
    const klt::TrackWarp& was = expected.warps[i];
    if (std::memcmp(&is, &was, sizeof is) == 0) continue;
    return "warp " + std::to_string(i) + ": a " + std::to_string(is.a) + ", residual " +
           std::to_string(is.residual) + ", age " + std::to_string(is.age) + ", expected a " +
           std::to_string(was.a) + ", residual " + std::to_string(was.residual) + ", age " +
           std::to_string(was.age);
  }
  return std::to_string(result.warps.size()) + " warps and " + std::to_string(result.templates) +
         " templates, expected " + std::to_string(expected.warps.size()) + " and " +
         std::to_string(expected.templates);
}

struct Klt {
  static constexpr const char* kName = "Klt";
  static constexpr Counts kCounts{150, 400, 26, 12, false, Steady::kRepeated};
  using Spec = KltSpec;
  using Case = KltCase;

  static std::vector<Spec> hard(Random* random, bool all) {
    std::vector<Spec> specs;
    const auto add = [&](int width, int height, PictureKind kind) -> Spec& {
      Spec spec;
      spec.width = width;
      spec.height = height;
      spec.kind = kind;
      spec.seed = (*random->engine())() % 1000;
      spec.parameters.cell = 8;
      spec.parameters.window = random->of({8, 12, 16, 9, 21, 31});
      spec.parameters.light = static_cast<Light>(random->below(3));
      specs.push_back(spec);
      return specs.back();
    };
    // The largest gradients all over the picture, and so the largest sums of their squares.
    for (const int window : {8, 12, 16, 31}) {
      Spec& spec = add(70, 64, PictureKind::kStripes);
      spec.parameters.window = window;
      spec.parameters.levels = 1;
      spec.parameters.max_residual = 0.0;
      spec.parameters.min_eigenvalue = 0.0;
      spec.parameters.light = Light::kNone;
      spec.points = true;
    }
    // Each light with each of the windows that have their own kernels.
    for (const int window : {8, 12, 16, 13}) {
      for (const Light light : {Light::kBias, Light::kGainBias}) {
        Spec& spec = add(66, 49, PictureKind::kTexture);
        spec.parameters.window = window;
        spec.parameters.light = light;
        spec.frames = 2;
      }
    }
    // Affine warps with each light and each of these windows, and the largest sums.
    for (const int window : {8, 12, 16, 13, 31}) {
      for (const Light light : {Light::kNone, Light::kBias, Light::kGainBias}) {
        for (const PictureKind kind : {PictureKind::kTexture, PictureKind::kChecks}) {
          Spec& spec = add(96, 79, kind);
          spec.parameters.warp = klt::Warp::kAffine;
          spec.parameters.window = window;
          spec.parameters.light = light;
          spec.frames = 4;
          if (kind == PictureKind::kTexture) continue;
          spec.parameters.max_residual = spec.parameters.check = 0.0;
          spec.parameters.max_correction = spec.parameters.min_eigenvalue = 0.0;
        }
      }
    }
    // Black and white squares with edges anywhere in windows, followed by white: the largest sums.
    for (const int window : {8, 12, 16, 31}) {
      for (const Light light : {Light::kNone, Light::kGainBias}) {
        for (unsigned side = 0; side < 9; side += 2) {
          Spec& spec = add(60, 44, PictureKind::kChecks);
          spec.seed = side;
          spec.parameters.window = window;
          spec.parameters.light = light;
          spec.parameters.levels = 1;
          spec.parameters.max_residual = 0.0;
          spec.parameters.check = 0.0;
          spec.parameters.min_eigenvalue = 0.0;
        }
      }
    }
    for (int kind = 0; kind < static_cast<int>(PictureKind::kCount); ++kind) {
      Spec& spec = add(70, 51, static_cast<PictureKind>(kind));
      spec.parameters.max_residual = 0.0;
      spec.parameters.min_eigenvalue = 0.01;
      spec.parameters.levels = 3;
    }
    // Single lines, sizes near those of blocks and strips, and pictures smaller than their mirrored
    // border.
    for (const auto& [width, height] :
         {std::pair{1, 1}, {1, 40},  {40, 1},  {7, 7},   {8, 8},   {9, 8},    {15, 17},
          {16, 16},        {31, 33}, {33, 31}, {64, 8},  {8, 64},  {65, 33},  {63, 31},
          {127, 65},       {25, 17}, {24, 16}, {23, 15}, {200, 9}, {12, 130}, {100, 12}}) {
      Spec& spec =
          add(width, height, random->one_in(2) ? PictureKind::kTexture : PictureKind::kNoise);
      spec.parameters.window = random->of({8, 8, 12});
      spec.parameters.levels = 6;
      spec.parameters.cell = 4 * (1 + random->below(4));
      spec.parameters.pyramid_step = random->of({2, 2, 4});
      spec.frames = 2;
    }
    if (!all) return specs;
    for (int window = klt::kMinWindow; window <= klt::kMaxWindow; ++window) {
      for (const Light light : {Light::kNone, Light::kBias, Light::kGainBias}) {
        for (const klt::Warp warp : {klt::Warp::kTranslation, klt::Warp::kAffine}) {
          Spec& spec = add(97, 83, PictureKind::kTexture);
          spec.parameters = klt::Parameters();
          spec.parameters.window = window;
          spec.parameters.light = light;
          spec.parameters.warp = warp;
          spec.frames = warp == klt::Warp::kAffine ? 4 : 2;
        }
      }
    }
    for (const auto& [width, height] : {std::pair{kMaxSide, 12}, {12, kMaxSide}, {kMaxSide, 1}}) {
      Spec& spec = add(width, height, PictureKind::kTexture);
      spec.parameters.window = 8;
      spec.frames = 2;
    }
    // Many features and cells, so that tiles look back.
    Spec& many = add(400, 300, PictureKind::kNoise);
    many.parameters.cell = 4;
    many.parameters.window = 8;
    many.parameters.max_features = random->of({0, 1500});
    // A smaller last cell, so that more tracks may have a patch than there is room for.
    Spec& patches = add(400, 400, PictureKind::kTexture);
    patches.parameters.warp = klt::Warp::kAffine;
    patches.parameters.cell = 16;
    patches.parameters.window = 8;
    patches.last_cell = 4;
    Spec& cameras = add(150, 90, PictureKind::kTexture);
    cameras.cameras = 32;
    cameras.points = cameras.broken = true;
    return specs;
  }

  static Spec any(Random* random, bool all) {
    Spec spec;
    spec.width = 12 + random->below(all ? 140 : 60);
    spec.height = 12 + random->below(all ? 90 : 40);
    spec.cameras = random->one_in(3) ? 1 + random->below(all ? 6 : 3) : 1;
    spec.frames = 2 + random->below(all ? 5 : 3);
    spec.kind = random->one_in(3)
                    ? static_cast<PictureKind>(random->below(static_cast<int>(PictureKind::kCount)))
                    : PictureKind::kTexture;
    spec.seed = (*random->engine())() % 1000;
    spec.parameters = any_parameters(random);
    spec.points = random->one_in(3);
    spec.mask = random->one_in(4);
    spec.changes = random->one_in(3);
    spec.resized = random->one_in(8);
    spec.broken = random->one_in(2);
    return spec;
  }
  static Spec usual() {
    Spec spec;
    spec.width = 640;
    spec.height = 480;
    spec.frames = 2;
    spec.parameters.cell = 8;
    return spec;
  }
  static std::string text(const Spec& spec) {
    const klt::Parameters& p = spec.parameters;
    std::string text =
        std::to_string(spec.frames) + " frames of " + std::to_string(spec.cameras) + " cameras, " +
        std::to_string(spec.width) + "x" + std::to_string(spec.height) + ", kind " +
        std::to_string(static_cast<int>(spec.kind)) + ", seed " + std::to_string(spec.seed) +
        ", window " + std::to_string(p.window) + ", light " +
        std::to_string(static_cast<int>(p.light)) + ", levels " + std::to_string(p.levels) +
        ", step " + std::to_string(p.pyramid_step) + ", cell " + std::to_string(p.cell) +
        ", max-features " + std::to_string(p.max_features);
    if (p.warp == klt::Warp::kAffine) text += ", affine";
    if (spec.points) text += ", points";
    if (spec.mask) text += ", mask";
    if (spec.changes) text += ", changes";
    if (spec.resized) text += ", resized";
    if (spec.broken) text += ", broken";
    return text;
  }

  static Case draw(const Spec& spec, Random* random) {
    Case made;
    for (int i = 0; i < spec.frames; ++i) {
      KltStep step;
      const bool resized = spec.resized && i + 1 == spec.frames;
      step.width = spec.width + (resized ? 5 : 0);
      step.height = spec.height + (resized ? 3 : 0);
      step.first_image = made.images.size();
      step.parameters = spec.changes && i > 0 ? any_parameters(random) : spec.parameters;
      if (spec.last_cell > 0 && i + 1 == spec.frames) step.parameters.cell = spec.last_cell;
      if (spec.broken) {
        step.discontinuity = random->one_in(4);
        step.again = random->one_in(3);
        step.fails = random->one_in(3);
        if (random->one_in(5)) step.flushed = random->below(spec.cameras);
      }
      for (int camera = 0; camera < spec.cameras; ++camera) {
        // Checks move by one square per frame, which inverts them; frame 2 is white.
        const bool checks = spec.kind == PictureKind::kChecks;
        const int dx = checks ? i * (static_cast<int>(spec.seed % 9) + 1)
                       : spec.kind == PictureKind::kStripes ? i
                                                            : 2 * i + camera;
        const PictureKind kind = checks && i == 2 ? PictureKind::kWhite : spec.kind;
        const test::TestFrame frame = test::klt_picture(
            kind, step.width, step.height,
            spec.seed + static_cast<unsigned>(checks ? 9 * camera : camera), dx, checks ? 0 : -i);
        made.images.push_back(samples(step.width, step.height, SampleType::kU8));
        copy(frame.view(), made.images.back().draw());
        step.points.emplace_back();
        if (!spec.points || random->one_in(3)) continue;
        for (int n = random->below(30); n > 0; --n) {
          step.points.back().push_back(any_point(step, random));
        }
      }
      step.masked = spec.mask && !resized && !random->one_in(4);
      made.steps.push_back(std::move(step));
    }
    if (spec.mask) {
      made.mask = made.images.size();
      made.images.push_back(samples(spec.width, spec.height, SampleType::kU8));
      const MutableDepthView mask = made.images.back().draw();
      const int most = random->of({2, 8});
      for (int row = 0; row < spec.height; ++row) {
        for (int column = 0; column < spec.width; ++column) {
          const bool is_set = (random->below(most) != 0) == (most > 2);
          mask.set(row, column, static_cast<std::uint16_t>(is_set ? 1 + random->below(255) : 0));
        }
      }
    }
    return made;
  }

  static void reference(const Spec& spec, Case* made) {
    std::vector<klt::reference::State> states(static_cast<std::size_t>(spec.cameras));
    for (KltStep& step : made->steps) {
      step.expected.resize(states.size());
      for (std::size_t camera = 0; camera < states.size(); ++camera) {
        klt::reference::State& state = states[camera];
        if (step.discontinuity) klt::reference::end_prediction(&state);
        if (step.flushed == static_cast<int>(camera)) {
          state.picture.clear();
          state.tracks.clear();
          state.starts.clear();
        }
        const klt::Input input{made->images[step.first_image + camera].samples(),
                               step.masked ? made->images[made->mask].samples() : DepthView{},
                               step.points[camera]};
        state = klt::reference::advance(state, input, step.parameters, &step.expected[camera]);
      }
    }
  }

  struct Host {
    explicit Host(unsigned threads) : engine(threads) {}
    std::string run(const Spec& spec, const Case& made, HostImages& images) {
      while (states.size() < static_cast<std::size_t>(spec.cameras)) {
        states.push_back(std::make_unique<klt::State>());
      }
      for (const auto& state : states) state->restart();
      for (const KltStep& step : made.steps) {
        for (std::size_t camera = 0; camera < step.expected.size(); ++camera) {
          klt::State* const state = states[camera].get();
          if (step.discontinuity) state->end_prediction();
          if (step.flushed == static_cast<int>(camera)) state->end_tracks();
          const auto input = [&](std::size_t image) -> klt::Input {
            return {images[image].samples(),
                    step.masked ? DepthView(images[made.mask].samples()) : DepthView{},
                    step.points[camera]};
          };
          if (step.fails) engine.track(input(step.first_image), step.parameters, state);
          klt::Result result =
              engine.track(input(step.first_image + camera), step.parameters, state);
          if (step.again) {
            result = engine.track(input(step.first_image + camera), step.parameters, state);
          }
          state->commit();
          std::string wrong = difference(step.expected[camera], result);
          if (!wrong.empty()) return wrong + place(made, step, camera);
        }
      }
      return {};
    }
    klt::Engine engine;
    std::vector<std::unique_ptr<klt::State>> states;
  };

#ifdef RDP_BITS_DEVICE
  // start() synchronises after all frames but the last.
  struct Device {
    void start(const Spec& spec, const Case& made, const DeviceJob& job, CUstream stream) {
      while (states.size() < static_cast<std::size_t>(spec.cameras)) {
        states.push_back(std::make_unique<cuda::KltState>());
      }
      for (const auto& state : states) state->restart();
      used = stream;
      first_wrong.clear();
      for (const KltStep& step : made.steps) {
        for (std::size_t camera = 0; camera < step.expected.size(); ++camera) {
          if (step.discontinuity) states[camera]->end_prediction();
          if (step.flushed == static_cast<int>(camera)) states[camera]->end_tracks();
        }
        if (step.fails) track(step, made, job, true);
        track(step, made, job, false);
        if (step.again) track(step, made, job, false);
        if (&step == &made.steps.back()) break;
        settle();
        finish(made, step);
      }
    }
    std::string wrong(const Spec&, const Case& made) {
      finish(made, made.steps.back());
      return first_wrong;
    }

    // Tracks the frames of a step, or with `others` the first camera's in their place.
    void track(const KltStep& step, const Case& made, const DeviceJob& job, bool others) {
      settle();
      inputs.clear();
      for (std::size_t camera = 0; camera < step.expected.size(); ++camera) {
        inputs.push_back({job[step.first_image + (others ? 0 : camera)].samples(),
                          states[camera].get(), step.points[camera]});
      }
      engine.track(inputs, step.masked ? job[made.mask].samples() : cuda::DeviceDepthView{},
                   step.parameters, &list, used);
      std::size_t most_tracks = 0;
      std::size_t most_lost = 0;
      for (const klt::reference::Result& result : step.expected) {
        most_tracks = std::max(most_tracks, result.tracks.size());
        most_lost = std::max(most_lost, result.lost.size());
      }
      copy.prepare(list.frames(), most_tracks, most_lost, list.has_warps());
      copier.run(list, copy, used);
    }
    void settle() const { cuda::check(cuda::driver().cuStreamSynchronize(used), "waiting"); }
    // Compares both ways of copying the results to the host.
    void finish(const Case& made, const KltStep& step) {
      for (std::size_t camera = 0; camera < step.expected.size(); ++camera) {
        const int slice = static_cast<int>(camera);
        const klt::reference::Result& expected = step.expected[camera];
        states[camera]->commit();
        tracks.resize(list.track_count(slice));
        lost.resize(list.lost_count(slice));
        warps.resize(list.has_warps() ? tracks.size() : 0);
        list.copy_to(tracks.data(), lost.data(), used, slice, warps.data());
        const std::size_t templates = list.templates(slice);
        std::string text = difference(expected, {tracks, lost, warps, templates});
        if (text.empty()) {
          text = difference(expected,
                            {copy.tracks(slice, tracks.size()), copy.lost(slice, lost.size()),
                             copy.warps(slice, warps.size()), templates});
          if (!text.empty()) text = "in the copy, " + text;
        }
        if (text.empty() && states[camera]->tracks() != tracks.size()) text = "the state's count";
        if (!text.empty() && first_wrong.empty()) first_wrong = text + place(made, step, camera);
      }
    }

    cuda::KltEngine engine;
    cuda::DeviceTrackList list;
    cuda::TrackCopy copy;
    cuda::TrackCopier copier;
    std::vector<std::unique_ptr<cuda::KltState>> states;
    std::vector<cuda::KltInput> inputs;
    std::vector<klt::Track> tracks;
    std::vector<klt::Lost> lost;
    std::vector<klt::TrackWarp> warps;
    CUstream used = nullptr;
    std::string first_wrong;
  };
#endif

 private:
  static klt::Parameters any_parameters(Random* random) {
    klt::Parameters p;
    p.window = random->of({8, 12, 16, 8 + random->below(24)});
    p.levels = 1 + random->below(6);
    p.pyramid_step = random->one_in(4) ? 4 : 2;
    p.max_iterations = random->of({5, 10, 10, 30});
    p.epsilon = random->of({0.01, 0.01, 0.0, 0.2});
    p.light = static_cast<Light>(random->below(3));
    p.min_eigenvalue = random->of({1.0, 1.0, 0.0, 20.0});
    p.max_residual = random->of({12.0, 0.0, 3.0});
    p.check = random->of({0.5, 0.0, 0.05});
    p.predict = !random->one_in(4);
    p.detector = random->one_in(6) ? klt::Detector::kNone : klt::Detector::kShiTomasi;
    p.cell = 4 * (1 + random->below(5));
    p.quality = random->of({0.001, 0.0, 0.1, 1.0});
    p.max_features = random->one_in(3) ? 1 + random->below(60) : 0;
    p.warp = random->of({klt::Warp::kTranslation, klt::Warp::kAffine, klt::Warp::kAffine});
    p.max_correction = random->of({1.5, 1.5, 0.0, 0.05});
    p.template_residual = random->of({8.0, 8.0, 0.0, 0.5});
    return p;
  }
  static klt::Point any_point(const KltStep& step, Random* random) {
    const auto number = [&](int size) {
      // Often the positions at which windows of an even or odd size lie on whole pixels.
      const int parts = random->one_in(2) ? 2 : 1024;
      const float inside =
          static_cast<float>(random->below(size * parts)) / static_cast<float>(parts);
      return random->of({inside, inside, inside, inside, inside, inside, -1.0F,
                         static_cast<float>(size), static_cast<float>(size - 1), 1e30F,
                         std::numeric_limits<float>::quiet_NaN(),
                         std::numeric_limits<float>::infinity()});
    };
    const auto start = [&] {
      const auto near = static_cast<float>(random->below(8192) - 4096) / 1024.0F;
      return random->of({near, near, 0.0F, 0.0F, 0.0F, -3e9F,
                         random->one_in(9) ? std::numeric_limits<float>::quiet_NaN() : 0.0F});
    };
    return {number(step.width), number(step.height), start(), start()};
  }
  static std::string place(const Case& made, const KltStep& step, std::size_t camera) {
    return ", frame " + std::to_string(&step - made.steps.data()) + " of camera " +
           std::to_string(camera);
  }
};
const bool kKlt = add<Klt>();

}  // namespace
}  // namespace rdp::bits
