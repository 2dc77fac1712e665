// SPDX-License-Identifier: LGPL-2.1-or-later
// Pyramids and gradients, with the bits of klt::reference::pyramid_of().
//
// One launch makes up to three levels below the one that it reads. A block has a part of that
// level, with as many pixels around it as its parts of the other levels depend on, and makes these
// in shared memory, one of the other: so no level waits for the whole one before it.
#include <cstdint>

#include "kernels/klt/klt_arguments.h"
#include "kernels/primitives/grid_order.cuh"

namespace rdp::cuda {
namespace {

// How many pixels around its part a block needs of a level of which so many further ones are made:
// one for gradients, and of the level before twice as many and the filter's two.
constexpr int halo_of(int further) { return further == 0 ? 1 : 2 * halo_of(further - 1) + 2; }
// Of the first level in whole words.
constexpr int first_halo_of(int steps) { return (halo_of(steps) + 3) / 4 * 4; }

// A block's part of a level, and what is around it, in shared memory.
template <int kSteps, int kLevel>
struct Part {
  static constexpr int kOwnColumns = kPictureColumns >> kLevel;
  static constexpr int kOwnRows = kPictureRows >> kLevel;
  static constexpr int kHalo = halo_of(kSteps - kLevel);
  static constexpr int kLeft = kLevel == 0 ? first_halo_of(kSteps) : kHalo;
  static constexpr int kColumns = kOwnColumns + 2 * kLeft;
  static constexpr int kRows = kOwnRows + 2 * kHalo;
  // The pixel of the level that comes first.
  __device__ static int first_column() {
    return static_cast<int>(blockIdx.x) * kOwnColumns - kLeft;
  }
  __device__ static int first_row() { return static_cast<int>(blockIdx.y) * kOwnRows - kHalo; }
};

constexpr int kMostPixels = Part<kMostSteps, 0>::kColumns * Part<kMostSteps, 0>::kRows;
// Of the level that is made of it, and of sums across the first one.
constexpr int kMadePixels = Part<kMostSteps, 1>::kColumns * Part<kMostSteps, 1>::kRows;
constexpr int kSums = Part<kMostSteps, 1>::kColumns * Part<kMostSteps, 0>::kRows;

struct Shared {
  alignas(16) std::uint8_t pixels[kMostPixels];  // of the first level and of every second one
  std::uint8_t made[kMadePixels];                // of the others
  std::uint16_t sums[kSums];
};

// What the mirror shows: nearly always the pixel itself.
__device__ __forceinline__ int mirror(int i, int size) {
  return static_cast<unsigned>(i) < static_cast<unsigned>(size) ? i : klt::mirrored(i, size);
}

// Of a level: up to `halo` pixels beyond it are shown; what is further is needed by nobody, and its
// mirror image may lie outside of the block's part.
__device__ __forceinline__ bool is_shown(int i, int size, int halo) { return i < size + halo; }

// Calls store(i, load(i)) for each i below kCount, by all threads. All loads of a thread come
// before the first value is needed: they take as long as one of them does.
template <int kCount, typename Value, typename Load, typename Store>
__device__ __forceinline__ void copy_all(const Load& load, const Store& store) {
  constexpr int kOfThread = (kCount + kPictureThreads - 1) / kPictureThreads;
  Value values[kOfThread];
#pragma unroll
  for (int j = 0; j < kOfThread; ++j) {
    const int i = static_cast<int>(threadIdx.x) + j * kPictureThreads;
    values[j] = i < kCount ? load(i) : Value{};
  }
#pragma unroll
  for (int j = 0; j < kOfThread; ++j) {
    const int i = static_cast<int>(threadIdx.x) + j * kPictureThreads;
    if (i < kCount) store(i, values[j]);
  }
}

// Brings the first level in: of a frame, what lies within its columns; then show_beside() follows.
template <int kSteps, typename Unit>
__device__ void load_frame(const KltPictureArguments& a, int frame, std::uint8_t* pixels) {
  using P = Part<kSteps, 0>;
  constexpr int kUnits = P::kColumns / static_cast<int>(sizeof(Unit));
  const LevelLayout& level = a.layout.levels[0];
  const unsigned char* const data = a.frames.data[frame];
  const std::int64_t pitch = a.frames.pitch[frame];
  const int x0 = P::first_column(), y0 = P::first_row();
  copy_all<kUnits * P::kRows, Unit>(
      [&](int i) -> Unit {
        const int x = x0 + i % kUnits * static_cast<int>(sizeof(Unit)), y = y0 + i / kUnits;
        if (x < 0 || !is_shown(y, level.height, P::kHalo)) return 0;
        const unsigned char* const from = data + mirror(y, level.height) * pitch + x;
        const int count = level.width - x;
        if (count >= static_cast<int>(sizeof(Unit))) {
          return *reinterpret_cast<const Unit*>(from);
        }
        // The end of a row, beyond which nothing may be read.
        unsigned rest = 0;
        for (int k = 0; k < count; ++k) rest |= static_cast<unsigned>(from[k]) << 8 * k;
        return static_cast<Unit>(rest);
      },
      [&](int i, Unit unit) { reinterpret_cast<Unit*>(pixels)[i] = unit; });
}
// Columns that the mirror shows left and right of a frame.
template <int kSteps>
__device__ void show_beside(int width, std::uint8_t* pixels) {
  using P = Part<kSteps, 0>;
  const int x0 = P::first_column();
  const int left = x0 < 0 ? P::kHalo : 0;
  const int right = min(max(x0 + P::kColumns - width, 0), P::kHalo);
  const int lane = static_cast<int>(threadIdx.x) % 32;
  for (int row = static_cast<int>(threadIdx.x) / 32; row < P::kRows; row += kPictureThreads / 32) {
    std::uint8_t* const to = pixels + row * P::kColumns - x0;
    for (int i = lane; i < left + right; i += 32) {
      const int x = i < left ? -1 - i : width + i - left;
      to[x] = to[klt::mirrored(x, width)];
    }
  }
}

// Of a level, which has it all around it already.
template <int kSteps>
__device__ void load_level(const KltPictureArguments& a, int frame, std::uint8_t* pixels) {
  using P = Part<kSteps, 0>;
  static_assert(P::kLeft <= klt::kExtension);
  const LevelLayout& level = a.layout.levels[a.source];
  const auto* const from = reinterpret_cast<const std::uint16_t*>(a.pictures[frame] + level.pixels);
  const int x0 = P::first_column(), y0 = P::first_row();
  copy_all<P::kColumns * P::kRows, std::uint8_t>(
      [&](int i) -> std::uint8_t {
        const int x = x0 + i % P::kColumns, y = y0 + i / P::kColumns;
        if (!is_shown(x, level.width, P::kHalo) || !is_shown(y, level.height, P::kHalo)) return 0;
        return static_cast<std::uint8_t>(from[static_cast<std::int64_t>(y) * level.pitch + x]);
      },
      [&](int i, std::uint8_t pixel) { pixels[i] = pixel; });
}

template <int kSteps>
__device__ void load(const KltPictureArguments& a, int frame, std::uint8_t* pixels) {
  if (!a.of_frame) {
    load_level<kSteps>(a, frame, pixels);
    __syncthreads();
    return;
  }
  const auto bits = reinterpret_cast<std::uintptr_t>(a.frames.data[frame]) |
                    static_cast<std::uintptr_t>(a.frames.pitch[frame]);
  if (bits % sizeof(std::uint32_t) == 0) {
    load_frame<kSteps, std::uint32_t>(a, frame, pixels);
  } else {
    load_frame<kSteps, std::uint8_t>(a, frame, pixels);
  }
  __syncthreads();
  const int width = a.layout.levels[0].width;
  using P = Part<kSteps, 0>;
  if (P::first_column() < 0 || P::first_column() + P::kColumns > width) {
    show_beside<kSteps>(width, pixels);
    __syncthreads();
  }
}

// Makes a part of a level of that of the one before: 1 4 6 4 1 across and down, at every second
// pixel.
template <int kSteps, int kLevel>
__device__ void shrink(const LevelLayout& level, const std::uint8_t* fine, std::uint16_t* sums,
                       std::uint8_t* pixels) {
  using P = Part<kSteps, kLevel>;
  using Fine = Part<kSteps, kLevel - 1>;
  const int x0 = P::first_column(), y0 = P::first_row();
  for (int i = static_cast<int>(threadIdx.x); i < P::kColumns * Fine::kRows; i += kPictureThreads) {
    const int x = x0 + i % P::kColumns;
    if (!is_shown(x, level.width, P::kHalo)) continue;
    const std::uint8_t* const from =
        fine + i / P::kColumns * Fine::kColumns + 2 * mirror(x, level.width) - Fine::first_column();
    sums[i] =
        static_cast<std::uint16_t>(from[-2] + from[2] + 4 * (from[-1] + from[1]) + 6 * from[0]);
  }
  __syncthreads();
  for (int i = static_cast<int>(threadIdx.x); i < P::kColumns * P::kRows; i += kPictureThreads) {
    const int y = y0 + i / P::kColumns;
    if (!is_shown(x0 + i % P::kColumns, level.width, P::kHalo)) continue;
    if (!is_shown(y, level.height, P::kHalo)) continue;
    const std::uint16_t* const from =
        sums + (2 * mirror(y, level.height) - Fine::first_row()) * P::kColumns + i % P::kColumns;
    const int sum = from[-2 * P::kColumns] + from[2 * P::kColumns] +
                    4 * (from[-P::kColumns] + from[P::kColumns]) + 6 * from[0];
    pixels[i] = static_cast<std::uint8_t>((sum + 128) >> 8);
  }
  __syncthreads();
}

// Calls store(i) for all columns, or rows, of the level and around it that the mirror shows pixel
// `i` in, going up from it, or where it is `flipped` down.
template <typename Store>
__device__ void for_images(int i, int size, bool flipped, const Store& store) {
  const int period = size > 1 ? 2 * (size - 1) : 1;
  int image = flipped ? -i : i;
  while (image - period >= -klt::kExtension) image -= period;
  for (; image < size + klt::kExtension; image += period) {
    if (image >= -klt::kExtension) store(image);
  }
}

// Writes the block's own pixels of a level, with their images around the level, and their
// gradients.
template <int kSteps, int kLevel>
__device__ void write(const LevelLayout& level, const std::uint8_t* part, unsigned char* picture) {
  using P = Part<kSteps, kLevel>;
  auto* const pixels = reinterpret_cast<std::uint16_t*>(picture + level.pixels);
  auto* const gradients = reinterpret_cast<std::uint32_t*>(picture + level.gradients);
  for (int i = static_cast<int>(threadIdx.x); i < P::kOwnColumns * P::kOwnRows;
       i += kPictureThreads) {
    const int column = i % P::kOwnColumns + P::kLeft, row = i / P::kOwnColumns + P::kHalo;
    const int x = P::first_column() + column, y = P::first_row() + row;
    if (x >= level.width || y >= level.height) continue;
    const std::uint8_t* const at = part + row * P::kColumns + column;
    const std::uint8_t* const above = at - P::kColumns;
    const std::uint8_t* const below = at + P::kColumns;
    const int gx = 3 * (above[1] - above[-1] + below[1] - below[-1]) + 10 * (at[1] - at[-1]);
    const int gy = 3 * (below[-1] - above[-1] + below[1] - above[1]) + 10 * (below[0] - above[0]);
    gradients[static_cast<std::int64_t>(y) * level.pitch + x] =
        (static_cast<std::uint32_t>(gx) & 0xFFFFU) | static_cast<std::uint32_t>(gy) << 16;

    const auto pair = static_cast<std::uint16_t>(at[0] | at[1] << 8);
    constexpr int kReach = klt::kExtension;
    const bool is_inner =
        x > kReach && x < level.width - 1 - kReach && y > kReach && y < level.height - 1 - kReach;
    if (is_inner) {
      pixels[static_cast<std::int64_t>(y) * level.pitch + x] = pair;
      continue;
    }
    // Where the image goes down, the pixel before this one is right of it.
    const auto flipped_pair = static_cast<std::uint16_t>(at[0] | at[-1] << 8);
    for (int flip = 0; flip < 4; ++flip) {
      for_images(y, level.height, flip >= 2, [&](int image_y) {
        for_images(x, level.width, flip % 2 != 0, [&](int image_x) {
          pixels[static_cast<std::int64_t>(image_y) * level.pitch + image_x] =
              flip % 2 != 0 ? flipped_pair : pair;
        });
      });
    }
  }
}

// Makes up to kSteps levels.
template <int kSteps>
__device__ void make_levels(const KltPictureArguments& a, Shared* shared) {
  const int frame = static_cast<int>(blockIdx.z);
  unsigned char* const picture = a.pictures[frame];
  const LevelLayout* const levels = a.layout.levels + a.source;
  load<kSteps>(a, frame, shared->pixels);
  if (a.of_frame) write<kSteps, 0>(levels[0], shared->pixels, picture);
  if (a.steps >= 1) {
    shrink<kSteps, 1>(levels[1], shared->pixels, shared->sums, shared->made);
    write<kSteps, 1>(levels[1], shared->made, picture);
  }
  if (a.steps >= 2) {
    shrink<kSteps, 2>(levels[2], shared->made, shared->sums, shared->pixels);
    write<kSteps, 2>(levels[2], shared->pixels, picture);
  }
  if constexpr (kSteps >= 3) {
    shrink<kSteps, 3>(levels[3], shared->pixels, shared->sums, shared->made);
    write<kSteps, 3>(levels[3], shared->made, picture);
  }
}

// All that has to be zero when a frame begins.
__device__ void clear(const KltPictureArguments& a) {
  auto* const words = reinterpret_cast<uint4*>(a.zeros + blockIdx.z * a.zero_stride);
  const std::int64_t count = a.zero_bytes / static_cast<std::int64_t>(sizeof(uint4));
  const std::int64_t block = static_cast<std::int64_t>(blockIdx.y) * gridDim.x + blockIdx.x;
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * gridDim.y * kPictureThreads;
  for (std::int64_t i = block * kPictureThreads + threadIdx.x; i < count; i += step) {
    words[i] = make_uint4(0, 0, 0, 0);
  }
}

}  // namespace

extern "C" __global__ void __launch_bounds__(kPictureThreads)
    rdp_klt_picture(const __grid_constant__ KltPictureArguments a) {
  __shared__ Shared shared;
  wait_for_grid_before();
  if (a.zeros != nullptr) clear(a);
  if (a.steps <= 2) {
    make_levels<2>(a, &shared);
  } else {
    make_levels<3>(a, &shared);
  }
}

}  // namespace rdp::cuda
