// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernels/klt/engine.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include "kernels/klt/klt_arguments.h"
#include "kernels/runtime/arena.h"
#include "kernels/runtime/kernel_module.h"
#include "kernels/runtime/kernel_table.h"

extern "C" const unsigned char rdp_klt_list_fatbin[];
extern "C" const unsigned char rdp_klt_picture_fatbin[];
extern "C" const unsigned char rdp_klt_register_fatbin[];
extern "C" const unsigned char rdp_klt_track_fatbin[];

namespace rdp::cuda {
namespace {

// From the first frame on, there is room for one track in each square, up to so many: those of
// 1080p. Larger frames get more when they have more.
constexpr std::size_t kRoomAtOnce = std::size_t{1} << 17;

std::size_t size_of(int count) { return static_cast<std::size_t>(count); }

std::size_t parts_of_frame(int width, int height, int part) {
  return size_of(klt::parts_of(width, part)) * size_of(klt::parts_of(height, part));
}

std::uint32_t tiles_of(std::size_t things) {
  return blocks_of(static_cast<std::int64_t>(things), kListThreads);
}

// Threads per window of this side; 8, 12 and 16 have kernels of their own.
int lanes_of(int window) { return window == 8 ? 8 : window == 12 || window == 16 ? 16 : 32; }
// The same for the birth test.
int birth_lanes_of(int window) { return window <= 16 ? 16 : 32; }

// The largest sizes of frames in a call, and the sizes that there is room for.
struct Sizes {
  std::size_t squares = 0;
  std::size_t cells = 0;     // where corners are found
  std::size_t features = 0;  // tracks and points, of any of the frames
  std::size_t tracks = 0;    // room for kept and new tracks
  std::size_t listed = 0;    // room for features
  std::size_t patches = 0;   // with klt::Warp::kAffine
};

// Lays out a frame's work memory, from `base` on.
std::size_t lay_out(const Sizes& sizes, unsigned char* base, KltWork* work) {
  Arena arena(base);
  const auto take = [&](auto** array, std::size_t count) {
    arena.take(array, static_cast<std::int64_t>(count));
  };
  take(&work->counters, 1);
  take(&work->squares, sizes.squares);
  take(&work->corners, sizes.cells);
  take(&work->feature_tiles, tiles_of(sizes.listed));
  take(&work->cell_tiles, tiles_of(sizes.cells));
  work->zero_bytes = static_cast<std::int64_t>(arena.bytes());
  take(&work->found, sizes.listed);
  take(&work->births, sizes.cells);
  take(&work->shapes, sizes.patches > 0 ? sizes.listed : 0);
  work->stride = static_cast<std::int64_t>(arena.bytes());
  return arena.bytes();
}

struct Modules {
  static constexpr ModuleRow kRows[] = {
      {rdp_klt_picture_fatbin, {"rdp_klt_picture"}},
      {rdp_klt_track_fatbin,
       {"rdp_klt_track_8", "rdp_klt_track_12", "rdp_klt_track_16", "rdp_klt_track_any"}},
      {rdp_klt_register_fatbin,
       {"rdp_klt_patches_8", "rdp_klt_patches_12", "rdp_klt_patches_16", "rdp_klt_patches_any",
        "rdp_klt_register_8", "rdp_klt_register_12", "rdp_klt_register_16",
        "rdp_klt_register_any"}},
      {rdp_klt_list_fatbin,
       {"rdp_klt_births_16", "rdp_klt_births_any", "rdp_klt_select", "rdp_klt_list"}},
  };
};

}  // namespace

struct KltEngine::Impl {
  KernelTable<Modules> kernels;
  OverlappedStart start;
  DeviceBuffer memory;
  PinnedBuffer points;

  // The frames of the last call.
  int width = 0;
  int height = 0;
  PictureLayout layout{};

  void prepare_picture(KltState::Moment* moment, CUstream stream) const;
  void make_levels(const KltPictureArguments& frames, int from, int to, int count,
                   CUstream stream) const;
  void complete_template(const KltState::Moment& before, int from, int to, CUstream stream) const;
  Sizes sizes_of(std::span<const KltInput> inputs, const klt::Parameters& parameters) const;
  KltFrame frame_of(const KltInput& input, const KltState::Moment& before,
                    const KltState::Moment& after, std::size_t first_point) const;
  // True if a frame can use the patches of the one before.
  static bool keeps_patches(const KltState::Moment& before, const KltState::Moment& after) {
    return before.window == after.window &&
           (before.light == klt::Light::kNone) == (after.light == klt::Light::kNone);
  }
  void prepare_shapes(const Sizes& sizes, const klt::Parameters& parameters, KltState* state,
                      CUstream stream) const;
  void start_kernels(const KltArguments& a, int frames, CUstream stream) const;
};

KltEngine::KltEngine() : impl_(std::make_unique<Impl>()) {}

KltEngine::~KltEngine() = default;

// Makes room for a picture of this size. The gradients around its levels are cleared here and never
// change.
void KltEngine::Impl::prepare_picture(KltState::Moment* moment, CUstream stream) const {
  moment->is_template = false;
  moment->made = 0;
  if (moment->width == width && moment->height == height) return;
  moment->width = moment->height = 0;
  const auto bytes = static_cast<std::size_t>(layout.bytes);
  moment->picture.ensure_anew(bytes);
  check(driver().cuMemsetD8Async(moment->picture.get(), 0, bytes, stream), "clearing a picture");
  moment->width = width;
  moment->height = height;
}

// Makes levels `from` to `to`: level 0 from the frames, all others from the level before.
void KltEngine::Impl::make_levels(const KltPictureArguments& frames, int from, int to, int count,
                                  CUstream stream) const {
  KltPictureArguments a = frames;
  int made = from - 1;
  a.of_frame = from == 0;
  do {
    a.source = std::max(made, 0);
    a.steps = std::min(to - a.source, kMaxSteps);
    const LevelLayout& level = layout.levels[a.source];
    start(kernels["rdp_klt_picture"],
          tiled(level.width, level.height, kPictureColumns, kPictureRows, kPictureThreads, count),
          stream, a);
    a.zeros = nullptr;
    a.of_frame = false;
    made = a.source + a.steps;
  } while (made < to);
}

// Adds the template's levels that an earlier call did not need.
void KltEngine::Impl::complete_template(const KltState::Moment& before, int from, int to,
                                        CUstream stream) const {
  KltPictureArguments a{};
  a.layout = layout;
  a.pictures[0] = before.picture.as<unsigned char>();
  make_levels(a, from, to, 1, stream);
}

Sizes KltEngine::Impl::sizes_of(std::span<const KltInput> inputs,
                                const klt::Parameters& parameters) const {
  Sizes sizes;
  sizes.squares = parts_of_frame(width, height, klt::kSquare);
  const bool detects = parameters.detector == klt::Detector::kShiTomasi &&
                       klt::has_windows(width, height, parameters.window);
  sizes.cells = detects ? parts_of_frame(width, height, parameters.cell) : 0;
  std::size_t most_points = 0;
  for (const KltInput& input : inputs) {
    const KltState::Moment& before = input.state->moments_[input.state->current_];
    const bool same = before.is_template && before.width == width && before.height == height;
    sizes.features = std::max(sizes.features, (same ? before.count : 0) + input.points.size());
    most_points = std::max(most_points, input.points.size());
  }
  const std::size_t needed = sizes.features + sizes.cells;
  sizes.tracks = std::min(sizes.squares, needed <= kRoomAtOnce ? kRoomAtOnce : needed + needed / 4);
  sizes.listed = sizes.tracks + most_points;
  if (parameters.warp == klt::Warp::kAffine) {
    const std::int64_t most = klt::most_patches(width, height, parameters.cell);
    sizes.patches = std::min(sizes.squares, static_cast<std::size_t>(most));
  }
  return sizes;
}

// Makes room for shapes and patches. Patches stay where they are until memory grows.
void KltEngine::Impl::prepare_shapes(const Sizes& sizes, const klt::Parameters& parameters,
                                     KltState* state, CUstream stream) const {
  const KltState::Moment& before = state->moments_[state->current_];
  KltState::Moment& after = state->moments_[state->current_ ^ 1];
  after.window = parameters.window;
  after.light = parameters.light;
  const bool had_shapes = before.is_template && before.has_shapes;
  after.store = !had_shapes ? 0 : keeps_patches(before, after) ? before.store : before.store ^ 1;
  KltState::PatchStore& store = state->stores_[after.store];
  const std::size_t size = KltPatch::bytes(parameters.window);
  const std::uint32_t kept = size == store.size ? store.patches : 0;
  const auto patches = std::max(static_cast<std::uint32_t>(sizes.patches), kept);
  const std::size_t bytes = patches * size;
  if (bytes > store.memory.size()) {
    DeviceBuffer larger;
    larger.ensure(bytes);
    if (kept > 0) {
      CUDA_MEMCPY2D copy{};
      copy.srcMemoryType = copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
      copy.srcDevice = store.memory.get();
      copy.dstDevice = larger.get();
      copy.srcPitch = copy.dstPitch = copy.WidthInBytes = size;
      copy.Height = kept;
      check(driver().cuMemcpy2DAsync_v2(&copy, stream), "moving patches");
    }
    store.memory = std::move(larger);  // frees what there was, once the copy is done
  }
  store.patches = patches;
  store.size = size;
  after.slots = patches;
  for (KltState::Moment& moment : state->moments_) {
    if (&moment == &before && had_shapes) continue;  // its shapes are still in use
    moment.shapes.ensure(KltShapes::bytes(patches, sizes.tracks));
  }
}

KltFrame KltEngine::Impl::frame_of(const KltInput& input, const KltState::Moment& before,
                                   const KltState::Moment& after, std::size_t first_point) const {
  KltFrame frame{};
  const bool same = before.is_template && before.width == width && before.height == height;
  frame.before = before.picture.as<unsigned char>();
  frame.after = after.picture.as<unsigned char>();
  frame.records = before.tracks.as<KltRecord>();
  frame.next_records = after.tracks.as<KltRecord>();
  frame.points = reinterpret_cast<const klt::Point*>(points.device_pointer()) + first_point;
  frame.state_report = reinterpret_cast<std::uint32_t*>(input.state->report_.device_pointer());
  frame.live = same ? before.count : 0;
  frame.point_count = static_cast<std::uint32_t>(input.points.size());
  frame.next_id = before.next_id;
  frame.predicts = before.predicts;
  if (!after.has_shapes) return frame;
  if (before.is_template && before.has_shapes) {
    frame.shapes = {before.shapes.as<unsigned char>(), before.slots};
    frame.keeps_patches = keeps_patches(before, after);
  }
  frame.next_shapes = {after.shapes.as<unsigned char>(), after.slots};
  frame.patches = input.state->stores_[after.store].memory.as<unsigned char>();
  return frame;
}

void KltEngine::track(std::span<const KltInput> inputs, const DeviceDepthView& mask,
                      const klt::Parameters& parameters, DeviceTrackList* result, CUstream stream) {
  Impl& impl = *impl_;
  const int count = static_cast<int>(inputs.size());
  const DeviceDepthView& first = inputs.front().frame;
  if (first.width != impl.width || first.height != impl.height) {
    impl.layout = PictureLayout::of(first.width, first.height);
    impl.width = first.width;
    impl.height = first.height;
  }
  const Sizes sizes = impl.sizes_of(inputs, parameters);

  // Allocate all memory first.
  std::size_t point_count = 0;
  for (const KltInput& input : inputs) {
    KltState& state = *input.state;
    state.pending_ = false;
    KltState::Moment& before = state.moments_[state.current_];
    KltState::Moment& after = state.moments_[state.current_ ^ 1];
    impl.prepare_picture(&after, stream);
    after.tracks.ensure(sizes.tracks * sizeof(KltRecord));
    // Memory of the next frame, so that it need not allocate.
    if (!before.is_template) {
      impl.prepare_picture(&before, stream);
      before.tracks.ensure(sizes.tracks * sizeof(KltRecord));
    }
    after.has_shapes = sizes.patches > 0;
    if (after.has_shapes) impl.prepare_shapes(sizes, parameters, &state, stream);
    state.report_.ensure(sizeof(KltState::Report));
    point_count += input.points.size();
  }
  impl.points.ensure(std::max<std::size_t>(point_count, 1) * sizeof(klt::Point));
  KltArguments a{};
  const std::size_t stride = lay_out(sizes, nullptr, &a.work);
  impl.memory.ensure_anew(inputs.size() * stride);
  lay_out(sizes, impl.memory.as<unsigned char>(), &a.work);
  result->prepare(count, sizes.tracks, sizes.listed, sizes.patches > 0);

  const int width = impl.width;
  const int height = impl.height;
  a.layout = impl.layout;
  a.list = result->view();
  a.rules = klt::step_rules(parameters);
  a.mask = mask.bytes();
  a.mask_pitch = mask.pitch;
  a.coarsest = klt::coarsest_level(width, height, parameters);
  a.level_stride = klt::level_stride(parameters);
  a.predict = parameters.predict;
  a.windows = klt::has_windows(width, height, parameters.window);
  a.detects = sizes.cells > 0;
  a.most_patches = static_cast<std::uint32_t>(klt::most_patches(width, height, parameters.cell));
  a.cell = parameters.cell;
  a.cell_columns = klt::parts_of(width, parameters.cell);
  a.cell_rows = klt::parts_of(height, parameters.cell);
  a.square_columns = klt::parts_of(width, klt::kSquare);
  a.quality = static_cast<float>(parameters.quality);
  a.max_features = parameters.max_features;
  const auto features = static_cast<std::int64_t>(sizes.features);
  a.track_blocks = blocks_of(features, kTrackThreads / lanes_of(parameters.window));
  a.corner_strips = blocks_of(width, kStripColumns);
  a.feature_tiles = tiles_of(sizes.features);
  a.cell_tiles = a.detects ? tiles_of(sizes.cells) : 0;

  KltPictureArguments pictures{};
  pictures.layout = impl.layout;
  pictures.zeros = reinterpret_cast<unsigned char*>(a.work.counters);
  pictures.zero_stride = a.work.stride;
  pictures.zero_bytes = a.work.zero_bytes;
  std::size_t next_point = 0;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const KltInput& input = inputs[i];
    KltState::Moment& before = input.state->moments_[input.state->current_];
    KltState::Moment& after = input.state->moments_[input.state->current_ ^ 1];
    a.frames[i] = impl.frame_of(input, before, after, next_point);
    if (!input.points.empty()) {
      std::memcpy(reinterpret_cast<klt::Point*>(impl.points.get()) + next_point,
                  input.points.data(), input.points.size_bytes());
    }
    next_point += input.points.size();
    pictures.frames.data[i] = input.frame.bytes();
    pictures.frames.pitch[i] = input.frame.pitch;
    pictures.pictures[i] = after.picture.as<unsigned char>();
    if (a.frames[i].live > 0 && before.made <= a.coarsest) {
      impl.complete_template(before, before.made, a.coarsest, stream);
      before.made = a.coarsest + 1;
    }
    after.made = a.coarsest + 1;
  }
  impl.make_levels(pictures, 0, a.coarsest, count, stream);
  impl.start_kernels(a, count, stream);
  for (const KltInput& input : inputs) input.state->pending_ = true;
}

void KltEngine::Impl::start_kernels(const KltArguments& a, int frames, CUstream stream) const {
  LaunchShape shape;
  shape.blocks_y = static_cast<unsigned>(frames);
  const std::int64_t strips =
      static_cast<std::int64_t>(a.corner_strips) * blocks_of(height, kStripRows);
  const int window = a.rules.window;
  shape.blocks_x = a.track_blocks + (a.detects ? blocks_of(strips, kTrackThreads / 32) : 0);
  shape.threads = kTrackThreads;
  const Kernel& track = window == 8    ? kernels["rdp_klt_track_8"]
                        : window == 12 ? kernels["rdp_klt_track_12"]
                        : window == 16 ? kernels["rdp_klt_track_16"]
                                       : kernels["rdp_klt_track_any"];
  start(track, shape, stream, a);
  if (a.rules.warp == klt::Warp::kAffine) {
    shape.blocks_x = a.track_blocks;
    shape.threads = kPatchThreads;
    static_assert(kPatchThreads == kTrackThreads);
    const auto start_both = [&](const Kernel& patches, const Kernel& registering) {
      start(patches, shape, stream, a);
      start(registering, shape, stream, a);
    };
    if (window == 8) {
      start_both(kernels["rdp_klt_patches_8"], kernels["rdp_klt_register_8"]);
    } else if (window == 12) {
      start_both(kernels["rdp_klt_patches_12"], kernels["rdp_klt_register_12"]);
    } else if (window == 16) {
      start_both(kernels["rdp_klt_patches_16"], kernels["rdp_klt_register_16"]);
    } else {
      start_both(kernels["rdp_klt_patches_any"], kernels["rdp_klt_register_any"]);
    }
  }
  if (a.detects) {
    const int lanes = birth_lanes_of(window);
    shape.blocks_x = blocks_of(a.cells(), kBirthThreads / lanes);
    shape.threads = kBirthThreads;
    start(lanes == 16 ? kernels["rdp_klt_births_16"] : kernels["rdp_klt_births_any"], shape, stream,
          a);
    if (a.max_features > 0) {
      shape.blocks_x = 1;
      shape.threads = kSelectThreads;
      start(kernels["rdp_klt_select"], shape, stream, a);
    }
  }
  shape.blocks_x = a.feature_tiles + a.cell_tiles;
  shape.threads = kListThreads;
  start(kernels["rdp_klt_list"], shape, stream, a);
}

}  // namespace rdp::cuda
