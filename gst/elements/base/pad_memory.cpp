// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/base/pad_memory.h"

#include <string>
#include <utility>

#include "gst/cuda/gpu_provider.h"
#include "gst/memory/nvmm_library.h"
#include "gst/memory/nvmm_picture_pool.h"
#include "gst/memory/pool_negotiation.h"

GST_DEBUG_CATEGORY_EXTERN(gst_rdp_extra_pad_debug);
#define GST_CAT_DEFAULT gst_rdp_extra_pad_debug

namespace rdp::gst {

// --- the place ----------------------------------------------------------------------------------

void PadMemory::set_context(GstObject* context) {
  GstObject* old = context == nullptr ? nullptr : GST_OBJECT(gst_object_ref(context));
  GST_OBJECT_LOCK(pad_);
  std::swap(old, place_.context);
  const bool moves = context != nullptr && context != pool_context_;
  const bool leaves = context == nullptr && old != nullptr;
  GST_OBJECT_UNLOCK(pad_);
  gst_clear_object(&old);
  if (current_.memory != MemoryKind::kCuda) return;
  // The pool's buffers are in the old context; the caps do not name contexts.
  if (moves) gst_rdp_extra_pad_renew_pool(pad_);
  // Without a context the CPU paints: leave CUDA memory. The pad's thread may have chosen the caps
  // of these frames while there was a context.
  if (leaves) gst_pad_mark_reconfigure(GST_PAD(pad_));
}

void PadMemory::set_nvmm(guint gpu, bool for_host, bool preferred) {
  GST_OBJECT_LOCK(pad_);
  const bool moves = place_.nvmm_gpu != gpu || place_.nvmm_for_host != for_host;
  const bool chooses = place_.nvmm_preferred != preferred;
  place_.nvmm_gpu = gpu;
  place_.nvmm_for_host = for_host;
  place_.nvmm_preferred = preferred;
  GST_OBJECT_UNLOCK(pad_);
  if (moves && current_.memory == MemoryKind::kNvmm) gst_rdp_extra_pad_renew_pool(pad_);
  // NVMM follows the memory of the frames, whose caps are new then.
  if (chooses) gst_pad_mark_reconfigure(GST_PAD(pad_));
}

// A lost primary context is made anew only after everyone has released it.
void PadMemory::let_go() {
  GST_OBJECT_LOCK(pad_);
  GstObject* told = std::exchange(place_.context, nullptr);
  GstObject* of_pool = std::exchange(pool_context_, nullptr);
  GST_OBJECT_UNLOCK(pad_);
  gst_clear_object(&told);
  gst_clear_object(&of_pool);
}

// --- caps ---------------------------------------------------------------------------------------

static GstCaps* make_caps(const GstVideoInfo& info, MemoryKind memory) {
  GstVideoInfo copy = info;
  GstCaps* caps = gst_video_info_to_caps(&copy);
  if (memory != MemoryKind::kSystem) {
    const char* feature = memory == MemoryKind::kCuda ? kCudaFeature : kNvmmFeature;
    gst_caps_set_features_simple(caps, gst_caps_features_new(feature, nullptr));
  }
  return caps;
}

// NVIDIA's library makes pictures in NVMM memory.
bool PadMemory::can_have(MemoryKind memory, [[maybe_unused]] const GstVideoInfo& info,
                         bool has_context) {
#ifdef RDP_HAVE_NVMM
  if (memory == MemoryKind::kNvmm) return is_rgba(info) && nvmm::library() != nullptr;
#endif
  return memory == MemoryKind::kCuda && has_context;
}

// Chooses other memory than the system's only for peers that ask for it by name: a peer with ANY
// caps could hardly use it.
MemoryKind PadMemory::choose_memory(const GstVideoInfo& info) const {
  GST_OBJECT_LOCK(pad_);
  bool has_context = place_.context != nullptr;
  const bool had_context = pool_context_ != nullptr;
  const bool nvmm_first = place_.nvmm_preferred;
  GST_OBJECT_UNLOCK(pad_);
  MemoryKind chosen = MemoryKind::kSystem;
  GstCaps* accepted = gst_pad_peer_query_caps(GST_PAD(pad_), nullptr);
  if (!has_context && had_context) {
    // A downstream that refuses system memory still gets frames in the last context.
    GstCaps* caps = make_caps(info, MemoryKind::kSystem);
    has_context = !gst_caps_can_intersect(caps, accepted);
    gst_caps_unref(caps);
  }
  for (const MemoryKind memory : {nvmm_first ? MemoryKind::kNvmm : MemoryKind::kCuda,
                                  nvmm_first ? MemoryKind::kCuda : MemoryKind::kNvmm}) {
    if (gst_caps_is_any(accepted) || !can_have(memory, info, has_context)) continue;
    GstCaps* caps = make_caps(info, memory);
    const gboolean taken = gst_caps_can_intersect(caps, accepted);
    gst_caps_unref(caps);
    if (!taken) continue;
    chosen = memory;
    break;
  }
  gst_caps_unref(accepted);
  return chosen;
}

GstCaps* PadMemory::choose_caps(const GstVideoInfo& info) {
  chosen_.info = info;
  chosen_.memory = choose_memory(info);
  GstCaps* caps = make_caps(info, chosen_.memory);
  if (chosen_.memory != MemoryKind::kCuda) return caps;
  GstCaps* system = make_caps(info, MemoryKind::kSystem);
  GstCaps* accepted = gst_pad_peer_query_caps(GST_PAD(pad_), nullptr);
  if (gst_caps_can_intersect(system, accepted) && !reads_rows_of(caps)) {
    chosen_.memory = MemoryKind::kSystem;
    std::swap(caps, system);
  }
  gst_caps_unref(accepted);
  gst_caps_unref(system);
  return caps;
}

// Sends the caps first, because elements in between answer only for caps that they have.
bool PadMemory::reads_rows_of(GstCaps* caps) {
  GstCaps* current = gst_pad_get_current_caps(GST_PAD(pad_));
  if (current == nullptr || !gst_caps_is_equal(caps, current)) {
    gst_pad_push_event(GST_PAD(pad_), gst_event_new_caps(caps));
    gst_pad_mark_reconfigure(GST_PAD(pad_));  // a pool's buffers change
  }
  gst_clear_caps(&current);
  return reads_video_meta(GST_PAD(pad_), caps);
}

// --- the pool -----------------------------------------------------------------------------------

PoolKind PadMemory::pool_kind(MemoryKind memory, Place* place) const {
  PoolKind kind = video_pools();
  switch (memory) {
    case MemoryKind::kCuda:
      return is_rgba(chosen_.info) ? gpu_picture_pools(place->context)
                                   : gpu_frame_pools(place->context);
    case MemoryKind::kNvmm:
#ifdef RDP_HAVE_NVMM
      kind.make = [](gpointer data) {
        const auto* of = static_cast<Place*>(data);
        return nvmm_picture_pool_new(of->nvmm_gpu, of->nvmm_for_host);
      };
#endif
      // Downstream's pools for NVMM memory are unknown to us, so none is used.
      kind.takes = [](GstBufferPool*, gpointer) { return false; };
      kind.data = place;
      kind.own_memory = true;
      break;
    case MemoryKind::kSystem:
      break;
  }
  return kind;
}

GstBufferPool* PadMemory::decide_pool(GstQuery* query) {
  GST_OBJECT_LOCK(pad_);
  Place place = place_;
  // The caps promise memory in a context: use the last one if the element has none now.
  if (place.context == nullptr) place.context = pool_context_;
  if (place.context != nullptr) gst_object_ref(place.context);
  GST_OBJECT_UNLOCK(pad_);

  PoolNeeds needs;
  needs.kind = pool_kind(chosen_.memory, &place);
  needs.size = static_cast<guint>(GST_VIDEO_INFO_SIZE(&chosen_.info));
  std::string reason;
  GstBufferPool* pool = rdp::gst::decide_pool(query, needs, &reason);
  if (pool == nullptr) GST_WARNING_OBJECT(pad_, "no pool: %s", reason.c_str());

  GST_OBJECT_LOCK(pad_);
  decided_ = chosen_;
  if (chosen_.memory == MemoryKind::kCuda) std::swap(pool_context_, place.context);
  GST_OBJECT_UNLOCK(pad_);
  gst_clear_object(&place.context);
  return pool;
}

void PadMemory::negotiated() {
  GST_OBJECT_LOCK(pad_);
  current_ = decided_;
  GST_OBJECT_UNLOCK(pad_);
}

}  // namespace rdp::gst
