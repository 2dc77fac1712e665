// SPDX-License-Identifier: LGPL-2.1-or-later
// Compares gst/memory/nvds_layout.h and the tests' offsets with DeepStream's headers of a release,
// as layout_check.cpp does.
#include <gstnvdsmeta.h>

#include <cstddef>
#include <type_traits>

#include "gst/memory/nvds_layout.h"
#include "tests/standin/nvds_abi.h"

namespace nvds = rdp::gst::nvds;

#define SAME_OFFSET(ours, our_field, theirs, their_field)                    \
  static_assert(offsetof(ours, our_field) == offsetof(theirs, their_field)); \
  static_assert(sizeof(std::declval<ours>().our_field) ==                    \
                sizeof(std::declval<theirs>().their_field))

SAME_OFFSET(nvds::Meta, meta_data, NvDsMeta, meta_data);
SAME_OFFSET(nvds::Meta, meta_type, NvDsMeta, meta_type);
SAME_OFFSET(nvds::BaseMeta, batch, NvDsBaseMeta, batch_meta);
SAME_OFFSET(nvds::BaseMeta, meta_type, NvDsBaseMeta, meta_type);
static_assert(sizeof(nvds::BaseMeta) == sizeof(NvDsBaseMeta));
SAME_OFFSET(nvds::BatchMeta, num_frames, NvDsBatchMeta, num_frames_in_batch);
SAME_OFFSET(nvds::BatchMeta, frames, NvDsBatchMeta, frame_meta_list);
SAME_OFFSET(nvds::FrameMeta, batch_id, NvDsFrameMeta, batch_id);
SAME_OFFSET(nvds::FrameMeta, buf_pts, NvDsFrameMeta, buf_pts);
SAME_OFFSET(nvds::FrameMeta, source_id, NvDsFrameMeta, source_id);
static_assert(nvds::kBatchGstMeta == NVDS_BATCH_GST_META);
static_assert(nvds::kBatchMeta == NVDS_BATCH_META);
static_assert(nvds::kFrameMeta == NVDS_FRAME_META);

// Offsets that tests write to.
static_assert(nvds_abi::meta::kData == offsetof(NvDsMeta, meta_data));
static_assert(nvds_abi::meta::kUser == offsetof(NvDsMeta, user_data));
static_assert(nvds_abi::meta::kType == offsetof(NvDsMeta, meta_type));
static_assert(nvds_abi::meta::kSize == sizeof(NvDsMeta));
static_assert(nvds_abi::base::kBatch == offsetof(NvDsBaseMeta, batch_meta));
static_assert(nvds_abi::base::kType == offsetof(NvDsBaseMeta, meta_type));
static_assert(nvds_abi::batch::kMaxFrames == offsetof(NvDsBatchMeta, max_frames_in_batch));
static_assert(nvds_abi::batch::kFrames == offsetof(NvDsBatchMeta, num_frames_in_batch));
static_assert(nvds_abi::batch::kList == offsetof(NvDsBatchMeta, frame_meta_list));
static_assert(nvds_abi::frame::kPad == offsetof(NvDsFrameMeta, pad_index));
static_assert(nvds_abi::frame::kPlace == offsetof(NvDsFrameMeta, batch_id));
static_assert(nvds_abi::frame::kPts == offsetof(NvDsFrameMeta, buf_pts));
static_assert(nvds_abi::frame::kSource == offsetof(NvDsFrameMeta, source_id));
