/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/rdpsegment/rdpsegmentationprivate.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>

/* How many segmentations wait for their next frame at most. A pipeline that holds more than this at
 * a time (long queues) allocates for those that are beyond it, and does not keep their memory. */
static constexpr std::size_t kMaxKept = 16;

struct _GstRdpSegmentationPool {
  std::atomic<int> references{1};  // the owner, and every segmentation that is out
  std::mutex mutex;                // of what follows; held for a few instructions
  std::array<GstRdpSegmentation*, kMaxKept> kept{};
  std::size_t n_kept = 0;
  bool open = true;  // false once the owner has let go
};

static void drop_reference(GstRdpSegmentationPool* pool) {
  if (pool->references.fetch_sub(1, std::memory_order_acq_rel) == 1) delete pool;
}

GstRdpSegmentationPool* gst_rdp_segmentation_pool_new(void) { return new GstRdpSegmentationPool; }

void gst_rdp_segmentation_pool_unref(GstRdpSegmentationPool* pool) {
  g_return_if_fail(pool != nullptr);

  std::size_t n_kept = 0;
  {
    const std::lock_guard lock(pool->mutex);
    pool->open = false;
    n_kept = pool->n_kept;
    pool->n_kept = 0;
  }
  /* A closed pool's array is touched by nobody else. */
  for (std::size_t i = 0; i < n_kept; ++i) delete pool->kept[i];
  drop_reference(pool);
}

GstRdpSegmentation* gst_rdp_segmentation_pool_acquire(GstRdpSegmentationPool* pool) {
  g_return_val_if_fail(pool != nullptr, nullptr);

  std::unique_ptr<GstRdpSegmentation> self;
  {
    /* The one that came back last is the one whose memory is in the caches. */
    const std::lock_guard lock(pool->mutex);
    if (pool->n_kept > 0) self.reset(pool->kept[--pool->n_kept]);
  }
  if (self == nullptr) {
    self.reset(rdp::meta::new_segmentation());
  } else {
    rdp::meta::init_segmentation(self.get());
  }
  self->pool = pool;
  pool->references.fetch_add(1, std::memory_order_relaxed);
  return self.release();
}

void rdp::meta::recycle(GstRdpSegmentationPool* pool, GstRdpSegmentation* self) {
  bool keep = false;
  {
    const std::lock_guard lock(pool->mutex);
    keep = pool->open && pool->n_kept < kMaxKept;
    if (keep) pool->kept[pool->n_kept++] = self;
  }
  if (!keep) delete self;
  drop_reference(pool);
}

rdp::SegmentList* gst_rdp_segmentation_list(GstRdpSegmentation* self) {
  g_return_val_if_fail(GST_IS_RDP_SEGMENTATION(self), nullptr);
  /* Once it is shared, others read it. */
  g_return_val_if_fail(gst_mini_object_is_writable(&self->mini_object), nullptr);

  self->on_host.store(true, std::memory_order_relaxed);
  return &self->list;
}

rdp::meta::RemoteArrays* gst_rdp_segmentation_get_remote(GstRdpSegmentation* self) {
  g_return_val_if_fail(GST_IS_RDP_SEGMENTATION(self), nullptr);

  return self->remote.get();
}

void gst_rdp_segmentation_set_remote(GstRdpSegmentation* self,
                                     std::unique_ptr<rdp::meta::RemoteArrays> remote) {
  g_return_if_fail(GST_IS_RDP_SEGMENTATION(self));
  g_return_if_fail(gst_mini_object_is_writable(&self->mini_object));

  self->remote = std::move(remote);
}

void gst_rdp_segmentation_use_remote(GstRdpSegmentation* self, int columns, std::size_t segments) {
  g_return_if_fail(GST_IS_RDP_SEGMENTATION(self));
  g_return_if_fail(gst_mini_object_is_writable(&self->mini_object));
  g_return_if_fail(self->remote != nullptr);

  /* Memory for the offsets now, while running out of it can still be reported. */
  self->list.resize_columns(columns);
  self->remote_columns = columns;
  self->remote_segments = segments;
  self->on_host.store(false, std::memory_order_release);
}

bool gst_rdp_segmentation_try_fetch(GstRdpSegmentation* self, std::string* reason) {
  g_return_val_if_fail(GST_IS_RDP_SEGMENTATION(self), false);
  g_return_val_if_fail(gst_mini_object_is_writable(&self->mini_object), false);
  g_return_val_if_fail(reason != nullptr, false);

  if (!self->on_host.load(std::memory_order_relaxed)) {
    self->on_host.store(self->remote->fetch(&self->list, reason), std::memory_order_relaxed);
  }
  return self->on_host.load(std::memory_order_relaxed);
}

void gst_rdp_segmentation_set_info(GstRdpSegmentation* self, const GstRdpSegmentationInfo* info) {
  g_return_if_fail(GST_IS_RDP_SEGMENTATION(self));
  g_return_if_fail(gst_mini_object_is_writable(&self->mini_object));
  g_return_if_fail(info != nullptr);

  self->info = *info;
}
