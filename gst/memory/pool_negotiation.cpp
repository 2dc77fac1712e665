// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/memory/pool_negotiation.h"

#include <algorithm>

#include "common/boundary.h"

namespace rdp::gst {
namespace {

// The first pool of a query, or none.
struct Proposal {
  explicit Proposal(GstQuery* query) : any(gst_query_get_n_allocation_pools(query) > 0) {
    if (any) gst_query_parse_nth_allocation_pool(query, 0, &pool, &size, &min, &max);
  }
  ~Proposal() { gst_clear_object(&pool); }
  Proposal(const Proposal&) = delete;
  Proposal& operator=(const Proposal&) = delete;

  bool any;
  GstBufferPool* pool = nullptr;
  guint size = 0;
  guint min = 0;
  guint max = 0;
};

// The first allocator of a query and its alignment, or the defaults.
struct Allocation {
  explicit Allocation(GstQuery* query) : any(gst_query_get_n_allocation_params(query) > 0) {
    gst_allocation_params_init(&params);
    if (any) gst_query_parse_nth_allocation_param(query, 0, &allocator, &params);
  }
  ~Allocation() { gst_clear_object(&allocator); }
  Allocation(const Allocation&) = delete;
  Allocation& operator=(const Allocation&) = delete;

  bool any;
  GstAllocator* allocator = nullptr;
  GstAllocationParams params;
};

void put_pool(GstQuery* query, GstBufferPool* pool, guint size, guint min, guint max) {
  if (gst_query_get_n_allocation_pools(query) > 0) {
    gst_query_set_nth_allocation_pool(query, 0, pool, size, min, max);
  } else {
    gst_query_add_allocation_pool(query, pool, size, min, max);
  }
}

void put_allocation(GstQuery* query, GstAllocator* allocator, const GstAllocationParams& params) {
  if (gst_query_get_n_allocation_params(query) > 0) {
    gst_query_set_nth_allocation_param(query, 0, allocator, &params);
  } else {
    gst_query_add_allocation_param(query, allocator, &params);
  }
}

// The configuration of a pool.
struct Configuration {
  GstCaps* caps;
  guint size;
  guint min;
  guint max;
  GstAllocator* allocator;            // null: the pool's choice
  const GstAllocationParams* params;  // null: the pool's choice, also of the allocator
  bool video_meta;                    // on buffers, where the pool can
  const GstVideoAlignment* padding;   // with video_meta; null: none
};

void apply(const Configuration& wanted, GstBufferPool* pool, GstStructure* config) {
  gst_buffer_pool_config_set_params(config, wanted.caps, wanted.size, wanted.min, wanted.max);
  if (wanted.params != nullptr) {
    gst_buffer_pool_config_set_allocator(config, wanted.allocator, wanted.params);
  }
  if (!wanted.video_meta || !gst_buffer_pool_has_option(pool, GST_BUFFER_POOL_OPTION_VIDEO_META)) {
    return;
  }
  gst_buffer_pool_config_add_option(config, GST_BUFFER_POOL_OPTION_VIDEO_META);
  if (wanted.padding == nullptr ||
      !gst_buffer_pool_has_option(pool, GST_BUFFER_POOL_OPTION_VIDEO_ALIGNMENT)) {
    return;
  }
  gst_buffer_pool_config_add_option(config, GST_BUFFER_POOL_OPTION_VIDEO_ALIGNMENT);
  gst_buffer_pool_config_set_video_alignment(config, wanted.padding);
}

// Configures `pool` and reads back the result: padding or the device's pitch makes buffers larger,
// and aligned rows need aligned memory. False: the pool refuses.
bool configure(GstBufferPool* pool, const Configuration& wanted, guint* size,
               GstAllocationParams* params) {
  GstStructure* config = gst_buffer_pool_get_config(pool);
  apply(wanted, pool, config);
  if (!gst_buffer_pool_set_config(pool, config)) {
    // The pool may have replaced the request by what it supports.
    config = gst_buffer_pool_get_config(pool);
    if (!gst_buffer_pool_config_validate_params(config, wanted.caps, wanted.size, wanted.min,
                                                wanted.max)) {
      gst_structure_free(config);
      return false;
    }
    if (!gst_buffer_pool_set_config(pool, config)) return false;
  }
  config = gst_buffer_pool_get_config(pool);
  gst_buffer_pool_config_get_params(config, nullptr, size, nullptr, nullptr);
  gst_buffer_pool_config_get_allocator(config, nullptr, params);
  gst_structure_free(config);
  return true;
}

// The padding that downstream asks for with GstVideoMeta (see its documentation).
bool read_padding(GstQuery* query, guint meta_index, GstVideoAlignment* padding) {
  const GstStructure* wish = nullptr;
  gst_query_parse_nth_allocation_meta(query, meta_index, &wish);
  if (wish == nullptr || !gst_structure_has_name(wish, "video-meta")) return false;
  gst_video_alignment_reset(padding);
  gst_structure_get_uint(wish, "padding-top", &padding->padding_top);
  gst_structure_get_uint(wish, "padding-bottom", &padding->padding_bottom);
  gst_structure_get_uint(wish, "padding-left", &padding->padding_left);
  gst_structure_get_uint(wish, "padding-right", &padding->padding_right);
  constexpr const char* kStrides[GST_VIDEO_MAX_PLANES] = {"stride-align0", "stride-align1",
                                                          "stride-align2", "stride-align3"};
  for (guint plane = 0; plane < GST_VIDEO_MAX_PLANES; ++plane) {
    gst_structure_get_uint(wish, kStrides[plane], &padding->stride_align[plane]);
  }
  return true;
}

// Writes *reason: "`what` for the caps".
void refuse(std::string* reason, const char* what, GstCaps* caps) {
  g_autofree gchar* caps_text = caps == nullptr ? nullptr : gst_caps_to_string(caps);
  g_autofree gchar* text =
      g_strdup_printf("%s for %s", what, caps_text == nullptr ? "no caps" : caps_text);
  give_reason(reason, text);
}

// The bytes of a video frame. False: the caps are not video.
bool frame_size(GstCaps* caps, guint* size) {
  GstVideoInfo info;
  if (caps == nullptr || !gst_video_info_from_caps(&info, caps)) return false;
  *size = static_cast<guint>(GST_VIDEO_INFO_SIZE(&info));
  return true;
}

// Makes one of our pools, configured. Null, with *reason: not possible.
GstBufferPool* new_pool(const PoolKind& kind, const Configuration& wanted, guint* size,
                        GstAllocationParams* params, std::string* reason) {
  GstBufferPool* pool = kind.make(kind.data);
  if (pool == nullptr) {
    refuse(reason, "there is no pool", wanted.caps);
    return nullptr;
  }
  if (configure(pool, wanted, size, params)) return pool;
  g_autofree gchar* what =
      g_strdup_printf("%s has no buffers (GST_DEBUG=*pool*:3 says why)", GST_OBJECT_NAME(pool));
  refuse(reason, what, wanted.caps);
  gst_object_unref(pool);
  return nullptr;
}

}  // namespace

GstQuery* ask_for_allocation(GstPad* pad, GstCaps* caps) {
  GstQuery* query = gst_query_new_allocation(caps, TRUE);
  if (gst_pad_peer_query(pad, query)) return query;
  GST_DEBUG_OBJECT(pad, "downstream did not answer the allocation query");
  gst_query_unref(query);
  return gst_query_new_allocation(caps, TRUE);
}

bool reads_video_meta(GstPad* pad, GstCaps* caps) {
  g_autoptr(GstQuery) query = ask_for_allocation(pad, caps);
  return gst_query_find_allocation_meta(query, GST_VIDEO_META_API_TYPE, nullptr) != FALSE;
}

PoolKind video_pools() {
  PoolKind kind;
  kind.make = [](gpointer) { return gst_video_buffer_pool_new(); };
  return kind;
}

PoolKind byte_pools() {
  PoolKind kind;
  kind.make = [](gpointer) { return gst_buffer_pool_new(); };
  return kind;
}

GstBufferPool* decide_pool(GstQuery* query, const PoolNeeds& needs, std::string* reason) {
  const PoolKind& kind = needs.kind;
  GstCaps* caps = nullptr;
  gst_query_parse_allocation(query, &caps, nullptr);
  guint size = needs.size;
  if (caps == nullptr || (size == 0 && !frame_size(caps, &size))) {
    refuse(reason, "the size of a buffer is not known", caps);
    return nullptr;
  }
  Allocation allocation(query);
  if (kind.own_memory) {
    gst_clear_object(&allocation.allocator);
    gst_allocation_params_init(&allocation.params);
  } else if (allocation.allocator == nullptr && needs.allocator != nullptr) {
    allocation.allocator = static_cast<GstAllocator*>(gst_object_ref(needs.allocator));
  }
  guint meta_index = 0;
  GstVideoAlignment padding;
  const bool video_meta =
      gst_query_find_allocation_meta(query, GST_VIDEO_META_API_TYPE, &meta_index) != FALSE;
  const bool padded = video_meta && read_padding(query, meta_index, &padding);

  Proposal proposal(query);
  Configuration wanted{caps,         std::max(size, proposal.size), proposal.min,
                       proposal.max, allocation.allocator,          &allocation.params,
                       video_meta,   padded ? &padding : nullptr};
  GstBufferPool* pool = nullptr;
  GstAllocationParams params;
  if (proposal.pool != nullptr && (kind.takes == nullptr || kind.takes(proposal.pool, kind.data)) &&
      configure(proposal.pool, wanted, &size, &params)) {
    pool = static_cast<GstBufferPool*>(gst_object_ref(proposal.pool));
  } else {
    wanted.size = size;
    wanted.max = 0;
    pool = new_pool(kind, wanted, &size, &params, reason);
    if (pool == nullptr) return nullptr;
  }
  put_pool(query, pool, size, wanted.min, wanted.max);
  put_allocation(query, allocation.allocator, params);
  return pool;
}

bool offer_pool(GstQuery* query, const PoolKind& kind, GstAllocator* allocator,
                std::string* reason) {
  GstCaps* caps = nullptr;
  gboolean need_pool = FALSE;
  gst_query_parse_allocation(query, &caps, &need_pool);
  if (!need_pool) return true;
  Proposal proposal(query);
  if (proposal.pool != nullptr && (kind.takes == nullptr || kind.takes(proposal.pool, kind.data))) {
    return true;
  }
  guint size = 0;
  if (!frame_size(caps, &size)) {
    refuse(reason, "the size of a frame is not known", caps);
    return false;
  }
  GstAllocationParams params;
  gst_allocation_params_init(&params);
  const Configuration wanted{caps,         size,      proposal.min,
                             proposal.max, allocator, allocator == nullptr ? nullptr : &params,
                             true,         nullptr};
  GstBufferPool* pool = new_pool(kind, wanted, &size, &params, reason);
  if (pool == nullptr) return false;
  put_pool(query, pool, size, proposal.min, proposal.max);
  gst_object_unref(pool);
  return true;
}

bool forward_allocation(GstPad* pad, GstQuery* query) {
  if (gst_pad_peer_query(pad, query)) return true;
  while (gst_query_get_n_allocation_metas(query) > 0) {
    gst_query_remove_nth_allocation_meta(query, 0);
  }
  return false;
}

bool lacks_allocator(GstQuery* query) {
  return gst_query_get_n_allocation_pools(query) == 0 && Allocation(query).allocator == nullptr;
}

void offer_allocator(GstQuery* query, GstAllocator* allocator) {
  const Allocation asked(query);
  put_allocation(query, allocator, asked.params);
}

void offer_metas(GstQuery* query, std::initializer_list<GType> metas) {
  for (const GType meta : metas) {
    if (!gst_query_find_allocation_meta(query, meta, nullptr)) {
      gst_query_add_allocation_meta(query, meta, nullptr);
    }
  }
}

GstBufferPool* private_video_pool_new(const GstVideoInfo& info) {
  GstBufferPool* pool = gst_video_buffer_pool_new();
  GstStructure* config = gst_buffer_pool_get_config(pool);
  GstVideoInfo copy = info;
  GstCaps* caps = gst_video_info_to_caps(&copy);
  gst_buffer_pool_config_set_params(config, caps, static_cast<guint>(GST_VIDEO_INFO_SIZE(&info)), 0,
                                    0);
  gst_buffer_pool_config_add_option(config, GST_BUFFER_POOL_OPTION_VIDEO_META);
  gst_caps_unref(caps);
  if (!gst_buffer_pool_set_config(pool, config) || !gst_buffer_pool_set_active(pool, TRUE)) {
    gst_clear_object(&pool);
  }
  return pool;
}

}  // namespace rdp::gst
