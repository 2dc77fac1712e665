// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernels/heightmap/ground_engine.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include "common/heightmap/area.h"
#include "common/heightmap/geometry.h"
#include "common/heightmap/ground_rules.h"
#include "common/heightmap/head_cells.h"
#include "common/image/float_environment.h"
#include "common/image/grow_buffer.h"
#include "kernels/heightmap/ground_arguments.h"
#include "kernels/primitives/tile_borders.h"
#include "kernels/runtime/arena.h"
#include "kernels/runtime/context.h"
#include "kernels/runtime/device_memory.h"
#include "kernels/runtime/kernel_module.h"
#include "kernels/runtime/kernel_table.h"

extern "C" const unsigned char rdp_height_ground_fatbin[];
extern "C" const unsigned char rdp_height_heads_fatbin[];
extern "C" const unsigned char rdp_height_speckles_fatbin[];

namespace rdp::cuda {
namespace {

using heightmap::Parameters;
using heightmap::Plane;
using heightmap::Rig;

// The inputs of tables and memory.
struct Setting {
  heightmap::View seen;
  Parameters parameters;
  int speckle;

  Setting(const Rig& rig, const Parameters& its_parameters)
      : seen(rig.seen()), parameters(its_parameters), speckle(speckle_of(rig, its_parameters)) {}
  bool operator==(const Setting&) const = default;

  GroundArguments arguments() const {
    GroundArguments a{};
    a.width = seen.width;
    a.height = seen.height;
    a.unknown = parameters.heights();
    a.min_height = parameters.min_height;
    a.height_step = parameters.height_step;
    a.speckle = speckle;
    a.least = std::max(1, speckle);
    return a;
  }
};

std::int64_t pixels_of(const GroundArguments& a) { return std::int64_t{a.width} * a.height; }
std::int64_t heads_of(const GroundArguments& a, int least) {
  return static_cast<std::int64_t>(
      heightmap::most_heads(static_cast<std::size_t>(pixels_of(a)), least));
}

// Lays out the memory from `base` on; without a base the arrays are null.
// Returns the bytes; *zero_bytes: bytes at the beginning that must be zero before labels come.
std::size_t lay_out(unsigned char* base, GroundArguments* a, std::size_t* zero_bytes) {
  Arena arena(base);
  const std::int64_t pixels = pixels_of(*a);
  const std::int64_t places = places_for(pixels);
  a->cells.size = a->tiles.size = static_cast<std::uint32_t>(places);
  arena.take(&a->counters, 1);
  arena.take(&a->cells.keys, places);
  arena.take(&a->cell_votes, places);
  arena.take(&a->tiles.keys, places);
  *zero_bytes = arena.bytes();
  arena.take(&a->cell_heads, places);
  arena.take(&a->places, pixels);
  arena.take(&a->tile_list, pixels);
  if (a->speckle > 0) {
    arena.take(&a->parents, pixels);
    arena.take(&a->sizes, pixels);
  }
  arena.take(&a->heads, heads_of(*a, a->least));
  // Only heads with at least `counted` votes, which are fewer, are counted by label.
  const int counted = std::max(a->least, 2 * heightmap::kHeadHeightPart);
  arena.take(&a->label_votes, heads_of(*a, counted) * a->unknown);
  return arena.bytes();
}

// Tables that follow from the camera.
struct CameraTables {
  std::vector<Plane> planes;  // of the labels
  double axis;                // heightmap::axis_length()
  heightmap::Vector3 eye;     // metres
};
CameraTables tables_of(const Setting& setting) {
  return with_standard_floats([&] {
    heightmap::Geometry geometry;
    orient(setting.seen, geometry.projection);
    CameraTables tables{
        {}, heightmap::axis_length(geometry.projection[2]), heightmap::eye_of(geometry.projection)};
    for (int l = 0; l < setting.parameters.heights(); ++l) {
      tables.planes.push_back(geometry.plane(heightmap::metres(setting.parameters.height_of(l))));
    }
    return tables;
  });
}

struct Modules {
  static constexpr ModuleRow kRows[] = {
      {rdp_height_speckles_fatbin,
       {"rdp_speckles_label", "rdp_speckles_unite", "rdp_speckles_gather"}},
      {rdp_height_heads_fatbin,
       {"rdp_heads_vote", "rdp_heads_find", "rdp_heads_sum", "rdp_heads_finish"}},
      {rdp_height_ground_fatbin,
       {"rdp_ground_heights", "rdp_ground_depths", "rdp_ground_clear", "rdp_ground_draw"}},
  };
};

// Blocks of kernels whose amount of work only the device knows.
constexpr unsigned kLoopBlocksPerMultiprocessor = 8;

}  // namespace

struct GroundEngine::Impl {
  KernelTable<Modules> kernels;
  const unsigned loop_blocks =
      kLoopBlocksPerMultiprocessor *
      static_cast<unsigned>(current_device_attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT));
  // All kernels but the first wait for the one before them.
  const OverlappedStart start{};

  std::optional<Setting> setting;
  GroundArguments arguments{};
  CameraTables camera{};
  DeviceBuffer planes;
  DeviceBuffer memory;
  std::size_t zero_bytes = 0;
  PinnedBuffer result;  // the report, then the heads that were found
  GrowBuffer<heightmap::Head> heads;

  void prepare(const Setting& wanted);
  void remove_speckles(const GroundArguments& a, CUstream stream) const;
  void find_heads(const GroundArguments& a, CUstream stream) const;
  GroundSamplesArguments samples_arguments(CUdeviceptr labels,
                                           const DeviceDepthView& samples) const;
  LaunchShape pixels() const {
    return tiled(arguments.width, arguments.height, kGroundColumns, kGroundRows, kGroundThreads);
  }
  unsigned loop_blocks_of(std::int64_t most, int of_block) const {
    return std::min(loop_blocks, blocks_of(most, of_block));
  }
  // In page-locked memory, which the device has written.
  GroundReport* report() const { return reinterpret_cast<GroundReport*>(result.get()); }
  FoundHead* found() const {
    return reinterpret_cast<FoundHead*>(result.get() + Arena::aligned(sizeof(GroundReport)));
  }
};

GroundEngine::GroundEngine() : impl_(std::make_unique<Impl>()) {}
GroundEngine::~GroundEngine() = default;

std::uint64_t GroundEngine::memory_of(const Rig& rig, const Parameters& parameters) {
  GroundArguments a = Setting(rig, parameters).arguments();
  std::size_t zero_bytes = 0;
  return lay_out(nullptr, &a, &zero_bytes) +
         Arena::aligned(static_cast<std::size_t>(a.unknown) * sizeof(Plane));
}

void GroundEngine::prepare(const Rig& rig, const Parameters& parameters) {
  const Setting wanted(rig, parameters);
  if (impl_->setting != wanted) impl_->prepare(wanted);
}

void GroundEngine::Impl::prepare(const Setting& wanted) {
  setting.reset();
  GroundArguments& a = arguments;
  a = wanted.arguments();
  camera = tables_of(wanted);
  copy_tables(&planes, [&](TableCopies* copies) {
    a.planes = copies->copy(camera.planes.data(), camera.planes.size());
  });
  memory.ensure_anew(lay_out(nullptr, &a, &zero_bytes));
  lay_out(memory.as<unsigned char>(), &a, &zero_bytes);
  const auto most = static_cast<std::size_t>(heads_of(a, a.least));
  result.ensure(Arena::aligned(sizeof(GroundReport)) + most * sizeof(FoundHead));
  *report() = {};
  a.report = reinterpret_cast<GroundReport*>(result.device_pointer());
  a.found =
      reinterpret_cast<FoundHead*>(result.device_pointer() + Arena::aligned(sizeof(GroundReport)));
  heads.ensure(most);
  setting = wanted;
}

void GroundEngine::Impl::remove_speckles(const GroundArguments& a, CUstream stream) const {
  kernels["rdp_speckles_label"].start(pixels(), stream, a);
  const std::int64_t pairs = tile_border_pairs(a.width, a.height, kGroundColumns, kGroundRows);
  if (pairs > 0) {
    start(kernels["rdp_speckles_unite"], {blocks_of(pairs, kGroundThreads), 1, kGroundThreads},
          stream, a);
  }
  start(kernels["rdp_speckles_gather"],
        {blocks_of(a.width, kGroundThreads), blocks_of(a.height, kGroundStripRows), kGroundThreads},
        stream, a);
}

void GroundEngine::Impl::find_heads(const GroundArguments& a, CUstream stream) const {
  const Kernel& vote = kernels["rdp_heads_vote"];
  if (a.speckle > 0) {
    start(vote, pixels(), stream, a);
  } else {
    vote.start(pixels(), stream, a);
  }
  start(kernels["rdp_heads_find"], {loop_blocks_of(pixels_of(a), 1), 1, kFindThreads}, stream, a);
  start(kernels["rdp_heads_sum"], pixels(), stream, a);
  start(kernels["rdp_heads_finish"],
        {loop_blocks_of(heads_of(a, a.least), kGroundThreads), 1, kGroundThreads}, stream, a);
}

void GroundEngine::start(CUdeviceptr labels, CUstream stream) {
  GroundArguments a = impl_->arguments;
  a.labels = reinterpret_cast<unsigned char*>(labels);
  check(driver().cuMemsetD8Async(impl_->memory.get(), 0, impl_->zero_bytes, stream),
        "clearing the votes of heads");
  if (a.speckle > 0) impl_->remove_speckles(a, stream);
  impl_->find_heads(a, stream);
}

std::span<const heightmap::Head> GroundEngine::heads(const heightmap::Area& area) {
  if (!impl_->setting) return {};
  FoundHead* const found = impl_->found();
  FoundHead* const end = found + impl_->report()->heads;
  std::sort(found, end, [](const FoundHead& a, const FoundHead& b) { return a.cell < b.cell; });
  heightmap::Head* const heads = impl_->heads.data();
  return with_standard_floats([&]() -> std::span<const heightmap::Head> {
    std::size_t count = 0;
    for (const FoundHead* head = found; head != end; ++head) {
      heightmap::Head& to = heads[count];
      to = {head->column, head->row, head->x, head->y, head->height, head->votes};
      move_behind_front(impl_->camera.eye, to.height, &to.x, &to.y);
      if (contains(area, to.x, to.y)) ++count;
    }
    return {heads, count};
  });
}

std::int64_t GroundEngine::known() const {
  return impl_->setting ? static_cast<std::int64_t>(impl_->report()->known) : 0;
}

GroundSamplesArguments GroundEngine::Impl::samples_arguments(CUdeviceptr labels,
                                                             const DeviceDepthView& samples) const {
  GroundSamplesArguments a{};
  static_cast<LabelPicture&>(a) = arguments;
  a.labels = reinterpret_cast<unsigned char*>(labels);
  a.samples = samples.bytes();
  a.pitch = samples.pitch;
  a.columns = samples.width;
  a.rows = samples.height;
  a.axis = camera.axis;
  return a;
}

void GroundEngine::write_heights(CUdeviceptr labels, const DeviceDepthView& samples,
                                 CUstream stream) {
  impl_->kernels["rdp_ground_heights"].start(impl_->pixels(), stream,
                                             impl_->samples_arguments(labels, samples));
}

void GroundEngine::write_depths(CUdeviceptr labels, const DeviceDepthView& samples,
                                CUstream stream) {
  impl_->kernels["rdp_ground_depths"].start(impl_->pixels(), stream,
                                            impl_->samples_arguments(labels, samples));
}

void GroundEngine::draw_ground(CUdeviceptr labels, const heightmap::GroundGrid& grid,
                               const DeviceDepthView& samples, CUstream stream) {
  GroundSamplesArguments a = impl_->samples_arguments(labels, samples);
  a.x = grid.x;
  a.y = grid.y;
  a.cell = grid.cell;
  impl_->kernels["rdp_ground_clear"].start(
      tiled(a.columns, a.rows, kClearColumns, kClearRows, kGroundThreads), stream, a);
  impl_->start(impl_->kernels["rdp_ground_draw"], impl_->pixels(), stream, a);
}

}  // namespace rdp::cuda
