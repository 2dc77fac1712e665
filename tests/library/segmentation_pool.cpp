// SPDX-License-Identifier: LGPL-2.1-or-later
// The pool to which segmentations return.
#include <algorithm>
#include <array>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <thread>
#include <utility>
#include <vector>

// After the standard library: check.h defines a macro named fail.
#include <gst/check/gstcheck.h>
#include <gst/rdpsegment/rdpsegment.h>

#include "gst/metadata/segmentation_pool.h"
#include "tests/support/check_test.h"
#include "tests/support/segmentation_fixture.h"

using rdp::gst::SegmentationDraft;
using rdp::gst::SegmentationPool;

// Fills the draft as rdpsegment does, and finishes it.
static GstRdpSegmentation* filled(SegmentationDraft draft, guint64 frame, guint columns) {
  GstRdpSegmentationInfo info = info_of(columns, 10);
  info.frame = frame;
  rdp::SegmentList& list = draft->list();
  guint32* offsets = list.resize_columns(static_cast<int>(columns));
  for (guint c = 0; c <= columns; ++c) offsets[c] = c;
  rdp::Segment* segments = list.resize_segments();
  for (guint c = 0; c < columns; ++c) segments[c] = {0, 9, static_cast<float>(frame), 1};
  fail_unless_equals_int(draft->arrays().n_columns, columns);
  fail_unless_equals_uint64(draft->arrays().n_segments, columns);
  return draft.finish(info);
}

static void count_call(gpointer counter, GstMiniObject* object) {
  ++*static_cast<std::atomic<int>*>(counter);
}

CHECK_TEST(test_pool_recycles) {
  std::atomic<int> finalized = 0;
  std::atomic<int> freed = 0;
  SegmentationPool pool;
  {
    SegmentationDraft draft = pool.acquire();
    fail_unless_equals_int(draft->arrays().n_columns, 0);
    fail_unless_equals_int(draft->arrays().n_segments, 0);
  }
  GstRdpSegmentation* one = filled(pool.acquire(), 5, 100);
  gsize n = 0;
  const GstRdpSegment* memory = gst_rdp_segmentation_peek_segments(one, &n);
  gst_mini_object_weak_ref(GST_MINI_OBJECT_CAST(one), count_call, &finalized);
  gst_mini_object_set_qdata(GST_MINI_OBJECT_CAST(one), g_quark_from_static_string("test"), &freed,
                            [](gpointer data) { ++*static_cast<std::atomic<int>*>(data); });
  GBytes* bytes = gst_rdp_segmentation_get_segments(one);
  gst_rdp_segmentation_unref(one);
  fail_unless_equals_int(finalized, 0);
  g_bytes_unref(bytes);
  fail_unless_equals_int(finalized, 1);
  fail_unless_equals_int(freed, 1);

  // The same memory, without its old contents.
  SegmentationDraft draft = pool.acquire();
  fail_unless_equals_int(draft->arrays().n_columns, 0);
  fail_unless_equals_int(draft->arrays().n_segments, 0);
  GstRdpSegmentation* other = filled(std::move(draft), 6, 90);
  fail_unless(other == one);
  ASSERT_MINI_OBJECT_REFCOUNT(other, "segmentation", 1);
  fail_unless_equals_int(gst_rdp_segmentation_get_n_columns(other), 90);
  fail_unless_equals_int(gst_rdp_segmentation_get_n_segments(other), 90);
  fail_unless_equals_int(gst_rdp_segmentation_get_info(other)->width, 90);
  fail_unless(gst_mini_object_get_qdata(GST_MINI_OBJECT_CAST(other),
                                        g_quark_from_static_string("test")) == nullptr);
  fail_unless(gst_rdp_segmentation_peek_segments(other, &n) == memory);
  gst_rdp_segmentation_unref(other);
  fail_unless_equals_int(finalized, 1);
}

CHECK_TEST(test_pool_keeps_some) {
  constexpr int kMore = 20;
  constexpr int kKept = 16;
  SegmentationPool pool;
  std::vector<SegmentationDraft> drafts;
  std::vector<GstRdpSegmentation*> out;
  for (int i = 0; i < kMore; ++i) drafts.push_back(pool.acquire());
  for (int i = 0; i < kMore; ++i) out.push_back(filled(std::move(drafts[i]), i, 8));
  fail_unless_equals_int(std::set(out.begin(), out.end()).size(), kMore);
  for (GstRdpSegmentation* self : out) gst_rdp_segmentation_unref(self);

  // The first returned objects are kept, and reused in reverse order.
  for (int i = kKept - 1; i >= 0; --i) {
    GstRdpSegmentation* self = filled(pool.acquire(), i, 8);
    fail_unless(self == out[i]);
    out[i] = self;
  }
  for (int i = 0; i < kKept; ++i) gst_rdp_segmentation_unref(out[i]);
}

CHECK_TEST(test_pool_outlived) {
  std::optional<SegmentationPool> pool(std::in_place);
  std::array<GstRdpSegmentation*, 3> out{};
  for (auto& self : out) self = filled(pool->acquire(), 3, 8);
  std::optional<SegmentationDraft> draft(pool->acquire());
  gst_rdp_segmentation_unref(out[0]);
  pool.reset();
  fail_unless_equals_int(gst_rdp_segmentation_get_n_segments(out[1]), 8);
  gst_rdp_segmentation_unref(out[1]);
  fail_unless_equals_int(gst_rdp_segmentation_get_n_segments(out[2]), 8);
  draft.reset();
  gst_rdp_segmentation_unref(out[2]);
}

// A replaced pool: an object of the old pool never enters the new one.
CHECK_TEST(test_pool_replaced) {
  SegmentationPool pool;
  GstRdpSegmentation* old = filled(pool.acquire(), 1, 8);
  pool = SegmentationPool();
  GstRdpSegmentation* other = filled(pool.acquire(), 2, 8);
  fail_if(other == old);
  gst_rdp_segmentation_unref(old);
  gst_rdp_segmentation_unref(other);
  g_autoptr(GstRdpSegmentation) again = filled(pool.acquire(), 3, 8);
  fail_unless(again == other);
}

// A C++ queue, because the thread sanitizer cannot see GLib's synchronisation.
class Queue {
 public:
  void push(GstRdpSegmentation* self) {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(self);
    pushed_.notify_one();
  }
  GstRdpSegmentation* pop() {
    std::unique_lock lock(mutex_);
    pushed_.wait(lock, [&] { return !waiting_.empty(); });
    GstRdpSegmentation* self = waiting_.front();
    waiting_.pop_front();
    return self;
  }

 private:
  std::mutex mutex_;
  std::condition_variable pushed_;
  std::deque<GstRdpSegmentation*> waiting_;
};

// One thread makes segmentations and another releases them while the pool's owner goes away.
CHECK_TEST(test_pool_threads) {
  constexpr int kProducers = 3;
  constexpr int kFrames = 5000;
  std::optional<SegmentationPool> pool(std::in_place);
  Queue queue;
  std::atomic<int> finalized = 0;
  std::atomic<bool> wrong = false;

  std::vector<std::thread> threads;
  for (int p = 0; p < kProducers; ++p) {
    threads.emplace_back([&, p] {
      for (int i = 0; i < kFrames; ++i) {
        GstRdpSegmentation* self = filled(pool->acquire(), p * kFrames + i, 1 + i % 50);
        gst_mini_object_weak_ref(GST_MINI_OBJECT_CAST(self), count_call, &finalized);
        queue.push(self);
      }
    });
  }
  std::thread consumer([&] {
    for (int i = 0; i < kProducers * kFrames; ++i) {
      g_autoptr(GstRdpSegmentation) self = queue.pop();
      const auto frame = gst_rdp_segmentation_get_info(self)->frame;
      const guint columns = gst_rdp_segmentation_get_n_columns(self);
      gsize n = 0;
      const GstRdpSegment* last = gst_rdp_segmentation_get_column(self, columns - 1, &n);
      if (columns != 1 + frame % kFrames % 50 || n != 1 ||
          last->first_value != static_cast<float>(frame)) {
        wrong = true;
      }
    }
  });
  for (std::thread& thread : threads) thread.join();
  pool.reset();
  consumer.join();
  fail_if(wrong);
  fail_unless_equals_int(finalized, kProducers * kFrames);
}

CHECK_CASE(segmentation_pool)
