// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_KLT_NOTE_PLACE_CUH_
#define RDP_KERNELS_KLT_NOTE_PLACE_CUH_

#include <cstdint>

#include "kernels/klt/klt_arguments.h"

namespace rdp::cuda {

// Notes the square and the cell of a feature that is in the frame.
__device__ __forceinline__ void note_place(const KltArguments& a, const KltWork& work,
                                           unsigned number, klt::Place place, KltFound* result) {
  const int x = klt::pixel_of(place.x), y = klt::pixel_of(place.y);
  result->square =
      static_cast<std::uint32_t>(y / klt::kSquare) * static_cast<std::uint32_t>(a.square_columns) +
      static_cast<std::uint32_t>(x / klt::kSquare);
  // The first feature of a square stays. Whichever it is, its cell has a track.
  atomicMax(work.squares + result->square, 0xFFFFFFFFU - number);
  if (a.detects) {
    atomicMax(work.corners + (y / a.cell) * a.cell_columns + x / a.cell, kTaken);
  }
}

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_KLT_NOTE_PLACE_CUH_
