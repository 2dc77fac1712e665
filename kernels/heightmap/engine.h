// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_HEIGHTMAP_ENGINE_H_
#define RDP_KERNELS_HEIGHTMAP_ENGINE_H_

#include <cuda.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "common/heightmap/ground.h"
#include "common/heightmap/parameters.h"
#include "common/heightmap/result.h"
#include "common/heightmap/rig.h"
#include "kernels/runtime/device_view.h"

namespace rdp::cuda {

// GPU version of reference::height_map() of common/heightmap/reference.h; bit-identical.
//
// An object belongs to the context that was current when it was made, and works on one set of
// pictures at a time. Everything throws CudaError.
class HeightEngine {
 public:
  // Most bytes of census differences for one band of rows, or what 16 rows take if that is more.
  // Costs are computed band by band. Bands that fit the second-level cache have too few rows to
  // keep a large device busy.
  static constexpr std::size_t kBandBytes = std::size_t{64} << 20;

  explicit HeightEngine(std::size_t band_bytes = kBandBytes);
  ~HeightEngine();
  HeightEngine(const HeightEngine&) = delete;
  HeightEngine& operator=(const HeightEngine&) = delete;

  // Device memory in bytes that prepare() allocates with kBandBytes, so that callers can refuse too
  // much first.
  static std::uint64_t memory_of(const heightmap::Rig& rig,
                                 const heightmap::Parameters& parameters);

  // Prepares for the following sets; does nothing if nothing changed. Allocates, and waits for the
  // copies to the device. The rig must pass check_rig(), the parameters must be in range, and no
  // work of this engine may be running. After an error, call it again.
  void prepare(const heightmap::Rig& rig, const heightmap::Parameters& parameters);

  // Starts all work on a set on `stream`; asynchronous, allocates nothing. pictures: one 8-bit
  // image for each view of the rig, of the view's size.
  void run(std::span<const DeviceDepthView> pictures, CUstream stream);

  // The labels of the last set, after speckles: width x height bytes, row by row, on the device.
  CUdeviceptr labels() const;

  // GPU versions of the functions of common/heightmap/ground.h, for the last set. Asynchronous;
  // samples have 16 bits.
  void write_heights(const DeviceDepthView& samples, CUstream stream);
  void write_depths(const DeviceDepthView& samples, CUstream stream);
  void draw_ground(const heightmap::GroundGrid& grid, const DeviceDepthView& samples,
                   CUstream stream);

  // The results of the last set; wait for its stream first. `labels` is empty: they are on the
  // device. The heads are in the engine's memory, until its next set.
  heightmap::Result finish(const heightmap::Area& area);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_HEIGHTMAP_ENGINE_H_
