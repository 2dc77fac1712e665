// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_PLANES_SPECULATIVE_MERGE_CUH_
#define RDP_KERNELS_PLANES_SPECULATIVE_MERGE_CUH_

#include <cstdint>

#include "common/planes/cell_rules.h"
#include "kernels/planes/frame_planes_arguments.h"
#include "kernels/planes/near_fit.cuh"
#include "kernels/primitives/warp.cuh"

// Speculative merge of few planes. In each pass merged planes need fits with their neighbours, and
// a fit is a long chain of steps. So all passes first run with approximate fits, and record their
// decisions. Then the exact fits of all passes are made at once. If they decide the same, which
// only rounding can prevent, the speculation stands.
namespace rdp::cuda {

constexpr int kForeseenPlanes = 80;  // most planes; more of them, or of borders, merge without this
constexpr int kForeseenVersions = 2 * kForeseenPlanes - 1;

// A decision whether these versions of two planes merge.
struct Decision {
  unsigned char one, two;
  bool one_is_last;  // has the larger number
  bool similar;
  bool fits;
};

struct SpeculativeMerge {
  // Initial planes, then each plane that a merge made.
  MergedPlane versions[kForeseenVersions];
  std::uint32_t votes[kForeseenPlanes];
  // The best border of each plane by this pass' parity: its pixels, and the complement of its key.
  std::uint32_t best_pixels[2][kForeseenPlanes], best_borders[2][kForeseenPlanes];
  unsigned char version[kForeseenPlanes];  // of a plane by now
  unsigned char into[kForeseenPlanes];     // the plane that it merged into, or itself
  unsigned char changed[kForeseenPlanes];  // 1 + the pass of its last change
  Decision judgements[kMergeThreads];
  int version_count, judgement_count;
};

// Planes of the frame come first, then those of the rest.
struct PlaneNumbers {
  int of_frame, all;

  __device__ __forceinline__ int global(int plane) const {
    return plane < of_frame ? plane : kMaxParts + plane - of_frame;
  }
  __device__ __forceinline__ int local(int plane) const {
    return plane < kMaxParts ? plane : of_frame + plane - kMaxParts;
  }
};

__device__ __forceinline__ const planes::Statistics& statistics_of_smaller(const MergedPlane& one,
                                                                           const MergedPlane& two,
                                                                           bool one_is_last) {
  const bool one_is_smaller =
      one.moments.n < two.moments.n || (one.moments.n == two.moments.n && one_is_last);
  return one_is_smaller ? one.statistics : two.statistics;
}

// Sets the initial state of planes. Planes that are gone are not read.
__device__ __forceinline__ void begin_foreseeing(const FramePlanesArguments& a,
                                                 const PlaneNumbers& numbers, SpeculativeMerge* f) {
  constexpr int kWords = sizeof(MergedPlane) / sizeof(std::uint64_t);
  const int thread = static_cast<int>(threadIdx.x);
  auto* const to = reinterpret_cast<std::uint64_t*>(f->versions);
  for (int i = thread; i < numbers.all * kWords; i += kMergeThreads) {
    const int plane = numbers.global(i / kWords);
    if (a.roots[plane] < 0) continue;
    to[i] = reinterpret_cast<const std::uint64_t*>(&a.merged[plane])[i % kWords];
  }
  for (int p = thread; p < numbers.all; p += kMergeThreads) {
    const int plane = numbers.global(p);
    f->votes[p] = a.roots[plane] < 0 ? 0U : a.merged_votes[plane];
    f->version[p] = static_cast<unsigned char>(p);
    f->into[p] = static_cast<unsigned char>(p);
    f->changed[p] = 0;
    f->best_pixels[0][p] = 0;
    f->best_borders[0][p] = 0;
  }
  if (thread == 0) {
    f->version_count = numbers.all;
    f->judgement_count = 0;
  }
}

// All passes, a thread for each border with this key; 0: none.
__device__ __forceinline__ void speculate(const FramePlanesArguments& a, double slope,
                                          const PlaneNumbers& numbers, std::uint32_t key,
                                          SpeculativeMerge* f) {
  const int thread = static_cast<int>(threadIdx.x), lane = thread % 32;
  const std::uint32_t rank = 0xFFFFFFFFU - key;
  bool open = key != 0, fits = false;
  int p = open ? numbers.local(static_cast<int>(key / (2 * kMaxParts))) : 0;
  int q = open ? numbers.local(static_cast<int>(key % (2 * kMaxParts))) : 0;
  MergedPlane joint;
#pragma unroll 1
  for (int pass = 0; pass < planes::kMergePasses; ++pass) {
    std::uint32_t* const best_pixels = f->best_pixels[pass & 1];
    std::uint32_t* const best_borders = f->best_borders[pass & 1];
    bool judges = false;
    if (open) {
      p = f->into[p];
      q = f->into[q];
      open = p != q;
      judges = open && (pass == 0 || f->changed[p] == pass || f->changed[q] == pass);
    }
    const unsigned who = __ballot_sync(kAll, judges);
    int place = 0;
    if (lane == 0 && who != 0) place = atomicAdd(&f->judgement_count, __popc(who));
    place = __shfl_sync(kAll, place, 0) + __popc(who & ((1U << lane) - 1U));
    if (judges) {
      const int version_p = f->version[p], version_q = f->version[q];
      const MergedPlane& one = f->versions[version_p];
      const MergedPlane& two = f->versions[version_q];
      joint.moments = one.moments;
      joint.moments.add(two.moments);
      const bool similar = planes::similar_direction(one.fit, two.fit);
      fits = false;
      if (similar) {
        joint.statistics = near_statistics(joint.moments);
        joint.fit = near_fit(joint.statistics);
        fits = planes::may_merge(a.rules, slope, one.fit, two.fit,
                                 statistics_of_smaller(one, two, p > q), joint.fit);
      }
      if (place < kMergeThreads) {
        f->judgements[place] = {static_cast<unsigned char>(version_p),
                                static_cast<unsigned char>(version_q), p > q, similar, fits};
      }
    }
    fits = fits && open;
    const auto pixels = static_cast<std::uint32_t>(joint.moments.n);
    if (fits) {
      atomicMax(&best_pixels[p], pixels);
      atomicMax(&best_pixels[q], pixels);
    }
    __syncthreads();
    const bool is_best_of_p = fits && best_pixels[p] == pixels;
    const bool is_best_of_q = fits && best_pixels[q] == pixels;
    if (is_best_of_p) atomicMax(&best_borders[p], rank);
    if (is_best_of_q) atomicMax(&best_borders[q], rank);
    __syncthreads();
    const bool merges =
        is_best_of_p && is_best_of_q && best_borders[p] == rank && best_borders[q] == rank;
    if (merges) {
      const int kept = min(p, q), gone = max(p, q);
      const int version = atomicAdd(&f->version_count, 1);
      f->versions[version] = joint;
      f->version[kept] = static_cast<unsigned char>(version);
      f->votes[kept] = max(f->votes[kept], f->votes[gone]);
      f->into[gone] = static_cast<unsigned char>(kept);
      f->changed[kept] = static_cast<unsigned char>(pass + 1);
    }
    for (int i = thread; i < numbers.all; i += kMergeThreads) {
      f->best_pixels[~pass & 1][i] = 0;
      f->best_borders[~pass & 1][i] = 0;
    }
    if (__syncthreads_or(merges ? 1 : 0) == 0) break;
  }
}

// True if the exact fits confirm all decisions; the versions then have the exact fits.
__device__ __forceinline__ bool is_confirmed(const FramePlanesArguments& a, double slope,
                                             const PlaneNumbers& numbers, SpeculativeMerge* f) {
  const int thread = static_cast<int>(threadIdx.x);
  const int judged = f->judgement_count, merged = f->version_count - numbers.all;
  if (judged + merged > kMergeThreads) return false;
  const int version = numbers.all + kMergeThreads - 1 - thread;
  const bool is_version = version < numbers.all + merged;
  const bool is_judgement = thread < judged;
  Decision judgement{};
  if (is_judgement) judgement = f->judgements[thread];
  const MergedPlane& one = f->versions[judgement.one];
  const MergedPlane& two = f->versions[judgement.two];
  planes::Statistics statistics;
  planes::Fit fit;
  if (is_version || judgement.similar) {
    planes::Moments moments = is_version ? f->versions[version].moments : one.moments;
    if (!is_version) moments.add(two.moments);
    statistics = planes::statistics_of(moments);
    fit = planes::fit_of(statistics);
  }
  if (is_version) {
    f->versions[version].statistics = statistics;
    f->versions[version].fit = fit;
  }
  __syncthreads();
  bool differs = false;
  if (is_judgement) {
    const bool similar = planes::similar_direction(one.fit, two.fit);
    differs = similar != judgement.similar;
    if (similar && !differs) {
      differs = judgement.fits !=
                planes::may_merge(a.rules, slope, one.fit, two.fit,
                                  statistics_of_smaller(one, two, judgement.one_is_last), fit);
    }
  }
  return __syncthreads_or(differs ? 1 : 0) == 0;
}

__device__ __forceinline__ void write_foreseen(const FramePlanesArguments& a,
                                               const PlaneNumbers& numbers,
                                               const SpeculativeMerge& f) {
  for (int p = static_cast<int>(threadIdx.x); p < numbers.all; p += kMergeThreads) {
    int root = p;
    while (f.into[root] != root) root = f.into[root];
    const int plane = numbers.global(p), version = f.version[p];
    if (root != p) a.roots[plane] = numbers.global(root);
    if (root != p || version == p) continue;
    a.merged[plane] = f.versions[version];
    a.merged_votes[plane] = f.votes[p];
    a.pixel_planes[plane] =
        planes::pixel_plane(f.versions[version].fit, a.rules.focal_x, a.rules.focal_y,
                            a.rules.principal_x, a.rules.principal_y);
  }
  if (threadIdx.x == 0) {
    a.counters->merged = static_cast<std::uint32_t>(f.version_count - numbers.all);
  }
}

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_PLANES_SPECULATIVE_MERGE_CUH_
