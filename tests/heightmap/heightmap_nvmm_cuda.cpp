// SPDX-License-Identifier: LGPL-2.1-or-later
// heightmap on views in NVMM memory over the GPU: the stand-in driver or a real one.
#include "tests/heightmap/nvmm_views.h"
#include "tests/support/nvmm_device.h"

const char* const nvmm_views::kBackend = "backend=cuda";
nvmm_frames::Batch nvmm_views::new_batch() {
  return nvmm_cuda_frames::batch_in(std::make_shared<nvmm_cuda_frames::Device>(),
                                    nvmm_frames::kDevice);
}

CHECK_CASE(heightmap_nvmm_cuda, .seconds = 60)
