// SPDX-License-Identifier: LGPL-2.1-or-later
// klttrack on batches in NVMM memory that the CPU reads.
#include "tests/klttrack/nvmm_batches.h"

const char* const nvmm_batches::kBackend = "backend=cpu";
nvmm_frames::Batch nvmm_batches::new_batch() { return {}; }

CHECK_CASE(klttrack_nvmm, .seconds = 60)
