// SPDX-License-Identifier: LGPL-2.1-or-later
// Pyramids and gradients; bit-identical to klt::reference::pyramid_of().
//
// One launch makes up to three levels below the one that it reads. A block reads its part of that
// level, with the pixels around it on which its parts of the other levels depend. It makes these in
// shared memory, one from the other, so no level waits for the whole level before it.
#include <cstdint>

#include "kernels/klt/klt_arguments.h"
#include "kernels/primitives/grid_order.cuh"

namespace rdp::cuda {
namespace {

// Pixels that a block needs around its part of a level from which `further` levels are made. The
// last level needs one for gradients; each level before needs twice as many as the next one, and
// the filter's two.
constexpr int halo_of(int further) { return further == 0 ? 1 : 2 * halo_of(further - 1) + 2; }
constexpr int in_words(int bytes) { return (bytes + 3) / 4 * 4; }

// A block's part of a level, and what is around it, in shared memory, in rows of whole words.
template <int kSteps, int kLevel>
struct Part {
  static constexpr int kOwnColumns = kPictureColumns >> kLevel;
  static constexpr int kOwnRows = kPictureRows >> kLevel;
  static constexpr int kHalo = halo_of(kSteps - kLevel);
  static constexpr int kLeft = in_words(kHalo);
  static constexpr int kColumns = kOwnColumns + 2 * kLeft;
  static constexpr int kRows = kOwnRows + 2 * kHalo;
  // The pixel of the level that comes first.
  __device__ static int first_column() {
    return static_cast<int>(blockIdx.x) * kOwnColumns - kLeft;
  }
  __device__ static int first_row() { return static_cast<int>(blockIdx.y) * kOwnRows - kHalo; }
};

// The number of columns of a part that are needed.
template <typename P>
constexpr int kNeeded = P::kOwnColumns + 2 * P::kHalo;

constexpr int kMaxPixels = Part<kMaxSteps, 0>::kColumns * Part<kMaxSteps, 0>::kRows;
// Sizes of the level that is made of it, and of sums across the first one.
constexpr int kMadePixels = Part<kMaxSteps, 1>::kColumns * Part<kMaxSteps, 1>::kRows;
constexpr int kSums = kNeeded<Part<kMaxSteps, 1>> * Part<kMaxSteps, 0>::kRows;

struct Shared {
  alignas(16) std::uint8_t pixels[kMaxPixels];  // of the first level and of every second one
  alignas(16) std::uint8_t made[kMadePixels];   // of the others
  alignas(16) std::uint16_t sums[kSums];
};

// The pixel of the mirror image: nearly always the pixel itself.
__device__ __forceinline__ int mirror(int i, int size) {
  return static_cast<unsigned>(i) < static_cast<unsigned>(size) ? i : klt::mirrored(i, size);
}

// True for the pixels of a level, and up to `halo` pixels beyond it. Further ones are not needed,
// and their mirror image may lie outside of the block's part.
__device__ __forceinline__ bool is_shown(int i, int size, int halo) { return i < size + halo; }

// Calls store(i, load(i)) for each i below kCount, by all threads. A thread starts a few loads
// before it needs the first value, because they take as long as one. More would not pay, since
// unrolled code has to be fetched, too.
template <int kCount, typename Value, typename Load, typename Store>
__device__ void copy_all(const Load& load, const Store& store) {
  constexpr int kAtOnce = 3;
#pragma unroll 1
  for (int base = static_cast<int>(threadIdx.x); base < kCount; base += kAtOnce * kPictureThreads) {
    Value values[kAtOnce];
#pragma unroll
    for (int j = 0; j < kAtOnce; ++j) {
      const int i = base + j * kPictureThreads;
      values[j] = i < kCount ? load(i) : Value{};
    }
#pragma unroll
    for (int j = 0; j < kAtOnce; ++j) {
      const int i = base + j * kPictureThreads;
      if (i < kCount) store(i, values[j]);
    }
  }
}

// Loads the first level from a frame, within its columns; show_beside() must follow.
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
// Fills the mirrored columns left and right of a frame.
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

// Loads a level that has its mirror image all around already.
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

// Makes a part of a level from that of the level before: 1 4 6 4 1 across and down, at every second
// pixel. Down it takes two columns at a time, as halves of a word: no sum exceeds 16 bits.
template <int kSteps, int kLevel>
__device__ __forceinline__ void shrink(const LevelLayout& level, const std::uint8_t* fine,
                                       std::uint16_t* sums, std::uint8_t* pixels) {
  using P = Part<kSteps, kLevel>;
  using Fine = Part<kSteps, kLevel - 1>;
  constexpr int kBeside = P::kLeft - P::kHalo;  // columns that nobody needs
  const int x0 = P::first_column() + kBeside, y0 = P::first_row();
#pragma unroll 1
  for (int i = static_cast<int>(threadIdx.x); i < kNeeded<P> * Fine::kRows; i += kPictureThreads) {
    const int x = x0 + i % kNeeded<P>;
    if (!is_shown(x, level.width, P::kHalo)) continue;
    const std::uint8_t* const from =
        fine + i / kNeeded<P> * Fine::kColumns + 2 * mirror(x, level.width) - Fine::first_column();
    sums[i] =
        static_cast<std::uint16_t>(from[-2] + from[2] + 4 * (from[-1] + from[1]) + 6 * from[0]);
  }
  __syncthreads();
  static_assert(kNeeded<P> % 2 == 0);
  constexpr int kPairs = kNeeded<P> / 2;
#pragma unroll 1
  for (int i = static_cast<int>(threadIdx.x); i < kPairs * P::kRows; i += kPictureThreads) {
    const int y = y0 + i / kPairs;
    if (!is_shown(y, level.height, P::kHalo)) continue;
    const auto* const from = reinterpret_cast<const std::uint32_t*>(sums) +
                             (2 * mirror(y, level.height) - Fine::first_row()) * kPairs +
                             i % kPairs;
    const std::uint32_t sum = from[-2 * kPairs] + from[2 * kPairs] +
                              4 * (from[-kPairs] + from[kPairs]) + 6 * from[0] + 0x00800080U;
    std::uint8_t* const to = pixels + i / kPairs * P::kColumns + kBeside + i % kPairs * 2;
    to[0] = static_cast<std::uint8_t>(sum >> 8);
    to[1] = static_cast<std::uint8_t>(sum >> 24);
  }
  __syncthreads();
}

// Places that show the pixels `first` to `last` of a side of a level: their own, and mirror images
// before and behind it. A pixel has at most one image on either side, because the side has more
// than klt::kExtension pixels.
struct Images {
  __device__ __forceinline__ Images(int first_, int last, int size)
      : first(first_),
        own(last - first + 1),
        before(max(min(last, klt::kExtension) - max(first, 1) + 1, 0)),
        after(max(min(last, size - 2) - max(first, size - 1 - klt::kExtension) + 1, 0)),
        end(size - 1) {}

  __device__ __forceinline__ int count() const { return own + before + after; }
  // Image number i: its place, and the pixel that it shows.
  __device__ __forceinline__ void find(int i, int* image, int* pixel) const {
    const bool is_own = i < own, is_before = i < own + before;
    const int from = is_own      ? first
                     : is_before ? max(first, 1) - own
                                 : max(first, end - klt::kExtension) - own - before;
    *pixel = from + i;
    *image = is_own ? *pixel : is_before ? -*pixel : 2 * end - *pixel;
  }

  int first;
  int own;
  int before;
  int after;
  int end;
};

// Calls store(j) for all columns, or rows, j in and around a level that show pixel `i`. Without
// `flipped` these are the unmirrored ones, else the mirrored ones. For levels of any size.
template <typename Store>
__device__ __forceinline__ void for_images(int i, int size, bool flipped, const Store& store) {
  const int period = size > 1 ? 2 * (size - 1) : 1;
  int image = flipped ? -i : i;
  while (image - period >= -klt::kExtension) image -= period;
  for (; image < size + klt::kExtension; image += period) {
    if (image >= -klt::kExtension) store(image);
  }
}

// A block's own pixels of a level: columns x0 to x1, rows y0 to y1.
struct Own {
  const std::uint8_t* pixels;  // where pixel (0, 0) of the level would be
  int pitch;
  int x0, x1, y0, y1;

  // A pixel, and the one right of it; where the image is flipped, that is the one before.
  __device__ __forceinline__ std::uint16_t pair(int x, int y, bool flipped) const {
    const std::uint8_t* const at = pixels + y * pitch + x;
    return static_cast<std::uint16_t>(at[0] | at[flipped ? -1 : 1] << 8);
  }
};

// Writes the mirror images of a block's own pixels around a level. Loops are not unrolled, here and
// in write(): fetching code that runs once takes longer than running it.
__device__ __forceinline__ void write_images(const Own& own, const LevelLayout& level,
                                             std::uint16_t* pixels) {
  const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
  constexpr int kWarps = kPictureThreads / 32;
  const Images columns(own.x0, own.x1, level.width), rows(own.y0, own.y1, level.height);
#pragma unroll 1
  for (int i = lane; i < columns.count(); i += 32) {
    int to_x, x;
    columns.find(i, &to_x, &x);
#pragma unroll 1
    for (int j = warp; j < rows.count(); j += kWarps) {
      int to_y, y;
      rows.find(j, &to_y, &y);
      if (to_x == x && to_y == y) continue;
      pixels[static_cast<std::int64_t>(to_y) * level.pitch + to_x] = own.pair(x, y, to_x != x);
    }
  }
}
// The same for a level with few columns or rows, whose pixels have several images. Not inlined, so
// that its code exists once. Takes plain numbers, which come in registers.
__device__ __noinline__ void write_small(const std::uint8_t* own_pixels, int own_pitch, int x0,
                                         int x1, int y0, int y1, std::uint16_t* pixels, int pitch,
                                         int width, int height) {
  const Own own{own_pixels, own_pitch, x0, x1, y0, y1};
  const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
#pragma unroll 1
  for (int y = y0 + warp; y <= y1; y += kPictureThreads / 32) {
#pragma unroll 1
    for (int x = x0 + lane; x <= x1; x += 32) {
#pragma unroll 1
      for (int flip = 0; flip < 4; ++flip) {
        for_images(y, height, flip >= 2, [&](int image_y) {
          for_images(x, width, flip % 2 != 0, [&](int image_x) {
            pixels[static_cast<std::int64_t>(image_y) * pitch + image_x] =
                own.pair(x, y, flip % 2 != 0);
          });
        });
      }
    }
  }
}

// Scharr's gradients, of a pixel; x in the lower half of the word.
__device__ __forceinline__ std::uint32_t gradients_at(const std::uint8_t* at, int pitch) {
  const std::uint8_t* const above = at - pitch;
  const std::uint8_t* const below = at + pitch;
  const int gx = 3 * (above[1] - above[-1] + below[1] - below[-1]) + 10 * (at[1] - at[-1]);
  const int gy = 3 * (below[-1] - above[-1] + below[1] - above[1]) + 10 * (below[0] - above[0]);
  return (static_cast<std::uint32_t>(gx) & 0xFFFFU) | static_cast<std::uint32_t>(gy) << 16;
}

// The same for four pixels at once, from the first pixel of a word on. Two of them share a word,
// because neither sums nor biased differences exceed 16 bits.
struct Row {                 // of pixels -1 to 4
  std::uint32_t a, b, c;     // -1 and 0, 1 and 2, 3 and 4
  std::uint32_t m, n;        // 0 and 1, 2 and 3
  std::uint32_t word, next;  // as they lie

  __device__ __forceinline__ explicit Row(const std::uint8_t* at) {
    const auto* const words = reinterpret_cast<const std::uint32_t*>(at);
    word = words[0];
    next = words[1];
    const std::uint32_t left = __byte_perm(words[-1], word, 0x6543),
                        right = __byte_perm(word, next, 0x4321);
    a = __byte_perm(left, 0, 0x4140);
    b = __byte_perm(left, 0, 0x4342);
    c = __byte_perm(right, 0, 0x4342);
    m = __byte_perm(left, 0, 0x4241);
    n = __byte_perm(right, 0, 0x4241);
  }
};
__device__ __forceinline__ std::uint32_t weighted(std::uint32_t outer, std::uint32_t other,
                                                  std::uint32_t inner) {
  return 3 * (outer + other) + 10 * inner;
}
__device__ __forceinline__ std::uint32_t difference(std::uint32_t a, std::uint32_t b) {
  constexpr std::uint32_t kBias = 0x80008000U;
  return (a + kBias - b) ^ kBias;
}
__device__ __forceinline__ void write_four(const std::uint8_t* at, int pitch,
                                           std::uint32_t* gradients, std::uint16_t* pixels) {
  const Row above(at - pitch), here(at), below(at + pitch);
  const std::uint32_t a = weighted(above.a, below.a, here.a);
  const std::uint32_t b = weighted(above.b, below.b, here.b);
  const std::uint32_t c = weighted(above.c, below.c, here.c);
  const std::uint32_t x01 = difference(b, a), x23 = difference(c, b);
  const std::uint32_t y01 =
      difference(weighted(below.a, below.b, below.m), weighted(above.a, above.b, above.m));
  const std::uint32_t y23 =
      difference(weighted(below.b, below.c, below.n), weighted(above.b, above.c, above.n));
  *reinterpret_cast<uint4*>(gradients) =
      make_uint4(__byte_perm(x01, y01, 0x5410), __byte_perm(x01, y01, 0x7632),
                 __byte_perm(x23, y23, 0x5410), __byte_perm(x23, y23, 0x7632));
  *reinterpret_cast<uint2*>(pixels) = make_uint2(__byte_perm(here.word, here.next, 0x2110),
                                                 __byte_perm(here.word, here.next, 0x4332));
}

// Writes the block's own pixels of a level, with their images around the level, and their
// gradients.
template <int kSteps, int kLevel>
__device__ __forceinline__ void write(const LevelLayout& level, const std::uint8_t* part,
                                      unsigned char* picture) {
  using P = Part<kSteps, kLevel>;
  auto* const pixels = reinterpret_cast<std::uint16_t*>(picture + level.pixels);
  auto* const gradients = reinterpret_cast<std::uint32_t*>(picture + level.gradients);
  const int x0 = P::first_column() + P::kLeft, y0 = P::first_row() + P::kHalo;
  const Own own{part - P::first_row() * P::kColumns - P::first_column(),
                P::kColumns,
                x0,
                min(x0 + P::kOwnColumns, level.width) - 1,
                y0,
                min(y0 + P::kOwnRows, level.height) - 1};
  if (own.x1 < own.x0 || own.y1 < own.y0) return;
  constexpr int kFours = P::kOwnColumns / 4;
  static_assert(P::kOwnColumns % 4 == 0);
#pragma unroll 1
  for (int i = static_cast<int>(threadIdx.x); i < kFours * P::kOwnRows; i += kPictureThreads) {
    const int x = x0 + i % kFours * 4, y = y0 + i / kFours;
    if (x > own.x1 || y > own.y1) continue;
    const std::uint8_t* const at = own.pixels + y * P::kColumns + x;
    const std::int64_t to = static_cast<std::int64_t>(y) * level.pitch + x;
    if (x + 3 <= own.x1) {
      write_four(at, P::kColumns, gradients + to, pixels + to);
      continue;
    }
    // Pixels right of the level are not the block's own.
#pragma unroll 1
    for (int j = 0; x + j <= own.x1; ++j) {
      gradients[to + j] = gradients_at(at + j, P::kColumns);
      pixels[to + j] = own.pair(x + j, y, false);
    }
  }
  constexpr int kReach = klt::kExtension;
  if (own.x0 > kReach && own.x1 < level.width - 1 - kReach && own.y0 > kReach &&
      own.y1 < level.height - 1 - kReach) {
    return;
  }
  if (level.width > kReach && level.height > kReach) {
    write_images(own, level, pixels);
  } else {
    write_small(own.pixels, own.pitch, own.x0, own.x1, own.y0, own.y1, pixels, level.pitch,
                level.width, level.height);
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

// Zeroes the memory that must be zero when a frame begins.
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

extern "C" __global__ void __launch_bounds__(kPictureThreads, 4)
    rdp_klt_picture(const __grid_constant__ KltPictureArguments a) {
  __shared__ Shared shared;
  pdl_wait_and_trigger();
  if (a.zeros != nullptr) clear(a);
  if (a.steps <= 2) {
    make_levels<2>(a, &shared);
  } else {
    make_levels<3>(a, &shared);
  }
}

}  // namespace rdp::cuda
