// SPDX-License-Identifier: LGPL-2.1-or-later
// klttrack on batches in NVMM memory over the GPU: the stand-in driver or a real one.
#include "tests/klttrack/nvmm_batches.h"
#include "tests/support/nvmm_device.h"

const char* const nvmm_batches::kBackend = "backend=cuda";
nvmm_frames::Batch nvmm_batches::new_batch() {
  return nvmm_cuda_frames::batch_in(std::make_shared<nvmm_cuda_frames::Device>(),
                                    nvmm_frames::kDevice);
}

CHECK_CASE(klttrack_nvmm_cuda, .seconds = 60)
