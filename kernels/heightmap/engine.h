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

// reference::height_map() of common/heightmap/reference.h on the GPU, with its bits.
//
// An object belongs to the context that was current when it was made, and works on one set of
// pictures at a time. Everything throws CudaError.
class HeightEngine {
 public:
  // Costs are found for a band of rows at a time. What differs between the censuses takes up to so
  // many bytes for it, or what 16 rows take. Bands that stay in the second-level cache have too few
  // rows to keep a large device at work.
  static constexpr std::size_t kBandBytes = std::size_t{64} << 20;

  explicit HeightEngine(std::size_t band_bytes = kBandBytes);
  ~HeightEngine();
  HeightEngine(const HeightEngine&) = delete;
  HeightEngine& operator=(const HeightEngine&) = delete;

  // Bytes on the device that prepare() asks for, with kBandBytes, so that too much can be refused
  // first.
  static std::uint64_t memory_of(const heightmap::Rig& rig,
                                 const heightmap::Parameters& parameters);

  // For the sets that follow; does nothing where nothing changed. Allocates, and waits for what is
  // copied to the device. The rig has no fault (check_rig()), the parameters are within their
  // ranges; nothing of this engine is under way. After an error the engine has to be prepared anew.
  void prepare(const heightmap::Rig& rig, const heightmap::Parameters& parameters);

  // Starts everything for a set on `stream`: asynchronous, without an allocation. pictures: of 8
  // bits, one for each view of the rig, of the view's size.
  void run(std::span<const DeviceDepthView> pictures, CUstream stream);

  // The labels of the last set, after speckles: width x height bytes, row by row, on the device.
  CUdeviceptr labels() const;

  // As the functions of common/heightmap/ground.h, of the last set; asynchronous. Samples have 16
  // bits.
  void write_heights(const DeviceDepthView& samples, CUstream stream);
  void write_depths(const DeviceDepthView& samples, CUstream stream);
  void draw_ground(const heightmap::GroundGrid& grid, const DeviceDepthView& samples,
                   CUstream stream);

  // The results of the last set, once its stream has been waited for. `labels` is empty: they are
  // on the device. The heads are in the engine's memory, until its next set.
  heightmap::Result finish(const heightmap::Area& area);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_HEIGHTMAP_ENGINE_H_
