// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_HEIGHTMAP_GROUND_ENGINE_H_
#define RDP_KERNELS_HEIGHTMAP_GROUND_ENGINE_H_

#include <cuda.h>

#include <cstdint>
#include <memory>
#include <span>

#include "common/heightmap/ground.h"
#include "common/heightmap/parameters.h"
#include "common/heightmap/result.h"
#include "common/heightmap/rig.h"
#include "kernels/runtime/device_view.h"

namespace rdp::cuda {

// The steps after the labels of a height map, on the GPU: speckles, heads, and rasters.
// Bit-identical to common/heightmap/reference.h and common/heightmap/ground.h.
//
// Labels are on the device, row by row without padding, as many as the reference picture has
// pixels. An object belongs to the context that was current when it was made, and works on one set
// of labels at a time. It allocates in prepare() only. Everything throws CudaError.
class GroundEngine {
 public:
  GroundEngine();
  ~GroundEngine();
  GroundEngine(const GroundEngine&) = delete;
  GroundEngine& operator=(const GroundEngine&) = delete;

  // The device memory that prepare() holds, in bytes.
  static std::uint64_t memory_of(const heightmap::Rig& rig,
                                 const heightmap::Parameters& parameters);
  // Prepares for the following labels; does nothing if nothing changed. The rig must pass
  // check_rig(), and the parameters must be in range.
  void prepare(const heightmap::Rig& rig, const heightmap::Parameters& parameters);

  // Removes speckles in place, counts known pixels and finds heads; asynchronous.
  void start(CUdeviceptr labels, CUstream stream);

  // Results of the last start(); wait for its stream first. Heads within the area are sorted by y,
  // then x. They are in the object's memory until the next call or start().
  std::span<const heightmap::Head> heads(const heightmap::Area& area);
  std::int64_t known() const;

  // GPU versions of heightmap::write_heights(), write_depths() and draw_ground(). Asynchronous;
  // 16-bit samples of any pitch. The labels are those after start().
  void write_heights(CUdeviceptr labels, const DeviceDepthView& samples, CUstream stream);
  void write_depths(CUdeviceptr labels, const DeviceDepthView& samples, CUstream stream);
  // All samples are written.
  void draw_ground(CUdeviceptr labels, const heightmap::GroundGrid& grid,
                   const DeviceDepthView& samples, CUstream stream);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_HEIGHTMAP_GROUND_ENGINE_H_
