// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_KLT_KLT_ARGUMENTS_H_
#define RDP_KERNELS_KLT_KLT_ARGUMENTS_H_

#include <cstddef>
#include <cstdint>

#include "common/host_device.h"
#include "common/klt/registration.h"
#include "common/klt/rules.h"
#include "common/klt/step.h"
#include "common/klt/track.h"
#include "kernels/klt/picture_layout.h"
#include "kernels/klt/track_list_view.h"
#include "kernels/primitives/frame_list.h"

namespace rdp::cuda {

// A track as the next frame needs it: in a KltState, in device memory.
struct KltRecord {
  std::uint32_t id;
  std::uint32_t age;
  klt::Place place;  // fixed
  klt::Place start;  // of the next search
};

// Tracking result of a feature: a track, or a point of the caller.
struct KltFound {
  klt::Reason reason;  // never kCrowded, which needs the results of all features
  klt::Place place;    // in this frame, if it was tracked
  klt::Place displacement;
  std::uint32_t square;
  float residual;
  float quality;
};

// The outcome of registering a feature, with klt::Warp::kAffine.
struct KltShape {
  klt::TrackShape shape;
  float residual;
  std::uint32_t age;  // of the patch that it was registered to; 0: none
};

// Shapes of a camera's tracks after a frame, in device memory: `count` slots, then the shapes. Any
// track at place i of the list has the patch slot_of(i).
struct KltShapes {
  unsigned char* memory;
  std::uint32_t count;

  RDP_HOST_DEVICE std::uint32_t* slots() const { return reinterpret_cast<std::uint32_t*>(memory); }
  RDP_HOST_DEVICE klt::TrackShape* shapes() const {
    return reinterpret_cast<klt::TrackShape*>(memory + slot_bytes(count));
  }
  // From `count` on, a place is its own slot.
  RDP_HOST_DEVICE std::uint32_t slot_of(std::uint32_t place) const {
    return place < count ? slots()[place] : place;
  }
  RDP_HOST_DEVICE static std::size_t slot_bytes(std::uint32_t count) {
    return static_cast<std::size_t>(count + 3) / 4 * 16;
  }
  static std::size_t bytes(std::uint32_t count, std::size_t tracks) {
    return slot_bytes(count) + tracks * sizeof(klt::TrackShape);
  }
};

// A patch in device memory: its equations, then gradients (x in the lower half of a word), then
// intensities. Samples are row by row.
struct KltPatch {
  klt::PatchEquations* equations;
  std::uint32_t* gradients;
  std::uint16_t* intensities;

  RDP_HOST_DEVICE static std::size_t bytes(int window) {
    const auto samples = static_cast<std::size_t>(window) * static_cast<std::size_t>(window);
    return (sizeof(klt::PatchEquations) + 6 * samples + 15) / 16 * 16;
  }
  RDP_HOST_DEVICE static KltPatch at(unsigned char* patches, std::uint32_t slot, int window) {
    unsigned char* const memory = patches + slot * bytes(window);
    auto* const gradients = reinterpret_cast<std::uint32_t*>(memory + sizeof(klt::PatchEquations));
    return {reinterpret_cast<klt::PatchEquations*>(memory), gradients,
            reinterpret_cast<std::uint16_t*>(gradients + window * window)};
  }
};

// A cell's corner after the birth test.
struct KltBirth {
  float quality;
  std::uint32_t born;
};

// Counters of a frame; zero when the frame begins.
struct KltCounters {
  std::uint32_t highest;  // bits of the highest score of all pixels
  std::uint32_t iterations;
  std::uint32_t patches;  // taken in this frame
  std::uint32_t unused;
  unsigned long long least;  // smallest key of a born corner, if there are too many
};

// A camera's frame.
struct KltFrame {
  const unsigned char* before;  // the template's picture, if there are tracks
  unsigned char* after;         // this frame's
  const KltRecord* records;     // of the current tracks
  KltRecord* next_records;      // of this frame
  const klt::Point* points;     // the caller's, in page-locked memory
  std::uint32_t* state_report;  // page-locked: number of tracks, next id
  std::uint32_t live;           // number of current tracks
  std::uint32_t point_count;
  std::uint32_t next_id;
  bool predicts;  // searches may begin at the last displacement
  // With klt::Warp::kAffine.
  bool keeps_patches;      // the previous frame's patches stay valid
  KltShapes shapes;        // of the current tracks; null: all identity
  KltShapes next_shapes;   // of this frame
  unsigned char* patches;  // KltPatch, next_shapes.count of them
};

// Work memory of the kernels: `stride` bytes per frame; pointers are those of the first frame.
// rdp_klt_picture zeroes `zero_bytes` of each frame, from `counters` on, before it begins.
struct KltWork {
  KltCounters* counters;
  std::uint32_t* squares;             // of each: 0xFFFFFFFF - its first feature; 0: none
  unsigned long long* corners;        // of each cell: see corner_key()
  unsigned long long* feature_tiles;  // of rdp_klt_list, see primitives/compaction.cuh
  unsigned long long* cell_tiles;
  KltFound* found;
  KltBirth* births;
  KltShape* shapes;  // of each feature, with klt::Warp::kAffine
  std::int64_t stride;
  std::int64_t zero_bytes;  // a multiple of 16

  RDP_HOST_DEVICE KltWork of_frame(std::uint32_t frame) const {
    KltWork work = *this;
    const std::ptrdiff_t bytes = static_cast<std::ptrdiff_t>(frame) * stride;
    move(&work.counters, bytes);
    move(&work.squares, bytes);
    move(&work.corners, bytes);
    move(&work.feature_tiles, bytes);
    move(&work.cell_tiles, bytes);
    move(&work.found, bytes);
    move(&work.births, bytes);
    move(&work.shapes, bytes);
    return work;
  }

 private:
  template <typename T>
  RDP_HOST_DEVICE static void move(T** pointer, std::ptrdiff_t bytes) {
    *pointer = reinterpret_cast<T*>(reinterpret_cast<unsigned char*>(*pointer) + bytes);
  }
};

// Arguments of the kernel rdp_klt_picture. It makes up to kMaxSteps pyramid levels with gradients
// below a source: a frame, which becomes level 0 itself, or an existing level.
struct KltPictureArguments {
  FrameList frames;
  unsigned char* pictures[kMaxFrames];
  PictureLayout layout;
  bool of_frame;         // the source is the frame, which becomes level 0
  std::int32_t source;   // the existing level, or 0
  std::int32_t steps;    // levels made below it: 0..kMaxSteps
  unsigned char* zeros;  // memory to zero, for each frame; null: none
  std::int64_t zero_stride;
  std::int64_t zero_bytes;
};

// Arguments of all other kernels of tracking.
struct KltArguments {
  KltFrame frames[kMaxFrames];
  PictureLayout layout;
  KltWork work;
  TrackListView list;
  klt::StepRules rules;
  const unsigned char* mask;
  std::int64_t mask_pitch;
  std::int32_t coarsest;  // coarsest pyramid level; pyramid levels per tracker level
  std::int32_t level_stride;
  bool predict;
  bool windows;  // a window fits the frame
  bool detects;
  std::uint32_t most_patches;  // places whose tracks may take one
  std::int32_t cell;
  std::int32_t cell_columns;
  std::int32_t cell_rows;
  std::int32_t square_columns;
  float quality;
  std::int32_t max_features;
  std::uint32_t track_blocks;   // of rdp_klt_track_*: blocks after them find corners
  std::uint32_t corner_strips;  // in a row
  std::uint32_t feature_tiles;  // blocks of rdp_klt_list; those after them have cells
  std::uint32_t cell_tiles;

  RDP_HOST_DEVICE std::uint32_t features(const KltFrame& frame) const {
    return frame.live + frame.point_count;
  }
  RDP_HOST_DEVICE std::uint32_t cells() const {
    return detects
               ? static_cast<std::uint32_t>(cell_columns) * static_cast<std::uint32_t>(cell_rows)
               : 0;
  }
};
static_assert(sizeof(KltArguments) < 4096 && sizeof(KltPictureArguments) < 4096);

// Sort key of a corner: the best has the largest key; of equal scores the upper, then the left
// corner wins. Scores are above 0. A cell with a track needs no corner and has kTaken.
RDP_HOST_DEVICE inline unsigned long long corner_key(std::uint32_t score_bits,
                                                     std::uint32_t pixel) {
  return static_cast<unsigned long long>(score_bits) << 32 | (0xFFFFFFFFU - pixel);
}
RDP_HOST_DEVICE inline std::uint32_t score_bits_of(unsigned long long key) {
  return static_cast<std::uint32_t>(key >> 32);
}
RDP_HOST_DEVICE inline std::uint32_t pixel_of_key(unsigned long long key) {
  return 0xFFFFFFFFU - static_cast<std::uint32_t>(key);
}
inline constexpr unsigned long long kTaken = ~0ULL;

// The id `count` after `id`; ids wrap around to 1.
RDP_HOST_DEVICE constexpr std::uint32_t id_after(std::uint32_t id, std::uint32_t count) {
  return static_cast<std::uint32_t>((static_cast<std::uint64_t>(id) - 1 + count) % 0xFFFFFFFFU) + 1;
}
static_assert(id_after(1, 0) == 1 && id_after(0xFFFFFFFEU, 1) == 0xFFFFFFFFU &&
              id_after(0xFFFFFFFFU, 1) == 1 && id_after(0xFFFFFFFEU, 3) == 2);

constexpr int kPictureThreads = 256;
// The part of the source level for a block of rdp_klt_picture.
constexpr int kPictureColumns = 64;
constexpr int kPictureRows = 32;
constexpr int kMaxSteps = 3;

constexpr int kTrackThreads = 64;
// The part of an image in which one warp finds corners.
constexpr int kStripColumns = 24;
constexpr int kStripRows = 16;

constexpr int kBirthThreads = 128;
constexpr int kPatchThreads = 64;
constexpr int kSelectThreads = 256;
constexpr int kListThreads = 256;

// Arguments of the kernel rdp_klt_copy. `host` has `stride` bytes for each frame: room for
// `track_room` tracks, `lost_room` lost features, and the tracks' warps if the list has some.
struct CopyTracksArguments {
  TrackListView list;
  unsigned char* host;  // page-locked
  std::uint64_t stride;
  std::uint32_t track_room;
  std::uint32_t lost_room;
};

constexpr int kTrackCopyThreads = 256;
// Blocks of a frame: as with segments (kernels/rdp/segment_arguments.h).
constexpr int kTrackCopyBlocks = 16;

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_KLT_KLT_ARGUMENTS_H_
