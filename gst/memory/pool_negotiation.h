// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_MEMORY_POOL_NEGOTIATION_H_
#define RDP_GST_MEMORY_POOL_NEGOTIATION_H_

#include <gst/video/video.h>

#include <initializer_list>
#include <string>

// Both sides of an allocation query. The functions know neither pads nor elements: base classes
// like GstBaseTransform and GstAggregator send the query themselves, an element without one sends
// it with gst_pad_peer_query(). None of them throws, and none activates a pool.
namespace rdp::gst {

// Asks what follows `pad` for the allocation of frames of these caps, which it has been sent.
// Without an answer the query is empty: some of those that were asked may have written to it.
GstQuery* ask_for_allocation(GstPad* pad, GstCaps* caps);

// True if what follows `pad` says of such frames that it reads GstVideoMeta: all of it, behind a
// tee as well. Otherwise rows have GstVideoInfo's default stride, which memory of a device does not
// have: frames are in system memory then, unless only the device's is taken.
bool reads_video_meta(GstPad* pad, GstCaps* caps);

// A kind of pool: how one of ours is made, and which of those that others made are as good.
struct PoolKind {
  // A new pool, not configured. Null where that is not possible.
  GstBufferPool* (*make)(gpointer data) = nullptr;
  // True if a pool that another element proposes can be used. Null: any that takes the
  // configuration.
  bool (*takes)(GstBufferPool* pool, gpointer data) = nullptr;
  // For both functions; belongs to whoever made the kind.
  gpointer data = nullptr;
  // The pool has its own way to make memory (CUDA, NVMM): allocators that others propose are not
  // for it, and a base class must not give it one.
  bool own_memory = false;
};

// Pools of video frames in system memory, or in that of an allocator.
PoolKind video_pools();
// The same for buffers of bytes that are no video; PoolNeeds say how many.
PoolKind byte_pools();

// An element's needs of the pool that its output comes from.
struct PoolNeeds {
  PoolKind kind = video_pools();
  // The bytes of a buffer; 0: of the video frames that the query's caps describe.
  guint size = 0;
  // The allocator of pools, if downstream names none; null: the system's.
  GstAllocator* allocator = nullptr;
};

// Decides on a pool, after downstream has answered `query` or has left it as it was. Downstream's
// pool is used if it is of that kind and takes the query's caps, else one of ours is made, of as
// many buffers as downstream needs at least, without an upper limit: downstream's is that of its
// own pool. Both get downstream's allocator with its alignment and padding. Where downstream knows
// GstVideoMeta they put it on buffers, with the padding of rows that downstream asks for.
//
// Returns the pool, configured and not active, unless downstream had activated it. The query then
// says the same: the pool with the size that it gave itself, and the allocator. A base class that
// configures it once more by the query changes nothing. Null, with *reason: neither is possible,
// and the query is as it was.
GstBufferPool* decide_pool(GstQuery* query, const PoolNeeds& needs, std::string* reason);

// Completes the answer to an allocation query from upstream, in which downstream may have answered
// already.

// Offers a pool for the query's caps, which are video, if upstream wants one and there is none that
// `kind` takes. The pool has the limits of the one whose place it takes. `allocator`: where its
// memory is from, null: the pool's own choice. False, with *reason: there is none to offer.
bool offer_pool(GstQuery* query, const PoolKind& kind, GstAllocator* allocator,
                std::string* reason);

// Hands the query on to what follows `pad`, which the frames are handed on to: whether it answers.
// Where it does not, it has said nothing of what metas it reads, whatever is in the query.
bool forward_allocation(GstPad* pad, GstQuery* query);

// True if nobody has named an allocator yet, or a pool that brings its own.
bool lacks_allocator(GstQuery* query);
// Makes `allocator` the one that upstream is to use where it has no pool. The alignment that
// downstream asks for stays.
void offer_allocator(GstQuery* query, GstAllocator* allocator);

// An active pool of frames in system memory that are `info`, for what an element makes for itself
// and does not negotiate. Its buffers have a GstVideoMeta. Null: there is no memory.
GstBufferPool* private_video_pool_new(const GstVideoInfo& info);

// Says that buffers may carry these, where it is not said already.
void offer_metas(GstQuery* query, std::initializer_list<GType> metas);

}  // namespace rdp::gst

#endif  // RDP_GST_MEMORY_POOL_NEGOTIATION_H_
