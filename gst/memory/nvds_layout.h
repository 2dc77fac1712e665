// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_MEMORY_NVDS_LAYOUT_H_
#define RDP_GST_MEMORY_NVDS_LAYOUT_H_

#include <glib.h>
#include <gst/gst.h>

#include <cstddef>
#include <cstdint>

// The fields of DeepStream's batch metadata that we read. Their offsets are the same in all
// releases of DeepStream (4.0 to 9.0), so one binary works with each, and builds without its
// headers. tests/nvmm/layout_check.cpp compares them with NVIDIA's headers, if installed.
namespace rdp::gst::nvds {

// The tag of the API of NvDsMeta, a GstMeta (NVDS_META_STRING).
inline constexpr char kTag[] = "nvdsmeta";
// Its meta_type if it holds a batch (NVDS_BATCH_GST_META).
inline constexpr std::int32_t kBatchGstMeta = 4097;
// NvDsMetaType: a batch of pictures, and a frame of one. Others, such as audio, are ignored.
inline constexpr std::int32_t kBatchMeta = 1;
inline constexpr std::int32_t kFrameMeta = 2;

struct BatchMeta;

// The start of NvDsMeta.
struct Meta {
  GstMeta meta;
  void* meta_data;
  void* user_data;
  std::int32_t meta_type;
};

// NvDsBaseMeta.
struct BaseMeta {
  BatchMeta* batch;
  std::int32_t meta_type;
  void* context;
  void* copy;
  void* release;
};
static_assert(sizeof(BaseMeta) == 40);

// The start of NvDsBatchMeta.
struct BatchMeta {
  BaseMeta base;
  std::uint32_t max_frames;
  std::uint32_t num_frames;
  void* pools[6];
  GList* frames;  // of FrameMeta
};
static_assert(offsetof(BatchMeta, num_frames) == 44);
static_assert(offsetof(BatchMeta, frames) == 96);

// The start of NvDsFrameMeta.
struct FrameMeta {
  BaseMeta base;
  std::uint32_t pad_index;
  std::uint32_t batch_id;  // index of its surface in the batch
  std::int32_t frame_num;
  std::uint64_t buf_pts;
  std::uint64_t ntp_timestamp;
  std::uint32_t source_id;
};
static_assert(offsetof(FrameMeta, pad_index) == 40);
static_assert(offsetof(FrameMeta, batch_id) == 44);
static_assert(offsetof(FrameMeta, buf_pts) == 56);
static_assert(offsetof(FrameMeta, source_id) == 72);

}  // namespace rdp::gst::nvds

#endif  // RDP_GST_MEMORY_NVDS_LAYOUT_H_
