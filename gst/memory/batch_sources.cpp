// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/memory/batch_sources.h"

#include <algorithm>

#include "gst/memory/nvds_layout.h"

namespace rdp::gst {
namespace {

// Returns the batch in a buffer's metadata, or null.
const nvds::BatchMeta* find_batch(GstBuffer* buffer) {
  static const GQuark tag = g_quark_from_static_string(nvds::kTag);
  gpointer state = nullptr;
  while (GstMeta* meta = gst_buffer_iterate_meta(buffer, &state)) {
    if (gst_meta_api_type_has_tag(meta->info->api, tag) == FALSE) continue;
    const auto* ours = reinterpret_cast<const nvds::Meta*>(meta);
    if (meta->info->size < sizeof(nvds::Meta) || ours->meta_type != nvds::kBatchGstMeta) continue;
    const auto* batch = static_cast<const nvds::BatchMeta*>(ours->meta_data);
    if (batch != nullptr && batch->base.meta_type == nvds::kBatchMeta) return batch;
  }
  return nullptr;
}

}  // namespace

std::size_t batch_sources_in(GstBuffer* buffer) {
  constexpr std::uint32_t kMost = 4096;  // above it, not a batch
  const nvds::BatchMeta* batch = find_batch(buffer);
  return batch == nullptr || batch->num_frames > kMost ? 0 : batch->num_frames;
}

bool read_batch_sources(GstBuffer* buffer, std::span<BatchSource> sources) {
  const nvds::BatchMeta* batch = find_batch(buffer);
  if (batch == nullptr || batch->num_frames != sources.size()) return false;
  std::ranges::fill(sources, BatchSource{});
  for (const GList* each = batch->frames; each != nullptr; each = each->next) {
    const auto* frame = static_cast<const nvds::FrameMeta*>(each->data);
    // A release with other structures is unlikely to pass these checks.
    if (frame == nullptr || frame->base.batch != batch ||
        frame->base.meta_type != nvds::kFrameMeta || frame->batch_id >= sources.size() ||
        sources[frame->batch_id].known) {
      return false;
    }
    sources[frame->batch_id] = {frame->source_id, frame->pad_index, frame->buf_pts, true};
  }
  return std::ranges::all_of(sources, &BatchSource::known);
}

}  // namespace rdp::gst
