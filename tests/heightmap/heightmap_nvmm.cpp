// SPDX-License-Identifier: LGPL-2.1-or-later
// heightmap on views in NVMM memory that the CPU reads.
#include "tests/heightmap/nvmm_views.h"

const char* const nvmm_views::kBackend = "backend=cpu";
nvmm_frames::Batch nvmm_views::new_batch() { return {}; }

CHECK_CASE(heightmap_nvmm, .seconds = 60)
