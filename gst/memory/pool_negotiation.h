// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_MEMORY_POOL_NEGOTIATION_H_
#define RDP_GST_MEMORY_POOL_NEGOTIATION_H_

#include <gst/video/video.h>

#include <initializer_list>
#include <string>

// Both sides of an allocation query, without pads or elements: base classes like GstBaseTransform
// and GstAggregator send the query themselves, other elements use gst_pad_peer_query(). None of the
// functions throws or activates a pool.
namespace rdp::gst {

// Asks the peer of `pad` for the allocation of frames of these caps, which it has got before.
// Without an answer the query is empty, because elements may have written to a failed one.
GstQuery* ask_for_allocation(GstPad* pad, GstCaps* caps);

// True if all elements downstream of `pad`, also behind a tee, read GstVideoMeta. Otherwise rows
// need GstVideoInfo's default stride, which device memory lacks: frames are in system memory then,
// unless downstream takes only the device's.
bool reads_video_meta(GstPad* pad, GstCaps* caps);

// A kind of pool: how to make one, and which pools of others are equivalent.
struct PoolKind {
  // Makes a pool, not configured. Null: not possible.
  GstBufferPool* (*make)(gpointer data) = nullptr;
  // True if another element's pool can be used. Null: any that accepts the configuration.
  bool (*takes)(GstBufferPool* pool, gpointer data) = nullptr;
  // For both functions; owned by the creator of the kind.
  gpointer data = nullptr;
  // The pool allocates its own kind of memory (CUDA, NVMM): it ignores proposed allocators, and a
  // base class must not give it one.
  bool own_memory = false;
};

// Pools of video frames in system memory, or in that of an allocator.
PoolKind video_pools();
// Pools of buffers that are not video, of PoolNeeds::size bytes.
PoolKind byte_pools();

// An element's requirements for its output pool.
struct PoolNeeds {
  PoolKind kind = video_pools();
  // Bytes of a buffer; 0: of the video frames in the query's caps.
  guint size = 0;
  // Allocator of pools if downstream names none; null: the system's.
  GstAllocator* allocator = nullptr;
};

// Decides on a pool, after downstream has answered `query` or left it unchanged. Uses downstream's
// pool if it is of that kind and accepts the query's caps. Otherwise makes one with downstream's
// minimum of buffers and no maximum, because downstream's maximum applies to its own pool. Both get
// downstream's allocator with its alignment and padding. If downstream supports GstVideoMeta, they
// add it to buffers, with the row padding that downstream asks for.
//
// Returns the pool, configured but not active, unless downstream had activated it. The query is
// updated to match: the pool with its actual size, and the allocator. A base class that configures
// it again by the query changes nothing. Null, with *reason: neither is possible, and the query is
// unchanged.
GstBufferPool* decide_pool(GstQuery* query, const PoolNeeds& needs, std::string* reason);

// The functions below complete the answer to an upstream allocation query, which downstream may
// have answered already.

// Offers a pool for the query's video caps, if upstream wants one and the query has none that
// `kind` accepts. The pool inherits the limits of the one that it replaces. `allocator`: of its
// memory, null: the pool's own choice. False, with *reason: there is none to offer.
bool offer_pool(GstQuery* query, const PoolKind& kind, GstAllocator* allocator,
                std::string* reason);

// Forwards the query to the peer of `pad`, for frames that pass; true if it answers. Without an
// answer, removes the query's metas, which downstream has not confirmed.
bool forward_allocation(GstPad* pad, GstQuery* query);

// True if the query names neither an allocator nor a pool with its own.
bool lacks_allocator(GstQuery* query);
// Proposes `allocator` for upstream without a pool. Keeps downstream's alignment.
void offer_allocator(GstQuery* query, GstAllocator* allocator);

// Makes an active pool of frames in system memory with `info`, for internal use without
// negotiation. Its buffers have a GstVideoMeta. Null: no memory.
GstBufferPool* private_video_pool_new(const GstVideoInfo& info);

// Adds these metas to the query, unless it has them.
void offer_metas(GstQuery* query, std::initializer_list<GType> metas);

}  // namespace rdp::gst

#endif  // RDP_GST_MEMORY_POOL_NEGOTIATION_H_
